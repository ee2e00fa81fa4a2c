// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/lower_move.h"

#include <algorithm>
#include <optional>

#include "compiler/cost/instruction_cycles.h"
#include "compiler/lower/lower_operator.h"
#include "ir/move.h"
#include "ir/range.h"
#include "isa/fields.h"

namespace tpu::compiler {
namespace {

using Loop = ir::Move::Loop;

// Rows of a transfer, bytes of a row, and bytes from one row to the next in memory.
template <typename Instruction>
constexpr std::int64_t kMostOf = std::min({isa::FieldMax<Instruction>("rows"),
                                           isa::FieldMax<Instruction>("row_bytes"),
                                           isa::FieldMax<Instruction>("row_stride")});
constexpr std::int64_t kMostOfTransfer = std::min(kMostOf<isa::Load>, kMostOf<isa::Store>);
// Pieces this large overlap the loading of one with the storing of another.
constexpr std::int64_t kPieceBytes = 8192;

// One side of a transfer: rows of contiguous bytes.
struct Rows {
  std::int64_t row_bytes = 1;
  std::int64_t rows = 1;
  std::int64_t stride = 0;

  // Puts a loop around; false when the result would not be rows at one distance.
  bool Wrap(std::int64_t count, std::int64_t loop_stride) {
    if (rows == 1 && loop_stride == row_bytes) {
      row_bytes *= count;
      return row_bytes <= kMostOfTransfer;
    }
    if (rows == 1) {
      rows = count;
      stride = loop_stride;
      return stride >= 0 && stride <= kMostOfTransfer;
    }
    if (loop_stride != rows * stride) return false;
    rows *= count;
    return rows <= kMostOfTransfer;
  }
  [[nodiscard]] double Beats(std::int64_t bus_bytes) const {
    return static_cast<double>(rows * ir::CeilDiv(row_bytes, bus_bytes));
  }
};

struct Sides {
  Rows from;
  Rows to;
};

// Both sides of the loops, or none when one instruction cannot make them.
std::optional<Sides> SidesOf(const std::vector<Loop>& loops) {
  Sides sides;
  for (std::size_t i = loops.size(); i-- > 0;) {
    if (!sides.from.Wrap(loops[i].count, loops[i].from_stride)) return {};
    if (!sides.to.Wrap(loops[i].count, loops[i].to_stride)) return {};
  }
  return sides;
}

std::int64_t Iterations(const std::vector<Loop>& loops) {
  std::int64_t iterations = 1;
  for (const Loop& loop : loops) iterations *= loop.count;
  return iterations;
}

// The largest number of inner loops that one pair of instructions can make.
CopyPlan SplitLoops(const std::vector<Loop>& loops) {
  CopyPlan plan = {.outer = loops, .inner = {}};
  while (!plan.outer.empty()) {
    std::vector<Loop> inner = plan.inner;
    inner.insert(inner.begin(), plan.outer.back());
    if (!SidesOf(inner)) break;
    plan.inner = std::move(inner);
    plan.outer.pop_back();
  }
  return plan;
}

double Cost(const CopyPlan& plan, std::int64_t bus_bytes) {
  const Sides sides = *SidesOf(plan.inner);
  const double beats = std::max(sides.from.Beats(bus_bytes), sides.to.Beats(bus_bytes));
  return static_cast<double>(Iterations(plan.outer)) * (kInstructionCycles + beats);
}

Transfer TransferOf(std::uint64_t address, const Rows& rows) {
  return {.address = address,
          .row_bytes = rows.row_bytes,
          .rows = rows.rows,
          .row_stride = rows.rows == 1 ? 0 : rows.stride};
}

class CopyLowering {
 public:
  CopyLowering(const CopyPlan& plan, Emitter& emitter) : plan_(plan), emitter_(emitter) {
    const std::int64_t room = emitter.BufferRows() / 2 * emitter.RowBytes();
    most_bytes_ = std::clamp<std::int64_t>(kPieceBytes, 1, std::max<std::int64_t>(room, 1));
  }

  void Run(std::int64_t from, std::int64_t to) { Outer(0, from, to); }

 private:
  void Outer(std::size_t loop, std::int64_t from, std::int64_t to) {
    if (loop == plan_.outer.size()) {
      Inner(plan_.inner, from, to);
      return;
    }
    const Loop& l = plan_.outer[loop];
    for (std::int64_t i = 0; i < l.count; ++i) {
      Outer(loop + 1, from + i * l.from_stride, to + i * l.to_stride);
    }
  }

  // Cuts the outermost loop until a piece fits.
  void Inner(const std::vector<Loop>& loops, std::int64_t from, std::int64_t to) {
    const std::int64_t bytes = Iterations(loops);
    if (bytes <= most_bytes_) {
      const Sides sides = *SidesOf(loops);
      emitter_.Copy(TransferOf(static_cast<std::uint64_t>(from), sides.from),
                    TransferOf(static_cast<std::uint64_t>(to), sides.to), bytes);
      return;
    }
    const Loop& outermost = loops.front();
    const std::int64_t most = std::max<std::int64_t>(most_bytes_ * outermost.count / bytes, 1);
    for (const ir::Range& range : ir::Split(outermost.count, most)) {
      std::vector<Loop> part = loops;
      part.front().count = range.Size();
      if (range.Size() == 1) part.erase(part.begin());
      Inner(part, from + range.begin * outermost.from_stride,
            to + range.begin * outermost.to_stride);
    }
  }

  const CopyPlan& plan_;
  Emitter& emitter_;
  std::int64_t most_bytes_ = 0;
};

}  // namespace

CopyPlan PlanCopy(std::vector<Loop> loops, std::int64_t bus_bytes) {
  const auto by_target = [](const Loop& a, const Loop& b) {
    return a.to_stride != b.to_stride ? a.to_stride > b.to_stride : a.from_stride > b.from_stride;
  };
  std::sort(loops.begin(), loops.end(), by_target);
  loops = ir::Simplified(std::move(loops));
  CopyPlan best = SplitLoops(loops);
  double best_cost = Cost(best, bus_bytes);
  std::sort(loops.begin(), loops.end(), by_target);
  while (std::next_permutation(loops.begin(), loops.end(), by_target)) {
    CopyPlan plan = SplitLoops(loops);
    const double cost = Cost(plan, bus_bytes);
    if (cost < best_cost) {
      best = std::move(plan);
      best_cost = cost;
    }
  }
  return best;
}

void LowerCopy(std::uint64_t from, std::uint64_t to, const std::vector<Loop>& loops,
               Emitter& emitter) {
  const CopyPlan plan = PlanCopy(loops, emitter.Config().axi_data_width / 8);
  CopyLowering(plan, emitter).Run(static_cast<std::int64_t>(from), static_cast<std::int64_t>(to));
}

void LowerMove(const OperatorContext& context, const ir::Move& op, Emitter& emitter) {
  const std::int64_t element = context.OutputPlacement().format.Bytes();
  for (const ir::Move::Copy& copy : op.copies) {
    std::vector<Loop> loops;
    for (const Loop& loop : copy.loops) {
      loops.push_back({.count = loop.count,
                       .from_stride = loop.from_stride * element,
                       .to_stride = loop.to_stride * element});
    }
    loops.push_back({.count = element, .from_stride = 1, .to_stride = 1});
    context.Require(copy.input < context.op.inputs.size(), "input {} is missing", copy.input);
    const std::int64_t from = copy.from * element;
    LowerCopy(context.InputPlacement(copy.input).address + static_cast<std::uint64_t>(from),
              context.OutputPlacement().address + static_cast<std::uint64_t>(copy.to * element),
              loops, emitter);
  }
}

}  // namespace tpu::compiler
