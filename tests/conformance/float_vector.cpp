// SPDX-License-Identifier: Apache-2.0
#include "tests/conformance/float_vector.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "compiler/compile.h"
#include "runtime/config.h"
#include "runtime/session.h"

namespace tpu::conformance {
namespace {

template <typename T>
std::vector<float> FloatsOf(std::span<const std::uint8_t> bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  std::vector<float> floats(values.size());
  std::transform(values.begin(), values.end(), floats.begin(),
                 [](T value) { return static_cast<float>(value); });
  return floats;
}

// The values of a tensor's bytes. Those of integers are codes and indices, which float32 holds.
std::vector<float> FloatsOf(ElementType type, std::span<const std::uint8_t> bytes) {
  switch (type) {
    case ElementType::kFloat32:
      return FloatsOf<float>(bytes);
    case ElementType::kInt8:
      return FloatsOf<std::int8_t>(bytes);
    case ElementType::kUint8:
      return FloatsOf<std::uint8_t>(bytes);
    case ElementType::kInt16:
      return FloatsOf<std::int16_t>(bytes);
    case ElementType::kInt32:
      return FloatsOf<std::int32_t>(bytes);
    case ElementType::kInt64:
      return FloatsOf<std::int64_t>(bytes);
    default:
      throw Error("a tensor of a type without numbers");
  }
}

}  // namespace

FloatVector::FloatVector(const Vector& vector) : vector_(vector) {
  std::span<const std::uint8_t> rest = vector.data;
  const auto take = [&](const std::vector<ir::TensorId>& ids,
                        std::vector<std::span<const std::uint8_t>>& parts) {
    for (const ir::TensorId id : ids) {
      const ir::Tensor& tensor = vector.graph.tensors[id];
      const auto bytes = static_cast<std::size_t>(tensor.Elements()) *
                         static_cast<std::size_t>(ElementBytes(tensor.type));
      if (rest.size() < bytes) throw Error("there are too few data");
      parts.push_back(rest.first(bytes));
      rest = rest.subspan(bytes);
    }
  };
  take(vector.graph.inputs, inputs_);
  if (!rest.empty()) take(vector.graph.outputs, theirs_);
  if (!rest.empty()) throw Error("there are too many data");
  std::vector<std::vector<float>> inputs;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    inputs.push_back(FloatsOf(vector.graph.tensors[vector.graph.inputs[i]].type, inputs_[i]));
  }
  expected_ = reference::EvaluateFloats(vector.graph, inputs, &undefined_);
}

std::string FloatVector::Compared(std::size_t output, std::span<const std::uint8_t> bytes) const {
  const ir::Tensor& tensor = vector_.graph.tensors[vector_.graph.outputs[output]];
  const std::vector<float> got = FloatsOf(tensor.type, bytes);
  const reference::Numbers& expected = expected_[output];
  const auto outside = reference::FirstOutside(got, expected);
  if (!outside) return {};
  return fmt::format("output {} ({}) element {} of {}: got {}, expected {} +- {}", output,
                     tensor.name, *outside, got.size(), got[*outside], expected[*outside].value,
                     expected[*outside].error);
}

std::string FloatVector::DifferenceOfReference() const {
  if (undefined_) return {};
  for (std::size_t i = 0; i < theirs_.size(); ++i) {
    if (std::string difference = Compared(i, theirs_[i]); !difference.empty()) return difference;
  }
  return {};
}

std::string FloatVector::Difference(runtime::Device& device,
                                    std::vector<std::vector<std::uint8_t>>& outputs) const {
  const executable::Executable executable =
      compiler::Compile(vector_.graph, runtime::ReadConfig(device));
  runtime::Session session(device, executable);
  for (std::size_t i = 0; i < inputs_.size(); ++i) session.SetInputBytes(i, inputs_[i]);
  session.Run(RunLimits());
  outputs.clear();
  std::string difference;
  for (std::size_t i = 0; i < expected_.size(); ++i) {
    outputs.push_back(session.OutputBytes(i));
    if (difference.empty()) difference = Compared(i, outputs.back());
  }
  return difference;
}

std::size_t FloatVector::Elements() const {
  std::size_t elements = 0;
  for (const reference::Numbers& numbers : expected_) elements += numbers.size();
  return elements;
}

std::size_t FloatVector::Bounded() const {
  std::ptrdiff_t open = 0;
  for (const reference::Numbers& numbers : expected_) {
    open += std::count_if(numbers.begin(), numbers.end(), reference::IsOpen);
  }
  return Elements() - static_cast<std::size_t>(open);
}

}  // namespace tpu::conformance
