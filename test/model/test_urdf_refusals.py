"""What is not a usable URDF is an error that names the joint, the link or the file."""

from __future__ import annotations

import contextlib
import logging
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from robots import URDFS
from test_urdf import joint, limited, urdf

from climbing_rig.errors import ModelError
from climbing_rig.model import load_urdf


@pytest.mark.parametrize("kind", ["planar", "floating", "spherical", "None", ""])
def test_other_joint_types_are_refused_by_name_with_those_that_exist(kind):
    with pytest.raises(ModelError, match="'j' is of type") as caught:
        load_urdf(urdf(joint("j", "a", "b", kind)))
    assert (caught.value.name, caught.value.given) == ("j", kind)
    assert caught.value.choices == ("revolute", "continuous", "prismatic", "fixed")


ONE = joint("j", "a", "b")


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        (urdf(joint("j", "a", "b", inside="")), "j", "has no <limit>"),
        (urdf(joint("j", "a", "b", inside=limited() + "<axis xyz='0 0 0'/>")), "j", "zero axis"),
        (urdf(joint("j", "a", "b", inside=limited() + "<axis xyz='nan 0 1'/>")), "j", "axis xyz"),
        (urdf(joint("j", "a", "b", inside=limited() + "<axis xyz='0 1'/>")), "j", "not three finite numbers"),
        (urdf(joint("j", "a", "b", z="inf")), "j", "origin xyz"),
        (urdf(joint("j", "a", "b", z="one")), "j", "origin xyz"),
        (urdf(joint("j", "a", "b", inside=limited(lower="nan"))), "j", "limit lower"),
        (urdf(joint("j", "a", "b", inside=limited(lower="inf", upper="inf"))), "j", "leave no value"),
        (urdf(joint("j", "a", "b", inside=limited(velocity=-1))), "j", "negative velocity"),
        (urdf(joint("j", "a", "b", inside="<limit lower='0' upper='1' effort='-2'/>")), "j", "negative effort"),
        (urdf(joint("j", "a", "b"), joint("j", "b", "c")), "j", "two joints are named 'j'"),
        (urdf(ONE, links="aa"), "a", "two links are named 'a'"),
        (urdf(joint("j", "a", "x")), "j", "child link 'x', which does not exist"),
        (urdf(joint("j", "x", "b")), "j", "parent link 'x', which does not exist"),
        (urdf(joint("j", "a", "c"), joint("k", "b", "c")), "c", "hangs from two joints"),
        (urdf(ONE, joint("k", "c", "d"), "", links="abcd"), "c", "several root links: a, c"),
        (urdf(ONE, joint("k", "c", "d"), joint("l", "d", "c")), "k", "loop: k, l"),
        (urdf(joint("j", "a", "a"), links="a"), "j", "loop"),
        ("<robot name='r'/>", "the URDF text", "has no links"),
        ("<robot name='r'><link/></robot>", "link", "has no name"),
        ("<robot name='r'><link name='a'/><joint name='j' type='fixed'/></robot>", "j", "no parent link"),
        ("<model><link name='a'/></model>", "the URDF text", "root element is <model>"),
        ("<robot name='r'><link name='a'>", "the URDF text", "not well-formed XML"),
        (urdf(ONE) + "\0", "the URDF text", "not well-formed XML"),
        (urdf(ONE) + urdf(ONE), "the URDF text", "not well-formed XML"),
        (
            "<robot name='r'><link name='a'><inertial><mass value='-1'/></inertial></link></robot>",
            "a",
            "negative mass",
        ),
        (
            "<robot name='r'><link name='a'><inertial><mass value='nan'/></inertial></link></robot>",
            "a",
            "mass value",
        ),
        (
            "<robot name='r'><link name='a'><inertial><origin xyz='0 nan 0'/></inertial></link></robot>",
            "a",
            "origin xyz",
        ),
        (urdf(joint("${prefix}j", "a", "b")), "the URDF text", "xacro"),
        (
            "<robot name='r' xmlns:xacro='http://wiki.ros.org/wiki/xacro'><xacro:arm/></robot>",
            "the URDF text",
            "xacro that has not been expanded",
        ),
    ],
)
def test_a_broken_robot_is_refused_by_name(text, name, words):
    with pytest.raises(ModelError, match=words) as caught:
        load_urdf(text)
    assert caught.value.name == name


def test_a_real_file_with_a_byte_after_its_end_is_refused_without_a_log(caplog):
    with caplog.at_level(logging.DEBUG), pytest.raises(ModelError, match=r"bad_humanoid_trailing.urdf.*XML"):
        load_urdf(URDFS / "bad_humanoid_trailing.urdf")
    assert caplog.records == []


def test_a_real_xacro_is_refused_with_the_command_that_expands_it():
    with pytest.raises(ModelError, match=r"run `xacro .*loris_climber.urdf.xacro"):
        load_urdf(URDFS / "loris_climber.urdf.xacro")


def test_a_leftover_xacro_namespace_is_no_xacro():
    text = urdf(joint("j", "a", "b")).replace("<robot", "<robot xmlns:xacro='http://wiki.ros.org/wiki/xacro'")
    assert load_urdf(text).joint_names == ("j",)


@pytest.mark.parametrize("path", ["no/such/file.urdf", "/", "a\0b"])
def test_a_file_that_cannot_be_read_is_an_error_of_ours(path):
    with pytest.raises(ModelError, match="cannot read the URDF"):
        load_urdf(path)


def test_an_external_entity_is_not_read():
    text = "<!DOCTYPE robot [<!ENTITY e SYSTEM 'file:///etc/hostname'>]><robot name='r'><link name='a'/>&e;</robot>"
    assert load_urdf(text).link_names == ("a",)


NUMBERS = st.sampled_from(["0", "1", "-0.5", "nan", "inf", "-inf", "1e400", "", "x", "0x1", "1 2", "1e-300"])


@settings(max_examples=150, deadline=None)
@given(
    kind=st.sampled_from(["revolute", "continuous", "prismatic", "fixed"]),
    lower=NUMBERS,
    upper=NUMBERS,
    velocity=NUMBERS,
    axis=st.lists(NUMBERS, min_size=2, max_size=4),
    multiplier=NUMBERS,
)
def test_whatever_numbers_stand_there_a_robot_is_finite_or_refused(kind, lower, upper, velocity, axis, multiplier):
    inside = limited(lower, upper, velocity) + f"<axis xyz='{' '.join(axis)}'/>"
    follower = limited(-1, 1, 1, f"<mimic joint='j' multiplier='{multiplier}'/>")
    try:
        model = load_urdf(urdf(joint("j", "a", "b", kind, inside), joint("k", "b", "c", inside=follower)))
    except ModelError as error:
        assert error.name in ("j", "k")
        return
    for value in (*model.neutral, *model.velocity, *model.tree.axis.ravel(), *model.joint_offset):
        assert math.isfinite(value)
    assert (model.lower <= model.upper).all()
    assert not any(map(math.isnan, (*model.lower, *model.upper, *model.joint_matrix.ravel())))


@settings(max_examples=80, deadline=None)
@given(st.text(alphabet="<>/= 'abrobotlinkname&;\0é", max_size=60))
def test_any_text_is_a_robot_or_refused(text):
    with contextlib.suppress(ModelError):
        load_urdf("<robot>" + text)
