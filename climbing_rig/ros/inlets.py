"""Everything the climber node receives: topics and services, turned into events for the control thread."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from geometry_msgs.msg import PoseStamped, TwistStamped
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.executors import Executor
from rclpy.node import Node
from rclpy.task import Future
from sensor_msgs.msg import PointCloud2
from std_srvs.srv import SetBool, Trigger

from climbing_rig.errors import CommandError
from climbing_rig.ros import qos
from climbing_rig.ros.conversions import RigidTransform, goal_from_pose, move_from_twist
from climbing_rig.ros.parameters import Parameters
from climbing_rig.ros.requests import Answer, Call, Event, Refusal, Verb
from climbing_rig.ros.wall_intake import WallIntake

TRIGGERS = {"attach": Verb.ATTACH, "release_all": Verb.RELEASE_ALL, "reset": Verb.RESET, "stop": Verb.STOP}

ServiceCallback = Callable[[Any, Any], Awaitable[object]]


class Inlets:
    """Subscriptions and services of the climber node.

    Args:
        node: The node.
        limbs: The robot's limbs.
        parameters: The node's.
        post: Takes the events; called from the callbacks' thread.
        reload_rig: Reads the rig's file anew and answers.
    """

    def __init__(
        self,
        node: Node,
        limbs: Sequence[str],
        parameters: Parameters,
        post: Callable[[Event], None],
        reload_rig: Callable[[Answer], None],
    ) -> None:
        self._node = node
        self._limbs = tuple(limbs)
        self._parameters = parameters
        self._post = post
        self._reload_rig = reload_rig
        self._map_frame = parameters.text("map_frame")
        self._odom: Mapping[str, RigidTransform] = {
            parameters.text("odom_frame"): RigidTransform.from_xyz_rpy(parameters.numbers("map_to_odom"))
        }
        self.wall = WallIntake(node, post, self._map_frame, self._odom)
        node.create_subscription(PointCloud2, "wall/map", self.wall.receive, qos.LATCHED)
        node.create_subscription(TwistStamped, "limb_cmds", self._on_move, qos.COMMAND)
        # A call that waits must not lock the others out: attach answers after seconds, and stop has to get through.
        together = ReentrantCallbackGroup()
        for limb in self._limbs:
            node.create_subscription(PoseStamped, f"{limb}/goal", self._goal_callback(limb), qos.COMMAND)
            node.create_service(SetBool, f"{limb}/grip", self._grip_callback(limb), callback_group=together)
        for name, verb in TRIGGERS.items():
            node.create_service(Trigger, name, self._trigger_callback(verb), callback_group=together)
        node.create_service(SetBool, "pause", self._on_pause, callback_group=together)
        node.create_service(Trigger, "~/reload_rig", self._on_reload_rig, callback_group=together)

    def _on_move(self, message: TwistStamped) -> None:
        now = self._node.get_clock().now().nanoseconds
        try:
            self._post(move_from_twist(message, now, self._parameters.number("cmd_timeout"), self._limbs))
        except CommandError as error:
            limb = message.header.frame_id
            self._refuse(limb if limb in self._limbs else "", str(error))

    def _goal_callback(self, limb: str) -> Callable[[PoseStamped], None]:
        def on_goal(message: PoseStamped) -> None:
            try:
                self._post(goal_from_pose(message, limb, self._map_frame, self._odom))
            except CommandError as error:
                self._refuse(limb, str(error))

        return on_goal

    def _refuse(self, limb: str, words: str) -> None:
        self._node.get_logger().warning(words, throttle_duration_sec=1.0)
        self._post(Refusal(limb, words))

    # A service callback waits for the control thread's answer without holding up the other callbacks.

    async def _ask(self, verb: Verb, response: object, limb: str = "") -> object:
        return await self._answered(lambda answer: self._post(Call(verb, answer, limb)), response)

    async def _answered(self, ask: Callable[[Answer], None], response: object) -> object:
        executor = self._node.executor
        future: Future = Future(executor=executor)
        ask(lambda done, words: _resolve(future, executor, (done, words)))
        response.success, response.message = await future  # type: ignore[attr-defined]
        return response

    def _grip_callback(self, limb: str) -> ServiceCallback:
        async def on_grip(request: SetBool.Request, response: SetBool.Response) -> object:
            return await self._ask(Verb.GRIP if request.data else Verb.RELEASE, response, limb)

        return on_grip

    def _trigger_callback(self, verb: Verb) -> ServiceCallback:
        async def on_trigger(_request: Trigger.Request, response: Trigger.Response) -> object:
            return await self._ask(verb, response)

        return on_trigger

    async def _on_pause(self, request: SetBool.Request, response: SetBool.Response) -> object:
        return await self._ask(Verb.PAUSE if request.data else Verb.RESUME, response)

    async def _on_reload_rig(self, _request: Trigger.Request, response: Trigger.Response) -> object:
        return await self._answered(self._reload_rig, response)


def _resolve(future: Future, executor: Executor | None, result: tuple[bool, str]) -> None:
    future.set_result(result)
    if executor is not None:
        executor.wake()  # it may be waiting for messages only
