// SPDX-License-Identifier: Apache-2.0
// The parts that checks of operators are made of.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <initializer_list>
#include <span>
#include <utility>

#include "base/error.h"
#include "host_operators/check.h"

namespace tpu::host_operators {

using Types = std::initializer_list<ElementType>;
using Shape = std::vector<std::int64_t>;

std::int64_t Elements(const Shape& shape);

/// The last dimension; 1 of a scalar.
inline std::int64_t Innermost(const Shape& shape) { return shape.empty() ? 1 : shape.back(); }

/// The tensors of an operator. All methods throw tpu::Error when what they ask for is not so.
class Checker {
 public:
  Checker(std::span<const Operand> inputs, std::span<const Operand> outputs)
      : inputs_(inputs), outputs_(outputs) {}

  [[nodiscard]] const Operand& In(std::size_t i) const { return inputs_[i]; }
  [[nodiscard]] const Operand& Out(std::size_t i = 0) const { return outputs_[i]; }

  [[nodiscard]] std::size_t Inputs() const { return inputs_.size(); }

  template <typename... Args>
  static void Require(bool condition, fmt::format_string<Args...> format, Args&&... args) {
    if (!condition) throw Error::Format(format, std::forward<Args>(args)...);
  }

  /// How many tensors there are. To be asked for first.
  void Counts(std::size_t inputs, std::size_t outputs = 1) const;
  static void IsOneOf(const Operand& tensor, Types types);
  static void SameType(const Operand& a, const Operand& b);
  static void HasShape(const Operand& tensor, const Shape& shape);
  static void HasElements(const Operand& tensor, std::int64_t elements);
  static void HasRank(const Operand& tensor, std::size_t rank);
  /// Has at least one dimension.
  static void HasAxis(const Operand& tensor);
  /// An axis of the tensor, from 0.
  static std::size_t Axis(const Operand& tensor, std::int64_t axis);
  /// A tensor's name and what of its shape broadcasts.
  struct Part {
    std::string_view name;
    Shape shape;
  };
  /// The shape that the parts broadcast to, by numpy's rules.
  static Shape BroadcastShape(const std::vector<Part>& parts);
  /// The output has the shape that the inputs broadcast to.
  void Broadcast() const;
  /// As many elements in the first input and the first output.
  void SameElements() const { HasElements(Out(), Elements(In(0).shape)); }
  /// A scale that values can be divided by.
  static void HasScale(const Operand& tensor);
  static void InRange(const char* name, std::int64_t value, std::int64_t least, std::int64_t most);

 private:
  std::span<const Operand> inputs_;
  std::span<const Operand> outputs_;
};

// The operators of the signal library. check_signal.cpp
void CheckOperator(const Checker& c, const SignalWindow& op);
void CheckOperator(const Checker& c, const SignalFftAutoScale& op);
void CheckOperator(const Checker& c, const SignalFft& op);
void CheckOperator(const Checker& c, const SignalEnergy& op);
void CheckOperator(const Checker& c, const SignalFilterBank& op);
void CheckOperator(const Checker& c, const SignalSquareRoot& op);
void CheckOperator(const Checker& c, const SignalSpectralSubtraction& op);
void CheckOperator(const Checker& c, const SignalPcan& op);
void CheckOperator(const Checker& c, const SignalLog& op);
void CheckOperator(const Checker& c, const SignalDelay& op);
void CheckOperator(const Checker& c, const SignalFramer& op);
void CheckOperator(const Checker& c, const SignalOverlapAdd& op);
void CheckOperator(const Checker& c, const SignalStacker& op);

}  // namespace tpu::host_operators
