// SPDX-License-Identifier: Apache-2.0
// The effect of each instruction on the state, from start to completion. The functions throw Fault;
// the state then holds everything that was written before the fault.
#pragma once

#include <cstdint>
#include <span>

#include "golden/state.h"
#include "isa/instruction.h"

namespace tpu::golden {

void Execute(const isa::Load& load, State& state);
void Execute(const isa::Store& store, State& state);
void Execute(const isa::Weights& weights, State& state);
void Execute(const isa::UbWeights& weights, State& state);
void Execute(const isa::Matmul& matmul, State& state);
void Execute(const isa::Vector& vector, State& state);
void Execute(const isa::Fvector& vector, State& state);
void Execute(const isa::Adam& adam, State& state);
void Execute(const isa::Ivector& vector, State& state);

/// Copies from memory. Throws Fault with ADDR_RANGE beyond the AXI address width, BUS_READ where
/// there is no memory.
void ReadMemory(const State& state, std::uint64_t address, std::span<std::uint8_t> bytes);
/// Copies to memory. Throws Fault with ADDR_RANGE or BUS_WRITE.
void WriteMemory(State& state, std::uint64_t address, std::span<const std::uint8_t> bytes);

}  // namespace tpu::golden
