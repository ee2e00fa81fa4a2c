// SPDX-License-Identifier: Apache-2.0
// Gradients against central differences.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/tensor/evaluate.h"

namespace tpu::tensor {

/// The sum of the products of two tensors' elements.
inline double Inner(const Values<double>& a, const Values<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a.at(i) * b.at(i);
  return sum;
}

/// Moves one input in a random direction, a little forwards and backwards. The first output must
/// change as `gradient` says; each of its elements counts as much as `cotangent` says.
inline void ExpectSlope(const Graph& graph, std::vector<Values<double>> inputs, std::size_t input,
                        const Values<double>& gradient, const Values<double>& cotangent,
                        std::uint32_t seed) {
  constexpr double kStep = 1e-6;
  std::mt19937 random(seed);
  Values<double> direction(inputs.at(input).size());
  for (double& d : direction) d = std::uniform_real_distribution<double>(-1, 1)(random);
  const Values<double> at = inputs[input];
  const auto moved = [&](double by) {
    for (std::size_t e = 0; e < at.size(); ++e) inputs[input][e] = at[e] + by * direction[e];
    return Inner(Evaluate(graph, inputs).at(0), cotangent);
  };
  const double slope = (moved(kStep) - moved(-kStep)) / (2 * kStep);
  ASSERT_EQ(gradient.size(), direction.size());
  EXPECT_NEAR(Inner(gradient, direction), slope, 1e-7 * (1 + std::abs(slope))) << "input " << input;
}

}  // namespace tpu::tensor
