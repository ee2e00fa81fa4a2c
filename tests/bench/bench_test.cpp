// SPDX-License-Identifier: Apache-2.0
// The suites of bench/ take the cycles that bench/cycles.json and bench/cycles_bf16.json say.
// Networks whose files are missing are skipped, by name.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <ostream>
#include <string>

#include "tests/models/models_folder.h"

namespace tpu {
namespace {

// A suite, and the machine with the ledger of its cycles and the largest error of estimates.
struct Setup {
  const char* suite;
  const char* options;
};

void PrintTo(const Setup& setup, std::ostream* out) { *out << setup.suite; }

// Of estimates, in percent: for every workload and each of its layers. The model leaves nothing out
// that these networks do.
constexpr const char* kN16 = "--ledger bench/cycles.json --max-estimate-error 0";
constexpr const char* kN16Bf16 =
    "--config N16-bf16 --ledger bench/cycles_bf16.json --max-estimate-error 0";

struct Outcome {
  int status = -1;
  std::string output;
};

// Runs `tpu bench` on a suite from the sources' folder, so that messages name files as a user
// would.
Outcome Bench(const Setup& setup) {
  const auto models = models_test::ModelsFolder();
  const std::string command =
      fmt::format("cd '{}' && '{}' bench bench/{} --no-check --skip-missing {} {} 2>&1",
                  TPU_SOURCE_DIR, TPU_COMMAND, setup.suite, setup.options,
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

class BenchSuite : public testing::TestWithParam<Setup> {};

TEST_P(BenchSuite, TakesTheCyclesOfTheLedger) {
  const Outcome outcome = Bench(GetParam());
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  if (outcome.output.find("no such file") != std::string::npos) GTEST_SKIP() << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(, BenchSuite,
                         testing::Values(Setup{"matmul", kN16}, Setup{"transformer", kN16},
                                         Setup{"mobilenetv2", kN16}, Setup{"resnet50", kN16},
                                         Setup{"mlperf-tiny", kN16}, Setup{"networks", kN16},
                                         Setup{"int16", kN16}, Setup{"recurrent", kN16},
                                         Setup{"bf16", kN16Bf16}, Setup{"training", kN16Bf16}),
                         [](const auto& info) {
                           std::string name = info.param.suite;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace
}  // namespace tpu
