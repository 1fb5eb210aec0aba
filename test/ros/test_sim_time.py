"""With simulated time the climber lives by /clock: it waits for it, and holds still when it jumps."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest
from geometry_msgs.msg import TwistStamped
from nodes import Listener, flat_wall
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import PointCloud2
from std_srvs.srv import SetBool, Trigger

from climbing_rig.ros import qos
from climbing_rig.ros.conversions import set_stamp
from climbing_rig.ros.stamps import SECOND

START = 1000 * SECOND
BEAT = 0.01


class SimulatedClock:
    """/clock at 100 Hz, from a thread, until it is frozen."""

    def __init__(self, listener: Listener) -> None:
        self.now = START
        self.frozen = False
        self._ended = False
        self._publisher = listener.node.create_publisher(Clock, "/clock", qos.TICK)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._ended:
            time.sleep(BEAT)
            if not self.frozen:
                self.now += round(BEAT * SECOND)
                message = Clock()
                set_stamp(message.clock, self.now)
                self._publisher.publish(message)

    def close(self) -> None:
        """Ends the thread."""
        self._ended = True
        self._thread.join()


@pytest.fixture(scope="module")
def node(start_node, listener: Listener) -> Listener:
    """A climber that lives by /clock, which nobody publishes yet, with a wall."""
    start_node("climber_node", "--ros-args", "-p", "use_sim_time:=true", "-p", "attach_on_wall:=true").wait_for(
        "is live"
    )
    wall = listener.node.create_publisher(PointCloud2, "wall/map", qos.LATCHED)
    listener.wait_for_words("no time on /clock yet")
    wall.publish(flat_wall())
    return listener


@pytest.fixture(scope="module")
def clock(node: Listener) -> Iterator[SimulatedClock]:
    clock = SimulatedClock(node)
    yield clock
    clock.close()


def test_before_any_time_nothing_ticks_and_calls_are_answered(node: Listener) -> None:
    assert not node.recorder.recording.ticks
    answer = node.call(SetBool, "left_hand/grip", SetBool.Request(data=True))
    assert not answer.success
    assert "no time on /clock yet" in answer.message


def test_with_time_it_attaches_and_stamps_are_those_of_the_clock(node: Listener, clock: SimulatedClock) -> None:
    node.wait_for_words("4 of 4 limbs hold", 60.0)
    stamps = sorted(node.recorder.recording.ticks)
    assert stamps[0] >= START and stamps[-1] <= clock.now
    assert max(np.diff(stamps)) <= 2 * SECOND // 200


@pytest.mark.parametrize("jump", [3600, -3600, 30])
def test_a_jump_is_told_and_moves_nothing(node: Listener, clock: SimulatedClock, jump: int) -> None:
    ticks = node.recorder.recording.ticks
    ticks.clear()
    node.ticks(20)
    held = {limb: position.copy() for limb, position in node.contacts.items()}
    clock.now += jump * SECOND
    node.wait_for_words(f"the clock jumped by {jump:+d}"[:21])  # its sign; the value has ten milliseconds of beat
    node.wait(lambda: abs(node.latest - clock.now) < SECOND, words="stamps to follow")
    node.ticks(20)
    assert held.keys() == node.contacts.keys()
    assert all((node.contacts[limb] == held[limb]).all() for limb in held)
    stamps = list(ticks)  # in the order of their arrival
    across = [(a, b) for a, b in pairwise(stamps) if abs(b - a) > SECOND]
    assert len(across) == 1
    before, after = across[0]
    np.testing.assert_array_equal(ticks[before].joints, ticks[after].joints)
    np.testing.assert_array_equal(ticks[before].base, ticks[after].base)


def test_a_clock_that_stands_still_is_told_and_so_is_its_going_on(node: Listener, clock: SimulatedClock) -> None:
    clock.frozen = True
    node.wait_for_words("the clock stands still")
    heard = len(node.statuses)
    node.wait(lambda: len(node.statuses) >= heard + 5, words="status while the clock stands")
    stamps = len(node.recorder.recording.ticks)
    assert node.call(Trigger, "stop", Trigger.Request()).success
    assert len(node.recorder.recording.ticks) == stamps
    clock.frozen = False
    node.wait(lambda: "stands still" not in node.report.values["clock"], words="going on")
    node.ticks(5)


def test_commands_are_fresh_or_stale_by_the_simulated_clock(node: Listener, clock: SimulatedClock) -> None:
    publisher = node.node.create_publisher(TwistStamped, "limb_cmds", qos.COMMAND)
    node.wait(publisher.get_subscription_count, words="limb_cmds to be matched")
    message = TwistStamped()
    message.header.frame_id = "left_hand"
    message.twist.linear.y = 0.1
    message.header.stamp = node.stamp()  # the wall clock's time: far ahead of the simulation
    publisher.publish(message)
    node.wait_for_words("in the future")
    set_stamp(message.header.stamp, clock.now)
    publisher.publish(message)
    node.wait_for_words("cannot move a locked limb; release it first")
