// SPDX-License-Identifier: Apache-2.0
#include "training/examples.h"

#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <variant>

#include "base/error.h"
#include "tensor/losses.h"
#include "training/byte_values.h"

namespace tpu::training {
namespace {

std::int64_t Elements(const tensor::Shape& shape) {
  std::int64_t elements = 1;
  for (const std::int64_t d : shape) elements *= d;
  return elements;
}

// Without the batch, which has to be the first dimension.
tensor::Shape WithoutBatch(tensor::Shape shape, std::int64_t batch, const char* what) {
  if (shape.empty() || shape[0] != batch) {
    throw Error::Format(
        "the first dimension of the model's {} is not the batch of {}: its shape is [{}]", what,
        batch, fmt::join(shape, ", "));
  }
  shape.erase(shape.begin());
  return shape;
}

template <typename T>
T ValueAt(const Bytes& bytes, std::size_t i) {
  T value{};
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

template <typename T>
void Append(Bytes& bytes, T value) {
  std::array<std::uint8_t, sizeof(T)> raw{};
  std::memcpy(raw.data(), &value, sizeof(T));
  bytes.insert(bytes.end(), raw.begin(), raw.end());
}

void RequireShape(const npy::Array& array, const std::string& file, const tensor::Shape& rest) {
  if (!array.shape.empty() &&
      std::equal(array.shape.begin() + 1, array.shape.end(), rest.begin(), rest.end())) {
    return;
  }
  throw Error::Format("{}: has shape [{}], expected is [examples{}{}]", file,
                      fmt::join(array.shape, ", "), rest.empty() ? "" : ", ",
                      fmt::join(rest, ", "));
}

void RequireFinite(const npy::Array& array, const std::string& file, const tensor::Shape& rest) {
  const auto size = static_cast<std::size_t>(Elements(rest));
  for (std::size_t i = 0; i < array.bytes.size() / sizeof(float); ++i) {
    const auto value = ValueAt<float>(array.bytes, i);
    if (std::isfinite(value)) continue;
    throw Error::Format("{}: example {}: value {} is {}; expected are finite numbers", file,
                        i / size, i % size, value);
  }
}

npy::Array CheckedInputs(NamedArray&& inputs, const tensor::Shape& rest) {
  auto& [file, array] = inputs;
  if (array.type != npy::Type::kFloat32 && array.type != npy::Type::kUint8 &&
      array.type != npy::Type::kInt8) {
    throw Error::Format("{}: has type {}, expected is float32, uint8 or int8", file,
                        npy::TypeName(array.type));
  }
  RequireShape(array, file, rest);
  if (array.type == npy::Type::kFloat32) RequireFinite(array, file, rest);
  return std::move(array);
}

Bytes CheckedTargets(NamedArray&& targets, const tensor::Shape& rest) {
  auto& [file, array] = targets;
  if (array.type != npy::Type::kFloat32) {
    throw Error::Format("{}: has type {}, expected are targets of float32", file,
                        npy::TypeName(array.type));
  }
  RequireShape(array, file, rest);
  RequireFinite(array, file, rest);
  return std::move(array.bytes);
}

std::int64_t IntegerAt(const npy::Array& array, std::size_t i) {
  switch (array.type) {
    case npy::Type::kInt8:
      return ValueAt<std::int8_t>(array.bytes, i);
    case npy::Type::kUint8:
    case npy::Type::kBool:
      return ValueAt<std::uint8_t>(array.bytes, i);
    case npy::Type::kInt16:
      return ValueAt<std::int16_t>(array.bytes, i);
    case npy::Type::kInt32:
      return ValueAt<std::int32_t>(array.bytes, i);
    case npy::Type::kUint32:
      return ValueAt<std::uint32_t>(array.bytes, i);
    case npy::Type::kInt64:
    case npy::Type::kUint64:
    case npy::Type::kFloat32:
      break;
  }
  return ValueAt<std::int64_t>(array.bytes, i);
}

Bytes CheckedClasses(const NamedArray& classes, const ExampleType& type) {
  const auto& [file, array] = classes;
  if (array.type == npy::Type::kFloat32) {
    throw Error::Format("{}: has type float32, expected are numbers of classes: int32 or int64",
                        file);
  }
  RequireShape(array, file, type.label);
  std::vector<std::int32_t> labels;
  for (std::size_t i = 0; i < static_cast<std::size_t>(Elements(array.shape)); ++i) {
    const std::int64_t label = IntegerAt(array, i);
    if (label != static_cast<std::int32_t>(label)) {
      throw Error::Format("{}: label {} is {}: with {} classes it has to be 0 to {}", file, i,
                          label, type.classes, type.classes - 1);
    }
    labels.push_back(static_cast<std::int32_t>(label));
  }
  try {
    tensor::CheckLabels(labels, type.classes);
  } catch (const Error& error) {
    throw Error::Format("{}: {}", file, error.what());
  }
  return BytesOfValues(labels);
}

}  // namespace

std::string DataInput(const tensor::Model& model) {
  std::vector<std::string> names;
  for (const tensor::ValueId id : model.graph.inputs) {
    const bool parameter = std::ranges::any_of(
        model.parameters, [id](const tensor::Parameter& p) { return p.value == id; });
    if (!parameter) names.push_back(std::get<tensor::Input>(model.graph.nodes[id].operation).name);
  }
  if (names.size() == 1) return names[0];
  throw Error::Format("the model has {} inputs ({}): training takes models with one", names.size(),
                      fmt::join(names, ", "));
}

ExampleType ExampleTypeOf(const tensor::Model& model, const tensor::TrainStep& step) {
  const tensor::Graph& graph = step.update;
  const auto data = tensor::FindInput(graph, DataInput(model));
  const auto labels = tensor::FindInput(graph, "labels");
  const auto targets = tensor::FindInput(graph, "targets");
  if (!data || (!labels && !targets)) throw InternalError("a step without its inputs");
  const tensor::Shape& input = graph.TypeOf(*data).shape;
  const std::int64_t batch = input.at(0);
  ExampleType type = {.input = WithoutBatch(input, batch, "input"),
                      .label = WithoutBatch(graph.TypeOf(labels ? *labels : *targets).shape, batch,
                                            labels ? "classes" : "output")};
  if (labels) {
    type.classes = model.graph.TypeOf(model.logits.value_or(model.prediction)).shape.back();
  }
  return type;
}

Examples::Examples(NamedArray inputs, NamedArray labels, const ExampleType& type) : type_(type) {
  const std::string inputs_name = inputs.name;
  const std::string labels_name = labels.name;
  inputs_ = CheckedInputs(std::move(inputs), type.input);
  labels_ = type.classes > 0 ? CheckedClasses(labels, type)
                             : CheckedTargets(std::move(labels), type.label);
  count_ = inputs_.shape[0];
  constexpr std::size_t kLabelBytes = 4;
  const auto size = static_cast<std::size_t>(Elements(type.label)) * kLabelBytes;
  if (labels_.size() != static_cast<std::size_t>(count_) * size) {
    throw Error::Format("{}: holds labels of {} examples, expected are {}, as many as in {}",
                        labels_name, labels_.size() / size, count_, inputs_name);
  }
}

Examples::Examples(const std::string& inputs, const std::string& labels, const ExampleType& type)
    : Examples({inputs, npy::Read(inputs)}, {labels, npy::Read(labels)}, type) {}

Bytes Examples::Inputs(std::span<const std::int64_t> examples) const {
  const auto size = static_cast<std::size_t>(Elements(type_.input));
  Bytes bytes;
  bytes.reserve(examples.size() * size * sizeof(float));
  for (const std::int64_t example : examples) {
    const std::size_t first = static_cast<std::size_t>(example) * size;
    if (inputs_.type == npy::Type::kFloat32) {
      const auto values =
          std::span(inputs_.bytes).subspan(first * sizeof(float), size * sizeof(float));
      bytes.insert(bytes.end(), values.begin(), values.end());
      continue;
    }
    for (std::size_t i = first; i < first + size; ++i) {
      Append(bytes, static_cast<float>(IntegerAt(inputs_, i)));
    }
  }
  return bytes;
}

Bytes Examples::Labels(std::span<const std::int64_t> examples) const {
  const auto size = labels_.size() / static_cast<std::size_t>(count_);
  Bytes bytes;
  for (const std::int64_t example : examples) {
    const auto first =
        labels_.begin() + static_cast<std::ptrdiff_t>(example * static_cast<std::int64_t>(size));
    bytes.insert(bytes.end(), first, first + static_cast<std::ptrdiff_t>(size));
  }
  return bytes;
}

std::uint32_t Examples::crc32() const { return Crc32(labels_, Crc32(inputs_.bytes)); }

}  // namespace tpu::training
