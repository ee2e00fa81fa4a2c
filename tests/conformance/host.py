# SPDX-License-Identifier: Apache-2.0
"""Operators that the host runs, or that move elements of any type. Each function adds one to a net, with random shapes and options."""
import math

import numpy as np
from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema

from choices import random_words
from net import options

MOST = 400  # Elements of a tensor, so that vectors are small.


def integers(n, low, high, shape, dtype):
    """Random integers of a range, which is small so that some are equal."""
    words = random_words(n.c.below(1 << 16), math.prod(shape))
    return ((words % np.uint64(high - low + 1)).astype(np.int64) + low).astype(dtype).reshape(shape)


def reals(n, shape, most=100.0):
    """Random real numbers, some of them whole or halves."""
    values = random_words(n.c.below(1 << 16), math.prod(shape)).astype(np.int64) / 2.0**63 * most
    values[::3] = np.round(values[::3] * 2) / 2
    return values.astype(np.float32).reshape(shape)


def values(n, dtype, shape, low=-3, high=3):
    if dtype == "float32":
        return reals(n, shape, 4.0)
    if dtype == "bool":
        return integers(n, 0, 1, shape, "bool")
    if dtype in ("int8", "int16"):
        return n.numbers(math.prod(shape), dtype).reshape(shape)
    return integers(n, low, high, shape, dtype)


def fraction_scale(n):
    """A scale below 1."""
    return float(np.float32((0.5 + n.c.below(1 << 15) / (1 << 16)) * 2.0**-n.c.between(0, 8)))


def given(n, shape, dtype, make=None, **quantisation):
    """An input of the model, with contents of its own in each run."""
    a = n.new_input(shape, dtype, **(quantisation if dtype in ("int8", "int16", "uint8") else {}))
    a.make = make or (lambda: values(n, dtype, shape))
    return a


def shape_of(n, ranks=(1, 2, 3, 4)):
    dims = [n.c.pick([1, 2, 3, 4, 5, 7, 8, 16, 17]) for _ in range(n.c.pick(ranks))]
    while math.prod(dims) > MOST:
        dims[dims.index(max(dims))] //= 2
    return tuple(dims)


def broadcast_pair(n):
    """Two shapes that broadcast."""
    a = b = shape_of(n)
    kind = n.c.below(4)
    if kind == 1:
        b = ()
    elif kind == 2:
        b = a[n.c.below(len(a)):]
    elif kind == 3:
        a = tuple(1 if n.c.chance(30) else d for d in a)
        b = tuple(1 if n.c.chance(30) else d for d in b)
    return (b, a) if n.c.chance(30) else (a, b)


def pair(n, dtype, make=None, **quantisation):
    """Two operands that broadcast, one of them perhaps constant, and the shape of what they make."""
    shapes = broadcast_pair(n)
    operands = []
    for shape in shapes:
        create = (lambda s: lambda: make(s))(shape) if make else None
        if n.c.chance(20) and operands:
            data = create() if create else values(n, dtype, shape)
            quantised = dtype in ("int8", "int16")
            scales, zeros = ([fraction_scale(n)], [n.zero(dtype)]) if quantised else ((), ())
            operands.append(n.constant(data, dtype, shape, scales, zeros))
        else:
            operands.append(given(n, shape, dtype, create, **quantisation))
    return operands, np.broadcast_shapes(*shapes)


def compare(n, name, dtypes):
    dtype = n.c.pick(dtypes)
    shapes = broadcast_pair(n)
    operands = [given(n, s, dtype, scale=fraction_scale(n)) for s in shapes]
    n.operator(name, operands, [n.add(np.broadcast_shapes(*shapes), "bool")])


ORDERED = ["int8", "float32", "int32", "int64"]


def logical(n, name):
    operands, shape = pair(n, "bool")
    n.operator(name, operands, [n.add(shape, "bool")])


def logical_not(n):
    x = given(n, shape_of(n), "bool")
    n.operator("LOGICAL_NOT", [x], [n.add(x.shape, "bool")])


def like(n, x, shape=None):
    """A result of the operand's type and quantisation."""
    return n.add(x.shape if shape is None else shape, x.dtype, x.scale or None, x.zero)


def select(n):
    dtype = n.c.pick(["int8", "float32", "int16", "int32", "int64"])
    shape = shape_of(n)
    shapes = [tuple(1 if n.c.chance(20) else d for d in shape) for _ in range(3)]
    condition = given(n, shapes[0], "bool")
    x = given(n, shapes[1], dtype)
    y = given(n, shapes[2], dtype, scale=x.scale or None, zero=x.zero)
    n.operator("SELECT_V2", [condition, x, y], [like(n, x, np.broadcast_shapes(*shapes))])


def cast(n):
    source = n.c.pick(["int8", "float32", "int16", "int32", "uint32", "bool"])
    target = n.c.pick(["float32", "int8", "int16", "int32", "uint32"])
    shape = shape_of(n)
    make = {
        "float32": lambda: np.abs(reals(n, shape)) if target == "uint32" else reals(n, shape),
        "uint32": lambda: random_words(n.c.below(1 << 16), math.prod(shape)).astype(np.uint32).reshape(shape),
        "int32": lambda: random_words(n.c.below(1 << 16), math.prod(shape)).astype(np.uint32).view(np.int32).reshape(shape),
    }.get(source)
    x = given(n, shape, source, make)
    n.operator("CAST", [x], [n.add(shape, target)], options("Cast"))


def function(n, name):
    shape = shape_of(n)
    x = given(n, shape, "float32", lambda: reals(n, shape))
    n.operator(name, [x], [like(n, x)])


def floor_arithmetic(n, name):

    def make(shape):
        numbers = reals(n, shape, 10.0)
        return np.where(numbers == 0, np.float32(1), numbers)

    operands, shape = pair(n, "float32", make)
    n.operator(name, operands, [n.add(shape, "float32")])


def integer_arithmetic(n, name):
    """Of int32, and of int64 where TensorFlow Lite Micro has that."""
    dtype = n.c.pick(["int32", "int32", "int64"]) if name in ("MAXIMUM", "MINIMUM") else "int32"

    def make(shape):
        numbers = integers(n, -50, 50, shape, dtype)
        return np.where(numbers == 0, 7, numbers).astype(dtype)

    operands, shape = pair(n, dtype, make)
    fields = {} if name in ("MAXIMUM", "MINIMUM") else {"fusedActivationFunction": n.fused()}
    kind = "MaximumMinimum" if name in ("MAXIMUM", "MINIMUM") else name.title()
    n.operator(name, operands, [n.add(shape, dtype)], options(kind, **fields))


def cumulative_sum(n):
    dtype = n.c.pick(["int8", "float32"])
    # Of more than 8 of the largest values the sum would not fit int32.
    shape = tuple(min(d, 8) for d in shape_of(n))
    x = given(n, shape, dtype, scale=fraction_scale(n))
    out = n.add(shape, dtype, None if dtype == "float32" else float(np.float32(x.scale * n.c.pick([1, 2, 0.5, 3.7]))), n.zero())
    axis = n.c.below(len(shape))
    n.operator("CUMSUM", [x, n.constant([n.axis(axis, len(shape))])], [out],
               options("Cumsum", exclusive=n.c.chance(40), reverse=n.c.chance(40)))


def reduce_extreme(n, name):
    x = given(n, shape_of(n), n.c.pick(["int8", "float32"]))
    rank = len(x.shape)
    axes = sorted({n.c.below(rank) for _ in range(n.c.between(1, 2))})
    keep = n.c.chance(50)
    shape = [1 if i in axes else d for i, d in enumerate(x.shape) if keep or i not in axes]
    n.operator(name, [x, n.constant([n.axis(a, rank) for a in axes])], [like(n, x, shape)], options("Reducer", keepDims=keep))


def log_softmax(n):
    dtype = n.c.pick(["int8", "float32"])
    x = given(n, shape_of(n), dtype, scale=fraction_scale(n))
    out = n.add(x.shape, dtype, 1 / 16, 127)
    n.operator("LOG_SOFTMAX", [x], [out], options("LogSoftmax"))


def l2_pool(n):
    h, w, channels = n.c.between(1, 7), n.c.between(1, 7), n.c.pick([1, 2, 3, 5])
    x = given(n, (n.c.between(1, 2), h, w, channels), "float32")
    filters, strides = (n.c.between(1, h), n.c.between(1, w)), (n.c.between(1, 3), n.c.between(1, 3))
    same = n.c.chance(50)
    sizes = [-(-d // s) if same else (d - f) // s + 1 for d, f, s in zip((h, w), filters, strides)]
    n.operator("L2_POOL_2D", [x], [n.add((x.shape[0], *sizes, channels), "float32")],
               options("Pool2D", padding=schema.Padding.SAME if same else schema.Padding.VALID, filterHeight=filters[0], filterWidth=filters[1],
                       strideH=strides[0], strideW=strides[1], fusedActivationFunction=n.fused()))


def pointer(n, shape, size, constant=40):
    """Indices into `size` elements: constant ones, or an input."""
    if n.c.chance(constant):
        return n.constant(integers(n, 0, size - 1, shape, "int32"), "int32", shape)
    return given(n, shape, "int32", lambda: integers(n, 0, size - 1, shape, "int32"))


def gather(n):
    """Of computed indices, and with dimensions of a batch."""
    x = given(n, shape_of(n, (2, 3, 4)), n.c.pick(["int8", "float32"]))
    batch = n.c.pick([0, 0, 1])
    axis = n.c.between(batch, len(x.shape) - 1)
    inner = shape_of(n, (1, 2))[:2]
    indices = pointer(n, x.shape[:batch] + tuple(min(d, 3) for d in inner), x.shape[axis], 20)
    shape = x.shape[:axis] + tuple(min(d, 3) for d in inner) + x.shape[axis + 1:]
    n.operator("GATHER", [x, indices], [like(n, x, shape)], options("Gather", axis=n.axis(axis, len(x.shape)), batchDims=batch))


def gather_nd(n):
    x = given(n, shape_of(n, (2, 3, 4)), n.c.pick(["int8", "float32"]))
    depth = n.c.between(1, len(x.shape))
    outer = tuple(min(d, 4) for d in shape_of(n, (1, 2)))
    make = lambda: np.stack([integers(n, 0, d - 1, outer, "int32") for d in x.shape[:depth]], -1)
    constant = n.c.chance(40)
    indices = n.constant(make(), "int32", outer + (depth,)) if constant else given(n, outer + (depth,), "int32", make)
    n.operator("GATHER_ND", [x, indices], [like(n, x, outer + x.shape[depth:])], options("GatherNd"))


def embedding_lookup(n):
    dtype = n.c.pick(["int8", "float32"])
    shape = shape_of(n, (2, 3))
    hybrid = dtype == "int8" and n.c.chance(50)
    table = given(n, shape, dtype, zero=0 if hybrid else None)
    rows = pointer(n, (n.c.between(1, 5),), shape[0])
    count = n.b.graph.tensors[rows if isinstance(rows, int) else rows.index].shape[0]
    out = n.add((count, *shape[1:]), "float32") if hybrid else like(n, table, (count, *shape[1:]))
    n.operator("EMBEDDING_LOOKUP", [rows, table], [out])


def dynamic_update_slice(n):
    x = given(n, shape_of(n), n.c.pick(["int8", "float32", "int32"]))
    part = tuple(n.c.between(1, d) for d in x.shape)
    update = given(n, part, x.dtype, scale=x.scale or None, zero=x.zero)
    dtype = n.c.pick(["int32", "int64"])
    make = lambda: np.array([n.c.between(-1, d) for d in x.shape], dtype)
    begin = n.constant(make(), dtype, (len(part),)) if n.c.chance(40) else given(n, (len(part),), dtype, make)
    n.operator("DYNAMIC_UPDATE_SLICE", [x, update, begin], [like(n, x)])


def broadcast_to(n):
    shape = shape_of(n)
    small = tuple(1 if n.c.chance(50) else d for d in shape)[n.c.below(2) if len(shape) > 1 else 0:]
    x = given(n, small, n.c.pick(["int8", "float32", "int32", "int16", "bool"]))
    n.operator("BROADCAST_TO", [x, n.constant(shape, n.c.pick(["int32", "int64"]))], [like(n, x, shape)], options("BroadcastTo"))


def broadcast_args(n):
    shapes = broadcast_pair(n)
    dtype = n.c.pick(["int32", "int64"])
    inputs = [given(n, (len(s),), dtype, (lambda s: lambda: np.array(s, dtype))(s or (1,))) if s else
              given(n, (1,), dtype, lambda: np.array([1], dtype)) for s in shapes]
    n.operator("BROADCAST_ARGS", inputs, [n.add((max(len(s) or 1 for s in shapes),), dtype)])


def fill(n):
    shape = shape_of(n)
    x = given(n, (), n.c.pick(["float32", "int32", "int8"]))
    n.operator("FILL", [n.constant(shape, n.c.pick(["int32", "int64"])), x], [like(n, x, shape)], options("Fill"))


def zeros_like(n):
    x = given(n, shape_of(n), n.c.pick(["int8", "float32", "int32", "int64"]))
    n.operator("ZEROS_LIKE", [x], [like(n, x)], options("ZerosLike"))


def reverse(n):
    x = given(n, shape_of(n), n.c.pick(["int8", "float32", "int32", "int16", "int64", "bool", "uint8"]))
    rank = len(x.shape)
    first = n.c.below(rank)
    axes = list(range(first, n.c.between(first + 1, rank)))
    n.operator("REVERSE_V2", [x, n.constant([n.axis(a, rank) for a in axes])], [like(n, x)], options("ReverseV2"))


def mirror_pad(n):
    x = given(n, shape_of(n), n.c.pick(["int8", "float32"]))
    mode = n.c.pick([schema.MirrorPadMode.REFLECT, schema.MirrorPadMode.SYMMETRIC])
    most = [d - (mode == schema.MirrorPadMode.REFLECT) for d in x.shape]
    paddings = [[n.c.between(0, min(m, 3)), n.c.between(0, min(m, 3))] for m in most]
    shape = [d + sum(p) for d, p in zip(x.shape, paddings)]
    n.operator("MIRROR_PAD", [x, n.constant(np.array(paddings), n.c.pick(["int32", "int64"]))], [like(n, x, shape)],
               options("MirrorPad", mode=mode))


def variable(n):
    """A sum of the inputs of all runs, in a variable that perhaps begins with other values than zero."""
    n.runs = 3
    shape = shape_of(n)
    x = given(n, shape, "int8")
    scale, zero = x.scale, x.zero
    handle = n.b.resource()
    n.b.operator("VAR_HANDLE", [], [handle], options("VarHandle", sharedName="sum", container=""))
    if n.c.chance(50):
        n.b.call_once("sum", n.numbers(math.prod(shape), "int8"), shape, scale, zero)
    before, after = n.add(shape, "int8", scale, zero), n.add(shape, "int8", scale, zero)
    n.operator("READ_VARIABLE", [handle], [before], options("ReadVariable"))
    n.operator("ADD", [before, x], [after], options("Add"))
    n.b.operator("ASSIGN_VARIABLE", [handle, after.index], [], options("AssignVariable"))
    if n.c.chance(50):
        again = n.add(shape, "int8", scale, zero)
        n.operator("READ_VARIABLE", [handle], [again], options("ReadVariable"))


def uncentred(n):
    """FULLY_CONNECTED with weights of another zero point than 0, which TensorFlow Lite Micro subtracts."""
    rows, terms, outputs = n.c.between(1, 4), n.c.pick([1, 4, 5, 16, 17, 33]), n.c.pick([1, 3, 16, 17])
    x = given(n, (rows, terms), "int8")
    zero = n.c.pick([1, -1, 127, -128, n.c.between(-128, 127)])
    scale = fraction_scale(n)
    weights = n.constant(n.numbers(outputs * terms, "int8"), "int8", (outputs, terms), [scale], [zero])
    unit = x.scale * scale
    biases = [n.constant(integers(n, -999, 999, (outputs,), "int32"), "int32", (outputs,), [unit], [0])] if n.c.chance(50) else []
    out = n.add((rows, outputs), "int8", n.result_scale(unit, max(1.0, 2.0**13 / terms)), n.zero())
    n.operator("FULLY_CONNECTED", [x, weights, *biases], [out], options("FullyConnected", fusedActivationFunction=n.fused()))


def detection(n):
    """Few scores, so that some are equal, and boxes of which some overlap. Without use_regular_nms TensorFlow Lite Micro leaves the
    outputs behind the last detection as memory is: there as many boxes as outputs are so far apart that they do not overlap."""
    boxes, classes = n.c.between(1, 24), n.c.between(1, 4)
    most, regular = n.c.between(1, 12), n.c.chance(50)
    columns = classes + n.c.below(2)
    encoded = given(n, (1, boxes, n.c.pick([4, 4, 5])), "float32")
    encoded.make = lambda: reals(n, encoded.shape, 4.0)
    scores = given(n, (1, boxes, columns), "float32", lambda: (integers(n, 0, 9, (1, boxes, columns), "int32") / 10).astype(np.float32))
    anchors = np.abs(reals(n, (boxes, 4), 1.0)) + np.float32(0.05)
    if not regular:
        most = min(most, boxes)
        anchors[:, 0] += np.arange(boxes) % most * np.float32(10)
    count = n.c.pick([(1,), ()])  # Only the number of elements matters.
    outputs = [n.add(shape, "float32") for shape in ((1, most, 4), n.c.pick([(1, most), (most,)]), (1, most), count)]
    fields = {"max_detections": most, "max_classes_per_detection": 1, "num_classes": classes, "use_regular_nms": regular,
              "nms_score_threshold": n.c.pick([0.0, 0.35, 0.8]) if regular else 0.0, "nms_iou_threshold": n.c.pick([0.3, 0.6, 1.0, 0.05]),
              **{f"{axis}_scale": n.c.pick([10.0, 5.0, 3.3]) for axis in "yxhw"}}
    if n.c.chance(50):
        fields["detections_per_class"] = n.c.between(1, 6)
    n.custom("TFLite_Detection_PostProcess", [encoded, scores, n.constant(anchors, "float32")], outputs, **fields)


HOST_OPERATORS = {
    **{name: (lambda name: lambda n: compare(n, name, ORDERED + ["bool"]))(name) for name in ("EQUAL", "NOT_EQUAL")},
    # GREATER of int16 depends on memory that the package's TensorFlow Lite Micro has not written.
    **{name: (lambda name: lambda n: compare(n, name, ORDERED))(name) for name in ("GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL")},
    "LOGICAL_AND": lambda n: logical(n, "LOGICAL_AND"),
    "LOGICAL_OR": lambda n: logical(n, "LOGICAL_OR"),
    "LOGICAL_NOT": logical_not,
    "SELECT_V2": select,
    "CAST": cast,
    **{name: (lambda name: lambda n: function(n, name))(name) for name in ("FLOOR", "CEIL", "ROUND", "SIN", "COS")},
    "FLOOR_DIV": lambda n: floor_arithmetic(n, "FLOOR_DIV"),
    "FLOOR_MOD": lambda n: floor_arithmetic(n, "FLOOR_MOD"),
    **{name: (lambda name: lambda n: integer_arithmetic(n, name))(name) for name in ("ADD", "SUB", "MUL", "DIV", "MAXIMUM", "MINIMUM")},
    "CUMSUM": cumulative_sum,
    "REDUCE_MAX": lambda n: reduce_extreme(n, "REDUCE_MAX"),
    "REDUCE_MIN": lambda n: reduce_extreme(n, "REDUCE_MIN"),
    "LOG_SOFTMAX": log_softmax,
    "L2_POOL_2D": l2_pool,
    "GATHER": gather,
    "GATHER_ND": gather_nd,
    "EMBEDDING_LOOKUP": embedding_lookup,
    "DYNAMIC_UPDATE_SLICE": dynamic_update_slice,
    "BROADCAST_TO": broadcast_to,
    "BROADCAST_ARGS": broadcast_args,
    "FILL": fill,
    "ZEROS_LIKE": zeros_like,
    "REVERSE_V2": reverse,
    "MIRROR_PAD": mirror_pad,
    "TFLite_Detection_PostProcess": detection,
    "FULLY_CONNECTED": uncentred,
    **dict.fromkeys(("VAR_HANDLE", "READ_VARIABLE", "ASSIGN_VARIABLE", "CALL_ONCE"), variable),
}
