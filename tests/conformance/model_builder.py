# SPDX-License-Identifier: Apache-2.0
"""Writes .tflite files: a thin layer over the schema's object API."""
import flatbuffers
import numpy as np
from flatbuffers import flexbuffers
from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema

TYPES = {
    "int8": schema.TensorType.INT8,
    "uint8": schema.TensorType.UINT8,
    "int16": schema.TensorType.INT16,
    "int32": schema.TensorType.INT32,
    "int64": schema.TensorType.INT64,
    "float32": schema.TensorType.FLOAT32,
    "bool": schema.TensorType.BOOL,
    "uint32": schema.TensorType.UINT32,
    "uint64": schema.TensorType.UINT64,
}
FIRST_NEW_CODE = 127  # Codes from here on do not fit the old field, which then says 127.


class ModelBuilder:
    def __init__(self):
        self.model = schema.ModelT()
        self.model.version = 3
        self.model.description = ""
        self.model.buffers = [schema.BufferT()]  # Buffer 0 is the empty one.
        self.model.operatorCodes = []
        self.graph = schema.SubGraphT()
        self.model.subgraphs = [self.graph]
        self.graph.name = "main"
        self.graph.tensors, self.graph.operators = [], []
        self.graph.inputs, self.graph.outputs = [], []

    def tensor(self, shape, dtype, scales=(), zeros=(), axis=0, data=None):
        """Its index. `data`: contents of a constant."""
        tensor = schema.TensorT()
        tensor.name = f"t{len(self.graph.tensors)}"
        tensor.shape = [int(d) for d in shape]
        tensor.type = TYPES[dtype]
        if len(scales):
            q = schema.QuantizationParametersT()
            q.scale = [float(s) for s in scales]
            q.zeroPoint = [int(z) for z in zeros]
            q.quantizedDimension = axis
            tensor.quantization = q
        tensor.buffer = 0
        if data is not None:
            tensor.buffer = len(self.model.buffers)
            buffer = schema.BufferT()
            buffer.data = np.frombuffer(np.ascontiguousarray(data, dtype=dtype).tobytes(), dtype=np.uint8)
            self.model.buffers.append(buffer)
        self.graph.tensors.append(tensor)
        return len(self.graph.tensors) - 1

    def operator(self, name, inputs, outputs, options=None):
        op = schema.OperatorT()
        op.opcodeIndex = self.code(getattr(schema.BuiltinOperator, name))
        op.inputs, op.outputs = list(inputs), list(outputs)
        if options is not None:
            op.builtinOptions = options
            op.builtinOptionsType = getattr(schema.BuiltinOptions, type(options).__name__[:-1])
        self.graph.operators.append(op)
        return op

    def custom(self, name, inputs, outputs, fields):
        """A custom operator, whose options are a FlexBuffer."""
        op = schema.OperatorT()
        op.opcodeIndex = self.code(schema.BuiltinOperator.CUSTOM, name)
        op.inputs, op.outputs = list(inputs), list(outputs)
        builder = flexbuffers.Builder()
        with builder.Map():
            for field, value in fields.items():
                {bool: builder.Bool, float: builder.Float}.get(type(value), builder.Int)(field, value)
        op.customOptions = np.frombuffer(bytes(builder.Finish()), dtype=np.uint8)
        self.graph.operators.append(op)
        return op

    def begin_subgraph(self):
        """What is added from here on stands in a new subgraph. Its index."""
        self.graph = schema.SubGraphT()
        self.graph.name, self.graph.tensors, self.graph.operators = f"graph{len(self.model.subgraphs)}", [], []
        self.model.subgraphs.append(self.graph)
        return len(self.model.subgraphs) - 1

    def resource(self):
        """A tensor that stands for a variable."""
        tensor = schema.TensorT()
        tensor.name = f"t{len(self.graph.tensors)}"
        tensor.shape, tensor.type, tensor.buffer = [], schema.TensorType.RESOURCE, 0
        self.graph.tensors.append(tensor)
        return len(self.graph.tensors) - 1

    def call_once(self, name, data, shape, scale, zero):
        """A CALL_ONCE, with a subgraph that assigns int8 contents to the variable of that name."""
        main, self.graph = self.graph, schema.SubGraphT()
        self.graph.name, self.graph.tensors, self.graph.operators = "once", [], []
        self.graph.inputs, self.graph.outputs = [], []
        handle, value = self.resource(), self.tensor(shape, "int8", [scale], [zero], 0, data)
        options = schema.VarHandleOptionsT()
        options.sharedName, options.container = name, ""
        self.operator("VAR_HANDLE", [], [handle], options)
        self.operator("ASSIGN_VARIABLE", [handle, value], [], schema.AssignVariableOptionsT())
        self.model.subgraphs.append(self.graph)
        self.graph = main
        call = schema.CallOnceOptionsT()
        call.initSubgraphIndex = len(self.model.subgraphs) - 1
        return self.operator("CALL_ONCE", [], [], call)

    def code(self, builtin, name=None):
        for i, code in enumerate(self.model.operatorCodes):
            if code.builtinCode == builtin and code.customCode == name:
                return i
        code = schema.OperatorCodeT()
        code.customCode = name
        code.builtinCode, code.version = builtin, 1
        code.deprecatedBuiltinCode = min(builtin, FIRST_NEW_CODE)
        self.model.operatorCodes.append(code)
        return len(self.model.operatorCodes) - 1


def serialise(model):
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def parse(data):
    return schema.ModelT.InitFromObj(schema.Model.GetRootAsModel(data, 0))
