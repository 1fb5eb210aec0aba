"""The 200 Hz loop of the climber node: look at the clock, take what came, tick, publish."""

from __future__ import annotations

import time

from rclpy.node import Node

from climbing_rig.climber import Climber
from climbing_rig.ros.control import Control
from climbing_rig.ros.inlets import Inlets
from climbing_rig.ros.lifetime import Lifetime
from climbing_rig.ros.outlets import Outlets
from climbing_rig.ros.parameters import Parameters
from climbing_rig.ros.rig_intake import RigIntake, graph_text
from climbing_rig.ros.rig_outlets import RigOutlets
from climbing_rig.ros.rig_swap import RigSwap
from climbing_rig.ros.stamps import SECOND, Kind, Look, Stamps
from climbing_rig.ros.status import Situation, bounds_text
from climbing_rig.state import ClimberState

BREATH = 0.0002
"""Seconds a late loop sleeps."""
STATUS_PERIOD = 0.1
DIAGNOSTICS_PERIOD = 1.0
CLOCK_WORDS_LAST = 5.0
"""Seconds a clock jump stays in the status."""
JUMPS = {
    Kind.JUMP: "the clock jumped by {:+.3f} s: held still, going on from there",
    Kind.LATE: "too slow for this rate: {:.1f} s behind the clock, left out",
}
STANDSTILL = 0.5
"""Seconds without a tick after which the clock is said to stand still."""


class ControlLoop:
    """Owns the climber from now on; ``run`` returns when the process has to end.

    Args:
        node: The node.
        climber: Warmed up.
        parameters: The node's.
    """

    def __init__(self, node: Node, climber: Climber, parameters: Parameters) -> None:
        self._node = node
        self._clock = node.get_clock()
        self._parameters = parameters
        self._rig_outlets = RigOutlets(node, climber, parameters)
        self._control = Control(
            climber,
            RigSwap(climber, parameters.text("rig") or climber.description.rig, self._rig_outlets.publish_graph),
            cmd_timeout=parameters.number("cmd_timeout"),
            min_contacts=int(parameters.number("min_contacts")),
            attach_on_wall=bool(parameters["attach_on_wall"]),
        )
        self._period = 1.0 / parameters.number("rate")
        self._stamps = Stamps(round(self._period * SECOND))
        self._outlets = Outlets(node, climber, parameters)
        self._rig_intake = RigIntake(node, climber, parameters, self._control.post)
        self._inlets = Inlets(node, climber.limb_names, parameters, self._control.post, self._rig_intake.reload)
        self._rig_outlets.publish_graph(graph_text(climber.rig.program))
        self._state: ClimberState = climber.state
        self._situation: Situation | None = None
        self._started = time.monotonic()
        self._last_tick = self._started
        self._jumped = -CLOCK_WORDS_LAST
        self._jump_words = ""
        self._next_status = self._next_markers = self._next_diagnostics = 0.0

    def run(self, lifetime: Lifetime) -> None:
        """Ticks until the end; deadlines are multiples of the period, so lateness does not add up."""
        deadline = time.monotonic()
        while not lifetime.ended:
            self._once()
            deadline += self._period
            left = deadline - time.monotonic()
            if left > 0.0 and not self._stamps.behind:
                time.sleep(left)
            else:  # catching up; the callbacks still get their turn
                deadline = time.monotonic()
                time.sleep(BREATH)

    def close(self) -> None:
        """Ends the threads of wall, rig and trace."""
        self._inlets.wall.close()
        self._rig_intake.close()
        self._rig_outlets.close()

    def _once(self) -> None:
        control = self._control
        control.cmd_timeout = self._parameters.number("cmd_timeout")
        now = self._clock.now().nanoseconds
        steady = time.monotonic()
        look = self._stamps.look(now, round(steady * SECOND))
        control.take_events(now)
        if look.kind is Kind.TICK:
            self._state = self._rig_outlets.trace(lambda: control.tick(look.dt / SECOND, now), look.stamp, steady)
            self._last_tick = steady
        else:
            self._state = control.climber.state
            if look.kind in JUMPS:
                self._jumped = steady
                self._jump_words = JUMPS[look.kind].format(look.jump / SECOND)
                self._node.get_logger().warning(self._jump_words)
            if steady - self._last_tick > STANDSTILL:
                control.refuse_waiting(self._clock_words(look, steady))
        if look.kind is Kind.TICK or look.kind in JUMPS:
            self._outlets.publish_tick(self._state, look.stamp)
        self._tell(look, now, steady)

    def _tell(self, look: Look, now: int, steady: float) -> None:
        situation = self._situation_now(look, steady)
        if situation != self._situation or steady >= self._next_status:
            self._situation = situation
            self._next_status = steady + STATUS_PERIOD
            self._outlets.publish_status(situation, now)
            self._rig_outlets.tell_prints()
        rate = self._parameters.number("marker_rate")
        if rate > 0.0 and steady >= self._next_markers:
            self._next_markers = steady + 1.0 / rate
            self._outlets.publish_markers(self._state, situation)
        if steady >= self._next_diagnostics:
            self._next_diagnostics = steady + DIAGNOSTICS_PERIOD
            self._outlets.publish_diagnostics(situation, now)

    def _situation_now(self, look: Look, steady: float) -> Situation:
        control, state = self._control, self._state
        clock = self._clock_words(look, steady)
        refused = "; ".join(words for limb, words in control.refusals.items() if limb == "")
        no_wall = control.climber.wall is None and steady - self._started > self._parameters.number("wall_timeout")
        rig_trouble = control.rig.trouble(state)
        said = [control.words(state), clock, refused, rig_trouble]
        selection = control.selection
        return Situation(
            node="; ".join(words for words in said if words),
            warning=bool(clock or refused or rig_trouble or control.wall_refused or no_wall),
            limbs=tuple(
                (name, limb.phase.value, control.limb_words(name, state), name == selection.limb)
                for name, limb in state.limbs.items()
            ),
            values=(
                ("selected", selection.limb or ""),
                ("automatic", _text(selection.automatic)),
                ("attaching", _text(control.climber.attaching)),
                ("paused", _text(control.paused)),
                ("stopped", _text(control.stopped)),
                ("wall", control.wall_words),
                ("clock", clock),
                ("refused", refused),
                ("gate", state.gate.value),
                ("bounds", bounds_text(state)),
                ("rig", control.rig.words(state)),
                ("rig_stopped", state.rig),
                ("rig_refused", control.rig.refusal),
            ),
        )

    def _clock_words(self, look: Look, steady: float) -> str:
        if look.kind is Kind.NO_TIME:
            return "no time on /clock yet: standing still"
        if steady - self._last_tick > STANDSTILL:
            return "the clock stands still, and so does the climber"
        if steady - self._jumped < CLOCK_WORDS_LAST:
            return self._jump_words
        return ""


def _text(value: bool) -> str:
    return "true" if value else "false"
