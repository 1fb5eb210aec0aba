"""The listing says of every instruction what it does and to which words; show says it of every node."""

from __future__ import annotations

import json
from pathlib import Path

from boards import LOOP, machine_of

from climbing_rig.rig.inspect.listing import CONDITION, END, FETCH, FLOW, MAIN, SET, START, instructions, show_json
from climbing_rig.rig.inspect.tables import disassembly, show


def test_every_instruction_of_a_loop_has_its_role_and_jumps_lead_where_the_code_says():
    program = machine_of(LOOP).program
    listing = instructions(program)
    assert len(listing) == len(program.code) and listing[-1].role == END
    assert [line.role for line in listing if line.node == "each"] == [START, MAIN, CONDITION, FLOW]
    assert [line.role for line in listing if line.node == "double"] == [FETCH, MAIN, SET]
    again = next(line for line in listing if line.node == "each" and line.role == MAIN)
    back = next(line for line in listing if line.node == "each" and line.role == FLOW)
    leave = next(line for line in listing if line.node == "each" and line.role == CONDITION)
    assert back.target == again.pc and leave.target == back.pc + 1
    assert listing[leave.target].node == "check"


def test_operands_are_the_slots_of_the_pins_and_the_links_as_written():
    program = machine_of(LOOP).program
    listing = instructions(program)
    nodes = {node.name: node for node in program.nodes}
    mains = [line for line in listing if line.role == MAIN]
    assert {line.node for line in mains} == {node.name for node in program.nodes if node.enabled}
    for line in mains:
        node = nodes[line.node]
        slots = {**node.inputs, **node.outputs}
        assert {operand.pin: operand.word for operand in line.operands} == {
            pin: slot.offset for pin, slot in slots.items()
        }
    (double,) = (line for line in mains if line.node == "double")
    assert [operand.name for operand in double.operands] == ["$row[$each.index]", "double.b", "double.result"]
    assert not any(operand.name == "?" for line in listing for operand in line.operands)


def test_an_item_that_is_put_into_an_array_is_written_there():
    listing = instructions(machine_of(LOOP).program)
    (put,) = (line for line in listing if line.node == "double" and line.role == SET)
    assert [(operand.name, operand.written) for operand in put.operands] == [
        ("row", True), ("each.index", False), ("double.result", False),
    ]  # fmt: skip


def test_show_gives_nodes_in_order_with_units_pins_links_slots_and_code():
    program = machine_of(LOOP).program
    told = json.loads(json.dumps(show_json(program), allow_nan=False))
    assert [node["node"] for node in told["nodes"]] == [node.name for node in program.nodes]
    by = {node["node"]: node for node in told["nodes"]}
    assert by["double"]["inputs"][0]["link"] == "$row[$each.index]" and by["double"]["inputs"][1]["value"] == 2.0
    assert (by["double"]["owner"], by["double"]["block"], by["double"]["depth"]) == ("each", "body", 1)
    assert (by["rush"]["owner"], by["rush"]["block"], by["rush"]["depth"]) == ("inner", "then", 2)
    assert by["distance"]["outputs"][0]["kept"] == ["way"]
    assert by["unused"]["enabled"] is False and by["unused"]["inputs"][1]["given"] is False
    for node in told["nodes"]:
        file, _, line = node["place"].rpartition(":")
        code = Path(file).read_text().splitlines()[int(line) - 1]
        assert code.startswith(("@unit", "def ")), node["place"]
        for pin in node["inputs"] + node["outputs"]:
            assert 0 <= pin["slot"] < told["words"]


def test_the_texts_name_every_node_and_every_word():
    program = machine_of(LOOP).program
    shown, code = "\n".join(show(program)), "\n".join(disassembly(program, instructions(program)))
    for node in program.nodes:
        assert node.name in shown and (node.name in code) is node.enabled
        assert node.unit.place in shown
    assert "<" in shown and "$row[$each.index]" in shown and "kept in $row[$each.index]" in shown
    assert "result=double.result@" in code and "-> " in code
    assert "    double" in shown.replace("  double  math", "    double  math")  # indented below its loop
