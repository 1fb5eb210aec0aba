#!/usr/bin/env python3
"""Makes the pictures of the page: starts the climber, a wall and the page, climbs a little, and looks at it.

    python tools/screenshot.py                      writes docs/images/page.png and rig.png
    python tools/screenshot.py --only rig           its look into the rig alone, without a climb

Needs playwright, a chromium and Pillow, as the tests do. Without a graphics card it takes some minutes.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from climbing_rig.errors import ClimbingRigError
from climbing_rig.ros.lifetime import Lifetime, ros, run, spinning
from climbing_rig.ros.processes import own_domain, processes

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"
SIZE = (1600, 900)
RIG_SIZE = (440, 2700)
"""Wide enough for the panel, high enough for the whole rig."""
PATIENCE = 180.0
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
)  # fmt: skip
CLIMB = (
    ("right_hand", 0.0, 0.16),
    ("left_foot", 0.0, 0.2),
    ("left_hand", 0.0, 0.18),
    ("right_foot", 0.02, 0.22),
)
"""Limb, and how far it goes (right, up) in metres."""
LAST = ("right_hand", 0.10, 0.16)
"""The limb that is on its way in the picture."""
SPEED = 0.3


class ShootingError(ClimbingRigError):
    """Something that the pictures need did not happen."""


def main(args: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, default=IMAGES, help="folder for the picture (default: %(default)s)")
    parser.add_argument("--wall", default="tall", help="wall, as for the demo (default: %(default)s)")
    parser.add_argument("--dark", action="store_true", help="the dark page")
    parser.add_argument("--only", choices=("page", "rig"), help="one of the pictures (default: both)")
    options = parser.parse_args(args)
    return run(lambda lifetime: _shoot(lifetime, options))


def _shoot(lifetime: Lifetime, options: argparse.Namespace) -> int:
    os.environ.update(own_domain())
    from playwright.sync_api import sync_playwright
    from rclpy.node import Node

    options.output.mkdir(parents=True, exist_ok=True)
    with processes() as group, ros([]):
        group.start("climber", "climbing_rig.ros.climber_node", {})
        group.start("wall_publisher", "climbing_rig.ros.wall_publisher", {"wall": options.wall})
        view = subprocess.Popen(
            [sys.executable, "-m", "climbing_rig.view.page"], stdout=subprocess.PIPE, text=True, env=os.environ
        )
        lifetime.guard()
        node = Node("screenshot")
        try:
            address = view.stdout.readline().strip().removeprefix("view: ")
            climber = Director(node, lifetime)
            with spinning(node, lifetime), sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=_browser(), args=list(FLAGS))
                climber.attach()
                if options.only != "rig":
                    climber.climb()
                    climber.reach_out()
                    _photograph(browser, address, options.output / "page.png", dark=options.dark)
                if options.only != "page":
                    _photograph_rig(browser, address, options.output / "rig.png", dark=options.dark)
                browser.close()
        finally:
            view.terminate()
            view.wait()
    return 0


def _browser() -> str:
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if found is None:
        raise ShootingError("no chromium on this machine: apt-get install chromium", name="chromium")
    return found


class Director:
    """Moves the climber's limbs over ROS, one after another, and waits for each.

    Args:
        node: Spun by another thread.
        lifetime: Whether to go on.
    """

    def __init__(self, node: object, lifetime: Lifetime) -> None:
        from climbing_rig.ros.limb_client import LimbClient

        self._client = LimbClient(node)
        self._lifetime = lifetime

    def attach(self) -> None:
        """Until every limb holds."""
        self._wait(lambda: self._client.report is not None, "no climber")
        self._wait(lambda: self._client.report.values.get("wall", "").startswith("wall of"), "no wall")
        answers: list[tuple[bool, str]] = []
        self._client.trigger("attach", lambda done, words: answers.append((done, words)))
        self._wait(lambda: answers, "attach is not answered")
        if not answers[0][0]:
            raise ShootingError(f"attach: {answers[0][1]}")

    def climb(self) -> None:
        """Every limb once."""
        for limb, right, up in CLIMB:
            self._go(limb, right, up)
            self._grip(limb, True, "locked")

    def reach_out(self) -> None:
        """Leaves one limb hovering over its next hold."""
        self._go(*LAST)

    def _go(self, limb: str, right: float, up: float) -> None:
        self._grip(limb, False, "candidate")
        distance = (right**2 + up**2) ** 0.5
        steps = round(distance / SPEED / 0.05)
        for _ in range(steps):
            self._client.move(limb, right / distance * SPEED, up / distance * SPEED)
            time.sleep(0.05)
        self._wait(lambda: self._phase(limb) == "candidate", f"{limb} finds no hold", 60.0)
        time.sleep(0.3)

    def _grip(self, limb: str, hold: bool, phase: str) -> None:
        self._client.grip(limb, hold, lambda _done, _words: None)
        self._wait(lambda: self._phase(limb) == phase, f"{limb} does not become {phase}", 120.0)

    def _phase(self, limb: str) -> str:
        return self._client.report.limbs[limb].phase

    def _wait(self, until: Callable[[], object], otherwise: str, seconds: float = PATIENCE) -> None:
        deadline = time.monotonic() + seconds
        while not until():
            if time.monotonic() > deadline or self._lifetime.ended:
                raise ShootingError(f"{otherwise}; the climber says: {self._client.report}")
            time.sleep(0.05)


def _open(browser: object, address: str, size: tuple[int, int], **options: object) -> object:
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, **options)
    page.set_default_timeout(1000.0 * PATIENCE)
    page.goto(address)
    page.get_by_text("limbs hold").wait_for()
    # viser says once that there is no graphics card; that is nothing for a picture.
    page.add_style_tag(content=".mantine-Notifications-root { display: none }")
    page.wait_for_timeout(8_000)
    return page


def _settled(page: object) -> None:
    """Until the scene, which viser fades in over its first frames, has all its colour."""
    from PIL import Image, ImageChops, ImageStat

    def look() -> Image.Image:
        return Image.open(io.BytesIO(page.screenshot())).convert("L").crop((0, 0, 60, 400))

    before, now = look(), look()
    deadline = time.monotonic() + PATIENCE
    while ImageStat.Stat(ImageChops.difference(before, now)).mean[0] > 0.2 and time.monotonic() < deadline:
        page.wait_for_timeout(1500)
        before, now = now, look()


def _photograph(browser: object, address: str, file: Path, *, dark: bool) -> None:
    page = _open(browser, address, SIZE)
    _darken(page, dark)
    _settled(page)
    page.screenshot(path=str(file))
    page.close()
    print(f"{file}: {file.stat().st_size // 1024} KiB", file=sys.stderr)


def _photograph_rig(browser: object, address: str, file: Path, *, dark: bool) -> None:
    page = _open(browser, address, (RIG_SIZE[0], 600), device_scale_factor=1.5)
    _darken(page, dark)
    page.add_style_tag(content="canvas { display: none !important }")  # nothing of it is in the picture
    page.set_viewport_size({"width": RIG_SIZE[0], "height": RIG_SIZE[1]})
    page.get_by_role("button", name="Look into the rig").evaluate("button => button.click()")
    page.get_by_text("µs").first.wait_for()
    page.wait_for_timeout(2_000)
    # Its values never rest: the page is not asked to wait until they do.
    page.screenshot(path=str(file), clip=page.locator(".rig").bounding_box())
    page.close()
    print(f"{file}: {file.stat().st_size // 1024} KiB", file=sys.stderr)


def _darken(page: object, dark: bool) -> None:
    if dark:
        for label in ("View", "dark", "View"):
            page.get_by_text(label, exact=True).click()


if __name__ == "__main__":
    sys.exit(main())
