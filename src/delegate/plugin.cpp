// SPDX-License-Identifier: Apache-2.0
// What LiteRT looks for in the library of an external delegate.
#include <cstddef>
#include <exception>
#include <memory>

#include "delegate/delegate.h"
#include "delegate/litert_abi.h"
#include "delegate/options.h"
#include "tools/devices.h"

#define TPU_EXPORT extern "C" __attribute__((visibility("default")))

using tpu::delegate::Delegate;
using tpu::delegate::TfLiteDelegate;

/// No delegate, after a report of the error, when the options are wrong.
TPU_EXPORT TfLiteDelegate* tflite_plugin_create_delegate(  // NOLINT(readability-identifier-naming)
    const char* const* keys, const char* const* values, std::size_t count,
    void (*report_error)(const char*)) {
  try {
    // Once in a process.
    static const bool registered = (tpu::tools::RegisterDevices(), true);
    static_cast<void>(registered);
    const auto options = tpu::delegate::ReadOptions({keys, count}, {values, count});
    return std::make_unique<Delegate>(options).release()->handle();
  } catch (const std::exception& error) {
    if (report_error != nullptr) report_error(error.what());
    return nullptr;
  }
}

TPU_EXPORT void tflite_plugin_destroy_delegate(  // NOLINT(readability-identifier-naming)
    TfLiteDelegate* delegate) {
  if (delegate != nullptr) delete &Delegate::Of(delegate);
}
