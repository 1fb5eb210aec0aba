"""The robots that are chains are what their program writes, in any size."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest

from climbing_rig.model import load_urdf
from climbing_rig.share import resolve

PROGRAM = Path(__file__).parents[2] / "tools" / "chain_urdf.py"


def written(*arguments):
    """What the program prints."""
    return subprocess.run([sys.executable, str(PROGRAM), *arguments], check=True, capture_output=True, text=True).stdout


@pytest.mark.parametrize("name", ["chain", "tail"])
def test_the_file_is_what_the_program_writes(name):
    assert resolve(f"urdf/{name}.urdf").read_text(encoding="utf-8") == written(name)


@pytest.mark.parametrize("name", ["chain", "tail"])
def test_a_physics_engine_takes_it(name):
    model = mujoco.MjModel.from_xml_path(str(resolve(f"urdf/{name}.urdf")))
    assert model.njnt == len(load_urdf(resolve(f"urdf/{name}.urdf")).joint_names)


@pytest.mark.parametrize(("joints", "each"), [("ball", 3), ("hinges", 2)])
def test_other_sizes_and_joints_can_be_made(joints, each):
    model = load_urdf(written("chain", "--bones", "300", "--joints", joints, "--length", "0.1"))
    assert len(model.joint_names) == 300 * each
    body, _, place = model.frame("tip")
    np.testing.assert_allclose(place, [0.1, 0.0, 0.0])
    assert body == len(model.tree.parent) - 1
