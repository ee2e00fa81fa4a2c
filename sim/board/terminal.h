// SPDX-License-Identifier: Apache-2.0
// A pseudo-terminal, at which a program finds a serial line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>

namespace tpu::sim {

class Terminal {
 public:
  /// With `link`, a name that does not change: a symbolic link to the terminal, which another one
  /// of that name gives way to. Throws tpu::Error when the system has no terminal.
  explicit Terminal(std::string link);
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal();

  /// What programs open.
  [[nodiscard]] const std::string& name() const { return link_.empty() ? name_ : link_; }

  /// Bytes that a program has written, at once: maybe none.
  std::size_t Read(std::span<std::uint8_t> bytes);
  /// A byte for whoever reads. It waits while nobody does.
  void Write(std::uint8_t byte);
  /// Waits until there are bytes to read, or for that long.
  void WaitForBytes(int milliseconds);

 private:
  void WriteWaiting();

  std::string link_;
  int file_;
  int program_end_;  // Held open, so that the line stays when a program ends.
  std::string name_;
  std::deque<std::uint8_t> waiting_;
};

}  // namespace tpu::sim
