"""The folder of compiled kernels follows their sources."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from climbing_rig import numba_cache

WHERE = "import climbing_rig, os; print(os.environ['NUMBA_CACHE_DIR'])"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with a kernel, a module whose constant is compiled into it, and one that has nothing to do with it."""
    folder = tmp_path / "rig"
    (folder / "ik").mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    (folder / "ik" / "kernel.py").write_text("from numba import njit\nfrom rig.constants import (\n    STEP,\n)\n")
    (folder / "constants.py").write_text("STEP = 1\n")
    (folder / "words.py").write_text("HELLO = 'hello'\n")
    return folder


@pytest.mark.parametrize("name", ["ik/kernel.py", "constants.py"])
def test_the_key_changes_with_a_kernel_and_with_what_it_imports(package: Path, name: str) -> None:
    before = numba_cache.cache_key(package)
    (package / name).write_text((package / name).read_text() + "# edited\n")
    assert numba_cache.cache_key(package) != before


def test_the_key_does_not_change_with_other_modules(package: Path) -> None:
    before = numba_cache.cache_key(package)
    (package / "words.py").write_text("HELLO = 'good morning'\n")
    assert numba_cache.cache_key(package) == before


def test_modules_imported_from_a_subpackage_count(package: Path) -> None:
    (package / "ik" / "tips.py").write_text("LOCKED = 1\n")
    (package / "ik" / "kernel.py").write_text("import numba\nfrom rig.ik import tips\n")
    assert package / "ik" / "tips.py" in numba_cache.kernel_sources(package)


def test_a_folder_of_the_users_choice_stays() -> None:
    assert _cache_folder(NUMBA_CACHE_DIR="/somewhere/else") == Path("/somewhere/else")


def test_a_home_that_cannot_be_written_is_replaced(tmp_path: Path) -> None:
    blocked = tmp_path / "cache"
    blocked.write_text("a file, not a folder")
    folder = _cache_folder(XDG_CACHE_HOME=str(blocked), TMPDIR=str(tmp_path))
    assert folder.is_dir()
    assert tmp_path in folder.parents


def test_numba_is_told_even_when_it_was_imported_first(tmp_path: Path) -> None:
    code = "import numba, climbing_rig; print(numba.config.CACHE_DIR)"
    assert tmp_path in Path(_run(code, XDG_CACHE_HOME=str(tmp_path))).parents


def test_old_folders_are_removed_and_the_rest_stays(tmp_path: Path) -> None:
    tag = sys.implementation.cache_tag
    present, recent, old, other = (tmp_path / name for name in (f"{tag}-a", f"{tag}-b", "cpython-30-c", "other"))
    for folder in (present, recent, old, other):
        folder.mkdir()
    long_ago = time.time() - 40 * 86400
    for folder in (present, old, other):
        os.utime(folder, (long_ago, long_ago))
    numba_cache.forget_old(present)
    assert set(tmp_path.iterdir()) == {present, recent, other}


def _cache_folder(**variables: str) -> Path:
    return Path(_run(WHERE, **variables))


def _run(code: str, **variables: str) -> str:
    environment = {key: value for key, value in os.environ.items() if key != numba_cache.VARIABLE} | variables
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True, check=True
    ).stdout.strip()
