"""A YAML mapping read key by key: each key typed, unknown ones refused with the names that exist."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import yaml

from climbing_rig.errors import ConfigError


class Section:
    """One mapping of a configuration file.

    Every getter takes a key and a default; a key without a default is required. Values come back in the type that was
    asked for (an integer where a float is meant is fine), and whatever else is there is an error that names the key by
    its whole path.

    Args:
        values: The mapping; None (an empty section) counts as an empty one.
        path: Its place in the file, "" for the file itself.

    Raises:
        ConfigError: ``values`` is no mapping of names. All getters raise it for a value of the wrong type.
    """

    def __init__(self, values: object, path: str = "") -> None:
        self.path = path
        if values is None:
            values = {}
        if not isinstance(values, Mapping) or not all(isinstance(key, str) for key in values):
            raise self.error("", "a mapping of names to values", values)
        self._values = values
        self._asked: set[str] = set()

    def error(self, key: str, wanted: str, given: object, choices: Iterable[str] = ()) -> ConfigError:
        """The error that says ``key`` is not what was wanted."""
        name = self.name(key)
        return ConfigError(f"{name or 'the file'} is {given!r}, not {wanted}", name=name, given=given, choices=choices)

    def name(self, key: str) -> str:
        """A key's whole path in the file."""
        return ".".join(part for part in (self.path, key) if part)

    def has(self, key: str) -> bool:
        """Whether the key is there and not empty."""
        return self._values.get(key) is not None

    def entries(self) -> tuple[str, ...]:
        """The keys that are there, in the order of the file; they count as asked for."""
        self._asked.update(self._values)
        return tuple(self._values)

    def _get(self, key: str, default: Any, wanted: str) -> Any:
        self._asked.add(key)
        value = self._values.get(key, default)
        if value is ...:
            raise ConfigError(
                f"{self.name(key)} is missing: {wanted} is needed", name=self.name(key), choices=tuple(self._values)
            )
        return value

    def section(self, key: str) -> Section:
        """A mapping within; one that is missing is empty."""
        return Section(self._get(key, None, "a mapping"), self.name(key))

    def text(self, key: str, default: Any = ..., choices: tuple[str, ...] = ()) -> str:
        """A string, one of ``choices`` when there are any."""
        value = self._get(key, default, "text")
        if not isinstance(value, str) or (choices and value not in choices):
            raise self.error(key, "one of the valid names" if choices else "text", value, choices)
        return value

    def flag(self, key: str, default: Any = ...) -> bool:
        """True or false."""
        value = self._get(key, default, "true or false")
        if not isinstance(value, bool):
            raise self.error(key, "true or false", value, ("true", "false"))
        return value

    def number(self, key: str, default: Any = ..., *, least: float = -math.inf, above: float = -math.inf) -> float:
        """A number of at least ``least`` and more than ``above``; only a default may be infinite."""
        value = self._get(key, default, "a number")
        if value is default and key not in self._values:
            return float(value)
        return self._number(key, value, least, above)

    def _number(self, key: str, value: object, least: float = -math.inf, above: float = -math.inf) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise self.error(key, "a finite number", value)
        if value < least or value <= above:
            bound = f"at least {least:g}" if value < least else f"above {above:g}"
            raise self.error(key, f"a number {bound}", value)
        return float(value)

    def vector(self, key: str, size: int, default: Any = ...) -> tuple[float, ...]:
        """A list of ``size`` numbers."""
        value = self._get(key, default, f"a list of {size} numbers")
        if not isinstance(value, list | tuple) or len(value) != size:
            raise self.error(key, f"a list of {size} numbers", value)
        return tuple(self._number(key, item) for item in value)

    def names(self, key: str, default: Any = ()) -> tuple[str, ...]:
        """A list of names."""
        value = self._get(key, default, "a list of names")
        if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
            raise self.error(key, "a list of names", value)
        return tuple(value)

    def numbers(self, key: str, *, least: float = -math.inf, above: float = -math.inf) -> Mapping[str, float]:
        """A mapping of names to numbers; one that is missing is empty."""
        inner = self.section(key)
        return MappingProxyType({name: inner.number(name, least=least, above=above) for name in inner.entries()})

    def finish(self) -> None:
        """Raises ConfigError when the file says something that nothing has asked for."""
        for key in self._values:
            if key not in self._asked:
                raise ConfigError(
                    f"{self.name(key)} is not a known key", name=self.name(key), given=key, choices=sorted(self._asked)
                )


class _UniqueKeys(yaml.SafeLoader):
    """A loader that refuses a key given twice, of which YAML would silently take the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, Hashable):
                continue  # refused by the loader itself
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f"the key '{key}' is there twice", key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep)


def load_section(path: str | Path) -> Section:
    """A YAML file as a section.

    Raises:
        ConfigError: The file cannot be read, or is not YAML with a mapping at its top.
    """
    try:
        values = yaml.load(Path(path).read_text(encoding="utf-8"), _UniqueKeys)
    except (OSError, ValueError, yaml.YAMLError) as error:  # ValueError: no UTF-8, or a date that is none
        raise ConfigError(f"cannot read {path}: {error}", name=str(path), given=str(path)) from error
    return Section(values)
