// SPDX-License-Identifier: Apache-2.0
// A line that says that something long is still going on.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tpu::tools {

/// Writes to standard error: on a terminal one line that is rewritten and erased at the end,
/// otherwise a line every few seconds. Silent for anything that takes less than a second.
class StatusLine {
 public:
  StatusLine();
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
  ~StatusLine();

  /// Whether it is time for another text.
  [[nodiscard]] bool Due() const;
  void Show(const std::string& text);
  /// Makes room for other output on a terminal.
  void Erase();
  /// Since the beginning.
  [[nodiscard]] double Seconds() const;

 private:
  using Clock = std::chrono::steady_clock;
  bool terminal_;
  bool shown_ = false;
  Clock::time_point start_;
  Clock::time_point last_;
};

/// A status line about bytes that go to a board.
class TransferLine {
 public:
  explicit TransferLine(std::string label);

  /// The board has `done` of `all` bytes.
  void Update(std::uint64_t done, std::uint64_t all);

 private:
  std::string label_;
  StatusLine line_;
};

/// A status line about simulated cycles.
class ProgressLine {
 public:
  explicit ProgressLine(std::string label);

  /// `cycles` simulated since the beginning.
  void Update(std::uint64_t cycles);

 private:
  std::string label_;
  StatusLine line_;
};

}  // namespace tpu::tools
