// SPDX-License-Identifier: Apache-2.0
#include "tensor/from_tflite/from_tflite.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "base/error.h"
#include "tensor/builder.h"
#include "tensor/from_tflite/trainable.h"
#include "tensor/from_tflite/window_operators.h"
#include "tensor/losses.h"

namespace tpu::tensor {
namespace {

// Functions named Make write one operator and return its result.
class TfliteReader {
 public:
  TfliteReader(const ir::Graph& graph, const FromTfliteOptions& options)
      : graph_(graph), batch_(options.batch), trainable_(TrainableTensors(graph, options)) {}

  FromTfliteResult Read() {
    for (const ir::TensorId id : graph_.inputs) ReadInput(id);
    for (const ir::Operator& op : graph_.operators) ReadOperator(op);
    if (graph_.outputs.size() != 1) {
      throw Error::Format("the model has {} outputs: training takes models with one",
                          graph_.outputs.size());
    }
    result_.model.prediction = Value(graph_.outputs[0]);
    b_.Output("prediction", result_.model.prediction);
    const auto logits = logits_.find(graph_.outputs[0]);
    if (logits != logits_.end()) result_.model.logits = logits->second;
    result_.model.graph = b_.Take();
    return std::move(result_);
  }

 private:
  void ReadInput(ir::TensorId id) {
    const ir::Tensor& tensor = graph_.tensors[id];
    if (tensor.type != tpu::ElementType::kFloat32 || tensor.shape.empty()) {
      throw Error::Format(
          "input {} is of {} with {} dimensions: training takes models of float32 whose first "
          "dimension is the batch",
          tensor.name, ElementTypeName(tensor.type), tensor.shape.size());
    }
    Shape shape = tensor.shape;
    if (old_batch_ == 0) old_batch_ = shape[0];
    if (shape[0] != old_batch_) {
      throw Error::Format("input {} has a batch of {}, another input one of {}", tensor.name,
                          shape[0], old_batch_);
    }
    shape[0] = batch_;
    values_[id] = b_.Input(FreeName(tensor.name), {ElementType::kF32, shape});
  }

  void ReadOperator(const ir::Operator& op) try {
    op_ = &op;
    std::visit([&](const auto& attributes) { Read(attributes); }, op.attributes);
  } catch (const Error& error) {
    throw Error::Format("{} ({}): {}", op.name, ir::OperatorName(op.attributes), error.what());
  }

  std::string FreeName(const std::string& name) {
    std::string free = name;
    for (int number = 2; !names_.insert(free).second; ++number) {
      free = fmt::format("{}.{}", name, number);
    }
    return free;
  }
  ValueId Value(ir::TensorId id) {
    const auto known = values_.find(id);
    if (known != values_.end()) return known->second;
    const ir::Tensor& tensor = graph_.tensors[id];
    const auto* contents = std::get_if<std::vector<float>>(&tensor.data);
    if (contents == nullptr) {
      throw Error::Format("{} is of {}: training takes models of float32", tensor.name,
                          ElementTypeName(tensor.type));
    }
    const TensorType type = {ElementType::kF32, tensor.shape};
    if (trainable_.contains(id)) {
      values_[id] = b_.Input(FreeName(tensor.name), type);
      result_.model.parameters.push_back({values_[id], *contents});
      result_.tensors.push_back(id);
    } else {
      values_[id] = b_.Constant(type, {contents->begin(), contents->end()});
    }
    return values_[id];
  }
  ValueId In(std::size_t i) { return Value(op_->inputs.at(i)); }
  [[nodiscard]] const Shape& OldShape(ir::TensorId id) const { return graph_.tensors[id].shape; }

  // Whether the dimensions are those of a tensor of the model, with the batch in one of them.
  [[nodiscard]] bool Matches(const Shape& shape, const Shape& old) const {
    return std::equal(shape.begin(), shape.end(), old.begin(), old.end(),
                      [&](std::int64_t now, std::int64_t before) {
                        return now == before || now * old_batch_ == before * batch_;
                      });
  }
  // To the shape that a tensor of the model has, with the batch in its first dimension.
  ValueId ToShapeOf(ValueId x, ir::TensorId id) {
    return Matches(b_.ShapeOf(x), OldShape(id)) ? x : Reshaped(x, id);
  }
  ValueId Reshaped(ValueId x, ir::TensorId id) {
    Shape shape = OldShape(id);
    if (batch_ != old_batch_) {
      const Shape& old = OldShape(op_->inputs.at(0));
      const Shape now = b_.ShapeOf(In(0));
      const bool first = !shape.empty() && !old.empty() && now[0] * old_batch_ == old[0] * batch_ &&
                         std::equal(now.begin() + 1, now.end(), old.begin() + 1, old.end());
      if (!first) throw Error("takes a batch that is not the first dimension");
      shape[0] = shape[0] * batch_ / old_batch_;
    }
    return b_.Reshape(x, shape);
  }
  void Finish(ValueId x) { values_[op_->outputs.at(0)] = ToShapeOf(x, op_->outputs[0]); }

  ValueId Activated(ValueId x, ir::Activation activation) {
    const auto clamp = [&](double lo, double hi) {
      return b_.Minimum(b_.Maximum(x, b_.SplatLike(x, lo)), b_.SplatLike(x, hi));
    };
    switch (activation) {
      case ir::Activation::kNone:
        break;
      case ir::Activation::kRelu:
        return b_.Maximum(x, b_.SplatLike(x, 0));
      case ir::Activation::kRelu6:
        return clamp(0, 6);
      case ir::Activation::kReluN1To1:
        return clamp(-1, 1);
    }
    return x;
  }
  ValueId Biased(ValueId x) {
    if (op_->inputs.size() < 3) return x;
    return b_.Add(x, b_.BroadcastTo(In(2), b_.ShapeOf(x)));
  }
  // Two operands in the shape that both broadcast to.
  std::pair<ValueId, ValueId> Pair() {
    Shape a = b_.ShapeOf(In(0));
    Shape b = b_.ShapeOf(In(1));
    const std::size_t rank = std::max(a.size(), b.size());
    a.insert(a.begin(), rank - a.size(), 1);
    b.insert(b.begin(), rank - b.size(), 1);
    for (std::size_t d = 0; d < rank; ++d) a[d] = a[d] == 1 ? b[d] : a[d];
    return {b_.BroadcastTo(In(0), a), b_.BroadcastTo(In(1), a)};
  }

  template <typename Op>
  void Read(const Op& /*op*/) {
    if constexpr (OneOf<Op, ir::Quantize, ir::Dequantize>) {
      throw Error("the model is quantised: train its float32 version");
    }
    throw Error(
        "has no gradient here: end the model before it, or make it of the operators that "
        "docs/training.md lists");
  }

  template <typename Op>
  requires OneOf<Op, ir::Conv2D, ir::DepthwiseConv2D>
  void Read(const Op& op) {
    Finish(Activated(Biased(ConvolutionOf(b_, op, In(0), In(1))), op.activation));
  }
  void Read(const ir::TransposeConv& op) {
    const Shape& out = OldShape(op_->outputs.at(0));
    const ir::Extent size = {.h = static_cast<std::int32_t>(out.at(1)),
                             .w = static_cast<std::int32_t>(out.at(2))};
    Finish(Activated(Biased(ConvolutionOf(b_, op, In(0), In(1), size)), op.activation));
  }
  void Read(const ir::FullyConnected& op) {
    const std::int64_t size = b_.ShapeOf(In(1)).at(1);
    const ValueId rows = b_.Reshape(In(0), {b_.TypeOf(In(0)).Elements() / size, size});
    const ValueId product = b_.DotGeneral(rows, In(1),
                                          {.lhs_batching_dimensions = {},
                                           .rhs_batching_dimensions = {},
                                           .lhs_contracting_dimensions = {1},
                                           .rhs_contracting_dimensions = {1}});
    Finish(Activated(Biased(product), op.activation));
  }
  void Read(const ir::BatchMatMul& op) {
    Shape a = b_.ShapeOf(In(0));
    Shape b = b_.ShapeOf(In(1));
    const std::size_t rank = std::max(a.size(), b.size());
    if (std::min(a.size(), b.size()) < 2) throw Error("has an operand that is no matrix");
    a.insert(a.begin(), rank - a.size(), 1);
    b.insert(b.begin(), rank - b.size(), 1);
    for (std::size_t d = 0; d + 2 < rank; ++d) a[d] = b[d] = a[d] == 1 ? b[d] : a[d];
    const auto last = static_cast<std::int64_t>(rank) - 1;
    const Dimensions batching = AllDimensions(last - 1);
    Finish(b_.DotGeneral(b_.BroadcastTo(In(0), a), b_.BroadcastTo(In(1), b),
                         {.lhs_batching_dimensions = batching,
                          .rhs_batching_dimensions = batching,
                          .lhs_contracting_dimensions = {op.transposed[0] ? last - 1 : last},
                          .rhs_contracting_dimensions = {op.transposed[1] ? last : last - 1}}));
  }

  void Read(const ir::Binary& op) {
    const auto [a, b] = Pair();
    Finish(Activated(Combined(op.kind, a, b), op.activation));
  }
  ValueId Combined(ir::BinaryKind kind, ValueId a, ValueId b) {
    switch (kind) {
      case ir::BinaryKind::kAdd:
        return b_.Add(a, b);
      case ir::BinaryKind::kSub:
        return b_.Subtract(a, b);
      case ir::BinaryKind::kMul:
        return b_.Multiply(a, b);
      case ir::BinaryKind::kMaximum:
        return b_.Maximum(a, b);
      case ir::BinaryKind::kMinimum:
        break;
    }
    return b_.Minimum(a, b);
  }
  void Read(const ir::Divide& op) {
    const auto [a, b] = Pair();
    Finish(Activated(b_.Divide(a, b), op.activation));
  }
  void Read(const ir::SquaredDifference& /*op*/) {
    const auto [a, b] = Pair();
    const ValueId difference = b_.Subtract(a, b);
    Finish(b_.Multiply(difference, difference));
  }
  void Read(const ir::AddN& /*op*/) {
    ValueId sum = In(0);
    for (std::size_t i = 1; i < op_->inputs.size(); ++i) sum = b_.Add(sum, In(i));
    Finish(sum);
  }
  void Read(const ir::Pool2D& op) { Finish(Activated(PoolOf(b_, op, In(0)), op.activation)); }
  void Read(const ir::Unary& op) { Finish(Applied(op.kind, In(0))); }
  ValueId Applied(ir::UnaryKind kind, ValueId x) {
    switch (kind) {
      case ir::UnaryKind::kRelu:
        return Activated(x, ir::Activation::kRelu);
      case ir::UnaryKind::kRelu6:
        return Activated(x, ir::Activation::kRelu6);
      case ir::UnaryKind::kReluN1To1:
        return Activated(x, ir::Activation::kReluN1To1);
      case ir::UnaryKind::kLogistic:
        return b_.Logistic(x);
      case ir::UnaryKind::kTanh:
        return b_.Tanh(x);
      case ir::UnaryKind::kElu:
        return b_.Select(b_.Compare(ComparisonDirection::kGt, x, b_.SplatLike(x, 0)), x,
                         b_.Subtract(b_.Exponential(x), b_.SplatLike(x, 1)));
      case ir::UnaryKind::kHardSwish:
        break;
    }
    const ValueId gate = Activated(b_.Add(x, b_.SplatLike(x, 3)), ir::Activation::kRelu6);
    return b_.Multiply(x, b_.Scale(gate, 1.0 / 6));
  }
  void Read(const ir::Function& op) { Finish(Applied(op.kind, In(0))); }
  ValueId Applied(ir::FunctionKind kind, ValueId x) {
    switch (kind) {
      case ir::FunctionKind::kNegate:
        return b_.Negate(x);
      case ir::FunctionKind::kAbsolute:
        return b_.Abs(x);
      case ir::FunctionKind::kExp:
        return b_.Exponential(x);
      case ir::FunctionKind::kLog:
        return b_.Log(x);
      case ir::FunctionKind::kReciprocal:
        return b_.Divide(b_.SplatLike(x, 1), x);
      case ir::FunctionKind::kRsqrt:
        return b_.Rsqrt(x);
      case ir::FunctionKind::kSqrt:
        return b_.Sqrt(x);
      case ir::FunctionKind::kSquare:
        break;
    }
    return b_.Multiply(x, x);
  }
  // x where it is positive, else the slope times x.
  ValueId Leaky(ValueId x, ValueId slope) {
    const ValueId positive = b_.Compare(ComparisonDirection::kGt, x, b_.SplatLike(x, 0));
    return b_.Select(positive, x, b_.Multiply(x, slope));
  }
  void Read(const ir::LeakyRelu& op) {
    Finish(Leaky(In(0), b_.SplatLike(In(0), static_cast<double>(op.alpha))));
  }
  void Read(const ir::Prelu& /*op*/) {
    Finish(Leaky(In(0), b_.BroadcastTo(In(1), b_.ShapeOf(In(0)))));
  }
  void Read(const ir::Softmax& op) {
    const ValueId logits = op.beta == 1.0F ? In(0) : b_.Scale(In(0), static_cast<double>(op.beta));
    logits_[op_->outputs.at(0)] = logits;
    Finish(Softmax(b_, logits));
  }
  void Read(const ir::Reduce& op) {
    const Shape shape = b_.ShapeOf(In(0));
    double count = 1;
    for (const std::int64_t axis : op.axes) {
      count *= static_cast<double>(shape.at(static_cast<std::size_t>(axis)));
    }
    const ValueId sum = b_.Reduce(In(0), Reduction::kAdd, op.axes);
    Finish(op.kind == ir::ReduceKind::kMean ? b_.Scale(sum, 1 / count) : sum);
  }

  void Read(const ir::Reshape& /*op*/) {
    const ir::TensorId output = op_->outputs.at(0);
    const bool same = OldShape(op_->inputs.at(0)) == OldShape(output);
    values_[output] = same ? In(0) : Reshaped(In(0), output);
  }
  void Read(const ir::Pad& op) {
    Finish(b_.Pad(In(0), static_cast<double>(op.fill),
                  {.edge_padding_low = op.before,
                   .edge_padding_high = op.after,
                   .interior_padding = Dimensions(op.before.size(), 0)}));
  }
  void Read(const ir::Concatenation& op) {
    std::vector<ValueId> parts;
    for (std::size_t i = 0; i < op_->inputs.size(); ++i) parts.push_back(In(i));
    Finish(Activated(b_.Concatenate(parts, op.axis), op.activation));
  }
  void Read(const ir::Pack& op) {
    std::vector<ValueId> parts;
    for (std::size_t i = 0; i < op_->inputs.size(); ++i) {
      Shape shape = b_.ShapeOf(In(i));
      shape.insert(shape.begin() + op.axis, 1);
      parts.push_back(b_.Reshape(In(i), shape));
    }
    Finish(b_.Concatenate(parts, op.axis));
  }
  // Outputs that lie one after the other along an axis.
  void ReadParts(std::int64_t axis, bool keep) {
    const auto d = static_cast<std::size_t>(axis);
    const Shape shape = b_.ShapeOf(In(0));
    if (d == 0 && batch_ != old_batch_) throw Error("takes the batch apart");
    Dimensions start(shape.size(), 0);
    Dimensions limit = shape;
    for (const ir::TensorId output : op_->outputs) {
      limit[d] = start[d] + (keep ? OldShape(output).at(d) : 1);
      const ValueId part = b_.Slice(In(0), start, limit, Dimensions(shape.size(), 1));
      values_[output] = ToShapeOf(part, output);
      start[d] = limit[d];
    }
  }
  void Read(const ir::SplitAxis& op) { ReadParts(op.axis, true); }
  void Read(const ir::Unpack& op) { ReadParts(op.axis, false); }
  void Read(const ir::Slice& op) {
    const Shape old = OldShape(op_->inputs.at(0));
    const Shape shape = b_.ShapeOf(In(0));
    Dimensions reversed;
    Slice slice = {.start_indices = op.begin, .limit_indices = {}, .strides = op.stride};
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (op.stride[d] < 0) {
        reversed.push_back(static_cast<std::int64_t>(d));
        slice.start_indices[d] = old[d] - 1 - op.begin[d];
        slice.strides[d] = -op.stride[d];
      }
      const bool whole = op.size[d] == old[d];
      if (!whole && shape[d] != old[d]) throw Error("takes a part of the batch");
      slice.limit_indices.push_back(
          whole ? shape[d] : slice.start_indices[d] + (op.size[d] - 1) * slice.strides[d] + 1);
    }
    const ValueId x = reversed.empty() ? In(0) : b_.Reverse(In(0), reversed);
    Finish(b_.Append(slice, {x}));
  }
  void Read(const ir::Transpose& op) { Finish(b_.Transpose(In(0), op.permutation)); }

  const ir::Graph& graph_;
  std::int64_t batch_;
  std::int64_t old_batch_ = 0;
  std::set<ir::TensorId> trainable_;
  const ir::Operator* op_ = nullptr;
  Builder b_;
  std::map<ir::TensorId, ValueId> values_;
  std::map<ir::TensorId, ValueId> logits_;
  std::set<std::string> names_;
  FromTfliteResult result_;
};

}  // namespace

FromTfliteResult FromTflite(const ir::Graph& graph, const FromTfliteOptions& options) {
  if (options.batch < 1) throw Error::Format("a batch of {}", options.batch);
  return TfliteReader(graph, options).Read();
}

}  // namespace tpu::tensor
