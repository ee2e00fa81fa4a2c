// SPDX-License-Identifier: Apache-2.0
// A compiled network.
#pragma once

#include <memory>
#include <string>

#include "executable/executable.h"

namespace tpu::python {

/// Shared by all that runs it and by all results.
struct Program {
  std::string name;      ///< The model's file, or what the caller called it.
  std::string rounding;  ///< How requantised values are rounded.
  executable::Executable executable;
};
using ProgramPointer = std::shared_ptr<const Program>;

}  // namespace tpu::python
