// SPDX-License-Identifier: Apache-2.0
// Products. A dot_general is a product of matrices or, when it sums over the rows of both, the
// gradient of a layer's weights. A convolution is one of the three that a layer's step has.
#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <utility>

#include "compiler/from_tensor/convolution_layer.h"
#include "compiler/from_tensor/translation.h"
#include "ir/move.h"
#include "ir/range.h"

namespace tpu::compiler {
namespace {

using tensor::Dimensions;
using tensor::ValueId;

std::int64_t SizeOf(const tensor::Shape& shape, const Dimensions& dimensions) {
  std::int64_t size = 1;
  for (const std::int64_t d : dimensions) size *= shape[static_cast<std::size_t>(d)];
  return size;
}

// An operand of a dot_general as matrices.
struct Matrices {
  ir::TensorId tensor = 0;
  std::int64_t count = 1;
  std::int64_t free = 1;
  std::int64_t terms = 1;
  bool terms_last = true;

  [[nodiscard]] ir::Shape Shape() const {
    return terms_last ? ir::Shape{count, 1, free, terms} : ir::Shape{count, 1, terms, free};
  }
};

Dimensions Joined(std::initializer_list<const Dimensions*> parts) {
  Dimensions joined;
  for (const Dimensions* part : parts) joined.insert(joined.end(), part->begin(), part->end());
  return joined;
}

// Whether dimensions in this order lie as they do in memory.
bool InOrder(const tensor::Shape& shape, Dimensions order) {
  std::erase_if(order, [&](std::int64_t d) { return shape[static_cast<std::size_t>(d)] == 1; });
  return std::ranges::is_sorted(order);
}

Matrices MatricesOf(Translation& to, ValueId id, const Dimensions& batching,
                    const Dimensions& contracting) {
  const tensor::Shape& shape = to.ShapeOf(id);
  Dimensions free;
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(shape.size()); ++d) {
    const auto is_in = [&](const Dimensions& set) {
      return std::ranges::find(set, d) != set.end();
    };
    if (!is_in(batching) && !is_in(contracting)) free.push_back(d);
  }
  Matrices matrices = {.tensor = to.Narrow(id),
                       .count = SizeOf(shape, batching),
                       .free = SizeOf(shape, free),
                       .terms = SizeOf(shape, contracting)};
  const Dimensions last = Joined({&batching, &free, &contracting});
  const Dimensions first = Joined({&batching, &contracting, &free});
  if (InOrder(shape, last)) return matrices;
  if (InOrder(shape, first)) {
    matrices.terms_last = false;
  } else {
    matrices.tensor = to.Transposed(matrices.tensor, last);
  }
  return matrices;
}

// Rows for columns.
void Turn(Translation& to, Matrices& matrices) {
  const ir::TensorId tensor = to.Reshaped(matrices.tensor, matrices.Shape());
  matrices.terms_last = !matrices.terms_last;
  matrices.tensor = to.Transposed(tensor, {0, 1, 3, 2});
}

std::uint64_t Macs(std::initializer_list<std::int64_t> factors) {
  return static_cast<std::uint64_t>(
      std::accumulate(factors.begin(), factors.end(), std::int64_t{1}, std::multiplies<>()));
}

// The value is the tensor under the value's own shape.
void Finish(Translation& to, ValueId id, ir::TensorId tensor) {
  const tensor::Shape& shape = to.ShapeOf(id);
  to.Is(id, to.Reshaped(tensor, shape.empty() ? ir::Shape{1} : shape));
}

// The pairs of contracting dimensions, in the order of the first operand's dimensions.
tensor::DotGeneral InOrderOfFirst(tensor::DotGeneral op) {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (std::size_t i = 0; i < op.lhs_contracting_dimensions.size(); ++i) {
    pairs.emplace_back(op.lhs_contracting_dimensions[i], op.rhs_contracting_dimensions[i]);
  }
  std::ranges::sort(pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    std::tie(op.lhs_contracting_dimensions[i], op.rhs_contracting_dimensions[i]) = pairs[i];
  }
  return op;
}

ir::Extent ExtentOf(const Dimensions& sizes) {
  return {.h = static_cast<std::int32_t>(sizes[0]), .w = static_cast<std::int32_t>(sizes[1])};
}

ir::Padding PaddingOf(const tensor::Padding& padding) {
  return {.top = static_cast<std::int32_t>(padding[0][0]),
          .left = static_cast<std::int32_t>(padding[1][0]),
          .bottom = static_cast<std::int32_t>(padding[0][1]),
          .right = static_cast<std::int32_t>(padding[1][1])};
}

// Zeros between the pixels.
ir::TensorId Spread(Translation& to, ir::TensorId input, const Dimensions& dilation) {
  const ir::Shape from = to.Tensor(input).shape;
  ir::Shape shape = from;
  shape[1] = (from[1] - 1) * dilation[0] + 1;
  shape[2] = (from[2] - 1) * dilation[1] + 1;
  if (shape == from) return input;
  const ir::TensorId spread = to.Make(to.Tensor(input).type, shape);
  to.Add({input, to.NarrowConstant(0.0F, {ir::FillElements(shape)})}, spread,
         ir::EmbedMove({.before = {0, 0, 0, 0}, .step = {1, dilation[0], dilation[1], 1}}, from,
                       shape));
  return spread;
}

// A convolution with weights that operators made.
void AddConvolution(Translation& to, std::vector<ir::TensorId> inputs, ir::TensorId result,
                    const ir::Conv2D& conv, bool depthwise) {
  const ir::Shape kernel = to.Tensor(inputs[1]).shape;
  const ir::Extent taps = conv.taps.Count(
      {.h = static_cast<std::int32_t>(kernel[1]), .w = static_cast<std::int32_t>(kernel[2])});
  const std::int64_t channels = depthwise ? 1 : to.Tensor(inputs[0]).shape[3];
  const std::uint64_t macs = Macs({to.Tensor(result).Elements(), taps.h, taps.w, channels});
  if (depthwise) {
    to.Add(std::move(inputs), result,
           ir::DepthwiseConv2D{.stride = conv.stride,
                               .dilation = conv.dilation,
                               .padding = conv.padding,
                               .turned = conv.turned,
                               .taps = conv.taps},
           macs);
  } else {
    to.Add(std::move(inputs), result, conv, macs);
  }
}

// Along one axis, the pixels of a layer's input with i = S a + r, for a stride S. Pixel i takes
// g[o] with o S + k = i + p, so that of the kernel's taps k = first + S j alone count, and tap j
// meets g[a + (r + p - first) / S - j].
struct Phase {
  std::int64_t pixels = 0;
  std::int64_t first_tap = 0;
  std::int64_t taps = 0;
  std::int64_t pad = 0;  // Before g, of a convolution whose last tap comes first.
};

Phase PhaseOf(std::int64_t r, std::int64_t stride, std::int64_t kernel, std::int64_t pad,
              std::int64_t pixels) {
  Phase phase = {.pixels = ir::CeilDiv(pixels - r, stride), .first_tap = (r + pad) % stride};
  phase.taps = ir::CeilDiv(std::max<std::int64_t>(kernel - phase.first_tap, 0), stride);
  phase.pad = phase.taps - 1 - (r + pad - phase.first_tap) / stride;
  return phase;
}

// The gradient of the input of a convolution with strides, one phase of its pixels after the other.
ir::TensorId ByPhases(Translation& to, ValueId id, const tensor::Convolution& op, ir::TensorId g,
                      ir::TensorId kernel, bool depthwise) {
  const ir::TensorId result = to.Make(id);
  const ir::Shape shape = to.Tensor(result).shape;
  const ir::Shape from = to.Tensor(g).shape;
  const ir::Shape weights = to.Tensor(kernel).shape;
  const auto pad = [&](std::size_t d) { return weights[d + 1] - 1 - op.padding[d][0]; };
  const Dimensions& strides = op.lhs_dilation;
  std::vector<ir::TensorId> parts;
  ir::Move move;
  for (std::int64_t ry = 0; ry < strides[0]; ++ry) {
    for (std::int64_t rx = 0; rx < strides[1]; ++rx) {
      const Phase y = PhaseOf(ry, strides[0], weights[1], pad(0), shape[1]);
      const Phase x = PhaseOf(rx, strides[1], weights[2], pad(1), shape[2]);
      if (y.pixels <= 0 || x.pixels <= 0) continue;
      const ir::Shape part_shape = {shape[0], y.pixels, x.pixels, shape[3]};
      const bool zeros = y.taps == 0 || x.taps == 0;
      ir::Box box = {.size = part_shape,
                     .from = {0, 0, 0, 0},
                     .to = {0, ry, rx, 0},
                     .to_step = {1, strides[0], strides[1], 1}};
      if (zeros) {
        box.from_step = {0, 0, 0, 1};
        parts.push_back(to.Tensor(result).type == ElementType::kBfloat16
                            ? to.NarrowConstant(0.0F, {1, 1, 1, shape[3]})
                            : to.Constant(std::vector<float>(static_cast<std::size_t>(shape[3])),
                                          {1, 1, 1, shape[3]}));
      } else {
        parts.push_back(to.Make(to.Tensor(result).type, part_shape));
        const auto behind = [](const Phase& phase, std::int64_t size) {
          return static_cast<std::int32_t>(phase.pixels + phase.taps - 1 - size - phase.pad);
        };
        AddConvolution(to, {g, kernel}, parts.back(),
                       {.stride = {},
                        .dilation = {},
                        .padding = {.top = static_cast<std::int32_t>(y.pad),
                                    .left = static_cast<std::int32_t>(x.pad),
                                    .bottom = behind(y, from[1]),
                                    .right = behind(x, from[2])},
                        .turned = true,
                        .taps = {.first = {.h = static_cast<std::int32_t>(y.first_tap),
                                           .w = static_cast<std::int32_t>(x.first_tap)},
                                 .step = ExtentOf(strides)}},
                       depthwise);
      }
      move.copies.push_back(ir::CopyBox(
          parts.size() - 1, zeros ? ir::Shape{1, 1, 1, shape[3]} : part_shape, shape, box));
    }
  }
  to.Add(std::move(parts), result, std::move(move));
  return result;
}

ir::TensorId InputGradient(Translation& to, ValueId id, const tensor::Convolution& op,
                           ir::TensorId g, ir::TensorId kernel, bool depthwise) {
  const auto ones = [](const Dimensions& d) { return d == Dimensions(d.size(), 1); };
  to.Require(ones(op.window_strides), "strides of a gradient are not supported");
  const ir::Shape weights = to.Tensor(kernel).shape;
  const bool reaches_before =
      op.padding[0][0] <= weights[1] - 1 && op.padding[1][0] <= weights[2] - 1;
  if (!ones(op.lhs_dilation) && ones(op.rhs_dilation) && reaches_before) {
    return ByPhases(to, id, op, g, kernel, depthwise);
  }
  const ir::TensorId result = to.Make(id);
  AddConvolution(to, {Spread(to, g, op.lhs_dilation), kernel}, result,
                 {.stride = {},
                  .dilation = ExtentOf(op.rhs_dilation),
                  .padding = PaddingOf(op.padding),
                  .turned = true},
                 depthwise);
  return result;
}

// The gradient of a layer's weights; what it makes besides, is the gradient of the layer's bias.
void AddWeightGradient(Translation& to, const Product& product, ir::TensorId x, ir::TensorId g,
                       ir::TensorId result, ir::ConvWeightGradient op, std::uint64_t macs) {
  std::vector<ir::TensorId> inputs = {x, g};
  std::vector<ir::TensorId> outputs = {result};
  if (product.minuend) inputs.push_back(to.Of(*product.minuend));
  if (const auto bias = to.BiasGradientOf(product.node)) {
    op.bias = true;
    outputs.push_back(to.Make(ElementType::kFloat32, to.ShapeOf(*bias)));
    to.Is(*bias, outputs.back());
  }
  to.Add(std::move(inputs), std::move(outputs), op, macs);
}

void TranslateDot(Translation& to, ValueId id, const Product& product,
                  const tensor::DotGeneral& unordered) {
  const tensor::DotGeneral op = InOrderOfFirst(unordered);
  const std::vector<ValueId>& operands = to.NodeOf(product.node).operands;
  Matrices a =
      MatricesOf(to, operands[0], op.lhs_batching_dimensions, op.lhs_contracting_dimensions);
  const Matrices b =
      MatricesOf(to, operands[1], op.rhs_batching_dimensions, op.rhs_contracting_dimensions);
  const std::uint64_t macs = Macs({a.count, a.free, a.terms, b.free});
  if (a.count == 1 && !a.terms_last && !b.terms_last && !product.bias) {
    const ir::TensorId result = to.Make(ElementType::kFloat32, AtLeastOne(to.ShapeOf(id)));
    AddWeightGradient(to, product, to.Reshaped(b.tensor, {1, 1, b.terms, b.free}),
                      to.Reshaped(a.tensor, {1, 1, a.terms, a.free}), result, {}, macs);
    to.Is(id, result);
    return;
  }
  if (!a.terms_last) Turn(to, a);
  std::vector<ir::TensorId> inputs = {to.Reshaped(a.tensor, a.Shape()),
                                      to.Reshaped(b.tensor, b.Shape())};
  if (product.bias) inputs.push_back(to.Of(*product.bias));
  const ir::TensorId result = to.Make(to.FormatOf(id), {a.count, 1, a.free, b.free});
  to.Add(std::move(inputs), result, ir::MatMul{.transposed = b.terms_last}, macs);
  Finish(to, id, result);
}

void TranslateConvolution(Translation& to, ValueId id, const Product& product,
                          const tensor::Convolution& op) {
  const std::vector<ValueId>& operands = to.NodeOf(product.node).operands;
  const ir::TensorId x = to.Narrow(operands[0]);
  ir::TensorId kernel = to.Narrow(operands[1]);
  const ir::Shape own_shape = to.Tensor(kernel).shape;
  const auto layer = own_shape.size() == 4 ? LayerOf(op, own_shape) : std::nullopt;
  to.Require(layer.has_value(), "dimension numbers or groups that are not supported");
  const std::vector<std::int64_t> exchange = {3, 1, 2, 0};
  if (layer->role == Role::kWeightGradient) {
    const tensor::Shape shape = to.ShapeOf(id);
    const ir::TensorId result =
        to.Make(ElementType::kFloat32,
                layer->exchanged ? ir::Shape{1, shape[1], shape[2], shape[0]} : shape);
    AddWeightGradient(
        to, product, x, kernel, result,
        {.stride = ExtentOf(op.rhs_dilation),
         .dilation = ExtentOf(op.window_strides),
         .padding = PaddingOf(op.padding),
         .depthwise = layer->depthwise},
        Macs({to.Tensor(kernel).Elements(), shape[1], shape[2], layer->depthwise ? 1 : shape[3]}));
    to.Is(id, layer->exchanged ? to.Transposed(result, exchange) : result);
    return;
  }
  if (layer->exchanged) kernel = to.Transposed(kernel, exchange);
  if (layer->role == Role::kInputGradient) {
    to.Require(!product.bias, "no bias is added to a gradient");
    to.Is(id, InputGradient(to, id, op, x, kernel, layer->depthwise));
    return;
  }
  const ir::TensorId result = to.Make(id);
  std::vector<ir::TensorId> inputs = {x, kernel};
  if (product.bias) inputs.push_back(to.Of(*product.bias));
  const ir::Conv2D conv = {.stride = ExtentOf(op.window_strides),
                           .dilation = ExtentOf(op.rhs_dilation),
                           .padding = PaddingOf(op.padding)};
  AddConvolution(to, std::move(inputs), result, conv, layer->depthwise);
  to.Is(id, result);
}

// Whether the operand's dimensions over which a product sums come first.
bool SumsOverRows(const tensor::Shape& shape, const Dimensions& contracting) {
  Dimensions free;
  for (std::int64_t d = 0; d < static_cast<std::int64_t>(shape.size()); ++d) {
    if (std::ranges::find(contracting, d) == contracting.end()) free.push_back(d);
  }
  return !InOrder(shape, Joined({&free, &contracting})) &&
         InOrder(shape, Joined({&contracting, &free}));
}

}  // namespace

void TranslateProduct(Translation& to, ValueId id, const Product& product) {
  const tensor::Operation& operation = to.NodeOf(product.node).operation;
  if (const auto* dot = std::get_if<tensor::DotGeneral>(&operation)) {
    TranslateDot(to, id, product, *dot);
  } else {
    TranslateConvolution(to, id, product, std::get<tensor::Convolution>(operation));
  }
}

std::optional<ValueId> GradientFactorOf(const Translation& to, ValueId id) {
  const std::vector<ValueId>& operands = to.NodeOf(id).operands;
  std::optional<ValueId> factor;
  if (const auto* dot = to.If<tensor::DotGeneral>(id)) {
    const tensor::DotGeneral op = InOrderOfFirst(*dot);
    if (op.lhs_batching_dimensions.empty() &&
        SumsOverRows(to.ShapeOf(operands[0]), op.lhs_contracting_dimensions) &&
        SumsOverRows(to.ShapeOf(operands[1]), op.rhs_contracting_dimensions)) {
      factor = operands[0];
    }
  } else if (const auto* convolution = to.If<tensor::Convolution>(id)) {
    const tensor::Shape& kernel = to.ShapeOf(operands[1]);
    const auto layer = kernel.size() == 4 ? LayerOf(*convolution, kernel) : std::nullopt;
    if (layer && layer->role == Role::kWeightGradient && !layer->exchanged) factor = operands[1];
  }
  if (!factor) return std::nullopt;
  return to.If<tensor::Convert>(*factor) != nullptr ? to.NodeOf(*factor).operands[0] : *factor;
}

}  // namespace tpu::compiler
