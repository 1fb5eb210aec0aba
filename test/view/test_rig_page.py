"""The look into the rig, in a real browser: opened by a button, live, and of no cost while it is closed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from diagnostic_msgs.msg import DiagnosticArray
from rclpy.publisher import Publisher
from rig_messages import SmallRig
from stand_in import StandIn
from std_msgs.msg import String

from climbing_rig.ros import qos

if TYPE_CHECKING:
    from playwright.sync_api import Page

Eventually = Callable[[Callable[[], object]], None]


class Telling:
    """Lets the stand-in tell of a rig.

    Args:
        climber: The stand-in.
    """

    def __init__(self, climber: StandIn) -> None:
        self.trace = climber.create_publisher(DiagnosticArray, "~/rig_trace", qos.STATE)
        self._graph: Publisher[String] = climber.create_publisher(String, "~/rig", qos.LATCHED)
        self.rig = SmallRig()
        self.ticks = 0
        climber.create_timer(0.1, self._tick)
        self.load(self.rig)

    def load(self, rig: SmallRig) -> None:
        """Another rig runs."""
        self.rig = rig
        self._graph.publish(rig.graph_message)

    def _tick(self) -> None:
        if self.trace.get_subscription_count():
            self.ticks += 1
            self.trace.publish(self.rig.tick())


@pytest.fixture(scope="module")
def telling(climber: StandIn) -> Telling:
    return Telling(climber)


def press(page: Page, label: str) -> None:
    page.get_by_role("button", name=label, exact=True).evaluate("button => button.click()")


@pytest.fixture
def looking(page: Page, telling: Telling) -> Iterator[Page]:
    """The page with the rig open."""
    press(page, "Look into the rig")
    page.locator(".rig").get_by_text("µs").first.wait_for()
    yield page
    press(page, "Close the rig")
    page.locator(".rig").wait_for(state="detached")


def test_nobody_asks_the_climber_for_values_while_the_rig_is_closed(
    page: Page, telling: Telling, eventually: Eventually
) -> None:
    page.get_by_role("button", name="Look into the rig").wait_for()
    assert page.locator(".rig").count() == 0
    eventually(lambda: telling.trace.get_subscription_count() == 0)
    press(page, "Look into the rig")
    eventually(lambda: telling.trace.get_subscription_count() == 1)
    press(page, "Close the rig")
    eventually(lambda: telling.trace.get_subscription_count() == 0)


def test_nodes_links_values_and_times_are_seen(looking: Page) -> None:
    for words in ("turn", "math.float.add", "← turn.result", "→ angle", "$dt", "flow.for_loop", "4×", "off"):
        looking.locator(".rig").get_by_text(words).first.wait_for()


def test_values_are_alive(looking: Page, telling: Telling, eventually: Eventually) -> None:
    row = looking.locator(".rig .r", has_text="$angle").locator(".v")
    before, ticks = float(row.inner_text()), telling.ticks
    eventually(lambda: float(row.inner_text()) > before)
    eventually(lambda: telling.ticks > ticks)


def test_another_rig_takes_its_place(looking: Page, telling: Telling) -> None:
    telling.load(SmallRig(inner="shrink"))
    looking.locator(".rig").get_by_text("shrink").wait_for()
    assert looking.locator(".rig").get_by_text("grow").count() == 0


def test_a_rig_that_stopped_shows_where(looking: Page, telling: Telling) -> None:
    rig = SmallRig(inner="burst", factor="1.0e+308")
    rig.machine.set("angle", 10.0)
    telling.load(rig)
    node = looking.locator(".rig .n", has_text="burst")
    node.get_by_text("stopped here").wait_for()
    assert node.get_by_text("∞").count() == 1
