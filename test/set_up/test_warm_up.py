"""Everything is compiled before a node goes live."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from climbing_rig import warm_up
from climbing_rig.numba_cache import kernel_sources

COMMAND = [sys.executable, "-m", "climbing_rig.warm_up"]


def test_every_kernel_that_python_calls_is_compiled_ahead() -> None:
    warm_up.compile_kernels(lambda line: None)
    kernels = [(path, function) for path in kernel_sources(warm_up.PACKAGE) for function in _kernels(path)]
    # A kernel that another one, or a unit of the rig, calls is compiled with it, and numba's cache does not load it for
    # itself.
    units = [unit for path in warm_up.PACKAGE.rglob("rig/units/*.py") for unit in _decorated(path, "unit")]
    called = {name for function in [f for _, f in kernels] + units for name in _names(function) - {function.name}}
    entries = [(path, function.name) for path, function in kernels if function.name not in called]
    assert entries, "no kernels found: the search is broken"
    cold = [f"{path.stem}.{name}" for path, name in entries if not _dispatcher(path, name).signatures]
    assert cold == []


def test_a_second_run_says_and_does_nothing() -> None:
    subprocess.run(COMMAND, check=True)
    result = subprocess.run(COMMAND, check=True, capture_output=True, text=True)
    assert (result.stdout, result.stderr) == ("", "")


def _kernels(path: Path) -> Iterator[ast.FunctionDef]:
    """The functions of a module that numba compiles."""
    yield from _decorated(path, "njit")


def _decorated(path: Path, decorator: str) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and any(decorator in ast.unparse(item) for item in node.decorator_list):
            yield node


def _names(function: ast.FunctionDef) -> set[str]:
    return {node.id for node in ast.walk(function) if isinstance(node, ast.Name)}


def _dispatcher(path: Path, name: str) -> object:
    module = ".".join(path.relative_to(warm_up.PACKAGE.parent).with_suffix("").parts)
    return getattr(import_module(module), name)


CLIMB = """
from climbing_rig import Climber, Wall, warm_up
warm_up.compile_kernels(lambda line: None)
from climbing_rig.numba_cache import kernel_sources
import ast, importlib, numba

def dispatchers():
    for path in kernel_sources(warm_up.PACKAGE):
        name = ".".join(path.relative_to(warm_up.PACKAGE.parent).with_suffix("").parts)
        for value in vars(importlib.import_module(name)).values():
            if isinstance(value, numba.core.dispatcher.Dispatcher):
                yield value

before = {id(d): (d, len(d.signatures)) for d in dispatchers()}
climber = Climber.from_files(wall=Wall.from_spec("generated:slab?angle=30&spacing=0.04"))
climber.begin_attach()
while climber.attaching:
    climber.step(0.02, {})
for limb in ("left_hand", "right_foot"):
    climber.step(0.02, {limb: {"grip": False}})
    for k in range(40):
        climber.step(0.02, {limb: {"move": (0.1, 0.2)}})
    climber.step(0.02, {limb: {"goal": (0.0, 0.0, 1.0)}})
    climber.step(0.02, {limb: {"grip": True}})
    for k in range(40):
        climber.step(0.02, {})
climber.reset()
print("late:", [d.py_func.__name__ for d, count in before.values() if len(d.signatures) > count])
"""


def test_a_warmed_climber_compiles_nothing_more_while_it_climbs() -> None:
    result = subprocess.run([sys.executable, "-c", CLIMB], check=True, capture_output=True, text=True)
    assert result.stdout.strip().endswith("late: []"), result.stdout
