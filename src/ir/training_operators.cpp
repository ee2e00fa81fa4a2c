// SPDX-License-Identifier: Apache-2.0
#include "ir/training_operators.h"

namespace tpu::ir {

Shape WeightsOf(const ConvWeightGradient& op, const Shape& x, const Shape& g, const Shape& output) {
  if (output.size() == 4) return output;
  return op.depthwise ? Shape{1, 1, 1, g[3]} : Shape{g[3], 1, 1, x[3]};
}

}  // namespace tpu::ir
