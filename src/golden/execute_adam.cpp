// SPDX-License-Identifier: Apache-2.0
// ADAM (docs/isa.md, 10.5).
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "arithmetic/float/float32.h"
#include "arithmetic/float/float_functions.h"
#include "golden/execute.h"
#include "golden/numbers.h"

namespace tpu::golden {
namespace {

using arithmetic::Fma;
using arithmetic::Multiply;

constexpr isa::NumberFormat kFormat = isa::NumberFormat::kFloat32;
constexpr std::int64_t kRowsOfN = isa::BytesOf(kFormat);

float Parameter(std::int32_t word) { return std::bit_cast<float>(word); }

}  // namespace

void Execute(const isa::Adam& adam, State& state) {
  const std::size_t n = state.config.n;
  const float moment_factor = arithmetic::FloatOf(adam.moment_factor);
  const float square_scale = arithmetic::FloatOf(adam.square_scale);
  const float moment_scale = arithmetic::FloatOf(adam.moment_scale);
  std::vector<std::uint8_t> scratch;
  std::vector<float> squares(n), gradients(n), moments(n), weights(n);
  for (std::int64_t r = 0; r < adam.rows; ++r) {
    const std::int64_t squares_row = adam.squares + r * kRowsOfN;
    const std::int64_t moments_row = squares_row + adam.to_moments;
    const std::int64_t gradients_row = adam.gradients + r * kRowsOfN;
    ReadNumbers(kFormat, squares_row, state, scratch, squares);
    ReadNumbers(kFormat, gradients_row, state, scratch, gradients);
    ReadNumbers(kFormat, moments_row, state, scratch, moments);
    ReadNumbers(kFormat, gradients_row + adam.to_weights, state, scratch, weights);
    const std::span<const isa::Bias> bias = state.bias.Row(adam.param_row);
    const std::span<const isa::Multiplier> multiplier = state.multiplier.Row(adam.param_row);
    const std::span<const isa::Multiplier> kept = state.multiplier.Row(adam.param_row ^ 1);
    const std::int64_t output_row = adam.output + r * kRowsOfN;
    (void)state.ub.Row(output_row);  // An error before anything is written.
    for (std::size_t i = 0; i < n; ++i) {
      squares[i] = Multiply(Fma(squares[i], gradients[i], gradients[i]), square_scale);
      moments[i] = Multiply(Fma(gradients[i], moments[i], moment_factor), moment_scale);
      const float positive = arithmetic::Maximum(squares[i], std::numeric_limits<float>::min());
      const float root = Multiply(squares[i], arithmetic::ReciprocalSquareRoot(positive));
      const float factor =
          arithmetic::Reciprocal(Fma(Parameter(bias[i]), root, Parameter(multiplier[i])));
      weights[i] = Fma(Multiply(weights[i], Parameter(kept[i])), moments[i], factor);
    }
    WriteNumbers(kFormat, squares_row, state, scratch, squares);
    WriteNumbers(kFormat, moments_row, state, scratch, moments);
    WriteNumbers(kFormat, output_row, state, scratch, weights);
  }
}

}  // namespace tpu::golden
