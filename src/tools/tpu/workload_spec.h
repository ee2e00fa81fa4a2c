// SPDX-License-Identifier: Apache-2.0
// Workloads as `tpu bench` writes them:
//
//   matmul:MxKxN                    [M, K] times [K, N]
//   conv:HxWxC:k3:s1:p1:OC          image, kernel (k3 or k3x5), stride, padding on all sides,
//                                   output channels
//   dw:HxWxC:k3:s1:p1               depthwise
//   model:FILE                      a .tflite model or .tpu file
//
// A suite is a text file with one workload on each line, optionally followed by x and how often it
// occurs (x3), and comments from # to the end of the line.
#pragma once

#include <cstdint>
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
struct ModelSpec {
  std::string file;
};

struct WorkloadSpec {
  std::string text;  ///< As written.
  std::variant<MatmulSpec, ConvSpec, DepthwiseSpec, ModelSpec> kind;
  std::uint64_t count = 1;
};

struct Suite {
  std::string
      name;  ///< That of the file, without folders; empty: not a suite, but single workloads.
  std::vector<WorkloadSpec> specs;
};

/// Throws tpu::Error naming the workload and the part that is wrong.
WorkloadSpec ParseWorkload(std::string_view text);

/// Throws tpu::Error "file:line: ...".
std::vector<WorkloadSpec> ParseSuite(std::string_view text, const std::string& file);

/// Random data for anything but a model.
workloads::Workload MakeWorkload(const WorkloadSpec& spec, std::uint64_t seed);

}  // namespace tpu::tools
