// SPDX-License-Identifier: Apache-2.0
// Sums of a product and something else that are one operation of the machine.
#pragma once

#include <optional>

#include "compiler/from_tensor/translation.h"

namespace tpu::compiler {

/// Whether the array computes it.
bool IsProduct(const Translation& to, tensor::ValueId id);

/// A product and a vector that the vector unit adds on the way from the accumulators.
std::optional<Product> AsBiasedProduct(const Translation& to, tensor::ValueId sum);

/// x * constant + addend, rounded once.
struct MultiplyAdd {
  tensor::ValueId product = 0;
  tensor::ValueId x = 0;
  double constant = 0;
  tensor::ValueId addend = 0;
};
std::optional<MultiplyAdd> AsMultiplyAdd(const Translation& to, tensor::ValueId sum);

/// root * root + addend, rounded once.
struct SquareSum {
  tensor::ValueId square = 0;
  tensor::ValueId root = 0;
  tensor::ValueId addend = 0;
};
std::optional<SquareSum> AsSquareSum(const Translation& to, tensor::ValueId sum);

}  // namespace tpu::compiler
