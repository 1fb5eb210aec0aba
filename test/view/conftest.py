"""The page as a user meets it: the view node in its own process, and a real browser looking at it."""

from __future__ import annotations

import shutil
import signal
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from stand_in import StandIn, stand_in
from view_process import View, start_view

if TYPE_CHECKING:
    from playwright.sync_api import Page

BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
)  # fmt: skip
PATIENCE = 60.0
"""Seconds for what takes a moment on a busy machine without a graphics card."""


@pytest.fixture(scope="session")
def eventually() -> Callable[[Callable[[], object]], None]:
    """Waits until a condition holds; fails when it does not within PATIENCE."""

    def wait(condition: Callable[[], object]) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, "it did not happen"
            time.sleep(0.05)

    return wait


@pytest.fixture(scope="module")
def climber(ros: None) -> Iterator[StandIn]:
    """A stand-in for the climber node."""
    with stand_in() as node:
        yield node


@pytest.fixture(scope="module")
def view() -> Iterator[View]:
    """The view node, ended as a user ends it."""
    running = start_view()
    yield running
    running.process.send_signal(signal.SIGINT)
    try:
        assert running.process.wait(timeout=20.0) == 0
    finally:
        running.process.kill()
        running.process.stdout.close()


@pytest.fixture(scope="module")
def page(climber: StandIn, view: View) -> Iterator[Page]:
    """A browser that shows the page with robot and wall."""
    sync_api = pytest.importorskip("playwright.sync_api")
    if BROWSER is None:
        pytest.skip("no chromium here")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=BROWSER, args=list(FLAGS))
        # Few pixels: they are drawn by the processor.
        page = browser.new_page(viewport={"width": 1000, "height": 760}, device_scale_factor=0.2)
        page.set_default_timeout(1000.0 * PATIENCE)
        page.goto(view.address)
        page.get_by_text("1 of 2 limbs hold").wait_for()
        yield page
        browser.close()
