// SPDX-License-Identifier: Apache-2.0
// The Verilog headers and tables in the tree are what tpu_gen makes of the .def files today.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace tpu {
namespace {

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(GeneratedFiles, AreCurrent) {
  const std::filesystem::path root =
      std::filesystem::path(::testing::TempDir()) / "tpu_generated_files_test";
  const std::string command = std::string(TPU_GEN) + " '" + root.string() + "'";
  ASSERT_EQ(std::system(command.c_str()), 0) << command;
  for (const char* file :
       {"rtl/include/tpu_isa.vh", "rtl/include/tpu_regs.vh", "rtl/include/tpu_link.vh",
        "docs/isa_tables.md", "docs/registers_tables.md", "docs/link_tables.md",
        "docs/onnx_operators.md", "docs/operators.md"}) {
    EXPECT_EQ(ReadFile(root / file), ReadFile(std::filesystem::path(TPU_SOURCE_DIR) / file))
        << file << " is stale: run `make generate`";
  }
  std::filesystem::remove_all(root);
}

}  // namespace
}  // namespace tpu
