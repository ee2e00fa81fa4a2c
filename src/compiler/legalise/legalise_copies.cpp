// SPDX-License-Identifier: Apache-2.0
// What all rules for moves need, and rules of operators that copy parts of tensors.
#include <algorithm>
#include <utility>

#include "compiler/legalise/legalise_rules.h"

namespace tpu::compiler {

void RequireOneType(const OperatorView& view, ir::TensorId output) {
  for (const ir::TensorId id : view.op.inputs) {
    const ir::Tensor& input = view.graph.At(id);
    view.Require(input.type == view.graph.At(output).type,
                 "input {} and output {} must have the same type", input.name,
                 view.graph.At(output).name);
  }
}

void AddMove(const OperatorView& view, std::vector<ir::TensorId> inputs, ir::TensorId output,
             ir::Move move) {
  RequireOneType(view, output);
  if (ir::IsIdentity(move)) {
    view.Add({inputs[0]}, output, ir::Reshape{});
  } else {
    view.Add(std::move(inputs), output, std::move(move));
  }
}
void AddMove(const OperatorView& view, ir::TensorId output, ir::Move move) {
  AddMove(view, view.op.inputs, output, std::move(move));
}

bool CanBroadcast(const ir::Shape& from, const ir::Shape& to) {
  if (from.size() > to.size()) return false;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::int64_t d = from[from.size() - 1 - i];
    if (d != 1 && d != to[to.size() - 1 - i]) return false;
  }
  return true;
}

// One axis after the other.
void Legalise(const OperatorView& view, const ir::MirrorPad& op) {
  ir::Shape shape = view.Input(0).shape;
  view.Require(op.before.size() == shape.size() && op.after.size() == shape.size(),
               "the paddings do not fit input {}", view.Input(0).name);
  ir::TensorId padded = view.op.inputs[0];
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::int64_t most = shape[axis] - op.offset;
    view.Require(op.before[axis] >= 0 && op.before[axis] <= most && op.after[axis] >= 0 &&
                     op.after[axis] <= most,
                 "paddings of {} and {} are more than a dimension of {} has to mirror",
                 op.before[axis], op.after[axis], shape[axis]);
    if (op.before[axis] == 0 && op.after[axis] == 0) continue;
    const ir::Gather gather = {.axis = static_cast<std::int64_t>(axis),
                               .indices = ir::MirroredIndices(op, axis, shape[axis])};
    ir::Shape wider = shape;
    wider[axis] = static_cast<std::int64_t>(gather.indices.size());
    const ir::TensorId next = view.Like(view.Output(), wider, "padded");
    view.Add({padded}, next, ir::MoveOf(gather, shape, wider));
    padded = next;
    shape = std::move(wider);
  }
  view.Require(shape == view.Output().shape, "output {} must be as large as the padded input",
               view.Output().name);
  RequireOneType(view, view.op.outputs[0]);
  view.Add({padded}, view.op.outputs[0], ir::Reshape{});
}

void Legalise(const OperatorView& view, const ir::BroadcastTo& /*op*/) {
  RequireOneType(view, view.op.outputs[0]);
  const ir::Shape& output = view.Output().shape;
  view.Require(CanBroadcast(view.Input(0).shape, output), "{} does not broadcast to {}",
               view.Input(0).name, view.Output().name);
  AddMove(view, view.op.outputs[0], ir::BroadcastMove(view.Input(0).shape, output));
}

void Legalise(const OperatorView& view, const ir::UpdateSlice& op) {
  const ir::Shape& output = view.Output().shape;
  const ir::Shape& part = view.Input(1).shape;
  view.Require(view.Input(0).shape == output && part.size() == output.size() &&
                   op.begin.size() == output.size(),
               "input {} and output {} must have one shape, and what replaces a part of it as many "
               "dimensions",
               view.Input(0).name, view.Output().name);
  for (std::size_t i = 0; i < output.size(); ++i) {
    view.Require(op.begin[i] >= 0 && part[i] <= output[i] - op.begin[i],
                 "the part {} from {} does not lie in a dimension of {}", part[i], op.begin[i],
                 output[i]);
  }
  AddMove(view, view.op.outputs[0], ir::UpdateMove(op, part, output));
}

}  // namespace tpu::compiler
