# SPDX-License-Identifier: Apache-2.0
"""What a case shows: a set of short texts, by which the vectors are chosen so that few of them show everything."""
import math

import numpy as np

from executor import Value, operator_name
from model_builder import parse

# Fields of options that are numbers, and the numbers that are classes of their own.
COUNTED = {"strideH": 3, "strideW": 3, "dilationHFactor": 2, "dilationWFactor": 2, "depthMultiplier": 3, "filterHeight": 3, "filterWidth": 3,
           "blockSize": 3, "padding": 1, "fusedActivationFunction": 3}
FLAGS = ("keepDims", "keepNumDims", "alignCorners", "halfPixelCenters", "beginMask", "endMask", "shrinkAxisMask")


def zero_class(value):
    if value.dtype not in (np.int8, np.uint8):
        return "none"
    lo, hi = value.limits()
    return {lo: "lowest", hi: "highest", 0: "zero"}.get(value.zero, "other")


def channels_class(shape):
    return "few" if shape[-1] < 4 else "a row" if shape[-1] in (4, 8, 16, 32) else "odd" if shape[-1] < 16 else "many"


def factor_class(real):
    return "0" if real == 0 else str(max(min(math.frexp(real)[1], 6), -34) // 4)


def of_operator(model, op, values):
    ins = [values[i] for i in op.inputs if i >= 0]
    out = values[op.outputs[0]]
    yield f"types {','.join(v.dtype.name for v in ins)}, {out.dtype}"
    yield f"rank {len(ins[0].shape)}"
    yield f"inputs {len(op.inputs)}, missing {sum(i < 0 for i in op.inputs)}"
    yield f"outputs {min(len(op.outputs), 3)}"
    for value, name in ((ins[0], "input"), (out, "output")):
        yield f"{name} zero {zero_class(value)}"
        if value.shape:
            yield f"{name} channels {channels_class(value.shape)}"
    if len(ins[0].shape) == 4:
        yield f"batch {min(ins[0].shape[0], 2)}"
    if out.scale and ins[0].scale:
        weights = float(ins[1].scale) if len(ins) > 1 and ins[1].scales else 1.0
        factor = float(ins[0].scale) * weights / float(out.scale)
        yield f"factor {factor_class(factor)}"
        yield f"power of two {math.frexp(factor)[0] == 0.5}, {max(math.frexp(factor)[1], -10)}"
    if len(ins) > 1:
        constant = [model.buffers[model.subgraphs[0].tensors[i].buffer].data is not None for i in op.inputs if i >= 0]
        yield f"constants {constant[:3]}"
        if ins[1].scales:
            yield f"scales {min(len(ins[1].scales), 2)}"
            yield "shapes " + ("equal" if ins[0].shape == ins[1].shape else "one value" if math.prod(ins[1].shape) == 1 else
                               f"{len(ins[1].shape)} and {len(ins[0].shape)}")
    if op.builtinOptions is not None:
        fields = vars(op.builtinOptions)
        for name, most in COUNTED.items():
            if name in fields:
                yield f"{name} {min(fields[name], most)}"
        for name in FLAGS:
            if fields.get(name):
                yield name
        if isinstance(fields.get("axis"), int):
            yield f"axis {'from the end' if fields['axis'] < 0 else 'from the start'}"
        if "alpha" in fields:
            yield f"alpha {fields['alpha']:.2f}"
        if "beta" in fields:
            yield f"beta {fields['beta']:.2f}"


def of(case):
    model = parse(case.model)
    graph = model.subgraphs[0]
    values = [Value(t) for t in graph.tensors]
    result = {f"oddity {name}" for name in case.oddities}
    result |= {f"{operator_name(model, op)}: {f}" for op in graph.operators for f in of_operator(model, op, values)}
    names = [operator_name(model, op) for op in graph.operators]
    result |= {f"{a} before {b}" for a, b in zip(names, names[1:])}
    result.add(f"inputs {min(len(graph.inputs), 4)}, outputs {min(len(graph.outputs), 4)}")
    return result
