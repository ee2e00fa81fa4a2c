// SPDX-License-Identifier: Apache-2.0
// Convolutions and pooling.
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "compiler/legalise/legalise_int16.h"
#include "compiler/legalise/legalise_rules.h"
#include "ir/range.h"

namespace tpu::compiler {
namespace {

// Convolutions and their like: input, output and constant weights of one type.
void RequireWeights(const OperatorView& view) {
  const ir::Tensor& weights = view.Input(1);
  view.RequireComputable({&view.Input(0), &view.Output()});
  // Weights of int16 activations are int8.
  const ElementType type = view.ComputesInt16() ? ElementType::kInt8 : view.Input(0).type;
  view.Require(weights.IsConstant() && weights.type == type, "weights {} must be constant {}",
               weights.name, ElementTypeName(type));
}

// Weights that operators made, of floating-point numbers alone.
bool HasComputedWeights(const OperatorView& view) {
  const ir::Tensor& weights = view.Input(1);
  if (weights.IsConstant() || weights.type != ElementType::kBfloat16) return false;
  view.RequireFloats();
  return true;
}

// Replaces the values, whatever their type, by function(values).
template <typename Function>
void ChangeValues(ir::Tensor& tensor, Function function) {
  std::visit(
      [&](auto& values) {
        if constexpr (requires { values.size(); }) values = function(values);
      },
      tensor.data);
}

void RequireImages(const OperatorView& view) {
  for (const ir::Tensor* tensor : {&view.Input(0), &view.Input(1), &view.Output()}) {
    view.Require(tensor->shape.size() == 4, "{} must have 4 dimensions", tensor->name);
  }
}

std::uint64_t Product(std::initializer_list<std::int64_t> factors) {
  std::int64_t product = 1;
  for (const std::int64_t factor : factors) product *= factor;
  return static_cast<std::uint64_t>(product);
}

// The operator's inputs with other weights.
std::vector<ir::TensorId> WithWeights(const OperatorView& view, ir::TensorId weights) {
  std::vector<ir::TensorId> inputs = view.op.inputs;
  inputs[1] = weights;
  return inputs;
}

// Weights [oc][taps][ic] of a dense convolution, zero between different groups.
template <typename T>
std::vector<T> ExpandGroups(const std::vector<T>& weights, const ir::Shape& shape,
                            std::int64_t groups) {
  const std::int64_t taps = shape[1] * shape[2];
  const std::int64_t inputs = shape[3];
  const std::int64_t per_group = shape[0] / groups;
  std::vector<T> dense(static_cast<std::size_t>(shape[0] * taps * inputs * groups));
  for (std::int64_t o = 0; o < shape[0]; ++o) {
    const std::int64_t first = o / per_group * inputs;
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      const std::int64_t from = (o * taps + tap) * inputs;
      const std::int64_t to = (o * taps + tap) * inputs * groups + first;
      std::copy_n(weights.begin() + from, inputs, dense.begin() + to);
    }
  }
  return dense;
}

// A transposed convolution is a convolution with the kernel turned by half a turn.
template <typename T>
std::vector<T> TurnKernel(const std::vector<T>& weights, const ir::Shape& shape) {
  const std::int64_t taps = shape[1] * shape[2];
  std::vector<T> turned(weights.size());
  for (std::int64_t o = 0; o < shape[0]; ++o) {
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      std::copy_n(weights.begin() + (o * taps + tap) * shape[3], shape[3],
                  turned.begin() + (o * taps + taps - 1 - tap) * shape[3]);
    }
  }
  return turned;
}

}  // namespace

void Legalise(const OperatorView& view, const ir::Conv2D& op) {
  if (HasComputedWeights(view)) {
    view.Keep(view.op.macs);
    return;
  }
  RequireWeights(view);
  RequireImages(view);
  const ir::Tensor weights = view.Input(1);
  const std::int64_t channels = view.Input(0).shape[3];
  const std::int64_t per_group = weights.shape[3];
  const bool grouped = per_group > 0 && channels > per_group && channels % per_group == 0 &&
                       weights.shape[0] % (channels / per_group) == 0;
  if (!grouped) {
    view.Keep();
    return;
  }
  const std::int64_t groups = channels / per_group;
  view.Require(weights.Elements() <= kMostConstant / groups,
               "weights {} become too large as dense ones", weights.name);
  ir::Tensor dense = weights;
  dense.name = weights.name + "/dense";
  dense.shape[3] = channels;
  ChangeValues(dense,
               [&](const auto& values) { return ExpandGroups(values, weights.shape, groups); });
  const std::uint64_t macs =
      Product({view.Output().Elements(), weights.shape[1], weights.shape[2], per_group});
  view.Add(WithWeights(view, view.graph.AddTensor(std::move(dense))), view.op.outputs[0], op, macs);
}

void Legalise(const OperatorView& view, const ir::DepthwiseConv2D& /*op*/) {
  if (HasComputedWeights(view)) {
    view.Keep(view.op.macs);
    return;
  }
  RequireWeights(view);
  RequireImages(view);
  view.Keep();
}

namespace {

// How many numbers of int8 make one of int9.
std::int64_t PartsOf(const std::vector<std::int8_t>& values, std::int32_t zero_point) {
  std::int64_t parts = 1;
  for (const std::int8_t value : values) {
    const std::int32_t centred = value - zero_point;
    while (centred < -128 * parts || centred > 127 * parts) ++parts;
  }
  return parts;
}

// The differences from the zero point. Those that int8 does not hold are sums of parts, which stand
// side by side in a row.
ir::Tensor CentredWeights(const ir::Tensor& weights, const std::vector<std::int8_t>& values,
                          std::int64_t parts) {
  const auto terms = static_cast<std::size_t>(weights.shape[1]);
  const auto width = terms * static_cast<std::size_t>(parts);
  std::vector<std::int8_t> centred(values.size() / terms * width);
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::int32_t rest = values[i] - weights.zero_point;
    for (std::size_t at = i / terms * width + i % terms; rest != 0; at += terms) {
      const std::int32_t part = std::clamp(rest, -128, 127);
      centred[at] = static_cast<std::int8_t>(part);
      rest -= part;
    }
  }
  ir::Tensor result = {.name = weights.name + "/centred", .type = ElementType::kInt8};
  result.shape = {weights.shape[0], weights.shape[1] * parts};
  result.scale = weights.scale;
  result.data = std::move(centred);
  return result;
}

// Weights whose zero point is not 0: a row meets each of their parts.
void LegaliseUncentred(const OperatorView& view, const ir::FullyConnected& op) {
  const ir::Tensor weights = view.Input(1);
  const ir::Tensor input = view.Input(0);
  const auto* values = std::get_if<std::vector<std::int8_t>>(&weights.data);
  view.Require(values != nullptr && weights.channel_scales.empty() && weights.shape.size() == 2,
               "weights {} of zero point {} must be int8 with one scale", weights.name,
               weights.zero_point);
  const std::int64_t terms = weights.shape[1];
  const std::int64_t rows = input.Elements() / terms;
  const std::int64_t parts = PartsOf(*values, weights.zero_point);
  std::vector<ir::TensorId> inputs = view.op.inputs;
  if (parts > 1) {
    const ir::Shape narrow = {rows, terms};
    const ir::Shape wide = {rows, terms * parts};
    const auto copies = static_cast<std::size_t>(parts);
    const std::vector<ir::TensorId> sources(copies, view.Reshaped(inputs[0], narrow));
    inputs[0] = view.Like(input, wide, "repeated");
    view.Add(sources, inputs[0],
             ir::MoveOf(ir::Concatenation{.axis = 1}, std::vector(copies, narrow), wide));
  }
  inputs[1] = view.graph.AddTensor(CentredWeights(weights, *values, parts));
  view.Add(inputs, view.op.outputs[0], op, static_cast<std::uint64_t>(rows * weights.Elements()));
}

}  // namespace

void Legalise(const OperatorView& view, const ir::FullyConnected& op) {
  RequireWeights(view);
  if (!view.ComputesFloats() && view.Input(1).zero_point != 0) {
    LegaliseUncentred(view, op);
  } else {
    view.Keep();
  }
}

// The input with zero points between its pixels, then a convolution of stride 1.
void Legalise(const OperatorView& view, const ir::TransposeConv& op) {
  RequireWeights(view);
  RequireImages(view);
  ir::Tensor turned = view.Input(1);
  turned.name += "/turned";
  ChangeValues(turned, [&](const auto& values) { return TurnKernel(values, turned.shape); });
  const ir::Tensor input = view.Input(0);
  const ir::Tensor weights = view.Input(1);
  const ir::Shape output = view.Output().shape;
  view.Require(weights.shape[3] == input.shape[3] && weights.shape[0] == output[3],
               "weights {} must have {} output and {} input channels", weights.name, output[3],
               input.shape[3]);
  view.Require(op.stride.h > 0 && op.stride.w > 0, "strides must be at least 1");

  ir::Shape spread = input.shape;
  spread[1] = (input.shape[1] - 1) * op.stride.h + 1;
  spread[2] = (input.shape[2] - 1) * op.stride.w + 1;
  ir::TensorId image = view.op.inputs[0];
  if (spread != input.shape) {
    image = view.Like(input, spread, "spread");
    AddEmbedding(view, view.op.inputs[0], image,
                 {.before = {0, 0, 0, 0}, .step = {1, op.stride.h, op.stride.w, 1}},
                 input.zero_point);
  }
  // Output row y reads rows y + k - (kernel - 1 - top) of the spread image.
  const auto before = [](std::int64_t kernel, std::int32_t pad) {
    return static_cast<std::int32_t>(kernel - 1) - pad;
  };
  ir::Conv2D conv = {.stride = {}, .dilation = {}, .padding = {}, .activation = op.activation};
  conv.padding.top = before(weights.shape[1], op.padding.top);
  conv.padding.left = before(weights.shape[2], op.padding.left);
  conv.padding.bottom =
      static_cast<std::int32_t>(output[1] + weights.shape[1] - 1 - spread[1]) - conv.padding.top;
  conv.padding.right =
      static_cast<std::int32_t>(output[2] + weights.shape[2] - 1 - spread[2]) - conv.padding.left;
  std::vector<ir::TensorId> inputs = WithWeights(view, view.graph.AddTensor(std::move(turned)));
  inputs[0] = image;
  view.Add(std::move(inputs), view.op.outputs[0], conv,
           Product({input.Elements(), weights.shape[0], weights.shape[1], weights.shape[2]}));
}

void Legalise(const OperatorView& view, const ir::ConvWeightGradient& op) {
  const ir::Tensor& x = view.Input(0);
  const ir::Tensor& g = view.Input(1);
  view.Require(x.shape.size() == 4 && g.shape.size() == 4, "{} and {} must have 4 dimensions",
               x.name, g.name);
  const ir::Shape weights = ir::WeightsOf(op, x.shape, g.shape, view.Output().shape);
  view.Require(x.type == ElementType::kBfloat16 && g.type == ElementType::kBfloat16,
               "{} and {} must be bfloat16", x.name, g.name);
  view.Require(view.Output().type == ElementType::kFloat32, "{} must be float32",
               view.Output().name);
  const bool fits =
      op.depthwise ? weights[0] == 1 && x.shape[3] == g.shape[3] : g.shape[3] == weights[0];
  view.Require(g.shape[0] == x.shape[0] && fits && x.shape[3] == weights[3],
               "{} and {} do not make gradients {}", x.name, g.name, view.Output().name);
  view.Require(view.Output().Elements() == weights[0] * weights[1] * weights[2] * weights[3],
               "{} has another number of elements", view.Output().name);
  ir::Operator op_with_origin = view.op;
  op_with_origin.origin = ir::OperatorName(view.op.attributes);
  view.graph.AddOperator(std::move(op_with_origin));
}

void Legalise(const OperatorView& view, const ir::Pool2D& /*op*/) {
  view.RequireComputable({&view.Input(0), &view.Output()});
  view.Keep();
}

}  // namespace tpu::compiler
