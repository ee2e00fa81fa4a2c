// SPDX-License-Identifier: Apache-2.0
// What the subcommands of `tpu` do when all is well, and exit status 1.
#include <gmock/gmock.h>

#include <array>
#include <bit>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "executable/executable_file.h"
#include "isa/encoding.h"
#include "tests/models/models_folder.h"
#include "tests/tools/command_tester.h"

namespace tpu::tools {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Command : public CommandTester {
 protected:
  void Expect(int status, const std::string& arguments, const std::string& output) const {
    const Outcome outcome = Tpu(arguments);
    EXPECT_EQ(outcome.status, status) << outcome.output;
    EXPECT_THAT(outcome.output, HasSubstr(output));
  }
};

std::uint64_t SumOf(const json& values) {
  std::uint64_t sum = 0;
  for (const json& value : values) sum += value.get<std::uint64_t>();
  return sum;
}

TEST_F(Command, HelpAndInfo) {
  Expect(0, "--help", "inspect");
  Expect(0, "run --help", "--check-intermediates");
  Expect(0, "info", "N16");
}

TEST_F(Command, InspectSaysWhatRunsWhere) {
  const Outcome outcome = Tpu("inspect good.tflite");
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.output,
              testing::ContainsRegex("op0 +CONV_2D +1x4x4x2 +1x4x4x4 +device +1,152"));
  EXPECT_THAT(outcome.output, testing::ContainsRegex("op1 +RESHAPE +1x4x4x4 +1x64 +-"));
  EXPECT_THAT(outcome.output, testing::ContainsRegex("op3 +SOFTMAX +1x3 +1x3 +host"));
}

TEST_F(Command, ModelAndCompiledProgramGiveTheSame) {
  Expect(0, "run good.tflite --backend golden --input in.npy --output a.npy", "CONV_2D");
  Expect(0, "compile good.tflite -o again.tpu", "1,344 MACs");
  EXPECT_EQ(Read("again.tpu"), Read("good.tpu"));
  Expect(0, "run again.tpu --backend golden --input in.npy --output b.npy", "CONV_2D");
  EXPECT_FALSE(Read("a.npy").empty());
  EXPECT_EQ(Read("a.npy"), Read("b.npy"));
  Expect(0, "run good.tflite --backend golden --input in.npy --expect a.npy", "");
}

TEST_F(Command, RandomInputsFollowTheSeed) {
  // The program's input is its output.
  Write("p.s", std::string("load row_bytes=16 rows=1 pixel_bytes=16 pixel_stride=1\n"));
  Expect(0, "asm p.s -o p.tpu --memory 64", "1 instructions");
  const std::string run = "run p.tpu --backend golden --output ";
  Expect(0, run + "a.npy", "");
  Expect(0, run + "b.npy --seed 1", "");
  Expect(0, run + "c.npy --seed 2", "");
  EXPECT_EQ(Read("a.npy"), Read("b.npy"));
  EXPECT_NE(Read("a.npy"), Read("c.npy"));
}

TEST_F(Command, RtlReportsCyclesThatSumUp) {
  Expect(0, "run good.tflite --input in.npy --output rtl.npy --report r.json", "bound");
  Expect(0, "run good.tflite --backend golden --input in.npy --expect rtl.npy", "");
  const json report = json::parse(Read("r.json"));
  EXPECT_EQ(report.at("passed"), true);
  EXPECT_EQ(report.at("macs"), 4 * 4 * 4 * 18 + 3 * 64);
  EXPECT_EQ(report.at("ideal_cycles"), 6);
  EXPECT_EQ(report.at("peak_macs_per_cycle"), 256);
  EXPECT_EQ(report.at("config").at("n"), 16);
  EXPECT_GT(report.at("sim_cycles_per_second"), 0);
  EXPECT_GT(report.at("dram_bytes"), 0);
  const std::uint64_t cycles = report.at("cycles");
  EXPECT_GT(cycles, 100U);
  EXPECT_EQ(report.at("counters").at("cycles"), cycles);
  std::uint64_t sum = 0;
  std::map<std::string, std::uint64_t> counters;
  for (const json& layer : report.at("layers")) {
    sum += layer.at("cycles").get<std::uint64_t>();
    EXPECT_EQ(layer.at("where") == "host", layer.at("op") == "SOFTMAX");
    EXPECT_EQ(layer.at("bound").get<std::string>().empty(), layer.at("cycles") == 0);
    EXPECT_EQ(SumOf(layer.at("array")), layer.at("cycles"));
    for (const auto& [name, value] : layer.at("counters").items()) {
      counters[name] += value.get<std::uint64_t>();
    }
  }
  EXPECT_EQ(sum, cycles);
  EXPECT_GT(report.at("layers").at(0).at("cycles"), 0);
  EXPECT_EQ(SumOf(report.at("array")), cycles);
  // What the simulator saw layer by layer is what the hardware counted.
  EXPECT_EQ(json(counters), report.at("counters"));
  // Two of eighteen rows are filled in the first layer's only block, and 4 of 16 columns.
  EXPECT_EQ(report.at("array").at("useful"), 4 * 4 * 4 * 18 / 256);
}

TEST_F(Command, WrongResultIsStatusOne) {
  Expect(0, "run good.tflite --backend golden --input in.npy --output y.npy", "");
  std::string y = Read("y.npy");
  y.back() = static_cast<char>(y.back() ^ 1);
  Write("y.npy", y);
  Expect(1, "run good.tflite --backend golden --input in.npy --expect y.npy --report r.json",
         "tpu: good.tflite: output t8[0,2]: got ");
  EXPECT_EQ(json::parse(Read("r.json")).at("passed"), false);
}

TEST_F(Command, DeviceErrorIsStatusOne) {
  executable::Executable broken = executable();
  const auto& program = std::get<executable::DeviceProgram>(broken.steps.front());
  for (executable::Segment& segment : broken.segments) {
    if (segment.address != program.address) continue;
    std::vector<isa::Instruction> instructions = executable::Instructions(broken, program);
    for (isa::Instruction& i : instructions) {
      if (auto* load = std::get_if<isa::Load>(&i)) load->row = 65535;
    }
    segment.bytes = isa::EncodeProgram(instructions);
  }
  Write("broken.tpu", executable::Serialise(broken));
  Expect(1, "run broken.tpu --backend golden", "tpu: the device stopped with ");
  Expect(1, "run broken.tpu", "tpu: the device stopped with ");
}

TEST_F(Command, DisassemblyAssemblesToTheSameProgram) {
  Write("p.s", std::string("load row_bytes=64 rows=2 row_stride=64 pixel_bytes=16 pixel_stride=1 "
                           "post=0\nstore wait=0 dram_addr=0x1000 row_bytes=128 rows=1 "
                           "pixel_bytes=16 pixel_stride=1\n"));
  Expect(0, "asm p.s -o p.tpu", "2 instructions");
  Expect(0, "disasm p.tpu -o q.s", "");
  EXPECT_THAT(Read("q.s"), HasSubstr("store"));
  Expect(0, "asm q.s -o q.tpu", "2 instructions");
  EXPECT_EQ(Read("p.tpu"), Read("q.tpu"));
  Expect(0, "disasm good.tpu", "# 0: op0 CONV_2D");
  Expect(0, "disasm good.tpu", "# the host runs op3 SOFTMAX");
}

TEST_F(Command, AssembledProgramRuns) {
  Write("p.s", std::string("load row_bytes=64 rows=1 pixel_bytes=16 pixel_stride=1 post=0\n"
                           "store wait=0 dram_addr=64 row_bytes=64 rows=1 pixel_bytes=16 "
                           "pixel_stride=1\n"));
  Expect(0, "asm p.s -o p.tpu --memory 128", "");
  Expect(0, "run p.tpu --output y.npy", "program");
  const std::string memory = Read("y.npy").substr(128);
  ASSERT_EQ(memory.size(), 128U);
  EXPECT_EQ(memory.substr(0, 64), memory.substr(64));
}

TEST_F(Command, LedgerHoldsASuitesCycles) {
  Write("suite", std::string("matmul:16x16x16 x3\nmodel:none.tflite\n"));
  const std::string bench = "bench suite --skip-missing --ledger l.json";
  Expect(1, bench, "l.json says nothing");
  Expect(0, bench + " --update-ledger", "model:none.tflite: skipped");
  Expect(0, bench, "");
  json ledger = json::parse(Read("l.json"));
  json& workloads = ledger.at("suites").at("suite").at("workloads");
  workloads["matmul:16x16x16"] = 7;
  Write("l.json", ledger.dump());
  Expect(1, bench, "l.json says 7\n");
  Expect(1, bench, "--update-ledger");
  workloads["matmul:1x1x1"] = 7;
  Write("l.json", ledger.dump());
  Expect(1, bench, "matmul:1x1x1 is in l.json, but not in the suite");
}

TEST_F(Command, BenchPrintsAndWritesFigures) {
  Write("suite", std::string("matmul:16x16x16 x3\ndw:8x8x16:k3:s1:p1\nmodel:good.tflite\n"));
  Write("targets.json",
        std::string("[{\"name\": \"all of it\", \"suite\": \"suite\", \"ceiling\": 100, "
                    "\"target\": 1000000}, {\"name\": \"one\", \"workload\": "
                    "\"matmul:16x16x16\", \"ceiling\": 100, \"target\": 101}, {\"name\": "
                    "\"other\", \"suite\": \"none\", \"ceiling\": 1, \"target\": 2}]"));
  Expect(0, "bench suite --json b.json --targets targets.json", "suite, as often as given");
  const json file = json::parse(Read("b.json"));
  const json& report = file.at("workloads");
  ASSERT_EQ(report.size(), 3U);
  EXPECT_EQ(report.at(0).at("count"), 3);
  EXPECT_EQ(report.at(0).at("macs"), 4096);
  EXPECT_EQ(report.at(1).at("macs"), 8 * 8 * 16 * 9);
  const json& targets = file.at("targets");
  ASSERT_EQ(targets.size(), 2U);
  EXPECT_EQ(targets.at(0).at("cycles"), 3 * report.at(0).at("cycles").get<int>() +
                                            report.at(1).at("cycles").get<int>() +
                                            report.at(2).at("cycles").get<int>());
  EXPECT_EQ(targets.at(0).at("met"), true);
  EXPECT_EQ(targets.at(1).at("cycles"), report.at(0).at("cycles"));
  EXPECT_EQ(targets.at(1).at("met"), false);
  for (const json& line : report) {
    EXPECT_EQ(line.at("passed"), true);
    EXPECT_GT(line.at("cycles"), 0);
  }
}

TEST_F(Command, BenchRunsSuitesAndWorkloadsOfFloat32) {
  Write("suite", std::string("matmul:3x20x5 x3\n"));
  Expect(0,
         "bench suite:float32 add:4x4x8:float32 add:4x4x8:bfloat16 --config N16-bf16 --json b.json",
         "ok");
  const json report = json::parse(Read("b.json")).at("workloads");
  ASSERT_EQ(report.size(), 3U);
  EXPECT_EQ(report.at(0).at("name"), "matmul:3x20x5:float32");
  EXPECT_EQ(report.at(0).at("count"), 3);
  EXPECT_EQ(report.at(1).at("name"), "add:4x4x8:float32");
  EXPECT_EQ(report.at(2).at("name"), "add:4x4x8:bfloat16");
  // Nothing to convert.
  EXPECT_LT(report.at(2).at("cycles"), report.at(1).at("cycles"));
  for (const json& line : report) {
    EXPECT_EQ(line.at("passed"), true);
    EXPECT_GT(line.at("cycles"), 0);
  }
  // The suite has a ledger of its own, and the message says with which machine.
  const std::string bench = "bench suite:float32 --config N16-bf16 --ledger f.json";
  Expect(1, bench, "bench/suite:float32 --config N16-bf16 --no-check --ledger f.json");
  Expect(0, bench + " --update-ledger", "");
  Expect(0, bench, "");
}

TEST_F(Command, EvalCountsRightAnswersInAnyNumberOfThreads) {
  const Outcome first = Tpu("eval good.tflite --inputs in.npy --labels good.tflite");
  EXPECT_EQ(first.status, 2);
  // Four copies of one input.
  const std::string npy = Read("in.npy");
  std::string batch = npy;
  batch.replace(batch.find("(1, 4, 4, 2)"), 12, "(4, 4, 4, 2)");
  for (int i = 0; i < 3; ++i) batch += npy.substr(npy.size() - 32);
  Write("batch.npy", batch);
  Write("labels", std::string("0 1 2 0"));
  Expect(0, "eval good.tflite --inputs batch.npy --labels labels --jobs 3 --report e.json", "of 4");
  const json report = json::parse(Read("e.json"));
  const std::vector<int> predicted = report.at("predicted");
  ASSERT_EQ(predicted.size(), 4U);
  EXPECT_EQ(predicted, std::vector<int>(4, predicted[0]));
  EXPECT_EQ(report.at("right"), predicted[0] == 0 ? 2 : 1);
  // Each thread simulates a machine of its own.
  Expect(0,
         "eval good.tflite --inputs batch.npy --labels labels --jobs 2 --backend rtl --report "
         "rtl.json",
         "of 4");
  const json rtl = json::parse(Read("rtl.json"));
  EXPECT_EQ(rtl.at("predicted"), report.at("predicted"));
  Expect(0, "eval good.tflite --inputs batch.npy --labels labels --backend rtl --report one.json",
         "of 4");
  EXPECT_EQ(json::parse(Read("one.json")).at("cycles"), rtl.at("cycles"));
}

// A .npy file of float32.
std::string Npy(const std::string& shape, std::string_view values) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }";
  header.resize(117, ' ');
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" + std::string(values);
}

constexpr const char* kEvalFloats = "eval '" TPU_SOURCE_DIR
                                    "/models/float_vectors/fully_connected.tflite' --config "
                                    "N16-bf16 --inputs floats.npy --labels labels --report ";

TEST_F(Command, EvalRunsModelsOfFloat32) {
  std::string values;
  for (int i = 0; i < 2 * 5 * 70; ++i) {
    const auto bytes = std::bit_cast<std::array<char, 4>>(static_cast<float>(i * i % 13) - 6.0F);
    values.append(bytes.data(), bytes.size());
  }
  Write("floats.npy", Npy("(2, 5, 70)", values));
  Write("labels", std::string("0 1"));
  const std::string eval = kEvalFloats;
  Expect(0, eval + "golden.json", "of 2");
  Expect(0, eval + "rtl.json --backend rtl", "of 2");
  const json golden = json::parse(Read("golden.json")).at("predicted");
  EXPECT_EQ(json::parse(Read("rtl.json")).at("predicted"), golden);
  EXPECT_NE(golden.at(0), golden.at(1));
}

// The reference is TensorFlow Lite Micro, which computes in float32.
TEST_F(Command, EvalComparesWithAReference) {
  const std::string data = ReadText(TPU_SOURCE_DIR "/models/float_vectors/fully_connected.data");
  constexpr std::size_t kInput = std::size_t{4} * 5 * 70;
  constexpr std::size_t kOutput = std::size_t{4} * 5 * 33;
  ASSERT_EQ(data.size(), kInput + kOutput);
  Write("floats.npy", Npy("(1, 5, 70)", data.substr(0, kInput)));
  Write("outputs.npy", Npy("(1, 5, 33)", data.substr(kInput)));
  Write("zeros.npy", Npy("(1, 5, 33)", std::string(kOutput, '\0')));
  Write("two.npy", Npy("(2, 5, 33)", data.substr(kInput) + data.substr(kInput)));
  Write("labels", std::string("0"));
  const std::string eval = kEvalFloats;
  Expect(0, eval + "e.json --expected outputs.npy", "the same class for 1");
  const json near = json::parse(Read("e.json")).at("reference");
  EXPECT_EQ(near.at("agree"), 1);
  EXPECT_GT(near.at("largest_difference"), near.at("mean_difference"));
  EXPECT_GT(near.at("mean_difference"), 0.0);
  Expect(0, eval + "e.json --expected zeros.npy", "outputs differ");
  const json far = json::parse(Read("e.json")).at("reference");
  EXPECT_GT(far.at("mean_difference"), 20 * double{near.at("mean_difference")});
  EXPECT_GT(far.at("largest_difference"), 20 * double{near.at("largest_difference")});
  Expect(2, eval + "e.json --expected two.npy 2>&1 >/dev/null", "2 outputs for 1 inputs");
}

TEST_F(Command, IntermediatesNameTheFirstOperatorThatDiffers) {
  const std::filesystem::path folder = models_test::ModelsFolder().value_or("");
  const std::filesystem::path model = folder / "kws_dscnn" / "kws_dscnn";
  const std::string manifest = model.string() + "_intermediates_crc32.json";
  if (!std::filesystem::exists(manifest)) GTEST_SKIP() << manifest << " is not there";
  const std::string run = "run " + model.string() + ".tflite --backend golden --input " +
                          model.string() + "_input0.npy --expect " + model.string() +
                          "_output0.npy --check-intermediates ";
  Expect(0, run + manifest, "operators compute what");
  Expect(1, run + manifest + " --case 1", "operator 0 (");
}

}  // namespace
}  // namespace tpu::tools
