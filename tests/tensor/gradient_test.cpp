// SPDX-License-Identifier: Apache-2.0
// The derivative of each operation, against central differences in double precision.
#include "tensor/gradient.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>

#include "tensor/print.h"
#include "tests/seeds.h"
#include "tests/tensor/differences.h"
#include "tests/tensor/random_case.h"

namespace tpu::tensor {
namespace {

class Rules : public testing::TestWithParam<CaseKind> {};

TEST_P(Rules, AreTheSlopesOfTheResult) {
  for (const unsigned seed : Seeds(60)) {
    const Case forward = MakeCase(GetParam(), seed);
    const Case both = WithGradients(forward, seed);
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, Print(both.graph)));
    Verify(both.graph);
    const std::vector<Values<double>> results = Evaluate(both.graph, both.inputs);
    if (GetParam().name == "stop_gradient") {
      // Half of the slope, as one of the factors does not count.
      for (std::size_t e = 0; e < results[0].size(); ++e) {
        ASSERT_DOUBLE_EQ(results[1][e], both.inputs[0][e] * both.inputs.back()[e]);
      }
      continue;
    }
    for (std::size_t i = 0; i < forward.inputs.size(); ++i) {
      ExpectSlope(forward.graph, forward.inputs, i, results.at(i + 1), both.inputs.back(), seed);
    }
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Gradient, Rules, testing::ValuesIn(CaseKinds()), [](const auto& info) {
  std::string name = info.param.name;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
});

}  // namespace
}  // namespace tpu::tensor
