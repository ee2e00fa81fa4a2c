// SPDX-License-Identifier: Apache-2.0
// Small networks in the tensor language, each with a loss.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tensor/builder.h"
#include "tensor/train_step.h"
#include "tests/tensor/evaluate.h"

namespace tpu::tensor {

/// A network with random inputs. The first ones are data, and "labels" or "targets" is the last.
struct Network {
  std::string name;
  Model model;
  Loss loss = Loss::kCrossEntropy;
  std::vector<Values<double>> data;    ///< The model's own inputs that are no parameters.
  std::vector<Values<double>> labels;  ///< One tensor.
};

/// Two layers.
Network Mlp(std::uint32_t seed, std::int64_t batch = 4);
/// Convolutions with strides and padding, maximum and average pooling, a layer of sums.
Network LeNet(std::uint32_t seed);
/// A depthwise convolution between two of 1 x 1, with a residual connection.
Network DepthwiseBlock(std::uint32_t seed);
/// Attention of two heads and a layer of sums, both with layer normalisation before.
Network TransformerBlock(std::uint32_t seed);
/// An embedding of each place is added to all examples, in front of two layers.
Network PlacedLayers(std::uint32_t seed);

std::vector<Network> AllNetworks(std::uint32_t seed);

}  // namespace tpu::tensor
