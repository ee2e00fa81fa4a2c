// SPDX-License-Identifier: Apache-2.0
// UNIDIRECTIONAL_SEQUENCE_LSTM: products of all inputs with the gates' weights at once, then step
// by step products of the hidden state, and functions and products element by element.
#include <algorithm>
#include <array>
#include <cmath>

#include "compiler/legalise/integer_maps.h"
#include "compiler/legalise/legalise_rules.h"

namespace tpu::compiler {
namespace {

using Kind = ir::IntegerMap::Kind;

// Places of the operator's inputs; of the gates there are four each.
constexpr std::size_t kInput = 0;
constexpr std::size_t kWeights = 1;
constexpr std::size_t kRecurrentWeights = kWeights + ir::Lstm::kGates;
constexpr std::size_t kBiases = kRecurrentWeights + ir::Lstm::kGates;
constexpr std::size_t kHidden = kBiases + ir::Lstm::kGates;
constexpr std::size_t kCell = kHidden + 1;

enum Gate : std::size_t { kInputGate, kForgetGate, kCellGate, kOutputGate };

// The scales before and behind the gates' functions.
constexpr float kFunctionInput = 1.0F / 4096;
constexpr float kFunctionOutput = 1.0F / 32768;

class LstmRule {
 public:
  LstmRule(const OperatorView& view, const ir::Lstm& op)
      : view_(view),
        op_(op),
        input_(view.Input(kInput)),
        hidden_(view.Input(kHidden)),
        cell_(view.Input(kCell)) {}

  void Run() {
    Check();
    for (std::size_t gate = 0; gate < ir::Lstm::kGates; ++gate) products_.at(gate) = Products(gate);
    ir::TensorId hidden = view_.op.inputs[kHidden];
    ir::TensorId cell = view_.op.inputs[kCell];
    std::vector<ir::TensorId> steps;
    for (std::int64_t t = 0; t < Steps(); ++t) {
      const bool last = t + 1 == Steps();
      cell = NextCell(t, hidden, cell, last);
      hidden = NextHidden(t, hidden, cell, last);
      steps.push_back(hidden);
    }
    Join(steps);
  }

 private:
  void Check() const {
    using enum ElementType;
    view_.Require(view_.graph.Config().int16 != 0,
                  "it needs int16, which the machine does not have: compile it for a machine with "
                  "int16");
    const bool wide = input_.type == kInt16;
    view_.Require(input_.shape.size() == 3, "input {} must have 3 dimensions", input_.name);
    view_.Require((wide || input_.type == kInt8) && hidden_.type == input_.type &&
                      view_.Output().type == input_.type && cell_.type == kInt16,
                  "{} and the hidden state must be int8 or int16, and the cell state int16",
                  input_.name);
    const std::int64_t cells = Cells();
    const std::int64_t inputs = input_.shape[2];
    for (std::size_t gate = 0; gate < ir::Lstm::kGates; ++gate) {
      const ir::Tensor& weights = view_.Input(kWeights + gate);
      const ir::Tensor& recurrent = view_.Input(kRecurrentWeights + gate);
      for (const ir::Tensor* tensor : {&weights, &recurrent}) {
        view_.Require(tensor->IsConstant() && tensor->type == kInt8,
                      "weights {} must be constant int8", tensor->name);
      }
      view_.Require(
          weights.shape == ir::Shape{cells, inputs} && recurrent.shape == ir::Shape{cells, cells},
          "weights {} and {} must be [{}, {}] and [{}, {}]", weights.name, recurrent.name, cells,
          inputs, cells, cells);
      const ir::Tensor& bias = view_.Input(kBiases + gate);
      view_.Require(
          bias.IsConstant() && bias.type == (wide ? kInt64 : kInt32) && bias.Elements() == cells,
          "bias {} must be {} constant {}", bias.name, cells,
          ElementTypeName(wide ? kInt64 : kInt32));
    }
    view_.Require(hidden_.Elements() == Batch() * cells && cell_.Elements() == Batch() * cells,
                  "the states {} and {} must have {} x {} elements", hidden_.name, cell_.name,
                  Batch(), cells);
    view_.Require(Log2(cell_.scale).has_value() && cell_.zero_point == 0,
                  "the cell state {} must have a power of two for its scale, and zero point 0",
                  cell_.name);
  }

  [[nodiscard]] std::int64_t Batch() const { return input_.shape[op_.time_major ? 1 : 0]; }
  [[nodiscard]] std::int64_t Steps() const { return input_.shape[op_.time_major ? 0 : 1]; }
  [[nodiscard]] std::int64_t Cells() const { return view_.Input(kWeights).shape[0]; }
  [[nodiscard]] ir::Shape StateShape() const { return {Batch(), Cells()}; }

  // An int16 tensor of the functions' input scale.
  [[nodiscard]] ir::TensorId Sum(ir::Shape shape, std::string_view suffix) const {
    ir::Tensor like;
    like.type = ElementType::kInt16;
    like.scale = kFunctionInput;
    return view_.Like(like, std::move(shape), suffix);
  }

  // The gate's products with the inputs of all steps.
  [[nodiscard]] ir::TensorId Products(std::size_t gate) const {
    const ir::TensorId product = Sum({input_.shape[0], input_.shape[1], Cells()}, "products");
    view_.Add({view_.op.inputs[kInput], view_.op.inputs[kWeights + gate],
               view_.op.inputs[kBiases + gate]},
              product, ir::FullyConnected{});
    return product;
  }

  // The products of step t.
  [[nodiscard]] ir::TensorId ProductsOf(std::size_t gate, std::int64_t t) const {
    const ir::TensorId all = products_.at(gate);
    if (Steps() == 1) return view_.Reshaped(all, StateShape());
    const ir::Shape shape = view_.graph.At(all).shape;
    const std::size_t axis = op_.time_major ? 0 : 1;
    ir::Slice slice = {.begin = {0, 0, 0}, .size = shape, .stride = {1, 1, 1}};
    slice.begin[axis] = t;
    slice.size[axis] = 1;
    const ir::TensorId step = Sum(slice.size, "step");
    view_.Add({all}, step, ir::MoveOf(slice, shape, slice.size));
    return view_.Reshaped(step, StateShape());
  }

  // The gate's function at step t.
  [[nodiscard]] ir::TensorId Opening(std::size_t gate, std::int64_t t, ir::TensorId hidden) const {
    const ir::TensorId recurrent = Sum(StateShape(), "recurrent");
    view_.Add({hidden, view_.op.inputs[kRecurrentWeights + gate]}, recurrent, ir::FullyConnected{});
    const IntegerMaps maps(view_, StateShape());
    const ir::TensorId sum =
        maps.Add(ElementType::kInt16, {ProductsOf(gate, t), recurrent}, {.kind = Kind::kAdd});
    const ir::TensorId opening = Sum(StateShape(), "gate");
    if (gate == kCellGate && op_.tanh) {
      AddTanh(maps, sum, {}, opening);
    } else {
      AddLogistic(maps, sum, {}, opening);
    }
    return opening;
  }

  // A product of two tensors of these scales, as one of the output's scale and zero point.
  [[nodiscard]] ir::IntegerMap Product(float first, float second, const ir::Tensor& output) const {
    const double factor = static_cast<double>(first) * static_cast<double>(second) /
                          static_cast<double>(output.scale);
    return {.kind = Kind::kMul,
            .rounds = ir::IntegerMap::Rounds::kAsNetwork,
            .factor = QuantizeMultiplier(factor, view_.graph.GetRounding()),
            .zero = output.zero_point};
  }

  // A state behind a step: behind the last one, the operator's output.
  [[nodiscard]] ir::TensorId StateBehind(bool last, std::size_t output, const ir::Tensor& like,
                                         std::string_view suffix) const {
    return last ? view_.op.outputs[output] : view_.Like(like, StateShape(), suffix);
  }

  [[nodiscard]] ir::TensorId NextCell(std::int64_t t, ir::TensorId hidden, ir::TensorId cell,
                                      bool last) const {
    const IntegerMaps maps(view_, StateShape());
    const ir::TensorId kept = maps.Add(ElementType::kInt16, {Opening(kForgetGate, t, hidden), cell},
                                       Product(kFunctionOutput, cell_.scale, cell_));
    const ir::TensorId added = maps.Add(
        ElementType::kInt16, {Opening(kInputGate, t, hidden), Opening(kCellGate, t, hidden)},
        Product(kFunctionOutput, kFunctionOutput, cell_));
    ir::IntegerMap sum = {.kind = Kind::kAdd};
    if (op_.cell_clip > 0) {
      const double most = op_.cell_clip / static_cast<double>(cell_.scale);
      sum.hi = static_cast<std::int32_t>(std::min(most, 32767.0));
      sum.lo = -sum.hi;
    }
    const ir::TensorId next = StateBehind(last, 2, cell_, "cell");
    maps.AddAs(next, {kept, added}, sum);
    return next;
  }

  [[nodiscard]] ir::TensorId NextHidden(std::int64_t t, ir::TensorId hidden, ir::TensorId cell,
                                        bool last) const {
    const IntegerMaps maps(view_, StateShape());
    const ir::TensorId opening = Opening(kOutputGate, t, hidden);
    const ir::TensorId function = Sum(StateShape(), "tanh");
    const int shift = 12 + *Log2(cell_.scale);
    AddTanh(
        maps, cell,
        shift < 0 ? SigmoidArgument{.shift = -shift} : SigmoidArgument{.multiplier = 3 << shift},
        function);
    const ir::TensorId next = StateBehind(last, 1, hidden_, "hidden");
    maps.AddAs(next, {function, opening}, Product(kFunctionOutput, kFunctionOutput, hidden_));
    return next;
  }

  // All hidden states make the output.
  void Join(const std::vector<ir::TensorId>& steps) const {
    const ir::Shape shape = view_.Output().shape;
    ir::Shape step = shape;
    const std::size_t axis = op_.time_major ? 0 : 1;
    step[axis] = 1;
    const std::vector<ir::Shape> shapes(steps.size(), step);
    std::vector<ir::TensorId> parts;
    for (const ir::TensorId id : steps) parts.push_back(view_.Reshaped(id, step));
    const ir::Move move =
        ir::MoveOf(ir::Concatenation{.axis = static_cast<std::int64_t>(axis)}, shapes, shape);
    if (ir::IsIdentity(move)) {
      view_.Add({parts.front()}, view_.op.outputs[0], ir::Reshape{});
    } else {
      view_.Add(std::move(parts), view_.op.outputs[0], move);
    }
  }

  const OperatorView& view_;
  const ir::Lstm& op_;
  ir::Tensor input_;
  ir::Tensor hidden_;
  ir::Tensor cell_;
  std::array<ir::TensorId, ir::Lstm::kGates> products_{};
};

}  // namespace

void Legalise(const OperatorView& view, const ir::Lstm& op) { LstmRule(view, op).Run(); }

}  // namespace tpu::compiler
