// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "fuzz_models.h"

// The name is libFuzzer's.
// NOLINTNEXTLINE(readability-identifier-naming)
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  tpu::fuzz::CompileModel({data, size});
  return 0;
}
