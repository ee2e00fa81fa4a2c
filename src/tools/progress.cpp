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

StatusLine::StatusLine()
    : terminal_(isatty(STDERR_FILENO) != 0), start_(Clock::now()), last_(start_) {}

StatusLine::~StatusLine() { Erase(); }

bool StatusLine::Due() const {
  const auto interval = !terminal_ ? Clock::duration(5s) : shown_ ? Clock::duration(200ms) : 1s;
  return Clock::now() - last_ >= interval;
}

void StatusLine::Show(const std::string& text) {
  last_ = Clock::now();
  shown_ = true;
  fmt::print(stderr, "{}{}{}", terminal_ ? "\r\033[K" : "", text, terminal_ ? "" : "\n");
  std::fflush(stderr);
}

void StatusLine::Erase() {
  if (shown_ && terminal_) fmt::print(stderr, "\r\033[K");
}

double StatusLine::Seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

TransferLine::TransferLine(std::string label) : label_(std::move(label)) {}

void TransferLine::Update(std::uint64_t done, std::uint64_t all) {
  if (done == all) line_.Erase();
  if (done == all || !line_.Due()) return;
  constexpr std::uint64_t kWidth = 40;
  const std::uint64_t full = kWidth * done / all;
  line_.Show(fmt::format("{}: [{:=<{}}{:{}}] {} of {} KiB", label_, "", full, "", kWidth - full,
                         done / 1024, all / 1024));
}

ProgressLine::ProgressLine(std::string label) : label_(std::move(label)) {}

void ProgressLine::Update(std::uint64_t cycles) {
  if (!line_.Due()) return;
  const double rate = static_cast<double>(cycles) / line_.Seconds();
  line_.Show(fmt::format("{}: {:.1f} million cycles, {:.0f} thousand per second", label_,
                         static_cast<double>(cycles) * 1e-6, rate * 1e-3));
}

}  // namespace tpu::tools
