"""Starting and ending a node's process: Ctrl-C and SIGTERM end it with exit code 0 and without a traceback.

rclpy's own handlers shut the context down under the node's feet; here a signal only leaves word, the node finishes its
tick, and what it published last stays.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

from climbing_rig.errors import ClimbingRigError

if TYPE_CHECKING:
    from rclpy.executors import Executor
    from rclpy.node import Node

SIGNALS = (signal.SIGINT, signal.SIGTERM)
POLL = 0.05
"""Seconds between two looks at ``ended`` where nothing else paces the main thread."""


class Lifetime:
    """Whether the process has been asked to end.

    Attributes:
        ended: True from the first signal on. A plain flag: an Event's lock could be held by the interrupted thread.
        failure: What ended a background thread, or None.
    """

    def __init__(self) -> None:
        self.ended = False
        self.failure: BaseException | None = None
        self._guarded = False
        for number in SIGNALS:
            signal.signal(number, self._on_signal)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self.ended = True
        if not self._guarded:  # still importing: nothing to finish
            raise SystemExit(0)

    def guard(self) -> None:
        """From here on a signal only sets ``ended``: the caller looks at it and leaves in order."""
        self._guarded = True

    def close(self) -> None:
        """From here on signals do nothing: the interpreter would else die of a second Ctrl-C while it cleans up."""
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)

    def wait(self, until: Callable[[], bool] = lambda: False) -> bool:
        """Sleeps until ``until`` or the end.

        Returns:
            True when ``until`` came true, False when the process has to end.
        """
        while not self.ended:
            if until():
                return True
            time.sleep(POLL)
        return False


@contextmanager
def ros(args: Sequence[str] | None) -> Iterator[None]:
    """Rclpy without its signal handlers, shut down at the end."""
    import rclpy
    from rclpy.signals import SignalHandlerOptions

    rclpy.init(args=None if args is None else list(args), signal_handler_options=SignalHandlerOptions.NO)
    try:
        yield
    finally:
        if rclpy.ok():
            rclpy.shutdown()


@contextmanager
def spinning(node: Node, lifetime: Lifetime) -> Iterator[Executor]:
    """Runs the node's callbacks in a thread of their own, one at a time, and destroys the node at the end."""
    from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor

    executor = SingleThreadedExecutor()
    executor.add_node(node)
    leaving = threading.Event()

    def spin() -> None:
        try:
            executor.spin()
        except ExternalShutdownException:
            lifetime.ended = True
        except BaseException as error:
            # An executor that is shut down in mid-wait may find its handles gone: that is the end, not a failure.
            if not leaving.is_set():
                lifetime.failure = error
            lifetime.ended = True

    thread = threading.Thread(target=spin, name="callbacks", daemon=True)
    thread.start()
    try:
        yield executor
    finally:
        leaving.set()
        executor.shutdown(timeout_sec=1.0)
        thread.join(timeout=2.0)
        node.destroy_node()


def run(body: Callable[[Lifetime], int]) -> int:
    """Runs a node's body and turns what ends it into an exit code.

    Args:
        body: Imports what it needs, runs until ``lifetime.ended`` and returns its exit code.

    Returns:
        The body's exit code; 0 after a signal, 1 after a refusal (its words go to stderr). The process is expected to
        end with it: signals are ignored from now on.
    """
    lifetime = Lifetime()
    try:
        code = body(lifetime)
    except ClimbingRigError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1
    finally:
        lifetime.close()
    if lifetime.failure is not None:
        raise lifetime.failure
    return code
