// SPDX-License-Identifier: Apache-2.0
// `tpu train` on the simulated RTL.
#include <gmock/gmock.h>

#include "tests/training/train_command_tester.h"

namespace tpu::tools {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class TrainRtl : public TrainCommand {
 protected:
  json Report(const std::string& arguments) const {
    const Outcome outcome = Train(
        "--test-inputs x.npy --test-labels y.npy --optimizer adam --lr 0.05 --batch 8 --accumulate "
        "2 "
        "--steps 4 --report r.json " +
        arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    return json::parse(Read("r.json"));
  }
};

TEST_F(TrainRtl, ComputesWhatTheGoldenModelDoes) {
  const json rtl = Report("--html r.html");
  const json golden = Report("--backend golden");
  for (const char* const key : {"loss", "weights_crc32", "accuracy", "evaluations", "macs"}) {
    EXPECT_EQ(rtl.at(key), golden.at(key)) << key;
  }
  EXPECT_EQ(golden.at("cycles"), 0);
  EXPECT_FALSE(golden.contains("step"));
}

TEST_F(TrainRtl, ComputesTheSameForAHundredSteps) {
  const auto run = [&](const std::string& backend) {
    const Outcome outcome =
        Train("--optimizer momentum --lr 0.05 --batch 8 --steps 100 --report r.json --backend " +
              backend);
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    return json::parse(Read("r.json"));
  };
  const json rtl = run("rtl");
  EXPECT_EQ(rtl.at("weights_crc32").size(), 100U);
  EXPECT_EQ(rtl.at("weights_crc32"), run("golden").at("weights_crc32"));
}

// Steps that the golden model reaches sooner.
TEST_F(TrainRtl, ComputesTheSameLateInARun) {
  const auto run = [&](const std::string& arguments) {
    const Outcome outcome =
        Train("--optimizer sgd --lr 0.05 --batch 8 --report r.json " + arguments);
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    return json::parse(Read("r.json")).at("weights_crc32");
  };
  run("--steps 1000 --backend golden --checkpoint late.ckpt");
  const json golden = run("--steps 1003 --backend golden --resume late.ckpt");
  EXPECT_EQ(golden.size(), 1003U);
  EXPECT_EQ(run("--steps 1003 --resume late.ckpt"), golden);
}

TEST_F(TrainRtl, CountsCycles) {
  const json report = Report("--html r.html");
  EXPECT_GT(report.at("utilization"), 0);
  EXPECT_EQ(report.at("counters").at("cycles"), report.at("cycles"));
  EXPECT_GT(report.at("evaluation_cycles"), 0);
  const json& step = report.at("step");
  // Of four steps of two runs each.
  EXPECT_GT(report.at("cycles"), 5 * step.at("cycles").get<std::uint64_t>());
  std::uint64_t layers = 0;
  for (const json& layer : step.at("layers")) layers += layer.at("cycles").get<std::uint64_t>();
  EXPECT_EQ(layers, step.at("cycles"));
  std::uint64_t causes = 0;
  for (const json& cycles : step.at("array")) causes += cycles.get<std::uint64_t>();
  EXPECT_EQ(causes, step.at("cycles"));
  EXPECT_THAT(Read("r.html"), HasSubstr("MATMUL"));
}

TEST_F(TrainRtl, ContinuesWhereAnotherBackendStopped) {
  const json whole = Report("");
  const Outcome first = Train(
      "--optimizer adam --lr 0.05 --batch 8 --accumulate 2 --steps 2 --backend golden --checkpoint "
      "a.ckpt");
  EXPECT_EQ(first.status, 0) << first.output;
  EXPECT_EQ(Report("--resume a.ckpt").at("weights_crc32"), whole.at("weights_crc32"));
}

}  // namespace
}  // namespace tpu::tools
