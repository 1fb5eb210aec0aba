"""The types of pins and variables, and how their values lie in a machine's memory.

Memory is a row of 8-byte words: a float is a double, everything countable a 64-bit integer. An array of fixed capacity
is one word with the number of its items, then the items.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.float64]

LIMBS = "limbs"
"""Capacity that means "one item for each limb of the robot"."""
_PATTERN = re.compile(r"(\w+)(?:\[(\w+)\])?")
_BRACKETS = frozenset("*?[")


@dataclass(frozen=True)
class Kind:
    """One item of a type: how many words it takes and what they mean."""

    words: int
    integer: bool
    parts: Mapping[str, tuple[int, str]]
    """Name of a part (``x``) -> its first word and its type."""
    doc: str


_XYZ = {"x": (0, "float"), "y": (1, "float"), "z": (2, "float")}
KINDS: Mapping[str, Kind] = MappingProxyType(
    {
        "float": Kind(1, False, {}, "a finite number"),
        "int": Kind(1, True, {}, "a whole number"),
        "bool": Kind(1, True, {}, "true or false"),
        "vec3": Kind(3, False, _XYZ, "three numbers x, y, z"),
        "quat": Kind(4, False, {**_XYZ, "w": (3, "float")}, "a unit quaternion x, y, z, w"),
        "transform": Kind(
            7, False, {"position": (0, "vec3"), "rotation": (3, "quat")}, "seven numbers: position, then quaternion"
        ),
        "bone": Kind(1, True, {}, "the name of a link"),
        "limb": Kind(1, True, {}, "the name of a limb"),
    }
)
DEFAULTS: Mapping[str, object] = MappingProxyType(
    {
        "float": 0.0, "int": 0, "bool": False, "vec3": (0.0, 0.0, 0.0), "quat": (0.0, 0.0, 0.0, 1.0),
        "transform": (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0),
    }
)  # fmt: skip
"""Value of a pin or variable that says nothing of its own; bones and limbs have none."""


@dataclass(frozen=True)
class Names:
    """What bone and limb names of a graph mean on one robot."""

    bones: tuple[str, ...] = ()
    limbs: tuple[str, ...] = ()

    def of(self, kind: str) -> tuple[str, ...]:
        """The names a value of this kind is chosen from."""
        return self.bones if kind == "bone" else self.limbs


@dataclass(frozen=True)
class PinType:
    """A type by its name: a kind, or an array of one.

    Attributes:
        kind: Key of ``KINDS``.
        capacity: Most items of an array, "limbs" until the robot is known; None for a single value.
    """

    kind: str
    capacity: int | str | None = None

    def __str__(self) -> str:
        return self.kind if self.capacity is None else f"{self.kind}[{self.capacity}]"

    @property
    def integer(self) -> bool:
        """Whether its items are integers."""
        return KINDS[self.kind].integer

    @property
    def item_words(self) -> int:
        """Words of one item."""
        return KINDS[self.kind].words

    @property
    def words(self) -> int:
        """Words of a value.

        Raises:
            ValueError: The capacity still is "limbs".
        """
        return self.item_words if self.capacity is None else 1 + int(self.capacity) * self.item_words

    def on(self, names: Names) -> PinType:
        """This type on a robot: the capacity as a number."""
        return PinType(self.kind, len(names.limbs)) if self.capacity == LIMBS else self

    def accepts(self, given: PinType) -> bool:
        """Whether a pin of this type can read a value of the given one."""
        if self.kind != given.kind or (self.capacity is None) != (given.capacity is None):
            return False
        return self.capacity is None or int(given.capacity or 0) <= int(self.capacity)

    @property
    def default(self) -> object:
        """A value for a pin that has none of its own; None for a bone or a limb."""
        return DEFAULTS.get(self.kind) if self.capacity is None else ()


def parse_type(text: object) -> PinType:
    """The type of a name such as ``vec3`` or ``float[8]``.

    Raises:
        ValueError: No such type, in words.
    """
    match = _PATTERN.fullmatch(text) if isinstance(text, str) else None
    if match is None or match[1] not in KINDS:
        raise ValueError(f"{text!r} is no type; valid: {', '.join(KINDS)}, and KIND[capacity] for an array")
    if match[2] is None:
        return PinType(match[1])
    if match[2] == LIMBS:
        return PinType(match[1], LIMBS)
    if not match[2].isdecimal() or not 0 < int(match[2]) <= 1_000_000:
        raise ValueError(f"{text!r}: a capacity is a number from 1 to 1000000, or {LIMBS!r}")
    return PinType(match[1], int(match[2]))


def encode(pin_type: PinType, value: object, names: Names) -> Words:
    """The words of a value.

    Args:
        pin_type: Its type, on the robot of ``names``.
        value: As written in a graph; a bone or limb by its name, an array as a list (of bones: patterns too).
        names: What names mean.

    Raises:
        ValueError: The value is not of that type, in words.
    """
    words = np.zeros(pin_type.words)
    if pin_type.capacity is None:
        _encode_item(pin_type.kind, value, names, words)
        return words
    listed = _listed(value)
    if listed is None:
        raise ValueError(f"{value!r} is not a list of {pin_type.kind}")
    items = listed
    if pin_type.kind in ("bone", "limb"):
        items = [name for item in items for name in _matches(item, names.of(pin_type.kind))]
    if len(items) > int(pin_type.capacity):
        raise ValueError(f"{len(items)} items are more than {pin_type} holds")
    words.view(np.int64)[0] = len(items)
    size = pin_type.item_words
    for i, item in enumerate(items):
        _encode_item(pin_type.kind, item, names, words[1 + i * size : 1 + (i + 1) * size])
    return words


def _matches(item: object, valid: tuple[str, ...]) -> list[object]:
    if not isinstance(item, str) or item in valid or not _BRACKETS & set(item):
        return [item]
    found: list[object] = [name for name in valid if fnmatchcase(name, item)]
    if not found:
        raise ValueError(f"no name fits the pattern {item!r}; there are {', '.join(valid)}")
    return found


def _encode_item(kind: str, value: object, names: Names, out: Words) -> None:
    if kind in ("bone", "limb"):
        valid = names.of(kind)
        if value not in valid:
            raise ValueError(f"{value!r} is no {kind} of this robot; valid: {', '.join(valid)}")
        out.view(np.int64)[0] = valid.index(str(value))
    elif kind == "bool":
        if not isinstance(value, bool | np.bool_):
            raise ValueError(f"{value!r} is not true or false")
        out.view(np.int64)[0] = int(value)
    elif kind == "int":
        if isinstance(value, bool) or not isinstance(value, int | np.integer) or not -(2**63) <= value < 2**63:
            raise ValueError(f"{value!r} is not a whole number of 64 bits")
        out.view(np.int64)[0] = value
    else:
        out[:] = _numbers(kind, value)


def _listed(value: object) -> list[Any] | None:
    """The items of a list, tuple or array; None for what has none, a text and an array of no dimension too."""
    if isinstance(value, np.ndarray):
        return list(value) if value.ndim else None
    return list(value) if isinstance(value, Sequence) and not isinstance(value, str | bytes) else None


def _numbers(kind: str, value: object) -> list[float]:
    size = KINDS[kind].words
    items: list[Any] = [value] if size == 1 else _listed(value) or []
    numeric = all(
        isinstance(item, int | float | np.integer | np.floating) and not isinstance(item, bool) for item in items
    )
    if len(items) != size or not numeric:
        raise ValueError(f"{value!r} is not {KINDS[kind].doc}")
    try:
        numbers = [float(item) for item in items]
    except OverflowError:
        raise ValueError(f"{KINDS[kind].doc}: a whole number is too large for one") from None
    if not all(map(math.isfinite, numbers)):
        raise ValueError(f"{value!r} is not finite")
    if kind in ("quat", "transform"):
        length = math.hypot(*numbers[-4:])
        # All zeros is "no rotation yet", which a variable may start with.
        if length != 0.0 and abs(length - 1.0) > 1e-3:
            raise ValueError(f"{value!r}: the quaternion has length {length:g}, not 1")
        numbers[-4:] = [number / (length or 1.0) for number in numbers[-4:]]
    return numbers


def decode(pin_type: PinType, words: Words, names: Names) -> Any:
    """The value that lies in ``words``: a number, a name, a tuple of numbers, or a tuple of these for an array."""
    item = _DECODERS.get(pin_type.kind, _plain)
    if pin_type.capacity is None:
        return item(words, names.of(pin_type.kind))
    count = min(int(words.view(np.int64)[0]), int(pin_type.capacity))
    size = pin_type.item_words
    return tuple(item(words[1 + i * size : 1 + (i + 1) * size], names.of(pin_type.kind)) for i in range(max(count, 0)))


def _plain(words: Words, _names: tuple[str, ...]) -> object:
    return float(words[0]) if len(words) == 1 else tuple(words.tolist())


def _name(words: Words, names: tuple[str, ...]) -> object:
    index = int(words.view(np.int64)[0])
    return names[index] if 0 <= index < len(names) else index


_DECODERS: Mapping[str, Callable[[Words, tuple[str, ...]], object]] = {
    "int": lambda words, _: int(words.view(np.int64)[0]),
    "bool": lambda words, _: bool(words.view(np.int64)[0]),
    "bone": _name,
    "limb": _name,
}
