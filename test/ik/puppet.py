"""A robot whose bones the tests of this folder move, seen through plain forward kinematics."""

from __future__ import annotations

from functools import cache

import numpy as np

from climbing_rig.ik.ccd import solve_ccd
from climbing_rig.ik.fabrik import solve_fabrik
from climbing_rig.ik.two_bone import solve_two_bone
from climbing_rig.model import load_urdf
from climbing_rig.model.kinematics import forward
from climbing_rig.reference import handle
from climbing_rig.rig.skeleton import make_skeleton
from climbing_rig.share import resolve


@cache
def model_of(name):
    """A robot of the repository, or of a URDF's text."""
    return load_urdf(name if name.startswith("<") else resolve(f"urdf/{name}.urdf"))


class Puppet:
    """A robot in a pose of its own."""

    def __init__(self, name):
        self.model = model_of(name)
        self.skeleton = make_skeleton(self.model)
        # As the rig's units get it, whose compiled code the solvers then share.
        self._handle = handle(self.skeleton)

    @property
    def q(self):
        """The joints."""
        return self.skeleton.q

    def pose(self, q):
        """Sets all joints, within their limits."""
        self.skeleton.q[:] = np.clip(q, self.skeleton.lower, self.skeleton.upper)
        self.skeleton.fresh[0] = 0

    def random_pose(self, rng, share=0.9):
        """Joints anywhere in the middle ``share`` of their ranges, the root anywhere."""
        low, high = np.maximum(self.skeleton.lower, -3.0), np.minimum(self.skeleton.upper, 3.0)
        middle, half = 0.5 * (low + high), 0.5 * share * (high - low)
        orientation = rng.normal(size=4)
        self.skeleton.orientation[:] = orientation / np.linalg.norm(orientation)
        self.skeleton.position[:] = rng.normal(size=3)
        self.pose(middle + half * rng.uniform(-1, 1, len(low)))

    def bones(self, *names):
        """Indices of links."""
        return np.array([self.model.link_names.index(name) for name in names])

    def frames(self):
        """(L, 3, 3) and (L, 3): where all links are, computed anew."""
        m, s = self.model, self.skeleton
        rotations, places = np.empty((len(m.tree.parent), 3, 3)), np.empty((len(m.tree.parent), 3))
        forward(m.tree, s.position, s.orientation, s.q, rotations, places)
        body = m.link_body
        offsets = np.einsum("lij,lj->li", rotations[body], m.link_translation)
        return rotations[body] @ m.link_rotation, places[body] + offsets

    def place(self, name):
        """Where a link is."""
        return self.frames()[1][self.model.link_names.index(name)]

    def within_limits(self):
        """Whether all joints are, and finite."""
        s = self.skeleton
        return bool(np.isfinite(s.q).all() and (s.q >= s.lower).all() and (s.q <= s.upper).all())

    def two_bone(self, names, target, pole, plane=(0.0, 0.0, 0.0), weight=1.0):
        """(stretch, error, plane)."""
        out = np.zeros(3)
        bones = tuple(int(b) for b in self.bones(*names))
        given = [np.array(v, float) for v in (target, pole, plane)]
        return *solve_two_bone(self._handle, bones, *given, weight, np.empty((3, 3)), out), out

    def ccd(self, bones, target, weights=(), fewest=5, most=20, tolerance=0.01, damping=0.0):
        """(error, rounds)."""
        given = np.array(target, float), np.array(weights, float)
        return solve_ccd(self._handle, bones, *given, fewest, most, tolerance, damping, np.empty((len(bones), 3)))

    def fabrik(self, bones, target, passes=10, rounds=4, tolerance=0.01):
        """(error, passes)."""
        scratch = np.empty((len(bones), 3)), np.empty((len(bones), 3))
        return solve_fabrik(self._handle, bones, np.array(target, float), passes, rounds, tolerance, *scratch)

    def all_bones(self):
        """The chain of urdf/chain.urdf or urdf/tail.urdf, root to tip."""
        return self.bones(*(name for name in self.model.link_names if len(name) == len("bone_001")), "tip")
