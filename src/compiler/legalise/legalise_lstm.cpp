// SPDX-License-Identifier: Apache-2.0
// UNIDIRECTIONAL_SEQUENCE_LSTM: products of all inputs with the gates' weights at once, then step
// by step products of the hidden state, and functions and products element by element.
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <variant>

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
// Places of those that open, of which one product is made.
enum Place : std::int64_t { kInputPlace, kForgetPlace, kOutputPlace };

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
    const Joint opening = JointOf({kInputGate, kForgetGate, kOutputGate});
    const Joint content = JointOf({kCellGate});
    ir::TensorId hidden = view_.op.inputs[kHidden];
    ir::TensorId cell = view_.op.inputs[kCell];
    std::vector<ir::TensorId> steps;
    for (std::int64_t t = 0; t < Steps(); ++t) {
      const bool last = t + 1 == Steps();
      const ir::TensorId open = Opening(opening, false, t, hidden);
      const ir::TensorId added = Opening(content, op_.tanh, t, hidden);
      cell = NextCell(open, added, cell, last);
      hidden = NextHidden(open, cell, last);
      steps.push_back(hidden);
    }
    Join(steps);
  }

 private:
  void Check() const {
    using enum ElementType;
    view_.RequireMachineWithInt16();
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

  // Gates whose matrices are one below the other.
  struct Joint {
    ir::TensorId recurrent = 0;
    ir::FullyConnected product;  // Of `recurrent` and the hidden state.
    ir::TensorId products = 0;   // Of the inputs of all steps.
    ir::Shape shape;             // Of the products of one step.
  };

  [[nodiscard]] Joint JointOf(const std::vector<std::size_t>& gates) const {
    const auto count = static_cast<std::int64_t>(gates.size()) * Cells();
    Joint joint = {
        .recurrent = JoinConstants(kRecurrentWeights, gates),
        .product = {.factors = FactorsOf(hidden_, kRecurrentWeights, gates)},
        .products = Sum({input_.shape[0], input_.shape[1], count}, "products"),
        .shape = {Batch(), count},
    };
    view_.Add(
        {view_.op.inputs[kInput], JoinConstants(kWeights, gates), JoinConstants(kBiases, gates)},
        joint.products, ir::FullyConnected{.factors = FactorsOf(input_, kWeights, gates)});
    return joint;
  }

  // The gates' constants from input `first` on, one below the other.
  [[nodiscard]] ir::TensorId JoinConstants(std::size_t first,
                                           const std::vector<std::size_t>& gates) const {
    ir::Tensor joined = view_.Input(first + gates.front());
    joined.shape.front() = Cells() * static_cast<std::int64_t>(gates.size());
    joined.channel_scales.clear();
    for (std::size_t i = 1; i < gates.size(); ++i) {
      std::visit(
          [&]<typename Values>(Values& values) {
            if constexpr (!std::is_same_v<Values, std::monostate>) {
              const auto& more = std::get<Values>(view_.Input(first + gates[i]).data);
              values.insert(values.end(), more.begin(), more.end());
            }
          },
          joined.data);
    }
    return view_.graph.AddTensor(std::move(joined));
  }

  // What the gates' sums of products are multiplied by.
  [[nodiscard]] std::vector<Multiplier> FactorsOf(const ir::Tensor& input, std::size_t first,
                                                  const std::vector<std::size_t>& gates) const {
    ir::Tensor sum;
    sum.scale = kFunctionInput;
    std::vector<Multiplier> factors;
    for (const std::size_t gate : gates) {
      const std::vector<Multiplier> more = FullyConnectedMultipliers(
          input, view_.Input(first + gate), sum, Cells(), view_.graph.GetRounding());
      factors.insert(factors.end(), more.begin(), more.end());
    }
    return factors;
  }

  // The products of step t.
  [[nodiscard]] ir::TensorId ProductsOf(const Joint& joint, std::int64_t t) const {
    const ir::TensorId all = joint.products;
    if (Steps() == 1) return view_.Reshaped(all, joint.shape);
    const ir::Shape shape = view_.graph.At(all).shape;
    const std::size_t axis = op_.time_major ? 0 : 1;
    ir::Slice slice = {.begin = {0, 0, 0}, .size = shape, .stride = {1, 1, 1}};
    slice.begin[axis] = t;
    slice.size[axis] = 1;
    const ir::TensorId step = Sum(slice.size, "step");
    view_.Add({all}, step, ir::MoveOf(slice, shape, slice.size));
    return view_.Reshaped(step, joint.shape);
  }

  // The gates' function at step t.
  [[nodiscard]] ir::TensorId Opening(const Joint& joint, bool tanh, std::int64_t t,
                                     ir::TensorId hidden) const {
    const ir::TensorId recurrent = Sum(joint.shape, "recurrent");
    view_.Add({hidden, joint.recurrent}, recurrent, joint.product);
    const IntegerMaps maps(view_, joint.shape);
    const ir::TensorId sum =
        maps.Add(ElementType::kInt16, {ProductsOf(joint, t), recurrent}, {.kind = Kind::kAdd});
    const ir::TensorId opening = Sum(joint.shape, "gates");
    if (tanh) {
      AddTanh(maps, sum, {}, opening);
    } else {
      AddLogistic(maps, sum, {}, opening);
    }
    return opening;
  }

  // Gate number `place` of those that open.
  [[nodiscard]] ir::TensorId Part(ir::TensorId open, std::int64_t place) const {
    const ir::Slice slice = {.begin = {0, place * Cells()}, .size = StateShape(), .stride = {1, 1}};
    const ir::TensorId part = Sum(StateShape(), "gate");
    view_.Add({open}, part, ir::MoveOf(slice, view_.graph.At(open).shape, StateShape()));
    return part;
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

  [[nodiscard]] ir::TensorId NextCell(ir::TensorId open, ir::TensorId content, ir::TensorId cell,
                                      bool last) const {
    const IntegerMaps maps(view_, StateShape());
    const ir::TensorId kept = maps.Add(ElementType::kInt16, {Part(open, kForgetPlace), cell},
                                       Product(kFunctionOutput, cell_.scale, cell_));
    const ir::TensorId added = maps.Add(ElementType::kInt16, {Part(open, kInputPlace), content},
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

  [[nodiscard]] ir::TensorId NextHidden(ir::TensorId open, ir::TensorId cell, bool last) const {
    const IntegerMaps maps(view_, StateShape());
    const ir::TensorId function = Sum(StateShape(), "tanh");
    const int shift = 12 + *Log2(cell_.scale);
    AddTanh(
        maps, cell,
        shift < 0 ? SigmoidArgument{.shift = -shift} : SigmoidArgument{.multiplier = 3 << shift},
        function);
    const ir::TensorId next = StateBehind(last, 1, hidden_, "hidden");
    maps.AddAs(next, {function, Part(open, kOutputPlace)},
               Product(kFunctionOutput, kFunctionOutput, hidden_));
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
};

}  // namespace

void Legalise(const OperatorView& view, const ir::Lstm& op) { LstmRule(view, op).Run(); }

}  // namespace tpu::compiler
