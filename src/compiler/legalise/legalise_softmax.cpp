// SPDX-License-Identifier: Apache-2.0
// SOFTMAX on bfloat16. The vector unit has nothing across lanes: the rows become lanes, and the
// axis a window.
#include "compiler/legalise/legalise_float.h"
#include "compiler/quantise/bfloat16.h"

namespace tpu::compiler {
namespace {

// [rows, length] as [length, rows], or back.
ir::TensorId Transposed(const OperatorView& view, ir::TensorId input, std::int64_t rows,
                        std::int64_t columns) {
  if (rows == 1 || columns == 1) return view.Reshaped(input, {columns, rows});
  const ir::TensorId output = view.Like(view.graph.At(input), {columns, rows}, "transposed");
  view.Add({input}, output,
           ir::MoveOf(ir::Transpose{.permutation = {1, 0}}, {rows, columns}, {columns, rows}));
  return output;
}

class SoftmaxRule {
 public:
  SoftmaxRule(const OperatorView& view, std::int64_t length)
      : view_(view), length_(length), rows_(view.Output().Elements() / length) {}

  void Run(float beta) {
    const ir::TensorId x = Transposed(view_, view_.op.inputs[0], rows_, length_);
    ir::TensorId power = Make("difference", {x, Repeated(Largest(x))},
                              ir::Binary{.kind = ir::BinaryKind::kSub}, length_);
    if (beta != 1.0F) {
      power = Make("power", {power, AddScalar(view_, ToBfloat16(beta))},
                   ir::Binary{.kind = ir::BinaryKind::kMul}, length_);
    }
    const ir::TensorId exponentials =
        Make("exponentials", {power}, ir::Function{.kind = ir::FunctionKind::kExp}, length_);
    const ir::TensorId factor = Make("factor", {SumOf(exponentials)},
                                     ir::Function{.kind = ir::FunctionKind::kReciprocal}, 1);
    const ir::TensorId y = Make("result", {exponentials, Repeated(factor)},
                                ir::Binary{.kind = ir::BinaryKind::kMul}, length_);
    view_.Add({Transposed(view_, y, length_, rows_)}, view_.op.outputs[0], ir::Reshape{});
  }

 private:
  // A tensor of `height` values for each row.
  ir::TensorId Make(std::string_view suffix, std::vector<ir::TensorId> inputs,
                    ir::Attributes attributes, std::int64_t height) {
    const ir::TensorId output = view_.Like(view_.Output(), {height, rows_}, suffix);
    view_.Add(std::move(inputs), output, std::move(attributes));
    return output;
  }

  // The values as an image of one column, reduced to one pixel by an operator.
  ir::TensorId Reduced(ir::TensorId values, std::string_view suffix, ir::Attributes attributes) {
    const ir::TensorId image = view_.Reshaped(values, {1, length_, 1, rows_});
    const ir::TensorId pixel = view_.Like(view_.Output(), {1, 1, 1, rows_}, suffix);
    view_.Add({image}, pixel, std::move(attributes));
    return view_.Reshaped(pixel, {1, rows_});
  }
  ir::TensorId Largest(ir::TensorId values) {
    return Reduced(values, "largest",
                   ir::Pool2D{.kind = ir::PoolKind::kMax,
                              .filter = {.h = static_cast<std::int32_t>(length_), .w = 1}});
  }
  ir::TensorId SumOf(ir::TensorId values) {
    return Reduced(values, "sum", ir::Reduce{.kind = ir::ReduceKind::kSum, .axes = {1, 2}});
  }

  ir::TensorId Repeated(ir::TensorId one) { return Broadcast(view_, one, {length_, rows_}); }

  const OperatorView& view_;
  std::int64_t length_;
  std::int64_t rows_;
};

}  // namespace

void LegaliseFloat(const OperatorView& view, const ir::Softmax& op) {
  view.RequireFloats();
  const ir::Shape shape = view.Input(0).shape;
  view.Require(shape == view.Output().shape && !shape.empty(),
               "input {} and output {} must have the same shape", view.Input(0).name,
               view.Output().name);
  SoftmaxRule(view, shape.back()).Run(op.beta);
}

}  // namespace tpu::compiler
