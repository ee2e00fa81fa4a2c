// SPDX-License-Identifier: Apache-2.0
// Files that a fuzzer found to go new ways through the importer and the compiler, among them those
// that once went wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "fuzz_models.h"

namespace tpu::fuzz {
namespace {

TEST(Corpus, EndsInProgramsOrErrors) {
  const std::filesystem::path folder = TPU_SOURCE_DIR "/tests/fuzz/corpus";
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  ASSERT_FALSE(paths.empty()) << folder;
  for (const std::filesystem::path& path : paths) {
    SCOPED_TRACE(path.string());
    std::ifstream file(path, std::ios::binary);
    const std::vector<char> text(std::istreambuf_iterator<char>(file), {});
    const std::vector<std::uint8_t> bytes(text.begin(), text.end());
    EXPECT_NO_THROW(CompileModel(bytes));
  }
}

}  // namespace
}  // namespace tpu::fuzz
