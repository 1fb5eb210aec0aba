"""wall/map becomes a Wall away from the control thread, which only swaps it in between two ticks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from rclpy.node import Node
from sensor_msgs.msg import PointCloud2

from climbing_rig.errors import CloudError
from climbing_rig.ros.conversions import RigidTransform
from climbing_rig.ros.requests import NewWall, WallRefused
from climbing_rig.wall import Wall
from climbing_rig.wall.editing import transformed
from climbing_rig.wall.pointcloud2 import cloud_from_message


class WallIntake:
    """Builds the newest cloud into a wall in a thread of its own; a cloud that a newer one overtakes is skipped.

    Args:
        node: For its log.
        post: Takes the result.
        map_frame: Clouds in this frame, or in none, are used as they come.
        odom: Other frames that are known -> their pose in map.
    """

    def __init__(
        self,
        node: Node,
        post: Callable[[NewWall | WallRefused], None],
        map_frame: str,
        odom: Mapping[str, RigidTransform],
    ) -> None:
        self._log = node.get_logger()
        self._post = post
        self._map_frame = map_frame
        self._odom = odom
        self._newest: PointCloud2 | None = None
        self._ending = False
        self._wake = threading.Condition()
        self._thread = threading.Thread(target=self._work, name="wall", daemon=True)
        self._thread.start()

    def receive(self, message: PointCloud2) -> None:
        """Subscription callback."""
        with self._wake:
            self._newest = message
            self._wake.notify()

    def close(self) -> None:
        """Ends the thread when it is done with the wall it is building."""
        with self._wake:
            self._ending = True
            self._wake.notify()

    def _work(self) -> None:
        while True:
            with self._wake:
                self._wake.wait_for(lambda: self._ending or self._newest is not None)
                if self._ending:
                    return
                message, self._newest = self._newest, None
            if message is not None:
                self._post(self._build(message))

    def _build(self, message: PointCloud2) -> NewWall | WallRefused:
        try:
            wall = self._wall(message)
        except CloudError as error:
            words = f"wall/map refused: {error}"
            self._log.error(words)
            return WallRefused(words)
        words = f"wall of {len(wall)} points"
        if wall.dropped:
            words += f", {wall.dropped} that were not finite dropped"
        self._log.info(f"wall/map: {words}")
        return NewWall(wall, words)

    def _wall(self, message: PointCloud2) -> Wall:
        cloud = cloud_from_message(message, "wall/map")
        frame = message.header.frame_id
        if frame in ("", self._map_frame):
            return Wall(cloud)
        if frame not in self._odom:
            raise CloudError(
                f"frame '{frame}' is not known", name="frame_id", given=frame, choices=(self._map_frame, *self._odom)
            )
        pose = self._odom[frame]
        return Wall(transformed(cloud, pose.rotation, pose.translation))
