"""Where numba keeps the compiled kernels: one folder for each state of the kernel sources.

numba's own cache looks at the file of the function that is called and not at the files of what it calls, so a caller
keeps an old callee after an edit. Here the folder's name is a hash of every kernel source and of what compiled them:
any change leads to an empty folder and a fresh compilation, and going back finds the old one again.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import sys
import tempfile
import time
from importlib import metadata
from pathlib import Path

VARIABLE = "NUMBA_CACHE_DIR"

_USES_NUMBA = re.compile(
    rb"^\s*(?:from|import)\s+numba\b|^from climbing_rig\.rig\.unit_definition import [^\n]*\bunit\b", re.MULTILINE
)
"""Imports numba, or declares units of the rig, whose functions numba compiles."""
_IMPORTS = re.compile(r"^\s*(?:from|import)\s+(\w+(?:\.\w+)*)(?:\s+import\s+(\([^)]*\)|[^\n]*))?", re.MULTILINE)


def configure() -> Path:
    """Points numba's cache to the folder of the present kernels; a NUMBA_CACHE_DIR the user has set stays.

    Returns:
        The folder numba will use.
    """
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return Path(chosen)
    folder = _writable(f"{sys.implementation.cache_tag}-{cache_key(Path(__file__).parent)}")
    os.environ[VARIABLE] = str(folder)
    numba = sys.modules.get("numba")
    if numba is not None:  # numba read the environment when it was imported
        numba.config.CACHE_DIR = str(folder)
    return folder


def forget_old(present: Path, days: float = 30.0) -> None:
    """Removes the folders of earlier kernels beside ``present`` that nothing was compiled into for ``days``."""
    if not present.name.startswith(f"{sys.implementation.cache_tag}-"):
        return  # a folder of the user's choice: what is beside it is not ours
    for folder in present.parent.glob("cpython-*"):
        if folder != present and time.time() - folder.stat().st_mtime > days * 86400.0:
            shutil.rmtree(folder, ignore_errors=True)


def cache_key(package: Path) -> str:
    """Hash of all that decides what the compiled kernels of ``package`` are.

    Args:
        package: Folder of the package's sources.

    Returns:
        16 hexadecimal digits.
    """
    digest = hashlib.sha256()
    for path in kernel_sources(package):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    for part in (_version("numba"), _version("numpy"), sys.version, _processor()):
        digest.update(part.encode())
    return digest.hexdigest()[:16]


def kernel_sources(package: Path) -> list[Path]:
    """Modules whose functions numba compiles, and all they import of ``package``: their constants are compiled in.

    Args:
        package: Folder of the package's sources.

    Returns:
        Paths, sorted.
    """
    found: set[Path] = set()
    modules = [path for path in package.rglob("*.py") if path.name != "__init__.py"]
    waiting = [path for path in modules if _USES_NUMBA.search(path.read_bytes())]
    while waiting:
        path = waiting.pop()
        if path not in found and path != Path(__file__):
            found.add(path)
            waiting += _imported(path.read_text(encoding="utf-8"), package)
    return sorted(found)


def _imported(source: str, package: Path) -> list[Path]:
    """The files of ``package`` behind the absolute imports of ``source``."""
    files = []
    for module, names in _IMPORTS.findall(source):
        if module.split(".")[0] != package.name:
            continue
        parents = [module, *(f"{module}.{name}" for name in re.findall(r"\w+", names))]
        for dotted in parents:
            base = package.parent.joinpath(*dotted.split("."))
            files += [path for path in (base.with_suffix(".py"), base / "__init__.py") if path.is_file()]
    return [path for path in files if path != package / "__init__.py"]


def _writable(name: str) -> Path:
    """Folder ``name`` of the user's cache, or of the temporary folder when the home cannot be written."""
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())
    folder = home / "climbing_rig" / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        writable = os.access(folder, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        folder = Path(tempfile.gettempdir()) / f"climbing_rig-{os.getuid()}" / name
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def _version(distribution: str) -> str:
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "none"


def _processor() -> str:
    """What tells this processor's instruction sets from another's: a home folder may be shared by machines."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").split("\n\n", 1)[0].splitlines()
    except OSError:
        return platform.machine()
    told = [line for line in lines if line.startswith(("model name", "flags", "Features", "CPU part"))]
    return platform.machine() + "".join(told)
