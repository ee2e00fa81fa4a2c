// SPDX-License-Identifier: Apache-2.0
// models/vectors on the golden model and on the simulated RTL: TensorFlow Lite's outputs to the
// bit, in both rounding modes. Those of int16 on machines with int16.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "base/files.h"
#include "devices/golden/golden_device.h"
#include "devices/rtl/machines.h"
#include "tests/conformance/vector.h"

namespace tpu::conformance {
namespace {

constexpr std::array<devices::Machine, 3> kMachines = {devices::kN16, devices::kSmallN4,
                                                       devices::kSmallN8};
constexpr std::size_t kLeastVectors = 300;

const std::filesystem::path kFolder = TPU_SOURCE_DIR "/models/vectors";

std::vector<std::string> Names() {
  std::vector<std::string> names;
  const auto index = nlohmann::json::parse(ReadText(kFolder / "index.json"));
  for (const auto& vector : index.at("vectors")) names.push_back(vector.at("name"));
  return names;
}

TEST(VectorsIndex, NamesAllFiles) {
  const std::vector<std::string> names = Names();
  EXPECT_GE(names.size(), kLeastVectors);
  std::size_t models = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    models += entry.path().extension() == ".tflite" ? 1 : 0;
  }
  EXPECT_EQ(models, names.size());
}

// The operators of src/frontends/tflite/operators.def.
TEST(VectorsIndex, HasEveryOperator) {
  std::set<std::string> there;
  const auto index = nlohmann::json::parse(ReadText(kFolder / "index.json"));
  for (const auto& vector : index.at("vectors")) {
    for (const auto& name : vector.at("operators")) there.insert(name);
  }
#define TPU_OPERATOR(code, decode, where, restrictions) EXPECT_TRUE(there.contains(#code)) << #code;
#define TPU_FLOAT_OPERATOR(...)  // The vectors are of int8.
#define TPU_HOST_OPERATOR(...)   // Theirs are models/host_vectors.
#include "frontends/tflite/operators.def"
}

bool IsInt16(const std::string& name) { return name.starts_with("int16_"); }

class VectorsTest : public testing::TestWithParam<std::string> {};

TEST_P(VectorsTest, MatchTensorFlowLite) {
  const Vector vector = LoadVector(kFolder / (GetParam() + ".tflite"));
  for (const devices::Machine& machine : kMachines) {
    SCOPED_TRACE(machine.name);
    if (IsInt16(GetParam()) && machine.config.int16 == 0) continue;
    devices::GoldenDevice golden(machine.config);
    const auto rtl = machine.make({});
    for (const auto rounding : {compiler::Rounding::kDouble, compiler::Rounding::kSingle}) {
      SCOPED_TRACE(rounding == compiler::Rounding::kDouble ? "double rounding" : "single rounding");
      EXPECT_EQ(Difference(vector, rounding, golden), "") << "on the golden model";
      EXPECT_EQ(Difference(vector, rounding, *rtl), "") << "on the RTL";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, VectorsTest, testing::ValuesIn(Names()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace tpu::conformance
