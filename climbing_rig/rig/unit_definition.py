"""What a unit is: a named, typed operation, declared by decorating the compiled function that carries it out."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from numba import njit
from numba.core.dispatcher import Dispatcher

from climbing_rig.errors import RigError
from climbing_rig.rig.contexts import CONTEXTS
from climbing_rig.rig.registry import REGISTRY
from climbing_rig.rig.types import LIMBS, PinType, parse_type

IN, OUT = "input", "output"
REQUIRED: Any = ...
"""Default of a pin that must be given a value."""


@dataclass(frozen=True)
class Pin:
    """One input or output of a unit.

    Attributes:
        name: Its name in the unit.
        type: What it carries.
        default: Its value when nothing else is said; ``REQUIRED`` for none.
        measure: Unit of measure; "" for a pure number or what has none.
        doc: One line about it.
        direction: "input" or "output".
    """

    name: str
    type: PinType
    default: Any
    measure: str
    doc: str
    direction: str = IN

    @property
    def required(self) -> bool:
        """Whether a node must give it a value."""
        return self.default is REQUIRED


def pin(name: str, pin_type: str, default: Any = None, measure: str = "", doc: str = "") -> Pin:
    """A pin of a unit.

    Args:
        name: Its name; in a class, the attribute's name counts.
        pin_type: ``float``, ``vec3[8]``, … (see ``rig.types``).
        default: Its value when a node says nothing; None for the type's zero, ``REQUIRED`` for none. A bone or limb is
            always required.
        measure: Unit of measure.
        doc: One line.
    """
    parsed = parse_type(pin_type)
    value = parsed.default if default is None else default
    return Pin(name, parsed, REQUIRED if value is None else value, measure, doc)


def input_pin(pin_type: str, default: Any = None, measure: str = "", doc: str = "") -> Pin:
    """An input of a unit that is written as a class; its name is the attribute's."""
    return pin("", pin_type, default, measure, doc)


def output_pin(pin_type: str, measure: str = "", doc: str = "") -> Pin:
    """An output of a unit that is written as a class; its name is the attribute's."""
    return replace(pin("", pin_type, None, measure, doc), direction=OUT)


@dataclass(frozen=True, eq=False)
class Unit:
    """A typed operation.

    Calling it calls its compiled function: contexts, then inputs, then outputs. Inputs come as numbers (a bone or limb
    as its index) or as arrays to read, outputs as arrays to write ((1,) for a number); an array of fixed capacity comes
    as an input with as many rows as it has items, as an output as all its rows and a (1,) array for their number.

    Attributes:
        name: Dotted, its family first: ``math.vector.add``.
        function: The numba function.
        inputs: Its input pins.
        outputs: Its output pins.
        contexts: What it works on beside its pins (see ``rig.contexts``); a unit without contexts is pure.
        keywords: Other words to find it by.
        failures: What the function's results 1, 2, … mean; 0 and None are success.
        blocks: Of nodes it controls: ``("body",)`` for a loop, which is executed before each round, has an output
            ``index`` that it counts up from -1, and goes on while its output ``going`` is true; ``("then", "else")``
            for a branch, which looks at its output ``taken``.
        doc: What it does.
        file: Where it is implemented.
        line: Where in the file.
    """

    name: str
    function: Dispatcher
    inputs: tuple[Pin, ...]
    outputs: tuple[Pin, ...]
    contexts: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()
    blocks: tuple[str, ...] = ()
    doc: str = ""
    file: str = ""
    line: int = 0
    _native: list[tuple[int, int]] = field(default_factory=list, repr=False)

    @property
    def category(self) -> str:
        """Its family, for menus: ``Math|Vector``."""
        return "|".join(part.capitalize() for part in self.name.split(".")[:-1])

    @property
    def pure(self) -> bool:
        """Whether its outputs depend on its inputs alone, so that it may be executed anywhere before they are read."""
        return not self.contexts

    @property
    def place(self) -> str:
        """``file:line`` of the implementation, relative to the working folder where it is below it."""
        path = Path(self.file)
        shown = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
        return f"{shown}:{self.line}"

    @property
    def addresses(self) -> tuple[int, int]:
        """Addresses of its adapter and of its function; compiled or loaded from numba's cache when first asked for."""
        if not self._native:
            from climbing_rig.rig.adapter import native_addresses

            self._native.append(native_addresses(self))
        return self._native[0]

    def __call__(self, *arguments: object) -> object:
        """The compiled function."""
        return self.function(*arguments)


def unit(
    name: str,
    *,
    inputs: Sequence[Pin] = (),
    outputs: Sequence[Pin] = (),
    contexts: Sequence[str] = (),
    keywords: Sequence[str] = (),
    failures: Sequence[str] = (),
    blocks: Sequence[str] = (),
) -> Callable[[Any], Unit]:
    """Makes a unit of the function below it, or of a class with pins as attributes and a static ``execute``.

    The function may be plain Python that numba can compile, or compiled already. It must be a function of its
    arguments: no clocks, files, ROS or globals that change.

    Args:
        name: Dotted, the family first; must be new.
        inputs: Its input pins, in the order of the arguments (a class has them as attributes).
        outputs: Its output pins, likewise.
        contexts: What it works on beside its pins.
        keywords: Other words to find it by.
        failures: What the results 1, 2, … mean.
        blocks: Of nodes it controls; see ``Unit``.

    Raises:
        RigError: The name is taken, a pin occurs twice, or the function's arguments do not fit.
    """

    def declare(target: Any) -> Unit:
        pins = [replace(p, direction=IN) for p in inputs] + [replace(p, direction=OUT) for p in outputs]
        function, doc = target, inspect.getdoc(target)
        if isinstance(target, type):
            pins += [replace(value, name=key) for key, value in vars(target).items() if isinstance(value, Pin)]
            function = vars(target).get("execute")
            if not isinstance(function, staticmethod):
                raise RigError(f"unit '{name}': class {target.__name__} has no static method execute", name=name)
            function = function.__func__
        compiled = function if isinstance(function, Dispatcher) else njit(cache=True)(function)
        code = compiled.py_func.__code__
        made = Unit(
            name=name,
            function=compiled,
            inputs=tuple(p for p in pins if p.direction == IN),
            outputs=tuple(p for p in pins if p.direction == OUT),
            contexts=tuple(contexts),
            keywords=tuple(keywords),
            failures=tuple(failures),
            blocks=tuple(blocks),
            doc=(doc or "").strip(),
            file=code.co_filename,
            line=code.co_firstlineno,
        )
        _check(made)
        REGISTRY.add(made)
        return made

    return declare


def _check(made: Unit) -> None:
    names = [p.name for p in made.inputs + made.outputs]
    for name in names:
        if names.count(name) > 1 or not name.isidentifier():
            raise RigError(f"unit '{made.name}' ({made.place}): '{name}' is no name for one pin", name=made.name)
    for p in made.inputs + made.outputs:
        if p.type.capacity == LIMBS:
            raise RigError(
                f"unit '{made.name}' ({made.place}): pin '{p.name}' needs a capacity in numbers", name=made.name
            )
    for context in made.contexts:
        if context not in CONTEXTS:
            raise RigError(
                f"unit '{made.name}' ({made.place}): there is no context '{context}'",
                name=made.name, given=context, choices=CONTEXTS,
            )  # fmt: skip
    expected = list(made.contexts)
    expected += [p.name for p in made.inputs]
    for p in made.outputs:
        expected += [p.name] if p.type.capacity is None else [p.name, f"{p.name}_count"]
    given = list(inspect.signature(made.function.py_func).parameters)
    if given != expected:
        raise RigError(
            f"unit '{made.name}' ({made.place}): its function takes ({', '.join(given)}), "
            f"its contexts and pins are ({', '.join(expected)})",
            name=made.name, given=given, choices=expected,
        )  # fmt: skip
