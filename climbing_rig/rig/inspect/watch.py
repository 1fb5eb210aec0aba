"""What changes while a machine runs: the words of its variables and of the contexts it works on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from climbing_rig.rig.machine import Machine
from climbing_rig.rig.program import LINK

Integers = NDArray[np.int64]

VARIABLE, CONTEXT = "variable", "context"
LARGEST = 200_000
"""Words of an array that is watched; a wall has more, and nobody writes to it."""
DERIVED = (
    "*.work",
    "*.work.*",
    "*.scratch",
    "skeleton.fresh",
    "skeleton.rotations",
    "skeleton.translations",
)
"""Arrays that only keep what follows from others, or nothing at all: what happens to them is no effect."""


@dataclass(frozen=True)
class Change:
    """Words that got another value.

    Attributes:
        kind: ``variable`` or ``context``.
        place: The variable, or ``context.field``.
        words: Which of its words, counted from 0.
    """

    kind: str
    place: str
    words: tuple[int, ...]

    @property
    def text(self) -> str:
        """``skeleton.q[3..5, 9]``; without brackets for the single word of a number."""
        spans = [str(a) if a == b else f"{a}..{b}" for a, b in self.spans()]
        return self.place if spans == ["0"] and self.kind == VARIABLE else f"{self.place}[{', '.join(spans)}]"

    def spans(self) -> list[tuple[int, int]]:
        """The words as first and last of each unbroken row."""
        spans: list[tuple[int, int]] = []
        for word in self.words:
            if spans and spans[-1][1] == word - 1:
                spans[-1] = (spans[-1][0], word)
            else:
                spans.append((word, word))
        return spans

    def as_json(self) -> dict[str, Any]:
        """For ``json.dumps``."""
        return {"kind": self.kind, "place": self.place, "words": self.spans()}


@dataclass(frozen=True)
class _Watched:
    kind: str
    place: str
    words: Integers
    """The words where they lie, as integers: a NaN is equal to itself."""


class Watch:
    """Sees which words of a machine's variables and contexts change.

    Args:
        machine: Whose.

    Attributes:
        unwatched: Arrays of contexts that are too large to be compared.
    """

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._watched = [
            _Watched(VARIABLE, name, machine.view(name).view(np.int64)) for name in machine.program.variables
        ]
        self.unwatched: tuple[str, ...] = ()
        self._watch_contexts(machine)
        self._before = [watched.words.copy() for watched in self._watched]

    def _watch_contexts(self, machine: Machine) -> None:
        named = [entry for name, value in machine.bound.items() for entry in _fields(name, value)]
        # The largest first: an array that is a part of another one is watched once.
        named.sort(key=lambda entry: -entry[1].size)
        seen: list[tuple[int, int]] = []
        for place, array in named:
            first = array.ctypes.data
            span = first, first + array.nbytes
            if array.size == 0 or any(a <= span[0] and span[1] <= b for a, b in seen):
                continue
            if any(fnmatchcase(place, pattern) for pattern in DERIVED):
                continue
            if array.size > LARGEST:
                self.unwatched += (place,)
                continue
            seen.append(span)
            if array.flags.writeable:
                self._watched.append(_Watched(CONTEXT, place, array.reshape(-1).view(np.int64)))

    def watched(self) -> Iterator[tuple[str, str, Integers]]:
        """(kind, place, words where they lie) of everything that is watched."""
        return ((watched.kind, watched.place, watched.words) for watched in self._watched)

    def changes(self) -> tuple[Change, ...]:
        """What has changed since it was last asked, or made."""
        found = []
        for watched, before in zip(self._watched, self._before, strict=True):
            differ = np.flatnonzero(watched.words != before)
            if differ.size:
                before[differ] = watched.words[differ]
                found.append(Change(watched.kind, watched.place, tuple(differ.tolist())))
        return tuple(found)


def _fields(name: str, value: Any) -> Iterator[tuple[str, NDArray[Any]]]:
    """(``context.field``, array) of all arrays of a context."""
    for field, item in zip(value._fields, value, strict=True):
        if isinstance(item, tuple):
            yield from _fields(f"{name}.{field}", item)
        else:
            yield f"{name}.{field}", item


class Moment:
    """All that a machine and its contexts hold at one moment, to return to it.

    Args:
        machine: Whose.
    """

    def __init__(self, machine: Machine) -> None:
        self._values = {
            name: machine.view(name).copy() for name, slot in machine.program.slots.items() if slot.role != LINK
        }
        arrays = [array for name, value in machine.bound.items() for _, array in _fields(name, value)]
        self._arrays = [(array, array.copy()) for array in arrays if array.flags.writeable and array.size <= LARGEST]

    def restore(self, machine: Machine) -> None:
        """Brings a machine back to this moment: this one, or another one on the same contexts as far as names agree."""
        for array, copy in self._arrays:
            array[...] = copy
        for name, words in self._values.items():
            slot = machine.program.slots.get(name)
            if slot is not None and slot.role != LINK and slot.type.words == len(words):
                machine.view(name)[:] = words
