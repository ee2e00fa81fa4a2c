// SPDX-License-Identifier: Apache-2.0
// The workloads of `make sim`: the plain shapes everybody knows, and those that stress one thing
// each (few rows, sizes that are not multiples of N, stride, dilation, few channels).
#include <fmt/core.h>

#include "workloads/workload.h"

namespace tpu::workloads {
namespace {

using ir::Activation;
using ir::BinaryKind;
using ir::PoolKind;

NamedWorkload NamedMatmul(std::int32_t m, std::int32_t k, std::int32_t n) {
  return {fmt::format("matmul {}x{}x{}", m, k, n),
          [=](std::uint64_t seed) { return Matmul(m, k, n, seed); }};
}

WindowShape Square(std::int32_t size, std::int32_t channels, std::int32_t kernel,
                   std::int32_t stride = 1, std::int32_t dilation = 1) {
  return Same({.image = {size, size},
               .channels = channels,
               .kernel = {kernel, kernel},
               .stride = {stride, stride},
               .dilation = {dilation, dilation},
               .padding = {}});
}

/// E.g. "3x3 s2 56x56x64".
std::string Describe(const WindowShape& s) {
  return fmt::format("{}x{}{}{} {}x{}x{}", s.kernel.h, s.kernel.w,
                     s.stride.h > 1 ? fmt::format(" s{}", s.stride.h) : "",
                     s.dilation.h > 1 ? fmt::format(" d{}", s.dilation.h) : "", s.image.h,
                     s.image.w, s.channels);
}

NamedWorkload NamedConvolution(const WindowShape& shape, std::int32_t output_channels) {
  return {fmt::format("conv {}->{}", Describe(shape), output_channels), [=](std::uint64_t seed) {
            return Convolution(shape, output_channels, Activation::kRelu, seed);
          }};
}

NamedWorkload NamedDepthwise(const WindowShape& shape) {
  return {fmt::format("depthwise {}", Describe(shape)),
          [=](std::uint64_t seed) { return Depthwise(shape, Activation::kRelu6, seed); }};
}

NamedWorkload NamedPool(const char* name, PoolKind kind, const WindowShape& shape) {
  return {fmt::format("{} {}", name, Describe(shape)),
          [=](std::uint64_t seed) { return Pool(kind, shape, seed); }};
}

NamedWorkload NamedAdd(std::int32_t size, std::int32_t channels) {
  return {fmt::format("residual add {0}x{0}x{1}", size, channels), [=](std::uint64_t seed) {
            return Elementwise(BinaryKind::kAdd, {size, size}, channels, Activation::kRelu, seed);
          }};
}

}  // namespace

std::vector<NamedWorkload> StandardWorkloads() {
  return {NamedMatmul(64, 64, 64),
          NamedMatmul(256, 256, 256),
          NamedMatmul(512, 512, 512),
          NamedMatmul(1, 1024, 1024),
          NamedMatmul(100, 300, 50),
          NamedConvolution(Square(56, 64, 3), 64),
          NamedConvolution(Square(28, 64, 3, 2), 128),
          NamedConvolution(Square(28, 128, 1), 128),
          NamedConvolution(Square(28, 32, 5, 1, 2), 32),
          NamedConvolution(Square(112, 3, 7, 2), 32),
          NamedDepthwise(Square(56, 64, 3)),
          NamedDepthwise(Square(56, 64, 3, 2)),
          NamedPool("max pool", PoolKind::kMax, Square(56, 64, 3, 2)),
          NamedPool("average pool", PoolKind::kAverage, Square(28, 64, 3)),
          NamedAdd(56, 64)};
}

}  // namespace tpu::workloads
