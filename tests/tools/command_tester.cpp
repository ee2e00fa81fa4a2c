// SPDX-License-Identifier: Apache-2.0
#include "tests/tools/command_tester.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "compiler/compile.h"
#include "executable/executable_file.h"
#include "frontends/tflite/import.h"
#include "frontends/tflite/parse.h"
#include "npy/npy.h"
#include "tests/tflite/model_builder.h"

namespace tpu::tools {

void CommandTester::SetUp() {
  folder_ = std::filesystem::path(testing::TempDir()) / ("tpu_command_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder_);
  const std::vector<std::uint8_t> model = tflite::SampleModel().File();
  executable_ = compiler::Compile(tflite::Import(tflite::Parse(model, "good.tflite")), {});
  Write("good.tflite", model);
  Write("good.tpu", executable::Serialise(executable_));
  std::vector<std::uint8_t> values(32);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint8_t>(i * 29);
  npy::Write(folder_ / "in.npy", {npy::Type::kInt8, {1, 4, 4, 2}, values});
}

void CommandTester::TearDown() { std::filesystem::remove_all(folder_); }

Outcome CommandTester::Tpu(const std::string& arguments) const {
  return Shell(TPU_COMMAND " " + arguments);
}

Outcome CommandTester::Shell(const std::string& command) const {
  const std::string line = "cd '" + folder_.string() + "' && ( " + command + " ) 2>&1";
  Outcome outcome;
  FILE* const pipe = popen(line.c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;) {
    outcome.output.append(buffer.data(), n);
  }
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

void CommandTester::Write(const std::string& name, const std::string& text) const {
  std::ofstream(folder_ / name, std::ios::binary) << text;
}

void CommandTester::Write(const std::string& name, const std::vector<std::uint8_t>& bytes) const {
  Write(name, std::string(bytes.begin(), bytes.end()));
}

std::string CommandTester::Read(const std::string& name) const {
  std::ifstream file(folder_ / name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace tpu::tools
