// SPDX-License-Identifier: Apache-2.0
// Arithmetic on shapes, done while importing.
#include <algorithm>
#include <optional>
#include <variant>

#include "frontends/tflite/operator_reader.h"
#include "host_operators/relation.h"

namespace tpu::tflite {
namespace {

// Shapes are short; what is longer is data.
constexpr std::int64_t kMostFolded = 64;

using Values = std::vector<std::int64_t>;

std::optional<Values> ValuesOf(const ir::Tensor& tensor) {
  if (tensor.Elements() > kMostFolded) return {};
  if (const auto* narrow = std::get_if<std::vector<std::int32_t>>(&tensor.data)) {
    return Values(narrow->begin(), narrow->end());
  }
  if (const auto* wide = std::get_if<Values>(&tensor.data)) return *wide;
  return {};
}

// Elements in one step of a dimension.
std::int64_t StrideOf(const ir::Shape& shape, std::size_t axis) {
  std::int64_t stride = 1;
  for (std::size_t i = axis + 1; i < shape.size(); ++i) stride *= shape[i];
  return stride;
}

class Folder {
 public:
  Folder(const ir::Operator& op, const ir::Graph& graph) : op_(op), graph_(graph) {}

  std::optional<Values> Run() {
    for (const ir::TensorId id : op_.inputs) {
      const std::optional<Values> values = ValuesOf(graph_.tensors[id]);
      if (!values) return {};
      inputs_.push_back(*values);
    }
    if (inputs_.empty() || op_.outputs.size() != 1 || Output().Elements() > kMostFolded) return {};
    return std::visit([&](const auto& attributes) { return Compute(attributes); }, op_.attributes);
  }

 private:
  [[nodiscard]] const ir::Tensor& Output() const { return graph_.tensors[op_.outputs[0]]; }
  [[nodiscard]] const ir::Shape& InputShape(std::size_t i) const {
    return graph_.tensors[op_.inputs[i]].shape;
  }

  template <typename Other>
  std::optional<Values> Compute(const Other&) {
    return {};
  }

  std::optional<Values> Compute(const ir::Reshape&) { return inputs_[0]; }

  std::optional<Values> Compute(const ir::Slice& slice) {
    Values result;
    const std::int64_t count = Count(slice.size);
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t rest = i;
      std::int64_t from = 0;
      for (std::size_t d = slice.size.size(); d-- > 0;) {
        const std::int64_t index = rest % slice.size[d];
        rest /= slice.size[d];
        from += (slice.begin[d] + index * slice.stride[d]) * StrideOf(InputShape(0), d);
      }
      result.push_back(inputs_[0][static_cast<std::size_t>(from)]);
    }
    return result;
  }

  std::optional<Values> Compute(const ir::Pack& pack) {
    // A new axis of 1 in each input, then one after the other along it.
    const auto axis = static_cast<std::size_t>(pack.axis);
    return Join(StrideOf(Output().shape, axis), std::vector<std::int64_t>(inputs_.size(), 1));
  }

  std::optional<Values> Compute(const ir::Concatenation& concatenation) {
    const auto axis = static_cast<std::size_t>(concatenation.axis);
    std::vector<std::int64_t> sizes;
    for (std::size_t i = 0; i < inputs_.size(); ++i) sizes.push_back(InputShape(i)[axis]);
    return Join(StrideOf(Output().shape, axis), sizes);
  }

  // Inputs that have sizes[i] slices of `inner` elements each per step of the axes before.
  std::optional<Values> Join(std::int64_t inner, const std::vector<std::int64_t>& sizes) {
    Values result;
    for (std::int64_t outer = 0; static_cast<std::int64_t>(result.size()) < Output().Elements();
         ++outer) {
      for (std::size_t i = 0; i < inputs_.size(); ++i) {
        const auto part = inputs_[i].begin() + outer * sizes[i] * inner;
        result.insert(result.end(), part, part + sizes[i] * inner);
      }
    }
    return result;
  }

  std::optional<Values> Compute(const ir::Gather& gather) {
    if (InputShape(0).size() != 1) return {};
    Values result;
    for (const std::int64_t index : gather.indices) {
      result.push_back(inputs_[0][static_cast<std::size_t>(index)]);
    }
    return result;
  }

  std::optional<Values> Compute(const ir::HostOperator& op) {
    if (const auto* binary = std::get_if<host_operators::Binary>(&op.attributes)) {
      return Compute(*binary);
    }
    if (const auto* comparison = std::get_if<host_operators::Comparison>(&op.attributes)) {
      return Compute(*comparison);
    }
    if (std::holds_alternative<host_operators::Cast>(op.attributes)) return Cast();
    if (std::holds_alternative<host_operators::BroadcastArgs>(op.attributes)) return Broadcast();
    return {};
  }

  [[nodiscard]] std::optional<Values> Cast() const {
    const ElementType type = Output().type;
    if (type != ElementType::kInt32 && type != ElementType::kInt64) return {};
    return inputs_[0];
  }

  [[nodiscard]] std::optional<Values> Broadcast() const {
    Values result(static_cast<std::size_t>(Output().shape[0]), 1);
    for (const Values& input : inputs_) {
      for (std::size_t i = 1; i <= input.size(); ++i) {
        std::int64_t& size = result[result.size() - i];
        const std::int64_t other = input[input.size() - i];
        if (size != other && size != 1 && other != 1) return {};
        if (size == 1) size = other;
      }
    }
    return result;
  }

  std::optional<Values> Compute(const host_operators::Binary& binary) {
    if (binary.activation != ir::Activation::kNone) return {};
    return OfElements(
        [&](std::int64_t a, std::int64_t b) { return Apply(binary.operation, a, b); });
  }

  // Conditions on shapes.
  std::optional<Values> Compute(const host_operators::Comparison& comparison) {
    return OfElements([&](std::int64_t a, std::int64_t b) -> std::optional<std::int64_t> {
      return host_operators::Holds(comparison.relation, a, b) ? 1 : 0;
    });
  }

  // Of two inputs as large as the output, or of one element.
  template <typename Operation>
  std::optional<Values> OfElements(Operation operation) {
    const std::size_t count = static_cast<std::size_t>(Output().Elements());
    const auto operand = [&](std::size_t i, std::size_t element) {
      return inputs_[i][inputs_[i].size() == 1 ? 0 : element];
    };
    const auto fits = [&](const Values& input) {
      return input.size() == 1 || input.size() == count;
    };
    if (!std::all_of(inputs_.begin(), inputs_.end(), fits)) return {};
    Values result;
    for (std::size_t i = 0; i < count; ++i) {
      const auto value = operation(operand(0, i), operand(1, i));
      if (!value) return {};
      result.push_back(*value);
    }
    return result;
  }

  // Wraps on overflow. What shapes are not made of is left to the host.
  static std::optional<std::int64_t> Apply(host_operators::BinaryOperation operation,
                                           std::int64_t a, std::int64_t b) {
    using enum host_operators::BinaryOperation;
    const auto ua = static_cast<std::uint64_t>(a);
    const auto ub = static_cast<std::uint64_t>(b);
    switch (operation) {
      case kAdd:
        return static_cast<std::int64_t>(ua + ub);
      case kSub:
        return static_cast<std::int64_t>(ua - ub);
      case kMul:
        return static_cast<std::int64_t>(ua * ub);
      case kMaximum:
        return std::max(a, b);
      case kMinimum:
        return std::min(a, b);
      case kDiv:
      case kFloorDiv:
        if (a < 0 || b <= 0) return {};
        return a / b;
      default:
        return {};
    }
  }

  static std::int64_t Count(const ir::Shape& shape) {
    std::int64_t count = 1;
    for (const std::int64_t d : shape) count *= d;
    return count;
  }

  const ir::Operator& op_;
  const ir::Graph& graph_;
  std::vector<Values> inputs_;
};

}  // namespace

bool Fold(const ir::Operator& op, ir::Graph& graph) {
  const std::optional<Values> values = Folder(op, graph).Run();
  if (!values) return false;
  ir::Tensor& output = graph.tensors[op.outputs[0]];
  if (output.type == ElementType::kInt64) {
    output.data = *values;
  } else if (output.type == ElementType::kBool) {
    output.data = std::vector<std::uint8_t>(values->begin(), values->end());
  } else {
    std::vector<std::int32_t> narrow;
    for (const std::int64_t value : *values) narrow.push_back(static_cast<std::int32_t>(value));
    output.data = std::move(narrow);
  }
  return true;
}

}  // namespace tpu::tflite
