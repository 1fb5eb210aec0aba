"""The imports that only some ROS installations have, in one place.

The ROS 2 wheels of PyPI come without tf2_msgs; ``make`` builds it into the environment (tools/build_tf2_msgs.py).
"""

from __future__ import annotations

try:
    from tf2_msgs.msg import TFMessage
except ImportError as error:  # pragma: no cover - an incomplete installation
    raise ImportError(
        "tf2_msgs is missing: with ROS 2 installed, source its setup file (and apt install ros-$ROS_DISTRO-tf2-msgs); "
        "with the ROS 2 wheels, run `make setup`, which builds it into .venv"
    ) from error

__all__ = ["TFMessage"]
