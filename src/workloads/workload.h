// SPDX-License-Identifier: Apache-2.0
// Networks with random data, most of them of one operator, for benches and tests.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ir/graph.h"

namespace tpu::workloads {

/// A network and values for its inputs, in the order of graph.inputs. The same seed gives the same
/// bytes. Scales are chosen so that the outputs spread over most of int8 with few of them clamped.
struct Workload {
  ir::Graph graph;
  std::vector<std::vector<std::int8_t>> inputs;
};

/// [m, k] times [k, n].
Workload Matmul(std::int32_t m, std::int32_t k, std::int32_t n, std::uint64_t seed);

/// A window moved over an image [1, image.h, image.w, channels].
struct WindowShape {
  ir::Extent image;
  std::int32_t channels = 1;
  ir::Extent kernel;
  ir::Extent stride;
  ir::Extent dilation;
  ir::Padding padding;
};

/// `shape` with the padding that TensorFlow Lite calls SAME.
WindowShape Same(WindowShape shape);

Workload Convolution(const WindowShape& shape, std::int32_t output_channels,
                     ir::Activation activation, std::uint64_t seed);
Workload Depthwise(const WindowShape& shape, ir::Activation activation, std::uint64_t seed);
/// The dilation of `shape` must be 1.
Workload Pool(ir::PoolKind kind, const WindowShape& shape, std::uint64_t seed);
/// Two tensors [1, image.h, image.w, channels] of different scales (maximum and minimum: of the
/// same).
Workload Elementwise(ir::BinaryKind kind, ir::Extent image, std::int32_t channels,
                     ir::Activation activation, std::uint64_t seed);

/// MobileNetV2 for images [1, image.h, image.w, 3], with `percent` of its channels: 100 is
/// MobileNetV2-1.0. 1001 classes, without softmax.
Workload MobileNetV2(ir::Extent image, std::int32_t percent, std::uint64_t seed);

struct AttentionShape {
  std::int32_t tokens = 1;
  std::int32_t channels = 1;
  std::int32_t heads = 1;  ///< Divide the channels.
};

/// Self-attention of tokens [1, tokens, channels] as converters write it: queries, keys and values
/// of each head, softmax of their products, the sums of values, and a product with the outputs'
/// weights.
Workload MultiHeadAttention(const AttentionShape& shape, std::uint64_t seed);

struct EncoderShape {
  AttentionShape attention;
  std::int32_t hidden = 1;  ///< Channels between the two products behind the attention.
};

/// A block of a transformer's encoder: attention and a feed-forward part (two products, RELU
/// between), each with its inputs added and a layer normalisation of ten operators behind.
Workload Encoder(const EncoderShape& shape, std::uint64_t seed);

struct LstmShape {
  std::int32_t steps = 1;
  std::int32_t inputs = 1;
  std::int32_t cells = 1;
};

/// A UNIDIRECTIONAL_SEQUENCE_LSTM on a sequence [1, steps, inputs].
Workload Lstm(const LstmShape& shape, std::uint64_t seed);

struct SvdfShape {
  std::int32_t inputs = 1;
  std::int32_t units = 1;
  std::int32_t memory = 1;  ///< Steps that the state remembers.
};

/// One step of an SVDF layer of rank 1 on [1, inputs], with a state of int16.
Workload Svdf(const SvdfShape& shape, std::uint64_t seed);

/// A workload's graph on int16 activations, with weights of int8 and biases of int64: TensorFlow
/// Lite's 16x8. Scales are 1/256 of what they were.
ir::Graph InInt16(ir::Graph graph);

/// A workload's graph on floating-point numbers: activations are of `type`, kFloat32 or kBfloat16,
/// constants the float32 numbers that their integers stand for.
ir::Graph InFloats(ir::Graph graph, ElementType type);

struct NamedWorkload {
  std::string name;
  std::function<Workload(std::uint64_t seed)> make;
};

/// What `make sim` runs.
std::vector<NamedWorkload> StandardWorkloads();

/// How values are spread: a result that is constant or mostly clamped would hide errors.
struct Spread {
  double standard_deviation = 0.0;
  double clamped_share = 0.0;  ///< Values that are -128 or 127.
};
Spread SpreadOf(std::span<const std::int8_t> values);

}  // namespace tpu::workloads
