"""A changed rig file becomes a program away from the control thread, which only swaps it in between two ticks."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable

from rclpy.node import Node

from climbing_rig.climber import Climber
from climbing_rig.errors import ClimbingRigError, ConfigError
from climbing_rig.rig.inspect.listing import show_json
from climbing_rig.rig.program import Program
from climbing_rig.rig.reader import load_graph
from climbing_rig.ros.parameters import Parameters
from climbing_rig.ros.requests import Answer, NewRig, RigRefused
from climbing_rig.share import resolve

LOOK = 0.5
"""Seconds between two looks at the file."""

Signature = tuple[str, int, int] | None
"""Path, time of the last change and size; None for a file that is not there."""


class RigIntake:
    """Reads and compiles the rig's file in a thread of its own, whenever it has changed or somebody asks for it.

    Args:
        node: For its log.
        climber: Whose rig it is; only its ``compile_rig`` and its present graph are used.
        parameters: The node's, of which ``rig`` and ``watch_rig`` are looked at again and again.
        post: Takes the result.
    """

    def __init__(
        self, node: Node, climber: Climber, parameters: Parameters, post: Callable[[NewRig | RigRefused], None]
    ) -> None:
        self._log = node.get_logger()
        self._climber = climber
        self._parameters = parameters
        self._post = post
        self._asked: list[Answer] = []
        self._ending = False
        self._wake = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="rig", daemon=True)
        self._thread.start()

    @property
    def file(self) -> str:
        """The file the rig is to be read from."""
        return self._parameters.text("rig") or self._climber.description.rig

    def reload(self, answer: Answer) -> None:
        """Reads the file, changed or not; answered when the new rig runs, or is refused. Callable from any thread."""
        with self._wake:
            self._asked.append(answer)
            self._wake.notify()

    def close(self) -> None:
        """Ends the thread when it is done with the rig it is compiling."""
        with self._wake:
            self._ending = True
            self._wake.notify()

    def _work(self) -> None:
        # Looked at before it is read: a file that changes in between looks changed the next time.
        seen = self._signature()
        if self._parameters["watch_rig"] and self._differs():
            seen = None
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._ending or self._asked, timeout=LOOK)
                if self._ending:
                    return
                asked, self._asked = tuple(self._asked), []
            there = self._signature()
            changed = bool(self._parameters["watch_rig"]) and there != seen
            if asked or changed:
                seen = there
                self._post(self._read(asked))

    def _signature(self) -> Signature:
        try:
            path = resolve(self.file)
            status = path.stat()
        except (ConfigError, OSError):
            return None
        return str(path), status.st_mtime_ns, status.st_size

    def _differs(self) -> bool:
        """Whether the file has changed since the climber read it, minutes ago perhaps."""
        try:
            return load_graph(self.file) != self._climber.rig.program.graph
        except Exception:
            return True  # reading it again will say what is wrong

    def _read(self, asked: tuple[Answer, ...]) -> NewRig | RigRefused:
        file = self.file
        try:
            program = self._climber.compile_rig(file)
        except Exception as error:  # a file can hold anything, a unit too: whatever it raises, the rig before goes on
            words = str(error) if isinstance(error, ClimbingRigError) else f"{type(error).__name__}: {error}"
            self._log.error(f"rig {file} refused, the one before goes on: {words}")
            return RigRefused(file, words, asked)
        self._log.info(f"rig {file}: {len(program.nodes)} nodes, {len(program.code)} instructions")
        return NewRig(program, file, graph_text(program), asked)


def graph_text(program: Program) -> str:
    """A program for ~/rig, as JSON: what ``climbing_rig rig show --json`` tells, with what each node's unit does."""
    facts = show_json(program)
    for told, node in zip(facts["nodes"], program.nodes, strict=True):
        told["doc"] = node.unit.doc
    return json.dumps(facts, allow_nan=False)
