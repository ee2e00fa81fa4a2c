// SPDX-License-Identifier: Apache-2.0
#include "host_operators/checker.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

namespace tpu::host_operators {
namespace {

std::string Text(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

}  // namespace

std::int64_t Elements(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

void Checker::Counts(std::size_t inputs, std::size_t outputs) const {
  Require(inputs_.size() == inputs, "{} inputs instead of {}", inputs_.size(), inputs);
  Require(outputs_.size() == outputs, "{} outputs instead of {}", outputs_.size(), outputs);
}

void Checker::IsOneOf(const Operand& tensor, Types types) {
  if (std::ranges::find(types, tensor.type) != types.end()) return;
  std::string names;
  for (const ElementType type : types) {
    names += (names.empty() ? "" : ", ") + std::string(ElementTypeName(type));
  }
  throw Error::Format("{} is {}; supported: {}", tensor.name, ElementTypeName(tensor.type), names);
}

void Checker::SameType(const Operand& a, const Operand& b) {
  Require(a.type == b.type, "{} is {} and {} is {}", a.name, ElementTypeName(a.type), b.name,
          ElementTypeName(b.type));
}

void Checker::HasShape(const Operand& tensor, const Shape& shape) {
  Require(tensor.shape == shape, "{} is {}; it should be {}", tensor.name, Text(tensor.shape),
          Text(shape));
}

void Checker::HasElements(const Operand& tensor, std::int64_t elements) {
  Require(Elements(tensor.shape) == elements, "{} {} should have {} elements", tensor.name,
          Text(tensor.shape), elements);
}

void Checker::HasRank(const Operand& tensor, std::size_t rank) {
  Require(tensor.shape.size() == rank, "{} {} should have {} dimensions", tensor.name,
          Text(tensor.shape), rank);
}

void Checker::HasAxis(const Operand& tensor) {
  Require(!tensor.shape.empty(), "{} has no dimensions", tensor.name);
}

std::size_t Checker::Axis(const Operand& tensor, std::int64_t axis) {
  Require(axis >= 0 && axis < static_cast<std::int64_t>(tensor.shape.size()),
          "{} {} has no axis {}", tensor.name, Text(tensor.shape), axis);
  return static_cast<std::size_t>(axis);
}

Shape Checker::BroadcastShape(const std::vector<Part>& parts) {
  Shape shape;
  for (const Part& part : parts) {
    const std::size_t rank = std::max(shape.size(), part.shape.size());
    shape.insert(shape.begin(), rank - shape.size(), 1);
    const std::size_t missing = rank - part.shape.size();
    for (std::size_t i = missing; i < rank; ++i) {
      const std::int64_t d = part.shape[i - missing];
      Require(d == 1 || shape[i] == 1 || d == shape[i], "{} {} does not broadcast", part.name,
              Text(part.shape));
      shape[i] = std::max(d, shape[i]);
    }
  }
  return shape;
}

void Checker::Broadcast() const {
  std::vector<Part> parts;
  for (const Operand& input : inputs_) parts.push_back({input.name, input.shape});
  HasShape(Out(), BroadcastShape(parts));
}

void Checker::HasScale(const Operand& tensor) {
  Require(std::isfinite(tensor.scale) && tensor.scale > 0.0F, "{} has scale {}", tensor.name,
          tensor.scale);
}

void Checker::InRange(const char* name, std::int64_t value, std::int64_t least, std::int64_t most) {
  Require(value >= least && value <= most, "{} is {}, not between {} and {}", name, value, least,
          most);
}

}  // namespace tpu::host_operators
