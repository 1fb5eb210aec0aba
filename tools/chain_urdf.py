"""Writes a robot that is one chain of bones: ``python tools/chain_urdf.py chain > urdf/chain.urdf``.

``chain``: bones of the same size; ``tail``: a trunk with a tail that gets thinner. Between two bones there are three
hinges about one point (``--joints ball``: turn about x, then z, then y) or two (``--joints hinges``: z and y); the
small links between the hinges weigh a gram, since simulators refuse massless ones. With all joints at zero the chain
lies along x of its base.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass

AXES = {
    "ball": (("roll", "1 0 0"), ("yaw", "0 0 1"), ("pitch", "0 1 0")),
    "hinges": (("yaw", "0 0 1"), ("pitch", "0 1 0")),
}
DENSITY = 500.0
"""kg/m3: about that of wood."""


@dataclass(frozen=True)
class Chain:
    """What is written.

    Attributes:
        name: Of the robot; its bones are ``bone_001``, … and the frame at their end is ``tip``.
        bones: How many.
        length: Of the first bone, metres.
        radius: Of the first bone, metres.
        taper: Length and radius of the last bone, as a share of the first one's.
        limit: Of every hinge both ways, degrees.
        joints: Key of ``AXES``.
        base: Size of the base, a box, metres.
    """

    name: str
    bones: int
    length: float
    radius: float
    taper: float
    limit: float
    joints: str
    base: tuple[float, float, float]


PRESETS = {
    "chain": Chain("chain", 100, 0.05, 0.018, 1.0, 30.0, "hinges", (0.12, 0.12, 0.12)),
    "tail": Chain("tail", 12, 0.12, 0.06, 0.35, 35.0, "ball", (0.5, 0.22, 0.24)),
}


def number(value: float) -> str:
    """Short, and the same everywhere."""
    return f"{round(value, 9) + 0.0:.9g}"


def inertial(mass: float, x: float, moments: tuple[float, float, float]) -> str:
    """Mass at (x, 0, 0) with principal moments."""
    ixx, iyy, izz = map(number, moments)
    place = f'<origin xyz="{number(x)} 0 0" />' if x else ""
    inertia = f'<inertia ixx="{ixx}" iyy="{iyy}" izz="{izz}" ixy="0" ixz="0" iyz="0" />'
    return f'    <inertial>{place}<mass value="{number(mass)}" />{inertia}</inertial>\n'


def shapes(x: float, rpy: str, geometry: str) -> str:
    """The same shape to look at and to touch."""
    origin = f'<origin xyz="{number(x)} 0 0" rpy="{rpy}" />'
    return "".join(
        f"    <{tag}>{origin}<geometry>{geometry}</geometry>{colour}</{tag}>\n"
        for tag, colour in (("visual", '<material name="bone" />'), ("collision", ""))
    )


def bone(name: str, length: float, radius: float) -> str:
    """A bone: a cylinder along x."""
    mass = DENSITY * math.pi * radius**2 * length
    across = mass * (3.0 * radius**2 + length**2) / 12.0
    body = f'<cylinder radius="{number(radius)}" length="{number(length)}" />'
    return (
        f'  <link name="{name}">\n'
        + inertial(mass, length / 2.0, (mass * radius**2 / 2.0, across, across))
        + shapes(length / 2.0, "0 1.5707963267948966 0", body)
        + "  </link>\n"
    )


def joint(name: str, parent: str, child: str, x: float, axis: str, limit: float) -> str:
    """A hinge."""
    angle = number(math.radians(limit))
    place = f'<origin xyz="{number(x)} 0 0" />' if x else ""
    return (
        f'  <joint name="{name}" type="revolute">{place}<parent link="{parent}" /><child link="{child}" />'
        f'<axis xyz="{axis}" /><limit lower="-{angle}" upper="{angle}" velocity="6" effort="60" /></joint>\n'
    )


def write(chain: Chain) -> str:
    """The URDF."""
    x, y, z = chain.base
    mass = DENSITY * x * y * z
    moments = (mass * (y**2 + z**2) / 12.0, mass * (x**2 + z**2) / 12.0, mass * (x**2 + y**2) / 12.0)
    text = (
        '<?xml version="1.0"?>\n'
        f"<!-- {chain.bones} bones in a row, written by tools/chain_urdf.py: change it there -->\n"
        f'<robot name="{chain.name}">\n'
        '  <material name="bone"><color rgba="0.78 0.55 0.3 1" /></material>\n'
        '  <link name="base_link">\n'
        + inertial(mass, -x / 2.0, moments)
        + shapes(-x / 2.0, "0 0 0", f'<box size="{number(x)} {number(y)} {number(z)}" />')
        + "  </link>\n"
    )
    parent, place = "base_link", 0.0
    for i in range(chain.bones):
        share = 1.0 + (chain.taper - 1.0) * i / max(chain.bones - 1, 1)
        name = f"bone_{i + 1:03d}"
        axes = AXES[chain.joints]
        for k, (motion, axis) in enumerate(axes):
            child = name if k == len(axes) - 1 else f"{name}_{motion}"
            if child != name:
                text += f'  <link name="{child}">\n{inertial(0.001, 0.0, (1e-6, 1e-6, 1e-6))}  </link>\n'
            else:
                text += bone(name, chain.length * share, chain.radius * share)
            text += joint(f"{motion}_{i + 1:03d}", parent, child, place, axis, chain.limit)
            parent, place = child, 0.0
        place = chain.length * share
    return text + (
        f'  <link name="tip" />\n  <joint name="tip_fixed" type="fixed"><origin xyz="{number(place)} 0 0" />'
        f'<parent link="{parent}" /><child link="tip" /></joint>\n</robot>\n'
    )


def main() -> None:
    """Prints the URDF of a preset, changed as asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preset", choices=sorted(PRESETS), help="what to start from")
    parser.add_argument("--bones", type=int, help="how many bones")
    parser.add_argument("--length", type=float, help="of the first bone, metres")
    parser.add_argument("--limit", type=float, help="of every hinge both ways, degrees")
    parser.add_argument("--joints", choices=sorted(AXES), help="hinges between two bones")
    given = vars(parser.parse_args())
    preset = PRESETS[given.pop("preset")]
    print(write(Chain(**{**vars(preset), **{key: value for key, value in given.items() if value is not None}})), end="")


if __name__ == "__main__":
    main()
