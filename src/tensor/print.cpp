// SPDX-License-Identifier: Apache-2.0
#include "tensor/print.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "tensor/reduction.h"

namespace tpu::tensor {
namespace {

std::string List(const Dimensions& numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

std::string Array(const Dimensions& numbers) {
  return numbers.empty() ? "array<i64>" : fmt::format("array<i64: {}>", fmt::join(numbers, ", "));
}

std::string Pairs(const Padding& padding) {
  std::string text;
  for (const auto& [low, high] : padding) {
    text += fmt::format("{}[{}, {}]", text.empty() ? "" : ", ", low, high);
  }
  return "[" + text + "]";
}

std::string_view BodyName(Reduction body) {
  switch (body) {
    case Reduction::kAdd:
      return Add::kName;
    case Reduction::kMaximum:
      return Maximum::kName;
    case Reduction::kMinimum:
      break;
  }
  return Minimum::kName;
}

std::string_view DirectionName(ComparisonDirection direction) {
  constexpr std::array<std::string_view, 6> kNames = {"EQ", "NE", "GE", "GT", "LE", "LT"};
  return kNames.at(static_cast<std::size_t>(direction));
}

// Infinities are bit patterns in MLIR.
std::string NumberText(double value, ElementType element) {
  switch (element) {
    case ElementType::kPred:
      return value != 0 ? "true" : "false";
    case ElementType::kS32:
      return fmt::format("{}", static_cast<std::int64_t>(value));
    case ElementType::kF32:
    case ElementType::kBf16:
      break;
  }
  const bool wide = element == ElementType::kF32;
  if (std::isnan(value)) return wide ? "0x7FC00000" : "0x7FC0";
  if (std::isinf(value)) {
    if (value > 0) return wide ? "0x7F800000" : "0x7F80";
    return wide ? "0xFF800000" : "0xFF80";
  }
  return fmt::format("{:.17e}", value);
}

// The numbers of a role of each dimension, as in "[b, 0, 1, f]".
std::string RolesText(std::int64_t first, std::string_view first_name, std::int64_t second,
                      std::string_view second_name, const Dimensions& spatial) {
  std::vector<std::string> names(spatial.size() + 2);
  names.at(static_cast<std::size_t>(first)) = first_name;
  names.at(static_cast<std::size_t>(second)) = second_name;
  for (std::size_t d = 0; d < spatial.size(); ++d) {
    names.at(static_cast<std::size_t>(spatial[d])) = fmt::format("{}", d);
  }
  return fmt::format("[{}]", fmt::join(names, ", "));
}

class Printer {
 public:
  explicit Printer(const Graph& graph) : graph_(graph) {}

  std::string Run() {
    std::string arguments;
    for (const ValueId id : graph_.inputs) {
      arguments += fmt::format("{}%{}: {} loc(\"{}\")", arguments.empty() ? "" : ", ", id, Type(id),
                               std::get<Input>(graph_.nodes[id].operation).name);
    }
    std::string results;
    std::string values;
    for (const Output& output : graph_.outputs) {
      const std::string comma = results.empty() ? "" : ", ";
      results += comma + Type(output.value);
      values += fmt::format("{}%{}", comma, output.value);
    }
    text_ = fmt::format("func.func @main({}) -> ({}) {{\n", arguments, results);
    for (id_ = 0; id_ < graph_.nodes.size(); ++id_) {
      std::visit([&](const auto& op) { Line(op); }, graph_.nodes[id_].operation);
    }
    text_ += fmt::format("  return {} : {}\n}}\n", values, results);
    return text_;
  }

 private:
  [[nodiscard]] std::string Type(ValueId id) const { return TypeText(graph_.TypeOf(id)); }
  [[nodiscard]] const Node& Now() const { return graph_.nodes[id_]; }
  [[nodiscard]] std::string Operands() const {
    std::string list;
    for (const ValueId id : Now().operands) {
      list += fmt::format("{}%{}", list.empty() ? "" : ", ", id);
    }
    return list;
  }
  // As in "(tensor<2xf32>, tensor<f32>) -> tensor<2xf32>"; `more` stands behind the operands.
  [[nodiscard]] std::string Signature(const std::string& more = {}) const {
    std::string types;
    for (const ValueId id : Now().operands) {
      types += fmt::format("{}{}", types.empty() ? "" : ", ", Type(id));
    }
    return fmt::format("({}{}) -> {}", types, more, Type(id_));
  }

  void Write(std::string_view name, const std::string& rest) {
    text_ += fmt::format("  %{} = stablehlo.{} {}\n", id_, name, rest);
  }
  void WriteTyped(std::string_view name, const std::string& attributes) {
    Write(name, fmt::format("{}{}{} : {}", Operands(), attributes.empty() ? "" : ", ", attributes,
                            Signature()));
  }

  void Line(const Input& /*op*/) {}
  void Line(const Constant& op) {
    std::string values;
    if (op.IsSplat()) {
      values = NumberText(op.values[0], op.type.element);
    } else {
      std::size_t next = 0;
      values = Nested(op, 0, next);
    }
    Write(op.kName, fmt::format("dense<{}> : {}", values, Type(id_)));
  }
  // A list for each dimension from `dimension` on.
  static std::string Nested(const Constant& op, std::size_t dimension, std::size_t& next) {
    if (dimension == op.type.shape.size()) return NumberText(op.values.at(next++), op.type.element);
    std::string list;
    for (std::int64_t i = 0; i < op.type.shape[dimension]; ++i) {
      list += (i == 0 ? "" : ", ") + Nested(op, dimension + 1, next);
    }
    return "[" + list + "]";
  }
  void Line(const Iota& op) {
    Write(op.kName, fmt::format("dim = {} : {}", op.iota_dimension, Type(id_)));
  }
  template <typename Op>
  requires UnaryOperation<Op> || BinaryOperation<Op>
  void Line(const Op& op) { Write(op.kName, fmt::format("{} : {}", Operands(), Type(id_))); }
  void Line(const StopGradient& /*op*/) {
    Write("optimization_barrier", fmt::format("{} : {}", Operands(), Type(id_)));
  }
  void Line(const Convert& op) { WriteTyped(op.kName, {}); }
  void Line(const Compare& op) {
    Write(op.kName, fmt::format("{}, {} : {}", DirectionName(op.comparison_direction), Operands(),
                                Signature()));
  }
  void Line(const Select& op) {
    Write(op.kName, fmt::format("{} : {}, {}", Operands(), Type(Now().operands[0]), Type(id_)));
  }
  void Line(const BroadcastInDim& op) {
    WriteTyped(op.kName, "dims = " + List(op.broadcast_dimensions));
  }
  void Line(const Reshape& op) { WriteTyped(op.kName, {}); }
  void Line(const Transpose& op) { WriteTyped(op.kName, "dims = " + List(op.permutation)); }
  void Line(const Reverse& op) {
    Write(op.kName, fmt::format("{}, dims = {} : {}", Operands(), List(op.dimensions), Type(id_)));
  }
  void Line(const Slice& op) {
    std::string ranges;
    for (std::size_t d = 0; d < op.strides.size(); ++d) {
      ranges += fmt::format("{}{}:{}:{}", ranges.empty() ? "" : ", ", op.start_indices[d],
                            op.limit_indices[d], op.strides[d]);
    }
    Write(op.kName, fmt::format("{} [{}] : {}", Operands(), ranges, Signature()));
  }
  void Line(const Pad& op) {
    WriteTyped(op.kName,
               fmt::format("low = {}, high = {}, interior = {}", List(op.edge_padding_low),
                           List(op.edge_padding_high), List(op.interior_padding)));
  }
  void Line(const Concatenate& op) { WriteTyped(op.kName, fmt::format("dim = {}", op.dimension)); }

  // The value that a reduction begins with; its name.
  std::string WriteInitial(Reduction body, ElementType element) {
    const TensorType type = {element, {}};
    text_ += fmt::format("  %init_{} = stablehlo.constant dense<{}> : {}\n", id_,
                         NumberText(InitialOf(body, element), element), TypeText(type));
    return fmt::format("%init_{}", id_);
  }
  void Line(const Reduce& op) {
    const std::string scalar = TypeText({Now().type.element, {}});
    const std::string initial = WriteInitial(op.body, Now().type.element);
    text_ += fmt::format(
        "  %{} = stablehlo.{}({} init: {}) applies stablehlo.{} across dimensions = {} : {}\n", id_,
        op.kName, Operands(), initial, BodyName(op.body), List(op.dimensions),
        Signature(", " + scalar));
  }
  // A region of two scalars that one operation makes the result of.
  std::string Region(const std::string& operation, const std::string& result) const {
    const std::string scalar = TypeText({Now().type.element, {}});
    return fmt::format(
        "{{\n  ^bb0(%a: {0}, %b: {0}):\n    %c = stablehlo.{1}\n    stablehlo.return %c : {2}\n  "
        "}}",
        scalar, operation, result);
  }
  [[nodiscard]] static std::string PaddingText(const Padding& padding) {
    return fmt::format("dense<{}> : tensor<{}x2xi64>", Pairs(padding), padding.size());
  }
  void Line(const ReduceWindow& op) {
    const std::string scalar = TypeText({Now().type.element, {}});
    const std::string initial = WriteInitial(op.body, Now().type.element);
    text_ += fmt::format(
        "  %{} = \"stablehlo.{}\"({}, {}) <{{window_dimensions = {}, window_strides = {}, "
        "base_dilations = {}, window_dilations = {}, padding = {}}}> ({}) : {}\n",
        id_, op.kName, Operands(), initial, Array(op.window_dimensions), Array(op.window_strides),
        Array(op.base_dilations), Array(op.window_dilations), PaddingText(op.padding),
        Region(fmt::format("{} %a, %b : {}", BodyName(op.body), scalar), scalar),
        Signature(", " + scalar));
  }
  void Line(const SelectAndScatter& op) {
    const std::string scalar = TypeText({Now().type.element, {}});
    const std::string initial = WriteInitial(Reduction::kAdd, Now().type.element);
    const std::string larger =
        Region(fmt::format("compare GE, %a, %b : ({0}, {0}) -> tensor<i1>", scalar), "tensor<i1>");
    const std::string sum = Region(fmt::format("add %a, %b : {}", scalar), scalar);
    text_ += fmt::format(
        "  %{} = \"stablehlo.{}\"({}, {}) <{{window_dimensions = {}, window_strides = {}, padding "
        "= {}}}> ({}, {}) : {}\n",
        id_, op.kName, Operands(), initial, Array(op.window_dimensions), Array(op.window_strides),
        PaddingText(op.padding), larger, sum, Signature(", " + scalar));
  }
  void Line(const DotGeneral& op) {
    std::string numbers;
    if (!op.lhs_batching_dimensions.empty()) {
      numbers = fmt::format("batching_dims = {} x {}, ", List(op.lhs_batching_dimensions),
                            List(op.rhs_batching_dimensions));
    }
    WriteTyped(op.kName, numbers + fmt::format("contracting_dims = {} x {}",
                                               List(op.lhs_contracting_dimensions),
                                               List(op.rhs_contracting_dimensions)));
  }
  void Line(const Convolution& op) {
    Dimensions reversal(op.window_reversal.begin(), op.window_reversal.end());
    std::string reverse;
    for (const std::int64_t reversed : reversal) {
      reverse += fmt::format("{}{}", reverse.empty() ? "" : ", ", reversed != 0);
    }
    text_ += fmt::format(
        "  %{} = stablehlo.{}({}) dim_numbers = {}x{}->{}, window = {{stride = {}, pad = {}, "
        "lhs_dilate = {}, rhs_dilate = {}, reverse = [{}]}} {{batch_group_count = {} : i64, "
        "feature_group_count = {} : i64}} : {}\n",
        id_, op.kName, Operands(),
        RolesText(op.input_batch_dimension, "b", op.input_feature_dimension, "f",
                  op.input_spatial_dimensions),
        RolesText(op.kernel_input_feature_dimension, "i", op.kernel_output_feature_dimension, "o",
                  op.kernel_spatial_dimensions),
        RolesText(op.output_batch_dimension, "b", op.output_feature_dimension, "f",
                  op.output_spatial_dimensions),
        List(op.window_strides), Pairs(op.padding), List(op.lhs_dilation), List(op.rhs_dilation),
        reverse, op.batch_group_count, op.feature_group_count, Signature());
  }

  const Graph& graph_;
  ValueId id_ = 0;
  std::string text_;
};

}  // namespace

std::string_view ElementName(ElementType element) {
  switch (element) {
    case ElementType::kF32:
      return "f32";
    case ElementType::kBf16:
      return "bf16";
    case ElementType::kS32:
      return "i32";
    case ElementType::kPred:
      break;
  }
  return "i1";
}

std::string TypeText(const TensorType& type) {
  std::string text = "tensor<";
  for (const std::int64_t size : type.shape) text += fmt::format("{}x", size);
  return text + std::string(ElementName(type.element)) + ">";
}

std::string Print(const Graph& graph) { return Printer(graph).Run(); }

}  // namespace tpu::tensor
