"""Reads a rig graph from YAML, keeping the line of everything for the compiler's messages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from climbing_rig.errors import RigError
from climbing_rig.rig.graph import NAME, Declaration, Graph, Node
from climbing_rig.share import resolve

_TOP = ("doc", "robot", "inputs", "variables", "nodes")
_NODE = ("name", "unit", "inputs", "set", "enabled", "body", "then", "else")
BLOCKS = ("body", "then", "else")
MOST_NODES = 100_000
LARGEST = 4_000_000
"""Bytes of a graph file; a larger one is surely something else."""


class _Mapping(dict[str, Any]):
    """A mapping of the file with the line of each key."""

    line: int
    lines: dict[str, int]


class _Loader(yaml.SafeLoader):
    """A safe loader that knows lines and refuses keys given twice, of which YAML would silently take the last."""

    path: str = ""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """A value; one that only looks like a date or number (2001-99-99, !!int x) is refused with its line."""
        try:
            return super().construct_object(node, deep=deep)
        except (ValueError, TypeError, AttributeError, LookupError, OverflowError) as error:
            line = node.start_mark.line + 1
            raise RigError(f"{self.path}:{line}: {error}", name=self.path, line=line) from None


def _construct(loader: _Loader, node: yaml.MappingNode) -> _Mapping:
    made = _Mapping()
    made.line, made.lines = node.start_mark.line + 1, {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node)
        line = key_node.start_mark.line + 1
        if not isinstance(key, str):
            raise RigError(f"{loader.path}:{line}: {key!r} is no name", name=str(key), line=line, given=key)
        if key in made:
            raise RigError(f"{loader.path}:{line}: '{key}' is there twice", name=key, line=line)
        made[key] = loader.construct_object(value_node, deep=True)
        made.lines[key] = line
    return made


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _construct)


def load_graph(path: str | Path) -> Graph:
    """Reads a graph.

    Args:
        path: A YAML file, against the working folder or the package's share.

    Raises:
        RigError: The file is no graph; the message names file and line.
        ConfigError: There is no such file.
    """
    found = resolve(path)
    try:
        if found.stat().st_size > LARGEST:
            raise RigError(f"{found} is larger than any graph: {found.stat().st_size} bytes", name=str(found))
        text = found.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise RigError(f"cannot read {found}: {error}", name=str(found)) from None
    return read_graph(text, found.stem, str(found))


def read_graph(text: str, name: str = "graph", source: str | None = None) -> Graph:
    """Reads a graph from the text of a file.

    Raises:
        RigError: As for ``load_graph``.
    """
    path = source or name
    loader = None
    try:
        loader = _Loader(text)
        loader.path = path
        return _Reader(path).graph(loader.get_single_data(), name, source)
    except yaml.reader.ReaderError as error:
        row = text.count("\n", 0, error.position) + 1
        what = f"the character {chr(error.character)!r} has no place in a graph"
        raise RigError(f"{path}:{row}: {what}", name=path, line=row) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = None if mark is None else mark.line + 1
        words = getattr(error, "problem", None) or str(error)
        raise RigError(f"{path}:{line or '?'}: {words}", name=path, line=line) from None
    except RecursionError:
        raise RigError(f"{path}: nested too deeply", name=path) from None
    finally:
        if loader is not None:
            loader.dispose()


class _Reader:
    """Turns what YAML says into a graph, refusing everything that is not one."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._count = 0

    def _error(self, line: int | None, words: str, **about: Any) -> RigError:
        return RigError(f"{self._path}:{line or 1}: {words}", line=line, **about)

    def _mapping(self, value: object, line: int | None, what: str) -> _Mapping:
        if value is None:
            value = _Mapping()
            value.line, value.lines = line or 1, {}
        if not isinstance(value, _Mapping):
            raise self._error(line, f"{what} is {value!r}, not a mapping", given=value)
        return value

    def _known(self, mapping: _Mapping, keys: tuple[str, ...], what: str) -> None:
        for key in mapping:
            if key not in keys:
                raise self._error(mapping.lines[key], f"{what}: unknown key '{key}'", name=key, given=key, choices=keys)

    def _text(self, mapping: _Mapping, key: str, what: str, default: str | None = None) -> str:
        value = mapping.get(key, default)
        if not isinstance(value, str):
            line = mapping.lines.get(key, mapping.line)
            raise self._error(line, f"{what}: '{key}' is {value!r}, not text", name=key, given=value)
        return value

    def graph(self, top: object, name: str, source: str | None) -> Graph:
        """The whole file."""
        mapping = self._mapping(top, 1, "the file")
        self._known(mapping, _TOP, "the graph")
        graph = Graph(
            name, doc=self._text(mapping, "doc", "the graph", ""), robot=self._text(mapping, "robot", "the graph", ""),
            source=source,
        )  # fmt: skip
        for key, where in (("inputs", graph.inputs), ("variables", graph.variables)):
            section = self._mapping(mapping.get(key), mapping.lines.get(key), key)
            for declared in section:
                if declared in graph.inputs:
                    raise self._error(section.lines[declared], f"'{declared}' is declared twice", name=declared)
                where[declared] = self._declaration(
                    declared, section[declared], section.lines[declared], "default" if key == "inputs" else "initial"
                )
        graph.nodes = self._nodes(mapping.get("nodes", ()), mapping.lines.get("nodes"))
        return graph

    def _declaration(self, name: str, value: object, line: int, initial: str) -> Declaration:
        self._named(name, line)
        if isinstance(value, str):
            return Declaration(name, value, line=line)
        mapping = self._mapping(value, line, f"'{name}'")
        self._known(mapping, ("type", initial, "unit", "doc"), f"'{name}'")
        return Declaration(
            name,
            self._text(mapping, "type", f"'{name}'"),
            mapping.get(initial),
            self._text(mapping, "unit", f"'{name}'", ""),
            self._text(mapping, "doc", f"'{name}'", ""),
            line,
        )

    def _named(self, name: object, line: int | None) -> str:
        if not isinstance(name, str) or not NAME.fullmatch(name):
            raise self._error(line, f"{name!r} is no name: letters, digits and _ make one", given=name)
        return name

    def _nodes(self, value: object, line: int | None) -> list[Node]:
        if value is None:
            return []
        if not isinstance(value, list | tuple):
            raise self._error(line, f"{value!r} is not a list of nodes", given=value)
        return [self._node(item, line) for item in value]

    def _node(self, value: object, line: int | None) -> Node:
        self._count += 1
        if self._count > MOST_NODES:  # a few aliases of aliases make millions
            raise self._error(line, f"more than {MOST_NODES} nodes")
        mapping = self._mapping(value, line, "a node")
        self._known(mapping, _NODE, "a node")
        name = self._named(mapping.get("name"), mapping.line)
        what = f"node '{name}'"
        inputs = self._mapping(mapping.get("inputs"), mapping.lines.get("inputs"), f"{what}: inputs")
        sets = self._mapping(mapping.get("set"), mapping.lines.get("set"), f"{what}: set")
        for variable in sets:
            self._text(sets, variable, f"{what}: set")
        enabled = mapping.get("enabled", True)
        if not isinstance(enabled, bool):
            raise self._error(
                mapping.lines["enabled"], f"{what}: 'enabled' is {enabled!r}, not true or false", name=name,
                given=enabled, choices=("true", "false"),
            )  # fmt: skip
        return Node(
            name=name,
            unit=self._text(mapping, "unit", what),
            inputs={key: _plain(item) for key, item in inputs.items()},
            sets=dict(sets),
            enabled=enabled,
            blocks={key: self._nodes(mapping[key], mapping.lines[key]) for key in BLOCKS if key in mapping},
            line=mapping.line,
            lines={**{key: sets.lines[key] for key in sets}, **inputs.lines},
        )


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else value
