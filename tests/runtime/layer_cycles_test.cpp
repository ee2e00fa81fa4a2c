#include "runtime/layer_cycles.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace tpu::runtime {
namespace {

using testing::ElementsAre;

UnitTrace& Of(ProgramTrace& trace, isa::Unit unit) {
  return trace.units.at(static_cast<std::size_t>(unit));
}

TEST(LayerCycles, OverlappingLayersShareTheRun) {
  const std::vector<isa::Instruction> program = {isa::Load(), isa::Matmul(), isa::Load(),
                                                 isa::Matmul(), isa::Store()};
  const std::vector<std::uint32_t> layers = {0, 0, 1, 1, 1};
  ProgramTrace trace;
  Of(trace, isa::Unit::kLoad).completed = {20, 40};  // The second layer's load is early.
  Of(trace, isa::Unit::kMatmul).completed = {70, 90};
  Of(trace, isa::Unit::kStore).completed = {120};
  trace.cycles = 125;
  EXPECT_THAT(LayerCycles(program, layers, 2, trace), ElementsAre(70, 55));
}

TEST(LayerCycles, WhatEndsBeforeItsPredecessorCostsNothing) {
  const std::vector<isa::Instruction> program = {isa::Matmul(), isa::Store(), isa::Load()};
  const std::vector<std::uint32_t> layers = {0, 3, 1};
  ProgramTrace trace;
  Of(trace, isa::Unit::kMatmul).completed = {50};
  Of(trace, isa::Unit::kStore).completed = {80};
  Of(trace, isa::Unit::kLoad).completed = {30};
  trace.cycles = 81;
  // Layer 2 has no instructions.
  EXPECT_THAT(LayerCycles(program, layers, 4, trace), ElementsAre(50, 0, 0, 31));
}

TEST(LayerCycles, IncompleteTraceIsRefused) {
  ProgramTrace trace;
  EXPECT_THROW(LayerCycles(std::vector<isa::Instruction>{isa::Load()},
                           std::vector<std::uint32_t>{0}, 1, trace),
               Error);
}

}  // namespace
}  // namespace tpu::runtime
