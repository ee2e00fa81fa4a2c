// SPDX-License-Identifier: Apache-2.0
// SQUARED_DIFFERENCE of integers: IVECTOR brings operands to a common scale before one of them is
// repeated, subtracts, and multiplies the difference by itself. On int8 the operand of the larger
// scale is brought there by the subtraction.
#include <algorithm>
#include <optional>

#include "arithmetic/pairs.h"
#include "compiler/legalise/integer_maps.h"
#include "compiler/legalise/legalise_int16.h"

namespace tpu::compiler {
namespace {

using Kind = ir::IntegerMap::Kind;

class SquaredDifferenceRule {
 public:
  explicit SquaredDifferenceRule(const OperatorView& view)
      : view_(view),
        bits_(view.ComputesInt16() ? 0 : arithmetic::kDifferenceBits),
        factors_(view.Input(0).scale, view.Input(1).scale, view.Output().scale, bits_,
                 view.graph.GetRounding()) {}

  void Run() {
    const ir::TensorId difference = view_.ComputesInt16() ? OfInt16() : OfBytes();
    const ir::Tensor output = view_.Output();
    IntegerMaps(view_, output.shape)
        .AddAs(view_.op.outputs[0], {difference, difference},
               {.kind = Kind::kMul,
                .rounds = Rounds::kAsNetwork,
                .factor = factors_.output,
                .zero = output.zero_point});
  }

 private:
  using Rounds = ir::IntegerMap::Rounds;

  [[nodiscard]] const Multiplier& Factor(std::size_t i) const {
    return i == 0 ? factors_.first : factors_.second;
  }
  [[nodiscard]] bool IsWhole(std::size_t i) const {
    return view_.Input(i).Elements() == view_.Output().Elements();
  }

  // The operand in the common scale.
  ir::TensorId Scaled(std::size_t i) {
    const ir::TensorId operand = WithLanes(i);
    const ir::Tensor input = view_.graph.At(operand);
    ir::IntegerMap op = WithConstant(Kind::kMul, 1 << bits_);
    op.bias = -input.zero_point * (1 << bits_);
    op.rounds = Rounds::kAsNetwork;
    op.factor = Factor(i);
    return IntegerMaps(view_, input.shape).Add(ElementType::kInt16, {operand}, op);
  }

  // One channel is repeated while it is int8, which the array does: in a row of lanes where the
  // difference repeats those, else in all channels.
  ir::TensorId WithLanes(std::size_t i) {
    const ir::TensorId operand = view_.op.inputs[i];
    ir::Shape shape = view_.graph.At(operand).shape;
    if (shape.empty() || shape.back() == view_.Output().shape.back()) return operand;
    const bool repeats = IsWhole(1 - i) && RepeatsLanes(view_, shape, view_.Output().shape);
    const std::int64_t channels = view_.Output().shape.back();
    shape.back() = repeats ? std::min<std::int64_t>(channels, view_.graph.Config().n) : channels;
    return Broadcast(view_, operand, shape);
  }

  // The factor of the larger scale is 1/2: that operand is shifted by one bit less, where it need
  // not be repeated. The sign of a difference does not matter, so that operands may change places.
  ir::TensorId OfBytes() {
    const std::size_t large = view_.Input(0).scale >= view_.Input(1).scale ? 0 : 1;
    const ir::TensorId other = Scaled(1 - large);
    if (!IsWhole(large)) return Combined({.kind = Kind::kSub}, other, Scaled(large));
    constexpr int kJoined = 14;  // 2^14 times the operand are 2^shift times what is asked for.
    const int shift = kJoined - (bits_ - 1);
    return Combined({.kind = Kind::kJoinNegative,
                     .low_shift = shift,
                     .bias = -view_.Input(large).zero_point * (1 << kJoined),
                     .rounds = Rounds::kHalfUp,
                     .factor = {.multiplier = 1 << 30, .shift = 1 - shift}},
                    view_.op.inputs[large], other);
  }

  // Operands of int16 are up to 2^14 after scaling: their distance may be 2^15, of which int16 has
  // the negative alone.
  ir::TensorId OfInt16() {
    const ir::TensorId first = Scaled(0);
    const ir::TensorId second = Scaled(1);
    const ir::TensorId smaller = Combined({.kind = Kind::kMinimum}, first, second);
    const ir::TensorId larger = Combined({.kind = Kind::kMaximum}, first, second);
    return Combined({.kind = Kind::kSub}, smaller, larger);
  }

  ir::TensorId Combined(const ir::IntegerMap& op, ir::TensorId first, ir::TensorId second) {
    ir::Tensor like;
    like.type = ElementType::kInt16;
    const ir::TensorId output = view_.Like(like, view_.Output().shape, "difference");
    const bool swaps = op.kind != Kind::kJoinNegative;
    AddBinary(view_, op, swaps ? std::optional<ir::Attributes>(op) : std::nullopt, first, second,
              output);
    return output;
  }

  const OperatorView& view_;
  int bits_;
  arithmetic::SquaredDifferenceFactors factors_;
};

}  // namespace

void LegaliseInt16(const OperatorView& view, const ir::SquaredDifference& /*op*/) {
  SquaredDifferenceRule(view).Run();
}

}  // namespace tpu::compiler
