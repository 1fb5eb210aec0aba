"""Compiles every kernel ahead of its first use: ``python -m climbing_rig.warm_up``.

A core module that has kernels offers a function ``warm_up()`` that calls each of them once, with the argument types of
real use. This module finds all of these functions, so that no list of them can be forgotten.
"""

from __future__ import annotations

import gc
import hashlib
import re
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from climbing_rig.numba_cache import cache_key, configure, forget_old, kernel_sources

PACKAGE = Path(__file__).resolve().parent
_ORDER = ("maths", "model", "wall", "limbs", "ik", "rig")
"""Callees before callers, so that each line of the progress tells its own time."""
_EDGES = ("ros", "view")
_HOOK = re.compile(r"^def warm_up\(\)", re.MULTILINE)


def hooks() -> dict[str, Callable[[], None]]:
    """Module name -> its ``warm_up``, callees first. Imports the modules."""
    files = [path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] not in _EDGES]
    modules = [path.relative_to(PACKAGE) for path in files if _HOOK.search(path.read_text(encoding="utf-8"))]
    names = [".".join(path.with_suffix("").parts) for path in sorted(modules, key=_place)]
    return {name: import_module(f"climbing_rig.{name}").warm_up for name in names}


def compile_kernels(report: Callable[[str], None]) -> None:
    """Compiles what is not in the cache and loads the rest, so that no later tick has to wait.

    What the compiler leaves in memory is then taken out of the garbage collector's sight: looking through it would stop
    a control loop for many ticks, and the process for seconds when it ends.

    Args:
        report: Takes one line before each module.
    """
    found = hooks()
    for number, (name, hook) in enumerate(found.items(), start=1):
        report(f"kernels {number}/{len(found)}: {name}")
        hook()
    gc.collect()
    gc.freeze()


def main() -> int:
    """Fills the cache with a line of progress for each module; returns at once when it is full.

    Returns:
        The exit code.
    """
    cache = configure()
    marker = cache / f".complete-{_state()}"
    if marker.exists():
        return 0
    found = hooks()
    for number, (name, hook) in enumerate(found.items(), start=1):
        print(f"compiling kernels {number}/{len(found)}: {name} ... ", end="", file=sys.stderr, flush=True)
        start = time.monotonic()
        hook()
        print(f"{time.monotonic() - start:.1f} s", file=sys.stderr)
    cache.mkdir(parents=True, exist_ok=True)
    marker.touch()
    forget_old(cache)
    return 0


def _place(module: Path) -> tuple[int, str]:
    top = module.parts[0].removesuffix(".py")
    return (_ORDER.index(top) if top in _ORDER else len(_ORDER)), module.as_posix()


def _state() -> str:
    """Hash of what numba compares before it takes a kernel from its cache: the sources' places, times and contents."""
    digest = hashlib.sha256(cache_key(PACKAGE).encode())
    for path in kernel_sources(PACKAGE):
        digest.update(f"{path} {path.stat().st_mtime_ns}".encode())
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    sys.exit(main())
