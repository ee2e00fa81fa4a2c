# SPDX-License-Identifier: Apache-2.0
"""Writes small int8 networks as TensorFlow Lite files, with nothing but the flatbuffers package.

Fields are numbered as in src/frontends/tflite/schema.fbs. A network is a dictionary:

    name    text
    input   a tensor: shape, scale, zero_point
    layers  a list, each layer reading the one before: op, output (a tensor), and by op
              conv2d           weights [out, height, width, in], stride; padding SAME
              max_pool2d       filter, stride; padding VALID
              fully_connected  weights [out, in]
            and with weights: weight_scales (one per output), bias (int32), activation (none or relu)
"""

import flatbuffers
import numpy as np

INT8, INT32 = 9, 2  # TensorType
SAME, VALID = 0, 1  # Padding
ACTIVATIONS = {"none": 0, "relu": 1}
# Operator code, its version for int8 (per channel), type in the union of options.
OPERATORS = {"conv2d": (3, 3, 1), "fully_connected": (9, 12, 8), "max_pool2d": (17, 2, 5)}
FORMAT_VERSION = 3
BUFFER_ALIGNMENT = 16


class Writer:
    def __init__(self):
        self.builder = flatbuffers.Builder(1 << 16)
        self.buffers = [self.table([(0, "offset", None)])]  # Buffer 0 is the one of tensors without contents.
        self.tensors = []
        self.operators = []

    # ---- flatbuffers -----------------------------------------------------------------------------

    def table(self, fields):
        """A table of (field number, type, value); type "offset" is of what was written before, None: absent."""
        add = {
            "int8": lambda slot, v: self.builder.PrependInt8Slot(slot, v, 0),
            "int32": lambda slot, v: self.builder.PrependInt32Slot(slot, v, 0),
            "offset": lambda slot, v: self.builder.PrependUOffsetTRelativeSlot(slot, v, 0),
        }
        self.builder.StartObject(max(slot for slot, _, _ in fields) + 1)
        for slot, kind, value in fields:
            if value is not None:
                add[kind](slot, value)
        return self.builder.EndObject()

    def numbers(self, values, kind):
        return self.builder.CreateNumpyVector(np.asarray(values, dtype=kind))

    def offsets(self, values):
        self.builder.StartVector(4, len(values), 4)
        for value in reversed(values):
            self.builder.PrependUOffsetTRelative(value)
        return self.builder.EndVector()

    def buffer(self, values):
        """Index of a new buffer with the values' bytes."""
        data = np.ascontiguousarray(values).tobytes()
        self.builder.StartVector(1, len(data), BUFFER_ALIGNMENT)
        self.builder.head -= len(data)
        self.builder.Bytes[self.builder.head : self.builder.head + len(data)] = data
        self.buffers.append(self.table([(0, "offset", self.builder.EndVector())]))
        return len(self.buffers) - 1

    # ---- TensorFlow Lite -------------------------------------------------------------------------

    def tensor(self, name, shape, kind, scales, zero_points, contents=None):
        """Index of a new tensor; its channels, when it has several scales, are dimension 0."""
        buffer = 0 if contents is None else self.buffer(contents)
        scales, zero_points = self.numbers(scales, np.float32), self.numbers(zero_points, np.int64)
        quantization = self.table([(2, "offset", scales), (3, "offset", zero_points), (6, "int32", 0)])
        shape, name = self.numbers(shape, np.int32), self.builder.CreateString(name)
        fields = [(0, "offset", shape), (1, "int8", kind), (2, "int32", buffer), (3, "offset", name)]
        self.tensors.append(self.table([*fields, (4, "offset", quantization)]))
        return len(self.tensors) - 1

    def activations(self, name, tensor):
        return self.tensor(name, tensor["shape"], INT8, [tensor["scale"]], [tensor["zero_point"]])

    def constants(self, name, layer, input_scale):
        """Weights and bias; a bias has the scale of the products."""
        weights, scales = layer["weights"], np.array(layer["weight_scales"], dtype=np.float32)
        zeros = np.zeros(len(scales), dtype=np.int64)
        bias_scales = scales * np.float32(input_scale)
        bias = np.asarray(layer["bias"], dtype=np.int32)
        return [
            self.tensor(f"{name}/weights", weights.shape, INT8, scales, zeros, weights.astype(np.int8)),
            self.tensor(f"{name}/bias", bias.shape, INT32, bias_scales, zeros, bias),
        ]

    def options(self, layer):
        """(height, width) pairs become the format's width before height."""
        if layer["op"] == "fully_connected":
            return self.table([(0, "int8", ACTIVATIONS[layer["activation"]])])
        stride_h, stride_w = layer["stride"]
        stride = [(1, "int32", stride_w), (2, "int32", stride_h)]
        if layer["op"] == "max_pool2d":
            filter_h, filter_w = layer["filter"]
            return self.table([(0, "int8", VALID), *stride, (3, "int32", filter_w), (4, "int32", filter_h)])
        activation = (3, "int8", ACTIVATIONS[layer["activation"]])
        # Dilations of 1 are written: the format's default is not this table writer's 0.
        return self.table([(0, "int8", SAME), *stride, activation, (4, "int32", 1), (5, "int32", 1)])

    def operator(self, layer, code_index, inputs, outputs):
        options = self.options(layer)
        inputs, outputs = self.numbers(inputs, np.int32), self.numbers(outputs, np.int32)
        kind = OPERATORS[layer["op"]][2]
        fields = [(0, "int32", code_index), (1, "offset", inputs), (2, "offset", outputs)]
        self.operators.append(self.table([*fields, (3, "int8", kind), (4, "offset", options)]))

    def operator_codes(self, names):
        codes = []
        for name in names:
            code, version, _ = OPERATORS[name]
            codes.append(self.table([(0, "int8", code), (2, "int32", version), (3, "int32", code)]))
        return self.offsets(codes)

    def model(self, network):
        used = sorted({layer["op"] for layer in network["layers"]})
        source = network["input"]
        first = last = self.activations("input", source)
        for i, layer in enumerate(network["layers"]):
            name = f"{layer['op']}_{i}"
            constants = self.constants(name, layer, source["scale"]) if "weights" in layer else []
            output = self.activations(name, layer["output"])
            self.operator(layer, used.index(layer["op"]), [last, *constants], [output])
            last, source = output, layer["output"]
        name = self.builder.CreateString(network["name"])
        inputs, outputs = self.numbers([first], np.int32), self.numbers([last], np.int32)
        tensors, operators = self.offsets(self.tensors), self.offsets(self.operators)
        lists = enumerate([tensors, inputs, outputs, operators, name])
        graphs = self.offsets([self.table([(slot, "offset", value) for slot, value in lists])])
        codes, buffers = self.operator_codes(used), self.offsets(self.buffers)
        fields = [(1, "offset", codes), (2, "offset", graphs), (3, "offset", name), (4, "offset", buffers)]
        self.builder.Finish(self.table([(0, "int32", FORMAT_VERSION), *fields]), b"TFL3")
        return bytes(self.builder.Output())


def model_bytes(network):
    """The network as the contents of a .tflite file."""
    return Writer().model(network)
