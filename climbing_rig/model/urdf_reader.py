"""The text of a URDF, checked before anything believes it: well-formed, expanded, named, finite, one tree."""

from __future__ import annotations

import io
import logging
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lxml import etree

from climbing_rig.errors import ModelError

if TYPE_CHECKING:
    from yourdfpy import Robot

JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed")

#: What a kinematic model has no use for; dropped before parsing, so that an odd mesh or plugin harms nobody.
_UNUSED = ("visual", "collision", "material", "gazebo", "transmission", "sensor")

#: Attributes that are one number: (element, attribute). Limits may be infinite, the rest may not.
_NUMBERS = (
    ("mimic", "multiplier"),
    ("mimic", "offset"),
    ("mass", "value"),
    *(("inertia", moment) for moment in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")),
)
_LIMITS = ("lower", "upper", "velocity", "effort")


class CheckedUrdf(NamedTuple):
    """A URDF whose links and joints have each been checked by themselves.

    Attributes:
        robot: Its links and joints.
        text: The XML.
        label: What to call it in an error: the file, or "the URDF text".
    """

    robot: Robot
    text: str
    label: str


def read_urdf(source: str | Path) -> CheckedUrdf:
    """Reads a URDF; whether its links and joints form a tree is for the caller to check.

    Args:
        source: A file, or the XML itself (a string that starts with ``<``).

    Raises:
        ModelError: It is no URDF that can be used; ``name`` is the joint, link or file.
    """
    if isinstance(source, str) and source.lstrip("\ufeff \t\r\n").startswith("<"):
        label = "the URDF text"
        # Whatever encoding a string declares, it is encoded as UTF-8 here.
        root, text = _parse(source.encode(), label, "utf-8")
    else:
        label = str(source)
        root, text = _parse(_read_bytes(source), label, None)
    _refuse_xacro(root, label)
    for tag in _UNUSED:
        for element in list(root.iter(tag)):
            element.getparent().remove(element)
    _check_names(root, "link", label)
    _check_names(root, "joint", label)
    for element in root.findall("link"):
        _check_numbers(element)
    for element in root.findall("joint"):
        _check_joint(element)
        _check_numbers(element)
    return CheckedUrdf(_through_yourdfpy(root, label), text, label)


def _read_bytes(path: str | Path) -> bytes:
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise ModelError(f"cannot read the URDF {path}: {error}", name=str(path), given=str(path)) from error


def _parse(raw: bytes, label: str, encoding: str | None) -> tuple[etree._Element, str]:
    """The root element and the text; ``encoding`` None means what the XML declares."""
    parser = etree.XMLParser(
        remove_comments=True, remove_pis=True, resolve_entities=False, no_network=True, encoding=encoding
    )
    try:
        root = etree.fromstring(raw, parser)
        text = raw.decode(encoding or root.getroottree().docinfo.encoding or "utf-8")
    except (etree.XMLSyntaxError, UnicodeDecodeError, LookupError) as error:
        raise ModelError(f"{label} is not well-formed XML: {error}", name=label) from error
    if root.tag != "robot":
        raise ModelError(
            f"{label} is not a URDF: its root element is <{root.tag}>", name=label, given=root.tag, choices=("robot",)
        )
    if not root.get("name"):
        root.set("name", "unnamed")
    return root, text


def _refuse_xacro(root: etree._Element, label: str) -> None:
    for element in root.iter(etree.Element):
        text = [element.tag, *element.attrib.values()]
        if "xacro" in element.tag or any("${" in value or "$(" in value for value in text[1:]):
            raise ModelError(
                f"{label} is a xacro that has not been expanded (<{etree.QName(element).localname}>, line "
                f"{element.sourceline}): run `xacro {label} > robot.urdf` first",
                name=label,
                given=element.tag,
            )


def _check_names(root: etree._Element, tag: str, label: str) -> None:
    seen: set[str] = set()
    for element in root.findall(tag):
        name = element.get("name")
        if not name:
            raise ModelError(f"{label}: a <{tag}> on line {element.sourceline} has no name", name=tag)
        if name in seen:
            raise ModelError(f"{label}: two {tag}s are named '{name}'", name=name, given=name)
        seen.add(name)


def _check_joint(element: etree._Element) -> None:
    name, kind = element.get("name"), element.get("type")
    if kind not in JOINT_TYPES:
        hint = "; the root link floats already" if kind == "floating" else ""
        raise ModelError(
            f"joint '{name}' is of type '{kind}', which is not supported{hint}",
            name=name,
            given=kind,
            choices=JOINT_TYPES,
        )
    for end in ("parent", "child"):
        reference = element.find(end)
        if reference is None or not reference.get("link"):
            raise ModelError(f"joint '{name}' has no {end} link", name=name)
    mimic = element.find("mimic")
    if mimic is not None and not mimic.get("joint"):
        raise ModelError(f"joint '{name}' mimics no joint: <mimic> has no 'joint'", name=name)


def _check_numbers(element: etree._Element) -> None:
    """Raises ModelError unless all numbers of a link or joint can be read and are finite (a limit may be infinite)."""
    owner = f"{element.tag} '{element.get('name')}'"
    name = element.get("name")
    for tag, keys in (("origin", ("xyz", "rpy")), ("axis", ("xyz",))):
        for child in element.iter(tag):
            for key in keys:
                value = child.get(key)
                if value is not None and (len(value.split()) != 3 or not all(map(_is_finite, value.split()))):
                    raise ModelError(
                        f"{owner}: <{tag} {key}> is '{value}', not three finite numbers", name=name, given=value
                    )
    for tag, key in _NUMBERS:
        for child in element.iter(tag):
            value = child.get(key)
            if value is not None and not _is_finite(value):
                raise ModelError(f"{owner}: <{tag} {key}> is '{value}', not a finite number", name=name, given=value)
    for child in element.iter("limit"):
        for key in _LIMITS:
            value = child.get(key)
            if value is not None and (number := _number(value)) != number:
                raise ModelError(f"{owner}: <limit {key}> is '{value}', not a number", name=name, given=value)


def _number(text: str) -> float:
    """The number ``text`` says, or NaN."""
    try:
        return float(text)
    except ValueError:
        return math.nan


def _is_finite(text: str) -> bool:
    return math.isfinite(_number(text))


def _through_yourdfpy(root: etree._Element, label: str) -> Robot:
    import yourdfpy  # here: what it brings along takes a second to import

    with _silenced(logging.getLogger("yourdfpy.urdf")):
        try:
            urdf = yourdfpy.URDF.load(io.BytesIO(etree.tostring(root)), build_scene_graph=False, load_meshes=False)
        except Exception as error:  # what the checks above have missed: the parser raises whatever comes
            raise ModelError(f"{label} cannot be read as a URDF: {error!r}", name=label) from error
    return urdf.robot


@contextmanager
def _silenced(logger: logging.Logger) -> Iterator[None]:
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before
