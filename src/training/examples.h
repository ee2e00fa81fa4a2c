// SPDX-License-Identifier: Apache-2.0
// Examples to learn from or to test with.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "npy/npy.h"
#include "tensor/train_step.h"
#include "training/history.h"

namespace tpu::training {

/// What one example has to be, without the batch.
struct ExampleType {
  tensor::Shape input;
  tensor::Shape label;       ///< Of each label or target.
  std::int64_t classes = 0;  ///< Labels are numbers of classes; 0: targets are float32.
};

/// A model's one input that is no parameter. Throws tpu::Error when there are several.
std::string DataInput(const tensor::Model& model);

/// What the step takes for each example of a batch.
ExampleType ExampleTypeOf(const tensor::Model& model, const tensor::TrainStep& step);

/// An array, and what messages call it: a file's name, mostly.
struct NamedArray {
  std::string name;
  npy::Array array;
};

/// All examples of two arrays. Inputs are float32, or uint8 or int8, whose values are taken as they
/// are: 255 is 255.0. Labels are integers of any type, targets float32.
class Examples {
 public:
  /// Throws tpu::Error naming the array, what it holds and what it should hold: another type or
  /// shape, values that are not finite, labels that are no class, other numbers of inputs and
  /// labels.
  Examples(NamedArray inputs, NamedArray labels, const ExampleType& type);
  /// Of two .npy files.
  Examples(const std::string& inputs, const std::string& labels, const ExampleType& type);

  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] const ExampleType& type() const { return type_; }
  /// Inputs as float32, and labels as int32 or targets as float32, one behind the other.
  [[nodiscard]] Bytes Inputs(std::span<const std::int64_t> examples) const;
  [[nodiscard]] Bytes Labels(std::span<const std::int64_t> examples) const;
  /// Of the values in both arrays.
  [[nodiscard]] std::uint32_t crc32() const;

 private:
  ExampleType type_;
  npy::Array inputs_;
  Bytes labels_;  // int32 or float32.
  std::int64_t count_ = 0;
};

}  // namespace tpu::training
