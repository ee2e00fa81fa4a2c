# SPDX-License-Identifier: Apache-2.0
"""Operators that move values without changing them, and RESIZE. Each function adds one to a net, with random shapes and options."""
import math

import numpy as np

from net import Activation, options

ANY_TYPE = ["int8", "int8", "int8", "int16", "int32", "float32", "uint8", "int64", "bool"]


def moved_quantisation(n, x):
    """As the input's; seldom another one, which changes no code."""
    if not x.scale:
        return None, None  # Not a quantised type.
    return (n.scale(), n.zero(x.dtype)) if n.c.chance(8) else (x.scale, x.zero)


def moved(n, ranks=(4, 3, 2, 1, 5), dtypes=ANY_TYPE):
    dtype = n.c.pick(dtypes) if n.reuse == 0 and n.type == "int8" else n.type
    return n.take(ranks, dtype)


def results(n, x, shapes):
    quantisation = moved_quantisation(n, x)
    return [n.add(shape, x.dtype, *quantisation) for shape in shapes]


def move(n, name, inputs, x, shape, opts=None):
    n.operator(name, inputs, results(n, x, [shape]), opts)


def reshape(n):
    x = moved(n, (4, 2, 3, 1, 5))
    count = math.prod(x.shape)
    shape = [count]
    for _ in range(n.c.below(4)):
        factors = [f for f in (1, 2, 3, 4, 5, 7, 8) if shape[-1] % f == 0]
        f = n.c.pick(factors)
        shape[-1:] = [f, shape[-1] // f]
    asked = list(shape)
    if n.c.chance(40):
        asked[n.c.below(len(asked))] = -1
    given = n.c.pick(["input", "options", "both"])
    inputs = [x] if given == "options" else [x, n.constant(asked)]
    move(n, "RESHAPE", inputs, x, shape, None if given == "input" else options("Reshape", newShape=asked))


def squeeze(n):
    x = moved(n)
    ones = [i for i, d in enumerate(x.shape) if d == 1]
    dropped = [i for i in ones if n.c.chance(50)] if n.c.below(2) else ones
    listed = dropped if dropped != ones or n.c.chance(50) else []
    dropped = listed or ones
    asked = [n.axis(d, len(x.shape)) for d in listed]
    move(n, "SQUEEZE", [x], x, [d for i, d in enumerate(x.shape) if i not in dropped], options("Squeeze", squeezeDims=asked))


def expand_dims(n):
    x = moved(n, (3, 2, 1, 4))
    axis = n.c.below(len(x.shape) + 1)
    shape = x.shape[:axis] + (1,) + x.shape[axis:]
    move(n, "EXPAND_DIMS", [x, n.constant([n.axis(axis, len(x.shape) + 1)], shape=n.c.pick([(1,), ()]))], x, shape, options("ExpandDims"))


def pad(n, name):
    x = moved(n, (4, 3, 2, 1), ["int8", "int8", "int8", "uint8"])
    margins = [[n.c.pick([0, 1, 2, 3]), n.c.pick([0, 1, 2, 3])] for _ in x.shape]
    if len(x.shape) == 4 and n.c.chance(60):
        margins[0] = margins[3] = [0, 0]
    shape = [d + sum(m) for d, m in zip(x.shape, margins)]
    inputs = [x, n.constant(np.array(margins), "int64" if n.c.chance(5) else "int32")]
    if name == "PADV2":
        # Of float32 we take whole numbers.
        value = [n.c.pick([0, -1, 100, 32767])] if x.dtype == "float32" else n.numbers(1, x.dtype)
        inputs.append(n.constant(value, x.dtype, n.c.pick([(1,), ()]), [x.scale], [x.zero]))
        n.operator(name, inputs, [n.add(shape, x.dtype, x.scale, x.zero)], options("PadV2"))
    else:
        move(n, name, inputs, x, shape, options("Pad"))


def concatenation(n):
    x = moved(n)
    rank = len(x.shape)
    axis = n.c.below(rank)
    parts = [x]
    for _ in range(n.c.between(0, 4)):
        if n.c.chance(15):
            parts.append(x)
            continue
        if n.c.chance(15) and x.dtype == n.type:
            index = n.constant(n.numbers(math.prod(x.shape), x.dtype), x.dtype, x.shape, [x.scale], [x.zero])
            parts.append(Activation(index, x.shape, x.dtype, x.scale, x.zero))
            continue
        shape = list(x.shape)
        shape[axis] = n.c.pick([shape[axis], 1, 3, 16])
        parts.append(n.like(x, shape))
    shape = list(x.shape)
    shape[axis] = sum(p.shape[axis] for p in parts)
    n.operator("CONCATENATION", parts, [n.add(shape, x.dtype, x.scale or None, x.zero)], options("Concatenation", axis=n.axis(axis, rank)))


def split(n):
    x = moved(n)
    axis = n.c.below(len(x.shape))
    parts = n.c.pick([k for k in (1, 2, 3, 4, x.shape[axis]) if x.shape[axis] % k == 0 and k <= 8])
    shape = list(x.shape)
    shape[axis] //= parts
    asked = n.constant([n.axis(axis, len(shape))], shape=n.c.pick([(1,), ()]))
    n.operator("SPLIT", [asked, x], results(n, x, [shape] * parts), options("Split", numSplits=parts))


def split_v(n):
    x = moved(n)
    axis = n.c.below(len(x.shape))
    sizes, rest = [], x.shape[axis]
    while rest > 1 and len(sizes) < 3 and n.c.chance(70):
        sizes.append(n.c.between(1, rest - 1))
        rest -= sizes[-1]
    sizes.append(rest)
    shapes = [x.shape[:axis] + (s,) + x.shape[axis + 1:] for s in sizes]
    asked = list(sizes)
    if n.c.chance(30):
        asked[n.c.below(len(asked))] = -1
    along = n.constant([n.axis(axis, len(x.shape))], shape=n.c.pick([(1,), ()]))
    n.operator("SPLIT_V", [x, n.constant(asked), along], results(n, x, shapes), options("SplitV", numSplits=len(sizes)))


def slice_(n):
    x = moved(n)
    begin = [n.c.below(d) for d in x.shape]
    size = [d - b - n.c.below(d - b) for d, b in zip(x.shape, begin)]
    asked = [-1 if s == d - b and n.c.chance(40) else s for s, d, b in zip(size, x.shape, begin)]
    kind = n.c.pick(["int32", "int64"])
    move(n, "SLICE", [x, n.constant(begin, kind), n.constant(asked, kind)], x, size, options("Slice"))


def strided_slice(n):
    x = moved(n)
    begins, ends, strides, shape = [], [], [], []
    masks = dict(beginMask=0, endMask=0, shrinkAxisMask=0)
    for i, d in enumerate(x.shape):
        stride = n.c.pick([1, 1, 2, 3, -1, -2])
        first = n.c.below(d)
        last = first + n.c.below(d - first) if stride > 0 else first - n.c.below(first + 1)
        begin = first - d if n.c.chance(20) else first
        end = last + (1 if stride > 0 else -1)
        if end == -1 and stride < 0:
            end = -d - 1
        if n.c.chance(15):  # Beyond the end is the end.
            end, last = (d + 3, d - 1) if stride > 0 else (-d - 4, 0)
        if n.c.chance(12) and stride > 0:
            masks["shrinkAxisMask"] |= 1 << i
            begins, ends, strides = begins + [begin], ends + [begin + 1], strides + [1]
            continue
        if n.c.chance(20):
            masks["beginMask"] |= 1 << i
            first = 0 if stride > 0 else d - 1
        if n.c.chance(20):
            masks["endMask"] |= 1 << i
            last = d - 1 if stride > 0 else 0
        if (last - first) * stride < 0:
            last, end = (d - 1, d) if stride > 0 else (0, -d - 1)
        begins, ends, strides = begins + [begin], ends + [end], strides + [stride]
        shape.append(abs(last - first) // abs(stride) + 1)
    move(n, "STRIDED_SLICE", [x, n.constant(begins), n.constant(ends), n.constant(strides)], x, shape, options("StridedSlice", **masks))


def pack(n):
    x = moved(n, (3, 2, 1, 4))
    parts = [x] + [n.like(x, x.shape) for _ in range(n.c.below(4))]
    axis = n.c.below(len(x.shape) + 1)
    shape = x.shape[:axis] + (len(parts),) + x.shape[axis:]
    n.operator("PACK", parts, results(n, x, [shape]), options("Pack", axis=n.axis(axis, len(shape)), valuesCount=len(parts)))


def unpack(n):
    x = moved(n, (3, 4, 2), ANY_TYPE)
    small = [i for i, d in enumerate(x.shape) if d <= 8]
    if not small:
        return reshape(n)
    axis = n.c.pick(small)
    shape = x.shape[:axis] + x.shape[axis + 1:]
    n.operator("UNPACK", [x], results(n, x, [shape] * x.shape[axis]), options("Unpack", axis=n.axis(axis, len(x.shape)), num=x.shape[axis]))


def transpose(n):
    x = moved(n, (4, 3, 2, 1, 5))
    left, order = list(range(len(x.shape))), []
    while left:
        order.append(left.pop(n.c.below(len(left))))
    move(n, "TRANSPOSE", [x, n.constant(order)], x, [x.shape[i] for i in order], options("Transpose"))


def gather(n):
    x = moved(n, (3, 2, 1, 4))
    axis = n.c.below(len(x.shape))
    inner = n.c.pick([(1,), (3,), (2, 2), ()])
    indices = np.array([n.c.below(x.shape[axis]) for _ in range(math.prod(inner))]).reshape(inner)
    shape = x.shape[:axis] + inner + x.shape[axis + 1:]
    move(n, "GATHER", [x, n.constant(indices)], x, shape, options("Gather", axis=n.axis(axis, len(x.shape)), batchDims=0))


def space_to_batch(n, name):
    x = moved(n, (4, 4, 3), ["int8", "int8", "uint8"])
    axes = len(x.shape) - 2
    block = [n.c.pick([1, 2, 3]) for _ in range(axes)]
    if name == "SPACE_TO_BATCH_ND":
        before = [n.c.below(3) for _ in block]
        after = [-(d + b) % k for d, b, k in zip(x.shape[1:], before, block)]
        shape = [x.shape[0] * math.prod(block), *((d + b + a) // k for d, b, a, k in zip(x.shape[1:], before, after, block)), x.shape[-1]]
        code = "SpaceToBatchND"
    else:
        if x.shape[0] % math.prod(block):
            block = [1] * axes
            block[-1] = x.shape[0]
        before = [n.c.below(min(3, d * k)) for d, k in zip(x.shape[1:], block)]
        after = [n.c.below(min(3, d * k - b)) for d, k, b in zip(x.shape[1:], block, before)]
        shape = [x.shape[0] // math.prod(block), *(d * k - b - a for d, b, a, k in zip(x.shape[1:], before, after, block)), x.shape[-1]]
        code = "BatchToSpaceND"
    move(n, name, [x, n.constant(block), n.constant(np.array(list(zip(before, after))))], x, shape, options(code))


def space_to_depth(n):
    x = moved(n, (4,))
    b = n.c.pick([k for k in (1, 2, 3, 4) if x.shape[1] % k == 0 and x.shape[2] % k == 0])
    move(n, "SPACE_TO_DEPTH", [x], x, [x.shape[0], x.shape[1] // b, x.shape[2] // b, x.shape[3] * b * b], options("SpaceToDepth", blockSize=b))


def depth_to_space(n):
    x = moved(n, (4,))
    b = n.c.pick([k for k in (1, 2, 3, 4) if x.shape[3] % (k * k) == 0])
    move(n, "DEPTH_TO_SPACE", [x], x, [x.shape[0], x.shape[1] * b, x.shape[2] * b, x.shape[3] // (b * b)], options("DepthToSpace", blockSize=b))


def tile(n):
    x = moved(n)
    times = [n.c.pick([1, 2, 3]) for _ in x.shape]
    move(n, "TILE", [x, n.constant(times, n.c.pick(["int32", "int64"]))], x, [d * t for d, t in zip(x.shape, times)])


def resize(n, name, kind):
    x = n.take()
    size = [d * n.c.pick([1, 2, 4, 8]) if d <= 4 else d * n.c.pick([1, 2]) for d in x.shape[1:3]]
    if n.c.chance(60):
        size = [n.c.between(1, 20) for _ in size]
    corners = n.c.chance(30)
    half = not corners and n.c.chance(50)
    if n.floats and name == "RESIZE_BILINEAR":  # What the device does.
        corners = False
        size = [d * n.c.pick([2, 4]) for d in x.shape[1:3]]
    move(n, name, [x, n.constant(size)], x, [x.shape[0], *size, x.shape[3]], options(kind, alignCorners=corners, halfPixelCenters=half))
