// The project's exceptions: one for what the caller got wrong, one for what the project got wrong.
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

/// A mistake of this software, whatever it was given. Programs exit with a status of its own.
class InternalError : public std::logic_error {
 public:
  /// The message says what happened; the rest asks for a report.
  template <typename... Args>
  explicit InternalError(fmt::format_string<Args...> format, Args&&... args)
      : std::logic_error(
            fmt::format("internal error: {}. This is a mistake of the software, not of its input: "
                        "please report it, with the command and the files",
                        fmt::format(format, std::forward<Args>(args)...))) {}
};

}  // namespace tpu
