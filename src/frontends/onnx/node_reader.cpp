// SPDX-License-Identifier: Apache-2.0
#include "frontends/onnx/node_reader.h"

#include <algorithm>

namespace tpu::onnx {

const Value& NodeReader::Input(std::size_t i) const {
  Require(HasInput(i), "input {} is missing", i);
  return *inputs_[i];
}

const Array& NodeReader::Constant(std::size_t i) const {
  const Value& value = Input(i);
  Require(value.constant != nullptr && !value.quantisation, "{} must be constant", value.name);
  return *value.constant;
}

std::vector<std::int64_t> NodeReader::Integers(std::size_t i) const {
  const Array& array = Constant(i);
  Require(array.type == ElementType::kInt32 || array.type == ElementType::kInt64,
          "{} must be int32 or int64", array.name);
  return array.Integers();
}

float NodeReader::Number(std::size_t i) const {
  const Value& value = Input(i);
  Require(value.constant != nullptr && value.constant->Elements() == 1,
          "{} must be a constant of one number", value.name);
  return FloatsOf(value)[0];
}

const Attribute* NodeReader::Find(std::string_view name) const {
  const auto found = std::ranges::find(node_.attributes, name, &Attribute::name);
  return found == node_.attributes.end() ? nullptr : &*found;
}

std::int64_t NodeReader::Int(std::string_view name, std::int64_t otherwise) const {
  const Attribute* attribute = Find(name);
  return attribute == nullptr ? otherwise : attribute->i.value_or(0);
}

float NodeReader::Float(std::string_view name, float otherwise) const {
  const Attribute* attribute = Find(name);
  return attribute == nullptr ? otherwise : attribute->f.value_or(0.0F);
}

std::string NodeReader::Text(std::string_view name, std::string_view otherwise) const {
  const Attribute* attribute = Find(name);
  return attribute == nullptr ? std::string(otherwise) : attribute->s.value_or("");
}

std::optional<std::vector<std::int64_t>> NodeReader::Ints(std::string_view name) const {
  const Attribute* attribute = Find(name);
  if (attribute == nullptr) return std::nullopt;
  return attribute->ints;
}

std::optional<std::vector<std::int64_t>> NodeReader::IntsOrInput(std::string_view name,
                                                                 std::size_t i) const {
  if (Find(name) != nullptr) return Ints(name);
  if (!HasInput(i)) return std::nullopt;
  return Integers(i);
}

std::size_t NodeReader::Axis(std::int64_t axis, std::size_t rank) {
  const auto n = static_cast<std::int64_t>(rank);
  Require(axis >= -n && axis < n, "there is no axis {} among {}", axis, rank);
  return static_cast<std::size_t>(axis < 0 ? axis + n : axis);
}

const Value& NodeReader::Activations(std::size_t i) const {
  const Value& value = Input(i);
  Require(value.constant == nullptr, "{} is constant", value.name);
  Require(value.type == ElementType::kFloat32, "{} is {}; a DequantizeLinear must come before",
          value.name, ElementTypeName(value.type));
  Require(value.meaning != nullptr,
          "{} is float32; only quantised models are supported: quantise the model", value.name);
  Require(value.meaning->affine,
          "{} is a function of a quantised tensor; QuantizeLinear and DequantizeLinear must stand "
          "between",
          value.name);
  return value;
}

const Value& NodeReader::Operand(std::size_t i) const {
  const Value& value = Input(i);
  if (value.constant == nullptr) return Activations(i);
  Require(value.quantisation.has_value(), "constant {} is not quantised", value.name);
  return value;
}

const Target& NodeReader::To() const {
  Require(followers_.target.has_value(), "{}", followers_.reason);
  return *followers_.target;
}

}  // namespace tpu::onnx
