// SPDX-License-Identifier: Apache-2.0
// The models of models/float_vectors, compiled for machines with bf16 and run on the golden model,
// against double precision; TensorFlow Lite Micro's outputs against the same; and the RTL's against
// the golden model's, to the bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "devices/rtl/machines.h"
#include "frontends/tflite/import.h"
#include "frontends/tflite/parse.h"
#include "runtime/session.h"
#include "tests/compiler/float_network.h"
#include "tests/compiler/float_reference.h"
#include "tests/compiler/run_on_golden.h"
#include "tests/models/models_folder.h"

namespace tpu {
namespace {

const std::filesystem::path kFolder =
    std::filesystem::path(TPU_SOURCE_DIR) / "models" / "float_vectors";

constexpr isa::HardwareConfig kMachines[] = {
    {.n = 4, .ub_rows = 1024, .acc_rows = 64, .param_rows = 16, .axi_data_width = 32, .bf16 = 1},
    {.n = 8, .ub_rows = 2048, .acc_rows = 128, .param_rows = 32, .axi_data_width = 64, .bf16 = 1},
    {.bf16 = 1},
};

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".tflite") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<float> ReadFloats(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return compiler::ValuesOf<float>({std::istreambuf_iterator<char>(file), {}});
}

// Parts of the values, as many for each tensor as it has elements.
std::vector<std::vector<float>> Cut(const std::vector<float>& values, const ir::Graph& graph) {
  std::vector<std::vector<float>> parts;
  auto at = values.begin();
  for (const auto* ids : {&graph.inputs, &graph.outputs}) {
    for (const ir::TensorId id : *ids) {
      const auto end = at + graph.tensors[id].Elements();
      parts.emplace_back(at, end);
      at = end;
    }
  }
  EXPECT_EQ(at, values.end());
  return parts;
}

class FloatVectors : public testing::TestWithParam<std::string> {};

TEST_P(FloatVectors, LieNearDoublePrecision) {
  const std::filesystem::path file = kFolder / (GetParam() + ".tflite");
  const ir::Graph graph = tflite::Import(tflite::Load(file));
  std::vector<std::vector<float>> inputs = Cut(ReadFloats(kFolder / (GetParam() + ".data")), graph);
  const std::vector<float> theirs = inputs.back();
  inputs.pop_back();
  const reference::Numbers expected = reference::EvaluateFloats(graph, inputs).at(0);
  {
    SCOPED_TRACE("TensorFlow Lite Micro");
    compiler::ExpectNear(theirs, expected, false);
  }
  for (const isa::HardwareConfig& machine : kMachines) {
    SCOPED_TRACE(fmt::format("N = {}", machine.n));
    const auto outputs = compiler::RunOnGolden(compiler::Compile(graph, machine), inputs);
    compiler::ExpectNear(compiler::ValuesOf<float>(outputs.at(0)), expected, false);
  }
}

TEST_P(FloatVectors, RtlDoesWhatTheGoldenModelDoes) {
  const std::filesystem::path file = kFolder / (GetParam() + ".tflite");
  const ir::Graph graph = tflite::Import(tflite::Load(file));
  std::vector<std::vector<float>> inputs = Cut(ReadFloats(kFolder / (GetParam() + ".data")), graph);
  inputs.pop_back();
  for (const devices::Machine& machine : {devices::kSmallN8Bf16, devices::kN16Bf16}) {
    SCOPED_TRACE(machine.name);
    const executable::Executable executable = compiler::Compile(graph, machine.config);
    const auto device = machine.make({});
    runtime::Session session(*device, executable);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto* bytes = reinterpret_cast<const std::uint8_t*>(inputs[i].data());
      session.SetInputBytes(i, {bytes, inputs[i].size() * sizeof(float)});
    }
    session.Run({.max_cycles = 10'000'000, .watchdog = 100'000});
    const auto expected = compiler::RunOnGolden(executable, inputs);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(session.OutputBytes(i), expected[i]) << "output " << i;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FloatVectors, testing::ValuesIn(Names()),
                         [](const auto& info) { return info.param; });

// TensorFlow Lite Micro's example: the sine of a number.
TEST(FloatModels, HelloWorld) {
  const auto folder = models_test::ModelsFolder();
  const auto file = folder.value_or("") / "tflm_repo" / "hello_world_hello_world_float.tflite";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no models: set TPU_MODELS_DIR";
  const ir::Graph graph = tflite::Import(tflite::Load(file));
  for (int tenths = 0; tenths < 63; ++tenths) {
    const float x = static_cast<float>(tenths) / 10;
    SCOPED_TRACE(x);
    const std::vector<std::vector<float>> inputs = {{x}};
    const auto outputs = compiler::RunOnGolden(compiler::Compile(graph, {.bf16 = 1}), inputs);
    compiler::ExpectNear(compiler::ValuesOf<float>(outputs.at(0)),
                         reference::EvaluateFloats(graph, inputs).at(0), false);
  }
}

}  // namespace
}  // namespace tpu
