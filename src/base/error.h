// The project's exception type.
#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace tpu {

/// Something the caller handed over is wrong: a file, a program, an argument. The message names the
/// thing and what to do, and is fit to print as one line.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  /// `throw Error::Format("{}: no such file", path);`
  template <typename... Args>
  static Error Format(fmt::format_string<Args...> format, Args&&... args) {
    return Error(fmt::format(format, std::forward<Args>(args)...));
  }
};

}  // namespace tpu
