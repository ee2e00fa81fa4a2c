# SPDX-License-Identifier: Apache-2.0
"""IF and WHILE with random graphs, some inside each other: values that go through, change places, are constant or unused; and states."""
import contextlib
import math
from dataclasses import dataclass

import numpy as np

from host import given, values
from net import options

MOST_NESTING = 2


@dataclass
class Kind:
    """A value that goes into graphs and comes out of them."""
    dtype: str
    shape: tuple
    scale: float = None
    zero: int = 0


def kinds_of(n):
    """Few kinds, so that values of one kind can change places."""
    shapes = [(), (1,), (5,), (2, 3), (1, 4, 3, 2), (3, 17)]
    kinds = []
    for _ in range(n.c.between(1, 3)):
        dtype = n.c.pick(["int8", "int32", "float32", "int8", "int16", "int64", "bool"])
        quantised = dtype in ("int8", "int16")
        kinds.append(Kind(dtype, n.c.pick(shapes), n.scale() if quantised else None, n.zero(dtype) if quantised else 0))
    return [n.c.pick(kinds) for _ in range(n.c.between(1, 4))]


def tensor(n, kind):
    return n.add(kind.shape, kind.dtype, kind.scale, kind.zero)


def constant(n, data, kind):
    scales, zeros = ((kind.scale,), (kind.zero,)) if kind.scale else ((), ())
    a = n.add(kind.shape, kind.dtype, kind.scale, kind.zero)
    n.activations.pop()
    a.index = n.constant(data, kind.dtype, kind.shape, scales, zeros)
    return a


@contextlib.contextmanager
def region(n, kinds):
    """A new subgraph with inputs of these kinds; gives them and the list that takes its outputs."""
    around = n.b.graph, n.activations, n.inputs
    index = n.b.begin_subgraph()
    n.activations, n.inputs = [], []
    inputs, outputs = [tensor(n, kind) for kind in kinds], []
    yield index, inputs, outputs
    n.b.graph.inputs, n.b.graph.outputs = [a.index for a in inputs], [a.index for a in outputs]
    n.b.graph, n.activations, n.inputs = around


def kind_of(a):
    return Kind(a.dtype, a.shape, a.scale or None, a.zero)


def some_operator(n, pool):
    """A result of operators that the device or the host runs."""
    a = n.c.pick(pool)
    kind = kind_of(a)
    others = [b for b in pool if (b.dtype, b.shape, b.scale, b.zero) == (a.dtype, a.shape, a.scale, a.zero)]
    out = tensor(n, kind)
    if a.dtype in ("int8", "int32") and n.c.chance(60):
        name = n.c.pick(["ADD", "SUB", "MUL"]) if a.dtype == "int32" else n.c.pick(["ADD", "MUL", "MAXIMUM", "MINIMUM"])
        opts = options("MaximumMinimum") if name in ("MAXIMUM", "MINIMUM") else options(name.title())
        n.operator(name, [a, n.c.pick(others)], [out], opts)
    elif a.dtype == "int8" and len(a.shape) == 2 and n.c.chance(60):
        size = a.shape[1]
        weights = n.constant(n.numbers(size * size, "int8"), "int8", (size, size), (1 / 128,), (0,))
        n.operator("FULLY_CONNECTED", [a, weights, -1], [out], options("FullyConnected"))
    elif a.dtype == "float32" and n.c.chance(50):
        n.operator("FLOOR", [a], [out])
    elif a.dtype == "int16" and len(a.shape) in (1, 2) and n.c.chance(60):
        n.runs = 3  # With a state, which stays as it is while its graph does not run.
        n.custom("SignalDelay", [a], [out], delay_length=n.c.between(1, 6))
    elif a.dtype == "bool":
        n.operator("LOGICAL_NOT", [a], [out])
    elif a.shape:
        n.operator("REVERSE_V2", [a, n.constant([n.c.below(len(a.shape))])], [out], options("ReverseV2"))
    else:
        n.operator("RESHAPE", [a, n.constant(np.zeros(0), "int32", (0,))], [out], options("Reshape", newShape=[]))
    return out


def fill(n, pool, kinds, nesting):
    """Operators on the tensors of the pool, and a tensor of each kind, made of them or not."""
    for _ in range(n.c.below(4)):
        if not pool:
            break
        if nesting < MOST_NESTING and n.c.chance(20):
            pool += n.c.pick([branch, loop])(n, pool, nesting + 1)
        else:
            pool.append(some_operator(n, pool))
    made = []
    for kind in kinds:
        fits = [a for a in pool if (a.dtype, a.shape) == (kind.dtype, kind.shape)]
        if fits and not n.c.chance(8):
            made.append(n.c.pick([n.c.pick(fits), fits[-1]]))
        else:
            made.append(constant(n, values(n, kind.dtype, kind.shape), kind))
    return made


def condition(n, pool, nesting):
    """One bool: made by an operator, an input of the model, one of the graph, or constant."""
    bools = [a for a in pool if a.dtype == "bool" and math.prod(a.shape) == 1]
    if bools and n.c.chance(50):
        return n.c.pick(bools)
    numbers = [a for a in pool if a.dtype == "int32" and math.prod(a.shape) == 1]
    out = n.add(n.c.pick([(), (1,)]), "bool")
    if numbers and n.c.chance(70):
        a = n.c.pick(numbers)
        out = n.add(a.shape, "bool")
        n.operator(n.c.pick(["LESS", "GREATER_EQUAL"]), [a, n.constant(np.full(a.shape, n.c.between(-1, 2)), "int32", a.shape)], [out])
        return out
    if nesting == 0 and not n.c.chance(15):
        return given(n, out.shape, "bool")
    return constant(n, np.full(out.shape, n.c.chance(50)), kind_of(out))


def branch(n, pool, nesting):
    """IF; gives its results."""
    decides = condition(n, pool, nesting)
    operands = [n.c.pick(pool) for _ in range(n.c.below(4))] if pool else []
    kinds, results = [kind_of(a) for a in operands], [kind_of(n.c.pick(pool)) for _ in range(n.c.between(1, 3))] if pool else kinds_of(n)
    indices = []
    for _ in range(2):
        with region(n, kinds) as (index, inputs, outputs):
            outputs += fill(n, list(inputs), results, nesting)
            indices.append(index)
    made = [tensor(n, kind) for kind in results]
    n.operator("IF", [decides, *operands], made, options("If", thenSubgraphIndex=indices[0], elseSubgraphIndex=indices[1]))
    return made


def loop(n, pool, nesting):
    """WHILE, which counts; gives its results."""
    counter = Kind("int32", n.c.pick([(), (1,)]))
    operands = [n.c.pick(pool) for _ in range(n.c.below(4))] if pool else []
    kinds = [counter, *[kind_of(a) for a in operands]]
    by_flag = n.c.chance(25)
    if by_flag:
        kinds.append(Kind("bool", counter.shape))
    limit = n.c.pick([0, 1, 2, 3, 5])

    def is_below(a):
        out = n.add(counter.shape, "bool")
        n.operator("LESS", [a, n.constant(np.full(counter.shape, limit), "int32", counter.shape)], [out])
        return out

    with region(n, kinds) as (condition_index, inputs, outputs):
        outputs.append(inputs[-1] if by_flag else is_below(inputs[0]))
    with region(n, kinds) as (body_index, inputs, outputs):
        count = tensor(n, counter)
        n.operator("ADD", [inputs[0], n.constant(np.ones(counter.shape), "int32", counter.shape)], [count], options("Add"))
        outputs += [count, *fill(n, list(inputs[1:len(operands) + 1]), kinds[1:len(operands) + 1], nesting)]
        if by_flag:
            outputs.append(is_below(count))
    first = constant(n, np.zeros(counter.shape), counter)
    inputs = [first, *operands]
    if by_flag:
        inputs.append(constant(n, np.full(counter.shape, limit > 0), kinds[-1]))
    made = [tensor(n, kind) for kind in kinds]
    n.operator("WHILE", inputs, made, options("While", condSubgraphIndex=condition_index, bodySubgraphIndex=body_index))
    return made


def model(n, operator):
    pool = []
    for kind in kinds_of(n):
        quantisation = {"scale": kind.scale, "zero": kind.zero} if kind.scale else {}
        pool.append(given(n, kind.shape, kind.dtype, **quantisation))
    for _ in range(n.c.below(2)):
        pool.append(some_operator(n, pool))
    pool += operator(n, pool, 0)
    for _ in range(n.c.below(3)):
        pool.append(some_operator(n, pool))
    for a in n.activations[:-1]:  # Not all are outputs of the model.
        a.uses += n.c.chance(30)


CONTROL_OPERATORS = {"IF": lambda n: model(n, branch), "WHILE": lambda n: model(n, loop)}
