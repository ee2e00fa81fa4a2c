// SPDX-License-Identifier: Apache-2.0
// SQUARED_DIFFERENCE of integers: IVECTOR brings each operand to a common scale before one of them
// is repeated, subtracts, and multiplies the difference by itself.
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
    const ir::TensorId first = Scaled(0, factors_.first);
    const ir::TensorId second = Scaled(1, factors_.second);
    const ir::TensorId difference = Difference(first, second);
    const ir::Tensor output = view_.Output();
    IntegerMaps(view_, output.shape)
        .AddAs(view_.op.outputs[0], {difference, difference},
               {.kind = Kind::kMul,
                .rounds = ir::IntegerMap::Rounds::kAsNetwork,
                .factor = factors_.output,
                .zero = output.zero_point});
  }

 private:
  ir::TensorId Scaled(std::size_t i, const Multiplier& factor) {
    const ir::TensorId operand = WithAllChannels(view_.op.inputs[i]);
    const ir::Tensor input = view_.graph.At(operand);
    ir::IntegerMap op = WithConstant(Kind::kMul, 1 << bits_);
    op.bias = -input.zero_point * (1 << bits_);
    op.rounds = ir::IntegerMap::Rounds::kAsNetwork;
    op.factor = factor;
    return IntegerMaps(view_, input.shape).Add(ElementType::kInt16, {operand}, op);
  }

  // One channel is repeated while it is int8, which the array does.
  ir::TensorId WithAllChannels(ir::TensorId operand) {
    ir::Shape shape = view_.graph.At(operand).shape;
    if (shape.empty()) return operand;
    shape.back() = view_.Output().shape.back();
    return Broadcast(view_, operand, shape);
  }

  // Of int8 the difference. Operands of int16 are up to 2^14 after scaling: their distance may be
  // 2^15, of which int16 has the negative alone.
  ir::TensorId Difference(ir::TensorId first, ir::TensorId second) {
    if (!view_.ComputesInt16()) return Combined(Kind::kSub, first, second);
    const ir::TensorId smaller = Combined(Kind::kMinimum, first, second);
    const ir::TensorId larger = Combined(Kind::kMaximum, first, second);
    return Combined(Kind::kSub, smaller, larger);
  }

  // The sign of a difference does not matter, so that the operands may change places.
  ir::TensorId Combined(Kind kind, ir::TensorId first, ir::TensorId second) {
    ir::Tensor like;
    like.type = ElementType::kInt16;
    const ir::TensorId output = view_.Like(like, view_.Output().shape, "difference");
    const ir::IntegerMap op = {.kind = kind};
    AddBinary(view_, op, op, first, second, output);
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
