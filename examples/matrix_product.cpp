// SPDX-License-Identifier: Apache-2.0
// The product of two 16 x 16 matrices, written in the machine's instructions (docs/isa.md says what
// each of them does).
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <span>
#include <vector>

#include "tpu/device.h"
#include "tpu/program.h"
#include "tpu/session.h"

namespace {

constexpr std::size_t kN = 16;

// Memory: the left matrix at 0, the right one at 256, an entry of 144 zero bytes (no bias) at 512,
// the product at 768.
constexpr std::size_t kRight = 256;
constexpr std::size_t kProduct = 768;
constexpr std::size_t kMemoryBytes = 1024;

// Semaphores order the units: each `wait` stands after the `post` that it needs.
constexpr const char* kProgram = R"(
load dram_addr=0 row_bytes=256 pixel_bytes=16 pixel_stride=1 row=0 post=0
load destination=param dram_addr=512 row_bytes=144 row=0 post=1
weights dram_addr=256 tiles=1
matmul ub_addr=0 n_ow=16 s_ow=16 y_bound=1 x_bound=16 acc_row=0 wait=0 post=8
vector source=acc n_ow=16 y_bound=1 x_bound=1 a_row=0 a_ow=1 o_row=16 o_ow=1 lo=-128 hi=127 wait=1,8 post=9
store dram_addr=768 row_bytes=256 pixel_bytes=16 pixel_stride=1 row=16 wait=9
)";

int Run() {
  const tpu::HardwareConfig machine;  // N = 16.
  const tpu::Program program =
      tpu::Program::Assemble(kProgram, "matrix_product", machine, kMemoryBytes);
  const std::unique_ptr<tpu::Device> device = tpu::MakeDevice("golden", machine);
  tpu::Session session(*device, program);

  std::vector<std::int8_t> memory(kMemoryBytes);
  for (std::size_t i = 0; i < kN * kN; ++i) {
    memory[i] = static_cast<std::int8_t>(static_cast<int>(i % 5) - 2);
    memory[kRight + i] = static_cast<std::int8_t>(static_cast<int>(i % 7) - 3);
  }
  session.SetInput<std::int8_t>("memory", memory);
  session.Run();
  const std::vector<std::int8_t> result = session.Output<std::int8_t>("memory");

  for (std::size_t row = 0; row < kN; ++row) {
    for (std::size_t column = 0; column < kN; ++column) {
      int sum = 0;
      for (std::size_t k = 0; k < kN; ++k)
        sum += memory[row * kN + k] * memory[kRight + k * kN + column];
      const int found = result[kProduct + row * kN + column];
      if (found == sum) continue;
      std::cerr << "row " << row << ", column " << column << ": " << found << ", expected " << sum
                << "\n";
      return 1;
    }
  }
  std::cout << "all " << kN * kN << " elements of the product are right\n";
  return 0;
}

}  // namespace

int main() {
  try {
    return Run();
  } catch (const std::exception& error) {
    std::cerr << "matrix_product: " << error.what() << "\n";
    return 2;
  }
}
