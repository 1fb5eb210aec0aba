"""Keys and joysticks by their files: what is pressed, and what the files may not say."""

from __future__ import annotations

from pathlib import Path

import pytest

from climbing_rig.errors import ConfigError
from climbing_rig.ros.key_map import help_text, load_key_map
from climbing_rig.ros.pad import PadReader, load_pad
from climbing_rig.ros.terminal import split_keys


def written(folder: Path, text: str) -> Path:
    path = folder / "file.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_keys_of_the_package_cover_every_action(repository: Path) -> None:
    keys = load_key_map(repository / "config/teleop/keyboard.yaml")
    assert {keys.actions[key] for key in ("w", "UP")} == {"up"}
    assert keys.actions["SPACE"] == "grip"
    words = help_text(keys, ["left_hand", "right_hand"])
    assert "select left_hand" in words and "grip, or let go" in words and "limb 3" not in words


def test_arrows_arrive_whole_and_in_both_dialects() -> None:
    assert split_keys("w\x1b[A\x1bOD \x1b") == ["w", "UP", "LEFT", "SPACE", "ESC"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("jump: [j]", "unknown action 'jump'"),
        ("up: [w]\ndown: [w]", "'w' is given to both 'up' and 'down'"),
        ("up: [HYPER]", "'HYPER' is no key"),
        ("- up", "must hold"),
        ("up: [", "not YAML"),
    ],
)
def test_a_key_file_that_makes_no_sense_is_refused(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        load_key_map(written(tmp_path, text))


@pytest.fixture(params=["xbox", "ps4"])
def reader(request: pytest.FixtureRequest, repository: Path) -> PadReader:
    return PadReader(load_pad(repository / f"config/teleop/{request.param}.yaml"))


def axes(**changed: float) -> list[float]:
    """Eight axes at rest: the triggers (2 and 5) at +1."""
    values = [0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0]
    for name, value in changed.items():
        values[int(name[1:])] = value
    return values


HELD, LOOSE = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0], [0] * 11


def test_nothing_counts_without_the_dead_man_switch(reader: PadReader) -> None:
    assert reader.read(axes(a0=-1.0), LOOSE) is None
    assert reader.read(axes(a0=-1.0), HELD).right == pytest.approx(1.0)


def test_the_dead_zone_is_silent_and_its_edge_is_no_step(reader: PadReader) -> None:
    assert reader.read(axes(a0=0.09, a1=-0.09), HELD).right == 0.0
    assert 0.0 < reader.read(axes(a1=0.16), HELD).up < 0.1


def test_a_trigger_that_was_never_touched_is_not_pressed(reader: PadReader) -> None:
    untouched = [0.0] * 8
    assert reader.read(untouched, HELD).down == frozenset()
    assert reader.read(axes(), HELD).down == frozenset()
    assert reader.read(axes(a5=-1.0), HELD).down == {"grip"}
    assert reader.read(axes(a5=0.0), HELD).down == frozenset()


def test_a_pad_with_fewer_axes_and_buttons_reads_as_untouched(reader: PadReader) -> None:
    assert reader.read([], [0, 0, 0, 0, 0, 1]).down == frozenset()
    assert reader.read([], []) is None


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sticks: {}", "sticks.right is missing"),
        ("dead_man: {}\nsticks: {right: {axis: 0}, up: {axis: 1}}\nswitches: {}", "either a button or an axis"),
        ("dead_man: 5\nsticks: {right: {axis: -1}, up: {axis: 1}}\nswitches: {}", "axis is -1"),
        ("dead_man: 5\nsticks: {right: {axis: 0, dead_zone: 1}, up: {axis: 1}}\nswitches: {}", "dead_zone is 1"),
        ("dead_man: 5\nsticks: {right: {axis: 0}, up: {axis: 1}}\nswitches: {fly: 1}", "unknown key 'fly'"),
        ("[]", "must be a mapping"),
    ],
)
def test_a_pad_file_that_makes_no_sense_is_refused(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        load_pad(written(tmp_path, text + ("" if "switches" in text or text == "[]" else "\nswitches: {}\n")))
