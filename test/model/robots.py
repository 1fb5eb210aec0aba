"""Robots the tests of the model share, each telling in its own way."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np

from climbing_rig.model import JointSettings, RobotModel, load_urdf
from climbing_rig.model.kinematics import forward
from climbing_rig.share import resolve

URDFS = Path(__file__).parents[1] / "data" / "urdf"

PATHS = {
    "climber": resolve("urdf/climber.urdf"),
    "loris": resolve("urdf/loris.urdf"),  # passive wrists without a velocity
    "talos": URDFS / "talos.urdf",  # a humanoid with mimic joints in its grippers
    "nao": URDFS / "nao.urdf",  # axes at 45 degrees, 17 mimic joints
    "laikago": URDFS / "laikago_toes.urdf",  # continuous joints
    "triathlete": URDFS / "triathlete_climbing.urdf",  # prismatic joints, equal limits, no velocities
    "quadruped": URDFS / "quadruped_8dof.urdf",  # knees with neither lower nor upper limit
}


@cache
def robot(name: str) -> RobotModel:
    """A robot, read once; the quadruped with usable knees."""
    knees = {f"{leg}_KFE": (-2.5, 2.5) for leg in ("FL", "FR", "BL", "BR")} if name == "quadruped" else {}
    return load_urdf(PATHS[name], JointSettings(limits=knees))


def poses(model, position, orientation, q):
    """World poses (rotations, translations) of all bodies."""
    bodies = len(model.tree.parent)
    rotations, translations = np.empty((bodies, 3, 3)), np.empty((bodies, 3))
    forward(model.tree, position, orientation, q, rotations, translations)
    return rotations, translations


def frames(model, q):
    """Link -> (rotation, translation) in the root's frame."""
    rotations, translations = poses(model, np.zeros(3), np.array([0.0, 0.0, 0.0, 1.0]), q)
    placed = {link: model.frame(link) for link in model.link_names}
    return {link: (rotations[b] @ r, translations[b] + rotations[b] @ t) for link, (b, r, t) in placed.items()}


def posture_of(model, description):
    """The joints of a description's posture."""
    q = model.neutral.copy()
    for joint, value in description.posture.items():
        q[model.joint_index(joint)] = value
    return q
