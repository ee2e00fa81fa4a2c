// SPDX-License-Identifier: Apache-2.0
// The coverage counters of the Verilated models of a process, when they are compiled in (CMake
// option TPU_COVERAGE). scripts/coverage.py reads the file.
#pragma once

#include <verilated.h>

#ifdef TPU_COVERAGE
#include <verilated_cov.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/error.h"

namespace tpu::tb {

/// The counts of all models of a process: for each point (kind, place, instance) the largest of
/// any model, as a bit that rises in one and falls in another has not toggled. Not for several
/// threads.
class CoverageFile {
 public:
  /// `path` is written when the object is destroyed, in Verilator's format.
  explicit CoverageFile(std::string path) : path_(std::move(path)) {}
  CoverageFile(const CoverageFile&) = delete;
  CoverageFile& operator=(const CoverageFile&) = delete;
  ~CoverageFile() {
    std::ofstream file(path_);
    file << "# SystemC::Coverage-3\n";
    for (const auto& [point, count] : counts_) file << point << ' ' << count << '\n';
  }

  /// Takes the counts of the model of `context`, whose life ends.
  void Add(VerilatedContext& context) {
    // Verilator tells its counts only through files.
    context.coveragep()->forcePerInstance(true);
    context.coveragep()->write(path_.c_str());
    std::ifstream file(path_);
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
      const std::size_t end = line.rfind(' ');
      const std::uint64_t count = std::stoull(line.substr(end));
      line.resize(end);
      std::uint64_t& most = counts_[line];
      most = std::max(most, count);
    }
    if (!file.eof()) throw Error::Format("{}: cannot be read", path_);
  }

 private:
  std::string path_;
  std::unordered_map<std::string, std::uint64_t> counts_;
};

/// To be called before a model is destroyed: adds its counts to the file that the environment
/// variable TPU_COVERAGE names, if it is set.
inline void KeepCoverage(VerilatedContext& context) {
  const char* path = std::getenv("TPU_COVERAGE");
  if (path == nullptr) return;
  static CoverageFile file(path);
  file.Add(context);
}

}  // namespace tpu::tb

#else

namespace tpu::tb {
inline void KeepCoverage(VerilatedContext&) {}
}  // namespace tpu::tb

#endif
