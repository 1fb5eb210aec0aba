"""The climber node over real DDS: every row of its interface, and what it refuses.

One node for the whole module. The tests run in order, each leaving the climber attached or reset as it says.
"""

from __future__ import annotations

import math
import struct
import time

import numpy as np
import pytest
from builtin_interfaces.msg import Time
from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import PoseStamped, TwistStamped
from nodes import Listener, flat_wall
from rcl_interfaces.srv import DescribeParameters, SetParameters
from rclpy.parameter import Parameter as RosParameter
from sensor_msgs.msg import PointCloud2, PointField
from std_msgs.msg import String
from std_srvs.srv import SetBool, Trigger
from tf2_msgs.msg import TFMessage
from visualization_msgs.msg import MarkerArray

from climbing_rig.model import load_description, load_urdf
from climbing_rig.ros import qos
from climbing_rig.ros.stamps import SECOND
from climbing_rig.ros.verdict import Judge
from climbing_rig.share import resolve

LIMBS = ("left_hand", "right_hand", "left_foot", "right_foot")


class Driver:
    """What a user does: publishes commands, calls services."""

    def __init__(self, listener: Listener) -> None:
        self.listener = listener
        self.commands = listener.node.create_publisher(TwistStamped, "limb_cmds", qos.COMMAND)
        self.walls = listener.node.create_publisher(PointCloud2, "wall/map", qos.LATCHED)
        self.goals = {limb: listener.node.create_publisher(PoseStamped, f"{limb}/goal", qos.COMMAND) for limb in LIMBS}

    def command(self, limb: str, right: float = 0.0, up: float = 0.0, age: float = 0.0) -> TwistStamped:
        """A limb command stamped ``age`` seconds ago."""
        message = TwistStamped()
        message.header.frame_id = limb
        message.header.stamp = self.listener.stamp(-age)
        message.twist.linear.x, message.twist.linear.y = right, up
        return message

    def push(self, limb: str, right: float, up: float, seconds: float) -> None:
        """Pushes as a teleop does: 20 commands a second."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.commands.publish(self.command(limb, right, up))
            time.sleep(0.05)

    def grip(self, limb: str, on: bool) -> SetBool.Response:
        """Calls the limb's grip service."""
        return self.listener.call(SetBool, f"{limb}/grip", SetBool.Request(data=on))

    def trigger(self, name: str) -> Trigger.Response:
        """Calls attach, release_all, reset or stop."""
        return self.listener.call(Trigger, name, Trigger.Request())

    def pause(self, on: bool) -> SetBool.Response:
        """Calls pause."""
        return self.listener.call(SetBool, "pause", SetBool.Request(data=on))

    def send_wall(self, wall: PointCloud2, words: str) -> None:
        """Publishes a wall and waits for what the status says of it."""
        self.walls.publish(wall)
        self.listener.wait_for_words(words)

    def put_wall(self, wall: PointCloud2) -> None:
        """Publishes a wall and waits until the climber has it; its number of points must be a new one."""
        self.walls.publish(wall)
        words = f"wall of {wall.width} points"
        self.listener.wait(lambda: words in self.listener.report.values["wall"], 60.0, words)

    def goal(self, limb: str, frame: str, position: np.ndarray) -> None:
        """Publishes a goal for a limb."""
        message = PoseStamped()
        message.header.frame_id = frame
        at = message.pose.position
        at.x, at.y, at.z = (float(value) for value in position)
        self.goals[limb].publish(message)


@pytest.fixture(scope="module")
def driver(start_node, listener: Listener) -> Driver:
    start_node("climber_node").wait_for("is live")
    driver = Driver(listener)
    listener.wait(lambda: listener.report is not None, words="a status")
    listener.wait(lambda: driver.commands.get_subscription_count() == 1, words="limb_cmds to be matched")
    listener.wait(lambda: all(p.get_subscription_count() == 1 for p in driver.goals.values()), words="goals matched")
    return driver


@pytest.fixture(scope="module")
def attached(driver: Driver) -> Driver:
    if driver.listener.report.values["wall"].startswith("no wall"):
        driver.send_wall(flat_wall(), "limbs hold")
    if not driver.listener.report.attached:
        answer = driver.trigger("attach")
        assert answer.success, answer.message
    return driver


def loosen(driver: Driver, limb: str) -> None:
    """The limb lets go and hovers."""
    answer = driver.grip(limb, False)
    assert answer.success, answer.message
    driver.listener.wait(lambda: driver.listener.phase(limb) == "candidate", words=f"{limb} hovers")


def fasten(driver: Driver, limb: str) -> None:
    answer = driver.grip(limb, True)
    assert answer.success, answer.message
    driver.listener.wait(lambda: driver.listener.phase(limb) == "locked", words=f"{limb} locked")


def test_without_a_wall_the_status_says_so_and_attach_refuses(driver: Driver) -> None:
    driver.listener.wait_for_words("no wall received on wall/map yet")
    answer = driver.trigger("attach")
    assert not answer.success
    assert "no wall received on wall/map yet" in answer.message


def test_the_robot_and_the_static_frames_are_latched(driver: Driver) -> None:
    heard: dict[str, object] = {}
    driver.listener.listen(String, "robot_description", lambda m: heard.setdefault("urdf", m.data), qos.LATCHED)
    driver.listener.listen(TFMessage, "/tf_static", lambda m: heard.setdefault("tf", m.transforms[0]), qos.LATCHED)
    driver.listener.wait(lambda: len(heard) == 2, words="latched topics")
    assert "<robot" in heard["urdf"]
    assert (heard["tf"].header.frame_id, heard["tf"].child_frame_id) == ("map", "odom")


def test_every_tick_has_four_messages_of_one_stamp(driver: Driver) -> None:
    listener = driver.listener
    listener.ticks(100)
    ticks = listener.recorder.recording.ticks
    stamps = sorted(ticks)[-90:-10]
    assert all(ticks[stamp].whole for stamp in stamps)
    assert max(np.diff(stamps)) <= 2 * SECOND // 200
    now = listener.node.get_clock().now().nanoseconds
    assert abs(now - sorted(ticks)[-1]) < SECOND


def test_a_bad_cloud_is_refused_in_words_and_the_old_wall_stays(driver: Driver) -> None:
    driver.send_wall(flat_wall(), "limbs hold")
    good = flat_wall()
    empty = PointCloud2(height=1, width=0, fields=good.fields, point_step=good.point_step)
    no_z = PointCloud2(height=1, width=2, point_step=8, row_step=16, data=bytes(16))
    no_z.fields = [PointField(name=n, offset=4 * i, datatype=PointField.FLOAT32, count=1) for i, n in enumerate("xy")]
    short = flat_wall()
    short.data = short.data[:-7]
    nowhere = flat_wall()
    nowhere.header.frame_id = "camera_link"
    nothing_finite = flat_wall()
    nothing_finite.data = bytes(struct.pack("<f", math.nan) * (len(nothing_finite.data) // 4))
    for wall, words in (
        (empty, "empty"),
        (no_z, "no field z"),
        (short, "bytes"),
        (nowhere, "frame 'camera_link' is not known"),
        (nothing_finite, "none finite"),
    ):
        driver.send_wall(wall, words)
    assert "refused" in driver.listener.report.values["wall"]
    assert driver.trigger("attach").success  # on the wall that stayed
    driver.send_wall(good, "limbs hold")


def test_stop_gives_up_an_attach_that_is_under_way(attached: Driver) -> None:
    listener = attached.listener
    assert attached.trigger("reset").success
    listener.wait(lambda: listener.phase("left_hand") == "free", words="reset")
    attached.put_wall(flat_wall(4.0, spacing=0.05))  # seconds away
    attach, stop = (listener.node.create_client(Trigger, name) for name in ("attach", "stop"))
    assert attach.wait_for_service(10.0) and stop.wait_for_service(10.0)
    answer = attach.call_async(Trigger.Request())
    listener.wait(lambda: listener.report.values["attaching"] == "true", words="the way to the wall")
    stop.call_async(Trigger.Request())
    listener.wait(answer.done, words="the answer of attach")
    assert (answer.result().success, answer.result().message) == (False, "stopped")
    listener.wait(lambda: listener.report.values["attaching"] == "false", words="no placement")
    assert attached.trigger("reset").success
    attached.put_wall(flat_wall())
    assert attached.trigger("attach").success


def test_attach_answers_when_every_limb_holds_and_gets_there_within_the_limits(attached: Driver) -> None:
    listener = attached.listener
    assert attached.trigger("reset").success
    listener.wait(lambda: not listener.contacts and listener.phase("left_hand") == "free", words="reset")
    listener.ticks(20)
    listener.recorder.recording.ticks.clear()
    listener.ticks(5)
    answer = attached.trigger("attach")
    assert answer.success, answer.message
    listener.wait(lambda: set(listener.contacts) == set(LIMBS), timeout=2.0, words="all contacts")
    description = load_description(resolve("config/climber.yaml"))
    model = load_urdf(resolve(description.urdf), description.joints)
    listener.ticks(20)
    verdict = Judge(model, description, np.array([0.0, 0.0, 1.0]), 1.0 / 200.0).judge(listener.recorder.recording)
    assert verdict.joint_velocity_ratio_max <= 1.0
    assert verdict.joint_limit_excess_max <= 0.0
    assert verdict.locked_drift_mm_max <= 0.1
    assert verdict.finite


def test_a_limb_lets_go_moves_and_grips_and_its_contact_is_gone_meanwhile(attached: Driver) -> None:
    listener = attached.listener
    before = listener.contacts["left_hand"]
    loosen(attached, "left_hand")
    assert set(listener.contacts) == set(LIMBS) - {"left_hand"}
    assert set(listener.tips) == {"left_hand"}
    attached.push("left_hand", 0.0, 0.2, 0.5)
    fasten(attached, "left_hand")
    listener.wait(lambda: "left_hand" in listener.contacts, words="the contact")
    rise = listener.contacts["left_hand"] - before
    assert 0.03 < rise[2] < 0.2
    assert abs(rise[1]) < 0.02


def test_the_selected_limb_is_always_told(attached: Driver) -> None:
    listener = attached.listener
    for limb in ("right_foot", "left_hand"):
        attached.commands.publish(attached.command(limb))
        listener.wait(lambda limb=limb: listener.report.selected == limb, words=f"{limb} selected")
    assert listener.report.values["selected"] == "left_hand"


def test_automatic_choice_takes_the_limb_nearest_in_the_direction_pushed(attached: Driver) -> None:
    listener = attached.listener
    for limb, right, up in (("right_foot", 0.2, -0.3), ("left_hand", -0.2, 0.3)):
        time.sleep(0.4)  # the stick is let go between two pushes
        attached.push("", right, up, 0.15)
        listener.wait(lambda limb=limb: listener.report.selected == limb, words=f"{limb} chosen")
        assert listener.report.values["automatic"] == "true"
        listener.wait_for_words("cannot move a locked limb; release it first")


def test_grip_is_idempotent_and_refusals_carry_the_reason(attached: Driver) -> None:
    again = attached.grip("left_hand", True)
    assert (again.success, again.message) == (True, "locked")
    for limb in LIMBS[:3]:
        assert attached.grip(limb, False).success
    refusal = attached.grip(LIMBS[3], False)
    assert not refusal.success
    assert "too few other limbs hold" in refusal.message
    for limb in LIMBS[:3]:
        attached.listener.wait(lambda limb=limb: attached.listener.phase(limb) == "candidate", words=f"{limb} hovers")
        fasten(attached, limb)


def test_a_command_ends_a_tenth_of_a_second_after_its_stamp(attached: Driver) -> None:
    listener = attached.listener
    loosen(attached, "right_hand")
    start = listener.tips["right_hand"].copy()
    attached.commands.publish(attached.command("right_hand", 0.0, 0.3))
    listener.wait(lambda: listener.tips["right_hand"][2] > start[2] + 0.005, words="motion")
    listener.ticks(100)
    assert listener.tips["right_hand"][2] - start[2] < 0.3 * 0.15
    fasten(attached, "right_hand")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda m, d: setattr(m.header, "stamp", d.listener.stamp(-0.5)), "the command is stale"),
        (lambda m, d: setattr(m.header, "stamp", Time()), "has no stamp"),
        (lambda m, d: setattr(m.header, "stamp", d.listener.stamp(10.0)), "in the future"),
        (lambda m, d: setattr(m.header, "frame_id", "tail"), "unknown limb 'tail'; valid: left_hand"),
        (lambda m, d: setattr(m.twist.linear, "y", math.nan), "linear.y is nan: not finite"),
        (lambda m, d: setattr(m.twist.linear, "x", math.inf), "linear.x is inf: not finite"),
    ],
    ids=["stale", "unstamped", "future", "unknown", "nan", "infinite"],
)
def test_a_command_that_cannot_be_used_is_refused_in_words_and_moves_nothing(attached: Driver, change, words) -> None:
    listener = attached.listener
    held = dict(listener.contacts)
    message = attached.command("left_hand", 0.0, 0.2)
    change(message, attached)
    attached.commands.publish(message)
    listener.wait_for_words(words)
    listener.ticks(5)
    assert set(listener.contacts) == set(held)
    attached.commands.publish(attached.command("left_hand", 0.0, 0.1))
    listener.wait(lambda: words not in listener.said, words="the refusal to be taken back")


def test_a_goal_is_followed_to_the_edge_of_reach_and_says_so(attached: Driver) -> None:
    listener = attached.listener
    loosen(attached, "left_hand")
    near = listener.tips["left_hand"] + np.array([0.0, 0.05, 0.08])
    attached.goal("left_hand", "odom", near)
    listener.wait(lambda: np.linalg.norm((listener.tips["left_hand"] - near)[1:]) < 0.02, words="the goal")
    attached.goal("left_hand", "map", near + np.array([0.0, 0.0, 5.0]))
    listener.wait_for_words("beyond the limb's reach")
    attached.goal("left_hand", "map", near)
    listener.wait(lambda: np.linalg.norm((listener.tips["left_hand"] - near)[1:]) < 0.02, words="the way back")
    fasten(attached, "left_hand")


def test_a_goal_in_a_frame_nobody_knows_is_refused_by_its_name(attached: Driver) -> None:
    attached.goal("left_foot", "camera_link", np.zeros(3))
    attached.listener.wait_for_words("left_foot/goal: frame 'camera_link' is not known; valid: map, odom")
    attached.goal("left_foot", "map", np.array([math.nan, 0.0, 0.0]))
    attached.listener.wait_for_words("not finite")


def test_stop_holds_everything_until_the_next_command_and_forgets_goals(attached: Driver) -> None:
    listener = attached.listener
    loosen(attached, "left_hand")
    attached.goal("left_hand", "map", listener.tips["left_hand"] + np.array([0.0, 0.3, 0.0]))
    listener.ticks(10)
    assert attached.trigger("stop").success
    listener.wait_for_words("stopped: stands still until the next command")
    held = listener.tips["left_hand"].copy()
    listener.ticks(50)
    assert (listener.tips["left_hand"] == held).all()
    attached.push("left_hand", 0.0, 0.05, 0.2)
    listener.wait(lambda: listener.report.values["stopped"] == "false", words="going on")
    listener.ticks(60)
    assert listener.tips["left_hand"][1] < held[1] + 0.1
    fasten(attached, "left_hand")


def test_pause_freezes_refuses_and_goes_on(attached: Driver) -> None:
    listener = attached.listener
    assert attached.pause(True).success
    listener.wait(lambda: listener.report.words == "paused", words="paused")
    refusal = attached.grip("left_hand", False)
    assert not refusal.success and "paused" in refusal.message
    attached.commands.publish(attached.command("left_hand", 0.0, 0.1))
    listener.wait_for_words("paused: nothing moves")
    listener.ticks(20)
    assert attached.pause(False).success
    listener.wait(lambda: listener.report.words == "4 of 4 limbs hold", words="going on")


def test_release_all_lets_go_of_all_but_the_last_hold(attached: Driver) -> None:
    answer = attached.trigger("release_all")
    assert answer.success and "left_hand must hold" in answer.message
    listener = attached.listener
    listener.wait(lambda: set(listener.contacts) == {"left_hand"}, words="one contact")
    assert attached.trigger("attach").success


def test_markers_show_every_limb_and_the_selected_one(attached: Driver) -> None:
    heard: list[MarkerArray] = []
    attached.listener.listen(MarkerArray, "climber/markers", heard.append, qos.STATE)
    attached.listener.wait(lambda: heard, words="markers")
    selected = attached.listener.report.selected
    halos = [m for m in heard[-1].markers if m.ns == "selected" and m.color.a > 0.0]
    assert [LIMBS[m.id] for m in halos] == [selected]
    assert sum(m.ns == "tip" for m in heard[-1].markers) == len(LIMBS)
    assert all(m.header.frame_id == "map" for m in heard[-1].markers)


def test_diagnostics_carry_the_summary(attached: Driver) -> None:
    heard: list[DiagnosticArray] = []
    attached.listener.listen(DiagnosticArray, "/diagnostics", heard.append, qos.STATE)
    attached.listener.wait(lambda: heard, words="diagnostics")
    assert [status.name for status in heard[-1].status] == ["climber"]


def test_parameters_say_what_they_are_and_refuse_what_makes_no_sense(attached: Driver) -> None:
    names = DescribeParameters.Request(names=["rate", "cmd_timeout"])
    rate, timeout = attached.listener.call(DescribeParameters, "climber/describe_parameters", names).descriptors
    assert rate.read_only and rate.description == "Ticks a second. [Hz]"
    assert (timeout.floating_point_range[0].from_value, timeout.floating_point_range[0].to_value) == (0.01, 2.0)

    def set_parameter(name: str, value: object) -> tuple[bool, str]:
        request = SetParameters.Request(parameters=[RosParameter(name, value=value).to_parameter_msg()])
        result = attached.listener.call(SetParameters, "climber/set_parameters", request).results[0]
        return result.successful, result.reason

    assert set_parameter("cmd_timeout", 1) == (True, "")
    assert set_parameter("cmd_timeout", 0.1) == (True, "")
    assert not set_parameter("cmd_timeout", -1.0)[0]
    assert not set_parameter("cmd_timeout", "soon")[0]
    assert not set_parameter("rate", 100.0)[0]


def test_a_wall_of_three_hundred_thousand_points_arrives_and_contacts_survive_it(attached: Driver) -> None:
    listener = attached.listener
    held = {limb: position.copy() for limb, position in listener.contacts.items()}
    assert len(held) == 4
    big = flat_wall(spacing=4.0 / 548.0)
    assert big.width >= 300_000
    attached.put_wall(big)
    for limb, position in held.items():
        assert (listener.contacts[limb] == position).all()


def test_all_that_was_published_was_finite_and_none_of_it_was_lost(attached: Driver) -> None:
    listener = attached.listener
    listener.ticks(20)
    description = load_description(resolve("config/climber.yaml"))
    model = load_urdf(resolve(description.urdf), description.joints)
    verdict = Judge(model, description, np.array([0.0, 0.0, 1.0]), 1.0 / 200.0).judge(listener.recorder.recording)
    assert verdict.finite
    assert verdict.missing == 0
    assert verdict.locked_drift_mm_max <= 0.1
    assert verdict.tip_jump_ratio_max <= 1.0
    for status in listener.statuses:
        assert status.header.stamp.sec > 0
