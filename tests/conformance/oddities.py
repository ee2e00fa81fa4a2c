# SPDX-License-Identifier: Apache-2.0
"""What converters, old and strange ones among them, write into models, and TensorFlow Lite Micro accepts."""
import copy

from tflite_micro.tensorflow.lite.micro.python import schema_py_generated as schema

from model_builder import serialise

BIASED = {schema.BuiltinOperator.CONV_2D: 2, schema.BuiltinOperator.DEPTHWISE_CONV_2D: 2, schema.BuiltinOperator.FULLY_CONNECTED: 2,
          schema.BuiltinOperator.TRANSPOSE_CONV: 3}


def operators_of(model):
    for op in model.subgraphs[0].operators:
        code = model.operatorCodes[op.opcodeIndex]
        yield max(code.builtinCode, code.deprecatedBuiltinCode), op


def biases(model):
    tensors = model.subgraphs[0].tensors
    for code, op in operators_of(model):
        i = BIASED.get(code)
        if i is not None and len(op.inputs) > i and op.inputs[i] >= 0:
            yield tensors[op.inputs[i]]


def constants(model):
    return [t for t in model.subgraphs[0].tensors if model.buffers[t.buffer].data is not None and len(model.buffers[t.buffer].data)]


def bias_axis_3(c, model):
    """Biases of depthwise convolutions once said that they were quantised along dimension 3, of one."""
    for tensor in biases(model):
        if tensor.quantization is not None:
            tensor.quantization.quantizedDimension = 3


def bias_without_quantisation(c, model):
    for tensor in biases(model):
        tensor.quantization = None if c.below(2) else schema.QuantizationParametersT()


def bias_with_other_scales(c, model):
    """The number of scales need not be the number of channels."""
    for tensor in biases(model):
        if tensor.quantization is not None:
            tensor.quantization.scale = [0.25, 0.5, 1.0]
            tensor.quantization.zeroPoint = [0, 0, 0]


def bias_without_zero_points(c, model):
    for tensor in biases(model):
        if tensor.quantization is not None:
            tensor.quantization.zeroPoint = None


def weights_with_one_zero_point(c, model):
    """As many scales as channels, and one zero point for all."""
    for tensor in constants(model):
        q = tensor.quantization
        if tensor.type == schema.TensorType.INT8 and q is not None and q.scale is not None and len(q.scale) > 1:
            q.zeroPoint = [0]


def old_code_only(c, model):
    """Before there was builtin_code."""
    for code in model.operatorCodes:
        builtin = max(code.builtinCode, code.deprecatedBuiltinCode)
        if builtin < 127:
            code.deprecatedBuiltinCode, code.builtinCode = builtin, 0


def new_code_only(c, model):
    for code in model.operatorCodes:
        code.deprecatedBuiltinCode, code.builtinCode = 0, max(code.builtinCode, code.deprecatedBuiltinCode)


def other_versions(c, model):
    for code in model.operatorCodes:
        code.version = 1 + c.below(9)


def no_names(c, model):
    model.description = None
    model.subgraphs[0].name = None
    for tensor in model.subgraphs[0].tensors:
        tensor.name = None if c.below(2) else ""


def same_names(c, model):
    for tensor in model.subgraphs[0].tensors:
        tensor.name = "x"


def minimum_and_maximum(c, model):
    """What quantisation-aware training observed."""
    for tensor in model.subgraphs[0].tensors:
        if tensor.quantization is not None:
            tensor.quantization.min, tensor.quantization.max = [-1.5], [2.5]


def empty_quantisation(c, model):
    """Of tensors that are not quantised: a table without arrays, or with empty ones."""
    for tensor in model.subgraphs[0].tensors:
        if tensor.quantization is None:
            tensor.quantization = schema.QuantizationParametersT()
            if c.below(2):
                tensor.quantization.scale, tensor.quantization.zeroPoint = [], []


def own_empty_buffers(c, model):
    """Each tensor without contents refers to a buffer of its own, as the converter writes them."""
    for tensor in model.subgraphs[0].tensors:
        if tensor.buffer == 0:
            tensor.buffer = len(model.buffers)
            model.buffers.append(schema.BufferT())
            if c.below(2):
                model.buffers[-1].data = []


def shared_buffers(c, model):
    """Constants of the same contents in one buffer."""
    first = {}
    for tensor in constants(model):
        key = bytes(bytearray(model.buffers[tensor.buffer].data))
        tensor.buffer = first.setdefault(key, tensor.buffer)


def unused_parts(c, model):
    """A tensor, a buffer and an operator code that nothing refers to, and metadata."""
    graph = model.subgraphs[0]
    graph.tensors.append(copy.deepcopy(graph.tensors[0]))
    graph.tensors[-1].name = "unused"
    graph.tensors[-1].buffer = 0
    buffer = schema.BufferT()
    buffer.data = list(b"1.14.0")
    model.buffers.append(buffer)
    metadata = schema.MetadataT()
    metadata.name, metadata.buffer = "min_runtime_version", len(model.buffers) - 1
    model.metadata = [metadata]


def twice_the_same_code(c, model):
    """Each operator with an entry of its own in the table of codes."""
    codes = model.operatorCodes
    model.operatorCodes = []
    for op in model.subgraphs[0].operators:
        model.operatorCodes.append(copy.deepcopy(codes[op.opcodeIndex]))
        op.opcodeIndex = len(model.operatorCodes) - 1


def shape_signature(c, model):
    """The batch was left open in training, and is known in the file."""
    for tensor in model.subgraphs[0].tensors:
        if tensor not in constants(model) and tensor.shape:
            tensor.shapeSignature = [-1] + list(tensor.shape[1:])


def output_twice(c, model):
    model.subgraphs[0].outputs = list(model.subgraphs[0].outputs) + [model.subgraphs[0].outputs[0]]


def input_is_output(c, model):
    model.subgraphs[0].outputs = list(model.subgraphs[0].outputs) + [model.subgraphs[0].inputs[0]]


def unused_input(c, model):
    graph = model.subgraphs[0]
    tensor = copy.deepcopy(graph.tensors[graph.inputs[0]])
    tensor.name = "unused input"
    graph.tensors.append(tensor)
    # After the others, so that their contents stay what they are.
    graph.inputs = list(graph.inputs) + [len(graph.tensors) - 1]


def operators_without_options(c, model):
    """Options that say nothing but defaults may be missing."""
    for _, op in operators_of(model):
        if op.builtinOptions is not None and vars(op.builtinOptions) == vars(type(op.builtinOptions)()):
            op.builtinOptions, op.builtinOptionsType = None, 0


def constant_is_output(c, model):
    """A constant straight to an output."""
    graph = model.subgraphs[0]
    tensor, buffer = schema.TensorT(), schema.BufferT()
    buffer.data = [1, 2, 3, 255]
    tensor.name, tensor.shape, tensor.type, tensor.buffer = "constant", [4], schema.TensorType.INT8, len(model.buffers)
    model.buffers.append(buffer)
    graph.tensors.append(tensor)
    graph.outputs = [*graph.outputs, len(graph.tensors) - 1]


def second_subgraph(c, model):
    """That no operator calls."""
    graph = copy.deepcopy(model.subgraphs[0])
    graph.name = "unused"
    model.subgraphs.append(graph)


def dead_channel(c, model):
    """A channel whose weights were all zero has a scale of zero."""
    for tensor in constants(model):
        q = tensor.quantization
        if tensor.type == schema.TensorType.INT8 and q is not None and q.scale is not None and len(q.scale) > 1:
            q.scale = [0.0, *q.scale[1:]]


def weights_along_another_axis(c, model):
    """The dimension is wrong in name only: it is as long as the right one."""
    for tensor in constants(model):
        q = tensor.quantization
        if tensor.type == schema.TensorType.INT8 and q is not None and q.scale is not None and len(q.scale) > 1:
            q.quantizedDimension = [i for i, d in enumerate(tensor.shape) if d == len(q.scale)][-1]


def reshape_to_another_shape(c, model):
    """The output's shape is what counts, whatever RESHAPE asks for."""
    for code, op in operators_of(model):
        if code == schema.BuiltinOperator.RESHAPE and len(op.inputs) == 1:
            op.builtinOptions.newShape = [c.below(4), 3]


def output_of_more_dimensions(c, model):
    """FULLY_CONNECTED, MEAN and SUM: [1, 1, 1, c] where it should be [1, c]."""
    graph = model.subgraphs[0]
    for code, op in operators_of(model):
        tensor = graph.tensors[op.outputs[0]]
        used = any(op.outputs[0] in list(other.inputs) for other in graph.operators)
        kinds = (schema.BuiltinOperator.FULLY_CONNECTED, schema.BuiltinOperator.MEAN, schema.BuiltinOperator.SUM)
        if code in kinds and not used and len(tensor.shape) == 2:
            tensor.shape = [tensor.shape[0], 1, 1, tensor.shape[1]]


def sigmoid_of_another_scale(c, model):
    """LOGISTIC and TANH have one output scale, whatever the file says."""
    graph = model.subgraphs[0]
    for code, op in operators_of(model):
        quantization = graph.tensors[op.outputs[0]].quantization
        if code in (schema.BuiltinOperator.LOGISTIC, schema.BuiltinOperator.TANH) and quantization is not None and quantization.scale:
            quantization.scale = [0.005]


ODDITIES = [bias_axis_3, old_code_only, bias_without_quantisation, bias_with_other_scales, bias_without_zero_points, weights_with_one_zero_point,
            new_code_only, other_versions, no_names, same_names, minimum_and_maximum, empty_quantisation, own_empty_buffers, shared_buffers,
            unused_parts, twice_the_same_code, shape_signature, output_twice, input_is_output, unused_input, operators_without_options,
            constant_is_output, second_subgraph, dead_channel, weights_along_another_axis, reshape_to_another_shape, output_of_more_dimensions,
            sigmoid_of_another_scale]


def add_oddities(choices, model, oddities):
    """One to three of them. Gives the names of those that changed something."""
    names = []
    for _ in range(choices.between(1, min(3, len(oddities)))):
        before = serialise(model)
        oddity = choices.pick(oddities)
        oddity(choices, model)
        if serialise(model) != before:
            names.append(oddity.__name__)
    return names
