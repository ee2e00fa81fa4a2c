#include "workloads/digits.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"

namespace tpu::workloads {
namespace {

using compiler::Tensor;
using compiler::TensorId;
using nlohmann::json;

json ParseFile(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw Error::Format("{}: cannot be read; run from the project's tree", path.string());
  try {
    return json::parse(file);
  } catch (const json::exception& error) {
    throw Error::Format("{}: not valid JSON: {}", path.string(), error.what());
  }
}

compiler::Extent ExtentOf(const json& pair) {
  return {pair.at(0).get<std::int32_t>(), pair.at(1).get<std::int32_t>()};
}

compiler::Padding PaddingOf(const json& sides) {
  return {sides.at(0).get<std::int32_t>(), sides.at(1).get<std::int32_t>(),
          sides.at(2).get<std::int32_t>(), sides.at(3).get<std::int32_t>()};
}

compiler::Activation ActivationOf(const json& layer) {
  const auto name = layer.at("activation").get<std::string>();
  if (name == "none") return compiler::Activation::kNone;
  if (name == "relu") return compiler::Activation::kRelu;
  if (name == "relu6") return compiler::Activation::kRelu6;
  throw Error::Format("unknown activation {}; known: none, relu, relu6", name);
}

Tensor ActivationTensor(const std::string& name, const json& description) {
  Tensor tensor;
  tensor.name = name;
  description.at("shape").get_to(tensor.shape);
  tensor.scale = description.at("scale").get<float>();
  tensor.zero_point = description.at("zero_point").get<std::int32_t>();
  return tensor;
}

TensorId AddWeights(const std::string& name, const json& layer, compiler::Graph& graph) {
  Tensor tensor;
  tensor.name = name + "/weights";
  layer.at("weights_shape").get_to(tensor.shape);
  layer.at("weight_scales").get_to(tensor.channel_scales);
  tensor.data = layer.at("weights").get<std::vector<std::int8_t>>();
  return graph.AddTensor(std::move(tensor));
}

TensorId AddBias(const std::string& name, const json& layer, compiler::Graph& graph) {
  auto values = layer.at("bias").get<std::vector<std::int32_t>>();
  Tensor tensor;
  tensor.name = name + "/bias";
  tensor.type = compiler::ElementType::kInt32;
  tensor.shape = {static_cast<std::int64_t>(values.size())};
  tensor.data = std::move(values);
  return graph.AddTensor(std::move(tensor));
}

compiler::Attributes AttributesOf(const json& layer) {
  const auto op = layer.at("op").get<std::string>();
  if (op == "conv2d") {
    return compiler::Conv2D{
        ExtentOf(layer.at("stride")), {}, PaddingOf(layer.at("padding")), ActivationOf(layer)};
  }
  if (op == "max_pool2d") {
    return compiler::Pool2D{compiler::PoolKind::kMax, ExtentOf(layer.at("filter")),
                            ExtentOf(layer.at("stride")), PaddingOf(layer.at("padding")),
                            compiler::Activation::kNone};
  }
  if (op == "fully_connected") return compiler::FullyConnected{ActivationOf(layer)};
  throw Error::Format("unknown op {}; known: conv2d, max_pool2d, fully_connected", op);
}

/// Appends one layer that reads `input`; returns its output.
TensorId AddLayer(const std::string& name, const json& layer, TensorId input,
                  compiler::Graph& graph) {
  std::vector<TensorId> inputs = {input};
  if (layer.contains("weights")) {
    inputs.push_back(AddWeights(name, layer, graph));
    inputs.push_back(AddBias(name, layer, graph));
  }
  const TensorId output = graph.AddTensor(ActivationTensor(name, layer.at("output")));
  graph.operators.push_back({name, std::move(inputs), {output}, AttributesOf(layer)});
  return output;
}

}  // namespace

std::vector<Digit> LoadDigits(const std::filesystem::path& testset) {
  const json file = ParseFile(testset);
  std::vector<Digit> digits;
  try {
    const json& images = file.at("images");
    const json& labels = file.at("labels");
    for (std::size_t i = 0; i < images.size(); ++i) {
      digits.push_back({images.at(i).get<decltype(Digit::pixels)>(), labels.at(i).get<int>()});
    }
  } catch (const json::exception& error) {
    throw Error::Format("{}: image {}: {}", testset.string(), digits.size(), error.what());
  }
  return digits;
}

compiler::Graph LoadNetwork(const std::filesystem::path& network) {
  const json file = ParseFile(network);
  compiler::Graph graph;
  std::string name = "input";
  try {
    TensorId tensor = graph.AddTensor(ActivationTensor(name, file.at("input")));
    graph.inputs = {tensor};
    const json& layers = file.at("layers");
    for (std::size_t i = 0; i < layers.size(); ++i) {
      name = fmt::format("{}_{}", layers[i].at("op").get<std::string>(), i);
      tensor = AddLayer(name, layers[i], tensor, graph);
    }
    graph.outputs = {tensor};
  } catch (const std::exception& error) {
    throw Error::Format("{}: layer {}: {}", network.string(), name, error.what());
  }
  return graph;
}

std::vector<std::int8_t> QuantizeDigit(const Digit& digit, const compiler::Tensor& input) {
  std::vector<std::int8_t> values;
  for (const std::uint8_t pixel : digit.pixels) {
    const float real = static_cast<float>(pixel) / 16.0F;
    const long q = std::lround(real / input.scale) + input.zero_point;
    values.push_back(static_cast<std::int8_t>(std::clamp(q, -128L, 127L)));
  }
  return values;
}

}  // namespace tpu::workloads
