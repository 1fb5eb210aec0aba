"""Debug: stop a tick when something is not so, and note values to be shown."""

from __future__ import annotations

import math

from climbing_rig.rig.types import KINDS
from climbing_rig.rig.unit_definition import pin, unit


@unit(
    "debug.assert_true",
    inputs=(pin("condition", "bool", True, doc="what must be so"),),
    failures=("the condition is false",),
    keywords=("check", "ensure", "require", "stop"),
)
def _assert_true(condition):  # type: ignore[no-untyped-def]
    """Ends the tick with this node's name when its condition is false; the variables are as before the tick."""
    return 0 if condition else 1


def _finite_number(value, result):  # type: ignore[no-untyped-def]
    """Hands a value on; ends the tick with this node's name when a number of it is infinite or none."""
    result[0] = value
    return 0 if math.isfinite(value) else 1


def _finite_row(value, result):  # type: ignore[no-untyped-def]
    """Hands a value on; ends the tick with this node's name when a number of it is infinite or none."""
    finite = True
    for k in range(result.shape[0]):
        result[k] = value[k]
        finite = finite and math.isfinite(value[k])
    return 0 if finite else 1


def _print_number(condition, value, kept, printed):  # type: ignore[no-untyped-def]
    """Notes a value to be shown when its condition is true; native code prints nothing, whoever runs the rig does."""
    if condition:
        kept[0] = value
        printed[0] += 1


def _print_row(condition, value, kept, printed):  # type: ignore[no-untyped-def]
    """Notes a value to be shown when its condition is true; native code prints nothing, whoever runs the rig does."""
    if condition:
        for k in range(kept.shape[0]):
            kept[k] = value[k]
        printed[0] += 1


for _kind, _about in KINDS.items():
    _value = pin("value", _kind, doc="the value")
    if not _about.integer:  # a whole number is always finite
        unit(
            f"debug.assert_finite.{_kind}",
            inputs=(_value,),
            outputs=(pin("result", _kind, doc="the same value"),),
            failures=("the value is not finite",),
            keywords=("nan", "infinite", "check"),
        )(_finite_number if _about.words == 1 else _finite_row)
    unit(
        f"debug.print.{_kind}",
        inputs=(pin("condition", "bool", True, doc="whether to note the value now"), _value),
        outputs=(
            pin("kept", _kind, doc="the value last noted"),
            pin("printed", "int", doc="how often one was noted since the machine was made"),
        ),
        keywords=("log", "show", "message", "watch"),
    )(_print_number if _about.words == 1 else _print_row)
