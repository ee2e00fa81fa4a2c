// SPDX-License-Identifier: Apache-2.0
// Networks of float32 that benches and tests train. Weights are random, biases zero.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/graph.h"

namespace tpu::workloads {

/// Layers of FULLY_CONNECTED with RELU between: widths from the inputs to the outputs.
ir::Graph Mlp(const std::vector<std::int64_t>& widths, std::uint64_t seed);

/// Two convolutions of 5 x 5 with pooling, and two layers, for images [1, side, side, 1] and ten
/// classes.
ir::Graph LeNet(std::int64_t side, std::uint64_t seed);

/// The residual network of MLPerf Tiny: images [1, 32, 32, 3], ten classes.
ir::Graph ResNet8(std::uint64_t seed);

/// The first blocks of MobileNetV1-0.25 for images [1, side, side, 3]: a convolution, three times a
/// depthwise one and one of 1 x 1, and a layer for ten classes.
ir::Graph MobileNetBlocks(std::int64_t side, std::uint64_t seed);

struct TransformerShape {
  std::int64_t tokens = 16;
  std::int64_t channels = 32;
  std::int64_t heads = 2;
  std::int64_t layers = 2;
  std::int64_t vocabulary = 32;
};

/// A transformer that predicts each next token: tokens come as ones among zeros, [1, tokens,
/// vocabulary]; attention sees earlier tokens alone.
ir::Graph Transformer(const TransformerShape& shape, std::uint64_t seed);

}  // namespace tpu::workloads
