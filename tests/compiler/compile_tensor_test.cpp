// SPDX-License-Identifier: Apache-2.0
// The tensor language on the golden model: each operation and its gradients, and steps of training.
#include "compiler/compile_tensor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>

#include "base/error.h"
#include "compiler/compile_training.h"
#include "compiler/keep_or_recompute.h"
#include "devices/golden/golden_device.h"
#include "executable/executable_file.h"
#include "runtime/session.h"
#include "tensor/bfloat16.h"
#include "tensor/optimizers.h"
#include "tensor/recompute.h"
#include "tensor/simplify.h"
#include "tests/compiler/tensor_cases.h"
#include "tests/tensor/networks.h"

namespace tpu::compiler {
namespace {

constexpr auto kF32 = tensor::ElementType::kF32;
using tensor::CaseKind;
using tensor::Values;

std::string NameOf(std::string name) {
  std::ranges::replace_if(
      name, [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

// What the machine has no way to compute: windows over more than rows and columns.
bool IsForTheMachine(const CaseKind& kind) {
  return kind.name.find("window") == std::string::npos &&
         kind.name.find("convolution") == std::string::npos && kind.name != "pad" &&
         kind.name != "select_and_scatter" && kind.name != "reduce minimum";
}

std::vector<CaseKind> Kinds() {
  std::vector<CaseKind> kinds;
  std::ranges::copy_if(tensor::CaseKinds(), std::back_inserter(kinds), IsForTheMachine);
  std::ranges::copy(LayerKinds(), std::back_inserter(kinds));
  return kinds;
}

// Products are of bf16, with 8 bits, and so is most of what is in between.
constexpr double kBound = 0.03;

class Operations : public testing::TestWithParam<CaseKind> {};

TEST_P(Operations, AndTheirGradientsAreThoseOfTheLanguage) {
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    const std::uint32_t n = seed % 2 == 0 ? 16 : 4;
    SCOPED_TRACE("seed " + std::to_string(seed) + ", N = " + std::to_string(n));
    const tensor::Case forwards = tensor::MakeCase(GetParam(), seed);
    const tensor::Case test = tensor::WithGradients(forwards, seed);
    const tensor::Graph graph = tensor::Simplify(
        tensor::UseBfloat16(tensor::Simplify(tensor::WithoutStopGradients(test.graph))));
    const auto expected = tensor::Evaluate(graph, test.inputs);
    const auto got = RunOnMachine(graph, test.inputs, MachineOf(n));
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_LE(RelativeError(got[i], expected[i]), kBound) << graph.outputs[i].name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(CompileTensor, Operations, testing::ValuesIn(Kinds()),
                         [](const auto& info) { return NameOf(info.param.name); });

// The inputs of a step: the state as it begins, the network's data, and a large learning rate, so
// that a step is seen well.
Values<double> InputOf(const tensor::TrainStep& step, const tensor::Network& network,
                       const std::string& name, std::size_t& data) {
  for (const tensor::StateTensor& tensor : step.state) {
    if (tensor.name != name && tensor::CopyName(tensor.name) != name) continue;
    if (!tensor.initial.empty()) return {tensor.initial.begin(), tensor.initial.end()};
    return Values<double>(static_cast<std::size_t>(tensor.type.Elements()));
  }
  if (name == "learning_rate") return {1.0};
  if (name == "step") return {1.0};
  if (name == "labels" || name == "targets") return network.labels[0];
  return network.data[data++];
}

// The copies for the array are the parameters, rounded.
void ExpectCopies(const executable::Executable& update, const runtime::Session& session) {
  const auto place_of = [&](const std::string& name) {
    const auto found = std::ranges::find(update.outputs, name, &executable::TensorBinding::name);
    return static_cast<std::size_t>(found - update.outputs.begin());
  };
  std::size_t copies = 0;
  for (const executable::TensorBinding& output : update.outputs) {
    const std::size_t copy = place_of(tensor::CopyName(output.name));
    if (copy == update.outputs.size()) continue;
    const Values<double> values = FloatsOf(session.OutputBytes(place_of(output.name)));
    EXPECT_EQ(session.OutputBytes(copy), BytesOf(update.outputs[copy], values)) << output.name;
    ++copies;
  }
  EXPECT_GT(copies, 0U);
}

struct StepCase {
  std::uint32_t n = 16;
  tensor::Optimizer optimizer = tensor::Sgd{};
};

class Steps : public testing::TestWithParam<StepCase> {};

// All changes of the state together: those of single tensors may be nothing but rounding.
TEST_P(Steps, ChangeTheStateAsTheLanguageSays) {
  for (std::uint32_t seed = 1; seed <= 2; ++seed) {
    for (const tensor::Network& network : tensor::AllNetworks(seed)) {
      SCOPED_TRACE(network.name + ", seed " + std::to_string(seed));
      const tensor::TrainStep step = tensor::MakeTrainStep(
          network.model, {.loss = network.loss, .optimizer = GetParam().optimizer});
      const isa::HardwareConfig config = MachineOf(GetParam().n);
      const TrainingExecutables executables = CompileTraining(network.model, step, config);
      std::vector<Values<double>> inputs;
      std::size_t data = 0;
      devices::GoldenDevice device(config);
      runtime::Session session(device, executables.update);
      for (std::size_t i = 0; i < executables.update.inputs.size(); ++i) {
        const executable::TensorBinding& input = executables.update.inputs[i];
        inputs.push_back(InputOf(step, network, input.name, data));
        session.SetInputBytes(i, BytesOf(input, inputs.back()));
      }
      session.Run();
      inputs.resize(step.update.inputs.size());  // Without the copies for the array.
      const auto expected = tensor::Evaluate(step.update, inputs);
      double error = 0;
      double change = 0;
      for (std::size_t i = 0; i < expected.size(); ++i) {
        const executable::TensorBinding& output = executables.update.outputs[i];
        const Values<double> got = FloatsOf(session.OutputBytes(i));
        if (output.name == "loss") {
          EXPECT_LE(RelativeError(got, expected[i]), 0.01);
          continue;
        }
        const auto input = std::ranges::find(executables.update.inputs, output.name,
                                             &executable::TensorBinding::name);
        ASSERT_NE(input, executables.update.inputs.end());
        EXPECT_EQ(input->address, output.address);
        const auto& before =
            inputs[static_cast<std::size_t>(input - executables.update.inputs.begin())];
        // Adam divides by the gradient's size, so that noise becomes as large as anything.
        const bool counts = !tensor::UsesStepNumber(GetParam().optimizer) ||
                            output.name.find("first_moment") != std::string::npos;
        for (std::size_t k = 0; k < got.size() && counts; ++k) {
          error += (got[k] - expected[i][k]) * (got[k] - expected[i][k]);
          change += (expected[i][k] - before[k]) * (expected[i][k] - before[k]);
        }
      }
      EXPECT_LE(std::sqrt(error / change), kBound);
      ExpectCopies(executables.update, session);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(CompileTensor, Steps,
                         testing::Values(StepCase{.n = 16}, StepCase{.n = 4},
                                         StepCase{.n = 16, .optimizer = tensor::Momentum{}},
                                         StepCase{.n = 16, .optimizer = tensor::Adam{}}),
                         [](const auto& info) { return "case" + std::to_string(info.index); });

// The update of so many parameters, and inputs for it.
std::pair<tensor::Graph, std::vector<Values<double>>> UpdateOf(const tensor::Optimizer& optimizer,
                                                               std::int64_t count) {
  tensor::RandomCase random(1);
  tensor::Builder& b = random.builder;
  const tensor::ValueId w = random.Input({count});
  const tensor::ValueId g = random.Input({count});
  random.inputs.back()[1] = 0;
  const tensor::TensorType scalar = {kF32, {}};
  tensor::StepScalars scalars = {.learning_rate = b.Input("learning_rate", scalar),
                                 .step = b.Input("step", scalar)};
  random.inputs.push_back({0.1});
  random.inputs.push_back({3});
  std::vector<tensor::ValueId> moments;
  for (std::size_t i = 0; i < tensor::MomentNames(optimizer).size(); ++i) {
    moments.push_back(random.Input({count}, 0.1, 1));
    random.inputs.back()[1] = 0;  // As before the first step.
  }
  const tensor::Updated updated = tensor::Update(b, optimizer, scalars, w, g, moments);
  b.Output("w", updated.parameter);
  for (std::size_t i = 0; i < moments.size(); ++i) {
    b.Output("moment" + std::to_string(i), updated.moments[i]);
  }
  return {tensor::Simplify(b.Take()), random.inputs};
}

// The operations of an update share their tiles.
void ExpectUpdates(const tensor::Optimizer& optimizer, std::int64_t count, std::uint32_t n) {
  const auto [graph, inputs] = UpdateOf(optimizer, count);
  const auto expected = tensor::Evaluate(graph, inputs);
  const auto got = RunOnMachine(graph, inputs, MachineOf(n));
  // The functions are off by some units in the last place of fp32.
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_LE(RelativeError(got[i], expected[i]), 1e-5) << graph.outputs[i].name;
  }
}

TEST(CompileTensor, UpdatesWholeTensorsAndWhatIsLeftOfARow) {
  for (const std::uint32_t n : {4U, 16U}) {
    for (const std::int64_t count : {64, 1003, 5000}) {
      SCOPED_TRACE("N = " + std::to_string(n) + ", " + std::to_string(count) + " parameters");
      ExpectUpdates(tensor::Sgd{}, count, n);
      ExpectUpdates(tensor::Momentum{}, count, n);
      ExpectUpdates(tensor::Adam{}, count, n);
      ExpectUpdates(tensor::Adam{.weight_decay = 0.3}, count, n);
    }
  }
}

// Rows of all instructions of a kind, and the most that one of them has.
template <typename V>
std::pair<std::uint32_t, std::uint32_t> RowsOf(const executable::Executable& executable,
                                               std::uint32_t V::*rows) {
  std::pair<std::uint32_t, std::uint32_t> result;
  for (const std::vector<isa::Instruction>& program : executable::Programs(executable)) {
    for (const isa::Instruction& instruction : program) {
      const auto* v = std::get_if<V>(&instruction);
      if (v == nullptr) continue;
      result.first += v->*rows;
      result.second = std::max(result.second, v->*rows);
    }
  }
  return result;
}

TEST(CompileTensor, AStepOfAdamIsOneInstructionForEachTile) {
  constexpr std::int64_t kCount = 1003;
  for (const double decay : {0.0, 0.3}) {
    const tensor::Graph graph = UpdateOf(tensor::Adam{.weight_decay = decay}, kCount).first;
    const executable::Executable executable = CompileTensor(graph, MachineOf(16));
    EXPECT_EQ(RowsOf(executable, &isa::Adam::rows).first, (kCount + 15) / 16);
    EXPECT_EQ(RowsOf(executable, &isa::Fvector::n_ow).second, 1U) << "numbers of all parameters";
  }
}

// The copies of weights in bf16 are made where the weights are.
TEST(CompileTensor, AStepOfTrainingWithAdamHasOneForEachParameter) {
  const tensor::Network network = tensor::Mlp(1);
  const tensor::TrainStep step =
      tensor::MakeTrainStep(network.model, {.optimizer = tensor::Adam{}});
  const executable::Executable update = CompileTraining(network.model, step, MachineOf(16)).update;
  std::uint32_t rows = 0;
  for (const tensor::StateTensor& tensor : step.state) {
    if (tensor.name.ends_with("/square_sum")) {
      rows += static_cast<std::uint32_t>((tensor.type.Elements() + 15) / 16);
    }
  }
  EXPECT_GT(rows, 0U);
  EXPECT_EQ(RowsOf(update, &isa::Adam::rows).first, rows);
}

// FVECTORs that work on so many rows.
std::int64_t PassesOver(std::uint32_t rows, const executable::Executable& executable) {
  std::int64_t passes = 0;
  for (const std::vector<isa::Instruction>& program : executable::Programs(executable)) {
    passes += std::ranges::count_if(program, [&](const isa::Instruction& instruction) {
      const auto* vector = std::get_if<isa::Fvector>(&instruction);
      return vector != nullptr && vector->n_ow == rows;
    });
  }
  return passes;
}

// A factor, an addend and a function of what an operation gives are parts of its instruction.
TEST(CompileTensor, PutsConstantsBehindAnOperationIntoItsInstruction) {
  using tensor::Builder;
  using tensor::ValueId;
  struct Ending {
    std::string name;
    std::function<ValueId(Builder&, ValueId)> of_product;
    std::int64_t passes = 1;
  };
  const std::vector<Ending> endings = {
      {"factor", [](Builder& b, ValueId x) { return b.Scale(x, 0.3); }},
      {"addend", [](Builder& b, ValueId x) { return b.Add(x, b.SplatLike(x, 9)); }},
      {"both, function",
       [](Builder& b, ValueId x) {
         return b.Tanh(b.Subtract(b.Scale(x, 0.3), b.SplatLike(x, 0.7)));
       }},
      {"factor behind the addend",
       [](Builder& b, ValueId x) { return b.Scale(b.Add(x, b.SplatLike(x, 9)), 0.3); }, 2},
      {"subtracted from a constant",
       [](Builder& b, ValueId x) { return b.Subtract(b.SplatLike(x, 9), b.Scale(x, 0.3)); }, 2},
      {"plus its square", [](Builder& b, ValueId x) { return b.Add(b.Multiply(x, x), x); }, 2},
      {"behind a function",
       [](Builder& b, ValueId x) { return b.Add(b.Tanh(x), b.SplatLike(x, 9)); }, 2}};
  for (const Ending& ending : endings) {
    SCOPED_TRACE(ending.name);
    tensor::RandomCase random(1);
    const ValueId x = random.Input({80});
    const ValueId y = random.Input({80});
    Builder& b = random.builder;
    b.Output("result", ending.of_product(b, b.Multiply(x, y)));
    const tensor::Graph graph = b.Take();
    EXPECT_EQ(PassesOver(80 / 16, CompileTensor(graph, MachineOf(16))), ending.passes);
    const auto got = RunOnMachine(graph, random.inputs, MachineOf(16));
    EXPECT_LE(RelativeError(got[0], tensor::Evaluate(graph, random.inputs)[0]), 1e-6);
  }
}

// The loss is a sum of values that are made of a product, and the backward pass takes the tanh of
// these values; it needs the product as well.
TEST(KeepOrRecompute, TakesTheFasterOne) {
  using tensor::ValueId;
  // Half of a number is part of the tanh's instruction; a function takes one of its own.
  for (const bool half : {true, false}) {
    SCOPED_TRACE(half ? "half" : "logistic");
    tensor::Builder b;
    const ValueId x = b.Input("x", {kF32, {192, 64}});
    const ValueId w = b.Input("w", {kF32, {64, 64}});
    const ValueId y = b.Input("y", {kF32, {192, 64}});
    const ValueId product =
        b.DotGeneral(x, w, {.lhs_contracting_dimensions = {1}, .rhs_contracting_dimensions = {0}});
    const ValueId value = half ? b.Scale(product, 0.5) : b.Logistic(product);
    b.Output("loss", b.Reduce(value, tensor::Reduction::kAdd, {0, 1}));
    b.Output("tanh", b.Tanh(value));
    b.Output("product", b.Multiply(product, y));
    const tensor::Graph step = tensor::Simplify(tensor::UseBfloat16(tensor::Simplify(b.Take())));
    const std::vector<ValueId> values = tensor::Recomputable(step);
    ASSERT_EQ(values.size(), 1U);
    const tensor::Graph again = tensor::Recompute(step, {values[0]});
    const timing::Cycle cycles_kept = TryTensor(step, MachineOf(16));
    const timing::Cycle cycles_again = TryTensor(again, MachineOf(16));
    EXPECT_EQ(cycles_again < cycles_kept, half) << cycles_again << " and " << cycles_kept;
    EXPECT_EQ(KeepOrRecompute(step, MachineOf(16)).nodes, half ? again.nodes : step.nodes);
  }
}

TEST(CompileTensor, RefusesAMachineWithoutBf16) {
  const tensor::Network network = tensor::Mlp(1);
  const tensor::TrainStep step = tensor::MakeTrainStep(network.model, {});
  EXPECT_THROW(CompileTraining(network.model, step, isa::HardwareConfig{}), Error);
}

}  // namespace
}  // namespace tpu::compiler
