// SPDX-License-Identifier: Apache-2.0
#include "reference.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>

#include "reference_move.h"

namespace tpu::reference {
namespace {

using compiler::Rounding;
using ir::Activation;
using ir::Graph;
using ir::Operator;
using ir::Tensor;
using ir::TensorId;

struct Factor {
  std::int64_t multiplier = 0;
  int shift = 0;
};

Factor Quantize(double d) {
  if (d == 0) return {};
  int e = 0;
  const double m = std::frexp(d, &e);
  auto q = static_cast<std::int64_t>(std::llround(std::ldexp(m, 31)));
  if (q == (std::int64_t{1} << 31)) {
    q = std::int64_t{1} << 30;
    ++e;
  }
  if (e < -31) return {};
  return {.multiplier = q, .shift = e};
}

// Sign and magnitude, as gemmlowp writes it.
std::int32_t HighMul(std::int32_t a, std::int64_t b) {
  const std::int64_t ab = static_cast<std::int64_t>(a) * b;
  const std::int64_t nudge = ab >= 0 ? (std::int64_t{1} << 30) : 1 - (std::int64_t{1} << 30);
  return static_cast<std::int32_t>((ab + nudge) / (std::int64_t{1} << 31));
}

std::int32_t RoundingDivide(std::int32_t x, int exponent) {
  const std::int64_t mask = (std::int64_t{1} << exponent) - 1;
  const std::int64_t remainder = x & mask;
  const std::int64_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
  return (x >> exponent) + (remainder > threshold ? 1 : 0);
}

std::int32_t Scale(std::int32_t x, Factor f, Rounding rounding) {
  if (rounding == Rounding::kSingle) {
    const int total = 31 - f.shift;
    return static_cast<std::int32_t>((x * f.multiplier + (std::int64_t{1} << (total - 1))) >>
                                     total);
  }
  const int left = std::max(f.shift, 0);
  const auto shifted = static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << left);
  return RoundingDivide(HighMul(shifted, f.multiplier), std::max(-f.shift, 0));
}

std::int8_t Clamp(std::int64_t value, const Tensor& output, Activation activation) {
  std::int64_t lo = -128;
  std::int64_t hi = 127;
  const auto bound = [&](float real) {
    return output.zero_point + static_cast<std::int64_t>(std::round(real / output.scale));
  };
  if (activation == Activation::kRelu || activation == Activation::kRelu6) {
    lo = std::max(lo, bound(0.0F));
  }
  if (activation == Activation::kRelu6) hi = std::min(hi, bound(6.0F));
  if (activation == Activation::kReluN1To1) {
    lo = std::max(lo, bound(-1.0F));
    hi = std::min(hi, bound(1.0F));
  }
  return static_cast<std::int8_t>(std::min(std::max(value, lo), hi));
}

// Four dimensions; fewer are padded in front.
struct Shape {
  std::int64_t d[4] = {1, 1, 1, 1};
  explicit Shape(const Tensor& tensor) {
    const std::size_t missing = 4 - tensor.shape.size();
    for (std::size_t i = missing; i < 4; ++i) d[i] = tensor.shape[i - missing];
  }
  [[nodiscard]] std::size_t At(std::int64_t n, std::int64_t h, std::int64_t w,
                               std::int64_t c) const {
    return static_cast<std::size_t>(((n * d[1] + h) * d[2] + w) * d[3] + c);
  }
};

class Interpreter {
 public:
  Interpreter(const Graph& graph, Rounding rounding) : graph_(graph), rounding_(rounding) {
    for (TensorId id = 0; id < graph.tensors.size(); ++id) {
      if (const auto* v = std::get_if<std::vector<std::int8_t>>(&graph.tensors[id].data)) {
        values_[id] = *v;
      }
    }
  }

  std::vector<std::vector<std::int8_t>> Run(const std::vector<std::vector<std::int8_t>>& inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) values_[graph_.inputs[i]] = inputs[i];
    for (const Operator& op : graph_.operators) {
      if (IsMove(op)) {
        Move(op);
        continue;
      }
      values_[op.outputs[0]].resize(static_cast<std::size_t>(Output(op).Elements()));
      std::visit([&](const auto& attributes) { Execute(op, attributes); }, op.attributes);
    }
    std::vector<std::vector<std::int8_t>> outputs;
    for (const TensorId id : graph_.outputs) outputs.push_back(values_[id]);
    return outputs;
  }

 private:
  const Tensor& Input(const Operator& op, std::size_t i) { return graph_.tensors[op.inputs[i]]; }
  const Tensor& Output(const Operator& op) { return graph_.tensors[op.outputs[0]]; }
  const std::vector<std::int8_t>& Value(const Operator& op, std::size_t i) {
    return values_[op.inputs[i]];
  }
  std::int32_t Bias(const Operator& op, std::int64_t channel) {
    if (op.inputs.size() < 3) return 0;
    return std::get<std::vector<std::int32_t>>(
        Input(op, 2).data)[static_cast<std::size_t>(channel)];
  }
  static float WeightScale(const Tensor& weights, std::int64_t channel) {
    return weights.channel_scales.empty()
               ? weights.scale
               : weights.channel_scales[static_cast<std::size_t>(channel)];
  }

  std::int8_t Finish(const Operator& op, std::int64_t channel, std::int32_t acc, double factor,
                     Activation activation) {
    return Clamp(
        Scale(acc + Bias(op, channel), Quantize(factor), rounding_) + Output(op).zero_point,
        Output(op), activation);
  }

  void Move(const Operator& op) {
    std::vector<Values> inputs;
    for (const TensorId id : op.inputs) inputs.push_back(values_[id]);
    const std::vector<Values> outputs = MoveOutputs(graph_, op, inputs);
    for (std::size_t o = 0; o < outputs.size(); ++o) values_[op.outputs[o]] = outputs[o];
  }

  void Execute(const Operator& op, const ir::Conv2D& a) {
    const std::int64_t per_group = Shape(Input(op, 1)).d[3];
    const std::int64_t groups = Shape(Input(op, 0)).d[3] / per_group;
    const std::int64_t outputs = Shape(Output(op)).d[3] / groups;
    Windowed(op, a, false, [=](std::int64_t oc) { return oc / outputs * per_group; });
  }
  void Execute(const Operator& op, const ir::DepthwiseConv2D& a) {
    const std::int64_t multiplier = Shape(Output(op)).d[3] / Shape(Input(op, 0)).d[3];
    Windowed(op, a, true, [=](std::int64_t oc) { return oc / multiplier; });
  }

  double ConvFactor(const Operator& op, std::int64_t channel) {
    return static_cast<double>(Input(op, 0).scale) *
           static_cast<double>(WeightScale(Input(op, 1), channel)) /
           static_cast<double>(Output(op).scale);
  }

  // Each input pixel is added to the outputs under the kernel.
  void Execute(const Operator& op, const ir::TransposeConv& a) {
    const Shape in(Input(op, 0));
    const Shape wt(Input(op, 1));
    const Shape out(Output(op));
    std::vector<std::int32_t> sums(values_[op.outputs[0]].size(), 0);
    for (std::int64_t n = 0; n < in.d[0]; ++n) {
      for (std::int64_t y = 0; y < in.d[1] * wt.d[1]; ++y) {
        for (std::int64_t x = 0; x < in.d[2] * wt.d[2]; ++x) {
          const std::int64_t oy = y / wt.d[1] * a.stride.h + y % wt.d[1] - a.padding.top;
          const std::int64_t ox = x / wt.d[2] * a.stride.w + x % wt.d[2] - a.padding.left;
          if (oy < 0 || oy >= out.d[1] || ox < 0 || ox >= out.d[2]) continue;
          for (std::int64_t oc = 0; oc < wt.d[0]; ++oc) {
            for (std::int64_t ic = 0; ic < in.d[3]; ++ic) {
              sums[out.At(n, oy, ox, oc)] +=
                  (Value(op, 0)[in.At(n, y / wt.d[1], x / wt.d[2], ic)] - Input(op, 0).zero_point) *
                  Value(op, 1)[wt.At(oc, y % wt.d[1], x % wt.d[2], ic)];
            }
          }
        }
      }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const auto oc = static_cast<std::int64_t>(i) % wt.d[0];
      values_[op.outputs[0]][i] = Finish(op, oc, sums[i], ConvFactor(op, oc), a.activation);
    }
  }

  template <typename Attributes, typename Channel>
  void Windowed(const Operator& op, const Attributes& a, bool depthwise, Channel channel) {
    const Shape in(Input(op, 0));
    const Shape wt(Input(op, 1));
    const Shape out(Output(op));
    const std::int64_t taps = depthwise ? 1 : wt.d[3];
    for (std::int64_t n = 0; n < out.d[0]; ++n) {
      for (std::int64_t oy = 0; oy < out.d[1]; ++oy) {
        for (std::int64_t ox = 0; ox < out.d[2]; ++ox) {
          for (std::int64_t oc = 0; oc < out.d[3]; ++oc) {
            std::int32_t acc = 0;
            for (std::int64_t ky = 0; ky < wt.d[1]; ++ky) {
              for (std::int64_t kx = 0; kx < wt.d[2]; ++kx) {
                const std::int64_t y = oy * a.stride.h + ky * a.dilation.h - a.padding.top;
                const std::int64_t x = ox * a.stride.w + kx * a.dilation.w - a.padding.left;
                if (y < 0 || y >= in.d[1] || x < 0 || x >= in.d[2]) continue;
                for (std::int64_t c = 0; c < taps; ++c) {
                  const std::int64_t ic = channel(oc) + c;
                  const std::size_t w = depthwise ? wt.At(0, ky, kx, oc) : wt.At(oc, ky, kx, c);
                  acc += (Value(op, 0)[in.At(n, y, x, ic)] - Input(op, 0).zero_point) *
                         Value(op, 1)[w];
                }
              }
            }
            values_[op.outputs[0]][out.At(n, oy, ox, oc)] =
                Finish(op, oc, acc, ConvFactor(op, oc), a.activation);
          }
        }
      }
    }
  }

  void Execute(const Operator& op, const ir::FullyConnected& a) {
    const Tensor& weights = Input(op, 1);
    const std::int64_t outputs = weights.shape[0];
    const std::int64_t inputs = weights.shape[1];
    const std::int64_t rows = Input(op, 0).Elements() / inputs;
    for (std::int64_t r = 0; r < rows; ++r) {
      for (std::int64_t o = 0; o < outputs; ++o) {
        std::int32_t acc = 0;
        for (std::int64_t i = 0; i < inputs; ++i) {
          acc +=
              (Value(op, 0)[static_cast<std::size_t>(r * inputs + i)] - Input(op, 0).zero_point) *
              Value(op, 1)[static_cast<std::size_t>(o * inputs + i)];
        }
        double factor = ConvFactor(op, o);
        if (weights.channel_scales.size() < 2) {
          const float product = Input(op, 0).scale * WeightScale(weights, 0);
          factor = static_cast<double>(product) / static_cast<double>(Output(op).scale);
        }
        values_[op.outputs[0]][static_cast<std::size_t>(r * outputs + o)] =
            Finish(op, o, acc, factor, a.activation);
      }
    }
  }

  // Of up to four dimensions.
  void Execute(const Operator& op, const ir::BatchMatMul& a) {
    const Tensor& first = Input(op, 0);
    const Tensor& second = Input(op, 1);
    const Shape out(Output(op));
    const float product = first.scale * second.scale;
    const double factor = static_cast<double>(product) / static_cast<double>(Output(op).scale);
    const std::array shapes = {Shape(first), Shape(second)};
    const auto at = [&](std::size_t operand, std::int64_t n, std::int64_t h, std::int64_t row,
                        std::int64_t column) {
      const Shape& shape = shapes[operand];
      if (a.transposed[operand]) std::swap(row, column);
      n = std::min(n, shape.d[0] - 1);
      h = std::min(h, shape.d[1] - 1);
      return Value(op, operand)[shape.At(n, h, row, column)] - Input(op, operand).zero_point;
    };
    const std::int64_t terms = shapes[0].d[a.transposed[0] ? 2 : 3];
    for (std::int64_t n = 0; n < out.d[0]; ++n) {
      for (std::int64_t h = 0; h < out.d[1]; ++h) {
        for (std::int64_t row = 0; row < out.d[2]; ++row) {
          for (std::int64_t column = 0; column < out.d[3]; ++column) {
            std::int32_t acc = 0;
            for (std::int64_t t = 0; t < terms; ++t) {
              acc += at(0, n, h, row, t) * at(1, n, h, t, column);
            }
            values_[op.outputs[0]][out.At(n, h, row, column)] =
                Finish(op, 0, acc, factor, Activation::kNone);
          }
        }
      }
    }
  }

  void Execute(const Operator& op, const ir::Binary& a) {
    for (std::size_t i = 0; i < values_[op.outputs[0]].size(); ++i) {
      const std::int32_t x = Value(op, 0)[BroadcastIndex(op, 0, i)];
      const std::int32_t y = Value(op, 1)[BroadcastIndex(op, 1, i)];
      std::int32_t result = 0;
      switch (a.kind) {
        case ir::BinaryKind::kMaximum:
          result = std::max(x, y);
          break;
        case ir::BinaryKind::kMinimum:
          result = std::min(x, y);
          break;
        default:
          result = Output(op).zero_point +
                   Arithmetic(op, a.kind, x - Input(op, 0).zero_point, y - Input(op, 1).zero_point);
      }
      values_[op.outputs[0]][i] = Clamp(result, Output(op), a.activation);
    }
  }

  std::int32_t Arithmetic(const Operator& op, ir::BinaryKind kind, std::int32_t x, std::int32_t y) {
    const float s1 = Input(op, 0).scale;
    const float s2 = Input(op, 1).scale;
    const float so = Output(op).scale;
    if (kind == ir::BinaryKind::kMul) {
      const double factor =
          static_cast<double>(s1) * static_cast<double>(s2) / static_cast<double>(so);
      return Scale(x * y, Quantize(factor), rounding_);
    }
    double d1 = 0;
    double d2 = 0;
    double d3 = 0;
    if (kind == ir::BinaryKind::kAdd) {
      const double t = 2 * static_cast<double>(std::max(s1, s2));
      d1 = static_cast<double>(s1) / t;
      d2 = static_cast<double>(s2) / t;
      d3 = t / (1048576.0 * static_cast<double>(so));
    } else {
      const float t = 2 * std::max(s1, s2);
      d1 = static_cast<double>(s1 / t);
      d2 = static_cast<double>(s2 / t);
      d3 = static_cast<double>(t / (1048576.0F * so));
    }
    const std::int32_t p = Scale(x * 1048576, Quantize(d1), rounding_);
    const std::int32_t q = Scale(y * 1048576, Quantize(d2), rounding_);
    const std::int32_t sum = kind == ir::BinaryKind::kAdd ? p + q : p - q;
    return Scale(sum, Quantize(d3), rounding_);
  }

  void Execute(const Operator& op, const ir::Pool2D& a) {
    const Shape in(Input(op, 0));
    const Shape out(Output(op));
    for (std::int64_t n = 0; n < out.d[0]; ++n) {
      for (std::int64_t oy = 0; oy < out.d[1]; ++oy) {
        for (std::int64_t ox = 0; ox < out.d[2]; ++ox) {
          for (std::int64_t c = 0; c < out.d[3]; ++c) {
            values_[op.outputs[0]][out.At(n, oy, ox, c)] = PoolOne(op, a, in, n, oy, ox, c);
          }
        }
      }
    }
  }

  std::int8_t PoolOne(const Operator& op, const ir::Pool2D& a, const Shape& in, std::int64_t n,
                      std::int64_t oy, std::int64_t ox, std::int64_t c) {
    std::int32_t sum = 0;
    std::int32_t count = 0;
    std::int32_t largest = -128;
    for (std::int64_t ky = 0; ky < a.filter.h; ++ky) {
      for (std::int64_t kx = 0; kx < a.filter.w; ++kx) {
        const std::int64_t y = oy * a.stride.h + ky - a.padding.top;
        const std::int64_t x = ox * a.stride.w + kx - a.padding.left;
        if (y < 0 || y >= in.d[1] || x < 0 || x >= in.d[2]) continue;
        const std::int32_t value = Value(op, 0)[in.At(n, y, x, c)];
        sum += value;
        largest = std::max(largest, value);
        ++count;
      }
    }
    if (a.kind == ir::PoolKind::kMax) return Clamp(largest, Output(op), a.activation);
    const std::int32_t average = sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count;
    return Clamp(average, Output(op), a.activation);
  }

  // Which element of an input meets element i of the output.
  std::size_t BroadcastIndex(const Operator& op, std::size_t input, std::size_t i) {
    const Shape in(Input(op, input));
    const Shape out(Output(op));
    std::int64_t place[4];
    auto rest = static_cast<std::int64_t>(i);
    for (int a = 3; a >= 0; --a) {
      place[a] = in.d[a] == 1 ? 0 : rest % out.d[a];
      rest /= out.d[a];
    }
    return in.At(place[0], place[1], place[2], place[3]);
  }

  void Execute(const Operator& op, const ir::Prelu&) {
    const Tensor& slopes = Input(op, 1);
    const auto si = static_cast<double>(Input(op, 0).scale);
    const auto so = static_cast<double>(Output(op).scale);
    for (std::size_t i = 0; i < values_[op.outputs[0]].size(); ++i) {
      const std::int32_t v = Value(op, 0)[i] - Input(op, 0).zero_point;
      const std::int32_t slope = Value(op, 1)[BroadcastIndex(op, 1, i)] - slopes.zero_point;
      const std::int32_t result =
          v >= 0
              ? Scale(v, Quantize(si / so), rounding_)
              : Scale(v * slope, Quantize(si * static_cast<double>(slopes.scale) / so), rounding_);
      values_[op.outputs[0]][i] =
          Clamp(result + Output(op).zero_point, Output(op), Activation::kNone);
    }
  }

  void Execute(const Operator& op, const ir::Reduce& a) {
    const Shape in(Input(op, 0));
    const std::size_t missing = 4 - Input(op, 0).shape.size();
    bool reduced[4] = {};
    for (const std::int64_t axis : a.axes) reduced[static_cast<std::size_t>(axis) + missing] = true;
    std::vector<std::int64_t> sums(values_[op.outputs[0]].size(), 0);
    for (std::size_t i = 0; i < Value(op, 0).size(); ++i) {
      std::int64_t place[4];
      auto rest = static_cast<std::int64_t>(i);
      for (std::size_t axis = 4; axis-- > 0;) {
        place[axis] = rest % in.d[axis];
        rest /= in.d[axis];
      }
      std::int64_t kept = 0;
      for (std::size_t axis = 0; axis < 4; ++axis) {
        if (!reduced[axis]) kept = kept * in.d[axis] + place[axis];
      }
      sums[static_cast<std::size_t>(kept)] += Value(op, 0)[i] - Input(op, 0).zero_point;
    }
    Factor factor =
        Quantize(static_cast<double>(Input(op, 0).scale) / static_cast<double>(Output(op).scale));
    const auto count = static_cast<std::int64_t>(Value(op, 0).size() / sums.size());
    if (a.kind == ir::ReduceKind::kMean) {
      int k = 0;
      while (k < 32 && (std::int64_t{2} << k) <= count) ++k;
      k = std::min(k, 31 + factor.shift);
      factor = {.multiplier = factor.multiplier * (std::int64_t{1} << k) / count,
                .shift = factor.shift - k};
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      values_[op.outputs[0]][i] = Clamp(
          Scale(static_cast<std::int32_t>(sums[i]), factor, rounding_) + Output(op).zero_point,
          Output(op), Activation::kNone);
    }
  }

  // RESIZE_BILINEAR: what an output pixel takes along one axis, in 1/1024 of a pixel.
  struct Blend {
    std::int64_t first;
    std::int64_t second;
    std::int64_t fraction;
    Blend(std::int64_t o, std::int64_t in, std::int64_t out, const ir::Resize& a) {
      const std::int64_t scale = a.align_corners && out > 1
                                     ? (1024 * (in - 1) + (out - 1) / 2) / (out - 1)
                                     : (1024 * in + out / 2) / out;
      const std::int64_t position = o * scale + (a.half_pixel_centers ? scale / 2 - 512 : 0);
      first = std::max<std::int64_t>(position / 1024, 0);
      second = std::min((position + 1023) / 1024, in - 1);
      fraction = position - 1024 * first;
    }
  };

  void Execute(const Operator& op, const ir::Resize& a) {
    const Shape in(Input(op, 0));
    const Shape out(Output(op));
    for (std::int64_t i = 0; i < Output(op).Elements(); ++i) {
      const std::int64_t c = i % out.d[3];
      const Blend x(i / out.d[3] % out.d[2], in.d[2], out.d[2], a);
      const Blend y(i / out.d[3] / out.d[2] % out.d[1], in.d[1], out.d[1], a);
      const std::int64_t n = i / out.d[3] / out.d[2] / out.d[1];
      const auto at = [&](std::int64_t row, std::int64_t column) -> std::int64_t {
        return Value(op, 0)[in.At(n, row, column, c)];
      };
      const std::int64_t sum = (1024 - y.fraction) * (1024 - x.fraction) * at(y.first, x.first) +
                               (1024 - y.fraction) * x.fraction * at(y.first, x.second) +
                               y.fraction * (1024 - x.fraction) * at(y.second, x.first) +
                               y.fraction * x.fraction * at(y.second, x.second);
      const std::int64_t half = 1 << 19;
      const std::int64_t value = rounding_ == Rounding::kSingle
                                     ? (sum + half) >> 20
                                     : (sum + (sum > 0 ? half : -half)) / (1 << 20);
      values_[op.outputs[0]][static_cast<std::size_t>(i)] = static_cast<std::int8_t>(value);
    }
  }

  // One rounding, from the exact product to float32.
  void Execute(const Operator& op, const ir::Dequantize&) {
    const Tensor& in = Input(op, 0);
    std::vector<float>& reals = reals_[op.outputs[0]];
    reals.clear();
    for (const std::int8_t q : Value(op, 0)) {
      reals.push_back(static_cast<float>(static_cast<double>(in.scale) * (q - in.zero_point)));
    }
  }

  // Of floats the quotient in float32, to the nearest, halves away from zero; of int8 as scaled
  // sums.
  void Execute(const Operator& op, const ir::Quantize&) {
    const Tensor& in = Input(op, 0);
    const Tensor& out = Output(op);
    const Factor factor = Quantize(static_cast<double>(in.scale) / static_cast<double>(out.scale));
    std::vector<std::int8_t>& values = values_[op.outputs[0]];
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::int64_t steps =
          in.type == ElementType::kFloat32
              ? static_cast<std::int64_t>(std::round(reals_.at(op.inputs[0])[i] / out.scale))
              : Scale(Value(op, 0)[i] - in.zero_point, factor, rounding_);
      values[i] = Clamp(steps + out.zero_point, out, Activation::kNone);
    }
  }

  void Execute(const Operator& op, const ir::Lookup& a) {
    for (std::size_t i = 0; i < values_[op.outputs[0]].size(); ++i) {
      values_[op.outputs[0]][i] = a.table[static_cast<std::uint8_t>(Value(op, 0)[i])];
    }
  }

  template <typename Attributes>
  void Execute(const Operator& op, const Attributes&) {
    throw std::logic_error(op.name + ": no reference");
  }
  void Execute(const Operator& op, const ir::Reshape&) { values_[op.outputs[0]] = Value(op, 0); }

  const Graph& graph_;
  Rounding rounding_;
  std::map<TensorId, std::vector<std::int8_t>> values_;
  std::map<TensorId, std::vector<float>> reals_;  // Of float32 tensors.
};

}  // namespace

std::vector<std::vector<std::int8_t>> Evaluate(const ir::Graph& graph,
                                               const std::vector<std::vector<std::int8_t>>& inputs,
                                               compiler::Rounding rounding) {
  return Interpreter(graph, rounding).Run(inputs);
}

}  // namespace tpu::reference
