// SPDX-License-Identifier: Apache-2.0
// Operands that broadcast. The vector unit repeats an operand for rows and columns of pixels by
// strides of 0. What is repeated otherwise is copied.
#include <algorithm>
#include <optional>
#include <utility>

#include "compiler/legalise/legalise_rules.h"

namespace tpu::compiler {
namespace {

// A tensor and one that is repeated for some of its images, rows and columns, both [n, h, w, c].
struct Repetition {
  ir::Shape whole;
  ir::Shape repeated;
};

// Neighbouring dimensions in which the operand is repeated, or is not, become one: for three of
// them and the channels, in which the operand must not be repeated unless all N lanes are, there
// are axes of images.
std::optional<Repetition> AsImages(ir::Shape operand, const ir::Shape& output, std::int64_t lanes) {
  if (output.empty() || operand.size() > output.size()) return std::nullopt;
  operand.insert(operand.begin(), output.size() - operand.size(), 1);
  if (operand.back() != std::min(output.back(), lanes) && operand.back() != output.back()) {
    return std::nullopt;
  }
  Repetition images = {.whole = {output.back()}, .repeated = {operand.back()}};
  for (std::size_t d = output.size() - 1; d-- > 0;) {
    if (output[d] == 1) continue;
    const bool repeats = operand[d] == 1;
    const bool joins = images.whole.size() > 1 && (images.repeated.front() == 1) == repeats;
    if (joins) {
      images.whole.front() *= output[d];
      images.repeated.front() *= operand[d];
    } else {
      images.whole.insert(images.whole.begin(), output[d]);
      images.repeated.insert(images.repeated.begin(), operand[d]);
    }
  }
  if (images.whole.size() > 4) return std::nullopt;
  for (ir::Shape* shape : {&images.whole, &images.repeated}) {
    shape->insert(shape->begin(), 4 - shape->size(), 1);
  }
  return images;
}

bool IsScalar(const ir::Tensor& tensor) {
  return tensor.type == ElementType::kBfloat16 && tensor.IsConstant() && tensor.Elements() == 1;
}

}  // namespace

bool RepeatsLanes(const OperatorView& view, ir::Shape operand, const ir::Shape& output) {
  const std::int64_t lanes = view.graph.Config().n;
  operand.back() = std::min(output.back(), lanes);
  return AsImages(std::move(operand), output, lanes).has_value();
}

void AddBinary(const OperatorView& view, const ir::Binary& op, ir::TensorId first,
               ir::TensorId second, ir::TensorId output) {
  const bool commutes = op.kind != ir::BinaryKind::kSub;
  AddBinary(view, op, commutes ? std::optional<ir::Attributes>(op) : std::nullopt, first, second,
            output);
}

void AddBinary(const OperatorView& view, const ir::Attributes& op,
               const std::optional<ir::Attributes>& swapped, ir::TensorId first,
               ir::TensorId second, ir::TensorId output) {
  const ir::Shape shape = view.graph.At(output).shape;
  const auto repeats = [&](ir::TensorId id) {
    return view.graph.At(id).Elements() != view.graph.At(output).Elements() &&
           !IsScalar(view.graph.At(id));
  };
  if (swapped && repeats(first) && !repeats(second)) {
    AddBinary(view, *swapped, std::nullopt, second, first, output);
    return;
  }
  const std::optional<Repetition> images =
      repeats(second) && !repeats(first)
          ? AsImages(view.graph.At(second).shape, shape, view.graph.Config().n)
          : std::nullopt;
  if (images) {
    const ir::TensorId result = view.Like(view.graph.At(output), images->whole, "images");
    view.Add({view.Reshaped(first, images->whole), view.Reshaped(second, images->repeated)}, result,
             op);
    view.Add({result}, output, ir::Reshape{});
    return;
  }
  for (ir::TensorId* id : {&first, &second}) {
    if (!IsScalar(view.graph.At(*id))) *id = Broadcast(view, *id, shape);
  }
  view.Add({first, second}, output, op);
}

// Operands change places in what has the same meaning then.
void Legalise(const OperatorView& view, const ir::Map& op) {
  view.RequireFloats();
  if (view.op.inputs.size() == 1) {
    view.Keep();
    return;
  }
  std::optional<ir::Attributes> swapped;
  switch (op.kind) {
    case ir::MapKind::kAdd:
    case ir::MapKind::kMul:
    case ir::MapKind::kMaximum:
    case ir::MapKind::kMinimum:
    case ir::MapKind::kEqual:
      swapped = op;
      break;
    case ir::MapKind::kSub:
      swapped = ir::Map{.kind = ir::MapKind::kReverseSub};
      break;
    case ir::MapKind::kReverseSub:
      swapped = ir::Map{.kind = ir::MapKind::kSub};
      break;
    case ir::MapKind::kGreater:
    case ir::MapKind::kGreaterOrEqual:
    case ir::MapKind::kSelect:
    case ir::MapKind::kMultiplyAdd:
    case ir::MapKind::kAddSquare:
      break;
  }
  AddBinary(view, op, swapped, view.op.inputs[0], view.op.inputs[1], view.op.outputs[0]);
}

}  // namespace tpu::compiler
