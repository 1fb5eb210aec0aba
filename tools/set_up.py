"""Makes .venv ready to run and test climbing_rig; does only what has changed since it last did.

Every step leaves a stamp in .venv with a hash of what it was made from, so that a second run takes no time and an
interrupted one goes on where it stopped. Started by set_up.sh; only the standard library is used here.
"""

from __future__ import annotations

import hashlib
import platform
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from prerequisites import NotReadyError, base_python, check, has_ros

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMPS = VENV / ".set-up"
PIP = [str(PYTHON), "-m", "pip", "install", "--quiet", "--no-input", "--disable-pip-version-check"]
# The locks name everything, so pip has nothing to resolve.
LOCKED = [*PIP, "--no-deps", "-r"]


@dataclass(frozen=True)
class Step:
    """One thing to do.

    Attributes:
        name: File name of its stamp.
        words: What the user reads while it runs.
        made_from: Files and words that decide its result.
        run: Does it.
    """

    name: str
    words: str
    made_from: tuple[Path | str, ...]
    run: Callable[[], None]

    @property
    def key(self) -> str:
        """Hash of what decides the result."""
        digest = hashlib.sha256()
        for part in self.made_from:
            digest.update(part.read_bytes() if isinstance(part, Path) else part.encode())
        return digest.hexdigest()

    @property
    def done(self) -> bool:
        """Whether it was done from just these files."""
        stamp = STAMPS / self.name
        return stamp.is_file() and stamp.read_text() == self.key


def main() -> int:
    """Sets up, then compiles the kernels where that has not been done.

    Returns:
        The exit code.
    """
    try:
        python = base_python()
        ros = has_ros(python)
        steps = steps_with_ros(python) if ros else steps_with_wheels(python)
        if not all(step.done for step in steps):
            check(ros)
        follow(steps)
    except NotReadyError as error:
        print(error, file=sys.stderr)
        return 1
    return subprocess.run([str(PYTHON), "-m", "climbing_rig.warm_up"], cwd=VENV).returncode


def steps_with_wheels(python: str) -> list[Step]:
    """Everything from wheels, in exact versions."""
    libraries, ros = ROOT / "requirements" / "libraries.txt", ROOT / "requirements" / "ros.txt"
    builder, messages = ROOT / "tools" / "build_tf2_msgs.py", sorted((ROOT / "tools" / "tf2_msgs").rglob("*.*"))
    return [
        environment(python, ros=False),
        Step("libraries", "installing libraries", (libraries,), lambda: run(*LOCKED, str(libraries))),
        Step("ros", "installing ROS 2 wheels", (ros,), lambda: run(*LOCKED, str(ros))),
        Step("tf2_msgs", "building tf2_msgs", (ros, builder, *messages), lambda: run(str(PYTHON), str(builder))),
        package("--no-deps", "--no-build-isolation", "--editable", "."),
    ]


def steps_with_ros(python: str) -> list[Step]:
    """The system's ROS 2 and its numpy, for which its message packages were compiled; what else it lacks, pinned."""
    command = [python, "-c", "import numpy; print(numpy.__version__)"]
    numpy = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    lock = ROOT / "requirements" / ("libraries-numpy1.txt" if numpy.startswith("1.") else "libraries.txt")
    constraints = VENV / "constraints.txt"

    def install() -> None:
        others = [line for line in lock.read_text().splitlines() if not line.startswith("numpy==")]
        constraints.write_text("\n".join([*others, f"numpy=={numpy}\n"]))
        run(*PIP, "--constraint", str(constraints), "--editable", ".[test]")

    made_from = (*package().made_from, lock, numpy)
    return [
        environment(python, ros=True),
        Step("libraries", "installing libraries and climbing_rig", made_from, install),
    ]


def environment(python: str, ros: bool) -> Step:
    """The step that makes .venv; one of the same Python that is there already is kept."""
    made_from = (str(ROOT), platform.python_version(), f"system site packages: {ros}")

    def create() -> None:
        if not is_usable(ros):
            options = ["--system-site-packages"] if ros else []
            run(python, "-m", "venv", "--clear", *options, str(VENV))

    return Step("venv", f"creating .venv with Python {platform.python_version()}", made_from, create)


def is_usable(ros: bool) -> bool:
    """Whether .venv is there, unstamped, made with this Python and of the wanted kind."""
    config = VENV / "pyvenv.cfg"
    if not config.is_file() or not (VENV / "bin" / "pip").exists() or STAMPS.exists():
        return False
    settings = dict(re.findall(r"^([\w-]+) = (.*)$", config.read_text(), re.MULTILINE))
    version, shares = settings.get("version"), settings.get("include-system-site-packages")
    return version == platform.python_version() and shares == str(ros).lower()


def package(*options: str) -> Step:
    """The step that installs climbing_rig so that edits of its sources count at once."""
    made_from = tuple(ROOT / name for name in ("pyproject.toml", "setup.py", "setup.cfg"))
    return Step("climbing_rig", "installing climbing_rig", made_from, lambda: run(*PIP, *options))


def follow(steps: list[Step]) -> None:
    """Runs the steps that are not done, each with a line that tells how long it takes.

    Raises:
        NotReadyError: A step failed.
    """
    for number, step in enumerate(steps, start=1):
        if step.done:
            continue
        with Progress(f"[{number}/{len(steps)}] {step.words}"):
            step.run()
        # A new environment has no stamps, and a step that is done again spoils those after it.
        for later in steps[number:]:
            (STAMPS / later.name).unlink(missing_ok=True)
        STAMPS.mkdir(exist_ok=True)
        (STAMPS / step.name).write_text(step.key)


def run(*command: str) -> None:
    """Runs a command in the repository, quietly.

    Raises:
        NotReadyError: It failed; the message has the end of what it printed.
    """
    result = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode:
        told = "\n".join(result.stdout.strip().splitlines()[-30:])
        raise NotReadyError(f"{told}\nset-up failed at: {' '.join(command)}")


class Progress:
    """A line on stderr that says what is being done and, on a terminal, for how long already."""

    def __init__(self, words: str) -> None:
        self._words = words
        self._finished = threading.Event()
        self._ticker = threading.Thread(target=self._tick, daemon=True)

    def __enter__(self) -> Progress:
        self._start = time.monotonic()
        self._show("")
        self._ticker.start()
        return self

    def __exit__(self, kind: object, *_: Iterable[object]) -> None:
        self._finished.set()
        self._ticker.join()
        result = "failed" if kind else "done"
        self._show(f"{result} in {time.monotonic() - self._start:.0f} s\n")

    def _tick(self) -> None:
        while sys.stderr.isatty() and not self._finished.wait(1.0):
            self._show(f"{time.monotonic() - self._start:.0f} s")

    def _show(self, rest: str) -> None:
        line = f"{self._words} ... {rest}"
        print(f"\r{line}" if sys.stderr.isatty() else rest or line, end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
