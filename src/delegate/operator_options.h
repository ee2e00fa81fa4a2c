// SPDX-License-Identifier: Apache-2.0
// The parameters of LiteRT's operators as those of model files.
#pragma once

#include "frontends/tflite/schema_generated.h"

namespace tpu::delegate {

/// `parameters` is the node's builtin_data. Holds nothing for operators without parameters, or
/// whose parameters say nothing. Throws tpu::Error where parameters are missing.
tflite::schema::BuiltinOptionsUnion OptionsOf(tflite::schema::BuiltinOperator code,
                                              const void* parameters);

}  // namespace tpu::delegate
