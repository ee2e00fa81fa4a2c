// SPDX-License-Identifier: Apache-2.0
// Ending at the user's wish, but not in the middle of something.
#pragma once

#include <csignal>

namespace tpu::tools {

/// Holds SIGINT and SIGTERM back for as long as this lives, so that the program can look for them
/// when it suits. Only the first one: after it has been seen, another one ends the program as
/// usual.
class Interrupt {
 public:
  Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  ~Interrupt();

  /// Whether one of them has come.
  bool Requested();

 private:
  void LetThrough();

  sigset_t signals_{};
  sigset_t before_{};
  bool held_ = true;
};

}  // namespace tpu::tools
