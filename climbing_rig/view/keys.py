"""Keys of the page, which are commands of viser's palette too (Ctrl-K lists them)."""

from __future__ import annotations

from collections.abc import Callable

import viser

from climbing_rig.view.commands import Commands

_DIGITS = ("1", "2", "3", "4", "5", "6", "7", "8", "9")


def bind_keys(server: viser.ViserServer, commands: Commands) -> None:
    """Registers every key; arrows and W A S D belong to viser's camera."""
    rows: list[tuple[str, str, Callable[[], None]]] = [
        ("Stop", "space", lambda: commands.trigger("stop")),
        ("Pause or go on", "P", commands.toggle_pause),
        ("Attach to the wall", "T", lambda: commands.trigger("attach")),
        ("Grip with the selected limb", "G", lambda: commands.grip(None, True)),
        ("Release the selected limb", "R", lambda: commands.grip(None, False)),
        ("Push the selected limb up", "I", lambda: commands.push(None, 0.0, 1.0)),
        ("Push the selected limb left", "J", lambda: commands.push(None, -1.0, 0.0)),
        ("Push the selected limb down", "K", lambda: commands.push(None, 0.0, -1.0)),
        ("Push the selected limb right", "L", lambda: commands.push(None, 1.0, 0.0)),
    ]
    rows += [(f"Select limb {key}", key, _selecting(commands, i)) for i, key in enumerate(_DIGITS)]
    for label, key, action in rows:
        server.gui.add_command(label, hotkey=key).on_trigger(_ignoring_event(action))


def _selecting(commands: Commands, number: int) -> Callable[[], None]:
    return lambda: commands.select_number(number)


def _ignoring_event(action: Callable[[], None]) -> Callable[[viser.CommandEvent], None]:
    return lambda _event: action()
