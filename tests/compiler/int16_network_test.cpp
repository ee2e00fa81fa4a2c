// SPDX-License-Identifier: Apache-2.0
// Networks on int16 that do not fit the buffers at once: sums over groups of input channels, thin
// images, tensors that stay on chip. Compiled programs on the golden model against plain loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "compiler/compile.h"
#include "run_on_golden.h"

namespace tpu::compiler {
namespace {

using Int16s = std::vector<std::int16_t>;

// docs/arithmetic.md, int16.
std::int16_t Wide(std::int64_t sum, double factor) {
  const Multiplier whole = QuantizeMultiplier(factor, Rounding::kDouble);
  const std::int64_t upper =
      std::min((std::int64_t{whole.multiplier} + (1 << 15)) >> 16, std::int64_t{0x7FFF});
  const int right = 15 - whole.shift;
  const std::int64_t product = (sum * upper + (std::int64_t{1} << (right - 1))) >> right;
  return static_cast<std::int16_t>(std::clamp<std::int64_t>(product, -32768, 32767));
}

/// Grows a graph, and computes its tensors.
class Words {
 public:
  explicit Words(std::uint32_t seed) : random_(seed) {}

  std::int64_t Uniform(std::int64_t lo, std::int64_t hi) {
    return std::uniform_int_distribution<std::int64_t>(lo, hi)(random_);
  }

  ir::TensorId Input(ir::Shape shape) {
    const ir::TensorId id = Add(std::move(shape), 0.001F);
    for (std::int16_t& value : values_[id]) value = Word();
    graph_.inputs.push_back(id);
    return id;
  }

  ir::TensorId Conv(ir::TensorId x, std::int64_t channels, std::int32_t kernel,
                    std::int32_t stride) {
    const ir::Shape from = graph_.tensors[x].shape;
    const std::int32_t pad = kernel / 2;
    const ir::Conv2D op = {.stride = {.h = stride, .w = stride},
                           .padding = {.top = pad, .left = pad, .bottom = pad, .right = pad}};
    const std::int64_t inputs = from[3];
    const auto size = [&](std::int64_t in) { return (in + 2 * pad - kernel) / stride + 1; };
    const ir::Shape to = {from[0], size(from[1]), size(from[2]), channels};
    const std::int64_t terms = inputs * kernel * kernel;
    std::vector<std::int8_t> weights(static_cast<std::size_t>(channels * terms));
    for (std::int8_t& w : weights) w = static_cast<std::int8_t>(Uniform(-128, 127));
    std::vector<std::int64_t> biases(static_cast<std::size_t>(channels));
    for (std::int64_t& b : biases) b = Uniform(-(1LL << 33), 1LL << 33);
    const float weight_scale = 0.01F / std::sqrt(static_cast<float>(terms));
    const ir::TensorId w = Constant({channels, kernel, kernel, inputs}, weight_scale, weights);
    const ir::TensorId b = Constant({channels}, 1.0F, biases);
    const ir::TensorId y = Add(to, graph_.tensors[x].scale);
    const double factor = static_cast<double>(graph_.tensors[x].scale) *
                          static_cast<double>(weight_scale) /
                          static_cast<double>(graph_.tensors[y].scale);
    std::size_t place = 0;
    for (std::int64_t n = 0; n < to[0]; ++n) {
      for (std::int64_t r = 0; r < to[1]; ++r) {
        for (std::int64_t q = 0; q < to[2]; ++q) {
          for (std::int64_t o = 0; o < channels; ++o) {
            std::int64_t sum = biases[static_cast<std::size_t>(o)];
            for (std::int64_t t = 0; t < terms; ++t) {
              const std::int64_t row = r * stride - pad + t / inputs / kernel;
              const std::int64_t column = q * stride - pad + t / inputs % kernel;
              if (row < 0 || row >= from[1] || column < 0 || column >= from[2]) continue;
              const std::int64_t from_place =
                  ((n * from[1] + row) * from[2] + column) * inputs + t % inputs;
              sum += std::int64_t{weights[static_cast<std::size_t>(o * terms + t)]} *
                     values_[x][static_cast<std::size_t>(from_place)];
            }
            values_[y][place++] = Wide(sum, factor);
          }
        }
      }
    }
    Append(op, {x, w, b}, y);
    return y;
  }

  ir::TensorId Larger(ir::TensorId a, ir::TensorId b) {
    const ir::TensorId y = Add(graph_.tensors[a].shape, graph_.tensors[a].scale);
    for (std::size_t i = 0; i < values_[y].size(); ++i) {
      values_[y][i] = std::max(values_[a][i], values_[b][i]);
    }
    Append(ir::Binary{.kind = ir::BinaryKind::kMaximum}, {a, b}, y);
    return y;
  }

  void ExpectCorrect(ir::TensorId output, const isa::HardwareConfig& config) {
    graph_.outputs = {output};
    std::vector<Int16s> inputs;
    for (const ir::TensorId id : graph_.inputs) inputs.push_back(values_[id]);
    const auto outputs = RunOnGolden(Compile(graph_, config), inputs);
    EXPECT_EQ(ValuesOf<std::int16_t>(outputs.at(0)), values_[output]);
  }

 private:
  std::int16_t Word() { return static_cast<std::int16_t>(Uniform(-32768, 32767)); }

  ir::TensorId Add(ir::Shape shape, float scale) {
    ir::Tensor tensor;
    tensor.name = "t" + std::to_string(graph_.tensors.size());
    tensor.type = ElementType::kInt16;
    tensor.shape = std::move(shape);
    tensor.scale = scale;
    const ir::TensorId id = graph_.AddTensor(tensor);
    values_.resize(id + 1);
    values_[id].resize(static_cast<std::size_t>(tensor.Elements()));
    return id;
  }
  template <typename T>
  ir::TensorId Constant(ir::Shape shape, float scale, std::vector<T> values) {
    const ir::TensorId id = Add(std::move(shape), scale);
    graph_.tensors[id].type = ElementTypeOf<T>::value;
    graph_.tensors[id].data = std::move(values);
    return id;
  }
  void Append(ir::Attributes attributes, std::vector<ir::TensorId> inputs, ir::TensorId output) {
    graph_.operators.push_back({.name = "op" + std::to_string(graph_.operators.size()),
                                .inputs = std::move(inputs),
                                .outputs = {output},
                                .attributes = std::move(attributes)});
  }

  std::mt19937 random_;
  ir::Graph graph_;
  std::vector<Int16s> values_;
};

class Int16Network : public testing::TestWithParam<std::uint32_t> {
 protected:
  // Buffers so small that hardly anything fits at once.
  static isa::HardwareConfig Small() {
    return {.n = GetParam(),
            .ub_rows = 256,
            .acc_rows = 32,
            .param_rows = 16,
            .axi_data_width = 64,
            .int16 = 1};
  }
};

TEST_P(Int16Network, OneConvolution) {
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(seed);
    Words words(seed);
    const ir::TensorId x = words.Input(
        {words.Uniform(1, 2), words.Uniform(1, 12), words.Uniform(1, 12), words.Uniform(1, 40)});
    words.ExpectCorrect(
        words.Conv(x, words.Uniform(1, 40), static_cast<std::int32_t>(words.Uniform(1, 3)),
                   static_cast<std::int32_t>(words.Uniform(1, 2))),
        Small());
  }
}

// More input channels than the buffer holds of one pixel.
TEST_P(Int16Network, SumsOverGroupsOfInputChannels) {
  Words words(1);
  words.ExpectCorrect(words.Conv(words.Input({1, 2, 3, 1200}), 9, 1, 1), Small());
}

TEST_P(Int16Network, ThinImages) {
  Words words(2);
  words.ExpectCorrect(words.Conv(words.Input({1, 9, 11, 1}), 6, 3, 1), Small());
}

// With buffers that keep what is between the operators.
TEST_P(Int16Network, TensorsStayOnChip) {
  for (const std::uint32_t rows : {256U, 700U, 16384U}) {
    SCOPED_TRACE(rows);
    isa::HardwareConfig config = Small();
    config.ub_rows = rows;
    Words words(3);
    const ir::TensorId x = words.Input({1, 7, 7, 5});
    const ir::TensorId a = words.Conv(x, 12, 3, 1);
    const ir::TensorId b = words.Conv(a, 12, 1, 1);
    const ir::TensorId c = words.Larger(a, b);
    words.ExpectCorrect(words.Conv(c, 10, 3, 2), config);
  }
}

INSTANTIATE_TEST_SUITE_P(Lanes, Int16Network, testing::Values(4, 8, 16));

}  // namespace
}  // namespace tpu::compiler
