// SPDX-License-Identifier: Apache-2.0
#include "tests/tensor/random_case.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "base/error.h"
#include "tensor/gradient.h"
#include "tensor/window.h"
#include "tests/tensor/names.h"

namespace tpu::tensor {
namespace {

template <typename Op>
CaseKind Unary(double lo, double hi) {
  return {std::string(Op::kName), [lo, hi](RandomCase& c) {
            return c.builder.Append(Op{}, {c.Input(c.AnyShape(), lo, hi)});
          }};
}
template <typename Op>
CaseKind Binary(double lo, double hi) {
  return {std::string(Op::kName), [lo, hi](RandomCase& c) {
            const Shape shape = c.AnyShape();
            const ValueId a = c.Input(shape);
            // Twice the same operand: both parts of its gradient are summed.
            if (lo < 0 && c.Int(0, 4) == 0) return c.builder.Append(Op{}, {a, a});
            return c.builder.Append(Op{}, {a, c.Input(shape, lo, hi)});
          }};
}

// The value passes through bf16; a product by itself shows both ways.
ValueId MakeConvert(RandomCase& c) {
  const ValueId x = c.Input(c.AnyShape());
  const ValueId rounded = c.builder.Convert(x, kBf16);
  return c.builder.Convert(c.builder.Multiply(rounded, rounded), kF32);
}
ValueId MakeSelect(RandomCase& c) {
  const Shape shape = c.AnyShape();
  const ValueId a = c.Input(shape);
  const ValueId b = c.Input(shape);
  const auto direction = static_cast<ComparisonDirection>(c.Int(0, 5));
  return c.builder.Select(c.builder.Compare(direction, a, c.Input(shape)), a, b);
}
ValueId MakeStopGradient(RandomCase& c) {
  const ValueId x = c.Input(c.AnyShape());
  return c.builder.Multiply(x, c.builder.StopGradient(x));
}
ValueId MakeIota(RandomCase& c) {
  const ValueId x = c.Input(c.AnyShape());
  const std::int64_t dimension = c.Int(0, c.builder.TypeOf(x).Rank() - 1);
  return c.builder.Multiply(x, c.builder.Iota(c.builder.TypeOf(x), dimension));
}
ValueId MakeConstant(RandomCase& c) {
  const ValueId x = c.Input(c.AnyShape());
  Values<double> values(static_cast<std::size_t>(c.builder.TypeOf(x).Elements()));
  for (double& value : values) value = c.Real(-2, 2);
  return c.builder.Multiply(x, c.builder.Constant(c.builder.TypeOf(x), values));
}

ValueId MakeBroadcast(RandomCase& c) {
  const Shape shape = c.Ints(static_cast<std::size_t>(c.Int(1, 4)), 1, 4);
  const auto rank = static_cast<std::int64_t>(shape.size());
  Dimensions dimensions = c.Permutation(rank);
  dimensions.resize(static_cast<std::size_t>(c.Int(0, rank)));
  Shape from;
  for (const std::int64_t d : dimensions) {
    from.push_back(c.Int(0, 2) == 0 ? 1 : shape[static_cast<std::size_t>(d)]);
  }
  return c.builder.BroadcastInDim(c.Input(from), shape, dimensions);
}
ValueId MakeReshape(RandomCase& c) {
  const Shape shape = c.AnyShape();
  Shape to = {1};
  for (const std::int64_t size : shape) {
    if (c.Coin()) {
      to.push_back(size);
    } else {
      to.back() *= size;
    }
  }
  return c.builder.Reshape(c.Input(shape), to);
}
ValueId MakeTranspose(RandomCase& c) {
  const Shape shape = c.AnyShape();
  return c.builder.Transpose(c.Input(shape),
                             c.Permutation(static_cast<std::int64_t>(shape.size())));
}
ValueId MakeReverse(RandomCase& c) {
  const Shape shape = c.AnyShape();
  return c.builder.Reverse(c.Input(shape), c.Subset(static_cast<std::int64_t>(shape.size())));
}
ValueId MakeSlice(RandomCase& c) {
  Shape shape = c.AnyShape();
  for (std::int64_t& size : shape) size += 2;
  Slice op;
  for (const std::int64_t size : shape) {
    op.start_indices.push_back(c.Int(0, size - 1));
    op.limit_indices.push_back(c.Int(op.start_indices.back() + 1, size));
    op.strides.push_back(c.Int(1, 3));
  }
  return c.builder.Append(op, {c.Input(shape)});
}
ValueId MakePad(RandomCase& c) {
  const Shape shape = c.AnyShape();
  Pad op;
  for (const std::int64_t size : shape) {
    op.interior_padding.push_back(c.Int(0, 2));
    const std::int64_t dilated = Dilated(size, op.interior_padding.back() + 1);
    op.edge_padding_low.push_back(c.Int(-1, 2));
    op.edge_padding_high.push_back(
        std::max(c.Int(-2, 2), 1 - dilated - op.edge_padding_low.back()));
  }
  return c.builder.Append(op, {c.Input(shape), c.Input({})});
}
ValueId MakeConcatenate(RandomCase& c) {
  Shape shape = c.AnyShape();
  const std::int64_t d = c.Int(0, static_cast<std::int64_t>(shape.size()) - 1);
  std::vector<ValueId> parts;
  for (std::int64_t count = c.Int(1, 3); count > 0; --count) {
    shape[static_cast<std::size_t>(d)] = c.Int(1, 3);
    parts.push_back(c.Input(shape));
  }
  return c.builder.Concatenate(parts, d);
}

CaseKind ReduceKind(const char* name, Reduction body) {
  return {name, [body](RandomCase& c) {
            const Shape shape = c.AnyShape();
            return c.builder.Reduce(c.Input(shape), body,
                                    c.Subset(static_cast<std::int64_t>(shape.size())));
          }};
}

// Any window that fits; each has at least one element that is not padding.
ReduceWindow AnyWindow(RandomCase& c, const Shape& shape, Reduction body, bool dilated) {
  ReduceWindow op = {.body = body};
  for (const std::int64_t size : shape) {
    const std::int64_t base = dilated ? c.Int(1, 2) : 1;
    const std::int64_t dilation = dilated ? c.Int(1, 2) : 1;
    const std::int64_t reach = Dilated(size, base);
    std::int64_t window = c.Int(1, 3);
    while (Dilated(window, dilation) > reach) --window;
    op.window_dimensions.push_back(window);
    op.window_strides.push_back(c.Int(1, 3));
    op.base_dilations.push_back(base);
    op.window_dilations.push_back(dilation);
    op.padding.push_back({c.Int(0, window - 1), c.Int(0, window - 1)});
  }
  return op;
}
CaseKind WindowKind(const char* name, Reduction body) {
  return {name, [body](RandomCase& c) {
            const Shape shape = c.Ints(static_cast<std::size_t>(c.Int(1, 3)), 1, 6);
            return c.builder.ReduceWindow(c.Input(shape),
                                          AnyWindow(c, shape, body, body == Reduction::kAdd));
          }};
}
// The operand itself has no gradient: it comes from no input whose gradient is asked for.
ValueId MakeSelectAndScatter(RandomCase& c) {
  const Shape shape = c.Ints(static_cast<std::size_t>(c.Int(1, 3)), 1, 6);
  const ReduceWindow window = AnyWindow(c, shape, Reduction::kMaximum, false);
  const ValueId x = c.Input(shape);
  const ValueId largest = c.builder.ReduceWindow(x, window);
  return c.builder.SelectAndScatter(c.builder.StopGradient(x), c.builder.Multiply(largest, largest),
                                    {.window_dimensions = window.window_dimensions,
                                     .window_strides = window.window_strides,
                                     .padding = window.padding});
}

// Sizes of kinds of dimensions, and which kind each dimension of an operand is.
ValueId MakeDotGeneral(RandomCase& c) {
  const Dimensions batch = c.Ints(static_cast<std::size_t>(c.Int(0, 2)), 1, 3);
  const Dimensions sum = c.Ints(static_cast<std::size_t>(c.Int(0, 2)), 1, 3);
  const auto operand = [&](Dimensions& batching, Dimensions& contracting) {
    const Dimensions free = c.Ints(static_cast<std::size_t>(c.Int(0, 2)), 1, 3);
    const std::size_t rank = batch.size() + sum.size() + free.size();
    const Dimensions places = c.Permutation(static_cast<std::int64_t>(rank));
    Shape shape(rank);
    std::size_t next = 0;
    for (const Dimensions* sizes : {&batch, &sum, &free}) {
      for (const std::int64_t size : *sizes) {
        const std::int64_t place = places[next++];
        shape[static_cast<std::size_t>(place)] = size;
        if (sizes == &batch) batching.push_back(place);
        if (sizes == &sum) contracting.push_back(place);
      }
    }
    return c.Input(shape);
  };
  DotGeneral op;
  const ValueId a = operand(op.lhs_batching_dimensions, op.lhs_contracting_dimensions);
  const ValueId b = operand(op.rhs_batching_dimensions, op.rhs_contracting_dimensions);
  return c.builder.DotGeneral(a, b, op);
}

enum class Groups : std::uint8_t { kNone, kFeatures, kBatches, kDepthwise };

// Spatial sizes, window and padding of a convolution; false where the window does not fit.
bool AnySpatial(RandomCase& c, Convolution& op, Shape& input, Shape& kernel) {
  for (std::size_t d = 0; d < op.input_spatial_dimensions.size(); ++d) {
    const std::int64_t size = c.Int(1, 5);
    const std::int64_t window = c.Int(1, 3);
    input[static_cast<std::size_t>(op.input_spatial_dimensions[d])] = size;
    kernel[static_cast<std::size_t>(op.kernel_spatial_dimensions[d])] = window;
    op.window_strides.push_back(c.Int(1, 3));
    op.lhs_dilation.push_back(c.Int(1, 2));
    op.rhs_dilation.push_back(c.Int(1, 2));
    op.window_reversal.push_back(c.Int(0, 2) == 0);
    op.padding.push_back({c.Int(-1, 3), c.Int(-1, 3)});
    const WindowDimension place = {window, op.window_strides[d], op.lhs_dilation[d],
                                   op.rhs_dilation[d], op.padding[d]};
    if (place.Places(size) < 1) return false;
  }
  return true;
}
ValueId MakeConvolution(RandomCase& c, Groups groups) {
  const auto spatial = static_cast<std::size_t>(c.Int(1, 2));
  const auto rank = static_cast<std::int64_t>(spatial + 2);
  const auto roles = [&](std::int64_t& first, std::int64_t& second, Dimensions& rest) {
    rest = c.Permutation(rank);
    first = rest[0];
    second = rest[1];
    rest.erase(rest.begin(), rest.begin() + 2);
  };
  while (true) {
    Convolution op;
    roles(op.input_batch_dimension, op.input_feature_dimension, op.input_spatial_dimensions);
    roles(op.kernel_input_feature_dimension, op.kernel_output_feature_dimension,
          op.kernel_spatial_dimensions);
    roles(op.output_batch_dimension, op.output_feature_dimension, op.output_spatial_dimensions);
    Shape input(static_cast<std::size_t>(rank));
    Shape kernel(static_cast<std::size_t>(rank));
    if (!AnySpatial(c, op, input, kernel)) continue;
    const std::int64_t count = groups == Groups::kNone ? 1 : c.Int(2, 3);
    op.feature_group_count = groups == Groups::kBatches ? 1 : count;
    op.batch_group_count = groups == Groups::kBatches ? count : 1;
    const std::int64_t features = groups == Groups::kDepthwise ? 1 : c.Int(1, 3);
    const auto at = [](Shape& shape, std::int64_t d) -> std::int64_t& {
      return shape[static_cast<std::size_t>(d)];
    };
    at(input, op.input_batch_dimension) = c.Int(1, 2) * op.batch_group_count;
    at(input, op.input_feature_dimension) = features * op.feature_group_count;
    at(kernel, op.kernel_input_feature_dimension) = features;
    at(kernel, op.kernel_output_feature_dimension) = c.Int(1, 2) * count;
    const ValueId x = c.Input(input);
    return c.builder.Convolution(x, c.Input(kernel), op);
  }
}
CaseKind ConvolutionKind(const char* name, Groups groups) {
  return {name, [groups](RandomCase& c) { return MakeConvolution(c, groups); }};
}

}  // namespace

Dimensions RandomCase::Ints(std::size_t count, std::int64_t lo, std::int64_t hi) {
  Dimensions numbers(count);
  for (std::int64_t& n : numbers) n = Int(lo, hi);
  return numbers;
}

Dimensions RandomCase::Permutation(std::int64_t count) {
  Dimensions numbers = AllDimensions(count);
  std::shuffle(numbers.begin(), numbers.end(), random_);
  return numbers;
}

Dimensions RandomCase::Subset(std::int64_t count) {
  Dimensions numbers = AllDimensions(count);
  std::erase_if(numbers, [&](std::int64_t) { return Coin(); });
  return numbers;
}

ValueId RandomCase::Input(Shape shape, double lo, double hi) {
  const ValueId id = builder.Input(fmt::format("x{}", inputs.size()), {kF32, std::move(shape)});
  Values<double>& values = inputs.emplace_back();
  for (std::int64_t e = builder.TypeOf(id).Elements(); e > 0; --e) values.push_back(Real(lo, hi));
  return id;
}

const std::vector<CaseKind>& CaseKinds() {
  static const std::vector<CaseKind> kinds = {
      Unary<Abs>(-2, 2),
      Unary<Exponential>(-2, 2),
      Unary<Log>(0.5, 2),
      Unary<Logistic>(-3, 3),
      Unary<Negate>(-2, 2),
      Unary<Rsqrt>(0.5, 2),
      Unary<Sqrt>(0.5, 2),
      Unary<Tanh>(-2, 2),
      Binary<Add>(-2, 2),
      Binary<Subtract>(-2, 2),
      Binary<Multiply>(-2, 2),
      Binary<Divide>(0.5, 2),
      Binary<Maximum>(-2, 2),
      Binary<Minimum>(-2, 2),
      {"stop_gradient", MakeStopGradient},
      {"convert", MakeConvert},
      {"select", MakeSelect},
      {"iota", MakeIota},
      {"constant", MakeConstant},
      {"broadcast_in_dim", MakeBroadcast},
      {"reshape", MakeReshape},
      {"transpose", MakeTranspose},
      {"reverse", MakeReverse},
      {"slice", MakeSlice},
      {"pad", MakePad},
      {"concatenate", MakeConcatenate},
      ReduceKind("reduce add", Reduction::kAdd),
      ReduceKind("reduce maximum", Reduction::kMaximum),
      ReduceKind("reduce minimum", Reduction::kMinimum),
      WindowKind("reduce_window add", Reduction::kAdd),
      WindowKind("reduce_window maximum", Reduction::kMaximum),
      WindowKind("reduce_window minimum", Reduction::kMinimum),
      {"select_and_scatter", MakeSelectAndScatter},
      {"dot_general", MakeDotGeneral},
      ConvolutionKind("convolution", Groups::kNone),
      ConvolutionKind("convolution with feature groups", Groups::kFeatures),
      ConvolutionKind("convolution with batch groups", Groups::kBatches),
      ConvolutionKind("depthwise convolution", Groups::kDepthwise),
  };
  return kinds;
}

Case MakeCase(const CaseKind& kind, std::uint32_t seed) {
  RandomCase c(seed);
  c.builder.Output("result", kind.make(c));
  return {c.builder.Take(), std::move(c.inputs)};
}

Case WithGradients(Case forward, std::uint32_t seed) {
  RandomCase c(seed);
  const std::vector<ValueId> wrt = forward.graph.inputs;
  c.builder = Builder(std::move(forward.graph));
  c.inputs = std::move(forward.inputs);
  const ValueId result = *FindOutput(c.builder.graph(), "result");
  const ValueId cotangent = c.builder.Input("cotangent", c.builder.TypeOf(result));
  Values<double>& values = c.inputs.emplace_back();
  for (std::int64_t e = c.builder.TypeOf(result).Elements(); e > 0; --e) {
    values.push_back(c.Real(-1, 1));
  }
  const std::vector<ValueId> gradients = VectorJacobianProduct(c.builder, result, cotangent, wrt);
  for (std::size_t i = 0; i < wrt.size(); ++i) {
    const auto& name = std::get<Input>(c.builder.graph().nodes[wrt[i]].operation).name;
    c.builder.Output("gradient of " + name, gradients[i]);
  }
  return {c.builder.Take(), std::move(c.inputs)};
}

}  // namespace tpu::tensor
