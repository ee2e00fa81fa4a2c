# SPDX-License-Identifier: Apache-2.0
"""Random models of one operator each, with QuantizeLinear and DequantizeLinear around it.

A case is a float operator with its constants. `quantised` measures what the operator makes of random inputs, and writes the model that a quantiser
would: inputs of int8 or uint8, the operator on dequantised values, and outputs of int8 or uint8.
"""

import dataclasses

import numpy as np
from onnx import TensorProto, helper, numpy_helper
from onnxruntime import InferenceSession

OPSET = 17


@dataclasses.dataclass
class Case:
    """One node, or a chain of nodes, from the inputs to the output "y"."""
    nodes: list
    inputs: dict  # Names to shapes.
    weights: dict = dataclasses.field(default_factory=dict)  # Names to arrays and the axis of their scales, or None: one scale.
    biases: dict = dataclasses.field(default_factory=dict)  # Names to arrays.
    constants: dict = dataclasses.field(default_factory=dict)  # Names to arrays that stay as they are.
    same_scale: bool = False  # The output has the scale of the input, as quantisers do.
    of_indices: bool = False  # The output is int64 and not quantised.


def _normal(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


def _node(kind, inputs, **attributes):
    return helper.make_node(kind, inputs, ["y"], name=f"the_{kind.lower()}", **attributes)


def _int64(*values):
    return np.array(values, np.int64)


def _conv(rng):
    groups, per_group, multiplier = [(1, int(rng.integers(1, 20)), 0), (int(rng.integers(2, 9)), 1, int(rng.integers(1, 3))), (2, 3, 4)][rng.integers(3)]
    outputs = groups * multiplier or int(rng.integers(1, 30))
    kernel, dilation = (int(k) for k in rng.integers(1, 4, 2))
    weights = _normal(rng, outputs, per_group, kernel, kernel + 1)
    attributes = {"strides": rng.integers(1, 3, 2).tolist(), "group": groups, "dilations": [dilation, 1]}
    padding = ["none", "pads", "SAME_UPPER", "SAME_LOWER"][rng.integers(4)]
    if padding == "pads":
        attributes["pads"] = rng.integers(0, kernel + 1, 4).tolist()
    elif padding != "none":
        # ONNX Runtime pads no dilated windows itself.
        attributes |= {"auto_pad": padding, "dilations": [1, 1]}
    image = rng.integers(8, 14, 2).tolist()
    return Case([_node("Conv", ["x", "w", "b"], **attributes)], {"x": [int(rng.integers(1, 3)), groups * per_group, *image]},
                weights={"w": (weights, rng.choice([0, None]))}, biases={"b": _normal(rng, outputs)})


def _conv_1d(rng):
    weights = _normal(rng, 6, 5, 3)
    return Case([_node("Conv", ["x", "w"], pads=[1, 1], strides=[int(rng.integers(1, 3))])], {"x": [1, 5, 17]}, weights={"w": (weights, 0)})


def _conv_transpose(rng):
    stride = int(rng.integers(1, 4))
    weights = _normal(rng, 5, 7, 3, 3)
    return Case([_node("ConvTranspose", ["x", "w", "b"], strides=[stride, stride], pads=[1, 0, 1, 1])], {"x": [1, 5, 6, 7]},
                weights={"w": (weights, None)}, biases={"b": _normal(rng, 7)})


def _gemm(rng):
    rows, inputs, outputs = (int(n) for n in rng.integers(1, 40, 3))
    transposed = int(rng.integers(2))
    weights = _normal(rng, outputs, inputs) if transposed else _normal(rng, inputs, outputs)
    return Case([_node("Gemm", ["x", "w", "b"], transB=transposed)], {"x": [rows, inputs]},
                weights={"w": (weights, rng.choice([1 - transposed, None]))}, biases={"b": _normal(rng, outputs)})


def _matmul(rng):
    inputs, outputs = (int(n) for n in rng.integers(1, 40, 2))
    return Case([_node("MatMul", ["x", "w"])], {"x": [2, 3, inputs]}, weights={"w": (_normal(rng, inputs, outputs), rng.choice([1, None]))})


def _batch_matmul(rng):
    m, k, n = (int(n) for n in rng.integers(1, 20, 3))
    return Case([_node("MatMul", ["x", "z"])], {"x": [2, 3, m, k], "z": [2, 3, k, n]})


def _pool(kind):

    def make(rng):
        kernel = int(rng.integers(1, 4))
        attributes = {"kernel_shape": [kernel, kernel + 1], "strides": rng.integers(1, 3, 2).tolist()}
        if rng.integers(2):
            attributes["pads"] = rng.integers(0, kernel, 4).tolist()
        if kind == "AveragePool":
            attributes["count_include_pad"] = 1
        elif rng.integers(2):
            attributes["ceil_mode"] = 1
        return Case([_node(kind, ["x"], **attributes)], {"x": [1, int(rng.integers(1, 20)), 9, 11]})

    return make


def _average_pool_padded(rng):
    """Padding does not count, so that windows at the edge have fewer pixels."""
    return Case([_node("AveragePool", ["x"], kernel_shape=[3, 3], strides=rng.integers(1, 3, 2).tolist(), pads=[1, 0, 1, 2])], {"x": [1, 5, 9, 11]},
                same_scale=True)


def _global_pool(rng):
    return Case([_node("GlobalAveragePool", ["x"])], {"x": [2, int(rng.integers(1, 20)), 5, 7]})


def _mean(rng):
    axes = sorted(rng.choice(4, int(rng.integers(1, 4)), replace=False).tolist())
    return Case([_node("ReduceMean", ["x"], axes=axes, keepdims=int(rng.integers(2)))], {"x": [2, 5, 4, 3]})


def _arg_max(rng):
    return Case([_node("ArgMax", ["x"], axis=int(rng.integers(-1, 4)), keepdims=int(rng.integers(2)))], {"x": [2, 5, 4, 3]}, of_indices=True)


def _prelu(rng):
    shape = [[3, 1, 1], [1], [5], [3, 4, 5]][rng.integers(4)]
    return Case([_node("PRelu", ["x", "w"])], {"x": [2, 3, 4, 5]}, weights={"w": (_normal(rng, *shape), None)})


def _softmax(rng):
    axis = int(rng.integers(-1, 3))
    return Case([_node("Softmax", ["x"], axis=axis)], {"x": [2, 5, 7]})


def _resize(mode, coordinates, **attributes):

    def make(rng):
        scales = np.array([1, 1, *rng.choice([1, 2, 4], 2)], np.float32)
        return Case([_node("Resize", ["x", "", "scales"], mode=mode, coordinate_transformation_mode=coordinates, **attributes)], {"x": [1, 3, 5, 6]},
                    constants={"scales": scales}, same_scale=True)

    return make


def _resize_down(rng):
    return Case([_node("Resize", ["x", "", "", "sizes"], mode="nearest", nearest_mode="ceil")], {"x": [1, 3, 9, 8]},
                constants={"sizes": _int64(1, 3, *rng.integers(2, 12, 2))})


def _binary(kind):

    def make(rng):
        first, second = [([2, 3, 4, 5], [2, 3, 4, 5]), ([2, 6, 4, 5], [1, 6, 1, 1]), ([4, 5], [2, 3, 4, 5]), ([2, 3, 1, 5], [3, 4, 1])][rng.integers(4)]
        return Case([_node(kind, ["x", "z"])], {"x": first, "z": second})

    return make


def _binary_constant(kind):

    def make(rng):
        shape = [[3, 1, 1], [1], [5], [1, 3, 4, 5]][rng.integers(4)]
        return Case([_node(kind, ["x", "w"])], {"x": [2, 3, 4, 5]}, weights={"w": (_normal(rng, *shape), None)})

    return make


def _scaled(kind):
    return lambda rng: Case([_node(kind, ["x", "c"])], {"x": [2, 3, 4]}, constants={"c": np.float32(rng.uniform(0.5, 3))})


def _function(kind, **attributes):
    return lambda rng: Case([_node(kind, ["x"], **attributes)], {"x": [2, int(rng.integers(1, 9)), 5]})


def _clip(rng):
    return Case([_node("Clip", ["x", "low", "high"])], {"x": [2, 3, 5]}, constants={"low": np.float32(-0.5), "high": np.float32(rng.uniform(0, 2))})


def _positive(kind):
    """A function of numbers above zero."""
    return lambda _: Case([helper.make_node("Relu", ["x"], ["r"]), _node(kind, ["r"])], {"x": [2, 3, 5]})


def _moved(kind, shape, constants=None, **attributes):
    constants = constants or {}
    return lambda _: Case([_node(kind, ["x", *constants], **attributes)], {"x": shape}, constants=constants)


def _pad(rng):
    return Case([_node("Pad", ["x", "pads", "value"])], {"x": [1, 3, 4, 5]},
                constants={"pads": _int64(*rng.integers(0, 3, 8)), "value": np.float32(0)})


def _concat(rng):
    axis = int(rng.integers(4))
    shapes = {}
    for name in ("x", "z", "u"):
        shapes[name] = [2, 3, 4, 5]
        shapes[name][axis] = int(rng.integers(1, 6))
    return Case([_node("Concat", ["x", "z", "u"], axis=axis)], shapes)


def _activated(kind):
    """A convolution with an activation that has no QuantizeLinear before it."""

    def make(rng):
        case = _conv(rng)
        case.nodes[0].output[0] = "c"
        return dataclasses.replace(case, nodes=[*case.nodes, _node(kind, ["c"])])

    return make


def _layouts(rng):
    """A convolution whose result is transposed, joined with a part of itself, and flattened: axes have several orders."""
    case = _conv(rng)
    case.nodes[0].output[0] = "c"
    case.nodes += [
        helper.make_node("Transpose", ["c"], ["t"], perm=[0, 2, 3, 1]),
        helper.make_node("Transpose", ["t"], ["back"], perm=[0, 3, 1, 2]),
        helper.make_node("MaxPool", ["back"], ["p"], kernel_shape=[2, 2], pads=[0, 0, 1, 1]),
        helper.make_node("Transpose", ["p"], ["s"], perm=[2, 0, 3, 1]),
        helper.make_node("Flatten", ["s"], ["y"], axis=2),
    ]
    return case


def _shapes(_):
    """A new shape that the model computes from a tensor's shape, as PyTorch exports a view."""
    nodes = [
        helper.make_node("Shape", ["x"], ["shape"]),
        helper.make_node("Constant", [], ["first"], value_int=0),
        helper.make_node("Gather", ["shape", "first"], ["batch"], axis=0),
        helper.make_node("Constant", [], ["axis"], value_ints=[0]),
        helper.make_node("Unsqueeze", ["batch", "axis"], ["batch_list"]),
        helper.make_node("Constant", [], ["rest"], value=numpy_helper.from_array(np.array([-1], np.int32))),
        helper.make_node("Cast", ["rest"], ["rest_64"], to=TensorProto.INT64),
        helper.make_node("Concat", ["batch_list", "rest_64"], ["new_shape"], axis=0),
        _node("Reshape", ["x", "new_shape"]),
    ]
    return Case(nodes, {"x": [2, 3, 4]})


def _split(_):
    return Case([helper.make_node("Split", ["x", "sizes"], ["a", "b"], axis=1), _node("Concat", ["b", "a"], axis=1)], {"x": [2, 7, 4]},
                constants={"sizes": _int64(3, 4)}, same_scale=True)


CASES = {
    "Conv": _conv,
    "Conv_1d": _conv_1d,
    "Conv_Relu": _activated("Relu"),
    "ConvTranspose": _conv_transpose,
    "Gemm": _gemm,
    "MatMul": _matmul,
    "MatMul_batch": _batch_matmul,
    "MaxPool": _pool("MaxPool"),
    "GlobalMaxPool": _moved("GlobalMaxPool", [2, 7, 5, 6]),
    "AveragePool": _pool("AveragePool"),
    "AveragePool_padded": _average_pool_padded,
    "GlobalAveragePool": _global_pool,
    "ReduceMean": _mean,
    "ArgMax": _arg_max,
    "Softmax": _softmax,
    "Resize_nearest": _resize("nearest", "asymmetric", nearest_mode="floor"),
    "Resize_nearest_half": _resize("nearest", "half_pixel"),
    "Resize_down": _resize_down,
    "Resize_linear": _resize("linear", "half_pixel"),
    "Resize_linear_corners": _resize("linear", "align_corners"),
    "Add": _binary("Add"),
    "Sub": _binary("Sub"),
    "Mul": _binary("Mul"),
    "Max": _binary("Max"),
    "Min": _binary("Min"),
    "PRelu": _prelu,
    "Add_constant": _binary_constant("Add"),
    "Mul_constant": _binary_constant("Mul"),
    "Mul_number": _scaled("Mul"),
    "Div": _scaled("Div"),
    "Relu": _function("Relu"),
    "Clip": _clip,
    "Sigmoid": _function("Sigmoid"),
    "Tanh": _function("Tanh"),
    "LeakyRelu": _function("LeakyRelu", alpha=0.1),
    "Elu": _function("Elu"),
    "HardSigmoid": _function("HardSigmoid"),
    "HardSwish": _function("HardSwish"),
    "Abs": _function("Abs"),
    "Neg": _function("Neg"),
    "Exp": _function("Exp"),
    "Erf": _function("Erf"),
    "Sqrt": _positive("Sqrt"),
    "Identity": _function("Identity"),
    "Dropout": _function("Dropout"),
    "Reshape": _moved("Reshape", [2, 3, 4], {"shape": _int64(0, -1, 2)}),
    "Flatten": _moved("Flatten", [2, 3, 4, 5], axis=2),
    "Squeeze": _moved("Squeeze", [2, 1, 4, 1], {"axes": _int64(1)}),
    "Unsqueeze": _moved("Unsqueeze", [2, 4], {"axes": _int64(0, -1)}),
    "Transpose": _moved("Transpose", [2, 3, 4, 5], perm=[3, 1, 0, 2]),
    "Concat": _concat,
    "Slice": _moved("Slice", [2, 6, 7], {"starts": _int64(1, -1), "ends": _int64(100, -6), "axes": _int64(1, 2), "steps": _int64(2, -2)}),
    "Gather": _moved("Gather", [2, 6, 3], {"indices": _int64(5, -6, 2, 2).reshape(2, 2)}, axis=1),
    "Pad": _pad,
    "DepthToSpace": _moved("DepthToSpace", [1, 12, 3, 4], blocksize=2),
    "DepthToSpace_CRD": _moved("DepthToSpace", [1, 12, 3, 4], blocksize=2, mode="CRD"),
    "SpaceToDepth": _moved("SpaceToDepth", [1, 3, 4, 6], blocksize=2),
    "Layouts": _layouts,
    "Shapes": _shapes,
    "Split": _split,
}
# Operators of integers: the case that they compute, their domain, their attributes beyond the case's, and the order of their inputs: q is a tensor with
# its scale and zero point, x a tensor alone, y the scale and zero point of the result.
INTEGER_OPERATORS = {
    "QLinearConv": ("Conv", "", {}, "qqyx"),
    "QLinearMatMul": ("MatMul", "", {}, "qqy"),
    "QGemm": ("Gemm", "com.microsoft", {}, "qqxy"),
    "QLinearAdd": ("Add", "com.microsoft", {}, "qqy"),
    "QLinearMul": ("Mul_constant", "com.microsoft", {}, "qqy"),
    "QLinearAveragePool": ("AveragePool", "com.microsoft", {}, "qy"),
    "QLinearGlobalAveragePool": ("GlobalAveragePool", "com.microsoft", {}, "qy"),
    "QLinearSigmoid": ("Sigmoid", "com.microsoft", {}, "qy"),
    "QLinearLeakyRelu": ("LeakyRelu", "com.microsoft", {}, "qy"),
    "QLinearSoftmax": ("Softmax", "com.microsoft", {"opset": 13}, "qy"),
    "QLinearConcat": ("Concat", "com.microsoft", {}, "yqqq"),
}


def float_model(case):
    """The case on float32."""
    weights = {name: array for name, (array, _) in case.weights.items()}
    constants = [numpy_helper.from_array(np.asarray(a), name) for name, a in {**weights, **case.biases, **case.constants}.items()]
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shape) for name, shape in case.inputs.items()]
    outputs = [helper.make_tensor_value_info("y", TensorProto.INT64 if case.of_indices else TensorProto.FLOAT, None)]
    graph = helper.make_graph(case.nodes, "operator", inputs, outputs, constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)


def scale_of(values, dtype):
    """Scale and zero point that cover the values and zero."""
    low, high = min(float(np.min(values)), 0.0), max(float(np.max(values)), 0.0)
    info = np.iinfo(dtype)
    scale = np.float32(max((high - low) / 255, 1e-6))
    return scale, dtype(np.clip(round(info.min - low / scale), info.min, info.max))


def _quantised_weights(array, axis):
    """int8 weights of zero point 0 within 7 bits, so that no kernel of ONNX Runtime saturates its sums, and their scales."""
    if axis is None:
        scale = np.float32(np.abs(array).max() / 63)
        return np.rint(array / scale).astype(np.int8), scale
    others = tuple(i for i in range(array.ndim) if i != axis)
    scales = (np.abs(array).max(axis=others) / 63).astype(np.float32)
    shape = [-1 if i == axis else 1 for i in range(array.ndim)]
    return np.rint(array / scales.reshape(shape)).astype(np.int8), scales


def quantised(case, rng, dtype, integer_operator=None):
    """The model, and inputs for it. Its operator is the case's, with QuantizeLinear and DequantizeLinear around it, or one of INTEGER_OPERATORS."""
    values = {name: _normal(rng, *shape) for name, shape in case.inputs.items()}
    measured = InferenceSession(float_model(case).SerializeToString()).run(None, values)[0]
    nodes, constants, scales, stored = [], [], {}, {}

    def constant(name, array):
        constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def store(name, scale, zero_point, **attributes):
        """Says what the tensor NAME_q stands for."""
        scales[name] = scale
        stored[name] = [name + "_q", constant(name + "_scale", scale), constant(name + "_zero", zero_point)]
        if not integer_operator:
            nodes.append(helper.make_node("DequantizeLinear", stored[name], [name], name=f"dequantise_{name}", **attributes))

    graph_inputs, feeds = [], {}
    for name, shape in case.inputs.items():
        graph_inputs.append(helper.make_tensor_value_info(name + "_q", helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), shape))
        store(name, *scale_of(values[name], dtype))
        feeds[name + "_q"] = rng.integers(np.iinfo(dtype).min, np.iinfo(dtype).max + 1, shape).astype(dtype)
    for name, (array, axis) in case.weights.items():
        # ONNX Runtime's operators of integers on two tensors have one type for both.
        same_type = integer_operator in ("QLinearAdd", "QLinearMul")
        integers, scale = _quantised_weights(array, axis)
        offset = 128 if same_type and dtype == np.uint8 else 0
        constant(name + "_q", (integers.astype(int) + offset).astype(dtype if same_type else np.int8))
        store(name, scale, np.full(np.shape(scale), offset, dtype if same_type else np.int8), **({} if axis is None else {"axis": int(axis)}))
    for name, array in case.biases.items():
        scale = (scales["x"] * scales["w"]).astype(np.float32)
        constant(name + "_q", np.rint(array / scale).astype(np.int32))
        store(name, scale, np.zeros(np.shape(scale), np.int32), **({"axis": 0} if np.ndim(scale) else {}))
    scale, zero = scale_of(values["x"] if case.same_scale else measured, dtype)
    result = [constant("y_scale", scale), constant("y_zero", zero)]
    if integer_operator:
        _, domain, attributes, order = INTEGER_OPERATORS[integer_operator]
        names, inputs = iter(case.nodes[0].input), []
        for kind in order:
            name = "" if kind == "y" else next(names, "")
            inputs += result if kind == "y" else (stored[name] if kind == "q" else stored[name][:1] if name else [])
        node = helper.make_node(integer_operator, inputs, ["y_q"], name="the_operator", domain=domain, **attributes)
        node.attribute.extend(case.nodes[0].attribute)
        nodes.append(node)
    else:
        for name, array in case.constants.items():
            constant(name, array)
        nodes += case.nodes
        if not case.of_indices:
            nodes.append(helper.make_node("QuantizeLinear", ["y", *result], ["y_q"], name="quantise_y"))
    output = ("y", np.int64) if case.of_indices else ("y_q", dtype)
    outputs = [helper.make_tensor_value_info(output[0], helper.np_dtype_to_tensor_dtype(np.dtype(output[1])), measured.shape)]
    graph = helper.make_graph(nodes, "operator", graph_inputs, outputs, constants)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(graph, opset_imports=opsets, ir_version=9), feeds
