"""Climbers on walls."""

from __future__ import annotations

import pytest
from rider import Rider

from climbing_rig import Climber, Wall
from climbing_rig.wall.spec import cloud_from_spec

SPECS = {
    "flat": "generated:flat?spacing=0.03",
    "slab": "generated:slab?angle=30&spacing=0.03",
    "overhang": "generated:inclined?angle=30&spacing=0.03",
    "bumpy": "generated:bumpy?spacing=0.03&seed=2",
    "scanned": "leaning",
}


@pytest.fixture(scope="session")
def walls() -> dict[str, Wall]:
    """One wall of each kind, built once: walls do not change."""
    return {name: Wall(cloud_from_spec(spec)) for name, spec in SPECS.items()}


@pytest.fixture(scope="session")
def default_climber() -> Climber:
    return Climber.from_files()


@pytest.fixture
def rider(default_climber: Climber) -> Rider:
    """The default climber, as new, without a wall."""
    default_climber.set_wall(None)
    default_climber.reset()
    return Rider(default_climber)


@pytest.fixture
def attached(rider: Rider, walls: dict[str, Wall]) -> Rider:
    """The default climber attached to the flat wall."""
    rider.climber.set_wall(walls["flat"])
    rider.state = rider.climber.attach()
    return rider
