// SPDX-License-Identifier: Apache-2.0
// SVDF: a product with the features' weights, whose results are the newest column of the state;
// then products of the state with the time's weights, summed.
#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "compiler/legalise/legalise_rules.h"

namespace tpu::compiler {
namespace {

// Places of the operator's inputs. The bias may be left out: then the state is at its place.
constexpr std::size_t kActivations = 0;
constexpr std::size_t kFeatures = 1;
constexpr std::size_t kTime = 2;
constexpr std::size_t kBias = 3;

// Calls function(vector of values) with a constant's int8 or int16.
template <typename Function>
void WithValues(const ir::Tensor& tensor, Function function) {
  if (const auto* bytes = std::get_if<std::vector<std::int8_t>>(&tensor.data)) function(*bytes);
  if (const auto* words = std::get_if<std::vector<std::int16_t>>(&tensor.data)) function(*words);
}

// The state lies [batch, memory, rank, units] here: the sum over memory and rank is one window, and
// units are channels. Filters are in the order [rank, units] therefore.
class SvdfRule {
 public:
  SvdfRule(const OperatorView& view, const ir::Svdf& op)
      : view_(view),
        rank_(op.rank),
        input_(view.Input(kActivations)),
        features_(view.Input(kFeatures)),
        time_(view.Input(kTime)),
        state_(view.Input(view.op.inputs.size() - 1)) {}

  void Run() {
    Check();
    const ir::TensorId state = NextState(NewestFeatures());
    ir::Tensor products;
    products.type = ElementType::kInt32;
    const ir::TensorId product = view_.Like(products, StateShape(), "products");
    view_.Add({state, view_.graph.AddTensor(TimeWeights())}, product,
              ir::IntegerMap{.kind = ir::IntegerMap::Kind::kMul});
    const ir::TensorId sum = view_.Like(view_.Output(), {Batch(), 1, 1, Units()}, "sum");
    view_.Add(
        {product, view_.graph.AddTensor(Bias())}, sum,
        ir::IntegerSum{
            .factor = TimeFactor(), .zero = view_.Output().zero_point, .lo = -128, .hi = 127});
    view_.Add({sum}, view_.op.outputs[0], ir::Reshape{});
  }

 private:
  void Check() const {
    using enum ElementType;
    const auto narrow = [](const ir::Tensor& tensor) {
      return tensor.type == kInt8 || tensor.type == kInt16;
    };
    view_.RequireMachineWithInt16();
    view_.RequireInt8(input_);
    view_.RequireInt8(view_.Output());
    view_.Require(features_.IsConstant() && features_.type == kInt8,
                  "weights {} must be constant int8", features_.name);
    view_.Require(time_.IsConstant() && narrow(time_) && state_.type == time_.type,
                  "weights {} must be constant int8 or int16, as the state {}", time_.name,
                  state_.name);
    view_.Require(features_.shape.size() == 2 && time_.shape.size() == 2 &&
                      input_.shape.size() == 2 && time_.shape[0] == features_.shape[0] &&
                      features_.shape[1] == input_.shape[1] && rank_ >= 1 &&
                      features_.shape[0] % rank_ == 0,
                  "weights {} and {} do not go together", features_.name, time_.name);
    view_.Require(state_.Elements() == Batch() * Filters() * Memory() &&
                      view_.Output().Elements() == Batch() * Units(),
                  "the state {} or the output {} has the wrong size", state_.name,
                  view_.Output().name);
  }

  [[nodiscard]] std::int64_t Batch() const { return input_.shape[0]; }
  [[nodiscard]] std::int64_t Filters() const { return features_.shape[0]; }
  [[nodiscard]] std::int64_t Units() const { return Filters() / rank_; }
  [[nodiscard]] std::int64_t Memory() const { return time_.shape[1]; }
  [[nodiscard]] ir::Shape StateShape() const { return {Batch(), Memory(), rank_, Units()}; }

  // The filter at place i of the order [rank, units].
  [[nodiscard]] std::int64_t FilterAt(std::int64_t i) const {
    return i % Units() * rank_ + i / Units();
  }

  // The products are computed in float32, as TensorFlow Lite has it.
  [[nodiscard]] std::vector<Multiplier> FeatureFactors() const {
    const float factor = input_.scale * features_.scale / state_.scale;
    return std::vector<Multiplier>(
        static_cast<std::size_t>(features_.shape[0]),
        QuantizeMultiplier(static_cast<double>(factor), view_.graph.GetRounding()));
  }
  [[nodiscard]] Multiplier TimeFactor() const {
    const float factor = state_.scale * time_.scale / view_.Output().scale;
    return QuantizeMultiplier(static_cast<double>(factor), view_.graph.GetRounding());
  }

  [[nodiscard]] ir::Tensor Features() const {
    ir::Tensor tensor = features_;
    tensor.name += "/ordered";
    const auto& from = std::get<std::vector<std::int8_t>>(features_.data);
    std::vector<std::int8_t> to;
    const std::int64_t inputs = features_.shape[1];
    for (std::int64_t i = 0; i < Filters(); ++i) {
      const auto row = std::span(from).subspan(static_cast<std::size_t>(FilterAt(i) * inputs),
                                               static_cast<std::size_t>(inputs));
      to.insert(to.end(), row.begin(), row.end());
    }
    tensor.data = std::move(to);
    return tensor;
  }

  // TensorFlow Lite Micro adds the zero point of int8 to what it has clamped, and keeps the lower 8
  // bits.
  [[nodiscard]] ir::TensorId NewestFeatures() const {
    const ir::Shape shape = {Batch(), 1, rank_, Units()};
    ir::Tensor clamped = state_;
    clamped.zero_point = 0;
    const ir::TensorId features = view_.Like(clamped, shape, "features");
    view_.Add({view_.op.inputs[kActivations], view_.graph.AddTensor(Features())}, features,
              ir::FullyConnected{.factors = FeatureFactors()});
    if (state_.zero_point == 0) return features;
    const ir::TensorId moved = view_.Like(state_, shape, "moved");
    ir::Lookup lookup;
    for (std::size_t byte = 0; byte < lookup.table.size(); ++byte) {
      lookup.table[byte] = static_cast<std::int8_t>(
          static_cast<std::uint8_t>(static_cast<std::int64_t>(byte) + state_.zero_point));
    }
    view_.Add({features}, moved, lookup);
    return moved;
  }

  // [1, memory, rank, units], or as many as the batch has.
  [[nodiscard]] ir::Tensor TimeWeights() const {
    ir::Tensor tensor = time_;
    tensor.name += "/ordered";
    tensor.shape = StateShape();
    WithValues(time_, [&](const auto& from) {
      std::remove_cvref_t<decltype(from)> to;
      for (std::int64_t b = 0; b < Batch(); ++b) {
        for (std::int64_t m = 0; m < Memory(); ++m) {
          for (std::int64_t i = 0; i < Filters(); ++i) {
            to.push_back(from[static_cast<std::size_t>(FilterAt(i) * Memory() + m)]);
          }
        }
      }
      tensor.data = std::move(to);
    });
    return tensor;
  }

  // With what the state's zero point adds to the sums, modulo 2^32.
  [[nodiscard]] ir::Tensor Bias() const {
    ir::Tensor tensor = {
        .name = view_.op.name + "/bias", .type = ElementType::kInt32, .shape = {Units()}};
    std::vector<std::int64_t> sums(static_cast<std::size_t>(Units()));
    if (view_.op.inputs.size() > kBias + 1) {
      const auto* given = std::get_if<std::vector<std::int32_t>>(&view_.Input(kBias).data);
      view_.Require(given != nullptr && given->size() == sums.size(),
                    "bias {} must be {} constant int32", view_.Input(kBias).name, Units());
      std::ranges::copy(*given, sums.begin());
    }
    WithValues(time_, [&](const auto& values) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        const auto filter = static_cast<std::int64_t>(i) / Memory();
        sums[static_cast<std::size_t>(filter / rank_)] -=
            std::int64_t{state_.zero_point} * values[i];
      }
    });
    std::vector<std::int32_t> wrapped;
    for (const std::int64_t sum : sums) {
      wrapped.push_back(static_cast<std::int32_t>(static_cast<std::uint32_t>(sum)));
    }
    tensor.data = std::move(wrapped);
    return tensor;
  }

  // The state without its oldest features, and with the newest.
  [[nodiscard]] ir::TensorId NextState(ir::TensorId newest) const {
    const ir::TensorId before = view_.Reshaped(view_.op.inputs.back(), StateShape());
    const ir::TensorId after = view_.Like(state_, StateShape(), "state");
    const std::int64_t column = Filters();
    const std::int64_t whole = Memory() * column;
    const std::int64_t kept = whole - column;
    ir::Move move;
    if (kept > 0) {
      move.copies.push_back({.input = 0,
                             .from = column,
                             .to = 0,
                             .loops = {{.count = Batch(), .from_stride = whole, .to_stride = whole},
                                       {.count = kept, .from_stride = 1, .to_stride = 1}}});
    }
    move.copies.push_back({.input = 1,
                           .from = 0,
                           .to = kept,
                           .loops = {{.count = Batch(), .from_stride = column, .to_stride = whole},
                                     {.count = column, .from_stride = 1, .to_stride = 1}}});
    view_.Add({before, newest}, after, std::move(move));
    view_.Add({after}, view_.op.outputs[1], ir::Reshape{});
    return after;
  }

  const OperatorView& view_;
  std::int64_t rank_;
  ir::Tensor input_;
  ir::Tensor features_;
  ir::Tensor time_;
  ir::Tensor state_;
};

}  // namespace

void Legalise(const OperatorView& view, const ir::Svdf& op) { SvdfRule(view, op).Run(); }

}  // namespace tpu::compiler
