// SPDX-License-Identifier: Apache-2.0
// Operators that take each element by itself, and those that the host runs.
#include <algorithm>

#include "arithmetic/pairs.h"
#include "compiler/legalise/legalise_float.h"
#include "compiler/legalise/legalise_int16.h"
#include "compiler/legalise/legalise_rules.h"
#include "compiler/quantise/float_rounding.h"
#include "compiler/quantise/float_tables.h"
#include "compiler/quantise/function_tables.h"
#include "compiler/quantise/quantized_tables.h"
#include "host_operators/relation.h"

namespace tpu::compiler {
namespace {

void AddTable(const OperatorView& view, const ir::Lookup& lookup) {
  view.Require(view.Input(0).Elements() == view.Output().Elements(),
               "input {} and output {} must have equally many elements", view.Input(0).name,
               view.Output().name);
  const ir::TensorId input = view.Reshaped(view.op.inputs[0], ir::Shape(view.Output().shape));
  view.Add({input}, view.op.outputs[0], lookup);
}

// The value that all elements of a constant have.
std::optional<std::int32_t> Uniform(const ir::Tensor& tensor) {
  const auto* values = std::get_if<std::vector<std::int8_t>>(&tensor.data);
  if (values == nullptr || values->empty()) return {};
  const std::int8_t first = values->front();
  if (!std::all_of(values->begin(), values->end(), [&](std::int8_t v) { return v == first; })) {
    return {};
  }
  return first;
}

bool IsOneOf(ElementType type, std::initializer_list<ElementType> types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

// An operator of two operands with one that is everywhere the same is a table.
template <typename Op>
bool LegaliseAsTable(const OperatorView& view, const Op& op) {
  for (const std::size_t constant : {std::size_t{0}, std::size_t{1}}) {
    const std::optional<std::int32_t> value = Uniform(view.Input(constant));
    if (!value || view.Input(1 - constant).shape != view.Output().shape) continue;
    const ir::Lookup table = BinaryTable(op, view.Input(0), view.Input(1), view.Output(),
                                         constant == 0, *value, view.graph.GetRounding());
    view.Add({view.op.inputs[1 - constant]}, view.op.outputs[0], table);
    return true;
  }
  return false;
}

// XNNPACK makes a square of a product with itself, which is a function of one value.
bool LegaliseAsSquare(const OperatorView& view, const ir::Binary& op) {
  if (view.graph.GetRounding() != Rounding::kFloat || op.kind != ir::BinaryKind::kMul ||
      view.op.inputs[0] != view.op.inputs[1]) {
    return false;
  }
  AddTable(view, FloatSquareTable(op.activation, view.Input(0), view.Output()));
  return true;
}

// An operator of two operands on the host, which repeats what broadcasts.
template <typename Op>
void LegaliseForHost(const OperatorView& view, const Op& op, ir::TensorId output) {
  for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
    view.Require(CanBroadcast(view.Input(i).shape, view.Output().shape),
                 "{} does not broadcast to the output's shape", view.Input(i).name);
  }
  view.Add({view.op.inputs[0], view.op.inputs[1]}, output, op);
}

}  // namespace

void Legalise(const OperatorView& view, const ir::Binary& op) {
  if (view.ComputesFloats()) {
    LegaliseFloat(view, op);
    return;
  }
  view.RequireComputable({&view.Input(0), &view.Input(1), &view.Output()});
  if (!view.ComputesInt16() && (LegaliseAsTable(view, op) || LegaliseAsSquare(view, op))) return;
  AddBinary(view, op, view.op.inputs[0], view.op.inputs[1], view.op.outputs[0]);
}

bool LegaliseOnDevice(const OperatorView& view, const host_operators::Comparison& op) {
  for (const std::size_t constant : {std::size_t{0}, std::size_t{1}}) {
    const ir::Tensor& input = view.Input(1 - constant);
    const std::optional<std::int32_t> value = Uniform(view.Input(constant));
    if (!value || input.type != ElementType::kInt8 || input.shape != view.Output().shape) continue;
    const auto compared = [&](std::size_t i) {
      return arithmetic::ComparedValue(
          {.scale = view.Input(i).scale, .zero_point = view.Input(i).zero_point},
          view.graph.GetRounding());
    };
    const std::int32_t other = compared(constant)(*value);
    const arithmetic::ComparedValue compare = compared(1 - constant);
    ir::Lookup lookup;
    for (std::int32_t q = -128; q < 128; ++q) {
      const std::int32_t own = compare(q);
      const bool holds = constant == 0 ? host_operators::Holds(op.relation, other, own)
                                       : host_operators::Holds(op.relation, own, other);
      lookup.table[static_cast<std::uint8_t>(q)] = holds ? 1 : 0;
    }
    view.Add({view.op.inputs[1 - constant]}, view.op.outputs[0], lookup);
    return true;
  }
  return false;
}

void Legalise(const OperatorView& view, const ir::Lookup& op) {
  view.Require(IsByte(view.Input(0)) && IsByte(view.Output()),
               "input {} and output {} must be int8 or uint8", view.Input(0).name,
               view.Output().name);
  AddTable(view, op);
}

void Legalise(const OperatorView& view, const ir::Unary& op) {
  if (view.ComputesFloats()) {
    LegaliseFloat(view, op);
    return;
  }
  view.RequireComputable({&view.Input(0), &view.Output()});
  if (view.ComputesInt16()) {
    LegaliseInt16(view, op);
    return;
  }
  AddTable(view, UnaryTable(op.kind, view.Input(0), view.Output(), view.graph.GetRounding()));
}

void Legalise(const OperatorView& view, const ir::Function& op) {
  if (view.ComputesFloats()) {
    LegaliseFloat(view, op);
    return;
  }
  view.RequireComputable({&view.Input(0), &view.Output()});
  view.Require(HasTable(op.kind), "tensor {} is int8, and only float32 is supported",
               view.Output().name);
  AddTable(view, FunctionTable(op.kind, view.Input(0), view.Output(), view.graph.GetRounding()));
}

// The activation is a table behind the quotient.
void Legalise(const OperatorView& view, const ir::Divide& op) {
  if (view.ComputesFloats()) {
    LegaliseFloat(view, op);
    return;
  }
  view.RequireComputable({&view.Input(0), &view.Input(1), &view.Output()});
  if (LegaliseAsTable(view, op)) return;
  if (op.activation == ir::Activation::kNone) {
    LegaliseForHost(view, op, view.op.outputs[0]);
    return;
  }
  const ir::Tensor output = view.Output();
  const ir::TensorId quotient = view.Like(output, output.shape, "quotient");
  LegaliseForHost(view, ir::Divide{}, quotient);
  view.Add({quotient}, view.op.outputs[0], ActivationTable(op.activation, output));
}

void Legalise(const OperatorView& view, const ir::SquaredDifference& op) {
  if (view.ComputesFloats()) {
    LegaliseFloat(view, op);
    return;
  }
  view.RequireComputable({&view.Input(0), &view.Input(1), &view.Output()});
  if (!view.ComputesInt16() && LegaliseAsTable(view, op)) return;
  if (view.graph.Config().int16 != 0) {
    LegaliseInt16(view, op);
  } else {
    LegaliseForHost(view, op, view.op.outputs[0]);
  }
}

void Legalise(const OperatorView& view, const ir::AddN& op) {
  if (view.ComputesFloats()) {
    LegaliseFloat(view, op);
    return;
  }
  const ir::Tensor& first = view.Input(0);
  for (std::size_t i = 0; i < view.op.inputs.size(); ++i) {
    const ir::Tensor& input = view.Input(i);
    view.RequireComputable({&input, &view.Output()});
    view.Require(input.shape == view.Output().shape && input.scale == first.scale &&
                     input.zero_point == first.zero_point,
                 "{} and {} must have the same shape, scale and zero point", first.name,
                 input.name);
  }
  view.Keep();
}

void Legalise(const OperatorView& view, const ir::L2Normalization& /*op*/) {
  view.RequireInt8(view.Input(0));
  view.RequireInt8(view.Output());
  view.Require(view.Input(0).shape == view.Output().shape && !view.Output().shape.empty(),
               "input {} and output {} must have the same shape", view.Input(0).name,
               view.Output().name);
  view.Keep();
}

void Legalise(const OperatorView& view, const ir::LeakyRelu& op) {
  if (view.ComputesFloats()) {
    LegaliseFloat(view, op);
    return;
  }
  view.RequireComputable({&view.Input(0), &view.Output()});
  if (view.ComputesInt16()) {
    LegaliseInt16(view, op);
    return;
  }
  AddTable(view, LeakyReluTable(op.alpha, view.Input(0), view.Output(), view.graph.GetRounding()));
}

// With one slope the operator is a table. Otherwise the operator is a sum: the values above zero,
// rescaled, plus the values below zero times their slopes. One of the two terms is always zero.
void Legalise(const OperatorView& view, const ir::Prelu& op) {
  if (view.ComputesFloats()) {
    LegaliseFloat(view, op);
    return;
  }
  const ir::Tensor input = view.Input(0);
  const ir::Tensor slopes = view.Input(1);
  const ir::Tensor output = view.Output();
  view.RequireInt8(input);
  view.RequireComputable({&input, &slopes, &output});
  view.Require(input.shape == output.shape, "input {} and output {} must have the same shape",
               input.name, output.name);
  // LiteRT has a kernel of its own, which rounds as in double.
  const Rounding rounding =
      RoundingOf(ir::OperatorName(view.op.attributes), view.graph.GetRounding());
  if (const auto slope = Uniform(slopes)) {
    AddTable(view, PreluTable(input, slopes, *slope, output, rounding));
    return;
  }
  const ir::TensorId positive = view.Like(output, output.shape, "positive");
  view.Add({view.op.inputs[0]}, positive, PositivePartTable(input, output, rounding));
  const ir::TensorId negative = view.Like(input, input.shape, "negative");
  view.Add({view.op.inputs[0]}, negative, NegativePartTable(input));
  const ir::TensorId product = view.Like(output, output.shape, "product");
  AddBinary(view, {.kind = ir::BinaryKind::kMul}, negative, view.op.inputs[1], product);
  // Both tensors have the same scale and zero point. Therefore their sum is exact.
  view.Add({positive, product}, view.op.outputs[0], ir::Binary{.kind = ir::BinaryKind::kAdd});
}

void Legalise(const OperatorView& view, const ir::Quantize& /*op*/) {
  if (IsByte(view.Input(0)) && IsByte(view.Output())) {
    AddTable(view, QuantizeTable(view.Input(0), view.Output(), view.graph.GetRounding()));
    return;
  }
  if (RescalesInt16(view)) {
    view.Add(view.op.inputs, view.op.outputs[0],
             RescaleOf(view.Input(0), view.Output(), view.graph.GetRounding()));
    return;
  }
  using enum ElementType;
  view.Require(IsOneOf(view.Input(0).type, {kFloat32, kInt8, kUint8, kInt16, kInt32}) &&
                   IsOneOf(view.Output().type, {kInt8, kUint8, kInt16, kInt32}),
               "{} to {} is not supported", ElementTypeName(view.Input(0).type),
               ElementTypeName(view.Output().type));
  if (view.Input(0).type != kFloat32 || !IsFloat(view.graph.GetRounding())) {
    view.Keep();
    return;
  }
  const auto steps = view.graph.GetRounding() == Rounding::kOnnxRuntime
                         ? host_operators::FloatSteps::kQuotientEven
                         : host_operators::FloatSteps::kProductEven;
  view.Add(view.op.inputs, view.op.outputs[0],
           ir::HostOperator{.attributes = host_operators::Quantize{.steps = steps}});
}

void Legalise(const OperatorView& view, const ir::Dequantize& /*op*/) {
  using enum ElementType;
  view.Require(IsOneOf(view.Input(0).type, {kInt8, kUint8, kInt16, kInt32}) &&
                   view.Output().type == kFloat32,
               "{} to {} is not supported", ElementTypeName(view.Input(0).type),
               ElementTypeName(view.Output().type));
  view.Keep();
}

// Made by passes alone.
void Legalise(const OperatorView& view, const ir::IntegerMap& /*op*/) { view.Keep(); }
void Legalise(const OperatorView& view, const ir::IntegerSum& /*op*/) { view.Keep(); }
void Legalise(const OperatorView& view, const ir::WideLookup& /*op*/) { view.Keep(); }
void Legalise(const OperatorView& view, const ir::Convert& /*op*/) { view.Keep(); }
void Legalise(const OperatorView& view, const ir::MatMul& /*op*/) { view.Keep(view.op.macs); }
void Legalise(const OperatorView& view, const ir::Scale& /*op*/) { view.Keep(); }
void Legalise(const OperatorView& view, const ir::Chain& /*op*/) { view.Keep(); }
void Legalise(const OperatorView& view, const ir::Adam& /*op*/) { view.Keep(); }

void Legalise(const OperatorView& view, const ir::Softmax& op) {
  if (view.Output().type == ElementType::kBfloat16) {
    LegaliseFloat(view, op);
    return;
  }
  using enum ElementType;
  const ElementType type = view.Input(0).type;
  view.Require(type == kInt8 ? IsOneOf(view.Output().type, {kInt8, kInt16})
                             : IsOneOf(type, {kInt16, kFloat32}) && view.Output().type == type,
               "{} to {} is not supported", ElementTypeName(type),
               ElementTypeName(view.Output().type));
  view.Require(op.beta >= 0.0F, "beta must not be negative");
  view.Require(view.Input(0).shape == view.Output().shape,
               "input {} and output {} must have the same shape", view.Input(0).name,
               view.Output().name);
  if (!LegaliseInteger(view, op) && !LegaliseInt16(view, op)) view.Keep();
}

void Legalise(const OperatorView& view, const ir::ArgMax& op) {
  using enum ElementType;
  view.Require(view.Input(0).type != kBool && IsOneOf(view.Output().type, {kInt32, kInt64}),
               "{} to {} is not supported", ElementTypeName(view.Input(0).type),
               ElementTypeName(view.Output().type));
  const ir::Shape& shape = view.Input(0).shape;
  view.Require(op.axis >= 0 && op.axis < static_cast<std::int64_t>(shape.size()),
               "axis {} does not exist", op.axis);
  view.Require(view.Output().Elements() * shape[static_cast<std::size_t>(op.axis)] ==
                   view.Input(0).Elements(),
               "output {} has the wrong size", view.Output().name);
  view.Keep();
}

}  // namespace tpu::compiler
