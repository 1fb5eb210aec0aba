"""Every parameter is declared once, checked the same way everywhere, and documented from its row."""

from __future__ import annotations

from pathlib import Path

import pytest

from climbing_rig.errors import ConfigError
from climbing_rig.ros.node_parameters import CLIMBER, NODES, documentation
from climbing_rig.ros.parameters import Parameter

RATE = next(row for row in CLIMBER if row.name == "rate")
POSE = next(row for row in CLIMBER if row.name == "map_to_odom")


def test_the_documentation_is_current(repository: Path) -> None:
    assert (repository / "docs" / "parameters.md").read_text(encoding="utf-8") == documentation(), (
        "run: python -m climbing_rig.ros.node_parameters > docs/parameters.md"
    )


@pytest.mark.parametrize("row", [row for rows in NODES.values() for row in rows], ids=lambda row: row.name)
def test_a_parameter_accepts_its_own_default_and_says_what_it_is(row: Parameter) -> None:
    assert row.checked(row.default) == row.default
    assert row.description.endswith((".", ")"))


def test_an_integer_serves_where_a_number_is_meant() -> None:
    assert RATE.checked(100) == 100.0 and isinstance(RATE.checked(100), float)
    assert POSE.checked([0, 1, 0, 0, 0, 0]) == (0.0, 1.0, 0.0, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("value", [5, 1e9, float("nan"), float("inf"), "fast", True, None, [200.0]])
def test_a_rate_that_makes_no_sense_is_refused_by_name(value: object) -> None:
    with pytest.raises(ConfigError, match="'rate'"):
        RATE.checked(value)


@pytest.mark.parametrize("value", [[0.0] * 5, "0 0 0 0 0 0", [0.0, 0.0, 0.0, 0.0, 0.0, float("nan")], 3.0])
def test_a_pose_that_is_not_six_numbers_is_refused(value: object) -> None:
    with pytest.raises(ConfigError, match="6 finite numbers"):
        POSE.checked(value)


def test_a_text_outside_its_choices_is_refused_with_the_choices() -> None:
    up = next(row for row in NODES["wall_publisher"] if row.name == "up")
    with pytest.raises(ConfigError) as refusal:
        up.checked("north")
    assert refusal.value.choices == ("", "x", "y", "z", "-x", "-y", "-z")


def test_a_list_of_texts_may_be_of_any_length() -> None:
    pins = next(row for row in CLIMBER if row.name == "trace_pins")
    assert pins.checked(["goal.*", "limb_weight"]) == ("goal.*", "limb_weight")
    assert pins.checked([]) == ()
    for value in ("goal.*", [1.0], ["goal.*", None], 3, None):
        with pytest.raises(ConfigError, match=r"'trace_pins'.*a list of texts"):
            pins.checked(value)
