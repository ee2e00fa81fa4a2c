// SPDX-License-Identifier: Apache-2.0
// Builds a network of float32 in code: two layers that compute the exclusive or of two numbers.
// Runs the network on the golden model of the machine with bf16 and prints the results.
//
//   float_network
#include <array>
#include <cstddef>
#include <exception>
#include <iostream>
#include <memory>
#include <vector>

#include "tpu/device.h"
#include "tpu/graph.h"
#include "tpu/model.h"
#include "tpu/program.h"
#include "tpu/session.h"

namespace {

constexpr std::array<float, 8> kPairs = {0, 0, 0, 1, 1, 0, 1, 1};
// A row of weights for each output. The first layer tells whether at least one of the numbers is 1,
// and whether both are; the second layer subtracts.
constexpr std::array<float, 4> kWeights1 = {4, 4, 4, 4};
constexpr std::array<float, 2> kBias1 = {-2, -6};
constexpr std::array<float, 2> kWeights2 = {4, -4};
constexpr std::array<float, 1> kBias2 = {-4};

tpu::Model BuildNetwork() {
  tpu::Graph graph;
  const tpu::Graph::Tensor pairs =
      graph.Input({4, 2}, {.name = "pairs", .type = tpu::ElementType::kFloat32});
  const tpu::Graph::Tensor hidden = graph.FullyConnected(
      pairs, graph.Constant<float>({2, 2}, kWeights1), graph.Constant<float>({2}, kBias1));
  const tpu::Graph::Tensor sum = graph.FullyConnected(graph.Unary(tpu::UnaryKind::kTanh, hidden),
                                                      graph.Constant<float>({1, 2}, kWeights2),
                                                      graph.Constant<float>({1}, kBias2));
  graph.Output(graph.Unary(tpu::UnaryKind::kLogistic, sum, {.name = "exclusive_or"}));
  return tpu::Model::FromGraph(graph);
}

void Run() {
  const tpu::HardwareConfig machine = {.bf16 = 1};
  const tpu::Program program = tpu::Program::Compile(BuildNetwork(), machine);
  const std::unique_ptr<tpu::Device> device = tpu::MakeDevice("golden", machine);
  tpu::Session session(*device, program);
  session.SetInput<float>("pairs", kPairs);
  session.Run();
  const std::vector<float> results = session.Output<float>("exclusive_or");
  for (std::size_t i = 0; i < results.size(); ++i) {
    std::cout << kPairs.at(2 * i) << " xor " << kPairs.at(2 * i + 1) << ": " << results[i] << "\n";
  }
}

}  // namespace

int main() {
  try {
    Run();
  } catch (const std::exception& error) {
    std::cerr << "float_network: " << error.what() << "\n";
    return 2;
  }
}
