"""One climber under the orders of topics and services: what of them reaches ``Climber.step``, and what is said back.

Everything here runs in the control thread; other threads only ``post``.
"""

from __future__ import annotations

import queue
from collections.abc import Iterable

from climbing_rig.climber import Climber
from climbing_rig.errors import AttachError
from climbing_rig.limbs.command import LimbCommand
from climbing_rig.limbs.phases import Phase
from climbing_rig.ros.requests import AUTOMATIC, Call, Event, Goal, Move, NewWall, Refusal, Verb, WallRefused
from climbing_rig.ros.rig_swap import RigSwap
from climbing_rig.ros.selection import Selection
from climbing_rig.ros.stamps import SECOND
from climbing_rig.state import ClimberState

NO_WALL = "no wall received on wall/map yet"
HELD = (Phase.LOCKED, Phase.GRIPPING)
ATTACH_PATIENCE = 30.0
"""Seconds of the climber's time in which it must have reached its placement."""
LET_GO_FIRST = 0.3
"""Seconds a stream of moves must pause after a stop before it counts as a new command."""


class Control:
    """Carries requests out on a climber, between and in its ticks.

    Args:
        climber: Whom to move; nobody else may.
        rig: Exchanges its rig.
        cmd_timeout: Age at which a move ends, seconds; may be changed between ticks.
        min_contacts: The climber's, for ``release_all``.
        attach_on_wall: Attach by itself when the first wall arrives.

    Attributes:
        selection: Which limb is selected.
        refusals: Limb ("" for those that named none) -> why its last message was refused, until it accepts one.
        wall_words: The wall, or what is wrong with what came.
        paused: Whether time is frozen by ``pause``.
        stopped: Whether everything stands still until the next command.
    """

    def __init__(
        self,
        climber: Climber,
        rig: RigSwap,
        *,
        cmd_timeout: float = 0.1,
        min_contacts: int = 1,
        attach_on_wall: bool = False,
    ) -> None:
        self.climber, self.rig = climber, rig
        self.cmd_timeout = cmd_timeout
        self._min_contacts = min_contacts
        self.selection = Selection()
        self.refusals: dict[str, str] = {}
        self.wall_words = NO_WALL
        self.wall_refused = False
        self.paused = False
        self.stopped = False
        self._attach_on_wall = attach_on_wall
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._moves: dict[str, Move] = {}
        self._goals: dict[str, Goal] = {}
        self._grips: dict[str, list[Call]] = {}
        self._attaching: list[Call] = []
        self._attach_until = 0.0
        self._forget_goals = False
        self._last_move = 0

    def post(self, event: Event) -> None:
        """Hands an event to the control thread; callable from any thread."""
        self._events.put(event)

    # -- between the ticks ---------------------------------------------------------------------------------------

    def take_events(self, now: int) -> None:
        """Carries out what needs no time and notes the rest for the next tick.

        Args:
            now: Nanoseconds of the node's clock.
        """
        while True:
            try:
                event = self._events.get_nowait()
            except queue.Empty:
                return
            if isinstance(event, Move):
                self._take_move(event, now)
            elif isinstance(event, Goal):
                self._take_goal(event)
            elif isinstance(event, Refusal):
                self.refusals[event.limb] = event.words
            elif isinstance(event, Call):
                self._take_call(event)
            elif isinstance(event, NewWall | WallRefused):
                self._take_wall(event)
            else:
                self.rig.take(event)

    def _take_move(self, move: Move, now: int) -> None:
        if move.right == 0.0 and move.up == 0.0:  # it only selects, and ends a push before its time
            self._moves.pop(move.limb, None)
            if move.limb != AUTOMATIC:
                self.selection.choose(move.limb)
            return
        if self.paused:
            self.refusals[move.limb] = "paused: nothing moves until pause is called with false"
            return
        going_on = now - self._last_move < LET_GO_FIRST * SECOND
        self._last_move = now
        if self.stopped and going_on:
            self.refusals[move.limb] = "stopped: let go of the stick first, then push again"
            return
        self.stopped = False
        self.refusals.pop(move.limb, None)
        self.refusals.pop(AUTOMATIC, None)
        if move.limb != AUTOMATIC:
            self.selection.choose(move.limb)
        self._moves[move.limb] = move

    def _take_goal(self, goal: Goal) -> None:
        if self.paused:
            self.refusals[goal.limb] = "paused: nothing moves until pause is called with false"
            return
        self.stopped = False
        self.refusals.pop(goal.limb, None)
        self.selection.choose(goal.limb)
        self._goals[goal.limb] = goal

    def _take_wall(self, event: NewWall | WallRefused) -> None:
        if isinstance(event, WallRefused):
            self.wall_refused = True
            self.wall_words = event.words
            return
        first = self.climber.wall is None
        self.climber.set_wall(event.wall)
        self.wall_refused = False
        self.wall_words = event.words
        if first and self._attach_on_wall and not self._holding():
            self._take_call(Call(Verb.ATTACH, self._note_failed_attach))

    def _note_failed_attach(self, done: bool, words: str) -> None:
        if not done:
            self.refusals[AUTOMATIC] = words

    def _take_call(self, call: Call) -> None:
        if call.verb is Verb.PAUSE or call.verb is Verb.RESUME:
            self.paused = call.verb is Verb.PAUSE
            if not self.paused:
                self.stopped = False
            call.answer(True, "paused" if self.paused else "going on")
        elif call.verb is Verb.STOP:
            self._stop()
            call.answer(True, "stopped: everything stands still until the next command")
        elif call.verb is Verb.RESET:
            self._drop_orders("the climber was reset")
            self.climber.reset()
            self.stopped = False
            call.answer(True, "neutral pose, all limbs free")
        elif self.paused:
            call.answer(False, "paused: call pause with false first")
        elif call.verb is Verb.ATTACH:
            self._begin_attach(call)
        elif call.verb is Verb.RELEASE_ALL:
            self._release_all(call)
        else:
            self.stopped = False
            self.selection.choose(call.limb)
            self._grips.setdefault(call.limb, []).append(call)

    def _begin_attach(self, call: Call) -> None:
        if self.climber.wall is None:
            call.answer(False, NO_WALL)
            return
        if not self.climber.attaching:
            try:
                self.climber.begin_attach()
            except AttachError as error:
                call.answer(False, str(error))
                return
        self.stopped = False
        self._moves.clear()
        self._goals.clear()
        self._attaching.append(call)
        self._attach_until = self.climber.state.time + ATTACH_PATIENCE

    def _release_all(self, call: Call) -> None:
        """Lets go of as many holds as ``min_contacts`` allows; the first limbs of the robot's file hold on."""
        holding = self._holding()
        kept = holding[: self._min_contacts]
        leaving = [name for name in self.climber.limb_names if name not in kept]
        self.stopped = False
        for name in leaving:
            self._grips.setdefault(name, []).append(Call(Verb.RELEASE, lambda _done, _words: None, name))
        words = f"released; {', '.join(kept)} must hold (min_contacts {len(kept)})" if kept else "released"
        call.answer(True, words)

    def _stop(self) -> None:
        self._drop_orders("stopped")
        self.climber.cancel_attach()
        self.stopped = True
        self._forget_goals = True

    def _drop_orders(self, why: str) -> None:
        self._moves.clear()
        self._goals.clear()
        self.refusals.clear()
        for call in [*self._attaching, *(call for calls in self._grips.values() for call in calls)]:
            call.answer(False, why)
        self._attaching.clear()
        self._grips.clear()

    def _holding(self) -> list[str]:
        return [name for name, limb in self.climber.state.limbs.items() if limb.phase is Phase.LOCKED]

    # -- one tick ------------------------------------------------------------------------------------------------

    def tick(self, dt: float, now: int) -> ClimberState:
        """One tick of the climber under all that was asked; paused or stopped, the same state again.

        Args:
            dt: Seconds to simulate.
            now: Nanoseconds of the node's clock.
        """
        if self.paused or self.stopped:
            return self.climber.state
        state = self.climber.step(dt, self._commands(now))
        self._goals.clear()
        self._answer_grips(state)
        self._answer_attach(state)
        return state

    def refuse_waiting(self, why: str) -> None:
        """Answers the calls that wait for a tick when none will come."""
        for calls in self._grips.values():
            for call in calls:
                call.answer(False, why)
        self._grips.clear()

    def _commands(self, now: int) -> dict[str, LimbCommand]:
        oldest = now - int(self.cmd_timeout * SECOND)
        self._moves = {limb: move for limb, move in self._moves.items() if move.stamp >= oldest}
        moves: dict[str, tuple[float, float]] = {}
        for limb, move in self._moves.items():
            taker = limb
            if limb == AUTOMATIC:
                state = self.climber.state
                taker = self.selection.push(move.right, move.up, state, now / SECOND, self.cmd_timeout)
            moves[taker] = (move.right, move.up)
        goals = {limb: goal.position for limb, goal in self._goals.items()}
        if self._forget_goals:
            self._forget_goals = False
            goals = {**self._where_they_are(), **goals}
        grips = {limb: calls[-1].verb is Verb.GRIP for limb, calls in self._grips.items()}
        return {
            limb: LimbCommand(move=moves.get(limb), grip=grips.get(limb), goal=goals.get(limb))
            for limb in {*moves, *goals, *grips}
        }

    def _where_they_are(self) -> dict[str, tuple[float, float, float]]:
        """Goals that end the pursuit of older goals: every moved limb's own tip."""
        return {
            name: (float(limb.tip[0]), float(limb.tip[1]), float(limb.tip[2]))
            for name, limb in self.climber.state.limbs.items()
            if limb.phase in (Phase.SEARCHING, Phase.CANDIDATE)
        }

    def _answer_attach(self, state: ClimberState) -> None:
        late = state.time > self._attach_until
        if not self._attaching or (self.climber.attaching and not late):
            return
        done = not self.climber.attaching
        if not done:
            self.climber.cancel_attach()
        words = (
            f"attached: {', '.join(self._holding())} hold"
            if done
            else f"gave up after {ATTACH_PATIENCE:g} s on the way"
        )
        for call in self._attaching:
            call.answer(done, words)
        self._attaching.clear()

    def _answer_grips(self, state: ClimberState) -> None:
        for limb, calls in self._grips.items():
            phase, reason = state.limbs[limb].phase, state.limbs[limb].reason
            for call in calls:
                done = (phase in HELD) == (call.verb is Verb.GRIP)
                call.answer(done, phase.value if done else f"{phase.value}: {reason}")
        self._grips.clear()

    # -- what is said of it --------------------------------------------------------------------------------------

    def words(self, state: ClimberState) -> str:
        """The climber's situation in one line."""
        if self.paused:
            return "paused"
        if self.stopped:
            return "stopped: stands still until the next command"
        if self.climber.attaching:
            return "attaching: on the way to the wall"
        if self.wall_refused or self.climber.wall is None:
            return self.wall_words
        holding = sum(limb.phase is Phase.LOCKED for limb in state.limbs.values())
        return f"{holding} of {len(state.limbs)} limbs hold"

    def limb_words(self, limb: str, state: ClimberState) -> str:
        """Why a limb's last message or request was refused; "" when there is nothing to say."""
        return self.refusals.get(limb) or state.limbs[limb].reason


def unknown_limb(limb: str, limbs: Iterable[str], topic: str) -> str:
    """Words for a message to a limb that the robot does not have."""
    return f"{topic}: unknown limb '{limb}'; valid: {', '.join(limbs)} (empty: automatic choice)"
