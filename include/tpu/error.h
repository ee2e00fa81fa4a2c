// SPDX-License-Identifier: Apache-2.0
// The exceptions of the library: one for what the caller got wrong, one for what the library got
// wrong.
#pragma once

#include <stdexcept>
#include <string>

namespace tpu {

/// The type of a format string that is checked against Args. base/error.h, which is not installed,
/// says which type that is.
template <typename... Args>
struct FormatString;

/// Something the caller handed over is wrong: a file, a program, an argument. The message names the
/// thing and what to do, and is fit to print as one line.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;

  /// For the library itself: `throw Error::Format("{}: no such file", path);`
  template <typename... Args>
  static Error Format(typename FormatString<Args...>::Type format, Args&&... args);
};

/// A mistake of the library, whatever it was given. The message asks for a report.
class InternalError : public std::logic_error {
 public:
  /// For the library itself. The message says what happened.
  template <typename... Args>
  explicit InternalError(typename FormatString<Args...>::Type format, Args&&... args);
};

}  // namespace tpu
