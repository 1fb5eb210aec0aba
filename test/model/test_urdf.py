"""What a URDF's joints come to: limits, speeds, mimic joints, fixed ones, and the oddities of real files."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from robots import URDFS, frames, robot

from climbing_rig.errors import ConfigError, ModelError
from climbing_rig.model import JointSettings, load_urdf


def joint(name, parent, child, kind="revolute", inside="<limit lower='-1' upper='2' velocity='3' effort='4'/>", z=1):
    """A joint one metre above its parent that turns about x, or what ``inside`` says."""
    return (
        f"<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/>"
        f"<origin xyz='0 0 {z}'/>{inside}</joint>"
    )


def urdf(*joints, links="abcd"):
    """A robot whose links are a, b, c and so on."""
    return (
        "<robot name='r'>"
        + "".join(f"<link name='{name}'/>" for name in links[: len(joints) + 1])
        + ("".join(joints) + "</robot>")
    )


def limited(lower=-1.0, upper=2.0, velocity=3.0, more=""):
    return f"<limit lower='{lower}' upper='{upper}' velocity='{velocity}' effort='4'/>{more}"


def mimic(master, multiplier=1.0, offset=0.0):
    return f"<mimic joint='{master}' multiplier='{multiplier}' offset='{offset}'/>"


def test_a_revolute_joint_has_its_limits_speed_and_effort():
    model = load_urdf(urdf(joint("j", "a", "b")))
    assert model.joint_names == model.movable_joint_names == ("j",)
    assert (model.lower[0], model.upper[0], model.velocity[0], model.effort[0]) == (-1.0, 2.0, 3.0, 4.0)
    assert (model.root_link, model.notes, model.passive.tolist()) == ("a", (), [False])


def test_a_continuous_joint_has_no_limits_and_needs_no_limit_element():
    model = load_urdf(urdf(joint("j", "a", "b", "continuous", "")))
    assert (model.lower[0], model.upper[0], model.effort[0]) == (-math.inf, math.inf, math.inf)
    assert model.velocity[0] == JointSettings().default_velocity


def test_a_prismatic_joint_slides_along_its_axis_made_unit():
    model = load_urdf(urdf(joint("j", "a", "b", "prismatic", limited() + "<axis xyz='0 3 0'/>")))
    np.testing.assert_allclose(frames(model, np.array([0.5]))["b"][1], [0.0, 0.5, 1.0])


def test_neutral_is_zero_clamped_into_the_limits():
    model = load_urdf(
        urdf(joint("j", "a", "b", inside=limited(0.5, 1.0)), joint("k", "b", "c", inside=limited(-2.0, -1.5)))
    )
    np.testing.assert_array_equal(model.neutral, [0.5, -1.5])


@pytest.mark.parametrize("text", ["<limit lower='-1' upper='1'/>", limited(velocity=0.0), limited(velocity="inf")])
def test_a_velocity_that_is_missing_zero_or_infinite_is_unset_and_noted(text):
    model = load_urdf(urdf(joint("j", "a", "b", inside=text)), JointSettings(default_velocity=2.5))
    assert model.velocity[0] == 2.5
    assert model.notes == ("velocity unset, 2.5 rad/s assumed: j",)


def test_a_configured_velocity_replaces_the_urdfs_and_is_no_assumption():
    model = load_urdf(urdf(joint("j", "a", "b", inside=limited(velocity=0.0))), JointSettings(velocity={"j": 1.5}))
    assert (model.velocity[0], model.notes) == (1.5, ())


def test_equal_limits_fix_a_joint_at_that_value_but_keep_it_in_joint_states():
    model = load_urdf(
        urdf(joint("j", "a", "b", inside=limited(math.pi / 2, math.pi / 2)), joint("k", "b", "c", "fixed", ""))
    )
    assert (model.joint_names, model.movable_joint_names) == ((), ("j",))
    np.testing.assert_allclose(model.joint_values(np.empty(0)), [math.pi / 2])
    np.testing.assert_allclose(frames(model, np.empty(0))["c"][1], [0.0, -1.0, 1.0], atol=1e-15)
    assert "fixed" in model.notes[0] and "j" in model.notes[0]


def test_a_limit_element_without_lower_and_upper_means_zero_and_can_be_replaced():
    text = urdf(joint("j", "a", "b", inside="<limit velocity='1' effort='1'/>"))
    assert load_urdf(text).joint_names == ()
    model = load_urdf(text, JointSettings(limits={"j": (-0.5, 0.25)}))
    assert (model.lower[0], model.upper[0]) == (-0.5, 0.25)
    assert load_urdf(text, JointSettings(limits={"j": (0.5, 0.5)})).joint_values(np.empty(0)) == [0.5]


def test_reversed_limits_are_refused_by_name_unless_they_are_to_be_exchanged():
    text = urdf(joint("j", "a", "b", inside=limited(1.0, -1.0)))
    with pytest.raises(ModelError, match=r"'j'.*swap_reversed_limits") as caught:
        load_urdf(text)
    assert (caught.value.name, caught.value.given) == ("j", (1.0, -1.0))
    model = load_urdf(text, JointSettings(swap_reversed_limits=True))
    assert (model.lower[0], model.upper[0]) == (-1.0, 1.0)
    assert model.notes == ("limits exchanged, lower was above upper: j",)


def test_passive_joints_are_those_that_are_configured():
    settings_ = JointSettings(passive=("k",))
    model = load_urdf(urdf(joint("j", "a", "b"), joint("k", "b", "c")), settings_)
    np.testing.assert_array_equal(model.passive, [False, True])


def test_a_joint_of_no_effort_that_is_not_configured_as_passive_is_noted():
    text = urdf(joint("j", "a", "b", inside="<limit lower='-1' upper='1' velocity='1' effort='0'/>"))
    assert load_urdf(text).notes == ("effort 0, but not configured as passive: j",)
    assert load_urdf(text, JointSettings(passive=("j",))).notes == ()


@pytest.mark.parametrize("key", ["velocity", "limits", "passive"])
def test_a_setting_of_a_joint_that_does_not_move_is_refused_with_those_that_do(key):
    value = ("nobody",) if key == "passive" else {"nobody": (0.0, 1.0) if key == "limits" else 1.0}
    with pytest.raises(ConfigError, match="nobody") as caught:
        load_urdf(urdf(joint("j", "a", "b")), JointSettings(**{key: value}))
    assert (caught.value.name, caught.value.choices) == (f"joints.{key}", ("j",))


# -- mimic -------------------------------------------------------------------------------------------------------


def test_a_chain_of_mimic_joints_follows_the_independent_one():
    model = load_urdf(
        urdf(
            joint("first", "a", "b", inside=limited(-9, 9, more=mimic("second", 2.0, 0.1))),
            joint("second", "b", "c", inside=limited(-9, 9, more=mimic("third", -0.5, 0.2))),
            joint("third", "c", "d"),
        )
    )
    assert (model.joint_names, model.movable_joint_names) == (("third",), ("first", "second", "third"))
    np.testing.assert_allclose(model.joint_values(np.array([0.6])), [2.0 * (-0.3 + 0.2) + 0.1, -0.3 + 0.2, 0.6])
    assert [(m.name, m.master) for m in model.mimic] == [("first", "third"), ("second", "third")]


@settings(max_examples=60, deadline=None)
@given(
    multiplier=st.floats(-3, 3).filter(lambda m: abs(m) > 0.05),
    offset=st.floats(-1, 1),
    lower=st.floats(-2, -0.5),
    upper=st.floats(0.5, 2),
    share=st.floats(0, 1),
)
def test_within_its_masters_range_a_mimic_joint_never_leaves_its_own(multiplier, offset, lower, upper, share):
    follower = limited(lower, upper, 2.0, mimic("j", multiplier, offset))
    try:
        model = load_urdf(urdf(joint("j", "a", "b"), joint("k", "b", "c", inside=follower)))
    except ModelError as error:  # only when no value of the master would do
        ends = multiplier * -1.0 + offset, multiplier * 2.0 + offset
        assert error.name == "k" and (max(ends) < lower or min(ends) > upper)
        return
    q = model.lower + share * (model.upper - model.lower)
    values = model.joint_values(q)
    assert -1.0 - 1e-9 <= values[0] <= 2.0 + 1e-9
    assert lower - 1e-9 <= values[1] <= upper + 1e-9
    if model.joint_names:  # the follower's speed counts as well
        assert model.velocity[0] == pytest.approx(min(3.0, 2.0 / abs(multiplier)))


def test_a_mimic_joint_of_one_that_does_not_move_is_fixed_with_it():
    model = load_urdf(
        urdf(joint("j", "a", "b", inside=limited(0.5, 0.5)), joint("k", "b", "c", inside=limited(more=mimic("j", 2.0))))
    )
    assert model.joint_names == ()
    np.testing.assert_allclose(model.joint_values(np.empty(0)), [0.5, 1.0])


def test_opposed_mimic_limits_that_leave_one_value_fix_both_joints():
    follower = limited(0.0, 0.5, more=mimic("j", -1.0))
    model = load_urdf(urdf(joint("j", "a", "b", inside=limited(0.0, 0.5)), joint("k", "b", "c", inside=follower)))
    assert model.joint_names == ()
    np.testing.assert_array_equal(model.joint_values(np.empty(0)), [0.0, 0.0])
    assert "j, k" in model.notes[0]


@pytest.mark.parametrize(
    ("joints", "name", "words"),
    [
        ((joint("j", "a", "b", inside=limited(more=mimic("j"))),), "j", "circle: j -> j"),
        (
            (
                joint("j", "a", "b", inside=limited(more=mimic("k"))),
                joint("k", "b", "c", inside=limited(more=mimic("j"))),
            ),
            "k",
            "circle",
        ),
        ((joint("j", "a", "b", inside=limited(more=mimic("x"))),), "j", "'x', which does not exist"),
        ((joint("j", "a", "b", inside=limited(more="<mimic multiplier='2'/>")),), "j", "mimics no joint"),
        (
            (joint("j", "a", "b"), joint("k", "b", "c", inside=limited(5.0, 6.0, more=mimic("j")))),
            "k",
            "within its limits",
        ),
    ],
)
def test_a_mimic_that_cannot_be_is_refused_by_name(joints, name, words):
    with pytest.raises(ModelError, match=words) as caught:
        load_urdf(urdf(*joints))
    assert caught.value.name == name


# -- frames ------------------------------------------------------------------------------------------------------


def test_a_link_and_a_joint_may_share_a_name():
    model = load_urdf(urdf(joint("b", "a", "b")))
    assert (model.frame("b")[0], model.joint_index("b")) == (1, 0)


def test_an_unknown_link_or_joint_is_refused_with_the_names_that_exist():
    model = load_urdf(urdf(joint("j", "a", "b"), joint("k", "b", "c", inside=limited(more=mimic("j")))))
    with pytest.raises(ModelError, match="no link 'x'; valid: a, b, c") as caught:
        model.frame("x")
    assert caught.value.choices == ("a", "b", "c")
    with pytest.raises(ModelError, match="'k' does not move on its own"):
        model.joint_index("k")


def test_a_text_with_a_byte_order_mark_and_an_encoding_is_read():
    text = "\ufeff<?xml version='1.0' encoding='latin-1'?>" + urdf(joint("größe", "a", "b"))
    assert load_urdf(text).joint_names == ("größe",)


# -- real files --------------------------------------------------------------------------------------------------


def test_real_robots_have_the_joints_that_were_counted():
    counts = {"talos": (32, 44), "nao": (25, 42), "laikago": (12, 12), "triathlete": (24, 27), "loris": (26, 26)}
    for name, (independent, movable) in counts.items():
        model = robot(name)
        assert (len(model.joint_names), len(model.movable_joint_names)) == (independent, movable), name
        assert np.isfinite(model.velocity).all() and (model.velocity > 0.0).all()
        assert (model.lower <= model.neutral).all() and (model.neutral <= model.upper).all()


def test_real_oddities_are_noted():
    notes = robot("triathlete").notes
    assert any("limits are equal" in note and "TCam1" in note for note in notes)
    assert any("rad/s assumed" in note for note in notes) and any(" m/s assumed" in note for note in notes)
    assert load_urdf(URDFS / "quadruped_8dof.urdf").joint_names == ("FL_HFE", "FR_HFE", "BL_HFE", "BR_HFE")
