// SPDX-License-Identifier: Apache-2.0
// Matrix products, elementwise operators and reductions.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "frontends/tflite/operator_reader.h"

namespace tpu::tflite {
namespace {

namespace schema = tflite::schema;

// The zero point that the kernels of some functions are made for, on int8.
void RequireOutputZeroPoint(const OperatorReader& op, std::int32_t zero_point) {
  const ir::Tensor& output = op.Output();
  if (output.type != ElementType::kInt8) return;
  op.Require(output.zero_point == zero_point, "{} must have zero point {}, not {}", output.name,
             zero_point, output.zero_point);
}

ir::Activation BinaryActivation(const OperatorReader& op, ir::BinaryKind kind) {
  switch (kind) {
    case ir::BinaryKind::kAdd:
      return op.FusedActivation(
          op.OptionsOrDefault<schema::AddOptionsT>().fused_activation_function);
    case ir::BinaryKind::kSub:
      return op.FusedActivation(
          op.OptionsOrDefault<schema::SubOptionsT>().fused_activation_function);
    case ir::BinaryKind::kMul:
      return op.FusedActivation(
          op.OptionsOrDefault<schema::MulOptionsT>().fused_activation_function);
    case ir::BinaryKind::kMaximum:
    case ir::BinaryKind::kMinimum:
      break;
  }
  return ir::Activation::kNone;
}

host_operators::BinaryOperation HostOperation(ir::BinaryKind kind) {
  using enum host_operators::BinaryOperation;
  switch (kind) {
    case ir::BinaryKind::kAdd:
      return kAdd;
    case ir::BinaryKind::kSub:
      return kSub;
    case ir::BinaryKind::kMul:
      return kMul;
    case ir::BinaryKind::kMaximum:
      return kMaximum;
    case ir::BinaryKind::kMinimum:
      break;
  }
  return kMinimum;
}

}  // namespace

ir::Shape Broadcast(const OperatorReader& op, const ir::Shape& a, const ir::Shape& b) {
  const std::size_t rank = std::max(a.size(), b.size());
  const auto dimension = [&](const ir::Shape& shape, std::size_t i) {
    const std::size_t missing = rank - shape.size();
    return i < missing ? 1 : shape[i - missing];
  };
  ir::Shape result(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t da = dimension(a, i);
    const std::int64_t db = dimension(b, i);
    op.Require(da == db || da == 1 || db == 1, "{} and {} do not broadcast", Text(a), Text(b));
    result[i] = std::max(da, db);
  }
  return result;
}

std::vector<std::int64_t> ReducedAxes(const OperatorReader& op, std::size_t rank) {
  std::set<std::int64_t> axes;
  for (const std::int64_t axis : op.Integers(1, "the axes")) {
    axes.insert(static_cast<std::int64_t>(op.Axis(axis, rank)));
  }
  op.Require(!axes.empty(), "there are no axes to reduce");
  return {axes.begin(), axes.end()};
}

ir::Shape ReducedShape(const ir::Shape& input, const std::vector<std::int64_t>& axes, bool keep) {
  ir::Shape shape;
  for (std::size_t i = 0; i < input.size(); ++i) {
    const bool reduced = std::binary_search(axes.begin(), axes.end(), static_cast<std::int64_t>(i));
    if (!reduced || keep) shape.push_back(reduced ? 1 : input[i]);
  }
  return shape;
}

ir::Attributes DecodeFullyConnected(OperatorReader& op) {
  op.RequireCounts(2, 3);
  const auto options = op.OptionsOrDefault<schema::FullyConnectedOptionsT>();
  op.Require(options.weights_format == 0, "weights in format {} are not supported",
             int{options.weights_format});
  const ir::Tensor& input = op.Activations(0);
  const ir::Tensor& weights = op.Weights(1, 0, true);
  op.RequireRank(weights, 2);
  const std::int64_t outputs = weights.shape[0];
  const std::int64_t inputs = weights.shape[1];
  op.Require(input.Elements() % inputs == 0, "{} {} does not make rows of {} values", input.name,
             Text(input.shape), inputs);
  op.Bias(2, outputs, {ElementType::kInt64, ElementType::kInt32});
  if (options.keep_num_dims) {
    op.Require(!input.shape.empty() && input.shape.back() == inputs,
               "{} {} does not end in a dimension of {}", input.name, Text(input.shape), inputs);
    ir::Shape shape = input.shape;
    shape.back() = outputs;
    op.SettleElements(shape);
  } else {
    op.SettleElements({input.Elements() / inputs, outputs});
  }
  op.OutputActivations(SumUnit(input, weights));
  return ir::FullyConnected{.activation = op.FusedActivation(options.fused_activation_function)};
}

ir::Attributes DecodeBinary(OperatorReader& op, ir::BinaryKind kind) {
  op.RequireCounts(2, 2);
  const ElementType type = op.Input(0).type;
  if (type == ElementType::kInt32 || type == ElementType::kInt64) {
    // TensorFlow Lite Micro does not clamp sums of int32.
    const bool clamps = kind != ir::BinaryKind::kAdd || type != ElementType::kInt32;
    return DecodeHostBinary(op, HostOperation(kind),
                            clamps ? BinaryActivation(op, kind) : ir::Activation::kNone);
  }
  const ir::Tensor& a = op.Activations(0);
  const ir::Tensor& b = op.Activations(1);
  op.SettleOutput(Broadcast(op, a.shape, b.shape));
  op.RequireSameType(a, b);
  op.OutputActivations(kind == ir::BinaryKind::kMul
                           ? SumUnit(a, b)
                           : static_cast<double>(std::max(a.scale, b.scale)));
  return ir::Binary{.kind = kind, .activation = BinaryActivation(op, kind)};
}

ir::Attributes DecodeUnary(OperatorReader& op, ir::UnaryKind kind) {
  op.RequireCounts(1, 1);
  op.SettleOutput(op.Activations(0).shape);
  if (kind == ir::UnaryKind::kRelu || kind == ir::UnaryKind::kReluN1To1 ||
      kind == ir::UnaryKind::kHardSwish || kind == ir::UnaryKind::kElu) {
    op.OutputActivations(static_cast<double>(op.Input(0).scale));
  } else {  // The input is not multiplied by what the scales make.
    op.RequireSameType(op.Input(0), op.Output());
    op.RequireComputable(op.Output());
  }
  if (kind == ir::UnaryKind::kHardSwish && !op.ComputesFloats()) {
    op.Require(op.Input(0).scale < 128.0F * op.Output().scale,
               "the scale of {}, {}, is too small for an input scale of {}", op.Output().name,
               op.Output().scale, op.Input(0).scale);
  }
  // TensorFlow Lite ignores the scale that the file gives: the values are 256ths and 128ths.
  if (kind == ir::UnaryKind::kLogistic) RequireOutputZeroPoint(op, -128);
  if (kind == ir::UnaryKind::kTanh) RequireOutputZeroPoint(op, 0);
  return ir::Unary{.kind = kind};
}

ir::Attributes DecodeFunction(OperatorReader& op, ir::FunctionKind kind) {
  op.RequireCounts(1, 1);
  op.SettleOutput(op.Floats(0).shape);
  return ir::Function{.kind = kind};
}

ir::Attributes DecodeAbs(OperatorReader& op) {
  op.RequireCounts(1, 1);
  const ir::Tensor& input = op.BytesOrFloats(0);
  op.SettleOutput(input.shape);
  op.OutputActivations(static_cast<double>(input.scale));
  return ir::Function{.kind = ir::FunctionKind::kAbsolute};
}

ir::Attributes DecodeRsqrt(OperatorReader& op) {
  op.RequireCounts(1, 1);
  const ir::Tensor& input = op.BytesOrFloats(0);
  op.SettleOutput(input.shape);
  const double unit = 1.0 / std::sqrt(static_cast<double>(input.scale));
  op.OutputActivations(unit);
  // TensorFlow Lite shifts by 20 bits more than this factor has, and by 31 at most.
  const double factor = unit / static_cast<double>(op.Output().scale);
  op.Require(op.ComputesFloats() || factor >= std::ldexp(1.0, -12),
             "the scales make a factor of {:.3g}, which is too small", factor);
  return ir::Function{.kind = ir::FunctionKind::kRsqrt};
}

ir::Attributes DecodeAddN(OperatorReader& op) {
  op.RequireCounts(2, std::numeric_limits<std::size_t>::max());
  const ir::Tensor& first = op.BytesOrFloats(0);
  for (std::size_t i = 1; i < op.Inputs(); ++i) {
    const ir::Tensor& input = op.BytesOrFloats(i);
    op.RequireSameType(first, input);
    op.Require(input.shape == first.shape, "{} {} and {} {} must have the same shape", first.name,
               Text(first.shape), input.name, Text(input.shape));
    op.Require(
        op.ComputesFloats() || (input.scale == first.scale && input.zero_point == first.zero_point),
        "{} and {} must have the same scale and zero point", first.name, input.name);
  }
  op.SettleOutput(first.shape);
  op.OutputActivations(static_cast<double>(first.scale));
  return ir::AddN{};
}

ir::Attributes DecodeL2Normalization(OperatorReader& op) {
  op.RequireCounts(1, 1);
  const ir::Tensor& input = op.Operand(0);
  op.RequireQuantized(input, {ElementType::kInt8});
  op.RequireQuantized(op.Output(), {ElementType::kInt8});
  op.Require(!input.shape.empty(), "{} has no dimensions", input.name);
  op.SettleOutput(input.shape);
  const auto options = op.OptionsOrDefault<schema::L2NormOptionsT>();
  op.Require(op.FusedActivation(options.fused_activation_function) == ir::Activation::kNone,
             "an activation is not supported");
  return ir::L2Normalization{};
}

ir::Attributes DecodeDivide(OperatorReader& op) {
  op.RequireCounts(2, 2);
  const ElementType type = op.Input(0).type;
  if (type == ElementType::kInt32 || type == ElementType::kInt64) {
    return DecodeHostBinary(
        op, host_operators::BinaryOperation::kDiv,
        op.FusedActivation(op.OptionsOrDefault<schema::DivOptionsT>().fused_activation_function));
  }
  const ir::Tensor& first = op.BytesOrFloats(0);
  const ir::Tensor& second = op.BytesOrFloats(1);
  op.RequireSameType(first, second);
  op.SettleOutput(Broadcast(op, first.shape, second.shape));
  op.OutputActivations(static_cast<double>(first.scale) / static_cast<double>(second.scale));
  const auto options = op.OptionsOrDefault<schema::DivOptionsT>();
  return ir::Divide{.activation = op.FusedActivation(options.fused_activation_function)};
}

ir::Attributes DecodeSquaredDifference(OperatorReader& op) {
  op.RequireCounts(2, 2);
  const ir::Tensor& first = op.Activations(0);
  const ir::Tensor& second = op.Activations(1);
  op.RequireSameType(first, second);
  op.SettleOutput(Broadcast(op, first.shape, second.shape));
  const double larger =
      std::max(static_cast<double>(first.scale), static_cast<double>(second.scale));
  op.OutputActivations(larger * larger);
  return ir::SquaredDifference{};
}

ir::Attributes DecodeBatchMatMul(OperatorReader& op) {
  op.RequireCounts(2, 2);
  const auto options = op.OptionsOrDefault<schema::BatchMatMulOptionsT>();
  const auto matrix = [&](std::size_t i, bool transposed) {
    ir::Shape shape = op.Activations(i).shape;
    op.Require(shape.size() >= 2, "{} {} must have 2 dimensions or more", op.Input(i).name,
               Text(shape));
    if (transposed) std::swap(shape.back(), shape[shape.size() - 2]);
    return shape;
  };
  ir::Shape a = matrix(0, options.adj_x);
  ir::Shape b = matrix(1, options.adj_y);
  op.Require(a.back() == b[b.size() - 2], "{} and {} are no factors of a product", Text(a),
             Text(b));
  const std::int64_t rows = a[a.size() - 2];
  const std::int64_t columns = b.back();
  for (ir::Shape* shape : {&a, &b}) shape->resize(shape->size() - 2);
  ir::Shape product = Broadcast(op, a, b);
  product.insert(product.end(), {rows, columns});
  op.SettleOutput(product);
  op.RequireSameType(op.Input(0), op.Input(1));
  op.OutputActivations(SumUnit(op.Input(0), op.Input(1)));
  if (op.Input(0).type == ElementType::kInt16) {
    return ir::HostOperator{
        host_operators::BatchMatMul{.transposed = {options.adj_x, options.adj_y}}};
  }
  return ir::BatchMatMul{.transposed = {options.adj_x, options.adj_y}};
}

ir::Attributes DecodeLeakyRelu(OperatorReader& op) {
  op.RequireCounts(1, 1);
  const float alpha = op.OptionsOrDefault<schema::LeakyReluOptionsT>().alpha;
  op.Require(std::isfinite(alpha), "alpha is {}", alpha);
  op.SettleOutput(op.Activations(0).shape);
  op.OutputActivations(static_cast<double>(op.Input(0).scale) *
                       std::max(1.0, std::abs(static_cast<double>(alpha))));
  return ir::LeakyRelu{.alpha = alpha};
}

ir::Attributes DecodePrelu(OperatorReader& op) {
  op.RequireCounts(2, 2);
  const ir::Tensor& input = op.Activations(0);
  const ir::Tensor& slopes = op.Activations(1);
  op.RequireSameType(input, slopes);
  op.Require(slopes.IsConstant(), "the slopes ({}) must be constant", slopes.name);
  op.Require(Broadcast(op, input.shape, slopes.shape) == input.shape,
             "the slopes {} do not broadcast to {}", Text(slopes.shape), Text(input.shape));
  op.SettleOutput(input.shape);
  op.OutputActivations(std::max(static_cast<double>(input.scale), SumUnit(input, slopes)));
  return ir::Prelu{};
}

ir::Attributes DecodeQuantize(OperatorReader& op) {
  op.RequireCounts(1, 1);
  const ir::Tensor& input = op.Operand(0);
  op.SettleOutput(input.shape);
  using enum ElementType;
  if (input.type == kFloat32) {
    op.RequireQuantized(op.Output(), {kInt8, kUint8, kInt16});
  } else {
    op.RequireQuantized(op.Output(), {kInt8, kUint8, kInt16, kInt32});
    op.RequireQuantized(input, {kInt8, kUint8, kInt16, kInt32});
    op.RequireScalable(static_cast<double>(input.scale));
  }
  return ir::Quantize{};
}

ir::Attributes DecodeDequantize(OperatorReader& op) {
  op.RequireCounts(1, 1);
  const ir::Tensor& input = op.Operand(0);
  op.SettleOutput(input.shape);
  op.RequireQuantized(input, {ElementType::kInt8, ElementType::kUint8, ElementType::kInt16});
  op.Require(op.Output().type == ElementType::kFloat32, "{} must be float32", op.Output().name);
  return ir::Dequantize{};
}

ir::Attributes DecodeSoftmax(OperatorReader& op) {
  op.RequireCounts(1, 1);
  const float beta = op.OptionsAs<schema::SoftmaxOptionsT>().beta;
  op.Require(std::isfinite(beta) && beta > 0.0F, "beta is {}", beta);
  const ir::Tensor& input = op.Activations(0);
  op.Require(!input.shape.empty(), "{} has no dimensions", input.name);
  op.SettleOutput(input.shape);
  const bool widens = input.type == ElementType::kInt8 && op.Output().type == ElementType::kInt16;
  if (!widens) op.RequireSameType(input, op.Output());
  if (op.ComputesFloats()) return ir::Softmax{.beta = beta};
  op.RequireQuantized(op.Output(), {ElementType::kInt8, ElementType::kInt16});
  if (op.Output().type == ElementType::kInt8) {
    op.Require(op.Output().scale == 1.0F / 256, "{} must have scale {}, not {}", op.Output().name,
               1.0F / 256, op.Output().scale);
    RequireOutputZeroPoint(op, -128);
    return ir::Softmax{.beta = beta};
  }
  // TensorFlow Lite Micro takes scales near to that.
  constexpr float kNear = 1e-3F;
  const float scale = widens ? 1.0F / 65536 : 1.0F / 32768;
  op.Require(std::abs(op.Output().scale - scale) <= kNear * scale, "{} must have scale {}, not {}",
             op.Output().name, scale, op.Output().scale);
  const std::int32_t zero_point = widens ? -32768 : 0;
  op.Require(op.Output().zero_point == zero_point, "{} must have zero point {}, not {}",
             op.Output().name, zero_point, op.Output().zero_point);
  return ir::Softmax{.beta = beta};
}

ir::Attributes DecodeReduce(OperatorReader& op, ir::ReduceKind kind) {
  op.RequireCounts(2, 2);
  const ir::Tensor& input = op.Activations(0);
  const std::vector<std::int64_t> axes = ReducedAxes(op, input.shape.size());
  const bool keep = op.OptionsOrDefault<schema::ReducerOptionsT>().keep_dims;
  op.SettleElements(ReducedShape(input.shape, axes, keep));
  op.OutputActivations(static_cast<double>(input.scale));
  return ir::Reduce{.kind = kind, .axes = axes};
}

ir::Attributes DecodeArgMax(OperatorReader& op, bool smallest) {
  op.RequireCounts(2, 2);
  const ir::Tensor& input = op.Activations(0);
  const std::size_t axis = op.Axis(op.Integer(1, "the axis"), input.shape.size());
  ir::Shape shape = input.shape;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
  op.SettleOutput(shape);
  const ElementType type = op.Output().type;
  op.Require(type == ElementType::kInt32 || type == ElementType::kInt64,
             "{} must be int32 or int64", op.Output().name);
  return ir::ArgMax{.axis = static_cast<std::int64_t>(axis), .smallest = smallest};
}

}  // namespace tpu::tflite
