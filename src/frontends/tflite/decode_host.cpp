// SPDX-License-Identifier: Apache-2.0
// Operators that the host computes. Which types they take, host_operators/check.h says.
#include "frontends/tflite/operator_reader.h"

namespace tpu::tflite {
namespace {

namespace schema = tflite::schema;

}  // namespace

ir::Attributes DecodeComparison(OperatorReader& op, host_operators::Relation relation) {
  op.RequireCounts(2, 2);
  op.SettleOutput(Broadcast(op, op.Operand(0).shape, op.Operand(1).shape));
  return ir::HostOperator{host_operators::Comparison{.relation = relation}};
}

ir::Attributes DecodeHostUnary(OperatorReader& op, host_operators::UnaryOperation operation) {
  op.RequireCounts(1, 1);
  op.SettleOutput(op.Operand(0).shape);
  return ir::HostOperator{host_operators::Unary{.operation = operation}};
}

ir::Attributes DecodeHostBinary(OperatorReader& op, host_operators::BinaryOperation operation,
                                ir::Activation activation) {
  op.RequireCounts(2, 2);
  op.SettleOutput(Broadcast(op, op.Operand(0).shape, op.Operand(1).shape));
  return ir::HostOperator{host_operators::Binary{.operation = operation, .activation = activation}};
}

ir::Attributes DecodeSelect(OperatorReader& op) {
  op.RequireCounts(3, 3);
  const ir::Shape condition = op.Operand(0).shape;
  const ir::Shape values = Broadcast(op, op.Operand(1).shape, op.Operand(2).shape);
  op.SettleOutput(Broadcast(op, condition, values));
  return ir::HostOperator{host_operators::Select{}};
}

ir::Attributes DecodeCast(OperatorReader& op) {
  op.RequireCounts(1, 1);
  op.SettleOutput(op.Operand(0).shape);
  return ir::HostOperator{host_operators::Cast{}};
}

ir::Attributes DecodeCumulativeSum(OperatorReader& op) {
  op.RequireCounts(2, 2);
  const auto options = op.OptionsOrDefault<schema::CumsumOptionsT>();
  const ir::Shape& shape = op.Operand(0).shape;
  const std::size_t axis = op.Axis(op.Integer(1, "the axis"), shape.size());
  op.SettleOutput(shape);
  return ir::HostOperator{host_operators::CumulativeSum{.axis = static_cast<std::int64_t>(axis),
                                                        .exclusive = options.exclusive,
                                                        .reverse = options.reverse}};
}

ir::Attributes DecodeReduceExtreme(OperatorReader& op, bool smallest) {
  op.RequireCounts(2, 2);
  const ir::Shape& shape = op.Operand(0).shape;
  const std::vector<std::int64_t> axes = ReducedAxes(op, shape.size());
  const bool keep = op.OptionsOrDefault<schema::ReducerOptionsT>().keep_dims;
  op.SettleElements(ReducedShape(shape, axes, keep));
  return ir::HostOperator{host_operators::ReduceExtreme{.axes = axes, .smallest = smallest}};
}

ir::Attributes DecodeLogSoftmax(OperatorReader& op) {
  op.RequireCounts(1, 1);
  op.SettleOutput(op.Operand(0).shape);
  return ir::HostOperator{host_operators::LogSoftmax{}};
}

ir::Attributes DecodeBroadcastArgs(OperatorReader& op) {
  op.RequireCounts(2, 2);
  for (std::size_t i = 0; i < 2; ++i) op.RequireRank(op.Operand(i), 1);
  op.SettleOutput({std::max(op.Input(0).shape[0], op.Input(1).shape[0])});
  return ir::HostOperator{host_operators::BroadcastArgs{}};
}

}  // namespace tpu::tflite
