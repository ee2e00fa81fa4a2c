// SPDX-License-Identifier: Apache-2.0
#include "float_reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

#include "float_number.h"
#include "reference.h"
#include "reference_move.h"

namespace tpu::reference {
namespace {

struct Image {
  std::int64_t n, h, w, c;
  [[nodiscard]] std::size_t Index(std::int64_t i, std::int64_t y, std::int64_t x,
                                  std::int64_t channel) const {
    return static_cast<std::size_t>(((i * h + y) * w + x) * c + channel);
  }
};

Image ImageOf(const ir::Tensor& tensor) {
  return {tensor.shape[0], tensor.shape[1], tensor.shape[2], tensor.shape[3]};
}

class Evaluator {
 public:
  Evaluator(const ir::Graph& graph, const std::vector<std::vector<float>>& inputs) : graph_(graph) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const bool rounded = graph.tensors[graph.inputs[i]].type == ElementType::kFloat32;
      for (const float value : inputs[i]) {
        const Number number = {.value = static_cast<double>(value)};
        values_[graph.inputs[i]].push_back(rounded ? Rounded(number) : number);
      }
    }
  }

  std::vector<Numbers> Run() {
    for (const ir::Operator& op : graph_.operators) {
      op_ = &op;
      if (IsMove(op)) {
        RunMove();
      } else if (IsQuantized()) {
        RunQuantized();
      } else {
        std::visit([&](const auto& attributes) { Compute(attributes); }, op.attributes);
        if (IsProduct()) SpreadOpenNumbers();
      }
    }
    std::vector<Numbers> outputs;
    for (const ir::TensorId id : graph_.outputs) outputs.push_back(Load(id));
    return outputs;
  }

  [[nodiscard]] bool BeyondInt32() const { return beyond_int32_; }

 private:
  [[nodiscard]] const ir::Tensor& In(std::size_t i) const { return graph_.tensors[op_->inputs[i]]; }
  [[nodiscard]] const ir::Tensor& Out() const { return graph_.tensors[op_->outputs[0]]; }
  Numbers& Result() { return values_[op_->outputs[0]]; }

  // Constants are rounded.
  const Numbers& Input(std::size_t i) { return Load(op_->inputs[i]); }
  const Numbers& Load(ir::TensorId id) {
    Numbers& numbers = values_[id];
    if (const auto* constant = std::get_if<std::vector<float>>(&graph_.tensors[id].data)) {
      numbers.clear();
      for (const float value : *constant) {
        numbers.push_back(Rounded({.value = static_cast<double>(value)}));
      }
    } else if (const auto* codes =
                   std::get_if<std::vector<std::int8_t>>(&graph_.tensors[id].data)) {
      numbers.clear();
      for (const std::int8_t code : *codes) numbers.push_back({.value = static_cast<double>(code)});
    }
    return numbers;
  }

  // From int8 to int8.
  [[nodiscard]] bool IsQuantized() const {
    return In(0).type == ElementType::kInt8 && Out().type == ElementType::kInt8 &&
           !std::holds_alternative<ir::Reshape>(op_->attributes);
  }
  // Exact, to the bit; therefore the inputs must be known exactly.
  void RunQuantized() {
    ir::Graph graph;
    graph.tensors = graph_.tensors;
    graph.operators = {*op_};
    graph.outputs = op_->outputs;
    std::vector<std::vector<std::int8_t>> inputs;
    for (const ir::TensorId id : op_->inputs) {
      if (graph.tensors[id].IsConstant() ||
          std::find(graph.inputs.begin(), graph.inputs.end(), id) != graph.inputs.end()) {
        continue;
      }
      graph.inputs.push_back(id);
      std::vector<std::int8_t>& codes = inputs.emplace_back();
      for (const Number& number : values_.at(id)) {
        if (number.error != 0) throw std::logic_error("an int8 operator follows one on float32");
        codes.push_back(static_cast<std::int8_t>(number.value));
      }
    }
    Result().clear();
    const auto outputs = Evaluate(graph, inputs, compiler::Rounding::kDouble);
    for (const std::int8_t code : outputs.at(0)) {
      Result().push_back({.value = static_cast<double>(code)});
    }
  }

  // What the array may compute, whose rows and lanes hold numbers of other pixels and channels
  // beside zero weights: an infinity times zero is NaN.
  [[nodiscard]] bool IsProduct() const {
    return ir::HoldsAnyOf<ir::Conv2D, ir::DepthwiseConv2D, ir::TransposeConv, ir::FullyConnected,
                          ir::BatchMatMul, ir::Reduce, ir::Resize>(op_->attributes);
  }
  void SpreadOpenNumbers() {
    const bool open = std::any_of(op_->inputs.begin(), op_->inputs.end(), [&](ir::TensorId id) {
      return std::any_of(values_[id].begin(), values_[id].end(), IsOpen);
    });
    if (!open) return;
    for (Number& number : Result()) number = Open(number.value);
  }

  // The bias of a channel, if any: a constant that is not rounded.
  Number Bias(std::size_t channel) {
    if (op_->inputs.size() < 3) return {};
    const auto& biases = std::get<std::vector<float>>(In(2).data);
    return {.value = static_cast<double>(biases.at(channel)), .error = kFlushed};
  }
  static ir::Extent KernelOf(const Image& weights) {
    return {.h = static_cast<std::int32_t>(weights.h), .w = static_cast<std::int32_t>(weights.w)};
  }

  template <typename Other>
  void Compute(const Other& /*op*/) {
    throw std::logic_error("the reference does not know " +
                           std::string(ir::OperatorName(op_->attributes)));
  }

  // Calls tap(y, x, ky, kx) for the taps of output pixel (oy, ox) that lie in the image.
  template <typename Op, typename Tap>
  static void ForTaps(const Op& op, const Image& in, ir::Extent kernel, ir::Extent dilation,
                      std::int64_t oy, std::int64_t ox, Tap tap) {
    for (std::int64_t ky = 0; ky < kernel.h; ++ky) {
      for (std::int64_t kx = 0; kx < kernel.w; ++kx) {
        const std::int64_t y = oy * op.stride.h + ky * dilation.h - op.padding.top;
        const std::int64_t x = ox * op.stride.w + kx * dilation.w - op.padding.left;
        if (y >= 0 && y < in.h && x >= 0 && x < in.w) tap(y, x, ky, kx);
      }
    }
  }
  // Calls pixel(index in the output, image, y, x, channel) for each element of the output.
  template <typename Pixel>
  void ForOutputs(Pixel pixel) {
    const Image out = ImageOf(Out());
    Result().resize(static_cast<std::size_t>(Out().Elements()));
    for (std::int64_t i = 0; i < out.n; ++i) {
      for (std::int64_t y = 0; y < out.h; ++y) {
        for (std::int64_t x = 0; x < out.w; ++x) {
          for (std::int64_t c = 0; c < out.c; ++c)
            Result()[out.Index(i, y, x, c)] = pixel(i, y, x, c);
        }
      }
    }
  }

  void Compute(const ir::Conv2D& op) {
    const Image in = ImageOf(In(0));
    const Image weights = ImageOf(In(1));
    const Numbers x = Input(0);
    const Numbers w = Input(1);
    const ir::Extent kernel = KernelOf(weights);
    const std::int64_t per_group = weights.n / (in.c / weights.c);
    ForOutputs([&](std::int64_t i, std::int64_t oy, std::int64_t ox, std::int64_t o) {
      Sum sum;
      ForTaps(op, in, kernel, op.dilation, oy, ox, [&](auto y, auto xx, auto ky, auto kx) {
        for (std::int64_t c = 0; c < weights.c; ++c) {
          sum.Add(x[in.Index(i, y, xx, o / per_group * weights.c + c)],
                  w[weights.Index(o, ky, kx, c)]);
        }
      });
      sum.Add(Bias(static_cast<std::size_t>(o)));
      return Rounded(Activated(sum.Result(), op.activation));
    });
  }

  void Compute(const ir::DepthwiseConv2D& op) {
    const Image in = ImageOf(In(0));
    const Image weights = ImageOf(In(1));
    const Numbers x = Input(0);
    const Numbers w = Input(1);
    const ir::Extent kernel = KernelOf(weights);
    ForOutputs([&](std::int64_t i, std::int64_t oy, std::int64_t ox, std::int64_t o) {
      Sum sum;
      ForTaps(op, in, kernel, op.dilation, oy, ox, [&](auto y, auto xx, auto ky, auto kx) {
        sum.Add(x[in.Index(i, y, xx, o / (weights.c / in.c))], w[weights.Index(0, ky, kx, o)]);
      });
      sum.Add(Bias(static_cast<std::size_t>(o)));
      return Rounded(Activated(sum.Result(), op.activation));
    });
  }

  // Each input pixel adds to the outputs that a convolution back to it would read.
  void Compute(const ir::TransposeConv& op) {
    const Image in = ImageOf(In(0));
    const Image weights = ImageOf(In(1));
    const Image out = ImageOf(Out());
    const Numbers x = Input(0);
    const Numbers w = Input(1);
    const ir::Extent kernel = KernelOf(weights);
    std::vector<Sum> sums(static_cast<std::size_t>(Out().Elements()));
    for (std::int64_t pixel = 0; pixel < in.n * in.h * in.w; ++pixel) {
      const std::int64_t i = pixel / (in.h * in.w);
      const std::int64_t iy = pixel / in.w % in.h;
      const std::int64_t ix = pixel % in.w;
      ForTaps(op, out, kernel, {}, iy, ix, [&](auto y, auto xx, auto ky, auto kx) {
        for (std::int64_t o = 0; o < out.c; ++o) {
          for (std::int64_t c = 0; c < in.c; ++c) {
            sums[out.Index(i, y, xx, o)].Add(x[in.Index(i, iy, ix, c)],
                                             w[weights.Index(o, ky, kx, c)]);
          }
        }
      });
    }
    Result().clear();
    for (std::size_t e = 0; e < sums.size(); ++e) {
      sums[e].Add(Bias(e % static_cast<std::size_t>(out.c)));
      Result().push_back(Rounded(Activated(sums[e].Result(), op.activation)));
    }
  }

  void Compute(const ir::FullyConnected& op) {
    const auto outputs = static_cast<std::size_t>(In(1).shape[0]);
    const auto inputs = static_cast<std::size_t>(In(1).shape[1]);
    const Numbers x = Input(0);
    const Numbers w = Input(1);
    Result().clear();
    for (std::size_t row = 0; row < x.size() / inputs; ++row) {
      for (std::size_t o = 0; o < outputs; ++o) {
        Sum sum;
        for (std::size_t i = 0; i < inputs; ++i) sum.Add(x[row * inputs + i], w[o * inputs + i]);
        sum.Add(Bias(o));
        Result().push_back(Rounded(Activated(sum.Result(), op.activation)));
      }
    }
  }

  void Compute(const ir::Pool2D& op) {
    const Image in = ImageOf(In(0));
    const Numbers x = Input(0);
    ForOutputs([&](std::int64_t i, std::int64_t oy, std::int64_t ox, std::int64_t c) {
      Sum sum;
      int taps = 0;
      Number largest = {.value = -std::numeric_limits<double>::infinity()};
      ForTaps(op, in, op.filter, {}, oy, ox, [&](auto y, auto xx, auto, auto) {
        const Number n = x[in.Index(i, y, xx, c)];
        largest = Largest(largest, n);
        sum.Add(n);
        ++taps;
      });
      // The factor is rounded, and the product.
      const Number mean = InFloat(Times(sum.Result(), {.value = 1.0 / taps}), 2);
      return Rounded(Activated(op.kind == ir::PoolKind::kMax ? largest : mean, op.activation));
    });
  }

  void Compute(const ir::Binary& op) {
    ForPairs([&](Number a, Number b) {
      return Activated(InFloat(Combined(op.kind, a, b)), op.activation);
    });
  }
  template <typename Function>
  void ForPairs(Function function) {
    const Numbers a = Broadcast(0);
    const Numbers b = Broadcast(1);
    Result().clear();
    for (std::size_t i = 0; i < a.size(); ++i) Result().push_back(Rounded(function(a[i], b[i])));
  }
  static Number Combined(ir::BinaryKind kind, Number a, Number b) {
    switch (kind) {
      case ir::BinaryKind::kAdd:
        return Plus(a, b);
      case ir::BinaryKind::kSub:
        return Minus(a, b);
      case ir::BinaryKind::kMul:
        return Times(a, b);
      case ir::BinaryKind::kMaximum:
        return Largest(a, b);
      case ir::BinaryKind::kMinimum:
        break;
    }
    return Smallest(a, b);
  }
  // The operand as a tensor of the output's shape.
  Numbers Broadcast(std::size_t input) {
    const Numbers& from = Input(input);
    const ir::Shape& shape = Out().shape;
    const ir::Shape& own = In(input).shape;
    Numbers to;
    for (std::int64_t i = 0; i < Out().Elements(); ++i) {
      std::int64_t rest = i;
      std::int64_t index = 0;
      std::int64_t stride = 1;
      for (std::size_t d = 0; d < own.size(); ++d) {  // From the last dimension on.
        const std::int64_t size = shape[shape.size() - 1 - d];
        const std::int64_t mine = own[own.size() - 1 - d];
        if (mine != 1) index += rest % size * stride;
        rest /= size;
        stride *= mine;
      }
      to.push_back(from[static_cast<std::size_t>(index)]);
    }
    return to;
  }

  // The pixels before and behind a position along an axis, and the latter's weight.
  struct Position {
    std::int64_t before, behind;
    double weight;
  };
  static Position PositionOf(std::int64_t o, std::int64_t in, std::int64_t out,
                             const ir::Resize& op) {
    const auto [i, size, outputs] =
        std::array{static_cast<double>(o), static_cast<double>(in), static_cast<double>(out)};
    const double at = op.align_corners && out > 1 ? i * (size - 1) / (outputs - 1)
                      : op.half_pixel_centers     ? (i + 0.5) * size / outputs - 0.5
                                                  : i * size / outputs;
    const double inside = std::clamp(at, 0.0, size - 1);
    const auto before = static_cast<std::int64_t>(inside);
    return {.before = before,
            .behind = std::min(before + 1, in - 1),
            .weight = inside - std::floor(inside)};
  }
  void Compute(const ir::Resize& op) {
    const Image in = ImageOf(In(0));
    const Image out = ImageOf(Out());
    const Numbers x = Input(0);
    ForOutputs([&](std::int64_t i, std::int64_t oy, std::int64_t ox, std::int64_t c) {
      const Position py = PositionOf(oy, in.h, out.h, op);
      const Position px = PositionOf(ox, in.w, out.w, op);
      Sum sum;
      for (const auto& [y, wy] :
           {std::pair(py.before, 1 - py.weight), std::pair(py.behind, py.weight)}) {
        for (const auto& [column, wx] :
             {std::pair(px.before, 1 - px.weight), std::pair(px.behind, px.weight)}) {
          sum.Add(x[in.Index(i, y, column, c)], {.value = wy * wx});
        }
      }
      return Rounded(sum.Result());
    });
  }

  void Compute(const ir::Reshape& /*op*/) { Result() = Numbers(Input(0)); }

  // Where the matrix of an operand begins whose dimensions before the last two broadcast.
  [[nodiscard]] std::int64_t FirstOfMatrix(std::size_t input, std::int64_t batch) const {
    const ir::Shape& own = In(input).shape;
    const ir::Shape& out = Out().shape;
    std::int64_t index = 0;
    std::int64_t stride = own[own.size() - 2] * own.back();
    for (std::size_t d = 2; d < own.size(); ++d) {  // From the third to last dimension on.
      const std::int64_t size = out[out.size() - 1 - d];
      const std::int64_t mine = own[own.size() - 1 - d];
      if (mine != 1) index += batch % size * stride;
      batch /= size;
      stride *= mine;
    }
    return index;
  }
  void Compute(const ir::BatchMatMul& op) {
    const Numbers a = Input(0);
    const Numbers b = Input(1);
    const ir::Shape& out = Out().shape;
    const auto rows = out[out.size() - 2];
    const auto columns = out.back();
    const auto terms = In(0).shape[In(0).shape.size() - (op.transposed[0] ? 2 : 1)];
    const auto at = [](const Numbers& all, std::int64_t i) {
      return all[static_cast<std::size_t>(i)];
    };
    Result().clear();
    for (std::int64_t batch = 0; batch < Out().Elements() / (rows * columns); ++batch) {
      const std::int64_t first_a = FirstOfMatrix(0, batch);
      const std::int64_t first_b = FirstOfMatrix(1, batch);
      for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t column = 0; column < columns; ++column) {
          Sum sum;
          for (std::int64_t t = 0; t < terms; ++t) {
            sum.Add(
                at(a, first_a + (op.transposed[0] ? t * rows + row : row * terms + t)),
                at(b, first_b + (op.transposed[1] ? column * terms + t : t * columns + column)));
          }
          Result().push_back(Rounded(sum.Result()));
        }
      }
    }
  }

  template <typename Function>
  void ForEach(Function function) {
    const Numbers x = Input(0);
    Result().clear();
    for (const Number& n : x) Result().push_back(Rounded(function(n)));
  }

  void Compute(const ir::Unary& op) {
    ForEach([&](Number n) -> Number {
      switch (op.kind) {
        case ir::UnaryKind::kRelu:
          return Activated(n, ir::Activation::kRelu);
        case ir::UnaryKind::kRelu6:
          return Activated(n, ir::Activation::kRelu6);
        case ir::UnaryKind::kReluN1To1:
          return Activated(n, ir::Activation::kReluN1To1);
        case ir::UnaryKind::kLogistic:  // Its slope is at most 1/4; the machine errs by 2 ulp.
          return InFloat({.value = 1 / (1 + std::exp(-n.value)), .error = n.error / 4}, 4);
        case ir::UnaryKind::kTanh:
          return InFloat({.value = std::tanh(n.value), .error = n.error}, 4);
        case ir::UnaryKind::kElu: {
          const Number power = Rounded(Exp(Clamped(n, -kInfinity, 0)));
          return InFloat(Plus(Rounded(Activated(n, ir::Activation::kRelu)),
                              Rounded(InFloat(Minus(power, {.value = 1})))));
        }
        case ir::UnaryKind::kHardSwish:
          break;
      }
      const Number gate = Rounded(Clamped(InFloat(Plus(n, {.value = 3})), 0, 6));
      const Number sixth = Rounded({.value = 1.0 / 6});
      return InFloat(Times(Rounded(InFloat(Times(n, gate))), sixth));
    });
  }

  void Compute(const ir::Function& op) {
    ForEach([&](Number n) -> Number {
      switch (op.kind) {
        case ir::FunctionKind::kNegate:
          return {.value = -n.value, .error = n.error};
        case ir::FunctionKind::kAbsolute:
          return {.value = std::abs(n.value), .error = n.error};
        case ir::FunctionKind::kExp:
          return Exp(n);
        case ir::FunctionKind::kLog:
          return Log(n);
        case ir::FunctionKind::kReciprocal:
          return Reciprocal(n);
        case ir::FunctionKind::kRsqrt:
          return Rsqrt(n);
        case ir::FunctionKind::kSqrt:
          return Reciprocal(Rounded(Rsqrt(n)));
        case ir::FunctionKind::kSquare:
          break;
      }
      return InFloat(Times(n, n));
    });
  }

  void Compute(const ir::Divide& op) {
    ForPairs([&](Number a, Number b) {
      return Activated(InFloat(Times(a, Rounded(Reciprocal(b)))), op.activation);
    });
  }

  void Compute(const ir::SquaredDifference& /*op*/) {
    ForPairs([](Number a, Number b) {
      const Number difference = Rounded(InFloat(Minus(a, b)));
      return InFloat(Times(difference, difference));
    });
  }

  void Compute(const ir::AddN& /*op*/) {
    std::vector<Number> sums(Input(0));
    for (std::size_t i = 1; i < op_->inputs.size(); ++i) {
      const Numbers x = Input(i);
      for (std::size_t k = 0; k < sums.size(); ++k) {
        sums[k] = Rounded(InFloat(Plus(sums[k], x[k])));
      }
    }
    Result() = std::move(sums);
  }

  void Compute(const ir::LeakyRelu& op) {
    const Number alpha = Rounded({.value = static_cast<double>(op.alpha)});
    ForEach([&](Number n) {
      const Number product = Rounded(InFloat(Times(n, alpha)));
      return Number{.value = n.value < 0 ? n.value * static_cast<double>(op.alpha) : n.value,
                    .error = std::max(n.error, product.error)};
    });
  }

  void Compute(const ir::Prelu& /*op*/) {
    const Numbers slopes = Broadcast(1);
    std::size_t i = 0;
    ForEach([&](Number n) {
      const Number product = Rounded(InFloat(Times(Clamped(n, -kInfinity, 0), slopes[i++])));
      return Plus(Clamped(n, 0, kInfinity), product);
    });
  }

  void Compute(const ir::Reduce& op) {
    const Numbers x = Input(0);
    const ir::Shape& shape = In(0).shape;
    std::vector<Sum> sums(static_cast<std::size_t>(Out().Elements()));
    for (std::size_t i = 0; i < x.size(); ++i) {
      auto rest = static_cast<std::int64_t>(i);
      std::int64_t index = 0;
      std::int64_t stride = 1;
      for (std::size_t d = shape.size(); d-- > 0;) {
        const bool reduced = std::find(op.axes.begin(), op.axes.end(),
                                       static_cast<std::int64_t>(d)) != op.axes.end();
        if (!reduced) {
          index += rest % shape[d] * stride;
          stride *= shape[d];
        }
        rest /= shape[d];
      }
      sums[static_cast<std::size_t>(index)].Add(x[i]);
    }
    const double count = static_cast<double>(x.size()) / static_cast<double>(sums.size());
    const double factor = op.kind == ir::ReduceKind::kMean ? 1 / count : 1;
    Result().clear();
    for (const Sum& sum : sums) {
      Result().push_back(Rounded(InFloat(Times(sum.Result(), {.value = factor}), 2)));
    }
  }

  // To the nearest code. It rises all over, so that the machine's lies between those of the ends.
  void Compute(const ir::Quantize& /*op*/) {
    const ir::Tensor& out = Out();
    if (In(0).type != ElementType::kFloat32) throw std::logic_error("QUANTIZE of integers");
    const auto [lowest, highest] = LimitsOf(out.type);
    const auto zero_point = static_cast<double>(out.zero_point);
    const auto code = [&, lo = lowest, hi = highest](double x) {
      return std::isnan(x) ? 0 : std::clamp(std::round(x), lo, hi);
    };
    const Numbers x = Input(0);
    Result().clear();
    for (const Number& n : x) {
      // The factor is rounded, and the product with the zero point added.
      const Number scaled = InFloat(Times(n, {.value = 1 / static_cast<double>(out.scale)}));
      const Number shifted = InFloat(Plus(scaled, {.value = zero_point}));
      beyond_int32_ |= !(std::abs(shifted.value) + shifted.error < 0x1p31 - 0x1p16);
      const double value = code(shifted.value);
      const double error = IsOpen(shifted) ? highest - lowest
                                           : std::max(code(shifted.value + shifted.error) - value,
                                                      value - code(shifted.value - shifted.error));
      Result().push_back({.value = value, .error = error});
    }
  }
  static std::pair<double, double> LimitsOf(ElementType type) {
    switch (type) {
      case ElementType::kInt8:
        return {-128, 127};
      case ElementType::kUint8:
        return {0, 255};
      case ElementType::kInt16:
        return {-32768, 32767};
      default:
        throw std::logic_error("QUANTIZE to another type");
    }
  }
  void Compute(const ir::Dequantize& /*op*/) {
    const ir::Tensor& in = In(0);
    ForEach([&](Number n) {
      const Number distance = Minus(n, {.value = static_cast<double>(in.zero_point)});
      return InFloat(Times(distance, {.value = static_cast<double>(in.scale)}));
    });
  }

  // The index furthest from the right one of those whose numbers may be the largest.
  void Compute(const ir::ArgMax& op) {
    const Numbers x = Input(0);
    const ir::Shape& shape = In(0).shape;
    const auto axis = static_cast<std::size_t>(op.axis);
    std::int64_t inner = 1;
    for (std::size_t d = axis + 1; d < shape.size(); ++d) inner *= shape[d];
    const std::int64_t size = shape[axis];
    Result().clear();
    for (std::int64_t o = 0; o < Out().Elements(); ++o) {
      const auto at = [&](std::int64_t i) {
        Number n = x[static_cast<std::size_t>((o / inner * size + i) * inner + o % inner)];
        if (op.smallest) n.value = -n.value;
        return n;
      };
      std::int64_t largest = 0;
      double least = -kInfinity;
      for (std::int64_t i = 0; i < size; ++i) {
        if (at(i).value > at(largest).value) largest = i;
        least = std::max(least, at(i).value - at(i).error);
      }
      double error = 0;
      for (std::int64_t i = 0; i < size; ++i) {
        if (IsOpen(at(i))) error = static_cast<double>(size);
        if (at(i).value + at(i).error < least) continue;
        error = std::max(error, std::abs(static_cast<double>(i - largest)));
      }
      Result().push_back({.value = static_cast<double>(largest), .error = error});
    }
  }

  // As the device computes it. Of the machine's numbers the largest less itself is exactly zero:
  // no exponent is above zero, and the sum is at least 1.
  void Compute(const ir::Softmax& op) {
    const Numbers x = Input(0);
    const auto size = static_cast<std::size_t>(In(0).shape.back());
    const Number beta = Rounded({.value = static_cast<double>(op.beta)});
    Result().clear();
    for (std::size_t row = 0; row < x.size(); row += size) {
      Number largest = x[row];
      for (std::size_t i = row; i < row + size; ++i) largest = Largest(largest, x[i]);
      Numbers exponentials;
      Sum sum;
      for (std::size_t i = row; i < row + size; ++i) {
        const Number difference = Rounded(InFloat(Minus(x[i], largest)));
        const Number scaled = Rounded(InFloat(Times(difference, beta)));
        exponentials.push_back(Rounded(ExpUpToZero(scaled)));
        sum.Add(exponentials.back());
      }
      const Number factor = Rounded(ReciprocalFromOne(Rounded(InFloat(sum.Result(), 2))));
      for (const Number& e : exponentials) Result().push_back(Rounded(InFloat(Times(e, factor))));
    }
  }

  // What stands where no element moves to.
  [[nodiscard]] std::int64_t RawFill() const {
    const auto* pad = std::get_if<ir::Pad>(&op_->attributes);
    return pad == nullptr ? Out().zero_point : pad->fill;
  }
  // What MoveOutputs makes of the three bytes of an element's number there.
  [[nodiscard]] std::uint32_t FillNumber() const {
    return static_cast<std::uint8_t>(RawFill()) * 0x010101U;
  }
  [[nodiscard]] Number Fill() const {
    const Number fill = {.value = static_cast<double>(RawFill())};
    return Out().type == ElementType::kFloat32 ? Rounded(fill) : fill;
  }

  // Elements move as their numbers do: three bytes, counted from 1, because 0 mostly fills.
  void RunMove() {
    std::vector<std::vector<std::uint32_t>> numbers(op_->outputs.size());
    Numbers all = {{}};
    std::vector<std::size_t> first;
    for (std::size_t i = 0; i < op_->inputs.size(); ++i) {
      first.push_back(all.size());
      const Numbers& input = Input(i);
      all.insert(all.end(), input.begin(), input.end());
    }
    for (unsigned shift = 0; shift < 24; shift += 8) {
      std::vector<Values> planes;
      for (std::size_t i = 0; i < op_->inputs.size(); ++i) {
        planes.emplace_back();
        for (std::size_t e = 0; e < Input(i).size(); ++e) {
          planes.back().push_back(static_cast<std::int8_t>((first[i] + e) >> shift & 255));
        }
      }
      const std::vector<Values> moved = MoveOutputs(graph_, *op_, planes);
      for (std::size_t o = 0; o < moved.size(); ++o) {
        numbers[o].resize(moved[o].size());
        for (std::size_t e = 0; e < moved[o].size(); ++e) {
          numbers[o][e] |= static_cast<std::uint32_t>(static_cast<std::uint8_t>(moved[o][e]))
                           << shift;
        }
      }
    }
    for (std::size_t o = 0; o < numbers.size(); ++o) {
      Numbers& output = values_[op_->outputs[o]];
      output.clear();
      for (const std::uint32_t number : numbers[o]) {
        output.push_back(number == FillNumber() ? Fill() : all.at(number));
      }
    }
  }

  const ir::Graph& graph_;
  const ir::Operator* op_ = nullptr;
  bool beyond_int32_ = false;
  std::map<ir::TensorId, Numbers> values_;
};

}  // namespace

std::vector<Numbers> EvaluateFloats(const ir::Graph& graph,
                                    const std::vector<std::vector<float>>& inputs,
                                    bool* beyond_int32) {
  Evaluator evaluator(graph, inputs);
  std::vector<Numbers> outputs = evaluator.Run();
  if (beyond_int32 != nullptr) *beyond_int32 = evaluator.BeyondInt32();
  return outputs;
}

std::optional<std::size_t> FirstOutside(const std::vector<float>& got, const Numbers& expected) {
  for (std::size_t e = 0; e < expected.size(); ++e) {
    const Number& number = expected[e];
    if (IsOpen(number)) continue;
    if (!(std::abs(static_cast<double>(got.at(e)) - number.value) <= number.error)) return e;
  }
  return {};
}

}  // namespace tpu::reference
