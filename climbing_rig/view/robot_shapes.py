"""What a robot looks like: the URDF's visuals as meshes on the bodies of the kinematic tree.

Whatever cannot be drawn is left out, never an error: a link without a usable visual shows its collision shape, and a
body without either a bone to each of its children, so that a robot whose mesh files are elsewhere is seen all the same.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import trimesh
from numpy.typing import NDArray

from climbing_rig.model import RobotModel
from climbing_rig.view.primitives import Triangles, box, capsule, cylinder, joined, sphere

Colour = tuple[int, int, int]

PLAIN: Colour = (176, 182, 190)
"""Of a visual whose material has no colour."""
BONE: Colour = (150, 158, 170)
_SHORTEST_BONE = 0.015  # m
_BONE_SHARE = 0.09  # of its length
_THICKEST_BONE = 0.03  # m


@dataclass(frozen=True)
class Part:
    """Everything of one colour on one body.

    Attributes:
        body: Index in the kinematic tree.
        mesh: In the body's frame, metres.
        colour: Red, green, blue, 0 to 255.
    """

    body: int
    mesh: Triangles
    colour: Colour


def robot_parts(model: RobotModel) -> tuple[Part, ...]:
    """All there is to draw of a robot, in the order of its bodies."""
    root = ET.fromstring(model.urdf_xml)
    materials = _materials(root)
    index = {name: i for i, name in enumerate(model.link_names)}
    found: dict[tuple[int, Colour], list[Triangles]] = {}
    for link in root.findall("link"):
        i = index.get(link.get("name", ""))
        if i is None:
            continue
        shapes = list(_shapes(link, "visual", materials)) or list(_shapes(link, "collision", materials))
        for mesh, colour in shapes:
            on_body = mesh.moved(model.link_rotation[i], model.link_translation[i])
            found.setdefault((int(model.link_body[i]), colour), []).append(on_body)
    drawn = {body for body, _ in found}
    for body in range(len(model.tree.parent)):
        bones = [] if body in drawn else list(_bones(model, body))
        if bones:
            found[body, BONE] = bones
    return tuple(Part(body, joined(found[body, colour]), colour) for body, colour in sorted(found))


def _materials(root: ET.Element) -> dict[str, Colour]:
    return {
        material.get("name", ""): colour
        for material in root.iter("material")
        if (colour := _own_colour(material)) is not None
    }


def _own_colour(material: ET.Element) -> Colour | None:
    rgba = _floats(material.find("color"), "rgba", 4)
    if rgba is None:
        return None
    red, green, blue = (round(255.0 * min(max(float(value), 0.0), 1.0)) for value in rgba[:3])
    return red, green, blue


def _shapes(link: ET.Element, tag: str, materials: dict[str, Colour]) -> Iterator[tuple[Triangles, Colour]]:
    """The drawable visuals or collisions of a link, in the link's frame."""
    for element in link.findall(tag):
        mesh = _geometry(element.find("geometry"))
        if mesh is None:
            continue
        material = element.find("material")
        colour = PLAIN
        if material is not None:
            colour = _own_colour(material) or materials.get(material.get("name", ""), PLAIN)
        yield mesh.moved(*_origin(element.find("origin"))), colour


def _geometry(geometry: ET.Element | None) -> Triangles | None:
    if geometry is None:
        return None
    for shape in geometry:
        if shape.tag == "box" and (size := _floats(shape, "size", 3)) is not None:
            return box(size)
        if shape.tag == "sphere" and (radius := _floats(shape, "radius", 1)) is not None:
            return sphere(float(radius[0]))
        if shape.tag in ("cylinder", "capsule"):
            radius, length = _floats(shape, "radius", 1), _floats(shape, "length", 1)
            if radius is None or length is None:
                return None
            if shape.tag == "cylinder":
                return cylinder(float(radius[0]), float(length[0]))
            low = np.array([0.0, 0.0, -0.5 * float(length[0])])
            return capsule(float(radius[0]), float(radius[0]), float(length[0])).moved(np.eye(3), low)
        if shape.tag == "mesh":
            return _mesh_file(shape)
    return None


def _mesh_file(shape: ET.Element) -> Triangles | None:
    path = _mesh_path(shape.get("filename", ""))
    if path is None:
        return None
    try:
        mesh = trimesh.load(path, force="mesh")
        vertices, faces = np.asarray(mesh.vertices, dtype=np.float64), np.asarray(mesh.faces, dtype=np.int64)
    except Exception:  # a reader of a foreign format raises whatever comes; the robot is drawn without this mesh
        return None
    scale = _floats(shape, "scale", 3)
    return Triangles(vertices if scale is None else vertices * scale, faces) if len(faces) else None


def _mesh_path(name: str) -> Path | None:
    """The file a URDF's ``filename`` means, or None when there is none."""
    path = Path(name.removeprefix("file://"))
    if name.startswith("package://"):
        package, _, inside = name.removeprefix("package://").partition("/")
        try:
            from ament_index_python.packages import get_package_share_directory

            path = Path(get_package_share_directory(package)) / inside
        except (ImportError, LookupError, OSError, ValueError):  # no ROS, no such package, no workspace, no name
            return None
    return path if path.is_file() else None


def _origin(element: ET.Element | None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(rotation (3, 3), translation (3,)) of an <origin>."""
    xyz, rpy = _floats(element, "xyz", 3), _floats(element, "rpy", 3)
    translation = np.zeros(3) if xyz is None else xyz
    if rpy is None:
        return np.eye(3), translation
    (cr, cp, cy), (sr, sp, sy) = np.cos(rpy), np.sin(rpy)
    rotation = np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )
    return rotation, translation


def _floats(element: ET.Element | None, key: str, count: int) -> NDArray[np.float64] | None:
    """(count,) finite numbers of an attribute, or None."""
    try:
        values = np.array((element.get(key) or "").split() if element is not None else [], dtype=np.float64)
    except ValueError:
        return None
    return values if values.shape == (count,) and np.isfinite(values).all() else None


def _bones(model: RobotModel, body: int) -> Iterator[Triangles]:
    """A tapered bone from a body's origin to that of each child and of each link fixed to it."""
    children = [model.tree.origin_translation[child] for child in np.flatnonzero(model.tree.parent == body)]
    for end in [*children, *model.link_translation[model.link_body == body]]:
        length = float(np.linalg.norm(end))
        if length < _SHORTEST_BONE:
            continue
        radius = min(_BONE_SHARE * length, _THICKEST_BONE)
        z = end / length
        x = np.cross(z, [0.0, 1.0, 0.0] if abs(z[1]) < 0.9 else [1.0, 0.0, 0.0])
        x /= np.linalg.norm(x)
        yield capsule(radius, 0.6 * radius, length).moved(np.stack([x, np.cross(z, x), z], axis=1), np.zeros(3))
