"""climbing_rig: a limbed robot climbs a wall, limb by limb.

>>> from climbing_rig import Climber, LimbCommand, Phase, Wall

The names are imported when they are first used, so that a program that needs one of them does not wait for all.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from climbing_rig.numba_cache import configure

configure()  # before anything imports numba

if TYPE_CHECKING:
    from climbing_rig.climber import Climber
    from climbing_rig.errors import (
        AttachError,
        ClimbingRigError,
        CloudError,
        CommandError,
        ConfigError,
        ModelError,
        RigError,
    )
    from climbing_rig.limbs.command import LimbCommand
    from climbing_rig.limbs.phases import Phase
    from climbing_rig.state import BaseState, ClimberState, GateStatus, LimbState
    from climbing_rig.wall import Wall

__version__ = "0.1.0"

_HOMES = {
    "Climber": "climbing_rig.climber",
    "LimbCommand": "climbing_rig.limbs.command",
    "Phase": "climbing_rig.limbs.phases",
    "Wall": "climbing_rig.wall",
    "BaseState": "climbing_rig.state",
    "ClimberState": "climbing_rig.state",
    "GateStatus": "climbing_rig.state",
    "LimbState": "climbing_rig.state",
    "AttachError": "climbing_rig.errors",
    "ClimbingRigError": "climbing_rig.errors",
    "CloudError": "climbing_rig.errors",
    "CommandError": "climbing_rig.errors",
    "ConfigError": "climbing_rig.errors",
    "ModelError": "climbing_rig.errors",
    "RigError": "climbing_rig.errors",
}

__all__ = [
    "AttachError",
    "BaseState",
    "Climber",
    "ClimberState",
    "ClimbingRigError",
    "CloudError",
    "CommandError",
    "ConfigError",
    "GateStatus",
    "LimbCommand",
    "LimbState",
    "ModelError",
    "Phase",
    "RigError",
    "Wall",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'climbing_rig' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
