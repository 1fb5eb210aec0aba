"""Colours of the page: one for each limb, and a light and a dark setting for everything else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Colour = tuple[int, int, int]

LIMBS: tuple[Colour, ...] = (
    (37, 120, 245),  # blue
    (245, 158, 11),  # amber
    (22, 175, 95),  # green
    (176, 74, 235),  # violet
    (6, 178, 212),  # cyan
    (236, 72, 153),  # pink
    (132, 180, 22),  # lime
    (160, 105, 70),  # brown
)
"""In the order of the climber's limbs; red is left to what needs care."""

UNKNOWN: Colour = (128, 136, 148)


@dataclass(frozen=True)
class Setting:
    """What depends on a light or dark page.

    Attributes:
        sky: Colours of the background's upper and lower edge.
        grid: Colour of the ground's fine lines.
        section: Colour of its metre lines.
        ground: Colour of the ground itself.
    """

    sky: tuple[Colour, Colour]
    grid: Colour
    section: Colour
    ground: Colour


LIGHT = Setting(((238, 242, 247), (196, 206, 219)), (186, 196, 209), (158, 170, 186), (214, 221, 230))
DARK = Setting(((34, 40, 52), (17, 20, 27)), (52, 60, 74), (74, 84, 102), (27, 32, 41))


def limb_colours(limbs: Sequence[str]) -> dict[str, Colour]:
    """Limb -> colour."""
    return {limb: LIMBS[i % len(LIMBS)] for i, limb in enumerate(limbs)}


def mixed(a: Colour, b: Colour, share: float) -> Colour:
    """``a`` with ``share`` (0 to 1) of ``b``."""
    red, green, blue = (round(x + (y - x) * share) for x, y in zip(a, b, strict=True))
    return red, green, blue


def css(colour: Colour, alpha: float = 1.0) -> str:
    """A colour as CSS writes it."""
    return f"rgba({colour[0]},{colour[1]},{colour[2]},{alpha:g})"
