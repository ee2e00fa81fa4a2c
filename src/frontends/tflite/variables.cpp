// SPDX-License-Identifier: Apache-2.0
#include "frontends/tflite/variables.h"

#include <cstring>

#include "base/error.h"
#include "frontends/tflite/tensors.h"
#include "ir/tensor_data.h"

namespace tpu::tflite {

Variables::Variables(const Model& model) : model_(model) {
  for (const Operator& op : model.operators) {
    if (op.code == BuiltinOperator::VAR_HANDLE) NoteHandle(op, handles_);
    if (op.code == BuiltinOperator::ASSIGN_VARIABLE) NoteAssignment(op, model, handles_, false);
  }
  for (const Operator& op : model.operators) {
    if (op.code != BuiltinOperator::CALL_ONCE) continue;
    for (const std::int32_t index : SubgraphsOf(op)) NoteInitialiser(model.subgraphs.at(index));
  }
}

bool Variables::IsHandled(BuiltinOperator code) {
  return code == BuiltinOperator::VAR_HANDLE || code == BuiltinOperator::READ_VARIABLE ||
         code == BuiltinOperator::ASSIGN_VARIABLE || code == BuiltinOperator::CALL_ONCE;
}

void Variables::NoteHandle(const Operator& op, Handles& handles) const {
  const auto* options = op.options.AsVarHandleOptions();
  Require(options != nullptr && op.outputs.size() == 1, "{}: its options or its output are missing",
          op.name);
  handles[op.outputs[0]] = options->container + "/" + options->shared_name;
}

Variables::Variable& Variables::VariableOf(const Operator& op, const Handles& handles) {
  Require(!op.inputs.empty() && handles.contains(op.inputs[0]),
          "{}: its first input is no variable of a VAR_HANDLE before it", op.name);
  return variables_[handles.at(op.inputs[0])];
}

void Variables::NoteAssignment(const Operator& op, const Subgraph& subgraph, const Handles& handles,
                               bool once) {
  Variable& variable = VariableOf(op, handles);
  Require(op.inputs.size() == 2 && op.inputs[1] >= 0, "{}: has {} inputs; there must be 2", op.name,
          op.inputs.size());
  const Tensor& value = subgraph.tensors[static_cast<std::size_t>(op.inputs[1])];
  const std::optional<ElementType> type = ElementTypeOf(value.type);
  Require(type.has_value() && value.Elements() > 0, "{}: a variable cannot be {} {}", op.name,
          TypeName(value.type), value.name);
  const ir::Shape shape(value.shape.begin(), value.shape.end());
  if (variable.initial.empty()) {
    variable.type = *type;
    variable.shape = shape;
    if (const Quantization& q = value.quantization; !q.scales.empty()) {
      variable.scale = q.scales[0];
      variable.zero_point = static_cast<std::int32_t>(q.zero_points[0]);
    }
    // TensorFlow Lite Micro fills variables with the zero point's low byte.
    variable.initial.assign(static_cast<std::size_t>(value.Elements() * TypeBytes(value.type)),
                            static_cast<std::uint8_t>(variable.zero_point));
  }
  Require(variable.type == *type && variable.shape == shape,
          "{}: {} is {} {}; the variable is {} {}", op.name, value.name, ElementTypeName(*type),
          Text(shape), ElementTypeName(variable.type), Text(variable.shape));
  if (once) {
    variable.initial = value.data;
  } else {
    variable.assigned = true;
  }
}

void Variables::NoteInitialiser(const Subgraph& subgraph) {
  Handles handles;
  for (const Operator& op : subgraph.operators) {
    if (op.code == BuiltinOperator::VAR_HANDLE) {
      NoteHandle(op, handles);
      continue;
    }
    const bool assigns_constant =
        op.code == BuiltinOperator::ASSIGN_VARIABLE && op.inputs.size() == 2 && op.inputs[1] >= 0 &&
        subgraph.tensors[static_cast<std::size_t>(op.inputs[1])].IsConstant();
    Require(assigns_constant,
            "{}: a subgraph that CALL_ONCE runs may only assign constants to variables", op.name);
    NoteAssignment(op, subgraph, handles, true);
  }
}

ir::TensorId Variables::CurrentOf(Variable& variable, const std::string& name,
                                  ir::Graph& graph) const {
  if (variable.current) return *variable.current;
  ir::Tensor tensor = {.name = name, .type = variable.type};
  tensor.shape = variable.shape;
  tensor.scale = variable.scale;
  tensor.zero_point = variable.zero_point;
  // Which no run changes is a constant.
  if (!variable.assigned) ir::SetData(tensor, variable.initial);
  variable.current = graph.AddTensor(std::move(tensor));
  if (variable.assigned) variable.before = variable.current;
  return *variable.current;
}

void Variables::Import(OperatorReader& reader, std::size_t index, ir::Graph& graph) {
  const Operator& op = model_.operators[index];
  switch (op.code) {
    case BuiltinOperator::CALL_ONCE:
      reader.RequireCounts(0, 0, 0);
      reader.Require(!used_, "an operator before it uses a variable");
      return;
    case BuiltinOperator::VAR_HANDLE:
      return;
    default:
      used_ = true;
  }
  Variable& variable = VariableOf(op, handles_);
  const std::string name = "variable " + handles_.at(op.inputs[0]);
  if (op.code == BuiltinOperator::ASSIGN_VARIABLE) {
    reader.RequireCounts(2, 2, 0);
    reader.Require(reader.Input(1).shape == variable.shape, "{} is {}, not {}",
                   reader.Input(1).name, Text(reader.Input(1).shape), Text(variable.shape));
    variable.current = static_cast<ir::TensorId>(op.inputs[1]);
    return;
  }
  reader.RequireCounts(1, 1);
  reader.Require(!variable.initial.empty(), "nothing assigns a value to the variable");
  reader.SettleOutput(variable.shape);
  const ir::TensorId current = CurrentOf(variable, name, graph);
  reader.RequireSameType(graph.tensors[current], reader.Output());
  graph.operators.push_back({.name = reader.GraphName(),
                             .inputs = {current},
                             .outputs = {static_cast<ir::TensorId>(op.outputs[0])},
                             .attributes = ir::Reshape{}});
}

void Variables::AddStates(ir::Graph& graph) const {
  for (const auto& [name, variable] : variables_) {
    if (!variable.before) continue;
    graph.states.push_back(
        {.before = *variable.before, .after = *variable.current, .initial = variable.initial});
  }
}

}  // namespace tpu::tflite
