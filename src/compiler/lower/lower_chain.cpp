// SPDX-License-Identifier: Apache-2.0
// Operations on elements, one after the other on each tile. Between them numbers stay in the
// unified buffer.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "compiler/lower/computed_parameters.h"
#include "compiler/lower/flat_tiles.h"
#include "compiler/lower/lower_float_operators.h"
#include "compiler/lower/lower_operator.h"
#include "compiler/lower/operations.h"
#include "compiler/program/fields.h"
#include "compiler/program/parameters.h"
#include "compiler/tile/axis_parts.h"

namespace tpu::compiler {
namespace {

// An instruction should not keep the vector unit longer.
constexpr std::int64_t kMostPixels = 256;
// Nothing overlaps the first tile's load and the last one's store.
constexpr std::int64_t kFirstPixels = 32;

// Parameters of an FVECTOR: bias + x * factor. An input's factor is computed before.
struct Entry {
  float bias = 0;
  float factor = 0;
  std::optional<std::size_t> input;
};

// What one FVECTOR does: an operation and, where nothing else uses what they take, a factor, an
// addend and a function behind.
struct Instruction {
  isa::Fvector vector;
  std::vector<ir::Chain::Operand> operands;
  std::size_t result = 0;  // Step.
  std::size_t entry = 0;   // Of the chain's parameters.
  bool adds = false;       // The entry has a bias.
};

// The number that a step adds to its only operand.
std::optional<float> AddendOf(const ir::Chain::Step& step) {
  const auto* map = std::get_if<ir::Map>(&step.operation);
  if (map == nullptr || step.operands.size() != 1) return std::nullopt;
  if (map->kind == ir::MapKind::kAdd) return map->constant;
  return map->kind == ir::MapKind::kSub ? std::optional(-map->constant) : std::nullopt;
}

// The number by which a step multiplies its only operand.
std::optional<float> ConstantFactorOf(const ir::Chain::Step& step) {
  const auto* map = std::get_if<ir::Map>(&step.operation);
  const bool multiplies =
      map != nullptr && step.operands.size() == 1 && map->kind == ir::MapKind::kMul;
  return multiplies ? std::optional(map->constant) : std::nullopt;
}

class ChainLowering {
 public:
  ChainLowering(const OperatorContext& context, const ir::Chain& chain, Emitter& emitter)
      : context_(context), chain_(chain), emitter_(emitter), n_(emitter.Lanes()) {
    for (const ir::Chain::Step& step : chain.steps) {
      for (const ir::Chain::Operand& operand : step.operands) {
        if (operand.of_step) ++uses_[operand.index];
      }
    }
    for (const std::size_t result : chain.results) ++uses_[result];
  }

  void Run() {
    Select();
    LoadEntries();
    const std::int64_t elements = context_.Output().Elements();
    RunPart(0, elements / n_, n_);
    if (elements % n_ != 0) RunPart(elements / n_ * n_, 1, elements % n_);
  }

 private:
  static bool IsFactor(const ir::Chain& chain, std::size_t step, std::size_t operand) {
    return operand == 1 && std::holds_alternative<ir::Scale>(chain.steps[step].operation);
  }

  // Steps become instructions.
  void Select() {
    for (std::size_t i = 0; i < chain_.steps.size(); ++i) {
      Instruction instruction = {
          .vector = FloatOperation(ir::Activation::kNone), .operands = {}, .result = i};
      Apply(i, instruction);
      for (std::size_t k = 0; k < chain_.steps[i].operands.size(); ++k) {
        if (!IsFactor(chain_, i, k)) instruction.operands.push_back(chain_.steps[i].operands[k]);
      }
      while (i + 1 < chain_.steps.size() && uses_[instruction.result] == 1 &&
             Follows(i + 1, instruction)) {
        Append(++i, instruction);
        instruction.result = i;
      }
      instructions_.push_back(std::move(instruction));
    }
  }

  // Whether the next step can be a part of the instruction: a factor, then an addend, then a
  // function.
  [[nodiscard]] bool Follows(std::size_t next, const Instruction& instruction) const {
    const ir::Chain::Step& step = chain_.steps[next];
    const ir::Chain::Operand& operand = step.operands[0];
    if (!operand.of_step || operand.index != instruction.result) return false;
    if (step.type != chain_.steps[instruction.result].type &&
        !std::holds_alternative<ir::Convert>(step.operation)) {
      return false;
    }
    const bool ends = instruction.vector.function != isa::FloatFunction::kNone || clamps_;
    if (std::holds_alternative<ir::Scale>(step.operation) || ConstantFactorOf(step)) {
      return instruction.vector.scale == 0 && !ends;
    }
    if (AddendOf(step)) return !instruction.adds && !ends;
    return !ends && (std::holds_alternative<ir::Function>(step.operation) ||
                     std::holds_alternative<ir::Unary>(step.operation));
  }

  // The step behind those that the instruction has.
  void Append(std::size_t index, Instruction& instruction) {
    const ir::Chain::Step& step = chain_.steps[index];
    if (const auto factor = ConstantFactorOf(step)) {
      SetEntry({.bias = -0.0F, .factor = *factor}, instruction);  // Changes no product.
    } else if (const auto addend = AddendOf(step)) {
      if (instruction.vector.scale == 0) SetEntry({.factor = 1}, instruction);
      parameters_[instruction.entry].bias = *addend;
      instruction.adds = true;
    } else {
      Apply(index, instruction);
    }
  }

  void SetEntry(const Entry& entry, Instruction& instruction) {
    instruction.vector.scale = 1;
    instruction.entry = parameters_.size();
    parameters_.push_back(entry);
  }

  void Apply(std::size_t index, Instruction& instruction) {
    const ir::Chain::Step& step = chain_.steps[index];
    isa::Fvector& vector = instruction.vector;
    if (const auto* map = std::get_if<ir::Map>(&step.operation)) {
      clamps_ = false;
      vector.map = MapOf(map->kind);
      vector.constant = std::bit_cast<std::uint32_t>(map->constant);
      if (step.operands.size() == 1) vector.operand = isa::FloatOperand::kConstant;
    } else if (std::holds_alternative<ir::Scale>(step.operation)) {
      clamps_ = false;
      SetEntry({.input = step.operands[1].index}, instruction);
    } else if (std::holds_alternative<ir::Convert>(step.operation)) {
      clamps_ = false;
    } else {
      const auto* function = std::get_if<ir::Function>(&step.operation);
      const isa::Fvector with = FunctionOperation(
          function != nullptr ? ir::FusedFunction(function->kind)
                              : ir::FusedFunction(std::get<ir::Unary>(step.operation).kind));
      vector.function = with.function;
      vector.lo = with.lo;
      vector.hi = with.hi;
      clamps_ = true;
    }
  }

  void LoadEntries() {
    std::vector<LaneParameters> lanes;
    for (const Entry& entry : parameters_) {
      lanes.insert(lanes.end(), static_cast<std::size_t>(n_),
                   FloatParameters(entry.bias, entry.factor));
    }
    const std::uint64_t address = emitter_.AddConstant(PackParameters(lanes, emitter_.Config()));
    bool computed = false;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (!parameters_[i].input) continue;
      SetMultipliers(context_.InputPlacement(*parameters_[i].input),
                     address + i * emitter_.Config().ParamEntryBytes(), emitter_);
      computed = true;
    }
    const auto count = static_cast<std::int64_t>(parameters_.size());
    entries_ = emitter_.AllocateParameters(count);
    emitter_.LoadParameters(address, count, entries_, computed);
  }

  [[nodiscard]] bool IsElements(std::size_t input) const {
    return std::ranges::find(parameters_, input, &Entry::input) == parameters_.end();
  }

  // UB rows of one pixel of all inputs and results.
  [[nodiscard]] std::int64_t RowsOfPixel() const {
    std::int64_t rows = 0;
    for (std::size_t i = 0; i < context_.op.inputs.size(); ++i) {
      if (IsElements(i)) rows += context_.InputPlacement(i).PixelRows();
    }
    for (const Instruction& instruction : instructions_) rows += ResultRows(instruction);
    return rows;
  }
  [[nodiscard]] std::int64_t ResultRows(const Instruction& instruction) const {
    return ElementBytes(chain_.steps[instruction.result].type);
  }

  // Elements from number `first` on, as pixels of so many channels.
  void RunPart(std::int64_t first, std::int64_t pixels, std::int64_t channels) {
    if (pixels == 0) return;
    const std::int64_t fits = emitter_.LayerRows() / (2 * RowsOfPixel());
    if (fits == 0) {
      throw DoesNotFit(
          fmt::format("{}: its numbers do not fit the machine's buffers", emitter_.LayerName()));
    }
    const std::int64_t most = std::min(fits, kMostPixels);
    std::vector<ir::Range> tiles = Ramp(pixels, kFirstPixels, most);
    if (tiles.empty()) tiles = ir::Split(pixels, most);
    const std::int64_t size = ir::LargestSize(tiles) * RowsOfPixel();
    const std::int64_t base = emitter_.AllocateBuffer(tiles.size() > 1 ? 2 * size : size);
    const auto row_of = [&](std::size_t tile) {
      return base + static_cast<std::int64_t>(tile % 2) * size;
    };
    Load(first, channels, tiles[0], row_of(0));
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      if (i + 1 < tiles.size()) Load(first, channels, tiles[i + 1], row_of(i + 1));
      Compute(first, channels, tiles[i], row_of(i));
    }
  }

  void Load(std::int64_t first, std::int64_t channels, const ir::Range& pixels, std::int64_t row) {
    for (std::size_t i = 0; i < context_.op.inputs.size(); ++i) {
      if (!IsElements(i)) continue;
      const Placement placement = PixelsOf(context_.InputPlacement(i), first, channels, pixels.end);
      emitter_.LoadWide(placement, 0, {.begin = 0, .end = 1},
                        FlatTile(row, pixels, placement.PixelRows()));
      row += pixels.Size() * placement.PixelRows();
    }
  }

  void Compute(std::int64_t first, std::int64_t channels, const ir::Range& pixels,
               std::int64_t row) {
    // First rows, and bytes of an element.
    std::vector<std::pair<std::int64_t, isa::ElementFormat>> inputs;
    for (std::size_t i = 0; i < context_.op.inputs.size(); ++i) {
      const Placement& placement = context_.InputPlacement(i);
      inputs.emplace_back(row, placement.format);
      if (IsElements(i)) row += pixels.Size() * placement.PixelRows();
    }
    std::vector<std::pair<std::int64_t, isa::ElementFormat>> steps(chain_.steps.size());
    for (const Instruction& instruction : instructions_) {
      steps[instruction.result] = {row, {chain_.steps[instruction.result].type}};
      row += pixels.Size() * ResultRows(instruction);
    }
    const auto place = [&](const ir::Chain::Operand& operand) {
      return operand.of_step ? steps[operand.index] : inputs[operand.index];
    };
    for (const Instruction& instruction : instructions_) {
      isa::Fvector vector = instruction.vector;
      vector.n_ow = U32(pixels.Size());
      vector.y_bound = 1;
      vector.x_bound = 1;
      const std::int64_t entry = entries_ + static_cast<std::int64_t>(instruction.entry);
      vector.param_row = U32(entry);
      std::vector<Access> accesses = {RowsOf(Space::kParameters, entry, 1, false)};
      const auto [a_row, a_format] = place(instruction.operands[0]);
      vector.a_row = S32(a_row);
      vector.a_ow = S32(a_format.Bytes());
      vector.a_format = isa::NumberFormatOf(a_format);
      accesses.push_back(
          RowsOf(Space::kUnifiedBuffer, a_row, pixels.Size() * a_format.Bytes(), false));
      if (instruction.operands.size() > 1) {
        const auto [b_row, b_format] = place(instruction.operands[1]);
        vector.b_row = S32(b_row);
        vector.b_ow = S32(b_format.Bytes());
        vector.b_format = isa::NumberFormatOf(b_format);
        accesses.push_back(
            RowsOf(Space::kUnifiedBuffer, b_row, pixels.Size() * b_format.Bytes(), false));
      }
      const auto [o_row, o_format] = steps[instruction.result];
      vector.o_row = U32(o_row);
      vector.o_ow = S32(o_format.Bytes());
      vector.o_format = isa::NumberFormatOf(o_format);
      accesses.push_back(
          RowsOf(Space::kUnifiedBuffer, o_row, pixels.Size() * o_format.Bytes(), true));
      emitter_.Emit(vector, std::move(accesses));
    }
    for (std::size_t i = 0; i < chain_.results.size(); ++i) {
      const Placement placement =
          PixelsOf(context_.placements[context_.op.outputs[i]], first, channels, pixels.end);
      emitter_.StoreWide(placement, 0, {.begin = 0, .end = 1},
                         FlatTile(steps[chain_.results[i]].first, pixels, placement.PixelRows()));
    }
  }

  const OperatorContext& context_;
  const ir::Chain& chain_;
  Emitter& emitter_;
  std::int64_t n_;
  std::vector<std::size_t> uses_ = std::vector<std::size_t>(chain_.steps.size());  // By step.
  std::vector<Instruction> instructions_;
  std::vector<Entry> parameters_ = {{}};  // The first one is for instructions that use none.
  bool clamps_ = false;                   // Whether the last instruction has a function or a clamp.
  std::int64_t entries_ = 0;
};

}  // namespace

void LowerChain(const OperatorContext& context, const ir::Chain& chain, Emitter& emitter) {
  ChainLowering(context, chain, emitter).Run();
}

}  // namespace tpu::compiler
