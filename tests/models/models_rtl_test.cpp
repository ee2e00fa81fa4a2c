// Real networks and every operator by itself on the simulated RTL: the outputs of TensorFlow Lite's
// reference kernels, to the bit, in both rounding modes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

#include "runtime/config.h"
#include "sim/rtl_device.h"
#include "tests/models/model_cases.h"

namespace tpu::models_test {
namespace {

// What takes a second or more runs on the default machine only.
constexpr std::uintmax_t kLargeFile = 400'000;

std::vector<Model> AllModels() {
  std::vector<Model> models = Networks();
  for (Model& model : OperatorModels()) models.push_back(std::move(model));
  return models;
}

class ModelsRtlTest : public testing::TestWithParam<Model> {
 protected:
  static void Run(sim::RtlFactory* make) {
    const auto device = make({});
    const isa::HardwareConfig config = runtime::ReadConfig(*device);
    SCOPED_TRACE(fmt::format("N = {}", config.n));
    ExpectOutputs(GetParam(), config, *device, 1);
  }
};
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ModelsRtlTest);

TEST_P(ModelsRtlTest, MatchTensorFlowLite) {
  Run(sim::MakeN16);
  if (std::filesystem::file_size(GetParam().file) > kLargeFile) return;
  Run(sim::MakeN8);
  Run(sim::MakeN32);
}

INSTANTIATE_TEST_SUITE_P(, ModelsRtlTest, testing::ValuesIn(AllModels()),
                         [](const testing::TestParamInfo<Model>& info) { return info.param.name; });

}  // namespace
}  // namespace tpu::models_test
