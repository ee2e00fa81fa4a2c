// SPDX-License-Identifier: Apache-2.0
// A model with operators on float32, its inputs and TensorFlow Lite Micro's outputs, if any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/device.h"
#include "tests/compiler/float_reference.h"
#include "tests/conformance/vector.h"

namespace tpu::conformance {

/// The outputs of a model in double precision, and what they are compared with.
class FloatVector {
 public:
  /// `vector.data` is the inputs, and TensorFlow Lite Micro's outputs or nothing behind them.
  /// Throws tpu::Error when the data have another size.
  explicit FloatVector(const Vector& vector);

  /// The first of TensorFlow Lite Micro's outputs that lies outside the bound, in words; empty:
  /// none does, there are none, or C leaves undefined what they are.
  [[nodiscard]] std::string DifferenceOfReference() const;
  /// Compiles the model for the device and runs it. `outputs` becomes the bytes of the outputs.
  /// Returns the first output that lies outside the bound, in words; empty: none does.
  std::string Difference(runtime::Device& device,
                         std::vector<std::vector<std::uint8_t>>& outputs) const;

  /// How many elements the outputs have, and how many of them have a bound.
  [[nodiscard]] std::size_t Elements() const;
  [[nodiscard]] std::size_t Bounded() const;

 private:
  [[nodiscard]] std::string Compared(std::size_t output, std::span<const std::uint8_t> bytes) const;

  const Vector& vector_;
  std::vector<std::span<const std::uint8_t>> inputs_, theirs_;
  std::vector<reference::Numbers> expected_;
  bool undefined_ = false;
};

}  // namespace tpu::conformance
