// SPDX-License-Identifier: Apache-2.0
// A line that says that something long is still going on.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tpu::tools {

/// Writes to standard error: on a terminal one line that is rewritten and erased at the end,
/// otherwise a line every few seconds. Silent for anything that takes less than a second.
class ProgressLine {
 public:
  explicit ProgressLine(std::string label);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// `cycles` simulated since the beginning.
  void Update(std::uint64_t cycles);

 private:
  using Clock = std::chrono::steady_clock;
  std::string label_;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point start_;
  Clock::time_point last_;
};

}  // namespace tpu::tools
