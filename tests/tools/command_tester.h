// SPDX-License-Identifier: Apache-2.0
// Calls the `tpu` command in a folder of its own.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "executable/executable.h"

namespace tpu::tools {

struct Outcome {
  int status = -1;
  std::string output;  ///< Standard output and error.
};

class CommandTester : public testing::Test {
 protected:
  /// Makes a folder with good.tflite (SampleModel of tests/tflite), good.tpu (the same compiled for
  /// N16) and in.npy (a good input).
  void SetUp() override;
  void TearDown() override;

  /// Runs `tpu` with the words of `arguments`, in the folder.
  [[nodiscard]] Outcome Tpu(const std::string& arguments) const;
  /// The same with a shell's redirections.
  [[nodiscard]] Outcome Shell(const std::string& command) const;

  void Write(const std::string& name, const std::string& text) const;
  void Write(const std::string& name, const std::vector<std::uint8_t>& bytes) const;
  [[nodiscard]] std::string Read(const std::string& name) const;

  /// good.tpu, to be damaged.
  [[nodiscard]] const executable::Executable& executable() const { return executable_; }

 private:
  std::filesystem::path folder_;
  executable::Executable executable_;
};

}  // namespace tpu::tools
