// SPDX-License-Identifier: Apache-2.0
// Workloads as `tpu bench` writes them:
//
//   matmul:MxKxN                    [M, K] times [K, N]
//   conv:HxWxC:k3:s1:p1:OC          image, kernel (k3 or k3x5), stride, padding on all sides,
//                                   output channels
//   dw:HxWxC:k3:s1:p1               depthwise
//   maxpool:HxWxC:k3:s1:p1, avgpool:HxWxC:k3:s1:p1
//   add:HxWxC                       sum of two images
//   mobilenetv2:HxW:w100            all of MobileNetV2 for an image, width in percent
//   attention:TxC:h4                self-attention of T tokens of C channels, number of heads
//   encoder:TxC:h4:f1024            block of an encoder: attention, then a hidden layer of so many
//                                   channels, each with a layer normalisation behind
//   lstm:TxIxC                      a recurrent layer: T steps of I inputs, C cells
//   svdf:IxU:m8                     a step of an SVDF layer: I inputs, U units, steps in its memory
//   model:FILE                      a .tflite or .onnx model, or a .tpu file
//
// Of training, on machines with bf16:
//
//   train:NETWORK:b32               a step of SGD: mlp-784-128-10 (widths), lenet-8 and
//   mobilenet-32
//                                   (side of the image), resnet8, transformer; batch
//   weight-gradient:HxWxC:k3:s1:p1:OC, input-gradient:HxWxC:k3:s1:p1:OC
//                                   of a convolution as above
//   update:OPTIMIZER:COUNT          sgd, momentum or adam on so many parameters
//
// Behind any of the others but a model, the type makes it another network than one of int8. :int16:
// activations of int16 and weights of int8. :float32: all of float32.
// With :bfloat16 inputs and outputs are bfloat16, as tensors inside of a network of float32 are.
//
// A suite is a text file with one workload on each line, optionally followed by x and how often it
// occurs (x3), and comments from # to the end of the line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "workloads/workload.h"

namespace tpu::tools {

struct MatmulSpec {
  std::int32_t m = 1;
  std::int32_t k = 1;
  std::int32_t n = 1;
};
struct ConvSpec {
  workloads::WindowShape shape;
  std::int32_t output_channels = 1;
};
struct DepthwiseSpec {
  workloads::WindowShape shape;
};
struct PoolSpec {
  ir::PoolKind kind = ir::PoolKind::kMax;
  workloads::WindowShape shape;
};
struct AddSpec {
  ir::Extent image;
  std::int32_t channels = 1;
};
struct MobileNetV2Spec {
  ir::Extent image;
  std::int32_t percent = 100;
};
struct AttentionSpec {
  workloads::AttentionShape shape;
};
struct EncoderSpec {
  workloads::EncoderShape shape;
};
struct LstmSpec {
  workloads::LstmShape shape;
};
struct SvdfSpec {
  workloads::SvdfShape shape;
};
struct TrainSpec {
  std::string network;
  std::vector<std::int64_t> sizes;
  std::int64_t batch = 1;
};
struct GradientSpec {
  ConvSpec layer;
  bool of_weights = false;
};
struct UpdateSpec {
  std::string optimizer;
  std::int64_t parameters = 1;
};
struct ModelSpec {
  std::string file;
};

struct WorkloadSpec {
  std::string text;  ///< As written.
  std::variant<MatmulSpec, ConvSpec, DepthwiseSpec, PoolSpec, AddSpec, MobileNetV2Spec,
               AttentionSpec, EncoderSpec, LstmSpec, SvdfSpec, TrainSpec, GradientSpec, UpdateSpec,
               ModelSpec>
      kind;
  ElementType type = ElementType::kInt8;  ///< Of activations.
  std::uint64_t count = 1;
};

struct Suite {
  std::string
      name;  ///< That of the file, without folders; empty: not a suite, but single workloads.
  std::vector<WorkloadSpec> specs;
};

/// Throws tpu::Error naming the workload and the part that is wrong.
WorkloadSpec ParseWorkload(std::string_view text);

/// Throws tpu::Error "file:line: ...". All workloads of the suite are of `type`.
std::vector<WorkloadSpec> ParseSuite(std::string_view text, const std::string& file,
                                     ElementType type = ElementType::kInt8);

struct TypedName {
  std::string_view name;
  ElementType type = ElementType::kInt8;
};
/// A name with :int16, :float32, :bfloat16 or nothing behind it.
TypedName ParseType(std::string_view text);

/// A network with random data, of anything but a model and what is of training.
ir::Graph MakeGraph(const WorkloadSpec& spec, std::uint64_t seed);

}  // namespace tpu::tools
