// SPDX-License-Identifier: Apache-2.0
// Signed arithmetic of Verilated code as the compiler knows it, included ahead of each file of a
// fast model.
//
// Verilator's own sign extension, -(x & sign) | x, and its right shift are mysteries to compilers:
// they neither take x from memory with its sign nor compute several at once with vector
// instructions.
#pragma once

#include <verilated.h>

inline int32_t TpuSigned32(int bits, IData value) {
  return static_cast<int32_t>(value << (32 - bits)) >> (32 - bits);
}
inline int64_t TpuSigned64(int bits, QData value) {
  return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
}
// Of a `bits` wide value, by a distance of `distance_bits`. Bits above the result are the caller's
// to drop.
inline IData TpuShiftRight32(int bits, int distance_bits, IData value, IData distance) {
  if (distance_bits > 5 && distance > 31) distance = 31;
  return static_cast<IData>(TpuSigned32(bits, value) >> distance);
}
inline QData TpuShiftRight64(int bits, int distance_bits, QData value, IData distance) {
  if (distance_bits > 6 && distance > 63) distance = 63;
  return static_cast<QData>(TpuSigned64(bits, value) >> distance);
}

// Whether one of at least eight bytes is not zero.
inline bool AnyByte(const CData* bytes, int count) {
  uint64_t any = 0;
  for (int i = 0; i < count; i += 8) {
    uint64_t eight;
    __builtin_memcpy(&eight, bytes + (i < count - 8 ? i : count - 8), 8);
    any |= eight;
  }
  return any != 0;
}

// Macros, because the generated code calls the library's functions by name.
#define VL_EXTENDS_II(out_bits, bits, value) static_cast<IData>(TpuSigned32(bits, value))
#define VL_EXTENDS_QI(out_bits, bits, value) static_cast<QData>(TpuSigned64(bits, value))
#define VL_EXTENDS_QQ(out_bits, bits, value) static_cast<QData>(TpuSigned64(bits, value))
#define VL_MULS_III(bits, a, b) static_cast<IData>(TpuSigned32(bits, a) * TpuSigned32(bits, b))
#define VL_MULS_QQQ(bits, a, b) static_cast<QData>(TpuSigned64(bits, a) * TpuSigned64(bits, b))
#define VL_SHIFTRS_III(out_bits, bits, distance_bits, value, distance) \
  TpuShiftRight32(bits, distance_bits, value, distance)
#define VL_SHIFTRS_QQI(out_bits, bits, distance_bits, value, distance) \
  TpuShiftRight64(bits, distance_bits, value, distance)
#define VL_GTS_III(bits, a, b) static_cast<IData>(TpuSigned32(bits, a) > TpuSigned32(bits, b))
#define VL_GTES_III(bits, a, b) static_cast<IData>(TpuSigned32(bits, a) >= TpuSigned32(bits, b))
#define VL_LTS_III(bits, a, b) static_cast<IData>(TpuSigned32(bits, a) < TpuSigned32(bits, b))
#define VL_LTES_III(bits, a, b) static_cast<IData>(TpuSigned32(bits, a) <= TpuSigned32(bits, b))
#define VL_GTS_IQQ(bits, a, b) static_cast<IData>(TpuSigned64(bits, a) > TpuSigned64(bits, b))
#define VL_GTES_IQQ(bits, a, b) static_cast<IData>(TpuSigned64(bits, a) >= TpuSigned64(bits, b))
#define VL_LTS_IQQ(bits, a, b) static_cast<IData>(TpuSigned64(bits, a) < TpuSigned64(bits, b))
#define VL_LTES_IQQ(bits, a, b) static_cast<IData>(TpuSigned64(bits, a) <= TpuSigned64(bits, b))
