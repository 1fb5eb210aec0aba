"""What every test needs before ROS or numba start."""

from __future__ import annotations

import os
import random
from collections.abc import Iterator

import pytest
from hypothesis import settings

import climbing_rig  # noqa: F401  (points numba's cache to its folder before a test module imports numba)

# A domain of this run's own, or two runs on one machine hear each other; 0 is everybody's default, above 101 Linux's
# ephemeral ports begin. The nodes that tests start as processes inherit it.
os.environ["ROS_DOMAIN_ID"] = str(random.SystemRandom().randint(1, 101))
os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"

# The first call of a kernel compiles it: no example's time says anything.
settings.register_profile("kernels", deadline=None)
settings.load_profile("kernels")


WAITING = ("ros", "view")
"""Folders whose tests wait for nodes and browsers most of the time."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """With several workers (``make test``) one goes through all that waits, and others compute meanwhile.

    Two of those that wait at once would make each other's nodes late; and a file's fixtures are made once.
    """
    from xdist.scheduler import LoadScopeScheduling

    class ByKind(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            path = nodeid.split("::", 1)[0]
            return "nodes" if path.split("/")[-2:-1] in [[folder] for folder in WAITING] else path

    return ByKind(config, log)


@pytest.fixture(scope="session")
def ros() -> Iterator[None]:
    """Rclpy for all tests of this process: its context can be started but once."""
    import rclpy
    from rclpy.signals import SignalHandlerOptions

    rclpy.init(args=[], signal_handler_options=SignalHandlerOptions.NO)
    yield
    rclpy.shutdown()
