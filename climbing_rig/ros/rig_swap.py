"""The climber's rig under the orders of its file: exchanged between two ticks, and what is to be said of it."""

from __future__ import annotations

from collections.abc import Callable

from climbing_rig.climber import Climber
from climbing_rig.errors import RigError
from climbing_rig.ros.requests import NewRig, RigRefused
from climbing_rig.state import ClimberState


class RigSwap:
    """Loads rigs into a climber; everything here runs in the control thread.

    Args:
        climber: Whose rig.
        file: Where its present rig is from.
        announce: Told a new rig as JSON when it runs.

    Attributes:
        file: The rig that runs is from here.
        refusal: Why the newest file was refused; "" when it runs.
    """

    def __init__(self, climber: Climber, file: str, announce: Callable[[str], None]) -> None:
        self._climber = climber
        self._announce = announce
        self.file = file
        self.refusal = ""

    def take(self, event: NewRig | RigRefused) -> None:
        """Loads a rig, or notes that it was refused; answers whoever asked for it."""
        done, words = False, ""
        if isinstance(event, NewRig):
            try:
                self._climber.load_rig(event.program)
                done, words = True, f"{event.file} runs: {len(event.program.nodes)} nodes"
            except RigError as error:
                words = str(error)
        else:
            words = event.words
        if done and isinstance(event, NewRig):
            self.file, self.refusal = event.file, ""
            self._announce(event.graph)
        else:
            self.refusal = f"rig {event.file} refused, {self._running(event.file)} goes on: {words}"
        for answer in event.answers:
            answer(done, words)

    def _running(self, refused: str) -> str:
        return "the one before" if refused == self.file else self.file

    # -- what is said of it --------------------------------------------------------------------------------------

    def trouble(self, state: ClimberState) -> str:
        """What is wrong with the rig, in words; "" when all is well."""
        stopped = f"the rig has stopped, everything stands still: {state.rig}" if state.rig else ""
        return "; ".join(filter(None, (stopped, self.refusal)))

    def words(self, state: ClimberState) -> str:
        """File and state: ``FILE: runs``, ``FILE: stopped: …``, ``FILE: runs; rig FILE refused, …``."""
        now = f"stopped: {state.rig}" if state.rig else "runs"
        return f"{self.file}: {now}" + (f"; {self.refusal}" if self.refusal else "")
