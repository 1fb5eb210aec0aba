"""``climbing_rig rig``: seeing inside a rig graph from the command line."""

from __future__ import annotations

import argparse
import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase
from typing import Any

import yaml

from climbing_rig.errors import RigError

Run = Callable[[argparse.Namespace], int]

DEFAULT = "config/rigs/climber.yaml"
_EXPONENT = re.compile(r"[-+]?\d+(\.\d*)?[eE][-+]?\d+")
"""A number such as 1e-6, which YAML takes for text."""
_GRAPH = f"a YAML file; {DEFAULT} when left out"
_EXAMPLES = {
    "show": """\
        climbing_rig rig show                              the default climber's graph
        climbing_rig rig show my_rig.yaml --json
        """,
    "disassemble": """\
        climbing_rig rig disassemble
        climbing_rig rig disassemble my_rig.yaml --json
        """,
    "trace": """\
        climbing_rig rig trace                             the tick after the script's start
        climbing_rig rig trace my_rig.yaml --ticks 50      the 51st tick
        climbing_rig rig trace my_rig.yaml --node 'hand_*' --set speed=0.2 --set 'goal=[0, 0, 1]'
        """,
    "profile": """\
        climbing_rig rig profile
        climbing_rig rig profile my_rig.yaml --ticks 200 --json
        """,
    "explain": """\
        climbing_rig rig explain hands                     a node of the default climber's graph
        climbing_rig rig explain my_rig.yaml blend
        climbing_rig rig explain my_rig.yaml blend --set weight=0 --json
        """,
    "units": """\
        climbing_rig rig units                             all there are, those of other packages too
        climbing_rig rig units vector sum                  those that have to do with both words
        climbing_rig rig units math.vector.add             all about one
        """,
}


def add_rig(commands: Any) -> None:
    """Adds ``rig`` and its verbs to the program's commands.

    Args:
        commands: What ``argparse``'s ``add_subparsers`` gave.
    """
    about = "see inside a rig graph: its nodes, its program, a tick of it, where time goes, why a node does nothing"
    rig = commands.add_parser("rig", help=about, description=f"{about[0].upper()}{about[1:]}.")
    verbs = rig.add_subparsers(title="verbs", required=True, metavar="VERB")

    _verb(verbs, "show", _show, "the nodes in the order of execution: units, pins, links, slots, where their code is")
    _verb(verbs, "disassemble", _disassemble, "the program's instructions")

    trace = _verb(verbs, "trace", _trace, "one tick: what each node was given, what it made of it, how long it took")
    _ticks(trace)
    trace.add_argument("--node", metavar="PATTERN", default="*", help="only nodes of this name; * and ? stand for any")

    profile = _verb(verbs, "profile", _profile, "the share of each node in the time of a tick")
    profile.add_argument(
        "--ticks", type=_count(1, 100_000), default=1000, metavar="N", help="ticks to time (default: 1000)"
    )
    _set(profile)

    explain = _verb(
        verbs, "explain", _explain, "why has this node no effect? five layers and a conclusion", graph=False
    )
    explain.usage = "climbing_rig rig explain [-h] [--ticks N] [--set NAME=VALUE] [--json] [GRAPH] NODE"
    explain.add_argument("where", nargs="+", metavar="[GRAPH] NODE", help=f"the node, after its graph: {_GRAPH}")
    explain.set_defaults(parser=explain)
    _ticks(explain)

    units = _verb(
        verbs, "units", _units, "the units there are, or those that fit some words, or one of them", graph=False
    )
    units.add_argument("words", nargs="*", metavar="WORD", help="a unit's name, or words of its name or description")


def _verb(verbs: Any, name: str, run: Run, about: str, *, graph: bool = True) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = verbs.add_parser(
        name,
        help=about,
        description=f"Tells {about}." if not about.startswith("why") else f"{about[0].upper()}{about[1:]}.",
        epilog="examples:\n" + textwrap.indent(textwrap.dedent(_EXAMPLES[name]), "  "),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    if graph:
        parser.add_argument("graph", nargs="?", metavar="GRAPH", help=_GRAPH)
    parser.add_argument("--json", action="store_true", help="one line of JSON on stdout")
    parser.set_defaults(run=run)
    return parser


def _ticks(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--ticks", type=_count(0), default=0, metavar="N", help="ticks to run first (default: 0)")
    _set(parser)


def _set(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--set", action="append", default=[], type=_assignment, metavar="NAME=VALUE", dest="values",
        help="an input of the graph, a variable, or node.pin of an input that is not linked; the value as in YAML",
    )  # fmt: skip


def _count(least: int, most: int = 10_000_000) -> Callable[[str], int]:
    def count(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is no number from {least} to {most}")
        return value

    return count


def _assignment(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not name or not equals:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    try:
        return name, float(value) if _EXPONENT.fullmatch(value) else yaml.safe_load(value)
    except yaml.YAMLError:
        raise argparse.ArgumentTypeError(f"{value!r} is no value") from None


# -- the verbs ---------------------------------------------------------------------------------------------------------


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(line)


def _json(value: object) -> None:
    print(json.dumps(value, allow_nan=False, ensure_ascii=False))


def _note(words: str) -> None:
    print(words, file=sys.stderr, flush=True)


def _broken() -> dict[str, str]:
    """Tells which packages' units are missing, and why."""
    from climbing_rig.rig.registry import REGISTRY

    REGISTRY.load()
    for entry, why in REGISTRY.broken.items():
        _note(f"entry point {entry} is broken: {why}")
    return REGISTRY.broken


def _show(options: argparse.Namespace) -> int:
    from climbing_rig.rig.inspect.listing import show_json
    from climbing_rig.rig.inspect.stage import compiled, open_graph
    from climbing_rig.rig.inspect.tables import show

    program = compiled(open_graph(options.graph))
    _json(show_json(program)) if options.json else _print(show(program))
    return 0


def _disassemble(options: argparse.Namespace) -> int:
    from climbing_rig.rig.inspect.listing import instructions
    from climbing_rig.rig.inspect.stage import compiled, open_graph
    from climbing_rig.rig.inspect.tables import disassembly

    program = compiled(open_graph(options.graph))
    listing = instructions(program)
    if options.json:
        _json({"graph": program.graph.name, "instructions": [line.as_json() for line in listing]})
    else:
        _print(disassembly(program, listing))
    return 0


def _prepared(options: argparse.Namespace, graph: str | None, ticks: int) -> Any:
    from climbing_rig.rig.inspect.stage import build_stage, open_graph

    stage = build_stage(open_graph(graph))
    for name, value in options.values:
        stage.machine.set(name, value)
    for _ in range(ticks):
        stage.tick()
    return stage


def _trace(options: argparse.Namespace) -> int:
    from climbing_rig.rig.inspect.recording import record_tick
    from climbing_rig.rig.inspect.tables import trace

    stage = _prepared(options, options.graph, options.ticks)

    def wanted(node: str) -> bool:
        return fnmatchcase(node, options.node)

    names = [node.name for node in stage.machine.program.nodes]
    if not any(map(wanted, names)):
        raise RigError(f"no node is called '{options.node}'", name=options.node, given=options.node, choices=names)
    recording = record_tick(stage.machine, stage.tick)
    if options.json:
        told = recording.as_json()
        told["steps"] = [step for step in told["steps"] if wanted(step["node"])]
        _json({**told, "stage": stage.words, "ticks": options.ticks})
    else:
        _note(f"{stage.words}; µs: with what recording adds, which `rig profile` takes off")
        _print(trace(recording, wanted))
    if recording.error is not None:
        raise recording.error
    return 0


def _profile(options: argparse.Namespace) -> int:
    from climbing_rig.rig.inspect.profile import profile
    from climbing_rig.rig.inspect.tables import profile_table

    stage = _prepared(options, options.graph, 0)
    result = profile(stage.machine, stage.tick, options.ticks, _note)
    if options.json:
        _json({**result.as_json(), "stage": stage.words})
    else:
        _note(stage.words)
        _print(profile_table(result))
    return 0


def _explain(options: argparse.Namespace) -> int:
    from climbing_rig.rig.inspect.explain import explain
    from climbing_rig.rig.inspect.tables import explanation

    if len(options.where) > 2:
        options.parser.error("one GRAPH and one NODE")
    *graph, node = options.where
    stage = _prepared(options, graph[0] if graph else None, options.ticks)
    told = explain(stage.machine, node, stage.tick)
    if options.json:
        _json({**told.as_json(), "stage": stage.words})
    else:
        _note(stage.words)
        _print(explanation(told))
    return 0


def _units(options: argparse.Namespace) -> int:
    from climbing_rig.rig.inspect.tables import unit_details, unit_json, unit_list
    from climbing_rig.rig.registry import REGISTRY

    broken = _broken()
    words = " ".join(options.words)
    exact = [unit for unit in REGISTRY if unit.name == words]
    found = exact or REGISTRY.find(words)
    if words and not found:
        raise RigError(
            f"no unit has to do with '{words}'", name=words, given=words,
            choices=sorted({unit.category for unit in REGISTRY}),
        )  # fmt: skip
    if options.json:
        _json({"units": [unit_json(unit) for unit in found], "broken": broken})
    else:
        _print(unit_details(exact[0]) if exact else unit_list(found))
    return 0
