// SPDX-License-Identifier: Apache-2.0
// All tensors as outputs, each once.
#include "compiler/legalise/keep_intermediates.h"

#include <gtest/gtest.h>

#include "network.h"

namespace tpu::compiler {
namespace {

TEST(KeepIntermediates, FollowTheOutputsInTheOrderOfTheOperators) {
  Network network(1);
  const ir::TensorId x = network.Input({1, 4, 4, 4});
  const ir::TensorId a = network.Apply(x);
  const ir::TensorId b = network.Apply(a);
  const ir::TensorId c = network.Apply(b);
  network.graph().outputs = {c, a};
  KeepIntermediates(network.graph());
  EXPECT_EQ(network.graph().outputs, (std::vector<ir::TensorId>{c, a, b}));
}

TEST(KeepIntermediates, AllOutputsOfAnOperator) {
  Network network(1);
  const ir::TensorId x = network.Input({2, 4});
  const auto parts = network.MakeAll(ir::SplitAxis{.axis = 0}, {x}, {{1, 4}, {1, 4}});
  network.graph().outputs = {parts[1]};
  KeepIntermediates(network.graph());
  EXPECT_EQ(network.graph().outputs, (std::vector<ir::TensorId>{parts[1], parts[0]}));
}

}  // namespace
}  // namespace tpu::compiler
