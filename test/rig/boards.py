"""Graphs and a context of the tests' own, to look into."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from climbing_rig.rig import Machine, compile_graph, pin, read_graph, unit
from climbing_rig.rig.contexts import declare


class Board(NamedTuple):
    """Something to write on."""

    cells: NDArray[np.float64]
    work: NDArray[np.float64]


def board() -> Board:
    return Board(np.zeros(4), np.zeros(2))


declare("test_board", board(), "a board to write on")


@unit(
    "test_board.write",
    inputs=(pin("cell", "int"), pin("value", "float"), pin("weight", "float", 1.0)),
    contexts=("test_board",),
)
def write(test_board, cell, value, weight):
    """Writes a cell, and leaves scribbles in the scratch."""
    test_board.work[0] += 1.0
    test_board.cells[cell] += weight * (value - test_board.cells[cell])


@unit("test_board.read", inputs=(pin("cell", "int"),), outputs=(pin("value", "float"),), contexts=("test_board",))
def read(test_board, cell, value):
    value[0] = test_board.cells[cell]


@unit("test_board.inverse", inputs=(pin("a", "float"),), outputs=(pin("result", "float"),))
def inverse(a, result):
    result[0] = 1.0 / a if a != 0.0 else np.inf


LOOP = """
doc: A loop over a row, a branch, and a node that is off.
inputs:
  dt: {type: float, default: 0.01, unit: s, doc: length of the tick}
  rounds: {type: int, default: 3}
variables:
  speed: {type: float, initial: 0.5, unit: m/s}
  fast: bool
  way: float
  row: {type: "float[4]", initial: [1, 2, 3, 4]}
nodes:
  - name: distance
    unit: math.float.multiply
    inputs: {a: $speed, b: $dt}
    set: {way: result}
  - name: unread
    unit: math.vector.add
    inputs: {a: [1, 0, 0], b: [0, 1, 0]}
  - name: unused
    unit: math.vector.add
    inputs: {a: $unread.result}
    enabled: false
  - name: each
    unit: flow.for_loop
    inputs: {count: $rounds}
    body:
      - name: double
        unit: math.float.multiply
        inputs: {a: "$row[$each.index]", b: 2.0}
        set: {"row[$each.index]": result}
  - name: check
    unit: flow.branch
    inputs: {condition: $fast}
    then:
      - name: inner
        unit: flow.branch
        inputs: {condition: true}
        then:
          - name: rush
            unit: math.float.add
            inputs: {a: $speed, b: 1.0}
            set: {speed: result}
    else:
      - name: calm
        unit: math.float.lerp
        inputs: {a: $speed, b: 0.0, share: 0.0}
        set: {speed: result}
"""


def machine_of(text: str, name: str = "made_up") -> Machine:
    return Machine(compile_graph(read_graph(text, name)), {"test_board": board()})
