"""The fifth question: does a later node overwrite what this one wrote, before anyone has read it?"""

from __future__ import annotations

from collections.abc import Mapping

from climbing_rig.rig.inspect.case import Case, Key, Verdict, places, readers
from climbing_rig.rig.inspect.watch import VARIABLE


def overwritten(case: Case) -> tuple[Verdict, str]:
    """The verdict, and why."""
    last: dict[Key, int] = {}
    for i, step in enumerate(case.recording.steps):
        if step.node == case.node.name:
            last |= {(change.kind, change.place, word): i for change in step.changed for word in change.words}
    if not last:
        writes = case.node.node.sets or case.node.unit.contexts
        return Verdict.FINE, "it changed nothing" if writes else "nobody else can write to its outputs"
    later = _overwrites(case, last)
    over = [found for found in later.values() if found is not None]
    if not over:
        return Verdict.FINE, f"what it wrote is there at the end of the tick: {places(key for key in last)}"
    by = ", ".join(dict.fromkeys(case.recording.steps[j].node for j, _ in over))
    among = dict.fromkeys(node for _, between in over for node in between)
    among |= dict.fromkeys(name for name, _ in readers(case.program, case.node.name) if case.recording.of(name))
    what = places(key for key, found in later.items() if found is not None)
    if len(over) < len(later):
        return Verdict.FINE, f"{by} writes over a part of it ({what}), the rest is there at the end of the tick"
    if among:
        who = ", ".join(among)
        if case.effect:
            return Verdict.FINE, f"{by} writes over it later ({what}), but {who} read it"
        return Verdict.EXPLAINS, f"{by} writes over it later ({what}); {who} could read it before, to no effect"
    return Verdict.EXPLAINS, f"{by} writes over it later in the tick, before anyone has read it: {what}"


def _overwrites(case: Case, last: Mapping[Key, int]) -> dict[Key, tuple[int, tuple[str, ...]] | None]:
    """For each word, written last in some step: the step that writes over it, and who read it, or could, in between."""
    found: dict[Key, tuple[int, tuple[str, ...]] | None] = dict.fromkeys(last)
    between: dict[Key, list[str]] = {key: [] for key in last}
    absolute = {key: case.program.slots[key[1]].offset + key[2] for key in last if key[0] == VARIABLE}
    for j, step in enumerate(case.recording.steps):
        if step.node == case.node.name:
            continue
        lines = [case.listing[pc] for pc in step.pcs]
        contexts = case.compiled(step.node).unit.contexts
        changed = {(change.kind, change.place, word) for change in step.changed for word in change.words}
        for key, first in last.items():
            if j < first or found[key] is not None:
                continue
            if key[0] == VARIABLE:
                reading = any(absolute[key] in span for line in lines for span in line.reads)
                # By the same value, too: that is no change, but it is written.
                writing = key in changed or any(absolute[key] in span for line in lines for span in line.writes)
            else:
                # What a unit reads of a context is not seen; that it does when it also writes is not assumed.
                writing = key in changed
                reading = not writing and key[1].split(".")[0] in contexts
            between[key] += [step.node] if reading else []
            if writing:
                found[key] = j, tuple(between[key])
    return found
