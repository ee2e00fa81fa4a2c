// SPDX-License-Identifier: Apache-2.0
// Everything a user can get wrong ends with status 2 and one line that says what it was.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/tools/command_tester.h"

namespace tpu::tools {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

struct BadUsage {
  const char* name;
  const char* arguments;
  const char* message;
};

class BadUsageTest : public CommandTester, public testing::WithParamInterface<BadUsage> {
 protected:
  void SetUp() override {
    CommandTester::SetUp();
    const std::string model = Read("good.tflite");
    const std::string program = Read("good.tpu");
    const std::string input = Read("in.npy");
    Write("empty", std::string());
    Write("bench_suite", std::string("matmul:1x1x1\n"));
    Write("n8.json", std::string("{\"machine\": \"N8-small\", \"suites\": {}}\n"));
    Write("text", std::string("not a model at all\n"));
    Write("short.tflite", model.substr(0, model.size() / 2));
    Write("magic.tflite", model.substr(0, 4) + "XXXX" + model.substr(8));
    Write("short.tpu", program.substr(0, program.size() - 1));
    Write("damaged.tpu", program.substr(0, program.size() - 1) + "?");
    Write("old.tpu", "TPUX" + std::string(16, '\2'));
    Write("short.npy", input.substr(0, input.size() - 5));
    Write("shape.npy", WithHeader("'|i1'", "(1, 4, 8)"));
    Write("type.npy", WithHeader("'|u1'", "(1, 4, 4, 2)"));
    Write("syntax.s", std::string("load rows=1\nstore bogus=2\n"));
    Write("wait.s", std::string("load wait=3 row_bytes=16 rows=1 pixel_bytes=16\n"));
    Write("range.s", std::string("load row=65535 row_bytes=16 rows=1 pixel_bytes=16\n"));
    Write("suite", std::string("matmul:8x8x8\nmatmul:8x8\n"));
    Write("one_label", std::string("1 2\n"));
    Write("word_label", std::string("cat\n"));
    Write("batch.npy", WithHeader("'|i1'", "(1, 4, 4, 2)"));
    Write("manifest.json", std::string("{\"cases\": 3}"));
  }

  /// A .npy file of 32 bytes.
  static std::string WithHeader(const std::string& type, const std::string& shape) {
    std::string header =
        "{'descr': " + type + ", 'fortran_order': False, 'shape': " + shape + ", }";
    header.resize(117, ' ');
    return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" + std::string(32, '\0');
  }
};

TEST_P(BadUsageTest, IsOneLineAndStatusTwo) {
  const Outcome outcome = Tpu(GetParam().arguments);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.output, StartsWith("tpu: "));
  EXPECT_THAT(outcome.output, HasSubstr(GetParam().message));
  EXPECT_EQ(std::ranges::count(outcome.output, '\n'), 1) << outcome.output;
}

constexpr BadUsage kCases[] = {
    {"no_subcommand", "", "subcommand"},
    {"unknown_subcommand", "fly", "subcommand"},
    {"unknown_option", "run good.tflite --fast", "--fast"},
    {"no_model", "run", "MODEL"},
    {"missing_file", "run none.tflite", "none.tflite: cannot be read: No such file"},
    {"folder", "run .", ".: is a folder"},
    {"empty_file", "run empty", "empty: "},
    {"text_file", "inspect text", "text: "},
    {"truncated_model", "run short.tflite", "short.tflite: "},
    {"model_magic", "compile magic.tflite -o x.tpu", "magic.tflite: "},
    {"truncated_program", "run short.tpu",
     "short.tpu: the checksum does not match: the file is damaged or cut off; compile it again"},
    {"damaged_program", "disasm damaged.tpu", "damaged.tpu: the checksum"},
    {"old_program", "run old.tpu",
     "old.tpu: written by an older version of this program; compile it again"},
    {"disasm_of_model", "disasm good.tflite", "good.tflite: not a .tpu file"},
    {"unknown_config", "run good.tflite --config N17", "--config N17: no such machine"},
    {"rtl_with_bf16", "run good.tflite --config N8-small-bf16",
     "no device rtl has the parameters N = 8"},
    {"unknown_backend", "run good.tflite --backend board", "board"},
    {"unknown_rounding", "run good.tflite --rounding up", "up"},
    {"strict", "run good.tflite --strict", "good.tflite: op3 (SOFTMAX): runs on the host"},
    {"missing_input", "run good.tflite --input none.npy", "none.npy: "},
    {"truncated_input", "run good.tflite --input short.npy", "short.npy: "},
    {"input_is_text", "run good.tflite --input text", "text: "},
    {"input_shape", "run good.tflite --input shape.npy",
     "shape.npy: has shape 1x4x8, tensor t0 takes 1x4x4x2"},
    {"input_type", "run good.tflite --input type.npy",
     "type.npy: has type uint8, tensor t0 takes int8"},
    {"two_outputs", "run good.tflite --output a.npy --output b.npy", "--output: given 2 times"},
    {"expected_shape", "run good.tflite --backend golden --expect in.npy", "tensor t8 takes 1x3"},
    {"full_output", "run good.tflite --backend golden --output /dev/full 2>&1 >/dev/null",
     "/dev/full: "},
    {"no_output_folder", "run good.tflite --backend golden --output no/y.npy 2>&1 >/dev/null",
     "no/y.npy: "},
    {"full_report", "run good.tflite --backend golden --report /dev/full 2>&1 >/dev/null",
     "/dev/full: cannot be written: No space left"},
    {"full_program", "compile good.tflite -o /dev/full", "/dev/full: cannot be written"},
    {"full_standard_output", "info 2>&1 >/dev/full", "standard output cannot be written"},
    {"asm_syntax", "asm syntax.s -o x.tpu", "syntax.s:2:7: "},
    {"asm_wait", "asm wait.s -o x.tpu", "wait.s: instruction 0 (load)"},
    {"asm_range", "asm range.s -o x.tpu", "range.s: instruction 0 (load)"},
    {"asm_memory", "asm wait.s -o x.tpu --memory 0", "--memory"},
    {"workload", "bench conv:8x8x3:k3", "workload conv:8x8x3:k3: should look like"},
    {"float32_without_bf16", "bench matmul:1x1x1:float32 2>&1 >/dev/null", "bf16"},
    {"missing_suite", "bench none", "none: cannot be read"},
    {"suite_line", "bench suite", "suite:2: workload matmul:8x8: "},
    {"bench_model", "bench model:none.tflite 2>&1 >/dev/null", "none.tflite: cannot be read"},
    {"ledger_of_none", "bench matmul:1x1x1 --ledger l.json", "--ledger: holds suites"},
    {"no_ledger", "bench bench_suite --ledger suite", "suite: is no ledger of cycles: "},
    {"no_targets", "bench bench_suite --targets suite", "suite: is no list of targets: "},
    {"other_ledger", "bench bench_suite --ledger n8.json",
     "n8.json: holds cycles of machine N8-small"},
    {"labels_count", "eval good.tflite --inputs batch.npy --labels one_label",
     "one_label: 2 labels for 1 inputs"},
    {"labels_words", "eval good.tflite --inputs batch.npy --labels word_label",
     "word_label: label 0: \"cat\" is not a number"},
    {"eval_shape", "eval good.tflite --inputs shape.npy --labels one_label",
     "shape.npy: has shape 1x4x8, wanted is the number of inputs and 4x4x2"},
    {"eval_jobs", "eval good.tflite --inputs batch.npy --labels one_label --jobs 0", "--jobs"},
    {"manifest",
     "run good.tflite --backend golden --check-intermediates manifest.json 2>&1 >/dev/null",
     "manifest.json: case 0: "},
    {"wave_of_golden", "run good.tflite --backend golden --wave w.fst",
     "--wave: the device golden has no signals; these have: rtl"},
    {"timeline_of_golden", "run good.tflite --backend golden --timeline t.json",
     "--timeline: the device golden has no trace of instructions; these have: rtl"},
    {"html_of_golden", "run good.tflite --backend golden --html r.html", "--html: "},
    {"wave_of_n8", "run good.tflite --config N8-small --wave w.fst",
     "w.fst: machine N8-small is not built with waveforms"},
};

INSTANTIATE_TEST_SUITE_P(All, BadUsageTest, testing::ValuesIn(kCases),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace tpu::tools
