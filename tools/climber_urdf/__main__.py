"""Writes urdf/climber.urdf to standard output: ``python tools/climber_urdf > urdf/climber.urdf``."""

from __future__ import annotations

import math
import sys
import xml.etree.ElementTree as ET

from look import COLOURS, dress
from parts import Joint, Link, Shape, Vector
from skeleton import build

HEADER = """<?xml version="1.0"?>
<!-- A climber of 1.75 m and 70 kg, written by tools/climber_urdf: change it there. Sources: urdf/README.md -->
"""


def number(value: float) -> str:
    """Short and the same everywhere; never "-0"."""
    return f"{round(value, 9) + 0.0:.9g}"


def triple(values: tuple[float, ...]) -> str:
    """Numbers with blanks between."""
    return " ".join(map(number, values))


def add_origin(parent: ET.Element, xyz: Vector, rpy: Vector) -> None:
    """An <origin>, its angles with all digits: a contact frame should be square to its link."""
    if any(xyz) or any(rpy):
        ET.SubElement(parent, "origin", xyz=triple(xyz), rpy=" ".join(repr(angle + 0.0) for angle in rpy))


def add_shape(parent: ET.Element, tag: str, shape: Shape) -> None:
    """A <visual> or <collision>."""
    element = ET.SubElement(parent, tag)
    add_origin(element, shape.xyz, shape.rpy)
    geometry = ET.SubElement(element, "geometry")
    if shape.kind == "box":
        ET.SubElement(geometry, "box", size=triple(shape.size))
    elif shape.kind == "sphere":
        ET.SubElement(geometry, "sphere", radius=number(shape.size[0]))
    else:
        ET.SubElement(geometry, "cylinder", radius=number(shape.size[0]), length=number(shape.size[1]))
    if tag == "visual":
        ET.SubElement(element, "material", name=shape.colour)


def add_link(robot: ET.Element, link: Link) -> None:
    """A <link> with its inertia and shapes."""
    element = ET.SubElement(robot, "link", name=link.name)
    if link.mass > 0.0:
        inertial = ET.SubElement(element, "inertial")
        add_origin(inertial, link.com, (0.0, 0.0, 0.0))
        ET.SubElement(inertial, "mass", value=number(link.mass))
        moments = dict(zip(("ixx", "iyy", "izz"), map(number, link.inertia), strict=True))
        ET.SubElement(inertial, "inertia", moments | {"ixy": "0", "ixz": "0", "iyz": "0"})
    for tag, shapes in (("visual", link.visuals), ("collision", link.collisions)):
        for shape in shapes:
            add_shape(element, tag, shape)


def add_joint(robot: ET.Element, joint: Joint) -> None:
    """A <joint>."""
    element = ET.SubElement(robot, "joint", name=joint.name, type="fixed" if joint.motion is None else "revolute")
    add_origin(element, joint.xyz, joint.rpy)
    ET.SubElement(element, "parent", link=joint.parent)
    ET.SubElement(element, "child", link=joint.child)
    if joint.motion is not None:
        motion = joint.motion
        ET.SubElement(element, "axis", xyz=triple(motion.axis))
        ET.SubElement(
            element,
            "limit",
            lower=number(math.radians(motion.lower)),
            upper=number(math.radians(motion.upper)),
            velocity=number(motion.velocity),
            effort=number(motion.effort),
        )


def main() -> None:
    """Writes the URDF."""
    skeleton = build()
    dress(skeleton.links)
    skeleton.add_right_side()
    robot = ET.Element("robot", name="climber")
    for name, rgba in COLOURS.items():
        ET.SubElement(ET.SubElement(robot, "material", name=name), "color", rgba=triple(rgba))
    for link in skeleton.links.values():
        add_link(robot, link)
    for joint in skeleton.joints:
        add_joint(robot, joint)
    ET.indent(robot)
    sys.stdout.write(HEADER + ET.tostring(robot, encoding="unicode") + "\n")


if __name__ == "__main__":
    main()
