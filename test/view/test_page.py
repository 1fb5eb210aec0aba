"""The page in a real browser, with real topics and services at its other end."""

from __future__ import annotations

import io
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest
from PIL import Image
from stand_in import PLACES, WALL_X, StandIn
from view_process import View, start_view

if TYPE_CHECKING:
    from playwright.sync_api import Page

Eventually = Callable[[Callable[[], object]], None]


def _picture(page: Page) -> np.ndarray:
    """(H, W, 3) of what the browser shows left of the panel."""
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    pixels = np.asarray(image).astype(int)
    return pixels[:, : int(0.62 * pixels.shape[1])]


def _is_red(pixels: np.ndarray) -> np.ndarray:
    return (pixels[..., 0] > 1.6 * pixels[..., 1]) & (pixels[..., 0] > 1.6 * pixels[..., 2])


def _camera(page: Page) -> np.ndarray:
    """(4, 4) from map to the browser's clip space, read from its own renderer."""
    projection, view, (w, x, y, z) = page.evaluate(
        """() => {
            const camera = window.__viserMutable.camera;
            const root = window.__viserSceneTree.getState()[""];
            return [camera.projectionMatrix.elements, camera.matrixWorldInverse.elements, root.wxyz];
        }"""
    )
    map_to_scene = np.eye(4)
    map_to_scene[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.reshape(projection, (4, 4)).T @ np.reshape(view, (4, 4)).T @ map_to_scene


def _on_screen(page: Page, point: tuple[float, float, float]) -> tuple[float, float]:
    """Where a point of map is seen, in CSS pixels."""
    x, y, _, w = _camera(page) @ [*point, 1.0]
    size = page.viewport_size
    return (0.5 + 0.5 * x / w) * size["width"], (0.5 - 0.5 * y / w) * size["height"]


def _press(page: Page, label: str, which: int = 0) -> None:
    # The browser's own click, without waiting for the picture to come to rest first.
    page.get_by_role("button", name=label, exact=True).nth(which).evaluate("button => button.click()")


def test_robot_and_wall_are_seen(page: Page, eventually: Eventually) -> None:
    def both() -> bool:
        pixels = _picture(page)
        sky_or_ground = np.abs(pixels - pixels[0, 0]).sum(axis=2) < 60
        return _is_red(pixels).mean() > 0.005 and (~sky_or_ground).mean() > 0.15

    eventually(both)


def test_status_words_phases_and_bounds_stand_on_the_page(page: Page, climber: StandIn) -> None:
    climber.phases["left_hand"] = "candidate"
    for words in ("1 of 2 limbs hold", "left hand", "right foot", "candidate", "locked", "velocity of shoulder"):
        page.get_by_text(words).first.wait_for()
    climber.phases["left_hand"] = "searching"


def test_a_refusal_stands_beside_its_limb(page: Page, climber: StandIn) -> None:
    climber.reasons["right_foot"] = "cannot move a locked limb; release it first"
    page.get_by_text("cannot move a locked limb; release it first").wait_for()
    climber.reasons["right_foot"] = ""
    page.get_by_text("cannot move a locked limb; release it first").wait_for(state="detached")


@pytest.mark.parametrize(
    ("label", "call"), [("STOP", "stop"), ("attach", "attach"), ("release all", "release_all"), ("reset", "reset")]
)
def test_a_button_calls_its_service(
    page: Page, climber: StandIn, eventually: Eventually, label: str, call: str
) -> None:
    climber.calls.clear()
    _press(page, label)
    eventually(lambda: (call, None) in climber.calls)


def test_pause_calls_pause_with_true(page: Page, climber: StandIn, eventually: Eventually) -> None:
    climber.calls.clear()
    _press(page, "Pause")
    eventually(lambda: ("pause", True) in climber.calls)


@pytest.mark.parametrize(("label", "data"), [("grip", True), ("release", False)])
def test_grip_and_release_call_the_limbs_service(
    page: Page, climber: StandIn, eventually: Eventually, label: str, data: bool
) -> None:
    climber.calls.clear()
    _press(page, label, 1)
    eventually(lambda: climber.calls == [("right_foot/grip", data)])


def test_the_reason_of_a_refused_call_is_shown(page: Page, climber: StandIn) -> None:
    climber.refusal = "candidate: no hold under the limb yet"
    _press(page, "grip", 0)
    page.get_by_text("left hand: grip: candidate: no hold under the limb yet").wait_for()
    climber.refusal = ""


def test_select_says_so_without_moving_the_limb(page: Page, climber: StandIn, eventually: Eventually) -> None:
    climber.moves.clear()
    _press(page, "select", 1)
    eventually(lambda: climber.moves)
    assert {move[:3] for move in climber.moves} == {("right_foot", 0.0, 0.0)}


def test_an_arrow_pushes_with_fresh_stamps_for_a_moment_and_then_stops(
    page: Page, climber: StandIn, eventually: Eventually
) -> None:
    climber.moves.clear()
    _press(page, "▲", 0)
    eventually(lambda: climber.moves and climber.moves[-1][1:3] == (0.0, 0.0))
    pushes = [move for move in climber.moves if move[2] != 0.0]
    assert len(pushes) >= 3
    assert all(limb == "left_hand" and right == 0.0 and up > 0.0 for limb, right, up, _ in pushes)
    assert np.median([age for *_, age in pushes]) < 0.1


def test_keys_select_push_and_stop(page: Page, climber: StandIn, eventually: Eventually) -> None:
    climber.moves.clear()
    climber.calls.clear()
    page.keyboard.press("2")
    eventually(lambda: ("right_foot", 0.0, 0.0) in [move[:3] for move in climber.moves])
    page.keyboard.press("l")
    eventually(lambda: any(limb == "left_hand" and right > 0.0 for limb, right, *_ in climber.moves))  # the selected
    page.keyboard.press("Space")
    eventually(lambda: ("stop", None) in climber.calls)


def test_a_click_on_the_wall_sends_the_selected_limb_there(
    page: Page, climber: StandIn, eventually: Eventually
) -> None:
    climber.goals.clear()
    aim = (WALL_X, 0.6, 1.9)  # beside the robot
    page.mouse.click(*_on_screen(page, aim))
    eventually(lambda: climber.goals)
    limb, point = climber.goals[-1]
    assert limb == "left_hand"
    np.testing.assert_allclose(point, aim, atol=0.02)


def test_a_ball_dragged_along_the_wall_sends_its_limb_where_the_pointer_is(
    page: Page, climber: StandIn, eventually: Eventually
) -> None:
    start = _on_screen(page, PLACES["left_hand"])
    climber.goals.clear()
    page.mouse.move(*start)
    page.mouse.down()
    for step in range(1, 9):
        page.mouse.move(start[0] - 6.0 * step, start[1] + 4.0 * step)
        page.wait_for_timeout(60)
    page.mouse.up()
    eventually(lambda: climber.goals)
    page.wait_for_timeout(500)
    limb, point = climber.goals[-1]
    assert limb == "left_hand"
    assert point[0] == pytest.approx(WALL_X, abs=0.02)
    assert point[1] > PLACES["left_hand"][1] + 0.02
    assert point[2] < PLACES["left_hand"][2] - 0.02


def test_a_reloaded_page_has_everything_again(page: Page, eventually: Eventually) -> None:
    page.reload()
    page.get_by_text("1 of 2 limbs hold").wait_for()
    page.get_by_role("button", name="STOP").wait_for()
    eventually(lambda: _is_red(_picture(page)).mean() > 0.005)


def test_a_silent_climber_is_named_on_the_page_and_ctrl_c_ends_the_node_in_order() -> None:
    running: View = start_view("climber:=nobody")
    running.process.send_signal(signal.SIGINT)
    assert running.process.wait(timeout=20.0) == 0
    running.process.stdout.close()
