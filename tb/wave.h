// SPDX-License-Identifier: Apache-2.0
// Waveforms of Verilated models: recorded when the model was built with tracing and TPU_WAVE names
// the files.
#pragma once

#include <fmt/core.h>
#include <verilated.h>
#include <verilated_fst_c.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"

namespace tpu::tb {

/// Where the next model of this process records to: TPU_WAVE with -1.fst, -2.fst ... appended, the
/// first that does not exist, or empty when the variable is not set.
inline std::string NextWaveFile() {
  const char* prefix = std::getenv("TPU_WAVE");
  if (prefix == nullptr || *prefix == '\0') return {};
  for (int n = 1;; ++n) {
    std::string file = fmt::format("{}-{}.fst", prefix, n);
    if (!std::filesystem::exists(file)) return file;
  }
}

/// Records one model, if it can be and a file is named; otherwise does nothing at no cost.
template <typename Model>
class Wave {
 public:
  /// Whether the model was built with tracing.
  static constexpr bool kTraced = requires(Model & model, VerilatedFstC* fst) {
    model.trace(fst, 99);
  };

  /// To be made before the model's first eval(). Throws tpu::Error when `file` cannot be written.
  Wave(VerilatedContext& context, Model& model, const std::string& file) {
    if constexpr (kTraced) {
      if (file.empty()) return;
      context.traceEverOn(true);
      fst_ = std::make_unique<VerilatedFstC>();
      model.trace(fst_.get(), 99);
      fst_->open(file.c_str());
      if (!fst_->isOpen()) throw Error::Format("{}: cannot be written", file);
    }
  }
  Wave(const Wave&) = delete;
  Wave& operator=(const Wave&) = delete;
  ~Wave() {
    if (fst_) fst_->close();
  }

  /// Writes the signals' values as they are; to be called after each eval() that ends a half cycle.
  void Dump(std::uint64_t time) {
    if constexpr (kTraced) {
      if (fst_) fst_->dump(time);
    }
  }

 private:
  std::unique_ptr<VerilatedFstC> fst_;
};

}  // namespace tpu::tb
