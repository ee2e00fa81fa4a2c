// SPDX-License-Identifier: Apache-2.0
// One run of a kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "arithmetic/multiplier.h"
#include "executable/executable.h"

namespace tpu::host_kernels {

using Bytes = std::vector<std::uint8_t>;
using Shape = std::vector<std::int64_t>;

/// The number of elements of a shape.
std::size_t ElementsOf(std::span<const std::int64_t> shape);

/// For each element of a tensor of shape `to` the place of the element of a tensor of shape `from`
/// that it repeats, by numpy's broadcasting.
std::vector<std::size_t> BroadcastPlaces(const Shape& from, const Shape& to);

/// The tensors of a call: values of the inputs, and room for those of the outputs. Bools are uint8
/// of 0 or 1.
class Invocation {
 public:
  /// `inputs` in the order of call.inputs. Throws tpu::Error when they are not of the sizes that
  /// the call says, or when the call's operator does not take such tensors.
  Invocation(const executable::HostCall& call, std::span<const Bytes> inputs);

  [[nodiscard]] std::size_t Inputs() const { return inputs_.size(); }
  [[nodiscard]] const executable::TensorBinding& In(std::size_t i) const { return call_.inputs[i]; }
  [[nodiscard]] const executable::TensorBinding& Out(std::size_t i = 0) const {
    return call_.outputs[i];
  }
  [[nodiscard]] arithmetic::Rounding Rounding() const {
    return call_.single_rounding ? arithmetic::Rounding::kSingle : arithmetic::Rounding::kDouble;
  }

  template <typename T>
  [[nodiscard]] std::vector<T> Read(std::size_t i) const {
    std::vector<T> values(inputs_[i].size() / sizeof(T));
    std::memcpy(values.data(), inputs_[i].data(), values.size() * sizeof(T));
    return values;
  }
  /// The input, repeated to the shape of the first output.
  template <typename T>
  [[nodiscard]] std::vector<T> ReadBroadcast(std::size_t i) const {
    std::vector<T> values = Read<T>(i);
    if (In(i).shape == Out().shape) return values;
    std::vector<T> repeated;
    for (const std::size_t place : BroadcastPlaces(In(i).shape, Out().shape)) {
      repeated.push_back(values[place]);
    }
    return repeated;
  }
  [[nodiscard]] const Bytes& InBytes(std::size_t i) const { return inputs_[i]; }
  /// All zeros at first.
  [[nodiscard]] Bytes& OutBytes(std::size_t i = 0) { return outputs_[i]; }

  /// As many values as the output has elements.
  template <typename T>
  void Write(std::size_t i, const std::vector<T>& values) {
    std::memcpy(outputs_[i].data(), values.data(), outputs_[i].size());
  }

  std::vector<Bytes> Take() { return std::move(outputs_); }

 private:
  const executable::HostCall& call_;
  std::span<const Bytes> inputs_;
  std::vector<Bytes> outputs_;
};

}  // namespace tpu::host_kernels
