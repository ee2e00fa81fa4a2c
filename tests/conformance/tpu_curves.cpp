// SPDX-License-Identifier: Apache-2.0
// Trains a network of workloads/networks.h on the golden model, with batches from files, in their
// order. For curves.py.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "compiler/compile_training.h"
#include "devices/golden/golden_device.h"
#include "npy/npy.h"
#include "tensor/from_tflite/from_tflite.h"
#include "training/device_machine.h"
#include "training/examples.h"
#include "training/settings.h"
#include "workloads/networks.h"

namespace tpu::training {
namespace {

using Json = nlohmann::json;

struct Flags {
  std::string network;
  std::string optimizer = "sgd";
  double learning_rate = 0.01;
  std::int64_t batch = 32;
  std::uint64_t seed = 1;
  std::vector<std::int64_t> weights_after;
  std::filesystem::path folder;
};

ir::Graph NetworkOf(const std::string& name, std::uint64_t seed) {
  constexpr std::int64_t kDigit = 8;
  constexpr std::int64_t kPhoto = 32;
  if (name == "mlp") return workloads::Mlp({kDigit * kDigit, 64, 32, 10}, seed);
  if (name == "lenet") return workloads::LeNet(kDigit, seed);
  if (name == "resnet8") return workloads::ResNet8(seed);
  if (name == "mobilenet") return workloads::MobileNetBlocks(kPhoto, seed);
  if (name == "transformer") return workloads::Transformer({}, seed);
  throw Error::Format("there is no network {}", name);
}

void WriteWeights(const std::filesystem::path& folder, std::int64_t step,
                  const tensor::TrainStep& train_step, const std::vector<Bytes>& weights) {
  for (std::size_t i = 0; i < weights.size(); ++i) {
    npy::Write(folder / fmt::format("weights_{}_{}.npy", step, i),
               {npy::Type::kFloat32, train_step.state[i].type.shape, weights[i]});
  }
}

// Names of what no operator takes as its weights: the places' embeddings.
std::vector<std::string> PlacesOf(const ir::Graph& graph) {
  std::vector<std::string> names;
  for (const ir::Tensor& tensor : graph.tensors) {
    if (tensor.name.starts_with("places")) names.push_back(tensor.name);
  }
  return names;
}

void Train(const Flags& flags) {
  const ir::Graph network = NetworkOf(flags.network, flags.seed);
  const tensor::Model model =
      tensor::FromTflite(network, {.batch = flags.batch, .trained = PlacesOf(network)}).model;
  const tensor::TrainStep step =
      tensor::MakeTrainStep(model, {.optimizer = OptimizerOf(flags.optimizer)});
  const Examples examples(flags.folder / "inputs.npy", flags.folder / "labels.npy",
                          ExampleTypeOf(model, step));

  isa::HardwareConfig config;
  config.bf16 = 1;
  const auto executables = compiler::CompileTraining(model, step, config);
  devices::GoldenDevice device(config);
  DeviceMachine machine(device, executables, step, model.parameters.size(), DataInput(model), {});

  Json names = Json::array();
  for (std::size_t i = 0; i < model.parameters.size(); ++i) names.push_back(step.state[i].name);
  Json losses = Json::array();
  std::vector<std::int64_t> which(static_cast<std::size_t>(flags.batch));
  for (std::int64_t done = 0;; ++done) {
    if (std::ranges::count(flags.weights_after, done) > 0) {
      WriteWeights(flags.folder, done, step, machine.Parameters());
    }
    if ((done + 1) * flags.batch > examples.count()) break;
    std::iota(which.begin(), which.end(), done * flags.batch);
    const BatchRun run = machine.Update({examples.Inputs(which), examples.Labels(which)},
                                        static_cast<float>(flags.learning_rate),
                                        static_cast<std::uint64_t>(done) + 1);
    losses.push_back(run.loss);
  }
  WriteFile(flags.folder / "device.json", Json{{"weights", names}, {"loss", losses}}.dump() + "\n");
}

int Main(int argc, char** argv) {
  CLI::App app{
      "Trains a network on the golden model of N = 16 with bf16. FOLDER has inputs.npy and "
      "labels.npy, the batches one behind the other, and gets device.json, with the loss of each "
      "step, and weights_STEP_NUMBER.npy."};
  Flags flags;
  app.add_option("network", flags.network, "mlp, lenet, resnet8, mobilenet or transformer")
      ->required();
  app.add_option("folder", flags.folder, "Where the files are")->required();
  app.add_option("--optimizer", flags.optimizer, "sgd, momentum or adam")->capture_default_str();
  app.add_option("--lr", flags.learning_rate, "The learning rate")->capture_default_str();
  app.add_option("--batch", flags.batch, "Examples a step")->capture_default_str();
  app.add_option("--seed", flags.seed, "Of the initial weights")->capture_default_str();
  app.add_option("--weights-after", flags.weights_after, "After which steps to write the weights");
  CLI11_PARSE(app, argc, argv);
  Train(flags);
  return 0;
}

}  // namespace
}  // namespace tpu::training

int main(int argc, char** argv) {
  try {
    return tpu::training::Main(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "tpu_curves: {}\n", e.what());
    return 2;
  }
}
