// SPDX-License-Identifier: Apache-2.0
// Networks of float32 as tpu::Graph builds them, from the public headers alone: near double
// precision on the golden model, and on the RTL what the golden model computes, to the bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "devices/rtl/machines.h"
#include "tests/compiler/float_network.h"
#include "tests/compiler/float_reference.h"
#include "tests/sdk/rebuild.h"
#include "tpu/device.h"
#include "tpu/model.h"
#include "tpu/program.h"
#include "tpu/session.h"
#include "workloads/workload.h"

namespace tpu::sdk_test {
namespace {

using compiler::FloatNetwork;
using compiler::Values;
using Tensors = std::vector<std::vector<float>>;

constexpr std::array kMachines = {devices::kSmallN8Bf16, devices::kN16Bf16};

class FloatGraph : public testing::Test {
 protected:
  static void SetUpTestSuite() { RegisterDevice(devices::RtlKind(kMachines)); }

  // Runs the model once on a device.
  static Tensors Run(const std::string& device_name, const Model& model,
                     const HardwareConfig& machine, const Tensors& inputs) {
    const auto device = MakeDevice(device_name, machine);
    Session session(*device, Program::Compile(model, machine));
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      session.SetInput<float>(model.inputs()[i].name, inputs[i]);
    }
    session.Run();
    Tensors outputs;
    for (const TensorInfo& output : model.outputs()) {
      outputs.push_back(session.Output<float>(output.name));
    }
    return outputs;
  }
};

// What most networks consist of.
ir::TensorId AddLayers(FloatNetwork& network) {
  const ir::TensorId x = network.Input({1, 9, 11, 3});
  const ir::TensorId a = network.Conv(x, 12, network.AnyWindow<ir::Conv2D>(x, 3));
  const ir::TensorId b =
      network.Depthwise(a, 1, {.op = {.padding = {1, 1, 1, 1}}, .kernel = {3, 3}});
  const ir::Shape shape = network.graph().tensors[a].shape;
  const ir::TensorId sum = network.Combine(a, b, ir::BinaryKind::kAdd, shape);
  const ir::TensorId pooled = network.Pool(sum, ir::PoolKind::kMax, 3);
  const ir::TensorId means = network.Make(ir::Reduce{.axes = {1, 2}}, {pooled}, {1, shape[3]});
  return network.Make(ir::Unary{.kind = ir::UnaryKind::kLogistic}, {network.FullyConnect(means, 7)},
                      {1, 7});
}

TEST_F(FloatGraph, LiesNearDoublePrecisionAndTheRtlDoesWhatTheGoldenModelDoes) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    SCOPED_TRACE(seed);
    FloatNetwork network(seed, Values::kReals);
    network.graph().outputs = {AddLayers(network)};
    const Tensors inputs = network.InputValues();
    const Model model = Model::FromGraph(Rebuild(network.graph()));
    const auto expected = reference::EvaluateFloats(network.graph(), inputs);
    for (const devices::Machine& machine : kMachines) {
      SCOPED_TRACE(machine.name);
      const Tensors outputs = Run("golden", model, machine.config, inputs);
      compiler::ExpectNear(outputs.at(0), expected.at(0), false);
      EXPECT_EQ(Run("rtl", model, machine.config, inputs), outputs);
    }
  }
}

TEST_F(FloatGraph, MobileNetV2RunsWholeOnTheRtl) {
  const ir::Graph graph = workloads::InFloats(
      workloads::MobileNetV2({.h = 96, .w = 96}, 35, 1).graph, ElementType::kFloat32);
  const Model model = Model::FromGraph(Rebuild(graph));
  std::mt19937 random(1);
  std::vector<float> image(96 * 96 * 3);
  for (float& pixel : image) pixel = std::uniform_real_distribution<float>(-1, 1)(random);
  const HardwareConfig machine = devices::kN16Bf16.config;
  const std::vector<float> classes = Run("golden", model, machine, {image}).at(0);
  EXPECT_EQ(Run("rtl", model, machine, {image}).at(0), classes);
  // Neither faded nor grown on the way, so that no layer's mistake stays invisible.
  ASSERT_EQ(classes.size(), 1001U);
  const auto [least, most] = std::ranges::minmax(classes);
  EXPECT_LT(least, -1.0F);
  EXPECT_GT(most, 1.0F);
  EXPECT_LT(std::max(-least, most), 100.0F);
}

}  // namespace
}  // namespace tpu::sdk_test
