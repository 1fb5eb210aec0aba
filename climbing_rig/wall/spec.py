"""A wall named in one line of text, as the command line, the launch file and the nodes' parameters give it.

``walls.yaml`` in the package's ``walls`` folder names the walls that come with it; otherwise a line is

- ``generated:NAME?option=value&option=value``: a generator of ``climbing_rig.wall.generate`` with its arguments;
- ``PATH?option=value``: a file, with the options of ``Placement``: ``scale=3``, ``up=-y``, ``stand=1``, ``tile=3x6``,
  ``pose=x,y,z`` (and ``,qx,qy,qz,qw``), ``crop=x,y,z,x,y,z``, ``thin=0.01``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import yaml

from climbing_rig.errors import CloudError, ConfigError
from climbing_rig.share import resolve, share_dir
from climbing_rig.wall.cloud import Cloud
from climbing_rig.wall.generate import GENERATORS
from climbing_rig.wall.generate.sample import Sampling
from climbing_rig.wall.placement import UP_NAMES, Placement
from climbing_rig.wall.readers import read_cloud

GENERATED = "generated:"


def packaged_walls() -> dict[str, str]:
    """Name -> line of text of the walls that come with the package."""
    path = share_dir() / "walls" / "walls.yaml"
    if not path.is_file():
        raise ConfigError(f"the list of walls is missing: {path}", name="walls", given=str(path))
    return {str(name): str(line) for name, line in yaml.safe_load(path.read_text(encoding="utf-8")).items()}


def cloud_from_spec(text: str) -> Cloud:
    """The cloud a line of text names; see the module.

    Raises:
        CloudError: The line, an option or the file is wrong.
        ConfigError: There is no such file.
    """
    given = text.strip()
    if given in (names := packaged_walls()):
        given = names[given]
    source, _, query = given.partition("?")
    options = _options(query, given)
    if source.startswith(GENERATED):
        return _generated(source[len(GENERATED) :], options)
    if not source:
        raise CloudError("no wall is named", name="wall", given=text, choices=[*names, f"{GENERATED}NAME", "FILE"])
    return read_placed(source, **_parsed(options, _PLACEMENT_PARSERS, "placement option"))


def read_placed(path: str, **options: Any) -> Cloud:
    """A file's cloud, placed by the options of ``Placement``."""
    known = [field.name for field in fields(Placement)]
    for option in options:
        if option not in known:
            raise CloudError(f"a wall file has no option {option!r}", name=option, given=option, choices=known)
    placement = Placement(**options)
    found = resolve(path)
    return placement.apply(read_cloud(found), found.name)


def _options(query: str, line: str) -> dict[str, str]:
    options = {}
    for part in query.split("&") if query else []:
        key, equals, value = part.partition("=")
        if not key or not equals:
            raise CloudError(f"{line!r}: {part!r} is not option=value", name="wall", given=line)
        options[key] = value
    return options


def _generated(name: str, options: dict[str, str]) -> Cloud:
    if name not in GENERATORS:
        raise CloudError(f"there is no generated wall {name!r}", name=name, given=name, choices=GENERATORS)
    named = [p.name for p in inspect.signature(GENERATORS[name]).parameters.values() if p.kind is not p.VAR_KEYWORD]
    parsers: dict[str, Callable[[str], Any]] = dict.fromkeys([*named, *(f.name for f in fields(Sampling))], float)
    return GENERATORS[name](**_parsed(options, parsers, f"option of {name}")).cloud()


def _parsed(options: dict[str, str], parsers: dict[str, Callable[[str], Any]], what: str) -> dict[str, Any]:
    values = {}
    for key, text in options.items():
        if key not in parsers:
            raise CloudError(f"{key!r} is no {what}", name=key, given=text, choices=parsers)
        try:
            values[key] = parsers[key](text)
        except ValueError:
            raise CloudError(f"{key} cannot be {text!r}", name=key, given=text) from None
    return values


def _numbers(text: str) -> list[float]:
    return [float(word) for word in text.replace("x", ",").split(",")]


def _up(text: str) -> str | list[float]:
    return text if text in UP_NAMES else _numbers(text)


def _flag(text: str) -> bool:
    if text.lower() not in ("0", "1", "false", "true"):
        raise ValueError
    return text.lower() in ("1", "true")


def _box(text: str) -> list[list[float]]:
    numbers = _numbers(text)
    if len(numbers) != 6:
        raise ValueError
    return [numbers[:3], numbers[3:]]


_PLACEMENT_PARSERS: dict[str, Callable[[str], Any]] = {
    "scale": float,
    "up": _up,
    "stand": _flag,
    "tile": _numbers,
    "pose": _numbers,
    "crop": _box,
    "thin": float,
}
