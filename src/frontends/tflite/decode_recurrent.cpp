// SPDX-License-Identifier: Apache-2.0
// Operators with a state.
#include <cmath>

#include "frontends/tflite/operator_reader.h"

namespace tpu::tflite {
namespace {

namespace schema = tflite::schema;
using enum ElementType;

// Places of UNIDIRECTIONAL_SEQUENCE_LSTM's inputs. Those that are not named are weights of
// peepholes, of a projection and of layer normalisation.
constexpr std::size_t kLstmWeights = 1;
constexpr std::size_t kLstmRecurrentWeights = 5;
constexpr std::size_t kLstmBiases = 12;
constexpr std::size_t kLstmHidden = 18;
constexpr std::size_t kLstmCell = 19;
constexpr std::size_t kLstmInputs = 24;
constexpr std::size_t kGates = ir::Lstm::kGates;

bool IsSupported(std::size_t input) {
  const auto among = [input](std::size_t first, std::size_t count) {
    return input >= first && input < first + count;
  };
  return input == 0 || among(kLstmWeights, kGates) || among(kLstmRecurrentWeights, kGates) ||
         among(kLstmBiases, kGates) || input == kLstmHidden || input == kLstmCell;
}

}  // namespace

ir::Attributes DecodeLstm(OperatorReader& op) {
  op.RequireCounts(kLstmCell + 1, kLstmInputs);
  const auto options = op.OptionsAs<schema::UnidirectionalSequenceLSTMOptionsT>();
  for (std::size_t i = 0; i < op.Inputs(); ++i) {
    op.Require(!op.HasInput(i) || IsSupported(i),
               "input {} is there: peepholes, a projection and layer normalisation are not "
               "supported",
               i);
  }
  const ir::Shape shape = op.Activations(0).shape;
  op.Require(!op.ComputesFloats(), "{} is float32, which this operator is not supported on",
             op.Input(0).name);
  op.Require(shape.size() == 3, "{} {} must have 3 dimensions", op.Input(0).name, Text(shape));
  for (const std::size_t first : {kLstmWeights, kLstmRecurrentWeights}) {
    for (std::size_t gate = 0; gate < kGates; ++gate) op.Weights(first + gate, 0);
  }
  const ir::Tensor& weights = op.Input(kLstmWeights);
  op.RequireRank(weights, 2);
  const std::int64_t cells = weights.shape[0];
  for (std::size_t gate = 0; gate < kGates; ++gate) {
    op.Require(op.HasInput(kLstmBiases + gate), "input {}, a gate's bias, is missing",
               kLstmBiases + gate);
    op.Bias(kLstmBiases + gate, cells, {kInt64});
  }
  using Function = schema::ActivationFunctionType;
  const Function function = options.fused_activation_function;
  op.Require(function == Function::TANH || function == Function::NONE,
             "fused activation {} is not supported; it must be TANH", static_cast<int>(function));
  op.Require(options.proj_clip == 0.0F || !op.HasInput(kLstmInputs),
             "a projection is not supported");
  op.Require(std::isfinite(options.cell_clip) && options.cell_clip >= 0.0F, "cell_clip is {}",
             options.cell_clip);
  op.SettleOutput({shape[0], shape[1], cells});
  op.RequireSameType(op.Input(0), op.Output());
  const ElementType type = op.Input(0).type;
  op.AddVariable(kLstmHidden, {type});
  op.AddVariable(kLstmCell, {kInt16});
  return ir::Lstm{.time_major = options.time_major,
                  .cell_clip = static_cast<double>(options.cell_clip)};
}

ir::Attributes DecodeSvdf(OperatorReader& op) {
  op.RequireCounts(5, 5);
  const auto options = op.OptionsAs<schema::SVDFOptionsT>();
  const ir::Tensor& input = op.Activations(0);
  op.RequireQuantized(input, {kInt8});
  op.RequireRank(input, 2);
  const std::int64_t batch = input.shape[0];
  const ir::Tensor& features = op.Weights(1, 0);
  const ir::Tensor& time = op.Operand(2);
  op.RequireRank(features, 2);
  op.RequireRank(time, 2);
  op.RequireQuantized(time, {kInt8, kInt16});
  op.Require(time.IsConstant(), "weights {} must be constant", time.name);
  op.Require(time.zero_point == 0, "weights {} must have zero point 0", time.name);
  const std::int64_t filters = features.shape[0];
  op.Require(options.rank >= 1 && filters % options.rank == 0,
             "{} filters are no multiple of the rank, {}", filters, options.rank);
  op.Require(features.channel_scales.empty(), "weights {} must have one scale", features.name);
  op.Bias(3, filters / options.rank, {});
  op.SettleOutput({batch, filters / options.rank});
  op.RequireQuantized(op.Output(), {kInt8});
  const ElementType type = time.type;
  op.AddVariable(4, {type});
  return ir::Svdf{.rank = options.rank};
}

}  // namespace tpu::tflite
