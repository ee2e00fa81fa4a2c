// SPDX-License-Identifier: Apache-2.0
// The networks of models/ as tpu::Graph builds them: programs to the byte as from their files.
#include "tests/sdk/rebuild.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/files.h"
#include "compiler/compile.h"
#include "executable/executable_file.h"
#include "frontends/tflite/import.h"
#include "frontends/tflite/parse.h"
#include "tpu/model.h"
#include "tpu/program.h"

namespace tpu::sdk_test {
namespace {

constexpr std::size_t kLeastModels = 300;
constexpr std::size_t kParts = 4;

bool IsOfFloats(const std::filesystem::path& path) {
  return path.parent_path().filename() == "float_vectors";
}

// A share of the models, so that the tests run at once.
std::vector<std::filesystem::path> Models(std::size_t part) {
  std::vector<std::filesystem::path> models;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(TPU_SOURCE_DIR "/models")) {
    if (entry.path().extension() == ".tflite") models.push_back(entry.path());
  }
  // tpu::Graph has no methods for operators of the host and for variables, and no int16.
  std::erase_if(models, [](const std::filesystem::path& path) {
    return path.parent_path().filename() == "host_vectors" ||
           path.filename().string().starts_with("int16_");
  });
  EXPECT_GE(models.size(), kLeastModels);
  std::ranges::sort(models);
  std::size_t i = 0;
  std::erase_if(models, [&](const auto&) { return i++ % kParts != part; });
  return models;
}

// Files may have tensors without names, which tpu::Graph names, inputs or outputs of one name, and
// a tensor as output twice. tpu::Graph refuses that, as a session could not tell them apart.
ir::Graph ImportWithNames(const std::filesystem::path& path) {
  ir::Graph graph = tflite::Import(tflite::Load(path));
  std::set<ir::TensorId> outputs;
  std::erase_if(graph.outputs, [&](ir::TensorId id) { return !outputs.insert(id).second; });
  std::size_t number = 0;
  for (ir::Tensor& tensor : graph.tensors) {
    if (tensor.name.empty()) tensor.name = fmt::format("inside{}", number++);
  }
  number = 0;
  for (const auto* ids : {&graph.inputs, &graph.outputs}) {
    for (const ir::TensorId id : *ids) graph.tensors[id].name = fmt::format("edge{}", number++);
  }
  return graph;
}

std::vector<std::uint8_t> BytesOf(const Model& model, const HardwareConfig& config) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / fmt::format("{}.tpu", test->name());
  Program::Compile(model, config).Save(path);
  std::vector<std::uint8_t> bytes = ReadBytes(path);
  std::filesystem::remove(path);
  return bytes;
}

void ExpectSamePrograms(std::size_t part) {
  for (const std::filesystem::path& path : Models(part)) {
    SCOPED_TRACE(path.filename());
    const ir::Graph graph = ImportWithNames(path);
    const Model rebuilt = Model::FromGraph(Rebuild(graph));
    const HardwareConfig small = {
        .n = 8, .ub_rows = 1024, .acc_rows = 128, .param_rows = 64, .axi_data_width = 64};
    for (HardwareConfig config : {HardwareConfig{}, small}) {
      config.bf16 = IsOfFloats(path) ? 1 : 0;
      EXPECT_TRUE(BytesOf(rebuilt, config) ==
                  executable::Serialise(compiler::Compile(graph, config)))
          << "N = " << config.n;
    }
  }
}

TEST(Rebuild, MakesTheSameProgramsOfPart0) { ExpectSamePrograms(0); }
TEST(Rebuild, MakesTheSameProgramsOfPart1) { ExpectSamePrograms(1); }
TEST(Rebuild, MakesTheSameProgramsOfPart2) { ExpectSamePrograms(2); }
TEST(Rebuild, MakesTheSameProgramsOfPart3) { ExpectSamePrograms(3); }

}  // namespace
}  // namespace tpu::sdk_test
