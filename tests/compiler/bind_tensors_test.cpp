// SPDX-License-Identifier: Apache-2.0
// What the runtime is told about inputs and outputs.
#include "compiler/lower/bind_tensors.h"

#include <gtest/gtest.h>

#include "network.h"

namespace tpu::compiler {
namespace {

TEST(BindTensors, KeepsTheOrderOfTheGraph) {
  ir::Graph graph;
  for (int i = 0; i < 4; ++i) {
    graph.AddTensor({.name = "tensor" + std::to_string(i),
                     .type = i == 2 ? ElementType::kInt32 : ElementType::kInt8,
                     .shape = {i + 1, 2},
                     .scale = 0.5F * static_cast<float>(i),
                     .zero_point = -i});
  }
  graph.inputs = {3, 1};
  graph.outputs = {2, 0};
  const std::vector<Placement> placements = {
      {.address = 0}, {.address = 64}, {.address = 128}, {.address = 192}};
  executable::Executable executable;
  BindTensors(graph, placements, executable);
  ASSERT_EQ(executable.inputs.size(), 2U);
  EXPECT_EQ(executable.inputs[0].name, "tensor3");
  EXPECT_EQ(executable.inputs[1].name, "tensor1");
  ASSERT_EQ(executable.outputs.size(), 2U);
  EXPECT_EQ(executable.outputs[1].name, "tensor0");
  const executable::TensorBinding& output = executable.outputs[0];
  EXPECT_EQ(output.name, "tensor2");
  EXPECT_EQ(output.address, 128U);
  EXPECT_EQ(output.shape, (std::vector<std::int64_t>{3, 2}));
  EXPECT_EQ(output.type, ElementType::kInt32);
  EXPECT_EQ(output.scale, 1.0F);
  EXPECT_EQ(output.zero_point, -2);
}

}  // namespace
}  // namespace tpu::compiler
