"""Everything is compiled before a node goes live."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

from climbing_rig import warm_up
from climbing_rig.numba_cache import kernel_sources

COMMAND = [sys.executable, "-m", "climbing_rig.warm_up"]


def test_every_kernel_is_compiled_ahead() -> None:
    subprocess.run(COMMAND, check=True)
    cache = Path(os.environ["NUMBA_CACHE_DIR"])
    compiled = {path.name.split("-")[0] for path in cache.rglob("*.nbi")}
    kernels = {f"{path.stem}.{name}" for path in kernel_sources(warm_up.PACKAGE) for name in _kernels(path)}
    assert kernels, "no kernels found: the search is broken"
    assert sorted(kernels - compiled) == []


def test_a_second_run_says_and_does_nothing() -> None:
    subprocess.run(COMMAND, check=True)
    result = subprocess.run(COMMAND, check=True, capture_output=True, text=True)
    assert (result.stdout, result.stderr) == ("", "")


def _kernels(path: Path) -> list[str]:
    """Names of the functions of a module that numba compiles and caches."""
    functions = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]
    return [
        function.name
        for function in functions
        for decorator in function.decorator_list
        if "njit" in ast.unparse(decorator) and "cache=True" in ast.unparse(decorator)
    ]
