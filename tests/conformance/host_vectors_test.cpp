// SPDX-License-Identifier: Apache-2.0
// models/host_vectors on the golden model and on the simulated RTL: TensorFlow Lite Micro's outputs
// to the bit, of several runs in a row.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <string>
#include <vector>

#include "devices/golden/golden_device.h"
#include "devices/rtl/machines.h"
#include "tests/conformance/vector.h"

namespace tpu::conformance {
namespace {

const std::filesystem::path kFolder = TPU_SOURCE_DIR "/models/host_vectors";

std::vector<std::string> Names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".tflite") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

// The operators of src/frontends/tflite/operators.def that the host runs, or the importer itself.
TEST(HostVectors, ThereAreSomeOfEveryOperator) {
  const std::vector<std::string> names = Names();
  const auto expect = [&](std::string name) {
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    EXPECT_TRUE(std::ranges::any_of(names, [&](const std::string& vector) {
      return vector.starts_with(name + "_");
    })) << name;
  };
#define TPU_OPERATOR(...)
#define TPU_HOST_OPERATOR(code, decode, where, restrictions) expect(#code);
#define TPU_CUSTOM_OPERATOR(name, decode, where, restrictions) expect(#name);
#define TPU_IMPORTED_OPERATOR(code, where, restrictions) expect(#code);
#include "frontends/tflite/operators.def"
}

class HostVectorsTest : public testing::TestWithParam<std::string> {};

TEST_P(HostVectorsTest, MatchTensorFlowLiteMicro) {
  const Vector vector = LoadVector(kFolder / (GetParam() + ".tflite"));
  for (const devices::Machine& machine : {devices::kN16, devices::kSmallN4, devices::kN16Bf16}) {
    devices::GoldenDevice golden(machine.config);
    EXPECT_EQ(DifferenceOfRuns(vector, golden), "") << "on the golden model of " << machine.name;
  }
  const bool recurrent =
      GetParam().starts_with("svdf_") || GetParam().starts_with("unidirectional_");
  // Of the two one has int16, which recurrent layers need.
  const devices::Machine& rtl = recurrent ? devices::kSmallN8Bf16 : devices::kSmallN8;
  EXPECT_EQ(DifferenceOfRuns(vector, *rtl.make({})), "") << "on the RTL";
}

INSTANTIATE_TEST_SUITE_P(, HostVectorsTest, testing::ValuesIn(Names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace tpu::conformance
