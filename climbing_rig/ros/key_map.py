"""Which key does what: read from a YAML file of ``action: [keys]``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import yaml

from climbing_rig.errors import ConfigError
from climbing_rig.ros.terminal import KEY_NAMES

DIRECTIONS = MappingProxyType({"right": (1.0, 0.0), "left": (-1.0, 0.0), "up": (0.0, 1.0), "down": (0.0, -1.0)})
"""Action -> (right, up) along the wall."""

LIMBS = tuple(f"limb_{number}" for number in range(1, 10))
"""Actions that select a limb by its place in the robot's list."""

HELP = MappingProxyType(
    {
        "up": "move the limb up the wall",
        "down": "move it down",
        "left": "move it left, as the climber sees it",
        "right": "move it right",
        "automatic": "let the direction pushed choose the limb",
        "grip": "grip, or let go",
        "attach": "climb onto the wall",
        "release_all": "let go of all holds that may be let go",
        "stop": "stand still until the next command",
        "pause": "freeze, or go on",
        "reset": "back to the start",
        "help": "print this",
        "quit": "end",
    }
)
"""Action -> what it does; ``limb_1`` ... besides."""


@dataclass(frozen=True)
class KeyMap:
    """The keys.

    Attributes:
        actions: Key -> action.
    """

    actions: Mapping[str, str]

    def keys_of(self, action: str) -> list[str]:
        """The keys of an action, in the order of the file."""
        return [key for key, found in self.actions.items() if found == action]


def load_key_map(path: Path) -> KeyMap:
    """Reads a key file.

    Raises:
        ConfigError: Not YAML, an unknown action or key, or a key with two actions.
    """
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as error:
        raise ConfigError(f"{path} is not YAML: {error}", name=str(path)) from None
    if not isinstance(content, dict):
        raise ConfigError(f"{path} must hold 'action: [keys]' lines", name=str(path), given=content)
    actions: dict[str, str] = {}
    for action, keys in content.items():
        if action not in HELP and action not in LIMBS:
            raise ConfigError(
                f"{path}: unknown action '{action}'", name=str(action), given=action, choices=(*HELP, *LIMBS)
            )
        for key in keys if isinstance(keys, list) else [keys]:
            name = str(key)
            if len(name) != 1 and name not in KEY_NAMES:
                raise ConfigError(
                    f"{path}: '{name}' is no key (one character, or a name)", name=name, given=key, choices=KEY_NAMES
                )
            if name in actions:
                raise ConfigError(
                    f"{path}: key '{name}' is given to both '{actions[name]}' and '{action}'", name=name, given=key
                )
            actions[name] = action
    return KeyMap(MappingProxyType(actions))


def help_text(keys: KeyMap, limbs: list[str]) -> str:
    """The help: one line an action; the limbs by name when they are known."""
    rows = [(keys.keys_of(action), words) for action, words in HELP.items()]
    for place, action in enumerate(LIMBS, start=1):
        if found := keys.keys_of(action):
            name = limbs[place - 1] if place <= len(limbs) else f"limb {place}" if not limbs else None
            if name is not None:
                rows.append((found, f"select {name}"))
    return "\n".join(f"  {' '.join(found):<12} {words}" for found, words in rows if found)
