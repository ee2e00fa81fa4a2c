// SPDX-License-Identifier: Apache-2.0
// Real networks and every operator by itself on the simulated RTL: the outputs of TensorFlow Lite's
// reference kernels, to the bit, in both rounding modes on the default machine.
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "devices/rtl/rtl_device.h"
#include "runtime/config.h"
#include "tests/models/model_cases.h"

namespace tpu::models_test {
namespace {

// In bytes of the file. What takes seconds a case runs two of them; what takes one runs on the
// default machine only.
constexpr std::uintmax_t kHugeFile = 2'000'000;
constexpr std::uintmax_t kLargeFile = 400'000;

std::vector<Model> ModelsUpTo(std::uintmax_t file_size) {
  std::vector<Model> models = Networks();
  for (Model& model : OperatorModels()) models.push_back(std::move(model));
  for (Model& model : RepositoryModels()) models.push_back(std::move(model));
  std::erase_if(models, [file_size](const Model& model) {
    return std::filesystem::file_size(model.file) > file_size;
  });
  return models;
}

void RunOn(const Model& model, devices::RtlFactory* make) {
  if (model.cases.empty()) GTEST_SKIP() << NoCases(model);
  const auto device = make({});
  const bool huge = std::filesystem::file_size(model.file) > kHugeFile;
  ExpectOutputs(model, runtime::ReadConfig(*device), *device, huge ? 2 : kAllCases);
}

using ModelsRtlTest = testing::TestWithParam<Model>;
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ModelsRtlTest);
TEST_P(ModelsRtlTest, N16MatchesTensorFlowLite) { RunOn(GetParam(), devices::MakeN16); }

// On the other machines each in one mode, as a mode is the same logic in lanes of any number.
using N8ModelsRtlTest = testing::TestWithParam<Model>;
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(N8ModelsRtlTest);
TEST_P(N8ModelsRtlTest, MatchTensorFlowLite) { RunOn(GetParam(), devices::MakeSmallN8); }

using N32ModelsRtlTest = testing::TestWithParam<Model>;
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(N32ModelsRtlTest);
TEST_P(N32ModelsRtlTest, MatchTensorFlowLite) { RunOn(GetParam(), devices::MakeSmallN32); }

std::vector<Model> SmallModels(compiler::Rounding rounding) {
  std::vector<Model> models = ModelsUpTo(kLargeFile);
  std::erase_if(models, [rounding](const Model& model) { return model.rounding != rounding; });
  return models;
}

std::string NameOf(const testing::TestParamInfo<Model>& info) { return info.param.name; }
INSTANTIATE_TEST_SUITE_P(, ModelsRtlTest,
                         testing::ValuesIn(ModelsUpTo(std::numeric_limits<std::uintmax_t>::max())),
                         NameOf);
INSTANTIATE_TEST_SUITE_P(, N8ModelsRtlTest,
                         testing::ValuesIn(SmallModels(compiler::Rounding::kSingle)), NameOf);
INSTANTIATE_TEST_SUITE_P(, N32ModelsRtlTest,
                         testing::ValuesIn(SmallModels(compiler::Rounding::kDouble)), NameOf);

}  // namespace
}  // namespace tpu::models_test
