"""What a node parameter is: declared once, with description, unit and range, and checked the same way at any time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from climbing_rig.errors import ConfigError

if TYPE_CHECKING:
    from rclpy.node import Node

Value = bool | int | float | str | tuple[float, ...] | tuple[str, ...]


@dataclass(frozen=True)
class Parameter:
    """One parameter of one node.

    Attributes:
        name: As in ROS.
        default: Decides the type: bool, int, float, str, a tuple of floats (of that length) or of texts (of any).
        description: One line.
        unit: "" where there is none.
        low: Least value, None for no bound.
        high: Greatest value.
        choices: The only texts accepted, when not empty.
        read_only: Set at start only.
    """

    name: str
    default: Value
    description: str
    unit: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    read_only: bool = True

    def checked(self, value: object) -> Value:
        """``value`` in the declared type; an integer serves where a number is meant.

        Raises:
            ConfigError: Wrong type, not finite, or outside the range.
        """
        if isinstance(self.default, bool):
            result: Value | None = value if isinstance(value, bool) else None
        elif isinstance(self.default, str):
            result = value if isinstance(value, str) else None
        elif isinstance(self.default, tuple):
            result = self._texts(value) if self._holds_texts else self._numbers(value)
        else:
            result = self._number(value)
        if result is None:
            raise ConfigError(
                f"parameter '{self.name}' is {value!r}; it must be {self.type_name}", name=self.name, given=value
            )
        if self.choices and result not in self.choices:
            raise ConfigError(
                f"parameter '{self.name}' is {value!r}", name=self.name, given=value, choices=self.choices
            )
        return result

    def _number(self, value: object) -> int | float | None:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            return None
        if isinstance(self.default, int) and value != int(value):
            return None
        if (self.low is not None and value < self.low) or (self.high is not None and value > self.high):
            raise ConfigError(
                f"parameter '{self.name}' is {value!r}; it must be {self.range_text}", name=self.name, given=value
            )
        return int(value) if isinstance(self.default, int) else float(value)

    def _numbers(self, value: object) -> tuple[float, ...] | None:
        if isinstance(value, str | bytes) or (not isinstance(value, Sequence) and not hasattr(value, "__iter__")):
            return None
        numbers = tuple(value)
        usable = all(isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v) for v in numbers)
        if not usable or len(numbers) != len(self.default):  # type: ignore[arg-type]
            return None
        return tuple(float(v) for v in numbers)

    @property
    def _holds_texts(self) -> bool:
        return isinstance(self.default, tuple) and bool(self.default) and isinstance(self.default[0], str)

    @staticmethod
    def _texts(value: object) -> tuple[str, ...] | None:
        if isinstance(value, str | bytes) or (not isinstance(value, Sequence) and not hasattr(value, "__iter__")):
            return None
        texts = tuple(value)
        return texts if all(isinstance(text, str) for text in texts) else None

    @property
    def type_name(self) -> str:
        """The type in words."""
        if self._holds_texts:
            return "a list of texts"
        if isinstance(self.default, tuple):
            return f"{len(self.default)} finite numbers"
        return {bool: "true or false", int: "a whole number", float: "a finite number", str: "text"}[type(self.default)]

    @property
    def range_text(self) -> str:
        """The range in words, "" when there is none."""
        if self.choices:
            return ", ".join(self.choices)
        if self.low is None and self.high is None:
            return ""
        low = "" if self.low is None else f"{self.low:g}"
        high = "" if self.high is None else f"{self.high:g}"
        return f"{low} … {high}"


class Parameters:
    """The declared parameters of one node; reading one gives its present value in its declared type.

    Args:
        node: The node, on which they are declared.
        rows: What to declare.

    Raises:
        ConfigError: A value given at start is of the wrong type or outside its range.
    """

    def __init__(self, node: Node, rows: Sequence[Parameter]) -> None:
        from rcl_interfaces.msg import SetParametersResult

        self._rows = {row.name: row for row in rows}
        self._values: dict[str, Value] = {}
        for row in rows:
            default = list(row.default) if isinstance(row.default, tuple) else row.default
            given = node.declare_parameter(row.name, default, _descriptor(row)).value
            self._values[row.name] = row.checked(given)

        def on_set(changes: Sequence[Any]) -> SetParametersResult:
            accepted = {}
            for change in changes:
                row = self._rows.get(change.name)
                if row is None:
                    continue
                try:
                    accepted[row.name] = row.checked(change.value)
                except ConfigError as error:
                    return SetParametersResult(successful=False, reason=str(error))
            self._values.update(accepted)
            return SetParametersResult(successful=True)

        node.add_on_set_parameters_callback(on_set)

    def __getitem__(self, name: str) -> Value:
        return self._values[name]

    def number(self, name: str) -> float:
        """A parameter that is a number."""
        return float(self._values[name])  # type: ignore[arg-type]

    def text(self, name: str) -> str:
        """A parameter that is text."""
        return str(self._values[name])

    def numbers(self, name: str) -> tuple[float, ...]:
        """A parameter that is a row of numbers."""
        return tuple(self._values[name])  # type: ignore[arg-type]

    def texts(self, name: str) -> tuple[str, ...]:
        """A parameter that is a list of texts."""
        return tuple(self._values[name])  # type: ignore[arg-type]


def _descriptor(row: Parameter) -> object:
    from rcl_interfaces.msg import FloatingPointRange, IntegerRange, ParameterDescriptor

    description = row.description + (f" [{row.unit}]" if row.unit else "")
    descriptor = ParameterDescriptor(description=description, read_only=row.read_only, dynamic_typing=True)
    descriptor.additional_constraints = row.range_text
    if row.low is not None and row.high is not None:
        if isinstance(row.default, int):
            descriptor.integer_range = [IntegerRange(from_value=int(row.low), to_value=int(row.high), step=0)]
        else:
            descriptor.floating_point_range = [FloatingPointRange(from_value=row.low, to_value=row.high, step=0.0)]
    return descriptor
