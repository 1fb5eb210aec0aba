"""The demo's plan: attach, then climb legs of a route, with the climber at the other end of ROS."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator

import numpy as np
from rclpy.node import Node
from sensor_msgs.msg import JointState, MultiDOFJointState, PointCloud2
from std_msgs.msg import String

from climbing_rig.errors import ClimbingRigError
from climbing_rig.model import RobotModel, load_description, load_urdf
from climbing_rig.ros import qos
from climbing_rig.ros.climb_script import ClimbScript
from climbing_rig.ros.demo_port import RosPort
from climbing_rig.ros.interfaces import TFMessage
from climbing_rig.ros.recorder import Recorder
from climbing_rig.ros.verdict import RELEASES_PER_LIMB, Judge, Verdict
from climbing_rig.share import resolve
from climbing_rig.wall.pointcloud2 import cloud_from_message

STEP = 0.3
"""Of the stance's height: how far a limb moves at a time."""
SPEED = 0.9
"""Of the slowest limb's ``move_speed``."""
ROOM_ABOVE = 0.25
"""Of the stance's height that stays free between the highest limb and the top of the wall."""

MORE = 0.01
"""Metres above the height asked for, since a look at /tf is not the tick that is judged."""


class Expedition:
    """Watches a climber over ROS and climbs with it.

    Args:
        node: The demo's node; its callbacks must be spun by another thread.
        robot: Robot description, as given to the climber.
        rate: Ticks a second the climber was told.
        say: Takes a line of progress.
        record: Whether to keep every message for ``verdict``.
    """

    def __init__(self, node: Node, robot: str, rate: float, say: Callable[[str], None], *, record: bool) -> None:
        self._description = load_description(resolve(robot))
        model = load_urdf(resolve(self._description.urdf), self._description.joints)
        self._rate = rate
        self._say = say
        self._port = RosPort(node, model.root_link)
        self._recorder = Recorder(model.root_link)
        self._model: RobotModel | None = None
        self._wall_top: float | None = None
        self._script: ClimbScript | None = None
        self._start = np.zeros(3)
        node.create_subscription(String, "robot_description", self._on_description, qos.LATCHED)
        node.create_subscription(PointCloud2, "wall/map", self._on_wall, qos.LATCHED)
        if record:
            on = self._recorder
            for kind, topic, callback in (
                (JointState, "joint_states", on.on_joint_state),
                (TFMessage, "/tf", on.on_tf),
                (MultiDOFJointState, "climber/contacts", on.on_contacts),
                (MultiDOFJointState, "climber/tips", on.on_tips),
            ):
                node.create_subscription(kind, topic, callback, qos.RECORD)

    def _on_description(self, message: String) -> None:
        self._model = load_urdf(message.data, self._description.joints)

    def _on_wall(self, message: PointCloud2) -> None:
        self._wall_top = float(cloud_from_message(message, "wall/map").points[:, 2].max())

    @property
    def ready(self) -> bool:
        """Whether the climber is there and has its wall."""
        report = self._port.client.report
        has_wall = report is not None and report.values.get("wall", "").startswith("wall of")
        return has_wall and self._port.ready and self._model is not None and self._wall_top is not None

    @property
    def words(self) -> str:
        """What the climber says of itself."""
        report = self._port.client.report
        return report.words if report is not None else "no ~/status received"

    @property
    def _stance_height(self) -> float:
        return max(abs(limb.stance[1]) for limb in self._description.limbs.values())

    def once(self, step: float | None, speed: float | None, traverse: float, climb: float) -> Iterator[None]:
        """Attach, traverse, climb: until it is high enough and every limb has let go often enough.

        Args:
            step: Metres a limb moves at a time; None: from the robot's size.
            speed: m/s of a moved limb; None: from the robot's file.
            traverse: Metres to the right first; negative: to the left.
            climb: Metres to rise along the wall.
        """
        script = yield from self._attach_and_plan(step, speed)
        if traverse:
            side = float(np.sign(traverse))
            yield from script.go(side, 0.0, lambda: self._moved(side, 0.0) >= abs(traverse))
        often = RELEASES_PER_LIMB

        def high_enough() -> bool:
            return self._moved(0.0, 1.0) >= climb + MORE and min(script.releases.values()) >= often

        # A body in motion passes heights at which it does not come to rest.
        while not high_enough():
            yield from script.go(0.0, 1.0, high_enough)
            yield from script.hold_still()

    def for_ever(self, step: float | None, speed: float | None) -> Iterator[None]:
        """Attach, then up to the top of the wall and down again, until nobody asks for more.

        Args:
            step: See ``once``.
            speed: See ``once``.
        """
        script = yield from self._attach_and_plan(step, speed)
        self._say("climbing; steer it in the page, or end with Ctrl-C")
        while True:
            yield from script.go(0.0, 1.0, self._at_top)
            yield from script.go(0.0, -1.0, lambda: self._moved(0.0, 1.0) <= 0.0)

    def _attach_and_plan(self, step: float | None, speed: float | None) -> Generator[None, None, ClimbScript]:
        report = self._port.client.report
        start = self._port.base()
        if report is None or not report.attached:
            self._say("attaching …")
            answers: list[tuple[bool, str]] = []
            self._port.client.trigger("attach", lambda done, words: answers.append((done, words)))
            while not answers:
                yield
            done, words = answers[0]
            if not done:
                raise ClimbingRigError(f"the climber did not attach: {words}", name="attach", given=words)
            self._say(words)
            start = self._port.base()
            yield from self._settle()
        slowest = min(limb.move_speed for limb in self._description.limbs.values())
        self._script = ClimbScript(
            self._port,
            self._port.limbs,
            step=step or STEP * self._stance_height,
            speed=speed or SPEED * slowest,
            say=self._report_step,
        )
        self._start = start
        return self._script

    def _settle(self, looks: int = 20) -> Iterator[None]:
        for _ in range(looks):
            yield

    @property
    def _planned(self) -> ClimbScript:
        if self._script is None:
            raise ClimbingRigError("the climb has not been planned: attach first", name="script")
        return self._script

    def _report_step(self, words: str) -> None:
        self._say(f"{words}; {self._moved(0.0, 1.0):+.2f} m up")

    def _moved(self, right: float, up: float) -> float:
        plane = self._planned.plane
        return float((self._port.base() - self._start) @ (plane.right * right + plane.up * up))

    def _at_top(self) -> bool:
        highest = max(float(self._port.tip(limb)[2]) for limb in self._port.limbs)
        return self._wall_top is not None and highest > self._wall_top - ROOM_ABOVE * self._stance_height

    def verdict(self) -> Verdict:
        """What was received proves."""
        if self._model is None:
            raise ClimbingRigError("no robot_description was received", name="robot_description")
        judge = Judge(self._model, self._description, self._planned.plane.up, 1.0 / self._rate)
        return judge.judge(self._recorder.recording)
