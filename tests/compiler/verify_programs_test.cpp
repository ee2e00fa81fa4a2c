// SPDX-License-Identifier: Apache-2.0
// What the verifier finds in a program is the compiler's mistake.
#include "compiler/link/verify_programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "isa/encoding.h"

namespace tpu::compiler {
namespace {

using testing::HasSubstr;

// A program behind a host call. The load writes row 0, which the store reads; semaphore 0 orders
// the two when `ordered`.
executable::Executable LoadAndStore(bool ordered) {
  isa::Load load;
  load.row_bytes = 16;
  load.pixel_bytes = 16;
  isa::Store store;
  store.dram_addr = 64;
  store.row_bytes = 16;
  store.pixel_bytes = 16;
  if (ordered) load.semaphores.post = store.semaphores.wait = 1;
  executable::Executable executable;
  executable.layers = {{.name = "op0", .op = "COPY"}};
  executable.layer_of_instruction = {0, 0};
  std::vector<std::uint8_t> bytes;
  isa::Encode(load, bytes);
  isa::Encode(store, bytes);
  const auto granules = static_cast<std::uint32_t>(bytes.size() / isa::kGranuleBytes);
  executable.memory_bytes = 128 + bytes.size();
  executable.segments = {{.address = 128, .bytes = std::move(bytes)}};
  executable.steps = {executable::HostCall(),
                      executable::DeviceProgram{.address = 128, .granules = granules}};
  return executable;
}

TEST(VerifyPrograms, LetsRightProgramsThrough) {
  EXPECT_NO_THROW(VerifyPrograms(LoadAndStore(true)));
}

TEST(VerifyPrograms, ARaceIsAMistakeOfTheCompiler) {
  try {
    VerifyPrograms(LoadAndStore(false));
    FAIL() << "a race went unnoticed";
  } catch (const InternalError& error) {
    EXPECT_THAT(error.what(), HasSubstr("internal error: op0 (COPY) became a wrong program: "));
    EXPECT_THAT(error.what(), HasSubstr("please report"));
  }
}

}  // namespace
}  // namespace tpu::compiler
