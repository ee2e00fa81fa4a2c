// SPDX-License-Identifier: Apache-2.0
// A MATMUL with random fields.
#pragma once

#include <cstdint>

#include "isa/element_format.h"
#include "isa/instruction.h"
#include "machine_tester.h"

namespace tpu::golden {

/// Small loops in both formats. Addresses count numbers, of which a buffer holds half as many in
/// bf16; some lie outside.
inline isa::Matmul RandomMatmul(MachineTester& t, isa::NumberFormat format) {
  const bool bf16 = format == isa::NumberFormat::kBfloat16;
  const auto small = [&t] { return t.Random<std::uint32_t>(1, 3); };
  const auto stride = [&t, bf16] {
    return bf16 ? t.Random<std::int32_t>(-15, 30) : t.Random<std::int32_t>(-20, 40);
  };
  isa::Matmul m;
  m.format = format;
  m.accumulate = t.Random<std::uint32_t>(0, 1);
  if (!bf16) m.zero_point = t.Random<std::int32_t>(-128, 127);
  m.ub_addr = bf16 ? t.Random<std::int32_t>(-5, 400) : t.Random<std::int32_t>(-10, 800);
  m.n_ob = small();
  m.n_cb = small();
  m.n_kh = small();
  m.n_kw = small();
  m.n_oh = small();
  m.n_ow = small();
  m.y0 = t.Random<std::int32_t>(-2, 1);
  m.x0 = t.Random<std::int32_t>(-12, 4);
  m.y_bound = t.Random<std::uint32_t>(0, 8);
  m.x_bound = t.Random<std::uint32_t>(0, 40);
  m.acc_row = t.Random<std::uint32_t>(0, 45);
  m.acc_ob_stride = t.Random<std::uint32_t>(0, 10);
  m.xs_kw = t.Random<std::uint32_t>(0, 12);
  m.xs_ow = t.Random<std::uint32_t>(0, 12);
  m.s_cb = stride();
  m.ys_kh = t.Random<std::uint32_t>(0, 2);
  m.s_kh = stride();
  m.ys_oh = t.Random<std::uint32_t>(0, 2);
  m.s_kw = stride();
  m.s_oh = stride();
  m.s_ow = stride();
  return m;
}

}  // namespace tpu::golden
