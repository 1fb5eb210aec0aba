"""What a program is made of, in a form to be read: its instructions and, node by node, pins, slots and functions."""

from __future__ import annotations

import bisect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from climbing_rig.rig.graph import Declaration
from climbing_rig.rig.native import COPY, EXECUTE, EXIT, HEADER, JUMP, JUMP_IF_NOT, OPCODES
from climbing_rig.rig.program import LINK, LITERAL, CompiledNode, Program, Slot
from climbing_rig.rig.types import decode

START, FETCH, MAIN, SET, CONDITION, FLOW, END = "start", "fetch", "main", "set", "condition", "flow", "end"
"""What an instruction does for its node: puts a loop's index before its first round; fetches an item of an array;
executes the node's unit; keeps an output in a variable; leaves the block out or enters it; goes on elsewhere; ends."""


@dataclass(frozen=True)
class Operand:
    """One operand of an instruction.

    Attributes:
        pin: What the instruction calls it: a pin, ``to``, ``from`` or ``condition``.
        name: What lies there: ``node.pin``, a variable, an input, a link as written, or a context.
        word: First word in the machine's memory; of a context, its first entry in the table.
        words: How many; 0 for a context.
        written: Whether the instruction writes it.
    """

    pin: str
    name: str
    word: int
    words: int
    written: bool

    @property
    def text(self) -> str:
        """``pin=name@word``."""
        return f"{self.pin}={self.name}@{self.word}"


@dataclass(frozen=True)
class Instruction:
    """One instruction.

    Attributes:
        pc: Its number.
        opcode: execute, copy, jump, jump-if-not or exit.
        role: What it does for its node, one of the constants above.
        node: The node it belongs to; "" for exit.
        unit: Unit that it executes, or "".
        place: ``file:line`` of the unit's function, or "".
        operands: What it works on.
        target: Instruction it may go on at, or None.
    """

    pc: int
    opcode: str
    role: str
    node: str
    unit: str = ""
    place: str = ""
    operands: tuple[Operand, ...] = ()
    target: int | None = None

    @property
    def reads(self) -> tuple[range, ...]:
        """Words of the memory it reads."""
        return tuple(range(o.word, o.word + o.words) for o in self.operands if o.words and not o.written)

    @property
    def writes(self) -> tuple[range, ...]:
        """Words of the memory it writes."""
        return tuple(range(o.word, o.word + o.words) for o in self.operands if o.words and o.written)

    def as_json(self) -> dict[str, Any]:
        """For ``json.dumps``."""
        operands = [
            {"pin": o.pin, "name": o.name, "word": o.word, "words": o.words, "written": o.written}
            for o in self.operands
        ]  # fmt: skip
        return {
            "pc": self.pc, "opcode": self.opcode, "role": self.role, "node": self.node, "unit": self.unit,
            "place": self.place, "operands": operands, "target": self.target,
        }  # fmt: skip


def instructions(program: Program) -> tuple[Instruction, ...]:
    """A program's instructions, in their order."""
    return _Lister(program).result()


class _Lister:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._nodes = {node.name: node for node in program.nodes}
        self._names = [node.name for node in program.graph.walk()]
        self._slots = sorted((s for s in program.slots.values() if s.role != LINK), key=lambda slot: slot.offset)
        self._starts = [slot.offset for slot in self._slots]
        self._done: set[str] = set()
        """Nodes whose unit's own instruction is behind."""

    def result(self) -> tuple[Instruction, ...]:
        return tuple(self._instruction(pc) for pc in range(len(self._program.code)))

    def _instruction(self, pc: int) -> Instruction:
        opcode, a, b, c, number = (int(entry) for entry in self._program.code[pc])
        if opcode == EXIT:
            return Instruction(pc, OPCODES[opcode], END, "")
        name = self._names[number]
        if opcode == EXECUTE:
            return self._execute(pc, self._nodes[name], a, b)
        if opcode == COPY:
            operands = (Operand("to", self._name(a), a, c, True), Operand("from", self._name(b), b, c, False))
            return Instruction(pc, OPCODES[opcode], SET if name in self._done else START, name, operands=operands)
        if opcode == JUMP_IF_NOT:
            condition = Operand("condition", self._name(b), b, 1, False)
            return Instruction(pc, OPCODES[opcode], CONDITION, name, operands=(condition,), target=a)
        return Instruction(pc, OPCODES[JUMP], FLOW, name, target=a)

    def _execute(self, pc: int, node: CompiledNode, number: int, first: int) -> Instruction:
        unit = self._program.units[number]
        place = first + HEADER
        operands = [
            Operand("context", context, int(self._program.operands[place + i]), 0, True)
            for i, context in enumerate(unit.contexts)
        ]
        place += len(unit.contexts)
        pins = [*unit.inputs, *unit.outputs]
        words = [int(word) for word in self._program.operands[place : place + len(pins)]]
        slots = [*node.inputs.values(), *node.outputs.values()]
        main = node.name not in self._done and unit is node.unit and words == [slot.offset for slot in slots]
        role = MAIN if main else SET if node.name in self._done else FETCH
        for i, (pin, word) in enumerate(zip(pins, words, strict=True)):
            slot = slots[i] if main else self._at(word)
            # Of an array that is shorter than the pin, the slot knows how much there is.
            size = slot.type.words if slot and slot.offset == word else pin.type.words
            name = slot.link if slot and slot.role == LINK else self._name(word)
            operands.append(Operand(pin.name, name, word, size, i >= len(unit.inputs)))
        if role == SET and not unit.outputs and operands:  # array.*.put writes what it is given
            operands[0] = Operand(operands[0].pin, operands[0].name, operands[0].word, operands[0].words, True)
        if main:
            self._done.add(node.name)
        return Instruction(pc, OPCODES[EXECUTE], role, node.name, unit.name, unit.place, tuple(operands))

    def _at(self, word: int) -> Slot | None:
        """The slot a word is in."""
        i = bisect.bisect_right(self._starts, word) - 1
        return self._slots[i] if i >= 0 and word < self._slots[i].end else None

    def _name(self, word: int) -> str:
        slot = self._at(word)
        if slot is None:
            return "?"
        return slot.name if slot.offset == word else f"{slot.name}+{word - slot.offset}"


# -- what a graph is made of -------------------------------------------------------------------------------------------


def first_value(program: Program, slot: Slot) -> Any:
    """What lies in a slot when a machine is new."""
    return decode(slot.type, program.image[slot.offset : slot.end], program.names)


def show_json(program: Program) -> dict[str, Any]:
    """The program for ``json.dumps``: what ``climbing_rig rig show`` tells."""
    graph = program.graph
    return {
        "graph": graph.name,
        "source": graph.source,
        "doc": graph.doc,
        "robot": graph.robot,
        "contexts": list(program.contexts),
        "instructions": len(program.code),
        "words": len(program.image),
        "inputs": _declared(program, program.inputs, graph.inputs),
        "variables": _declared(program, program.variables, graph.variables),
        "nodes": [_node(program, node) for node in program.nodes],
    }


def _declared(program: Program, slots: Mapping[str, Slot], by: Mapping[str, Declaration]) -> list[dict[str, Any]]:
    return [
        {
            "name": name, "type": str(slot.type), "value": first_value(program, slot), "slot": slot.offset,
            "measure": by[name].measure, "doc": by[name].doc,
        }
        for name, slot in slots.items()
    ]  # fmt: skip


def _node(program: Program, node: CompiledNode) -> dict[str, Any]:
    inputs = []
    for pin in node.unit.inputs:
        slot = node.inputs[pin.name]
        said = {"link": slot.link} if slot.role == LINK else {"value": first_value(program, slot)}
        given = slot.role == LINK or (slot.role == LITERAL and pin.name in node.node.inputs)
        inputs.append(
            {"pin": pin.name, "type": str(pin.type), **said, "given": given, "slot": slot.offset,
             "measure": pin.measure, "doc": pin.doc}
        )  # fmt: skip
    outputs = [
        {"pin": pin.name, "type": str(pin.type), "slot": node.outputs[pin.name].offset, "measure": pin.measure,
         "doc": pin.doc, "kept": [target for target, kept in node.node.sets.items() if kept == pin.name]}
        for pin in node.unit.outputs
    ]  # fmt: skip
    return {
        "node": node.name,
        "unit": node.unit.name,
        "place": node.unit.place,
        "line": node.node.line,
        "enabled": node.enabled,
        "owner": node.owner,
        "block": block_of(program, node),
        "depth": node.depth,
        "contexts": list(node.unit.contexts),
        "inputs": inputs,
        "outputs": outputs,
    }


def block_of(program: Program, node: CompiledNode) -> str:
    """Which block of its owner a node is in: ``body``, ``then`` or ``else``; "" at the top."""
    for owner in program.graph.walk():
        if owner.name == node.owner:
            for block, inner in owner.blocks.items():
                if any(one.name == node.name for one in inner):
                    return block
    return ""
