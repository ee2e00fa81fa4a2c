# SPDX-License-Identifier: Apache-2.0
"""Graphs of the tensor language as functions of JAX, written from StableHLO's specification and JAX's documentation; and StableHLO as text."""
import os
import re

# Each graph is compiled for one run.
os.environ["XLA_FLAGS"] = "--xla_backend_optimization_level=0"

import jax
import numpy as np
from jax import lax
from jax import numpy as jnp
from jax._src.interpreters import mlir
from jax._src.lib import xla_client
from jax._src.lib.mlir import ir

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_platforms", "cpu")

# Nothing is rounded, here as there.
TYPES = {"f32": jnp.float64, "bf16": jnp.float64, "i32": jnp.int32, "i1": jnp.bool_}
COMPARE = {"EQ": lax.eq, "NE": lax.ne, "GE": lax.ge, "GT": lax.gt, "LE": lax.le, "LT": lax.lt}
REDUCE = {"add": jnp.sum, "maximum": jnp.max, "minimum": jnp.min}
REDUCE_WINDOW = {"add": (lax.add, 0.0), "maximum": (lax.max, -np.inf), "minimum": (lax.min, np.inf)}


def constant(node):
    values = node["attributes"]["values"]
    return jnp.full(node["shape"], values[0] if len(values) == 1 else np.reshape(values, node["shape"]), TYPES[node["element"]])


def broadcast_in_dim(n, a, x):
    """JAX differentiates ascending dimensions alone."""
    order = sorted(range(x.ndim), key=lambda d: a["broadcast_dimensions"][d])
    return lax.broadcast_in_dim(lax.transpose(x, order), n["shape"], sorted(a["broadcast_dimensions"]))


def pad(a, x, fill):
    return lax.pad(x, fill, list(zip(a["edge_padding_low"], a["edge_padding_high"], a["interior_padding"])))


def reduce_window(a, x):
    function, initial = REDUCE_WINDOW[a["body"]]
    return lax.reduce_window(x, initial, function, a["window_dimensions"], a["window_strides"], a["padding"], a["base_dilations"],
                             a["window_dilations"])


def select_and_scatter(a, x, source):
    """JAX has it as the derivative of a maximum over windows."""
    maximum = {**a, "body": "maximum", "base_dilations": [1] * x.ndim, "window_dilations": [1] * x.ndim}
    return jax.vjp(lambda v: reduce_window(maximum, v), x)[1](source)[0]


def dot_general(a, x, y):
    return lax.dot_general(x, y, ((a["lhs_contracting_dimensions"], a["rhs_contracting_dimensions"]),
                                  (a["lhs_batching_dimensions"], a["rhs_batching_dimensions"])))


def convolution(a, x, kernel):
    kernel = jnp.flip(kernel, [d for d, reverse in zip(a["kernel_spatial_dimensions"], a["window_reversal"]) if reverse])
    numbers = lax.ConvDimensionNumbers(
        (a["input_batch_dimension"], a["input_feature_dimension"], *a["input_spatial_dimensions"]),
        (a["kernel_output_feature_dimension"], a["kernel_input_feature_dimension"], *a["kernel_spatial_dimensions"]),
        (a["output_batch_dimension"], a["output_feature_dimension"], *a["output_spatial_dimensions"]))
    return lax.conv_general_dilated(x, kernel, a["window_strides"], a["padding"], a["lhs_dilation"], a["rhs_dilation"], numbers,
                                    a["feature_group_count"], a["batch_group_count"])


# Each gets the node, its attributes and its operands.
OPERATIONS = {
    "constant": lambda n, a: constant(n),
    "iota": lambda n, a: lax.broadcasted_iota(TYPES[n["element"]], n["shape"], a["iota_dimension"]),
    "abs": lambda n, a, x: lax.abs(x),
    "exponential": lambda n, a, x: lax.exp(x),
    "log": lambda n, a, x: lax.log(x),
    "logistic": lambda n, a, x: lax.logistic(x),
    "negate": lambda n, a, x: lax.neg(x),
    "rsqrt": lambda n, a, x: lax.rsqrt(x),
    "sqrt": lambda n, a, x: lax.sqrt(x),
    "tanh": lambda n, a, x: lax.tanh(x),
    "stop_gradient": lambda n, a, x: lax.stop_gradient(x),
    "convert": lambda n, a, x: x.astype(TYPES[n["element"]]),
    "add": lambda n, a, x, y: lax.add(x, y),
    "subtract": lambda n, a, x, y: lax.sub(x, y),
    "multiply": lambda n, a, x, y: lax.mul(x, y),
    "divide": lambda n, a, x, y: lax.div(x, y),
    "maximum": lambda n, a, x, y: lax.max(x, y),
    "minimum": lambda n, a, x, y: lax.min(x, y),
    "compare": lambda n, a, x, y: COMPARE[a["comparison_direction"]](x, y),
    "select": lambda n, a, p, x, y: lax.select(p, x, y),
    "broadcast_in_dim": lambda n, a, x: broadcast_in_dim(n, a, x),
    "reshape": lambda n, a, x: lax.reshape(x, n["shape"]),
    "transpose": lambda n, a, x: lax.transpose(x, a["permutation"]),
    "reverse": lambda n, a, x: lax.rev(x, a["dimensions"]),
    "slice": lambda n, a, x: lax.slice(x, a["start_indices"], a["limit_indices"], a["strides"]),
    "pad": lambda n, a, x, fill: pad(a, x, fill),
    "concatenate": lambda n, a, *parts: lax.concatenate(parts, a["dimension"]),
    "reduce": lambda n, a, x: REDUCE[a["body"]](x, axis=tuple(a["dimensions"])),
    "reduce_window": lambda n, a, x: reduce_window(a, x),
    "select_and_scatter": lambda n, a, x, source: select_and_scatter(a, x, source),
    "dot_general": lambda n, a, x, y: dot_general(a, x, y),
    "convolution": lambda n, a, x, kernel: convolution(a, x, kernel),
}


def function_of(nodes, arguments, result):
    """The value `result` as a function of the inputs."""

    def function(*inputs):
        values = dict(zip(arguments, inputs))
        for i, node in enumerate(nodes):
            if node["op"] != "input":
                values[i] = OPERATIONS[node["op"]](node, node["attributes"], *(values[v] for v in node["operands"]))
        return values[result]

    return function


def differentiated(nodes, arguments, result, floats):
    """Value and gradients of the inputs number `floats`, as a function of all inputs and of the value's gradient."""
    function = function_of(nodes, arguments, result)

    @jax.jit
    def both(inputs, cotangent):

        def of_floats(*values):
            everything = list(inputs)
            for k, value in zip(floats, values):
                everything[k] = value
            return function(*everything)

        value, pull_back = jax.vjp(of_floats, *(inputs[k] for k in floats))
        return value, pull_back(cotangent)

    return both


def in_double(text):
    """The same text with f64 in place of f32 and bf16."""
    text = re.sub(r"(bf16|f32)(?=>)", "f64", text)
    return text.replace("0xFF800000", "0xFFF0000000000000").replace("0x7F800000", "0x7FF0000000000000")


def run_text(text, inputs):
    """The outputs of a function in StableHLO, by XLA."""
    with mlir.make_ir_context():
        code = mlir.module_to_bytecode(ir.Module.parse(text))
    device = jax.devices("cpu")[0]
    program = device.client.compile_and_load(code, xla_client.DeviceList((device, )), xla_client.CompileOptions())
    return [np.asarray(output) for output in program.execute([jax.device_put(x, device) for x in inputs])]
