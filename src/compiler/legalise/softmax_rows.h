// SPDX-License-Identifier: Apache-2.0
// What SOFTMAX on int8 and on int16 have in common. The vector unit has nothing across lanes: the
// array turns rows by 1, 2, 4, .. lanes, so that each lane gets the row's largest value.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "compiler/legalise/integer_maps.h"
#include "compiler/legalise/legalise_rules.h"

namespace tpu::compiler {

/// The last dimension.
std::int64_t LengthOfRows(const ir::Tensor& tensor);

/// Whether the device computes SOFTMAX of the type: between operators of its own, and of rows that
/// fit its buffer and whose sums fit 32 bits.
bool ComputesSoftmax(const OperatorView& view, ElementType type);

/// The rows of the operator's input, in whole blocks of lanes.
class SoftmaxRows {
 public:
  SoftmaxRows(const OperatorView& view, std::int64_t length);

  [[nodiscard]] std::int64_t Lanes() const { return lanes_; }
  [[nodiscard]] std::int64_t Length() const { return length_; }
  /// The length with whole blocks of lanes, and how many blocks these are.
  [[nodiscard]] std::int64_t Padded() const { return blocks_ * lanes_; }
  [[nodiscard]] std::int64_t BlocksOfRow() const { return blocks_; }
  [[nodiscard]] std::int64_t Rows() const { return rows_; }
  /// A pixel for each block of lanes.
  [[nodiscard]] ir::Shape Blocks() const { return {1, rows_, blocks_, lanes_}; }
  /// A pixel for each row.
  [[nodiscard]] ir::Shape OfEachRow() const { return {1, rows_, 1, lanes_}; }

  /// A tensor of integers as they are.
  [[nodiscard]] ir::TensorId Raw(ElementType type, ir::Shape shape, std::string_view suffix,
                                 float scale = 1.0F) const;
  /// A constant of int8.
  [[nodiscard]] ir::TensorId Constant(std::string_view suffix, ir::Shape shape,
                                      std::vector<std::int8_t> values) const;
  /// [out, in] of zeros and ones.
  [[nodiscard]] ir::TensorId Ones(
      std::string_view suffix, std::int64_t outputs, std::int64_t inputs,
      const std::function<bool(std::int64_t, std::int64_t)>& is_one) const;

  /// The input as Blocks(). What is added to a row is no larger than any value.
  [[nodiscard]] ir::TensorId Input() const;
  /// Of Blocks() the largest value of each row in all lanes, as OfEachRow().
  [[nodiscard]] ir::TensorId Largest(ir::TensorId blocks) const;
  /// Makes the operator's output of Blocks(), without what was added.
  void Finish(ir::TensorId blocks) const;

 private:
  const OperatorView& view_;
  std::int64_t lanes_;
  std::int64_t length_;
  std::int64_t blocks_;
  std::int64_t rows_;
};

/// Functions of the logarithm k of sums s = 2^k * (1 + f), k from `lowest` to `top`. The byte of a
/// sum's bits from `lowest` on tells k; of `longer` sums, which may have more than that, a second
/// byte does, and what one byte knows is 0 in the other.
class SumLogarithm {
 public:
  SumLogarithm(const IntegerMaps& maps, ir::TensorId sum, int lowest, int top, bool longer);

  /// of(k), int8 or int32.
  [[nodiscard]] ir::TensorId Map(ElementType type,
                                 const std::function<std::int32_t(int)>& of) const;

 private:
  [[nodiscard]] ir::TensorId Look(ir::TensorId index, int from, int to,
                                  const std::function<std::int32_t(int)>& of) const;

  const IntegerMaps& maps_;
  int lowest_;
  int top_;
  ir::TensorId low_;
  std::optional<ir::TensorId> high_;
};

}  // namespace tpu::compiler
