// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "workloads/maker.h"

namespace tpu::workloads {
namespace {

using ir::TensorId;

// Softmax's step: outputs from 0 to 1.
constexpr float kShareScale = 1.0F / 256;
constexpr std::int32_t kShareZero = -128;

class Attention {
 public:
  Attention(const AttentionShape& shape, std::uint64_t seed) : shape_(shape), maker_(seed) {}

  Workload Make() {
    const TensorId x = maker_.Input("tokens", {{1, shape_.tokens, shape_.channels}});
    const TensorId queries = Heads("queries", x);
    const TensorId keys = Heads("keys", x);
    const TensorId values = Heads("values", x);
    const std::vector<std::int64_t> scores = {1, shape_.heads, shape_.tokens, shape_.tokens};
    const TensorId products =
        maker_.Add("scores", {queries, keys}, ir::BatchMatMul{.transposed = {false, true}},
                   {scores, ScoreScale(), kOutputZero});
    const auto beta = static_cast<float>(1 / std::sqrt(static_cast<double>(Size())));
    const TensorId shares = maker_.Add("shares", {products}, ir::Softmax{.beta = beta},
                                       {scores, kShareScale, kShareZero});
    const TensorId sums = maker_.Add("sums", {shares, values}, ir::BatchMatMul{}, {HeadsFirst()});
    const TensorId turned = maker_.Add("tokens first", {sums},
                                       ir::Transpose{.permutation = {0, 2, 1, 3}}, {TokensFirst()});
    const TensorId joined = maker_.Add("joined", {turned}, ir::Reshape{}, {Whole()});
    return maker_.Finish(Product("outputs", joined));
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
  [[nodiscard]] std::vector<std::int64_t> TokensFirst() const {
    return {1, shape_.tokens, shape_.heads, Size()};
  }
  [[nodiscard]] std::vector<std::int64_t> HeadsFirst() const {
    return {1, shape_.heads, shape_.tokens, Size()};
  }

  // Weights such that outputs are as large as inputs.
  TensorId Product(const std::string& name, TensorId x) {
    const std::int64_t channels = shape_.channels;
    const auto scale =
        static_cast<float>(1 / std::sqrt(static_cast<double>(channels)) / kUniformDeviation);
    return maker_.Add(
        name,
        {x, maker_.Weights({channels, channels}, 0, scale), maker_.Bias(channels, channels, scale)},
        ir::FullyConnected{}, {Whole()});
  }

  TensorId Heads(const std::string& name, TensorId x) {
    const TensorId cut =
        maker_.Add(name + " cut", {Product(name, x)}, ir::Reshape{}, {TokensFirst()});
    return maker_.Add(name + " of heads", {cut}, ir::Transpose{.permutation = {0, 2, 1, 3}},
                      {HeadsFirst()});
  }

  AttentionShape shape_;
  Maker maker_;
};

}  // namespace

Workload MultiHeadAttention(const AttentionShape& shape, std::uint64_t seed) {
  return Attention(shape, seed).Make();
}

}  // namespace tpu::workloads
