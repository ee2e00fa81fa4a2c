// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/training_workload.h"

#include <string>
#include <variant>
#include <vector>

#include "compiler/compile_tensor.h"
#include "compiler/compile_training.h"
#include "tensor/bfloat16.h"
#include "tensor/builder.h"
#include "tensor/from_tflite/from_tflite.h"
#include "tensor/gradient.h"
#include "tensor/optimizers.h"
#include "tensor/simplify.h"
#include "tensor/train_step.h"
#include "workloads/networks.h"

namespace tpu::tools {
namespace {

using tensor::ValueId;
constexpr auto kF32 = tensor::ElementType::kF32;

ir::Graph NetworkOf(const TrainSpec& spec, std::uint64_t seed) {
  if (spec.network == "mlp") return workloads::Mlp(spec.sizes, seed);
  if (spec.network == "lenet") return workloads::LeNet(spec.sizes[0], seed);
  if (spec.network == "mobilenet") return workloads::MobileNetBlocks(spec.sizes[0], seed);
  if (spec.network == "resnet8") return workloads::ResNet8(seed);
  return workloads::Transformer({}, seed);
}

executable::Executable Compile(const TrainSpec& spec, std::uint64_t seed,
                               const isa::HardwareConfig& config) {
  const auto network = tensor::FromTflite(NetworkOf(spec, seed), {.batch = spec.batch});
  const tensor::TrainStep step = tensor::MakeTrainStep(network.model, {});
  return compiler::CompileTraining(network.model, step, config).update;
}

tensor::Convolution LayerOf(const workloads::WindowShape& shape) {
  tensor::Convolution op;
  op.window_strides = {shape.stride.h, shape.stride.w};
  op.padding = {
      {{shape.padding.top, shape.padding.bottom}, {shape.padding.left, shape.padding.right}}};
  op.input_batch_dimension = 0;
  op.input_feature_dimension = 3;
  op.input_spatial_dimensions = {1, 2};
  op.kernel_output_feature_dimension = 0;
  op.kernel_input_feature_dimension = 3;
  op.kernel_spatial_dimensions = {1, 2};
  op.output_batch_dimension = 0;
  op.output_feature_dimension = 3;
  op.output_spatial_dimensions = {1, 2};
  return op;
}

// Of the sum of the layer's outputs, each times a number that is an input.
executable::Executable Compile(const GradientSpec& spec, std::uint64_t /*seed*/,
                               const isa::HardwareConfig& config) {
  const workloads::WindowShape& shape = spec.layer.shape;
  tensor::Builder b;
  const ValueId x = b.Input("x", {kF32, {1, shape.image.h, shape.image.w, shape.channels}});
  const ValueId w = b.Input(
      "w", {kF32, {spec.layer.output_channels, shape.kernel.h, shape.kernel.w, shape.channels}});
  const ValueId y = b.Convolution(x, w, LayerOf(shape));
  const ValueId g = b.Input("g", b.TypeOf(y));
  const ValueId loss =
      b.Reduce(b.Multiply(y, g), tensor::Reduction::kAdd, tensor::AllDimensions(4));
  const std::vector<ValueId> wanted = {spec.of_weights ? w : x};
  b.Output("gradient", tensor::Gradient(b, loss, wanted)[0]);
  const tensor::Graph graph = tensor::Simplify(b.Take());
  return compiler::CompileTensor(tensor::Simplify(tensor::UseBfloat16(graph)), config);
}

tensor::Optimizer OptimizerOf(const std::string& name) {
  if (name == "sgd") return tensor::Sgd{};
  if (name == "momentum") return tensor::Momentum{};
  return tensor::Adam{};
}

// The state stays where it is.
executable::Executable Compile(const UpdateSpec& spec, std::uint64_t /*seed*/,
                               const isa::HardwareConfig& config) {
  const tensor::Optimizer optimizer = OptimizerOf(spec.optimizer);
  tensor::Builder b;
  const tensor::TensorType type = {kF32, {spec.parameters}};
  const ValueId w = b.Input("w", type);
  const ValueId g = b.Input("g", type);
  tensor::StepScalars scalars = {.learning_rate = b.Input("learning_rate", {kF32, {}}), .step = {}};
  if (tensor::UsesStepNumber(optimizer)) {
    scalars.step = b.Convert(b.Input("step", {tensor::ElementType::kS32, {}}), kF32);
  }
  std::vector<ValueId> moments;
  for (const std::string_view moment : tensor::MomentNames(optimizer)) {
    moments.push_back(b.Input(std::string(moment), type));
  }
  const tensor::Updated updated = tensor::Update(b, optimizer, scalars, w, g, moments);
  b.Output("w", updated.parameter);
  std::size_t next = 0;
  for (const std::string_view moment : tensor::MomentNames(optimizer)) {
    b.Output(std::string(moment), updated.moments.at(next++));
  }
  return compiler::CompileTensor(tensor::Simplify(b.Take()), config);
}

}  // namespace

std::optional<executable::Executable> CompileTrainingWorkload(const WorkloadSpec& spec,
                                                              std::uint64_t seed,
                                                              const isa::HardwareConfig& config) {
  return std::visit(
      [&](const auto& kind) -> std::optional<executable::Executable> {
        if constexpr (requires { Compile(kind, seed, config); }) {
          return Compile(kind, seed, config);
        } else {
          return std::nullopt;
        }
      },
      spec.kind);
}

}  // namespace tpu::tools
