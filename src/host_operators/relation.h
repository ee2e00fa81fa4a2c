// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host_operators/host_operators.h"

namespace tpu::host_operators {

/// Whether the relation holds between two numbers.
template <typename T>
bool Holds(Relation relation, T a, T b) {
  switch (relation) {
    case Relation::kEqual:
      return a == b;
    case Relation::kNotEqual:
      return a != b;
    case Relation::kGreater:
      return a > b;
    case Relation::kGreaterEqual:
      return a >= b;
    case Relation::kLess:
      return a < b;
    case Relation::kLessEqual:
      return a <= b;
  }
  return false;
}

}  // namespace tpu::host_operators
