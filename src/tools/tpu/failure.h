// SPDX-License-Identifier: Apache-2.0
// The error of a result.
#pragma once

#include "base/error.h"

namespace tpu::tools {

/// A result that is wrong, or a run that fails. Ends the command with kWrongResult; any other
/// tpu::Error, being about what the user handed over, ends it with kBadInput.
class Failure : public Error {
 public:
  using Error::Error;
};

}  // namespace tpu::tools
