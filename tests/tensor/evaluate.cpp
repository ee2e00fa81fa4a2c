// SPDX-License-Identifier: Apache-2.0
#include "evaluate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <variant>

namespace tpu::tensor {
namespace {

std::size_t Index(std::int64_t i) { return static_cast<std::size_t>(i); }

// The place of an element in row-major order.
std::size_t Flat(const Shape& shape, const Dimensions& index) {
  std::int64_t flat = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) flat = flat * shape[d] + index[d];
  return Index(flat);
}

// Calls visit(index) for each index of a shape, in row-major order.
template <typename Visit>
void ForEach(const Shape& shape, Visit visit) {
  Dimensions index(shape.size(), 0);
  while (true) {
    visit(static_cast<const Dimensions&>(index));
    std::size_t d = shape.size();
    while (d > 0 && ++index[d - 1] == shape[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

bool Contains(const Dimensions& dimensions, std::int64_t d) {
  return std::find(dimensions.begin(), dimensions.end(), d) != dimensions.end();
}

float RoundedToBfloat16(float value) {
  if (std::isnan(value)) return value;
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>((bits + 0x7FFFU + (bits >> 16 & 1U)) & 0xFFFF0000U);
}

template <typename T>
class Evaluator {
 public:
  Evaluator(const Graph& graph, const std::vector<Values<T>>& inputs) : graph_(graph) {
    values_.resize(graph.nodes.size());
    for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
      values_[graph.inputs[i]] = inputs.at(i);
      if (inputs[i].size() != Index(graph.TypeOf(graph.inputs[i]).Elements())) {
        throw std::logic_error("an input has another number of elements");
      }
    }
  }

  std::vector<Values<T>> Run() {
    for (ValueId id = 0; id < graph_.nodes.size(); ++id) {
      node_ = &graph_.nodes[id];
      result_ = std::holds_alternative<Input>(node_->operation)
                    ? values_[id]
                    : Values<T>(Index(node_->type.Elements()));
      std::visit([&](const auto& op) { Compute(op); }, node_->operation);
      if constexpr (std::is_same_v<T, float>) {
        if (node_->type.element == ElementType::kBf16) {
          for (T& value : result_) value = RoundedToBfloat16(value);
        }
      }
      values_[id] = result_;
    }
    std::vector<Values<T>> outputs;
    for (const Output& output : graph_.outputs) outputs.push_back(values_[output.value]);
    return outputs;
  }

 private:
  [[nodiscard]] const Values<T>& In(std::size_t i) const { return values_[node_->operands.at(i)]; }
  [[nodiscard]] const Shape& ShapeIn(std::size_t i) const {
    return graph_.TypeOf(node_->operands.at(i)).shape;
  }
  [[nodiscard]] const Shape& ShapeOut() const { return node_->type.shape; }

  // Each element of the result is what `from` says of its index.
  template <typename From>
  void Fill(From from) {
    std::size_t next = 0;
    ForEach(ShapeOut(), [&](const Dimensions& index) { result_[next++] = from(index); });
  }

  void Compute(const Input& /*op*/) {}
  void Compute(const Constant& op) {
    for (std::size_t i = 0; i < result_.size(); ++i) {
      result_[i] = static_cast<T>(op.values[op.IsSplat() ? 0 : i]);
    }
  }
  void Compute(const Iota& op) {
    Fill([&](const Dimensions& index) { return static_cast<T>(index[Index(op.iota_dimension)]); });
  }

  static T Apply(const Abs& /*op*/, T x) { return std::abs(x); }
  static T Apply(const Exponential& /*op*/, T x) { return std::exp(x); }
  static T Apply(const Log& /*op*/, T x) { return std::log(x); }
  static T Apply(const Logistic& /*op*/, T x) { return 1 / (1 + std::exp(-x)); }
  static T Apply(const Negate& /*op*/, T x) { return -x; }
  static T Apply(const Rsqrt& /*op*/, T x) { return 1 / std::sqrt(x); }
  static T Apply(const Sqrt& /*op*/, T x) { return std::sqrt(x); }
  static T Apply(const Tanh& /*op*/, T x) { return std::tanh(x); }
  static T Apply(const StopGradient& /*op*/, T x) { return x; }
  template <UnaryOperation Op>
  void Compute(const Op& op) {
    for (std::size_t i = 0; i < result_.size(); ++i) result_[i] = Apply(op, In(0)[i]);
  }
  void Compute(const Convert& op) {
    for (std::size_t i = 0; i < result_.size(); ++i) {
      const T x = In(0)[i];
      result_[i] = op.element == ElementType::kPred  ? static_cast<T>(x != 0)
                   : op.element == ElementType::kS32 ? std::trunc(x)
                                                     : x;
    }
  }

  static T Apply(const Add& /*op*/, T a, T b) { return a + b; }
  static T Apply(const Subtract& /*op*/, T a, T b) { return a - b; }
  static T Apply(const Multiply& /*op*/, T a, T b) { return a * b; }
  static T Apply(const Divide& /*op*/, T a, T b) { return a / b; }
  static T Apply(const Maximum& /*op*/, T a, T b) { return std::isnan(a) || a > b ? a : b; }
  static T Apply(const Minimum& /*op*/, T a, T b) { return std::isnan(a) || a < b ? a : b; }
  template <BinaryOperation Op>
  void Compute(const Op& op) {
    for (std::size_t i = 0; i < result_.size(); ++i) result_[i] = Apply(op, In(0)[i], In(1)[i]);
  }
  static bool Holds(ComparisonDirection direction, T a, T b) {
    switch (direction) {
      case ComparisonDirection::kEq:
        return a == b;
      case ComparisonDirection::kNe:
        return a != b;
      case ComparisonDirection::kGe:
        return a >= b;
      case ComparisonDirection::kGt:
        return a > b;
      case ComparisonDirection::kLe:
        return a <= b;
      case ComparisonDirection::kLt:
        break;
    }
    return a < b;
  }
  void Compute(const Compare& op) {
    for (std::size_t i = 0; i < result_.size(); ++i) {
      result_[i] = static_cast<T>(Holds(op.comparison_direction, In(0)[i], In(1)[i]));
    }
  }
  void Compute(const Select& /*op*/) {
    for (std::size_t i = 0; i < result_.size(); ++i) {
      result_[i] = In(0)[i] != 0 ? In(1)[i] : In(2)[i];
    }
  }

  void Compute(const BroadcastInDim& op) {
    Fill([&](const Dimensions& index) {
      Dimensions from(ShapeIn(0).size());
      for (std::size_t d = 0; d < from.size(); ++d) {
        from[d] = ShapeIn(0)[d] == 1 ? 0 : index[Index(op.broadcast_dimensions[d])];
      }
      return In(0)[Flat(ShapeIn(0), from)];
    });
  }
  void Compute(const Reshape& /*op*/) { result_ = In(0); }
  void Compute(const Transpose& op) {
    Fill([&](const Dimensions& index) {
      Dimensions from(index.size());
      for (std::size_t d = 0; d < from.size(); ++d) from[Index(op.permutation[d])] = index[d];
      return In(0)[Flat(ShapeIn(0), from)];
    });
  }
  void Compute(const Reverse& op) {
    Fill([&](Dimensions index) {
      for (const std::int64_t d : op.dimensions) {
        index[Index(d)] = ShapeOut()[Index(d)] - 1 - index[Index(d)];
      }
      return In(0)[Flat(ShapeIn(0), index)];
    });
  }
  void Compute(const Slice& op) {
    Fill([&](Dimensions index) {
      for (std::size_t d = 0; d < index.size(); ++d) {
        index[d] = op.start_indices[d] + index[d] * op.strides[d];
      }
      return In(0)[Flat(ShapeIn(0), index)];
    });
  }
  void Compute(const Pad& op) {
    std::fill(result_.begin(), result_.end(), In(1)[0]);
    ForEach(ShapeIn(0), [&](Dimensions index) {
      const T value = In(0)[Flat(ShapeIn(0), index)];
      for (std::size_t d = 0; d < index.size(); ++d) {
        index[d] = op.edge_padding_low[d] + index[d] * (op.interior_padding[d] + 1);
        if (index[d] < 0 || index[d] >= ShapeOut()[d]) return;
      }
      result_[Flat(ShapeOut(), index)] = value;
    });
  }
  void Compute(const Concatenate& op) {
    const std::size_t d = Index(op.dimension);
    std::int64_t start = 0;
    for (std::size_t i = 0; i < node_->operands.size(); ++i) {
      ForEach(ShapeIn(i), [&](Dimensions index) {
        const T value = In(i)[Flat(ShapeIn(i), index)];
        index[d] += start;
        result_[Flat(ShapeOut(), index)] = value;
      });
      start += ShapeIn(i)[d];
    }
  }

  static T Initial(Reduction body) {
    if (body == Reduction::kAdd) return 0;
    const T infinity = std::numeric_limits<T>::infinity();
    return body == Reduction::kMaximum ? -infinity : infinity;
  }
  static T Reduced(Reduction body, T a, T b) {
    if (body == Reduction::kAdd) return a + b;
    return body == Reduction::kMaximum ? Apply(Maximum{}, a, b) : Apply(Minimum{}, a, b);
  }
  void Compute(const Reduce& op) {
    std::fill(result_.begin(), result_.end(), Initial(op.body));
    std::size_t next = 0;
    ForEach(ShapeIn(0), [&](const Dimensions& index) {
      Dimensions kept;
      for (std::size_t d = 0; d < index.size(); ++d) {
        if (!Contains(op.dimensions, static_cast<std::int64_t>(d))) kept.push_back(index[d]);
      }
      T& to = result_[Flat(ShapeOut(), kept)];
      to = Reduced(op.body, to, In(0)[next++]);
    });
  }
  void Compute(const ReduceWindow& op) {
    Fill([&](const Dimensions& index) {
      T value = Initial(op.body);
      ForEach(op.window_dimensions, [&](const Dimensions& tap) {
        Dimensions from(index.size());
        for (std::size_t d = 0; d < from.size(); ++d) {
          const std::int64_t at =
              index[d] * op.window_strides[d] + tap[d] * op.window_dilations[d] - op.padding[d][0];
          from[d] = at / op.base_dilations[d];
          if (at < 0 || at % op.base_dilations[d] != 0 || from[d] >= ShapeIn(0)[d]) return;
        }
        value = Reduced(op.body, value, In(0)[Flat(ShapeIn(0), from)]);
      });
      return value;
    });
  }
  void Compute(const SelectAndScatter& op) {
    const Shape& shape = ShapeIn(0);
    std::size_t next = 0;
    ForEach(ShapeIn(1), [&](const Dimensions& index) {
      std::ptrdiff_t selected = -1;
      ForEach(op.window_dimensions, [&](const Dimensions& tap) {
        Dimensions from(index.size());
        for (std::size_t d = 0; d < from.size(); ++d) {
          from[d] = index[d] * op.window_strides[d] + tap[d] - op.padding[d][0];
          if (from[d] < 0 || from[d] >= shape[d]) return;
        }
        const auto candidate = static_cast<std::ptrdiff_t>(Flat(shape, from));
        if (selected < 0 || !(In(0)[Index(selected)] >= In(0)[Index(candidate)])) {
          selected = candidate;
        }
      });
      if (selected >= 0) result_[Index(selected)] += In(1)[next];
      ++next;
    });
  }

  // The place in an operand of a dot_general: dimensions that both share, and its free ones.
  static Dimensions OperandIndex(const Shape& shape, const Dimensions& batching,
                                 const Dimensions& contracting, const Dimensions& batch,
                                 const Dimensions& sum, const std::int64_t* free) {
    Dimensions index(shape.size(), -1);
    for (std::size_t i = 0; i < batching.size(); ++i) index[Index(batching[i])] = batch[i];
    for (std::size_t i = 0; i < contracting.size(); ++i) index[Index(contracting[i])] = sum[i];
    for (std::int64_t& at : index) {
      if (at < 0) at = *free++;
    }
    return index;
  }
  void Compute(const DotGeneral& op) {
    Shape sums;
    for (const std::int64_t d : op.lhs_contracting_dimensions) {
      sums.push_back(ShapeIn(0)[Index(d)]);
    }
    const std::size_t batches = op.lhs_batching_dimensions.size();
    const std::size_t left_free = ShapeIn(0).size() - batches - sums.size();
    Fill([&](const Dimensions& index) {
      T value = 0;
      ForEach(sums, [&](const Dimensions& sum) {
        const auto left =
            OperandIndex(ShapeIn(0), op.lhs_batching_dimensions, op.lhs_contracting_dimensions,
                         index, sum, index.data() + batches);
        const auto right =
            OperandIndex(ShapeIn(1), op.rhs_batching_dimensions, op.rhs_contracting_dimensions,
                         index, sum, index.data() + batches + left_free);
        value += In(0)[Flat(ShapeIn(0), left)] * In(1)[Flat(ShapeIn(1), right)];
      });
      return value;
    });
  }
  void Compute(const Convolution& op) {
    const Shape& input = ShapeIn(0);
    const Shape& kernel = ShapeIn(1);
    Shape taps = {kernel[Index(op.kernel_input_feature_dimension)]};
    for (const std::int64_t d : op.kernel_spatial_dimensions) taps.push_back(kernel[Index(d)]);
    const std::int64_t outputs = kernel[Index(op.kernel_output_feature_dimension)];
    const std::int64_t batches = ShapeOut()[Index(op.output_batch_dimension)];
    Fill([&](const Dimensions& index) {
      const std::int64_t feature = index[Index(op.output_feature_dimension)];
      const std::int64_t group = feature / (outputs / op.feature_group_count);
      const std::int64_t slab = feature / (outputs / op.batch_group_count);
      T value = 0;
      ForEach(taps, [&](const Dimensions& tap) {
        Dimensions from(input.size());
        Dimensions weight(input.size());
        from[Index(op.input_batch_dimension)] =
            slab * batches + index[Index(op.output_batch_dimension)];
        from[Index(op.input_feature_dimension)] = group * taps[0] + tap[0];
        weight[Index(op.kernel_input_feature_dimension)] = tap[0];
        weight[Index(op.kernel_output_feature_dimension)] = feature;
        for (std::size_t d = 0; d + 1 < taps.size(); ++d) {
          const std::int64_t k = tap[d + 1];
          const std::int64_t at =
              index[Index(op.output_spatial_dimensions[d])] * op.window_strides[d] +
              k * op.rhs_dilation[d] - op.padding[d][0];
          const std::int64_t x = at / op.lhs_dilation[d];
          const bool inside = at >= 0 && at % op.lhs_dilation[d] == 0 &&
                              x < input[Index(op.input_spatial_dimensions[d])];
          if (!inside) return;
          from[Index(op.input_spatial_dimensions[d])] = x;
          weight[Index(op.kernel_spatial_dimensions[d])] =
              op.window_reversal[d] ? taps[d + 1] - 1 - k : k;
        }
        value += In(0)[Flat(input, from)] * In(1)[Flat(kernel, weight)];
      });
      return value;
    });
  }

  const Graph& graph_;
  const Node* node_ = nullptr;
  Values<T> result_;
  std::vector<Values<T>> values_;
};

}  // namespace

template <typename T>
std::vector<Values<T>> Evaluate(const Graph& graph, const std::vector<Values<T>>& inputs) {
  return Evaluator<T>(graph, inputs).Run();
}

template std::vector<Values<double>> Evaluate(const Graph& graph,
                                              const std::vector<Values<double>>& inputs);
template std::vector<Values<float>> Evaluate(const Graph& graph,
                                             const std::vector<Values<float>>& inputs);

}  // namespace tpu::tensor
