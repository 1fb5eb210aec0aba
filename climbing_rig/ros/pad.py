"""A joystick's layout, and what a Joy message says by it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import yaml

from climbing_rig.errors import ConfigError

BUTTONS = (
    "grip", "release", "attach", "release_all", "stop", "pause", "reset", "automatic",
    *(f"limb_{number}" for number in range(1, 10)),
)  # fmt: skip
"""Actions a button, a trigger or half an axis can have."""
STICKS = ("right", "up")
"""What a stick's axis can move."""


@dataclass(frozen=True)
class Stick:
    """An axis that moves a limb: scale * value, 0 inside the dead zone, and from there on from 0 to full."""

    axis: int
    scale: float
    dead_zone: float

    def value(self, axes: Sequence[float]) -> float:
        """In [-1, 1] times the scale; 0 when the pad has no such axis."""
        raw = axes[self.axis] if self.axis < len(axes) else 0.0
        beyond = max(abs(raw) - self.dead_zone, 0.0) / (1.0 - self.dead_zone)
        return self.scale * min(beyond, 1.0) * (1.0 if raw > 0.0 else -1.0)


@dataclass(frozen=True)
class Switch:
    """A button, or an axis used as one.

    Attributes:
        button: Index of a button, or None.
        axis: Index of an axis, or None.
        rest: The axis's value when nobody touches it; a trigger rests at +1.
        pressed: Its value when fully pressed.
    """

    button: int | None
    axis: int | None = None
    rest: float = 0.0
    pressed: float = 1.0

    def is_pressed(self, axes: Sequence[float], buttons: Sequence[int], moved: set[int]) -> bool:
        """Whether it is pressed at least half way.

        Args:
            axes: Of the Joy message.
            buttons: Of the Joy message.
            moved: Axes that have ever had another value than 0: drivers report 0 for a trigger that rests at +1 until
                it is first touched, which is not half pressed.
        """
        if self.button is not None:
            return self.button < len(buttons) and bool(buttons[self.button])
        if self.axis is None or self.axis >= len(axes) or self.axis not in moved:
            return False
        return (axes[self.axis] - self.rest) / (self.pressed - self.rest) > 0.5


@dataclass(frozen=True)
class Pad:
    """A layout.

    Attributes:
        dead_man: Must be held for anything else to count.
        sticks: "right" and "up".
        switches: Action -> switch.
    """

    dead_man: Switch
    sticks: Mapping[str, Stick]
    switches: Mapping[str, Switch]


@dataclass(frozen=True)
class Reading:
    """What a Joy message asks for: pushes in [-1, 1], and the actions whose switch is down."""

    right: float
    up: float
    down: frozenset[str]


class PadReader:
    """Reads Joy messages by a layout; remembers which axes have been touched.

    Args:
        pad: The layout.
    """

    def __init__(self, pad: Pad) -> None:
        self._pad = pad
        self._moved: set[int] = set()

    def read(self, axes: Sequence[float], buttons: Sequence[int]) -> Reading | None:
        """What the message asks for, or None while the dead-man switch is not held."""
        self._moved.update(index for index, value in enumerate(axes) if value != 0.0)
        if not self._pad.dead_man.is_pressed(axes, buttons, self._moved):
            return None
        down = (
            action for action, switch in self._pad.switches.items() if switch.is_pressed(axes, buttons, self._moved)
        )
        sticks = self._pad.sticks
        return Reading(sticks["right"].value(axes), sticks["up"].value(axes), frozenset(down))


def load_pad(path: Path) -> Pad:
    """Reads a layout; config/teleop/xbox.yaml explains the keys.

    Raises:
        ConfigError: Not YAML, something missing, unknown or out of range.
    """
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise ConfigError(f"{path} is not YAML: {error}", name=str(path)) from None
    top = _mapping(content, str(path), ("dead_man", "sticks", "switches"))
    sticks = _mapping(top.get("sticks"), f"{path}: sticks", STICKS)
    switches = _mapping(top.get("switches"), f"{path}: switches", BUTTONS)
    missing = [name for name in STICKS if name not in sticks]
    if missing:
        raise ConfigError(f"{path}: sticks.{missing[0]} is missing", name=f"sticks.{missing[0]}")
    return Pad(
        _switch(top.get("dead_man"), f"{path}: dead_man"),
        MappingProxyType({name: _stick(value, f"{path}: sticks.{name}") for name, value in sticks.items()}),
        MappingProxyType({name: _switch(value, f"{path}: switches.{name}") for name, value in switches.items()}),
    )


def _stick(value: object, name: str) -> Stick:
    row = _mapping(value, name, ("axis", "scale", "dead_zone"))
    stick = Stick(_index(row, "axis", name), _number(row, "scale", name, 1.0), _number(row, "dead_zone", name, 0.1))
    if not 0.0 <= stick.dead_zone < 1.0:
        raise ConfigError(f"{name}.dead_zone is {stick.dead_zone}; it must be in [0, 1)", name=name)
    return stick


def _switch(value: object, name: str) -> Switch:
    if isinstance(value, int) and not isinstance(value, bool):
        value = {"button": value}
    row = _mapping(value, name, ("button", "axis", "rest", "pressed"))
    if ("button" in row) == ("axis" in row):
        raise ConfigError(f"{name} must name either a button or an axis", name=name, given=value)
    if "button" in row:
        return Switch(_index(row, "button", name))
    switch = Switch(
        None, _index(row, "axis", name), _number(row, "rest", name, 0.0), _number(row, "pressed", name, 1.0)
    )
    if switch.rest == switch.pressed:
        raise ConfigError(f"{name}: rest and pressed are both {switch.rest}", name=name, given=switch.rest)
    return switch


def _mapping(value: object, name: str, choices: Sequence[str]) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ConfigError(f"{name} must be a mapping, not {value!r}", name=name, given=value, choices=choices)
    for key in value:
        if key not in choices:
            raise ConfigError(f"{name}: unknown key '{key}'", name=str(key), given=key, choices=choices)
    return value


def _index(row: Mapping[str, object], key: str, name: str) -> int:
    value = row.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ConfigError(f"{name}.{key} is {value!r}; it must be an index from 0", name=name, given=value)
    return value


def _number(row: Mapping[str, object], key: str, name: str, default: float) -> float:
    value = row.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ConfigError(f"{name}.{key} is {value!r}; it must be a number", name=name, given=value)
    return float(value)
