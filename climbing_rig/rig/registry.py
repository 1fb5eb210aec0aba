"""Every unit there is, by name: this package's own and those that other packages offer by an entry point."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from climbing_rig.errors import RigError

if TYPE_CHECKING:
    from climbing_rig.rig.unit_definition import Unit

GROUP = "climbing_rig.units"
"""Entry points of this group name modules whose units are to be known; importing the module registers them."""


class Registry:
    """Units by name; ours and those of entry points are loaded when the first one is asked for."""

    def __init__(self) -> None:
        self._units: dict[str, Unit] = {}
        self._loaded = False
        self.broken: dict[str, str] = {}
        """Entry point -> why its units are missing."""

    def add(self, unit: Unit) -> None:
        """Makes a unit known.

        Raises:
            RigError: Another one has its name; both places are named.
        """
        there = self._units.get(unit.name)
        if there is not None and (there.file, there.line) != (unit.file, unit.line):
            raise RigError(
                f"two units are called '{unit.name}': {there.place} and {unit.place}", name=unit.name, given=unit.place
            )
        self._units[unit.name] = unit

    def __getitem__(self, name: str) -> Unit:
        self.load()
        found = self._units.get(name)
        if found is None:
            near = difflib.get_close_matches(str(name), self._units, n=5, cutoff=0.5)
            missing = "".join(f"; entry point {entry} is broken: {why}" for entry, why in self.broken.items())
            raise RigError(
                f"there is no unit '{name}'{missing}", name=str(name), given=name, choices=near or sorted(self._units)
            )
        return found

    def __iter__(self) -> Iterator[Unit]:
        self.load()
        return iter(sorted(self._units.values(), key=lambda unit: unit.name))

    def load(self) -> None:
        """Imports this package's units and those of all entry points; one that cannot be imported is noted."""
        if self._loaded:
            return
        self._loaded = True
        import_module("climbing_rig.rig.units")
        for entry in entry_points(group=GROUP):
            self._import(entry)

    def _import(self, entry: EntryPoint) -> None:
        try:
            entry.load()
        except Exception as error:  # somebody else's code: whatever it raises must not end the climber
            self.broken[f"{entry.name} = {entry.value}"] = f"{type(error).__name__}: {error}"

    def find(self, words: str) -> list[Unit]:
        """Units whose name, keywords or description contain all of the given words."""
        wanted = words.lower().split()
        return [
            unit
            for unit in self
            if all(word in " ".join((unit.name, *unit.keywords, unit.doc)).lower() for word in wanted)
        ]


REGISTRY = Registry()
