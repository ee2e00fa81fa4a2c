// SPDX-License-Identifier: Apache-2.0
// The library's exceptions, with formatted messages.
#pragma once

#include <fmt/core.h>

#include <utility>

#include "tpu/error.h"

namespace tpu {

template <typename... Args>
struct FormatString {
  using Type = fmt::format_string<Args...>;
};

template <typename... Args>
Error Error::Format(typename FormatString<Args...>::Type format, Args&&... args) {
  return Error(fmt::format(format, std::forward<Args>(args)...));
}

template <typename... Args>
InternalError::InternalError(typename FormatString<Args...>::Type format, Args&&... args)
    : std::logic_error(
          fmt::format("internal error: {}. This is a mistake of the software, not of its input: "
                      "please report it, with the command and the files",
                      fmt::format(format, std::forward<Args>(args)...))) {}

}  // namespace tpu
