"""The part of the panel that looks into the rig, when it is asked to."""

from __future__ import annotations

import time

import viser

from climbing_rig.ros.limb_client import ClimberReport
from climbing_rig.view.rig_link import RigLink
from climbing_rig.view.rig_words import rig_picture

EVERY = 0.25
"""Seconds between two pictures."""
_OPEN, _CLOSE = "Look into the rig", "Close the rig"


class RigPanel:
    """A button, and below it the graph with values and times; nothing is drawn or heard while it is closed.

    Args:
        server: The page.

    Attributes:
        shown: Whether it is open.
    """

    def __init__(self, server: viser.ViserServer) -> None:
        self.shown = False
        self._next = 0.0
        self._button = server.gui.add_button(
            _OPEN, color="gray", icon="sitemap", hint="What proposes the climber's poses, node by node."
        )
        self._button.on_click(lambda _: self._toggle())
        self._picture = server.gui.add_html("", visible=False)

    def _toggle(self) -> None:
        self.shown = not self.shown
        self._button.label = _CLOSE if self.shown else _OPEN
        self._picture.visible = self.shown
        self._next = 0.0

    def update(self, link: RigLink, report: ClimberReport) -> None:
        """Draws what is known now, if it is open and a picture is due."""
        if not self.shown or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + EVERY
        content = rig_picture(link.graph, link.trace, report)
        if content != self._picture.content:
            self._picture.content = content
