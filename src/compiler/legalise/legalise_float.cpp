// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/legalise_float.h"

#include <algorithm>

#include "compiler/quantise/bfloat16.h"

namespace tpu::compiler {
namespace {

// A constant operand that is everywhere the same as one element, another one as it is.
ir::TensorId Operand(const OperatorView& view, ir::TensorId id) {
  const auto* values = std::get_if<std::vector<Bfloat16>>(&view.graph.At(id).data);
  const bool uniform =
      values != nullptr && !values->empty() &&
      std::all_of(values->begin(), values->end(), [&](Bfloat16 v) { return v == values->front(); });
  return uniform ? AddScalar(view, values->front()) : id;
}

// first (kind) second as `output`. Of constants, one alone may be held by an instruction.
void AddFloats(const OperatorView& view, const ir::Binary& op, ir::TensorId first,
               ir::TensorId second, ir::TensorId output) {
  ir::TensorId& constant = view.graph.At(first).IsConstant() ? first : second;
  constant = Operand(view, constant);
  AddBinary(view, op, first, second, output);
}

// The same as a tensor of the output's shape.
ir::TensorId MakeFloats(const OperatorView& view, const ir::Binary& op, ir::TensorId first,
                        ir::TensorId second, std::string_view suffix) {
  const ir::TensorId result = view.Like(view.Output(), ir::Shape(view.Output().shape), suffix);
  AddFloats(view, op, first, second, result);
  return result;
}

// The function of a tensor, as another one.
ir::TensorId AddFunction(const OperatorView& view, ir::FunctionKind kind, ir::TensorId input,
                         std::string_view suffix) {
  const ir::Tensor tensor = view.graph.At(input);
  const ir::TensorId result = view.Like(tensor, tensor.shape, suffix);
  view.Add({input}, result, ir::Function{.kind = kind});
  return result;
}

// 1 / divisor: constants are turned over here.
ir::TensorId Reciprocal(const OperatorView& view, ir::TensorId divisor) {
  ir::Tensor tensor = view.graph.At(divisor);
  const auto* values = std::get_if<std::vector<Bfloat16>>(&tensor.data);
  if (values == nullptr) {
    return AddFunction(view, ir::FunctionKind::kReciprocal, divisor, "reciprocal");
  }
  std::vector<Bfloat16> reciprocals;
  for (const Bfloat16 value : *values) reciprocals.push_back(ToBfloat16(1.0F / ToFloat(value)));
  tensor.name += "/reciprocal";
  tensor.data = std::move(reciprocals);
  return view.graph.AddTensor(std::move(tensor));
}

// The input in the output's shape.
ir::TensorId OnlyInput(const OperatorView& view) {
  view.RequireComputable({&view.Input(0), &view.Output()});
  view.Require(view.Input(0).Elements() == view.Output().Elements(),
               "input {} and output {} must have equally many elements", view.Input(0).name,
               view.Output().name);
  return view.Reshaped(view.op.inputs[0], ir::Shape(view.Output().shape));
}

}  // namespace

ir::TensorId AddScalar(const OperatorView& view, Bfloat16 value) {
  ir::Tensor scalar = {.name = view.op.name + "/scalar", .type = ElementType::kBfloat16};
  scalar.shape = {1};
  scalar.data = std::vector<Bfloat16>{value};
  return view.graph.AddTensor(std::move(scalar));
}

void LegaliseFloat(const OperatorView& view, const ir::Binary& op) {
  view.RequireComputable({&view.Input(0), &view.Input(1), &view.Output()});
  AddFloats(view, op, view.op.inputs[0], view.op.inputs[1], view.op.outputs[0]);
}

namespace {

// The part above zero plus e^x - 1 of the part below. One of the two is always zero.
void AddElu(const OperatorView& view, ir::TensorId x) {
  const ir::TensorId positive =
      view.Like(view.Output(), ir::Shape(view.Output().shape), "positive");
  view.Add({x}, positive, ir::Unary{.kind = ir::UnaryKind::kRelu});
  const ir::TensorId negative = MakeFloats(view, {.kind = ir::BinaryKind::kMinimum}, x,
                                           AddScalar(view, ToBfloat16(0.0F)), "negative");
  const ir::TensorId power = AddFunction(view, ir::FunctionKind::kExp, negative, "power");
  const ir::TensorId below = MakeFloats(view, {.kind = ir::BinaryKind::kAdd}, power,
                                        AddScalar(view, ToBfloat16(-1.0F)), "below");
  view.Add({positive, below}, view.op.outputs[0], ir::Binary{.kind = ir::BinaryKind::kAdd});
}

}  // namespace

// HARD_SWISH is x * relu6(x + 3) / 6.
void LegaliseFloat(const OperatorView& view, const ir::Unary& op) {
  const ir::TensorId x = OnlyInput(view);
  if (op.kind == ir::UnaryKind::kElu) {
    AddElu(view, x);
    return;
  }
  if (op.kind != ir::UnaryKind::kHardSwish) {
    view.Add({x}, view.op.outputs[0], op);
    return;
  }
  const ir::TensorId gate =
      MakeFloats(view, {.kind = ir::BinaryKind::kAdd, .activation = ir::Activation::kRelu6}, x,
                 AddScalar(view, ToBfloat16(3.0F)), "gate");
  const ir::TensorId product = MakeFloats(view, {.kind = ir::BinaryKind::kMul}, x, gate, "product");
  view.Add({product, AddScalar(view, ToBfloat16(1.0F / 6.0F))}, view.op.outputs[0],
           ir::Binary{.kind = ir::BinaryKind::kMul});
}

// Of x and alpha * x the one that is right is the larger one for alpha up to 1.
void LegaliseFloat(const OperatorView& view, const ir::LeakyRelu& op) {
  const ir::TensorId x = OnlyInput(view);
  const ir::TensorId product = MakeFloats(view, {.kind = ir::BinaryKind::kMul}, x,
                                          AddScalar(view, ToBfloat16(op.alpha)), "product");
  view.Add(
      {x, product}, view.op.outputs[0],
      ir::Binary{.kind = op.alpha <= 1.0F ? ir::BinaryKind::kMaximum : ir::BinaryKind::kMinimum});
}

// The part above zero plus the part below zero times the slopes. One of the two is always zero.
void LegaliseFloat(const OperatorView& view, const ir::Prelu& /*op*/) {
  const ir::TensorId x = OnlyInput(view);
  view.RequireComputable({&view.Input(1), &view.Output()});
  const ir::TensorId positive =
      view.Like(view.Output(), ir::Shape(view.Output().shape), "positive");
  view.Add({x}, positive, ir::Unary{.kind = ir::UnaryKind::kRelu});
  const ir::TensorId negative = MakeFloats(view, {.kind = ir::BinaryKind::kMinimum}, x,
                                           AddScalar(view, ToBfloat16(0.0F)), "negative");
  const ir::TensorId product =
      MakeFloats(view, {.kind = ir::BinaryKind::kMul}, negative, view.op.inputs[1], "product");
  view.Add({positive, product}, view.op.outputs[0], ir::Binary{.kind = ir::BinaryKind::kAdd});
}

void LegaliseFloat(const OperatorView& view, const ir::AddN& /*op*/) {
  ir::TensorId sum = view.op.inputs[0];
  for (std::size_t i = 1; i < view.op.inputs.size(); ++i) {
    const bool last = i + 1 == view.op.inputs.size();
    const ir::TensorId next =
        last ? view.op.outputs[0] : view.Like(view.Output(), ir::Shape(view.Output().shape), "sum");
    AddFloats(view, {.kind = ir::BinaryKind::kAdd}, sum, view.op.inputs[i], next);
    sum = next;
  }
}

void LegaliseFloat(const OperatorView& view, const ir::Function& op) {
  view.RequireFloats();
  const ir::TensorId x = OnlyInput(view);
  switch (op.kind) {
    case ir::FunctionKind::kSquare:
      view.Add({x, x}, view.op.outputs[0], ir::Binary{.kind = ir::BinaryKind::kMul});
      break;
    case ir::FunctionKind::kSqrt:  // Of zero 1 / infinity.
      view.Add({AddFunction(view, ir::FunctionKind::kRsqrt, x, "rsqrt")}, view.op.outputs[0],
               ir::Function{.kind = ir::FunctionKind::kReciprocal});
      break;
    default:
      view.Add({x}, view.op.outputs[0], op);
  }
}

void LegaliseFloat(const OperatorView& view, const ir::Divide& op) {
  view.RequireFloats();
  const ir::TensorId reciprocal = Reciprocal(view, view.op.inputs[1]);
  AddFloats(view, {.kind = ir::BinaryKind::kMul, .activation = op.activation}, view.op.inputs[0],
            reciprocal, view.op.outputs[0]);
}

void LegaliseFloat(const OperatorView& view, const ir::SquaredDifference& /*op*/) {
  view.RequireFloats();
  const ir::TensorId difference = MakeFloats(view, {.kind = ir::BinaryKind::kSub},
                                             view.op.inputs[0], view.op.inputs[1], "difference");
  view.Add({difference, difference}, view.op.outputs[0], ir::Binary{.kind = ir::BinaryKind::kMul});
}

}  // namespace tpu::compiler
