"""The rig as HTML for the panel: its nodes in their order, links, present values, and where the time goes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from climbing_rig.ros.limb_client import ClimberReport
from climbing_rig.view.palette import Colour, css
from climbing_rig.view.rig_link import NodeValues
from climbing_rig.view.words import BAD, CARE, GOOD, GREY, chip, note

Trace = Mapping[str, NodeValues]

FLOW: Colour = (124, 58, 237)
PLAIN: Colour = (37, 120, 245)
FEW = 12
"""Numbers of an array that are shown."""
_NOTHING = NodeValues({}, False)
_STYLE = f"""<style>
.rig {{padding:.1em .75em .6em;font-size:.82em;line-height:1.35}}
.rig span,.rig b {{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}}
.rig .n {{border-left:3px solid;border-radius:3px;padding:.05em 0 .15em .5em;margin-top:.4em}}
.rig .h,.rig .r {{display:flex;gap:.4em;align-items:baseline}}
.rig .r {{font-size:.9em;line-height:1.3}}
.rig .u {{flex:1 1 0;opacity:.55;font-size:.86em}}
.rig .p {{flex:1 1 0}}
.rig .l {{color:{css(GREY)};font-weight:400}}
.rig .v,.rig .t {{font-family:ui-monospace,Menlo,Consolas,monospace;font-size:.92em;max-width:68%}}
.rig .t {{font-size:.86em;flex-shrink:0}}
.rig .o {{font-weight:600}}
.rig .x {{opacity:.5}}
.rig .s {{margin-top:.4em;opacity:.6;font-size:.88em}}
.rig .b,.rig .b div {{height:3px;border-radius:2px}}
.rig .b {{background:{css(GREY, 0.18)};margin:.1em 0 .15em}}
</style>"""
"""Written once: a picture is sent some times a second."""


def rig_picture(graph: Mapping[str, Any] | None, trace: Trace, report: ClimberReport) -> str:
    """The whole picture.

    Args:
        graph: As on ~/rig, or None when it has not been heard.
        trace: Node -> values of one tick; empty when none has been heard of late.
        report: The climber's words: whether its rig has stopped, or a newer one was refused.
    """
    if graph is None:
        return f'<div style="padding:0.3em 0.75em">{note("the climber has not told its rig yet", CARE)}</div>'
    stopped, refused = report.values.get("rig_stopped", ""), report.values.get("rig_refused", "")
    times = {name: _number(node.values.get("microseconds")) for name, node in trace.items()}
    longest = max(times.values(), default=0.0)
    parts = [_head(graph, trace, sum(times.values()), stopped)]
    parts += [note(stopped, BAD)] if stopped else []
    parts += [note(refused, CARE)] if refused else []
    parts += [
        _own(title, graph[title], trace.get(f"${title}", _NOTHING)) for title in ("inputs", "variables") if graph[title]
    ]
    block = ("", "")
    for node in graph["nodes"]:
        if (node["owner"], node["block"]) != block:
            block = (node["owner"], node["block"])
            if node["block"] in ("then", "else"):
                parts.append(f'<div class="s" style="{_indent(node["depth"])}">{node["block"]}</div>')
        values = trace.get(node["node"])
        parts.append(_node(node, values, times.get(node["node"], 0.0), longest))
    return f'{_STYLE}<div class="rig">{"".join(parts)}</div>'


def _head(graph: Mapping[str, Any], trace: Trace, total: float, stopped: str) -> str:
    state, colour = ("stopped", BAD) if stopped else ("runs", GOOD)
    spent = f", {total:.0f} µs" if trace else ""
    return (
        f'<div style="display:flex;gap:0.5em;align-items:center" title="{escape(str(graph["source"]))}">'
        f"<b>{escape(str(graph['graph']))}</b>"
        f'<span style="opacity:0.6;flex-grow:1">{len(graph["nodes"])} nodes{spent}</span>'
        f"{chip(state, colour)}</div>"
    )


def _own(title: str, declared: Sequence[Mapping[str, Any]], told: NodeValues) -> str:
    """The graph's inputs or variables."""
    rows = "".join(_row(f"${one['name']}", "", _value(one["name"], one["type"], told.values)) for one in declared)
    return f'<div class="s">{title}</div>{rows}'


def _node(node: Mapping[str, Any], told: NodeValues | None, spent: float, longest: float) -> str:
    values = (told or _NOTHING).values
    failed = told is not None and told.failed
    executed = int(_number(values.get("executed")))
    colour = BAD if failed else FLOW if node["unit"].startswith("flow.") else PLAIN
    idle = not node["enabled"] or ("executed" in values and executed == 0)
    notes = [chip("stopped here", BAD)] if failed else []
    notes += [] if node["enabled"] else [chip("off", GREY)]
    notes += [chip(f"{executed}×", GREY)] if executed > 1 else []
    back = f"background:{css(BAD, 0.13)};" if failed else ""
    hint = f"{node['unit']}  {node['place']}\n{node.get('doc', '')}"
    time = f'<span class="t">{spent:.1f} µs</span>' if "microseconds" in values else ""
    return (
        f'<div title="{escape(hint)}" class="n{" x" if idle else ""}" style="{_indent(node["depth"])}{back}'
        f'border-color:{css(colour, 0.75)}"><div class="h"><b>{escape(node["node"])}</b>'
        f'<span class="u">{escape(node["unit"])}</span>{"".join(notes)}{time}</div>'
        f"{_bar(spent, longest, colour)}{''.join(_pins(node, values))}</div>"
    )


def _bar(spent: float, longest: float, colour: Colour) -> str:
    share = 100.0 * spent / longest if longest > 0.0 else 0.0
    return f'<div class="b"><div style="width:{share:.0f}%;background:{css(colour, 0.85)}"></div></div>'


def _pins(node: Mapping[str, Any], values: Mapping[str, str]) -> Iterator[str]:
    """What is given to the node (defaults are left out), and what it makes of it."""
    for pin in node["inputs"]:
        if pin["given"]:
            link = f"← {pin['link'].removeprefix('$')}" if "link" in pin else ""
            value = _value(pin["pin"], pin["type"], values) or ("" if link else _literal(pin["value"]))
            yield _row(pin["pin"], link, value)
    for pin in node["outputs"]:
        kept = f"→ {', '.join(pin['kept'])}" if pin["kept"] else ""
        yield _row(pin["pin"], kept, _value(pin["pin"], pin["type"], values), made=True)


def _row(name: str, link: str, value: str, *, made: bool = False) -> str:
    about = f' <span class="l">{escape(link)}</span>' if link else ""
    told = f'<span class="v">{escape(value)}</span>' if value else ""
    return f'<div class="r{" o" if made else ""}"><span class="p">{escape(name)}{about}</span>{told}</div>'


def _indent(depth: int) -> str:
    return f"margin-left:{depth}em;" if depth else ""


# -- values ------------------------------------------------------------------------------------------------------------


def _value(pin: str, kind: str, values: Mapping[str, str]) -> str:
    """A pin's value in few characters; "" when it is not told."""
    told = [text for key, text in values.items() if key == pin or key.startswith((f"{pin}.", f"{pin}["))]
    if kind.startswith("bool"):
        told = [{"0": "false", "1": "true"}.get(text, text) for text in told]
    digits = 3 if len(told) < 4 else 2
    # Among others a tiny number is nothing; alone it may be what matters.
    shown = " ".join(short(text, digits, tiny=len(told) == 1) for text in told[:FEW])
    return f"{shown} …" if len(told) > FEW else shown


def _literal(value: object) -> str:
    if isinstance(value, list | tuple):
        return " ".join(_literal(item) for item in value[:FEW])
    if isinstance(value, bool):
        return "true" if value else "false"
    return short(str(value), 3)


def short(text: str, digits: int, *, tiny: bool = True) -> str:
    """A number in a few characters, with a minus sign that is as wide as a digit; other text as it is.

    Args:
        text: It.
        digits: Behind the point.
        tiny: Whether what is smaller than that is told.
    """
    try:
        number = float(text)
    except ValueError:
        return text
    if number == 0.0:
        said = "0"
    elif math.isinf(number):
        said = "∞" if number > 0.0 else "-∞"
    elif math.isnan(number) or text.lstrip("-").isdigit():
        said = text
    elif (abs(number) >= 10.0**-digits or not tiny) and abs(number) < 1000.0:
        said = f"{number:.{digits}f}"
        said = said.removeprefix("-") if float(said) == 0.0 else said
    else:
        said = f"{number:.0e}"
    return said.replace("-", "−")


def _number(text: str | None) -> float:
    try:
        return float(text or 0.0)
    except ValueError:
        return 0.0
