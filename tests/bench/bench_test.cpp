// SPDX-License-Identifier: Apache-2.0
// The suites of bench/ take the cycles that bench/cycles.json says. Networks whose files are
// missing are skipped, by name.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

#include "tests/models/models_folder.h"

namespace tpu {
namespace {

// Percent, for every workload and each of its layers: the model leaves nothing out that they do.
constexpr int kMaxEstimateError = 0;

struct Outcome {
  int status = -1;
  std::string output;
};

// Runs `tpu bench` on a suite from the sources' folder, so that messages name files as a user
// would.
Outcome Bench(const std::string& suite) {
  const auto models = models_test::ModelsFolder();
  const std::string command = fmt::format(
      "cd '{}' && '{}' bench bench/{} --no-check --skip-missing --ledger bench/cycles.json "
      "--max-estimate-error {} {} 2>&1",
      TPU_SOURCE_DIR, TPU_COMMAND, suite, kMaxEstimateError,
      models ? fmt::format("--models '{}'", models->string()) : "");
  Outcome outcome;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    outcome.output.append(buffer.data(), n);
  }
  outcome.status = pclose(pipe);
  return outcome;
}

class BenchSuite : public testing::TestWithParam<const char*> {};

TEST_P(BenchSuite, TakesTheCyclesOfTheLedger) {
  const Outcome outcome = Bench(GetParam());
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  if (outcome.output.find("no such file") != std::string::npos) GTEST_SKIP() << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(, BenchSuite,
                         testing::Values("matmul", "mobilenetv2", "resnet50", "mlperf-tiny",
                                         "networks"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace tpu
