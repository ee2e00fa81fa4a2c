// SPDX-License-Identifier: Apache-2.0
// Operations on elements. Each is one operation of the vector unit, or two. Numbers that are the
// same for all elements are not tensors, but part of the operation.
#include <algorithm>
#include <type_traits>
#include <utility>
#include <variant>

#include "compiler/from_tensor/formats.h"
#include "compiler/from_tensor/sums.h"
#include "compiler/from_tensor/translation.h"

namespace tpu::compiler {
namespace {

using ir::MapKind;
using tensor::ComparisonDirection;
using tensor::ValueId;

// The operation with its operands exchanged.
MapKind Swapped(MapKind kind) {
  if (kind == MapKind::kSub) return MapKind::kReverseSub;
  return kind == MapKind::kReverseSub ? MapKind::kSub : kind;
}

// The value max(x, 0), when something made it, which is 0 exactly where x is not above 0.
std::optional<ValueId> ReluOf(const Translation& to, ValueId x) {
  for (ValueId id = x + 1; id < to.Source().nodes.size(); ++id) {
    if (to.If<tensor::Maximum>(id) == nullptr || !to.IsMade(id)) continue;
    const std::vector<ValueId>& operands = to.NodeOf(id).operands;
    for (const std::size_t i : {0U, 1U}) {
      if (operands[i] == x && to.Splat(operands[1 - i]) == 0.0) return id;
    }
  }
  return std::nullopt;
}

class Elements {
 public:
  Elements(Translation& to, ValueId id) : to_(to), id_(id) {}

  void operator()(const tensor::Exponential& /*op*/) { Function(ir::FunctionKind::kExp); }
  void operator()(const tensor::Log& /*op*/) { Function(ir::FunctionKind::kLog); }
  void operator()(const tensor::Negate& /*op*/) { Function(ir::FunctionKind::kNegate); }
  void operator()(const tensor::Abs& /*op*/) { Function(ir::FunctionKind::kAbsolute); }
  void operator()(const tensor::Rsqrt& /*op*/) { Function(ir::FunctionKind::kRsqrt); }
  void operator()(const tensor::Sqrt& /*op*/) { Function(ir::FunctionKind::kSqrt); }
  void operator()(const tensor::Tanh& /*op*/) { Unary(ir::UnaryKind::kTanh); }
  void operator()(const tensor::Logistic& /*op*/) { Unary(ir::UnaryKind::kLogistic); }

  void operator()(const tensor::Add& /*op*/) {
    if (const auto biased = AsBiasedProduct(to_, id_)) {
      TranslateProduct(to_, id_, *biased);
      return;
    }
    if (const auto sum = AsMultiplyAdd(to_, id_); sum && !to_.IsMade(sum->product)) {
      const ir::TensorId x = Numbers(sum->x, true);
      const ir::TensorId addend = Numbers(sum->addend, true);
      to_.Add(
          {x, addend}, Result(),
          ir::Map{.kind = MapKind::kMultiplyAdd, .constant = static_cast<float>(sum->constant)});
      return;
    }
    if (const auto sum = AsSquareSum(to_, id_); sum && !to_.IsMade(sum->square)) {
      const ir::TensorId addend = Numbers(sum->addend, true);
      const ir::TensorId root = Numbers(sum->root, true);
      to_.Add({addend, root}, Result(), ir::Map{.kind = MapKind::kAddSquare});
      return;
    }
    Map(MapKind::kAdd);
  }
  void operator()(const tensor::Subtract& /*op*/) {
    if (UpdateBy(to_, Operand(1)) == id_) {
      TranslateProduct(to_, id_, {.node = Operand(1), .minuend = Operand(0)});
    } else {
      Map(MapKind::kSub);
    }
  }
  void operator()(const tensor::Minimum& /*op*/) { Map(MapKind::kMinimum); }
  void operator()(const tensor::Maximum& /*op*/) {
    for (const std::size_t i : {0U, 1U}) {
      if (to_.Splat(Operand(i)) != 0.0) continue;
      const ir::TensorId x = to_.Of(Operand(1 - i));
      to_.Add({x}, Result(), ir::Unary{.kind = ir::UnaryKind::kRelu});
      return;
    }
    Map(MapKind::kMaximum);
  }
  void operator()(const tensor::Multiply& /*op*/) {
    for (const std::size_t i : {0U, 1U}) {
      const auto scalar = to_.Scalar(Operand(i));
      if (!scalar || to_.Splat(Operand(i))) continue;
      const ir::TensorId x = to_.Of(Operand(1 - i));
      to_.Add({x, Wide(*scalar)}, Result(), ir::Scale{});
      return;
    }
    Map(MapKind::kMul);
  }
  // By the reciprocal, of which the vector unit has a function.
  void operator()(const tensor::Divide& /*op*/) {
    if (const auto divisor = to_.Splat(Operand(1))) {
      to_.Add({to_.Of(Operand(0))}, Result(),
              ir::Map{.kind = MapKind::kMul, .constant = static_cast<float>(1.0 / *divisor)});
      return;
    }
    const auto scalar = to_.Scalar(Operand(1));
    const ir::TensorId divisor = scalar ? Wide(*scalar) : to_.Repeated(Operand(1));
    const ir::TensorId reciprocal = to_.Make(to_.Tensor(divisor).type, to_.Tensor(divisor).shape);
    to_.Add({divisor}, reciprocal, ir::Function{.kind = ir::FunctionKind::kReciprocal});
    if (to_.Splat(Operand(0)) == 1.0 &&
        to_.Tensor(divisor).Elements() == to_.NodeOf(id_).type.Elements()) {
      to_.Is(id_, to_.Reshaped(reciprocal, ir::Shape(to_.Tensor(Result()).shape)));
      return;
    }
    if (const auto dividend = to_.Splat(Operand(0))) {
      const ir::TensorId factor = to_.Make(to_.Tensor(divisor).type, to_.Tensor(divisor).shape);
      to_.Add({reciprocal}, factor,
              ir::Map{.kind = MapKind::kMul, .constant = static_cast<float>(*dividend)});
      to_.Require(to_.Tensor(factor).Elements() == to_.NodeOf(id_).type.Elements(),
                  "a constant divided by what is repeated is not supported");
      to_.Is(id_, to_.Reshaped(factor, ir::Shape(to_.Tensor(Result()).shape)));
      return;
    }
    if (scalar) {
      to_.Add({to_.Of(Operand(0)), reciprocal}, Result(), ir::Scale{});
    } else {
      to_.Add({to_.Repeated(Operand(0)), reciprocal}, Result(), ir::Map{.kind = MapKind::kMul});
    }
  }

  void operator()(const tensor::Compare& op) {
    switch (op.comparison_direction) {
      case ComparisonDirection::kGt:
        return Compare(MapKind::kGreater, false, false);
      case ComparisonDirection::kGe:
        return Compare(MapKind::kGreaterOrEqual, false, false);
      case ComparisonDirection::kLt:
        return Compare(MapKind::kGreater, true, false);
      case ComparisonDirection::kLe:
        return Compare(MapKind::kGreaterOrEqual, true, false);
      case ComparisonDirection::kEq:
        return Compare(MapKind::kEqual, false, false);
      case ComparisonDirection::kNe:
        return Compare(MapKind::kEqual, false, true);
    }
  }

  void operator()(const tensor::Select& /*op*/) {
    const auto on_true = to_.Splat(Operand(1));
    const auto on_false = to_.Splat(Operand(2));
    const ir::TensorId mask = Mask(Operand(0));
    if (on_false) {
      const auto constant = static_cast<float>(*on_false);
      if (!on_true) {
        to_.Add({mask, to_.Repeated(Operand(1))}, Result(),
                ir::Map{.kind = MapKind::kSelect, .constant = constant});
        return;
      }
      const ir::TensorId one = Exactly(mask);
      const auto difference = static_cast<float>(*on_true - *on_false);
      if (constant == 0.0F) {
        to_.Add({one}, Result(), ir::Map{.kind = MapKind::kMul, .constant = difference});
        return;
      }
      const ir::TensorId part = to_.Make(to_.Tensor(Result()).type, to_.Tensor(Result()).shape);
      to_.Add({one}, part, ir::Map{.kind = MapKind::kMul, .constant = difference});
      to_.Add({part}, Result(), ir::Map{.kind = MapKind::kAdd, .constant = constant});
      return;
    }
    const ir::TensorId inverse = Inverse(Exactly(mask));
    if (on_true) {
      to_.Add({inverse, to_.Of(Operand(2))}, Result(),
              ir::Map{.kind = MapKind::kSelect, .constant = static_cast<float>(*on_true)});
      return;
    }
    const auto part = [&](ir::TensorId where, ValueId value) {
      const ir::TensorId made = to_.Make(to_.Tensor(Result()).type, to_.Tensor(Result()).shape);
      to_.Add({where, to_.Of(value)}, made, ir::Map{.kind = MapKind::kSelect, .constant = 0.0F});
      return made;
    };
    const ir::TensorId first = part(mask, Operand(1));
    const ir::TensorId second = part(inverse, Operand(2));
    to_.Add({first, second}, Result(), ir::Map{.kind = MapKind::kAdd});
  }

  void operator()(const tensor::Convert& op) {
    if (op.element == tensor::ElementType::kBf16) {
      to_.Is(id_, to_.Narrow(Operand(0)));
      return;
    }
    const ir::TensorId x = to_.Of(Operand(0));
    if (to_.Tensor(x).type != ElementType::kInt32) {
      to_.Is(id_, x);
      return;
    }
    to_.Add({x}, Result(), ir::Convert{});
  }

  template <typename Other>
  void operator()(const Other& /*op*/) {
    throw InternalError("{} is no operation on elements", Other::kName);
  }

 private:
  [[nodiscard]] ValueId Operand(std::size_t i) const { return to_.NodeOf(id_).operands[i]; }

  ir::TensorId Result() {
    if (!to_.IsMade(id_)) to_.Is(id_, to_.Make(id_));
    return to_.Of(id_);
  }
  // A number in float32.
  ir::TensorId Wide(ValueId scalar) {
    const ir::TensorId x = to_.Of(scalar);
    if (to_.Tensor(x).type == ElementType::kFloat32) return x;
    const ir::TensorId wide = to_.Make(ElementType::kFloat32, to_.Tensor(x).shape);
    to_.Add({x}, wide, ir::Convert{});
    return wide;
  }

  void Function(ir::FunctionKind kind) {
    const ir::TensorId x = to_.Of(Operand(0));
    to_.Add({x}, Result(), ir::Function{.kind = kind});
  }
  void Unary(ir::UnaryKind kind) {
    const ir::TensorId x = to_.Of(Operand(0));
    to_.Add({x}, Result(), ir::Unary{.kind = kind});
  }

  void Map(MapKind kind) { Map(kind, Operand(0), Operand(1)); }
  void Map(MapKind kind, ValueId a, ValueId b) {
    for (const bool swap : {false, true}) {
      const auto constant = to_.Splat(swap ? a : b);
      if (!constant) continue;
      const ir::TensorId x = Numbers(swap ? b : a, false);
      to_.Add(
          {x}, Result(),
          ir::Map{.kind = swap ? Swapped(kind) : kind, .constant = static_cast<float>(*constant)});
      return;
    }
    const ir::TensorId first = Numbers(a, true);
    const ir::TensorId second = Numbers(b, true);
    to_.Add({first, second}, Result(), ir::Map{.kind = kind});
  }

  // Integers as float32, repeated or not.
  ir::TensorId Numbers(ValueId id, bool repeated) {
    const ir::TensorId x = repeated ? to_.Repeated(id) : to_.Of(id);
    if (to_.Tensor(x).type != ElementType::kInt32) return x;
    const ir::TensorId floats = to_.Make(ElementType::kFloat32, to_.Tensor(x).shape);
    to_.Add({x}, floats, ir::Convert{});
    return floats;
  }

  void Compare(MapKind kind, bool swap, bool inverted) {
    ValueId a = Operand(0);
    ValueId b = Operand(1);
    if (swap) std::swap(a, b);
    // There is no operation for a constant greater than x: -x is greater than the negative
    // constant.
    if (to_.Splat(a) && kind != MapKind::kEqual) {
      const ir::TensorId x = to_.Of(b);
      const ir::TensorId negative = to_.Make(to_.Tensor(x).type, to_.Tensor(x).shape);
      to_.Add({x}, negative, ir::Function{.kind = ir::FunctionKind::kNegate});
      to_.Add({negative}, Result(),
              ir::Map{.kind = kind, .constant = static_cast<float>(-*to_.Splat(a))});
      return;
    }
    Map(kind, a, b);
    if (inverted) to_.Is(id_, Inverse(to_.Of(id_)));
  }

  // 1 - mask.
  ir::TensorId Inverse(ir::TensorId mask) {
    const ir::TensorId inverse = to_.Make(ElementType::kBfloat16, to_.Tensor(mask).shape);
    to_.Add({mask}, inverse, ir::Map{.kind = MapKind::kReverseSub, .constant = 1.0F});
    return inverse;
  }
  // Not 0 where the predicate is true.
  ir::TensorId Mask(ValueId predicate) {
    const auto* compare = to_.If<tensor::Compare>(predicate);
    exact_ = true;
    if (compare != nullptr && compare->comparison_direction == ComparisonDirection::kGt &&
        to_.Splat(to_.NodeOf(predicate).operands[1]) == 0.0 && !to_.IsMade(predicate)) {
      const auto relu = ReluOf(to_, to_.NodeOf(predicate).operands[0]);
      if (relu) {
        exact_ = false;
        predicate_ = predicate;
        return to_.Of(*relu);
      }
    }
    return to_.Of(predicate);
  }
  // The same of ones and zeros.
  ir::TensorId Exactly(ir::TensorId mask) { return exact_ ? mask : to_.Of(predicate_); }

  Translation& to_;
  ValueId id_;
  bool exact_ = true;  // Whether the mask is 1 where it is not 0.
  ValueId predicate_ = 0;
};

// The only value that uses this one.
std::optional<ValueId> OnlyUserOf(const Translation& to, ValueId id) {
  if (to.Uses(id) != 1) return std::nullopt;
  for (ValueId user = id + 1; user < to.Source().nodes.size(); ++user) {
    const std::vector<ValueId>& operands = to.NodeOf(user).operands;
    if (std::ranges::find(operands, id) != operands.end()) return user;
  }
  return std::nullopt;  // An output.
}

// Whether a product is part of a sum.
bool IsPartOfSum(const Translation& to, ValueId id) {
  const bool scaled = to.If<tensor::Multiply>(id) != nullptr;
  if (!scaled && !IsProduct(to, id)) return false;
  const auto user = OnlyUserOf(to, id);
  if (!user) return false;
  if (scaled) {
    const auto sum = AsMultiplyAdd(to, *user);
    const auto squares = AsSquareSum(to, *user);
    return (sum && sum->product == id) || (squares && squares->square == id);
  }
  const auto biased = AsBiasedProduct(to, *user);
  return biased && biased->node == id;
}

}  // namespace

void TranslateElements(Translation& to, ValueId id) {
  std::visit(Elements(to, id), to.NodeOf(id).operation);
}

std::optional<ValueId> UpdateBy(const Translation& to, ValueId product) {
  if (!GradientFactorOf(to, product)) return std::nullopt;
  const auto user = OnlyUserOf(to, product);
  if (!user || to.If<tensor::Subtract>(*user) == nullptr) return std::nullopt;
  const std::vector<ValueId>& operands = to.NodeOf(*user).operands;
  const bool of_parameter = operands[1] == product && to.If<tensor::Input>(operands[0]) != nullptr;
  return of_parameter ? user : std::nullopt;
}

bool IsPartOfUsers(const Translation& to, ValueId id) {
  const tensor::Operation& operation = to.NodeOf(id).operation;
  return std::holds_alternative<tensor::Constant>(operation) ||
         std::holds_alternative<tensor::Iota>(operation) ||
         std::holds_alternative<tensor::BroadcastInDim>(operation) ||
         std::holds_alternative<tensor::Compare>(operation) || IsPartOfSum(to, id) ||
         to.ProductOf(id).has_value() || UpdateBy(to, id).has_value();
}

}  // namespace tpu::compiler
