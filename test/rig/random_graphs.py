"""Random well-typed graphs, and what they mean: a plain interpreter that knows nothing of slots and instructions."""

from __future__ import annotations

import math

from hypothesis import strategies as st

from climbing_rig.rig import Graph


class StopError(Exception):
    """A tick that ends at a node; the pin where a number is not finite, None where the unit failed."""

    def __init__(self, node, pin=None):
        super().__init__(node, pin)
        self.node, self.pin = node, pin


def wrapped(value):
    """A whole number as 64 bits keep it."""
    return (value + 2**63) % 2**64 - 2**63


def divide(a, b):
    return None if b == 0.0 else a / b


def modulo(a, b):
    return None if b == 0 else a % b


AB = ("a", "b")
#: Unit -> its input pins with their types, the type of its one output, and what it does; None is a failure.
UNITS = {
    "math.float.add": (dict.fromkeys(AB, "float"), "float", lambda a, b: a + b),
    "math.float.subtract": (dict.fromkeys(AB, "float"), "float", lambda a, b: a - b),
    "math.float.multiply": (dict.fromkeys(AB, "float"), "float", lambda a, b: a * b),
    "math.float.divide": (dict.fromkeys(AB, "float"), "float", divide),
    "math.float.minimum": (dict.fromkeys(AB, "float"), "float", lambda a, b: b if b < a else a),
    "math.float.negate": ({"value": "float"}, "float", lambda value: -value),
    "math.vector.add": (
        dict.fromkeys(AB, "vec3"),
        "vec3",
        lambda a, b: tuple(x + y for x, y in zip(a, b, strict=True)),
    ),
    "math.vector.scale": ({"vector": "vec3", "factor": "float"}, "vec3", lambda v, f: tuple(x * f for x in v)),
    "math.vector.make": ({"x": "float", "y": "float", "z": "float"}, "vec3", lambda x, y, z: (x, y, z)),
    "math.int.add": (dict.fromkeys(AB, "int"), "int", lambda a, b: wrapped(a + b)),
    "math.int.multiply": (dict.fromkeys(AB, "int"), "int", lambda a, b: wrapped(a * b)),
    "math.int.modulo": (dict.fromkeys(AB, "int"), "int", modulo),
    "math.int.to_float": ({"value": "int"}, "float", float),
    "math.bool.and": (dict.fromkeys(AB, "bool"), "bool", lambda a, b: a and b),
    "math.bool.not": ({"value": "bool"}, "bool", lambda value: not value),
    "compare.float.less": (dict.fromkeys(AB, "float"), "bool", lambda a, b: a < b),
    "compare.int.equal": (dict.fromkeys(AB, "int"), "bool", lambda a, b: a == b),
    "flow.select.vec3": ({"condition": "bool", "a": "vec3", "b": "vec3"}, "vec3", lambda c, a, b: a if c else b),
}
VARIABLES = {
    "f": "float",
    "g": "float",
    "i": "int",
    "j": "int",
    "o": "bool",
    "v": "vec3",
    "fs": "float[3]",
    "vs": "vec3[2]",
}
SIZES = {"fs": 3, "vs": 2}
floats = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False), st.floats(-10, 10), st.sampled_from([0.0, -0.0, 1.0])
)
LITERALS = {
    "float": floats,
    "int": st.one_of(st.integers(-3, 4), st.integers(-(2**63), 2**63 - 1)),
    "bool": st.booleans(),
    "vec3": st.tuples(floats, floats, floats),
    "float[3]": st.lists(floats, min_size=3, max_size=3).map(tuple),
    "vec3[2]": st.lists(st.tuples(floats, floats, floats), min_size=2, max_size=2).map(tuple),
}


class Builder:
    """Draws nodes one after another, each reading what is known before it."""

    def __init__(self, draw):
        self._draw = draw
        self.graph = Graph("random")
        self.graph.declare_input("dt", "float", draw(LITERALS["float"]))
        for name, kind in VARIABLES.items():
            self.graph.declare_variable(name, kind, draw(LITERALS[kind]))
        self._count = 0

    def block(self, known, inside, depth):
        """Nodes at the end of a block; ``known`` is what they can read: link -> type."""
        for _ in range(self._draw(st.integers(1, 6 if depth == 0 else 3))):
            name = f"n{self._count}"
            self._count += 1
            shape = self._draw(st.integers(0, 9)) if depth < 2 else 0
            if shape == 9:
                count = self._draw(st.integers(-1, 4))
                node = self.graph.add("flow.for_loop", name, {"count": count}, inside=inside)
                known.update({f"${name}.index": "int", f"${name}.ratio": "float", f"${name}.going": "bool"})
                self.block(dict(known), node, depth + 1)
            elif shape == 8:
                inputs = {"condition": self._value("bool", known)}
                node = self.graph.add("flow.branch", name, inputs, inside=inside)
                known[f"${name}.taken"] = "bool"
                for block in self._draw(st.sampled_from([("then",), ("else",), ("then", "else")])):
                    self.block(dict(known), (node, block), depth + 1)
            else:
                self._plain(name, known, inside)

    def _plain(self, name, known, inside):
        unit = self._draw(st.sampled_from(sorted(UNITS)))
        pins, output, _ = UNITS[unit]
        inputs = {pin: self._value(kind, known) for pin, kind in pins.items() if self._draw(st.integers(0, 9))}
        enabled = self._draw(st.integers(0, 9)) > 0
        self.graph.add(unit, name, inputs, sets=self._sets(output, known), inside=inside, enabled=enabled)
        known[f"${name}.result"] = output

    def _value(self, kind, known):
        """A literal, or a link to something of this type: a value, a part of one, an item of an array."""
        links = [link for link, there in known.items() if there == kind]
        links += [f"${name}" for name, there in VARIABLES.items() if there == kind]
        if kind == "float":
            links += ["$dt", *(f"{link}.{part}" for link, there in known.items() if there == "vec3" for part in "xyz")]
        arrays = [name for name, there in VARIABLES.items() if there.startswith(f"{kind}[")]
        way = self._draw(st.integers(0, 5 if arrays else 4))
        if way == 0 or (not links and not arrays):
            return self._draw(LITERALS[kind])
        if way == 5:
            name = self._draw(st.sampled_from(arrays))
            return f"${name}[{self._index(SIZES[name], known)}]"
        return self._draw(st.sampled_from(links)) if links else self._draw(LITERALS[kind])

    def _index(self, size, known):
        links = [link for link, there in known.items() if there == "int"] + ["$i"]
        return self._draw(st.one_of(st.integers(0, size - 1).map(str), st.sampled_from(links)))

    def _sets(self, kind, known):
        targets = [name for name, there in VARIABLES.items() if there == kind]
        arrays = [name for name, there in VARIABLES.items() if there.startswith(f"{kind}[")]
        way = self._draw(st.integers(0, 3))
        if way == 0 and targets:
            return {self._draw(st.sampled_from(targets)): "result"}
        if way == 1 and arrays:
            name = self._draw(st.sampled_from(arrays))
            return {f"{name}[{self._index(SIZES[name], known)}]": "result"}
        return {}


@st.composite
def graphs(draw):
    """A random well-typed graph."""
    builder = Builder(draw)
    builder.block({}, None, 0)
    return builder.graph


ZERO = {"float": 0.0, "int": 0, "bool": False, "vec3": (0.0, 0.0, 0.0)}
DEFAULTS = {("math.float.divide", "b"): 1.0, ("math.int.modulo", "b"): 1, ("math.vector.scale", "factor"): 1.0}


class Interpreter:
    """Executes a graph as it is written, tick after tick."""

    def __init__(self, graph):
        self._graph = graph
        self._inputs = {name: declared.initial for name, declared in graph.inputs.items()}
        self.variables = {name: declared.initial for name, declared in graph.variables.items()}
        self.outputs = {f"{node.name}.result": ZERO[UNITS[node.unit][1]] for node in graph.walk() if node.unit in UNITS}
        for node in graph.walk():
            if node.unit == "flow.for_loop":
                self.outputs.update({f"{node.name}.index": 0, f"{node.name}.ratio": 0.0, f"{node.name}.going": False})
            elif node.unit == "flow.branch":
                self.outputs[f"{node.name}.taken"] = False

    def tick(self):
        """One tick; a ``StopError`` leaves the variables as before it."""
        before = dict(self.variables)
        try:
            self._block(self._graph.nodes)
        except StopError:
            self.variables = before
            raise

    def _block(self, nodes):
        for node in nodes:
            if not node.enabled:
                continue
            if node.unit == "flow.for_loop":
                self._loop(node)
            elif node.unit == "flow.branch":
                taken = self._read(node, node.inputs["condition"])
                self.outputs[f"{node.name}.taken"] = taken
                self._block(node.blocks.get("then" if taken else "else", []))
            else:
                self._execute(node)

    def _loop(self, node):
        count, index = node.inputs["count"], 0
        while True:
            going = index < count
            ratio = min(index / (count - 1), 1.0) if count > 1 else 0.0
            self.outputs.update({f"{node.name}.index": index, f"{node.name}.ratio": ratio, f"{node.name}.going": going})
            if not going:
                return
            self._block(node.blocks["body"])
            index += 1

    def _execute(self, node):
        pins, _, function = UNITS[node.unit]
        values = []
        for pin, kind in pins.items():
            default = DEFAULTS.get((node.unit, pin), ZERO[kind])
            values.append(self._read(node, node.inputs[pin]) if pin in node.inputs else default)
        result = function(*values)
        if result is None:
            raise StopError(node.name)
        self.outputs[f"{node.name}.result"] = result
        numbers = result if isinstance(result, tuple) else (result,)
        if not all(math.isfinite(number) for number in numbers):
            raise StopError(node.name, "result")
        for target in node.sets:
            name, _, index = target.partition("[")
            if not index:
                self.variables[name] = result
                continue
            items = list(self.variables[name])
            items[self._item(node, items, index[:-1])] = result
            self.variables[name] = tuple(items)

    def _item(self, node, items, index):
        at = int(index) if index.isdecimal() else self._read(node, index)
        if not 0 <= at < len(items):
            raise StopError(node.name)
        return at

    def _read(self, node, value):
        if not isinstance(value, str):
            return value
        path, _, index = value.removeprefix("$").partition("[")
        name, *parts = path.split(".")
        if name in self._inputs:
            found = self._inputs[name]
        elif name in self.variables:
            found = self.variables[name]
        else:
            found = self.outputs[f"{name}.{parts.pop(0)}"]
        if index:
            found = found[self._item(node, found, index[:-1])]
        for part in parts:
            found = found["xyz".index(part)]
        return found
