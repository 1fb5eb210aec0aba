"""Single keys from a terminal, and the terminal as it was afterwards, whatever happens."""

from __future__ import annotations

import os
import select
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

SEQUENCES = {
    "\x1b[A": "UP", "\x1b[B": "DOWN", "\x1b[C": "RIGHT", "\x1b[D": "LEFT",
    "\x1bOA": "UP", "\x1bOB": "DOWN", "\x1bOC": "RIGHT", "\x1bOD": "LEFT",
}  # fmt: skip
NAMED = {" ": "SPACE", "\x1b": "ESC", "\t": "TAB", "\r": "ENTER", "\n": "ENTER", "\x7f": "BACKSPACE"}
KEY_NAMES = (*sorted(set(SEQUENCES.values())), *sorted(set(NAMED.values())))
"""Names of the keys that are not a single printed character."""


@contextmanager
def single_keys(terminal: int) -> Iterator[None]:
    """Keys come at once and are not echoed; signals (Ctrl-C) still work.

    Args:
        terminal: File descriptor of a terminal.
    """
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)
        yield
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def read_keys(terminal: int, timeout: float) -> list[str] | None:
    """The keys pressed, after at most ``timeout`` seconds; None when the terminal is gone."""
    ready, _, _ = select.select([terminal], [], [], timeout)
    if not ready:
        return []
    try:
        data = os.read(terminal, 1024)
    except OSError:
        return None
    return split_keys(data.decode(errors="ignore")) if data else None


def split_keys(text: str) -> list[str]:
    """Names of the keys that made this text: a character, or one of KEY_NAMES."""
    keys = []
    while text:
        sequence = next((s for s in SEQUENCES if text.startswith(s)), None)
        if sequence is not None:
            keys.append(SEQUENCES[sequence])
            text = text[len(sequence) :]
        else:
            keys.append(NAMED.get(text[0], text[0]))
            text = text[1:]
    return keys
