# SPDX-License-Identifier: Apache-2.0
"""Small networks of the kinds that are exported as ONNX, on float32, and what ONNX Runtime's quantiser makes of them."""

import pathlib
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static

OPSET = 17


class Network:
    """A float network that grows node by node. Each method returns the name of its result."""

    def __init__(self, seed, shape):
        self.rng = np.random.default_rng(seed)
        self.shape = shape
        self.nodes, self.constants = [], []

    def constant(self, array):
        name = f"constant{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def weights(self, *shape):
        fan_in = np.prod(shape[1:])
        return self.constant((self.rng.standard_normal(shape) * np.sqrt(2 / fan_in)).astype(np.float32))

    def node(self, kind, *inputs, **attributes):
        name = f"{kind.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=name, **attributes))
        return name

    def conv(self, x, inputs, outputs, kernel=3, stride=1, groups=1):
        bias = self.constant((self.rng.standard_normal(outputs) * 0.1).astype(np.float32))
        return self.node("Conv", x, self.weights(outputs, inputs // groups, kernel, kernel), bias, strides=[stride, stride], group=groups,
                         kernel_shape=[kernel, kernel], pads=[kernel // 2] * 4)

    def gemm(self, x, inputs, outputs):
        return self.node("Gemm", x, self.weights(outputs, inputs), self.constant(np.zeros(outputs, np.float32)), transB=1)

    def model(self, result):
        self.nodes[-1].output[0] = "y"
        assert self.nodes[-1].name == result
        graph = helper.make_graph(self.nodes, "network", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["batch", *self.shape[1:]])],
                                  [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], self.constants)
        return helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)


def resnet(seed):
    """A stem, two residual blocks, the second of half the size, and a classifier."""
    net = Network(seed, [1, 3, 32, 32])
    x = net.node("Relu", net.conv("x", 3, 16, 7, 2))
    x = net.node("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    for inputs, outputs, stride in ((16, 16, 1), (16, 24, 2)):
        branch = net.node("Relu", net.conv(x, inputs, outputs, 3, stride))
        branch = net.conv(branch, outputs, outputs)
        around = x if stride == 1 else net.conv(x, inputs, outputs, 1, stride)
        x = net.node("Relu", net.node("Add", branch, around))
    x = net.node("Flatten", net.node("GlobalAveragePool", x))
    return net.model(net.gemm(x, 24, 10))


def mobilenet(seed):
    """Inverted residuals with depthwise convolutions and Clip, a classifier of a mean, and Softmax."""
    net = Network(seed, [1, 3, 24, 24])
    low, high = net.constant(np.float32(0)), net.constant(np.float32(6))

    def clipped(x):
        return net.node("Clip", x, low, high)

    x = clipped(net.conv("x", 3, 8, 3, 2))
    for inputs, outputs, stride in ((8, 8, 1), (8, 12, 2)):
        wide = clipped(net.conv(x, inputs, 4 * inputs, 1))
        wide = clipped(net.conv(wide, 4 * inputs, 4 * inputs, 3, stride, 4 * inputs))
        narrow = net.conv(wide, 4 * inputs, outputs, 1)
        x = net.node("Add", narrow, x) if stride == 1 else narrow
    x = net.node("ReduceMean", x, axes=[2, 3], keepdims=0)
    return net.model(net.node("Softmax", net.gemm(x, 12, 7)))


def detector(seed):
    """A network with two scales: Sigmoid times its argument, Resize, Concat and Transpose of the results."""
    net = Network(seed, [1, 3, 16, 20])

    def swish(x):
        return net.node("Mul", x, net.node("Sigmoid", x))

    fine = swish(net.conv("x", 3, 8, 3, 2))
    coarse = swish(net.conv(fine, 8, 12, 3, 2))
    up = net.node("Resize", coarse, "", net.constant(np.array([1, 1, 2, 2], np.float32)), mode="nearest", coordinate_transformation_mode="asymmetric",
                  nearest_mode="floor")
    x = net.conv(net.node("Concat", fine, up, axis=1), 20, 6, 1)
    return net.model(net.node("Reshape", net.node("Transpose", x, perm=[0, 2, 3, 1]), net.constant(np.array([0, -1, 3], np.int64))))


NETWORKS = {"resnet": resnet, "mobilenet": mobilenet, "detector": detector}
KINDS = {"mobilenet": "network with Softmax"}  # Of bounds (compare.py), where that is not "network".


class _Images(CalibrationDataReader):

    def __init__(self, images):
        self.images = iter(images)

    def get_next(self):
        image = next(self.images, None)
        return None if image is None else {"x": image}


def quantise(model, shape, seed, path, *, operators, unsigned, per_channel):
    """Writes the model as ONNX Runtime's quantiser makes it: of operators of integers or with QuantizeLinear and DequantizeLinear. Weights are int8
    within 7 bits (`reduce_range`): with them ONNX Runtime's kernels for uint8 times int8 cannot saturate their sums on processors without VNNI."""
    rng = np.random.default_rng(seed)
    images = [rng.standard_normal(shape).astype(np.float32) for _ in range(8)]
    quantize_static(model, path, _Images(images), quant_format=QuantFormat.QOperator if operators else QuantFormat.QDQ,
                    activation_type=QuantType.QUInt8 if unsigned else QuantType.QInt8, weight_type=QuantType.QInt8, per_channel=per_channel,
                    reduce_range=True)


def scale_of_output(model):
    """What one step of the last DequantizeLinear stands for."""
    graph = model.graph
    last = next(node for node in graph.node if node.output[0] == graph.output[0].name)
    return next(numpy_helper.to_array(t) for t in graph.initializer if t.name == last.input[1])


def random_model(name, rng):
    """A network with random weights in a random form of quantisation, as conformance.py wants it."""
    model = NETWORKS[name](int(rng.integers(1 << 30)))
    shape = [1, *(d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim[1:])]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.onnx"
        choices = {choice: bool(rng.integers(2)) for choice in ("operators", "unsigned", "per_channel")}
        quantise(model, shape, int(rng.integers(1 << 30)), path, **choices)
        quantised = onnx.load(path)
    feeds = {"x": rng.standard_normal(shape).astype(np.float32)}
    return KINDS.get(name, "network"), quantised.SerializeToString(), feeds, scale_of_output(quantised)
