// SPDX-License-Identifier: Apache-2.0
// What lowering emits, taken apart: for tests that know each instruction of a small job.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "compiler/lower/lower_operator.h"
#include "compiler/place/layout.h"
#include "compiler/program/emitter.h"
#include "ir/graph.h"

namespace tpu::compiler {

/// A machine small enough for results by hand: rows of four bytes, 1024 accumulator rows in each
/// half, a bus of 16 bytes.
inline isa::HardwareConfig FourLanes() { return {.n = 4}; }

/// An emitter whose constants lie behind all of the tests' tensors.
inline constexpr std::uint64_t kFirstConstant = 0x100000;
inline Emitter MakeEmitter(const isa::HardwareConfig& config = FourLanes(), bool tries = false) {
  Emitter emitter(config, tries);
  emitter.AllocateMemory(kFirstConstant);
  emitter.BeginLayer({.name = "layer"});
  return emitter;
}

class Lowered {
 public:
  explicit Lowered(Emitter& emitter) : network_(emitter.Take()) {
    for (const auto& step : network_.steps) {
      const auto* program = std::get_if<SequentialProgram>(&step);
      if (program != nullptr) program_.insert(program_.end(), program->begin(), program->end());
    }
  }

  [[nodiscard]] const SequentialNetwork& Network() const { return network_; }
  /// All instructions, in order.
  [[nodiscard]] const SequentialProgram& Program() const { return program_; }

  /// As in "load matmul store".
  [[nodiscard]] std::string Kinds() const {
    std::string kinds;
    for (const SequentialInstruction& instruction : program_) {
      if (!kinds.empty()) kinds += ' ';
      kinds += isa::Mnemonic(isa::OpcodeOf(instruction.instruction));
    }
    return kinds;
  }
  /// The instructions of one kind, in order.
  template <typename Instruction>
  [[nodiscard]] std::vector<Instruction> All() const {
    std::vector<Instruction> all;
    for (const SequentialInstruction& instruction : program_) {
      if (const auto* one = std::get_if<Instruction>(&instruction.instruction)) all.push_back(*one);
    }
    return all;
  }
  /// Instruction number `index` of that kind.
  template <typename Instruction>
  [[nodiscard]] Instruction At(std::size_t index) const {
    return All<Instruction>().at(index);
  }
  /// Constant number `index`, in the order in which lowering adds constants.
  [[nodiscard]] const executable::Segment& Constant(std::size_t index) const {
    return network_.constants.at(index);
  }
  /// The bias of lane `lane` of a constant that holds parameter entries, counted from its first
  /// entry's first lane.
  [[nodiscard]] std::int32_t BiasOf(std::size_t constant, std::size_t lane) const {
    return Word(constant, lane, 0);
  }
  [[nodiscard]] std::int32_t MultiplierOf(std::size_t constant, std::size_t lane) const {
    return Word(constant, lane, 1);
  }

 private:
  // An entry has N biases, then N multipliers, each of four bytes, then N shifts.
  [[nodiscard]] std::int32_t Word(std::size_t constant, std::size_t lane, std::size_t field) const {
    const std::size_t n = network_.config.n;
    const std::size_t first =
        lane / n * network_.config.ParamEntryBytes() + (field * n + lane % n) * 4;
    std::uint32_t word = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      word |= std::uint32_t{Constant(constant).bytes.at(first + i)} << (8 * i);
    }
    return static_cast<std::int32_t>(word);
  }

  SequentialNetwork network_;
  SequentialProgram program_;
};

/// A graph whose tensors lie in memory, tensor number i at TensorAddress(i).
class PlacedGraph {
 public:
  static std::uint64_t TensorAddress(ir::TensorId id) { return std::uint64_t{0x1000} * (id + 1); }

  ir::TensorId Add(ir::Tensor tensor) {
    const ir::TensorId id = graph_.AddTensor(std::move(tensor));
    placements_.push_back({.address = TensorAddress(id),
                           .images = ImagesOf(graph_.tensors[id]),
                           .format = {graph_.tensors[id].type}});
    return id;
  }
  ir::Operator& Append(std::string name, ir::Attributes attributes,
                       std::vector<ir::TensorId> inputs, ir::TensorId output) {
    graph_.operators.push_back({.name = std::move(name),
                                .inputs = std::move(inputs),
                                .outputs = {output},
                                .attributes = std::move(attributes)});
    return graph_.operators.back();
  }

  ir::Graph& graph() { return graph_; }
  std::vector<Placement>& placements() { return placements_; }

  /// The operator's context; the graph must outlive the context.
  [[nodiscard]] OperatorContext Context(std::size_t op = 0,
                                        Rounding rounding = Rounding::kDouble) const {
    return {.graph = graph_,
            .op = graph_.operators.at(op),
            .placements = placements_,
            .rounding = rounding};
  }
  /// The first operator by itself.
  [[nodiscard]] Lowered Lower(Rounding rounding = Rounding::kDouble) const {
    return Lower(FourLanes(), rounding);
  }
  [[nodiscard]] Lowered Lower(const isa::HardwareConfig& config,
                              Rounding rounding = Rounding::kDouble) const {
    Emitter emitter = MakeEmitter(config);
    LowerOperator(Context(0, rounding), emitter);
    return Lowered(emitter);
  }

 private:
  ir::Graph graph_;
  std::vector<Placement> placements_;
};

/// Expects an error whose text contains `part`.
template <typename Run>
void ExpectError(Run run, const std::string& part) {
  try {
    run();
    ADD_FAILURE() << "no error";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

}  // namespace tpu::compiler
