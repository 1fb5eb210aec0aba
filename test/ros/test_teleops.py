"""Teleops against a climber that only listens: what reaches limb_cmds and the services."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Iterator

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from geometry_msgs.msg import TwistStamped
from nodes import Listener, NodeProcess
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from sensor_msgs.msg import Joy
from std_srvs.srv import SetBool, Trigger

from climbing_rig.ros import qos

LIMBS = ("left_hand", "right_hand", "left_foot", "right_foot")


class FakeClimber:
    """Status and services of a climber with all limbs locked; keeps what it is asked."""

    def __init__(self) -> None:
        self.node = Node("climber")
        self.moves: list[TwistStamped] = []
        self.calls: list[str] = []
        self.selected = ""
        self.node.create_subscription(TwistStamped, "limb_cmds", self._on_move, qos.COMMAND)
        self._status = self.node.create_publisher(DiagnosticArray, "~/status", qos.STATE)
        for limb in LIMBS:
            self.node.create_service(SetBool, f"{limb}/grip", self._answer(f"{limb}/grip"))
        for name in ("attach", "release_all", "reset", "stop"):
            self.node.create_service(Trigger, name, self._answer(name))
        self.node.create_service(SetBool, "pause", self._answer("pause"))
        self.node.create_timer(0.1, self._tell)
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self.node)
        self._thread = threading.Thread(target=self._executor.spin, daemon=True)
        self._thread.start()

    def _on_move(self, message: TwistStamped) -> None:
        self.moves.append(message)
        self.selected = message.header.frame_id or "right_foot"

    def _answer(self, name: str):
        def answer(request, response):
            self.calls.append(f"{name} {request.data}" if hasattr(request, "data") else name)
            response.success = name != "stop"
            response.message = f"{name} heard"
            return response

        return answer

    def _tell(self) -> None:
        message = DiagnosticArray()
        for limb in LIMBS:
            values = {"phase": "locked", "reason": "", "selected": "true" if limb == self.selected else "false"}
            pairs = [KeyValue(key=key, value=value) for key, value in values.items()]
            message.status.append(DiagnosticStatus(name=limb, values=pairs))
        paused = [KeyValue(key="paused", value="false")]
        message.status.append(DiagnosticStatus(name="climber", message="4 of 4 limbs hold", values=paused))
        self._status.publish(message)

    def close(self) -> None:
        """Ends the thread and the node."""
        self._executor.shutdown(1.0)
        self._thread.join(2.0)
        self.node.destroy_node()


@pytest.fixture(scope="module")
def climber(ros: None) -> Iterator[FakeClimber]:
    climber = FakeClimber()
    yield climber
    climber.close()


def wait(condition, words: str, timeout: float = 15.0) -> None:
    deadline = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < deadline, f"waited {timeout} s for {words}"
        time.sleep(0.01)


class Terminal:
    """A pseudo-terminal with teleop_keyboard in it."""

    def __init__(self) -> None:
        self.master, self.slave = pty.openpty()
        self.before = termios.tcgetattr(self.slave)
        self._text = ""
        self.node = NodeProcess(
            "teleop_keyboard", ("--ros-args", "-p", "hold_time:=0.3"), stdin=self.slave, stdout=subprocess.PIPE
        )

    def press(self, keys: str) -> None:
        """Types."""
        os.write(self.master, keys.encode())


@pytest.fixture(scope="module")
def terminal(climber: FakeClimber) -> Iterator[Terminal]:
    terminal = Terminal()
    terminal.node.wait_for("select left_hand")
    wait(lambda: climber.node.count_publishers("limb_cmds") == 1, "the teleop")
    yield terminal
    terminal.node.end()
    os.close(terminal.master)
    os.close(terminal.slave)


def test_without_a_terminal_the_keyboard_teleop_says_so_in_one_line_and_ends_with_2() -> None:
    command = [sys.executable, "-m", "climbing_rig.ros.teleop_keyboard"]
    result = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert result.returncode == 2
    assert result.stderr.startswith("teleop_keyboard needs a terminal")
    assert result.stderr.count("\n") == 1 and result.stdout == ""


def test_the_help_is_printed_at_the_start(terminal: Terminal) -> None:
    assert "w UP         move the limb up the wall" in terminal.node.output
    assert "select right_foot" in terminal.node.output


def test_a_key_moves_the_limb_that_direction_and_ends_with_a_zero(terminal: Terminal, climber: FakeClimber) -> None:
    climber.moves.clear()
    terminal.press("2w\x1b[C")
    wait(lambda: len(climber.moves) > 3 and climber.moves[-1].twist.linear.y == 0.0, "the end of the push")
    pushed = [m.twist.linear for m in climber.moves if m.twist.linear.y]
    assert {m.header.frame_id for m in climber.moves} == {"right_hand"}
    assert {(v.x, v.y) for v in pushed} == {(0.3, 0.3)}
    assert all(m.header.stamp.sec > 0 for m in climber.moves)
    count = len(climber.moves)
    time.sleep(0.3)
    assert len(climber.moves) == count


def test_space_asks_the_selected_limb_to_let_go(terminal: Terminal, climber: FakeClimber) -> None:
    climber.calls.clear()
    terminal.press("3 ")
    wait(lambda: "left_foot/grip False" in climber.calls, "the call")
    terminal.node.wait_for("left_foot: left_foot/grip heard")
    terminal.press("0w")
    wait(lambda: climber.moves[-1].header.frame_id == "", "the automatic choice")
    wait(lambda: climber.selected == "right_foot", "its choice")
    time.sleep(0.3)
    terminal.press(" ")
    wait(lambda: "right_foot/grip False" in climber.calls, "the call for the chosen limb")


def test_every_service_has_its_key_and_refusals_are_shown(terminal: Terminal, climber: FakeClimber) -> None:
    climber.calls.clear()
    for key, call in (("t", "attach"), ("l", "release_all"), ("r", "reset"), ("p", "pause True"), ("x", "stop")):
        terminal.press(key)
        wait(lambda call=call: call in climber.calls, call)
    terminal.node.wait_for("refused: stop heard")


def test_quit_ends_it_and_gives_the_terminal_back(terminal: Terminal) -> None:
    assert termios.tcgetattr(terminal.slave)[3] != terminal.before[3]
    terminal.press("q")
    assert terminal.node.process.wait(15.0) == 0
    assert termios.tcgetattr(terminal.slave) == terminal.before
    assert "Traceback" not in terminal.node.output


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_gives_the_terminal_back_too(climber: FakeClimber, number: int) -> None:
    terminal = Terminal()
    terminal.node.wait_for("select left_hand")
    assert terminal.node.end(number) == 0, terminal.node.output
    assert termios.tcgetattr(terminal.slave) == terminal.before
    assert "Traceback" not in terminal.node.output
    os.close(terminal.master)
    os.close(terminal.slave)


class Stick:
    """A joystick that says something 50 times a second, as drivers repeat, until told otherwise."""

    def __init__(self, listener: Listener) -> None:
        self.axes = [0.0] * 8
        self.buttons = [0] * 11
        self.silent = False
        self.publisher = listener.node.create_publisher(Joy, "joy", qos.COMMAND)
        listener.node.create_timer(0.02, self._publish)

    def _publish(self) -> None:
        if not self.silent:
            self.publisher.publish(Joy(axes=self.axes, buttons=self.buttons))

    def tap(self, button: int) -> None:
        """Presses a button long enough to be seen."""
        self.buttons[button] = 1
        time.sleep(0.1)
        self.buttons[button] = 0
        time.sleep(0.1)


@pytest.fixture(scope="module")
def stick(start_node, listener: Listener, climber: FakeClimber) -> Stick:
    start_node("teleop_joy", "--ros-args", "-p", "joy_timeout:=0.3").wait_for("waiting for /joy")
    stick = Stick(listener)
    wait(lambda: stick.publisher.get_subscription_count() == 1, "the teleop's subscription")
    wait(lambda: climber.node.count_publishers("limb_cmds") == 1, "the teleop's commands")
    time.sleep(0.5)  # a few status messages
    return stick


def test_nothing_moves_without_the_dead_man_switch(stick: Stick, climber: FakeClimber) -> None:
    climber.moves.clear()
    climber.calls.clear()
    stick.axes[1] = 1.0
    stick.tap(7)
    time.sleep(0.2)
    assert climber.moves == [] and climber.calls == []


def test_with_it_the_stick_moves_and_letting_go_of_it_stops(stick: Stick, climber: FakeClimber) -> None:
    stick.axes[0], stick.axes[1] = -1.0, 1.0
    stick.buttons[5] = 1
    wait(lambda: len(climber.moves) > 5, "moves")
    assert (climber.moves[-1].twist.linear.x, climber.moves[-1].twist.linear.y) == (0.5, 0.5)
    stick.buttons[5] = 0
    wait(lambda: climber.moves[-1].twist.linear.y == 0.0, "the end")
    count = len(climber.moves)
    time.sleep(0.3)
    assert len(climber.moves) == count


def test_a_stick_that_falls_silent_stops(stick: Stick, climber: FakeClimber) -> None:
    stick.buttons[5] = 1
    wait(lambda: climber.moves[-1].twist.linear.y == 0.5, "moves")
    stick.silent = True
    wait(lambda: climber.moves[-1].twist.linear.y == 0.0, "the end")
    stick.silent = False
    stick.axes[0] = stick.axes[1] = 0.0


def test_triggers_that_read_0_until_touched_ask_nothing_and_then_grip_and_release(
    stick: Stick, climber: FakeClimber
) -> None:
    climber.calls.clear()
    stick.tap(3)
    wait(lambda: climber.moves[-1].header.frame_id == "right_hand", "the selection")
    assert climber.calls == []
    stick.axes[2] = stick.axes[5] = 1.0
    time.sleep(0.1)
    stick.axes[5] = -1.0
    wait(lambda: climber.calls == ["right_hand/grip True"], "the grip")
    stick.axes[5], stick.axes[2] = 1.0, -1.0
    wait(lambda: climber.calls[-1] == "right_hand/grip False", "the release")
    stick.axes[2] = 1.0


def test_buttons_call_the_services_once_for_each_press(stick: Stick, climber: FakeClimber) -> None:
    climber.calls.clear()
    for button in (7, 6, 8):
        stick.tap(button)
    wait(lambda: len(climber.calls) == 3, "three calls")
    assert climber.calls == ["attach", "stop", "reset"]
