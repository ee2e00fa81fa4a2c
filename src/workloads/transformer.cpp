// SPDX-License-Identifier: Apache-2.0
// Blocks of a transformer on int8, operator by operator as converters write them.
#include <cmath>
#include <utility>

#include "workloads/maker.h"

namespace tpu::workloads {
namespace {

using ir::TensorId;

// Softmax's step: outputs from 0 to 1.
constexpr float kShareScale = 1.0F / 256;
// Numbers that are never negative, of so many steps.
constexpr std::int32_t kFromZero = -128;
constexpr float kSteps = 255;

class Block {
 public:
  Block(const AttentionShape& shape, std::uint64_t seed) : shape_(shape), maker_(seed) {}

  Workload MakeAttention() { return maker_.Finish(Attention(Tokens())); }

  Workload MakeEncoder(std::int64_t hidden) {
    const TensorId x = Tokens();
    const TensorId attended = Normalised("attention", Residual("attention", x, Attention(x)));
    const TensorId wide = maker_.Add("hidden", ProductOperands(attended, hidden),
                                     ir::FullyConnected{.activation = ir::Activation::kRelu},
                                     {{1, shape_.tokens, hidden}, kInputScale, kFromZero});
    const TensorId narrow = Product("narrowed", wide);
    return maker_.Finish(Normalised("outputs", Residual("outputs", attended, narrow)));
  }

 private:
  [[nodiscard]] std::int64_t Size() const { return shape_.channels / shape_.heads; }
  // Such that few scores are out of range.
  [[nodiscard]] float ScoreScale() const {
    return static_cast<float>(kInputScale * kInputScale * AccumulatorDeviation(Size()) /
                              kOutputDeviation);
  }
  [[nodiscard]] std::vector<std::int64_t> Whole() const {
    return {1, shape_.tokens, shape_.channels};
  }
  [[nodiscard]] std::vector<std::int64_t> OneChannel() const { return {1, shape_.tokens, 1}; }
  [[nodiscard]] std::vector<std::int64_t> TokensFirst() const {
    return {1, shape_.tokens, shape_.heads, Size()};
  }
  [[nodiscard]] std::vector<std::int64_t> HeadsFirst() const {
    return {1, shape_.heads, shape_.tokens, Size()};
  }

  TensorId Tokens() { return maker_.Input("tokens", {Whole()}); }

  TensorId Attention(TensorId x) {
    const TensorId queries = Heads("queries", x);
    const TensorId keys = Heads("keys", x);
    const TensorId values = Heads("values", x);
    const std::vector<std::int64_t> scores = {1, shape_.heads, shape_.tokens, shape_.tokens};
    const TensorId products =
        maker_.Add("scores", {queries, keys}, ir::BatchMatMul{.transposed = {false, true}},
                   {scores, ScoreScale(), kOutputZero});
    const auto beta = static_cast<float>(1 / std::sqrt(static_cast<double>(Size())));
    const TensorId shares = maker_.Add("shares", {products}, ir::Softmax{.beta = beta},
                                       {scores, kShareScale, kFromZero});
    const TensorId sums = maker_.Add("sums", {shares, values}, ir::BatchMatMul{}, {HeadsFirst()});
    const TensorId turned = maker_.Add("tokens first", {sums},
                                       ir::Transpose{.permutation = {0, 2, 1, 3}}, {TokensFirst()});
    return Product("outputs", maker_.Add("joined", {turned}, ir::Reshape{}, {Whole()}));
  }

  // Weights such that outputs are as large as inputs.
  std::vector<TensorId> ProductOperands(TensorId x, std::int64_t outputs) {
    const std::int64_t inputs = maker_.At(x).shape.back();
    const auto scale =
        static_cast<float>(1 / std::sqrt(static_cast<double>(inputs)) / kUniformDeviation);
    const TensorId weights = maker_.Weights({outputs, inputs}, 0, scale);
    return {x, weights, maker_.Bias(outputs, inputs, scale)};
  }

  TensorId Product(const std::string& name, TensorId x) {
    return maker_.Add(name, ProductOperands(x, shape_.channels), ir::FullyConnected{}, {Whole()});
  }

  TensorId Heads(const std::string& name, TensorId x) {
    const TensorId cut =
        maker_.Add(name + " cut", {Product(name, x)}, ir::Reshape{}, {TokensFirst()});
    return maker_.Add(name + " of heads", {cut}, ir::Transpose{.permutation = {0, 2, 1, 3}},
                      {HeadsFirst()});
  }

  TensorId Combined(const std::string& name, ir::BinaryKind kind, TensorId a, TensorId b,
                    ResultOf described) {
    return maker_.Add(name, {a, b}, ir::Binary{kind}, std::move(described));
  }

  TensorId Residual(const std::string& name, TensorId a, TensorId b) {
    const double deviation = std::sqrt(2.0) * kInputScale * kUniformDeviation;
    return Combined(name + " added", ir::BinaryKind::kAdd, a, b,
                    {Whole(), static_cast<float>(deviation / kOutputDeviation), kOutputZero});
  }

  TensorId Mean(const std::string& name, TensorId x, ResultOf described) {
    return maker_.Add(name, {x}, ir::Reduce{.kind = ir::ReduceKind::kMean, .axes = {2}},
                      std::move(described));
  }

  // x * weights + (offset - mean * weights), where weights = factor * rsqrt(variance + 0.001).
  TensorId Normalised(const std::string& name, TensorId x) {
    using enum ir::BinaryKind;
    const double deviation = maker_.At(x).scale * kOutputDeviation;
    const std::int64_t channels = shape_.channels;
    // A tensor of numbers from 0 to `most`, or about as large as `typical`.
    const auto up_to = [](std::vector<std::int64_t> shape, double most) {
      return ResultOf{std::move(shape), static_cast<float>(most / kSteps), kFromZero};
    };
    const auto about = [](std::vector<std::int64_t> shape, double typical) {
      return ResultOf{std::move(shape), static_cast<float>(typical / kOutputDeviation),
                      kOutputZero};
    };
    const double mean_deviation = deviation / std::sqrt(static_cast<double>(channels));
    const TensorId mean = Mean(name + " mean", x, about(OneChannel(), mean_deviation));
    const TensorId squares = maker_.Add(name + " squares", {x, mean}, ir::SquaredDifference{},
                                        up_to(Whole(), 9 * deviation * deviation));
    const double most_variance = 3 * deviation * deviation;
    const TensorId variance = Mean(name + " variance", squares, up_to(OneChannel(), most_variance));
    const TensorId least = maker_.Constant({{1}, 0.001F / kSteps, kFromZero}, 127);
    const TensorId raised = Combined(name + " variance raised", kAdd, variance, least,
                                     up_to(OneChannel(), most_variance));
    const TensorId inverse =
        maker_.Add(name + " inverse", {raised}, ir::Function{ir::FunctionKind::kRsqrt},
                   up_to(OneChannel(), 2 / deviation));
    const TensorId factors = maker_.Constant(up_to({channels}, 3));
    const TensorId offsets = maker_.Constant(about({channels}, 0.1));
    const TensorId weights =
        Combined(name + " weights", kMul, inverse, factors, up_to(Whole(), 4 / deviation));
    const TensorId scaled = Combined(name + " scaled", kMul, x, weights, about(Whole(), 1.5));
    const TensorId shift = Combined(name + " mean scaled", kMul, mean, weights,
                                    about(Whole(), 1.5 * mean_deviation / deviation));
    const TensorId shifts = Combined(name + " shifts", kSub, offsets, shift, about(Whole(), 0.2));
    return Combined(name + " normalised", kAdd, scaled, shifts, {Whole()});
  }

  AttentionShape shape_;
  Maker maker_;
};

}  // namespace

Workload MultiHeadAttention(const AttentionShape& shape, std::uint64_t seed) {
  return Block(shape, seed).MakeAttention();
}

Workload Encoder(const EncoderShape& shape, std::uint64_t seed) {
  return Block(shape.attention, seed).MakeEncoder(shape.hidden);
}

}  // namespace tpu::workloads
