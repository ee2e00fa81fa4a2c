// SPDX-License-Identifier: Apache-2.0
#include "tools/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

namespace tpu::tools {
namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;

}  // namespace

ProgressLine::ProgressLine(std::string label)
    : label_(std::move(label)),
      terminal_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      last_(start_) {}

ProgressLine::~ProgressLine() {
  if (shown_ && terminal_) fmt::print(stderr, "\r\033[K");
}

void ProgressLine::Update(std::uint64_t cycles) {
  const Clock::time_point now = Clock::now();
  const auto interval = !terminal_ ? Clock::duration(5s) : shown_ ? Clock::duration(200ms) : 1s;
  if (now - last_ < interval) return;
  last_ = now;
  shown_ = true;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(cycles) / seconds;
  fmt::print(stderr, "{}{}: {:.1f} million cycles, {:.0f} thousand per second{}",
             terminal_ ? "\r\033[K" : "", label_, static_cast<double>(cycles) * 1e-6, rate * 1e-3,
             terminal_ ? "" : "\n");
  std::fflush(stderr);
}

}  // namespace tpu::tools
