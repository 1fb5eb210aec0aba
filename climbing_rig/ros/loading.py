"""Long work before a node goes live, in a thread that a signal does not have to wait for."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Loading(Generic[Result]):
    """Work under way in a daemon thread."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._result: Result | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, args=(work,), name="loading", daemon=True)
        self._thread.start()

    def _run(self, work: Callable[[], Result]) -> None:
        try:
            self._result = work()
        except BaseException as error:
            self._error = error

    def done(self) -> bool:
        """Whether it has ended."""
        return not self._thread.is_alive()

    def result(self) -> Result:
        """What the work returned; waits for it, and raises what it raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._result  # type: ignore[return-value]

    def abandon(self) -> None:
        """Ends the process with exit code 0 if the work is still under way: a compiler cannot be stopped in order."""
        if self._thread.is_alive():
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(0)
