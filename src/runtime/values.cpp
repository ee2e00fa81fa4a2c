// SPDX-License-Identifier: Apache-2.0
#include "runtime/values.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>

#include "base/error.h"

namespace tpu::runtime {
namespace {

// Calls function(T{}) with the C++ type that an element is stored as; bool as uint8, bfloat16 as
// its bits.
template <typename Function>
auto WithType(ElementType type, Function function) {
  switch (type) {
    case ElementType::kInt8:
      return function(std::int8_t{});
    case ElementType::kUint8:
    case ElementType::kBool:
      return function(std::uint8_t{});
    case ElementType::kInt16:
      return function(std::int16_t{});
    case ElementType::kInt32:
      return function(std::int32_t{});
    case ElementType::kInt64:
      return function(std::int64_t{});
    case ElementType::kUint32:
      return function(std::uint32_t{});
    case ElementType::kUint64:
      return function(std::uint64_t{});
    case ElementType::kFloat32:
      return function(float{});
    case ElementType::kBfloat16:
      return function(Bfloat16{});
  }
  throw InternalError("unknown element type");
}

std::string Subscript(const std::vector<std::int64_t>& shape, std::size_t index) {
  std::string text;
  for (std::size_t d = shape.size(); d-- > 0;) {
    const auto size = static_cast<std::size_t>(shape[d]);
    text = fmt::format("{}{}{}", index % size, text.empty() ? "" : ",", text);
    index /= size;
  }
  return "[" + text + "]";
}

template <typename T>
T RandomValue(std::mt19937_64& rng) {
  if constexpr (std::is_same_v<T, Bfloat16>) {
    return {
        static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(RandomValue<float>(rng)) >> 16)};
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::uniform_real_distribution<T>(-1, 1)(rng);
  } else if constexpr (sizeof(T) > 2) {
    return std::uniform_int_distribution<T>(0, 127)(rng);
  } else {
    using Limits = std::numeric_limits<T>;
    return static_cast<T>(std::uniform_int_distribution<int>(Limits::min(), Limits::max())(rng));
  }
}

}  // namespace

std::vector<Bytes> BytesOf(std::span<const std::vector<std::int8_t>> tensors) {
  std::vector<Bytes> all;
  for (const std::vector<std::int8_t>& values : tensors)
    all.emplace_back(values.begin(), values.end());
  return all;
}

Bytes RandomTensor(const executable::TensorBinding& tensor, std::mt19937_64& rng) {
  Bytes bytes(tensor.Bytes());
  const auto size = static_cast<std::size_t>(ElementBytes(tensor.type));
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    WithType(tensor.type, [&](auto type) {
      auto value = RandomValue<decltype(type)>(rng);
      if constexpr (std::is_same_v<decltype(type), std::uint8_t>) {
        if (tensor.type == ElementType::kBool) value = static_cast<std::uint8_t>(value > 0);
      }
      std::memcpy(bytes.data() + at, &value, sizeof(value));
    });
  }
  return bytes;
}

std::vector<Bytes> RandomInputs(const executable::Executable& executable, std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::vector<Bytes> inputs;
  for (const executable::TensorBinding& input : executable.inputs) {
    inputs.push_back(RandomTensor(input, rng));
  }
  return inputs;
}

double ElementOf(const executable::TensorBinding& tensor, const Bytes& values, std::size_t index) {
  return WithType(tensor.type, [&](auto type) {
    std::memcpy(&type, values.data() + index * sizeof(type), sizeof(type));
    if constexpr (std::is_same_v<decltype(type), Bfloat16>)
      return double{std::bit_cast<float>(std::uint32_t{type.bits} << 16)};
    else
      return static_cast<double>(type);
  });
}

std::vector<double> RealValues(const executable::TensorBinding& tensor, const Bytes& values) {
  const bool is_float =
      tensor.type == ElementType::kFloat32 || tensor.type == ElementType::kBfloat16;
  std::vector<double> reals(values.size() / static_cast<std::size_t>(ElementBytes(tensor.type)));
  for (std::size_t i = 0; i < reals.size(); ++i) {
    const double element = ElementOf(tensor, values, i);
    reals[i] = is_float ? element : double{tensor.scale} * (element - tensor.zero_point);
  }
  return reals;
}

std::size_t LargestOf(const executable::TensorBinding& tensor, const Bytes& values) {
  const std::size_t count = values.size() / static_cast<std::size_t>(ElementBytes(tensor.type));
  std::size_t largest = 0;
  for (std::size_t i = 1; i < count; ++i) {
    if (ElementOf(tensor, values, i) > ElementOf(tensor, values, largest)) largest = i;
  }
  return largest;
}

std::optional<std::string> FirstDifference(const executable::TensorBinding& tensor,
                                           const Bytes& expected, const Bytes& actual) {
  const auto [e, a] = std::ranges::mismatch(expected, actual);
  if (e == expected.end() && a == actual.end()) return std::nullopt;
  const std::size_t index = static_cast<std::size_t>(e - expected.begin()) /
                            static_cast<std::size_t>(ElementBytes(tensor.type));
  return fmt::format("{}{}: got {}, expected {}", tensor.name, Subscript(tensor.shape, index),
                     ElementOf(tensor, actual, index), ElementOf(tensor, expected, index));
}

}  // namespace tpu::runtime
