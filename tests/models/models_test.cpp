// SPDX-License-Identifier: Apache-2.0
// Real networks and every operator by itself on the golden model: the outputs of TensorFlow Lite's
// reference kernels, to the bit, in both rounding modes.
#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "devices/golden/golden_device.h"
#include "tests/models/model_cases.h"
#include "tests/models/models_folder.h"

namespace tpu::models_test {
namespace {

// In bytes of the file. The largest network takes half a second a case.
constexpr std::uintmax_t kLargeFile = 2'000'000;

constexpr isa::HardwareConfig kN16 = {};
// The others run one case each. On the last one nothing of any size fits whole.
constexpr std::array<isa::HardwareConfig, 3> kOthers = {{
    {.n = 8, .ub_rows = 8192, .acc_rows = 1024, .param_rows = 256, .axi_data_width = 64},
    {.n = 32, .ub_rows = 8192, .acc_rows = 1024, .param_rows = 256, .axi_data_width = 256},
    {.n = 4, .ub_rows = 1024, .acc_rows = 128, .param_rows = 64, .axi_data_width = 32},
}};

std::vector<Model> AllModels() {
  std::vector<Model> models = Networks();
  for (Model& model : OperatorModels()) models.push_back(std::move(model));
  for (Model& model : RepositoryModels()) models.push_back(std::move(model));
  return models;
}

class ModelsTest : public testing::TestWithParam<Model> {
 protected:
  static void Run(const isa::HardwareConfig& config, std::size_t most_cases) {
    SCOPED_TRACE(fmt::format("N = {}", config.n));
    devices::GoldenDevice device(config);
    ExpectOutputs(GetParam(), config, device, most_cases);
  }
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ModelsTest);

TEST_P(ModelsTest, MatchTensorFlowLite) {
  if (GetParam().cases.empty()) GTEST_SKIP() << NoCases(GetParam());
  const bool large = std::filesystem::file_size(GetParam().file) > kLargeFile;
  Run(kN16, kAllCases);
  for (const isa::HardwareConfig& config : kOthers) {
    if (!large) Run(config, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(, ModelsTest, testing::ValuesIn(AllModels()),
                         [](const testing::TestParamInfo<Model>& info) { return info.param.name; });

TEST(ModelsFolder, IsThere) {
  if (!ModelsFolder()) {
    GTEST_SKIP() << "no models: set TPU_MODELS_DIR, or put them into ../shared/models";
  }
  EXPECT_FALSE(Networks().empty());
}

}  // namespace
}  // namespace tpu::models_test
