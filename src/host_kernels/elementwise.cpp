// SPDX-License-Identifier: Apache-2.0
// Functions of single elements.
#include <cmath>
#include <limits>
#include <type_traits>

#include "host_kernels/elements.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

// To the nearest integer, halves to the even one.
float RoundToEven(float x) {
  const float below = std::floor(x);
  const float rest = x - below;
  const bool stays = rest < 0.5F || (rest == 0.5F && std::fmod(below, 2.0F) == 0.0F);
  return stays ? below : below + 1.0F;
}

float Apply(host_operators::UnaryOperation operation, float x) {
  using enum host_operators::UnaryOperation;
  switch (operation) {
    case kFloor:
      return std::floor(x);
    case kCeil:
      return std::ceil(x);
    case kRound:
      return RoundToEven(x);
    case kSin:
      return std::sin(x);
    case kCos:
      return std::cos(x);
    case kLogicalNot:
      break;
  }
  return x;
}

// As C++ converts; what an integer does not hold becomes what processors make of it: the lowest
// 64-bit integer, of which the type has the low bits.
template <typename To, typename From>
To Convert(From value) {
  if constexpr (std::is_floating_point_v<From> && !std::is_floating_point_v<To>) {
    constexpr From kLimit = 9223372036854775808.0F;
    const bool fits = value >= -kLimit && value < kLimit;
    const std::int64_t whole =
        fits ? static_cast<std::int64_t>(value) : std::numeric_limits<std::int64_t>::min();
    return static_cast<To>(whole);
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace

void Compute(Invocation& call, const host_operators::Unary& op) {
  if (op.operation == host_operators::UnaryOperation::kLogicalNot) {
    std::vector<std::uint8_t> values = call.Read<std::uint8_t>(0);
    for (std::uint8_t& value : values) value = value == 0 ? 1 : 0;
    call.Write(0, values);
    return;
  }
  std::vector<float> values = call.Read<float>(0);
  for (float& value : values) value = Apply(op.operation, value);
  call.Write(0, values);
}

void Compute(Invocation& call, const host_operators::Cast& /*op*/) {
  WithNumber(call.In(0).type, [&]<typename From>(From) {
    const std::vector<From> input = call.Read<From>(0);
    if (call.Out().type == ElementType::kBool) {
      std::vector<std::uint8_t> output;
      for (const From value : input) output.push_back(value != From{} ? 1 : 0);
      call.Write(0, output);
      return;
    }
    WithNumber(call.Out().type, [&]<typename To>(To) {
      std::vector<To> output;
      for (const From value : input) output.push_back(Convert<To>(value));
      call.Write(0, output);
    });
  });
}

void Compute(Invocation& call, const host_operators::Select& /*op*/) {
  const std::vector<std::uint8_t> conditions = call.ReadBroadcast<std::uint8_t>(0);
  WithNumber(call.Out().type, [&]<typename T>(T) {
    std::vector<T> output = call.ReadBroadcast<T>(2);
    const std::vector<T> chosen = call.ReadBroadcast<T>(1);
    for (std::size_t i = 0; i < output.size(); ++i) {
      if (conditions[i] != 0) output[i] = chosen[i];
    }
    call.Write(0, output);
  });
}

}  // namespace tpu::host_kernels
