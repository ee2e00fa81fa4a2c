// SPDX-License-Identifier: Apache-2.0
// The error of the machine's floating-point functions against the host's mathematical library.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tpu::float_error {

struct Function {
  std::string_view name;
  float (*machine)(float);
  double (*quick)(double);
  long double (*exact)(long double);
};

extern const std::array<Function, 6> kFunctions;

/// The largest error seen, and where.
struct Worst {
  double ulp = 0;
  std::uint32_t input = 0;
  /// Inputs whose result is not even of the right kind (NaN, infinity, zero), and the last one.
  std::uint64_t wrong = 0;
  std::uint32_t wrong_input = 0;
};

/// The inputs first, first + step, ... below last. What the quick library finds worse than all
/// before is looked at with the exact one.
void Measure(const Function& f, std::uint64_t first, std::uint64_t last, std::uint64_t step,
             Worst& worst);

}  // namespace tpu::float_error
