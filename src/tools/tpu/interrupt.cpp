// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/interrupt.h"

#include <array>

namespace tpu::tools {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM};

}  // namespace

Interrupt::Interrupt() {
  sigemptyset(&signals_);
  for (const int signal : kSignals) sigaddset(&signals_, signal);
  pthread_sigmask(SIG_BLOCK, &signals_, &before_);
}

Interrupt::~Interrupt() { LetThrough(); }

void Interrupt::LetThrough() {
  if (held_) pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  held_ = false;
}

bool Interrupt::Requested() {
  if (!held_) return true;
  sigset_t pending;
  sigpending(&pending);
  for (const int signal : kSignals) {
    if (sigismember(&pending, signal) != 1) continue;
    int taken = 0;
    sigwait(&signals_, &taken);
    LetThrough();
    return true;
  }
  return false;
}

}  // namespace tpu::tools
