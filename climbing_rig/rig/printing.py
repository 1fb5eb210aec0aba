"""What the ``debug.print`` nodes of a machine have noted, in words, for whoever runs it to show."""

from __future__ import annotations

from climbing_rig.rig.machine import Machine

PRINTS = "debug.print."


class Prints:
    """Follows the print nodes of a machine.

    Args:
        machine: The machine; what it has noted before counts as seen.
    """

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self._seen = {
            node.name: machine.get(f"{node.name}.printed")
            for node in machine.program.nodes
            if node.enabled and node.unit.name.startswith(PRINTS)
        }

    def news(self) -> list[str]:
        """``node: value`` for every node that has noted something since the last call; in a loop, its last value."""
        lines = []
        for name, seen in self._seen.items():
            count = self.machine.get(f"{name}.printed")
            if count != seen:
                self._seen[name] = count
                value = self.machine.get(f"{name}.kept")
                shown = " ".join(f"{number:.6g}" for number in value) if isinstance(value, tuple) else value
                lines.append(f"{name}: {shown}")
        return lines
