// Sign extension of Verilated code as the compiler knows it, included ahead of each file of a fast
// model.
//
// Verilator's own, -(x & sign) | x, is a mystery to compilers: they neither take x from memory with
// its sign nor compute several at once with vector instructions.
#pragma once

#include <verilated.h>

inline IData TpuSignExtend32(int bits, IData value) {
  return static_cast<IData>(static_cast<int32_t>(value << (32 - bits)) >> (32 - bits));
}
inline QData TpuSignExtend64(int bits, QData value) {
  return static_cast<QData>(static_cast<int64_t>(value << (64 - bits)) >> (64 - bits));
}

// Macros, because the generated code calls the library's functions by name.
#define VL_EXTENDS_II(out_bits, bits, value) TpuSignExtend32(bits, value)
#define VL_EXTENDS_QI(out_bits, bits, value) TpuSignExtend64(bits, value)
#define VL_EXTENDS_QQ(out_bits, bits, value) TpuSignExtend64(bits, value)
