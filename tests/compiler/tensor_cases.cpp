// SPDX-License-Identifier: Apache-2.0
#include "tests/compiler/tensor_cases.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "compiler/compile_tensor.h"
#include "devices/golden/golden_device.h"
#include "runtime/session.h"

namespace tpu::compiler {
namespace {

using tensor::CaseKind;
using tensor::RandomCase;
using tensor::ValueId;
using tensor::Values;

std::uint16_t Bfloat16Bits(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return static_cast<std::uint16_t>((bits + 0x7FFF + (bits >> 16U & 1U)) >> 16U);
}

template <typename T>
void Put(std::vector<std::uint8_t>& bytes, T value) {
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof value);
  std::memcpy(&bytes[at], &value, sizeof value);
}

// A window along one axis that fits an axis of `size` elements, and the paddings.
struct Axis {
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t dilation = 1;
  std::array<std::int64_t, 2> padding = {0, 0};
};

Axis AxisFor(RandomCase& random, std::int64_t size, bool dilates) {
  Axis axis = {.stride = random.Int(1, 3)};
  axis.dilation = dilates && axis.stride == 1 ? random.Int(1, 2) : 1;
  const std::int64_t most = (size - 1) / axis.dilation + 1;
  axis.kernel = random.Int(1, std::min<std::int64_t>(most, 4));
  const std::int64_t most_padding = axis.kernel - 1;
  axis.padding = {random.Int(0, most_padding), random.Int(0, most_padding)};
  return axis;
}

ValueId Convolution(RandomCase& random, bool depthwise) {
  const std::int64_t inputs = random.Int(1, 20);
  const std::int64_t outputs = depthwise ? inputs : random.Int(1, 20);
  const tensor::Shape image = {random.Int(1, 3), random.Int(1, 9), random.Int(1, 9), inputs};
  const Axis y = AxisFor(random, image[1], true);
  const Axis x = AxisFor(random, image[2], true);
  const ValueId input = random.Input(image);
  const ValueId kernel =
      random.Input(depthwise ? tensor::Shape{1, y.kernel, x.kernel, outputs}
                             : tensor::Shape{outputs, y.kernel, x.kernel, inputs});
  tensor::Convolution op = {.window_strides = {y.stride, x.stride},
                            .padding = {y.padding, x.padding},
                            .rhs_dilation = {y.dilation, x.dilation}};
  op.input_batch_dimension = 0;
  op.input_feature_dimension = 3;
  op.input_spatial_dimensions = {1, 2};
  op.kernel_input_feature_dimension = depthwise ? 0 : 3;
  op.kernel_output_feature_dimension = depthwise ? 3 : 0;
  op.kernel_spatial_dimensions = {1, 2};
  op.output_batch_dimension = 0;
  op.output_feature_dimension = 3;
  op.output_spatial_dimensions = {1, 2};
  op.feature_group_count = depthwise ? inputs : 1;
  return random.builder.Convolution(input, kernel, op);
}

ValueId Pool(RandomCase& random, tensor::Reduction body) {
  const tensor::Shape image = {random.Int(1, 3), random.Int(2, 9), random.Int(2, 9),
                               random.Int(1, 20)};
  Axis y = AxisFor(random, image[1], false);
  Axis x = AxisFor(random, image[2], false);
  if (body == tensor::Reduction::kMaximum) y.padding = x.padding = {0, 0};
  const ValueId input = random.Input(image);
  return random.builder.ReduceWindow(input, {.body = body,
                                             .window_dimensions = {1, y.kernel, x.kernel, 1},
                                             .window_strides = {1, y.stride, x.stride, 1},
                                             .padding = {{0, 0}, y.padding, x.padding, {0, 0}}});
}

}  // namespace

isa::HardwareConfig MachineOf(std::uint32_t n) {
  isa::HardwareConfig config;
  config.bf16 = 1;
  if (n == config.n) return config;
  config.n = n;
  config.ub_rows = 2048;
  config.acc_rows = 256;
  config.param_rows = 64;
  config.axi_data_width = 64;
  return config;
}

std::vector<std::uint8_t> BytesOf(const executable::TensorBinding& tensor,
                                  const Values<double>& values) {
  std::vector<std::uint8_t> bytes;
  for (const double value : values) {
    if (tensor.type == ElementType::kInt32) {
      Put(bytes, static_cast<std::int32_t>(value));
    } else if (tensor.type == ElementType::kBfloat16) {
      Put(bytes, Bfloat16Bits(static_cast<float>(value)));
    } else {
      Put(bytes, static_cast<float>(value));
    }
  }
  return bytes;
}

Values<double> FloatsOf(const std::vector<std::uint8_t>& bytes) {
  std::vector<float> floats(bytes.size() / sizeof(float));
  std::memcpy(floats.data(), bytes.data(), bytes.size());
  return {floats.begin(), floats.end()};
}

std::vector<Values<double>> RunOnMachine(const tensor::Graph& graph,
                                         const std::vector<Values<double>>& inputs,
                                         const isa::HardwareConfig& config) {
  const executable::Executable executable = CompileTensor(graph, config);
  devices::GoldenDevice device(config);
  runtime::Session session(device, executable);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    session.SetInputBytes(i, BytesOf(executable.inputs[i], inputs[i]));
  }
  session.Run();
  std::vector<Values<double>> outputs;
  for (std::size_t i = 0; i < executable.outputs.size(); ++i) {
    outputs.push_back(FloatsOf(session.OutputBytes(i)));
  }
  return outputs;
}

double RelativeError(const Values<double>& got, const Values<double>& expected) {
  double error = 0;
  double largest = 1e-3;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double difference = std::fabs(got.at(i) - expected[i]);
    if (std::isnan(difference)) return difference;
    error = std::max(error, difference);
    largest = std::max(largest, std::fabs(expected[i]));
  }
  return error / largest;
}

const std::vector<CaseKind>& LayerKinds() {
  static const std::vector<CaseKind> kinds = {
      {"convolution", [](RandomCase& random) { return Convolution(random, false); }},
      {"depthwise_convolution", [](RandomCase& random) { return Convolution(random, true); }},
      {"max_pool", [](RandomCase& random) { return Pool(random, tensor::Reduction::kMaximum); }},
      {"sum_pool", [](RandomCase& random) { return Pool(random, tensor::Reduction::kAdd); }},
  };
  return kinds;
}

}  // namespace tpu::compiler
