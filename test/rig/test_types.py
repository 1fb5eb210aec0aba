"""Types of pins: what they are called, what they take, and that a value comes back as it went in."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from climbing_rig.rig.types import KINDS, LIMBS, Names, PinType, decode, encode, parse_type

NAMES = Names(bones=("base", "left_hand", "right_hand", "odd[1]"), limbs=("left_arm", "right_arm"))
finite = st.floats(allow_nan=False, allow_infinity=False)
VALUES = {
    "float": finite,
    "int": st.integers(-(2**63), 2**63 - 1),
    "bool": st.booleans(),
    "vec3": st.tuples(finite, finite, finite),
    "quat": st.sampled_from([(0.0, 0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0), (0.6, 0.0, -0.8, 0.0)]),
    "transform": st.tuples(finite, finite, finite).map(lambda p: (*p, 0.0, 1.0, 0.0, 0.0)),
    "bone": st.sampled_from(NAMES.bones),
    "limb": st.sampled_from(NAMES.limbs),
}


def test_every_kind_is_tried_here():
    assert set(VALUES) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_a_value_comes_back_as_it_went_in(kind, data):
    value = data.draw(VALUES[kind])
    single = parse_type(kind)
    assert decode(single, encode(single, value, NAMES), NAMES) == value
    array = parse_type(f"{kind}[5]")
    items = tuple(data.draw(st.lists(VALUES[kind], max_size=5)))
    words = encode(array, items, NAMES)
    assert len(words) == array.words == 1 + 5 * KINDS[kind].words
    assert decode(array, words, NAMES) == items


@pytest.mark.parametrize("text", ["float", "vec3[8]", "bone[limbs]", "transform[1000000]"])
def test_a_type_is_written_as_it_is_read(text):
    assert str(parse_type(text)) == text


@pytest.mark.parametrize(
    "text",
    ["", "double", "Float", "float[]", "float[0]", "float[-1]", "float[1000001]", "float[bones]", "float[2][2]",
     " float", "float ", "float[2]x", None, 3, ["float"], "float[1.5]", "vec3[²]"],
)  # fmt: skip
def test_what_is_no_type_is_refused_in_words(text):
    with pytest.raises(ValueError, match=r"is no type; valid: float, int|a capacity is a number"):
        parse_type(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("float", "1.0"), ("float", True), ("float", math.nan), ("float", math.inf), ("float", None), ("float", [1.0]),
        ("int", 1.0), ("int", True), ("int", 2**63), ("int", "1"), ("bool", 1), ("bool", "true"), ("bool", None),
        ("vec3", (1.0, 2.0)), ("vec3", (1.0, 2.0, 3.0, 4.0)), ("vec3", "123"), ("vec3", (1.0, 2.0, math.nan)),
        ("vec3", 1.0), ("vec3", {"x": 1}), ("vec3", (True, False, True)), ("vec3", ((1,), (2,), (3,))),
        ("quat", (1.0, 1.0, 1.0, 1.0)), ("quat", (0.0, 0.0, 0.0, 0.5)), ("quat", (0.0, 0.0, 1.0)),
        ("transform", (0.0,) * 6), ("transform", (0.0,) * 6 + (2.0,)),
        ("bone", "left_foot"), ("bone", 0), ("bone", "left_*"), ("bone", None), ("bone", ["base"]),
        ("limb", "base"), ("limb", ""),
        ("float[2]", 1.0), ("float[2]", (1.0, 2.0, 3.0)), ("float[2]", "12"), ("float[2]", (1.0, "x")),
        ("bone[4]", "left_*"), ("bone[4]", ("foot_*",)), ("bone[1]", ("*",)), ("bool[2]", (0, 1)),
        ("float", 10**400), ("vec3", (10**400, 0, 0)), ("vec3", np.array(1.0)), ("float[2]", np.array(1.0)),
        ("vec3", np.zeros((3, 3))), ("float", np.complex128(1.0)), ("float[2]", b"ab"), ("vec3", b"abc"),
    ],
)  # fmt: skip
def test_a_value_of_another_type_is_refused_in_words(text, value):
    with pytest.raises(ValueError, match=r"\w+ \w+"):
        encode(parse_type(text), value, NAMES)


def test_numpy_values_are_values_too():
    assert decode(PinType("vec3"), encode(PinType("vec3"), np.array([1, 2, 3]), NAMES), NAMES) == (1.0, 2.0, 3.0)
    assert decode(PinType("int"), encode(PinType("int"), np.int32(7), NAMES), NAMES) == 7
    assert decode(PinType("bool"), encode(PinType("bool"), np.bool_(True), NAMES), NAMES) is True
    assert decode(PinType("float"), encode(PinType("float"), np.float32(0.5), NAMES), NAMES) == 0.5


def test_a_pattern_stands_for_all_names_that_fit_and_a_real_name_wins_over_it():
    bones = parse_type("bone[8]")
    assert decode(bones, encode(bones, ["*_hand", "base"], NAMES), NAMES) == ("left_hand", "right_hand", "base")
    assert decode(bones, encode(bones, ["odd[1]"], NAMES), NAMES) == ("odd[1]",)
    limbs = parse_type("limb[8]")
    assert decode(limbs, encode(limbs, ["*"], NAMES), NAMES) == NAMES.limbs


@given(st.tuples(*[st.floats(-1, 1)] * 4).filter(lambda q: math.hypot(*q) > 0.1))
def test_a_quaternion_that_is_nearly_of_length_one_is_made_so(q):
    length = math.hypot(*q)
    given_value = tuple(x / length * 1.0005 for x in q)
    words = encode(PinType("quat"), given_value, NAMES)
    assert math.hypot(*words) == pytest.approx(1.0, abs=1e-15)


def test_a_pin_reads_its_own_type_and_shorter_arrays_of_it():
    for kind in KINDS:
        for other in KINDS:
            assert PinType(kind).accepts(PinType(other)) is (kind == other)
            assert PinType(kind, 4).accepts(PinType(other, 3)) is (kind == other)
            assert not PinType(kind, 4).accepts(PinType(other, 5))
            assert not PinType(kind, 4).accepts(PinType(other))
            assert not PinType(kind).accepts(PinType(other, 1))


def test_the_capacity_limbs_becomes_the_number_of_the_robots_limbs():
    assert str(parse_type("vec3[limbs]")) == f"vec3[{LIMBS}]"
    assert parse_type("vec3[limbs]").on(NAMES) == PinType("vec3", 2)
    assert parse_type("vec3[3]").on(NAMES) == PinType("vec3", 3)


def test_a_count_that_was_written_wrong_is_read_within_the_array():
    array = PinType("float", 2)
    for count, items in ((-5, 0), (9, 2)):
        words = encode(array, (1.0, 2.0), NAMES)
        words.view(np.int64)[0] = count
        assert len(decode(array, words, NAMES)) == items
