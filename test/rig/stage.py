"""A robot on which a rig runs tick after tick, each beginning with what the last one proposed; no gate in between."""

from __future__ import annotations

from functools import cache

import numpy as np

from climbing_rig.model import load_urdf
from climbing_rig.model.kinematics import forward
from climbing_rig.rig import Graph, Machine, Names, compile_graph
from climbing_rig.rig.skeleton import begin, make_skeleton
from climbing_rig.share import resolve


@cache
def model_of(name):
    """A robot of the repository."""
    return load_urdf(resolve(f"urdf/{name}.urdf"))


@cache
def program_of(name, unit, pins):
    """One node called ``node`` on a robot; its bones are given here, its other inputs are set later."""
    graph = Graph("one node")
    graph.add(unit, "node", dict(pins))
    return compile_graph(graph, Names(bones=model_of(name).link_names))


class Stage:
    """A robot with a rig."""

    def __init__(self, name, program=None):
        self.model = model_of(name)
        self.skeleton = make_skeleton(self.model)
        self.name = name
        self.machine = None if program is None else Machine(program, {"skeleton": self.skeleton})

    @property
    def q(self):
        """The joints."""
        return self.skeleton.q

    def tick(self):
        """One tick from the last proposal."""
        s = self.skeleton
        s.start_position[:], s.start_orientation[:], s.start_q[:] = s.position, s.orientation, s.q
        begin(s)
        self.machine.run()

    def call(self, unit, bones, **values):
        """Executes one unit; returns its outputs by name."""
        machine = Machine(program_of(self.name, unit, tuple(bones.items())), {"skeleton": self.skeleton})
        for pin, value in values.items():
            machine.set(f"node.{pin}", value)
        machine.run()
        return {slot.split(".")[1]: machine.get(slot) for slot in machine.program.slots}

    def pose(self, q):
        """Sets all joints, within their limits."""
        self.skeleton.q[:] = np.clip(q, self.skeleton.lower, self.skeleton.upper)
        self.skeleton.fresh[0] = 0

    def random_pose(self, rng, share=1.0):
        """Joints anywhere in the middle ``share`` of their ranges, the root anywhere."""
        low, high = np.maximum(self.skeleton.lower, -3.0), np.minimum(self.skeleton.upper, 3.0)
        orientation = rng.normal(size=4)
        self.skeleton.orientation[:] = orientation / np.linalg.norm(orientation)
        self.skeleton.position[:] = rng.normal(size=3)
        self.pose(0.5 * (low + high) + 0.5 * share * (high - low) * rng.uniform(-1, 1, len(low)))

    def frames(self):
        """(L, 3, 3) and (L, 3): where all links are, computed anew."""
        m, s = self.model, self.skeleton
        rotations, places = np.empty((len(m.tree.parent), 3, 3)), np.empty((len(m.tree.parent), 3))
        forward(m.tree, s.position, s.orientation, s.q, rotations, places)
        offsets = np.einsum("lij,lj->li", rotations[m.link_body], m.link_translation)
        return rotations[m.link_body] @ m.link_rotation, places[m.link_body] + offsets

    def frame(self, link):
        """(3, 3) axes and (3,) origin of a link."""
        rotations, places = self.frames()
        index = self.model.link_names.index(link)
        return rotations[index], places[index]

    def within_limits(self):
        """Whether all joints are, and finite."""
        s = self.skeleton
        return bool(np.isfinite(s.q).all() and (s.q >= s.lower).all() and (s.q <= s.upper).all())
