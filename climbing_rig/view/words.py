"""The panel's words as HTML."""

from __future__ import annotations

from html import escape

from climbing_rig.ros.limb_client import ClimberReport, LimbReport
from climbing_rig.view.palette import Colour, css
from climbing_rig.view.records import Answer, is_on, spoken

GOOD, CARE, BAD = (22, 163, 74), (217, 119, 6), (220, 38, 38)
GREY: Colour = (120, 130, 145)

PHASE_COLOURS: dict[str, Colour] = {
    "free": GREY,
    "searching": (14, 116, 190),
    "candidate": CARE,
    "gripping": (124, 58, 237),
    "locked": GOOD,
    "releasing": (124, 58, 237),
}

KEYS = (
    ("1 – 9", "select a limb"),
    ("I J K L", "push it up, left, down, right"),
    ("G / R", "grip / release"),
    ("T", "attach to the wall"),
    ("P", "pause or go on"),
    ("space", "stop"),
    ("W A S D, arrows", "move the camera"),
)


def chip(text: str, colour: Colour) -> str:
    """A word or two in a coloured pill."""
    return (
        f'<span style="background:{css(colour, 0.16)};color:{css(colour)};border-radius:1em;padding:0.05em 0.6em;'
        f'font-weight:650;font-size:0.82em;white-space:nowrap">{escape(text)}</span>'
    )


def note(text: str, colour: Colour) -> str:
    """A sentence that stands out."""
    return (
        f'<div style="background:{css(colour, 0.13)};border-left:3px solid {css(colour)};border-radius:4px;'
        f'padding:0.25em 0.6em;margin-top:0.35em;font-size:0.86em;line-height:1.3">{escape(text)}</div>'
    )


def situation(report: ClimberReport, silence: str, rate: float, answer: Answer | None) -> str:
    """The block on top: is anybody there, what does the climber say, what holds it back, what did it answer."""
    if silence:
        state, colour = "waiting", CARE
        words = silence
    else:
        colour = CARE if is_on(report, "stopped") or is_on(report, "paused") else GOOD
        state = f"{rate:.0f} Hz"
        words = report.words
    lines = [
        '<div style="display:flex;gap:0.6em;align-items:center;justify-content:space-between">'
        f'<span style="font-weight:600;line-height:1.25">{escape(words)}</span>{chip(state, colour)}</div>'
    ]
    bounds = report.values.get("bounds", "")
    if bounds and not silence:
        lines.append(f'<div style="{_SMALL}">held back by {escape(bounds)}</div>')
    refused = report.values.get("refused", "")
    if refused and not silence:
        lines.append(note(refused, CARE))
    if answer is not None:
        lines.append(note(f"{answer.asked}: {answer.words}", GOOD if answer.done else BAD))
    return f'<div style="padding:0.5em 0.75em 0.4em">{"".join(lines)}</div>'


_SMALL = "font-size:0.82em;opacity:0.75;margin-top:0.25em;line-height:1.3"


def limb_card(name: str, limb: LimbReport, colour: Colour, key: str) -> str:
    """One limb: its colour and name, whether it is selected, its phase, and why it did not do what was asked."""
    frame = f"background:{css(colour, 0.14)};" if limb.selected else ""
    mark = chip("selected", colour) if limb.selected else ""
    reason = note(limb.reason, CARE) if limb.reason else ""
    return (
        f'<div style="{frame}border-left:5px solid {css(colour)};border-radius:4px;padding:0.25em 0.6em;'
        f'margin:0.2em 0.75em 0.4em">'
        f'<div style="display:flex;gap:0.5em;align-items:center"><b style="flex-grow:1">{escape(spoken(name))}'
        f' <span style="opacity:0.45;font-weight:400;font-size:0.82em">{escape(key)}</span></b>'
        f"{mark}{chip(limb.phase, PHASE_COLOURS.get(limb.phase, GREY))}</div>{reason}</div>"
    )


def help_text() -> str:
    """How to steer, in a few lines."""
    keys = "".join(
        f'<tr><td style="padding-right:0.8em;white-space:nowrap"><b>{escape(key)}</b></td><td>{escape(what)}</td></tr>'
        for key, what in KEYS
    )
    return (
        '<div style="padding:0 0.75em 0.5em;font-size:0.86em;line-height:1.4">Click on the wall to send the selected '
        "limb there; drag a limb's ball along the wall, or the selected limb by its arrows. Release a limb before "
        f'you move it.<table style="margin-top:0.5em">{keys}</table></div>'
    )
