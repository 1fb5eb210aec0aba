"""Flow: branches, loops, and the choice between two values."""

from __future__ import annotations

from climbing_rig.rig.unit_definition import pin, unit

CONDITION = pin("condition", "bool", doc="what decides")
INDEX = pin("index", "int", doc="number of the round, from 0; after the last one, how many there were")
GOING = pin("going", "bool", doc="whether there is another round; false after the last")
LOOP = ("iterate", "repeat", "each", "all")


@unit(
    "flow.branch",
    inputs=(CONDITION,),
    outputs=(pin("taken", "bool", doc="whether the nodes under then are executed, not those under else"),),
    blocks=("then", "else"),
    keywords=("if", "condition", "switch"),
)
def _branch(condition, taken):  # type: ignore[no-untyped-def]
    """Executes the nodes of one of its two blocks: then where the condition is true, else where it is not."""
    taken[0] = condition


@unit(
    "flow.for_loop",
    inputs=(pin("count", "int", doc="rounds; 0 and less mean none"),),
    outputs=(INDEX, pin("ratio", "float", doc="0 in the first round, 1 in the last; 0 if there is but one"), GOING),
    blocks=("body",),
    keywords=(*LOOP, "count", "for"),
)
def _for_loop(count, index, ratio, going):  # type: ignore[no-untyped-def]
    """Executes the nodes of its body exactly count times; count is looked at anew before each round."""
    index[0] += 1
    going[0] = index[0] < count
    ratio[0] = min(index[0] / (count - 1), 1.0) if count > 1 else 0.0


@unit(
    "flow.for_each_bone",
    inputs=(pin("bones", "bone[4096]", doc="the bones, in order; a pattern such as left_* stands for all that fit"),),
    outputs=(INDEX, pin("bone", "bone", doc="the bone of this round; after the last round, the last bone"), GOING),
    blocks=("body",),
    keywords=(*LOOP, "links", "chain"),
)
def _for_each_bone(bones, index, bone, going):  # type: ignore[no-untyped-def]
    """Executes the nodes of its body once for each bone of a list."""
    index[0] += 1
    going[0] = index[0] < bones.shape[0]
    if going[0]:
        bone[0] = bones[index[0]]


@unit(
    "flow.for_each_limb",
    inputs=(pin("limbs", "limb[64]", ("*",), doc="the limbs, in order; a pattern stands for all that fit"),),
    outputs=(INDEX, pin("limb", "limb", doc="the limb of this round; after the last round, the last limb"), GOING),
    blocks=("body",),
    keywords=(*LOOP, "arms", "legs"),
)
def _for_each_limb(limbs, index, limb, going):  # type: ignore[no-untyped-def]
    """Executes the nodes of its body once for each limb of a list, which is every limb when nothing is said."""
    index[0] += 1
    going[0] = index[0] < limbs.shape[0]
    if going[0]:
        limb[0] = limbs[index[0]]


def _select_number(condition, a, b, result):  # type: ignore[no-untyped-def]
    """One of two values, both of which are computed."""
    result[0] = a if condition else b


def _select_row(condition, a, b, result):  # type: ignore[no-untyped-def]
    """One of two values, both of which are computed."""
    for k in range(result.shape[0]):
        result[k] = a[k] if condition else b[k]


for _kind in ("float", "vec3", "quat", "transform"):
    unit(
        f"flow.select.{_kind}",
        inputs=(CONDITION, pin("a", _kind, doc="value where it is true"), pin("b", _kind, doc="value where it is not")),
        outputs=(pin("result", _kind, doc="a or b"),),
        keywords=("if", "choose", "switch", "either"),
    )(_select_number if _kind == "float" else _select_row)
