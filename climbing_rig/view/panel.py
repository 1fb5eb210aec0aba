"""The panel: what the climber says, and a button for everything that can be asked of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import viser

from climbing_rig.ros.limb_client import ClimberReport
from climbing_rig.view import words
from climbing_rig.view.commands import Commands
from climbing_rig.view.palette import Colour
from climbing_rig.view.records import Answer, is_on
from climbing_rig.view.rig_panel import RigPanel

PUSHES: Mapping[str, tuple[float, float]] = {"◀": (-1.0, 0.0), "▲": (0.0, 1.0), "▼": (0.0, -1.0), "▶": (1.0, 0.0)}
_STOP_RED = (214, 40, 40)


@dataclass
class _LimbRows:
    """The rows of one limb."""

    card: viser.GuiHtmlHandle
    folder: viser.GuiFolderHandle


class Panel:
    """Builds the panel and keeps its words up to date.

    Args:
        server: The page.
        commands: What its buttons do.

    Attributes:
        follow: Whether the camera goes with the climber.
        shadows: Whether there are shadows.
        dark: Whether the page is dark.
        reach: Whether the reach of the selected limb is shown.
        rig: The rig, node by node.
    """

    def __init__(self, server: viser.ViserServer, commands: Commands) -> None:
        self._gui = server.gui
        self._commands = commands
        self._limbs: dict[str, _LimbRows] = {}
        self._situation = self._gui.add_html("")
        stop = self._gui.add_button("STOP", color=_STOP_RED, icon="hand-stop", hint="Everything stands still.")
        stop.on_click(lambda _: commands.trigger("stop"))
        self._pause = self._gui.add_button("Pause", color="gray", icon="player-pause")
        self._pause.on_click(lambda _: commands.toggle_pause())
        body = self._gui.add_button_group("climber", ("attach", "release all", "reset"))
        body.on_click(lambda event: commands.trigger(event.target.value.replace(" ", "_")))
        self._limb_list = self._gui.add_folder(None)
        self.rig = RigPanel(server)
        with self._gui.add_folder("View", expand_by_default=False):
            self.follow = self._gui.add_checkbox("follow the climber", True)
            self.reach = self._gui.add_checkbox("show reach", True)
            self.shadows = self._gui.add_checkbox("shadows", True, hint="Slow without a graphics card.")
            self.dark = self._gui.add_checkbox("dark", False)
        with self._gui.add_folder("Help", expand_by_default=False):
            self._gui.add_html(words.help_text())

    def set_limbs(self, limbs: tuple[str, ...]) -> None:
        """Makes the rows of these limbs, in place of those of others."""
        for rows in self._limbs.values():
            rows.folder.remove()
        self._limbs = {}
        with self._limb_list:
            for limb in limbs:
                folder = self._gui.add_folder(None)
                with folder:
                    self._limbs[limb] = _LimbRows(self._gui.add_html(""), folder)
                    self._add_buttons(limb)

    def _add_buttons(self, limb: str) -> None:
        commands = self._commands
        push = self._gui.add_button_group("move", tuple(PUSHES), hint="Pushes the limb along the wall.")
        push.on_click(lambda event: commands.push(limb, *PUSHES[event.target.value]))
        hold = self._gui.add_button_group("hold", ("select", "grip", "release"))
        doing = {
            "select": lambda: commands.select(limb),
            "grip": lambda: commands.grip(limb, True),
            "release": lambda: commands.grip(limb, False),
        }
        hold.on_click(lambda event: doing[event.target.value]())

    def update(
        self, report: ClimberReport, silence: str, rate: float, answer: Answer | None, colours: Mapping[str, Colour]
    ) -> None:
        """Writes the newest words; what has not changed is not sent again."""
        _write(self._situation, words.situation(report, silence, rate, answer))
        for number, (name, limb) in enumerate(report.limbs.items(), start=1):
            rows = self._limbs.get(name)
            if rows is not None:
                _write(rows.card, words.limb_card(name, limb, colours[name], str(number)))
        paused = is_on(report, "paused")
        label = "Go on" if paused else "Pause"
        if self._pause.label != label:
            self._pause.label = label
            self._pause.icon = "player-play" if paused else "player-pause"


def _write(html: viser.GuiHtmlHandle, content: str) -> None:
    if html.content != content:
        html.content = content
