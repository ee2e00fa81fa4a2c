// SPDX-License-Identifier: Apache-2.0
// Builds a network of one convolution in code, without a model file: the convolution finds the
// edges in a picture. Runs the network on the golden model and prints the edges.
//
//   build_network
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "tpu/device.h"
#include "tpu/graph.h"
#include "tpu/model.h"
#include "tpu/program.h"
#include "tpu/session.h"

namespace {

constexpr std::array<std::string_view, 8> kPicture = {
    "        ",  //
    " ####   ",  //
    " ####   ",  //
    " ####   ",  //
    " ###### ",  //
    " ###### ",  //
    " ###### ",  //
    "        ",
};
constexpr std::int64_t kSize = 8;

// What differs from its eight neighbours.
constexpr std::array<std::int8_t, 9> kEdges = {-1, -1, -1, -1, 8, -1, -1, -1, -1};

tpu::Model BuildNetwork() {
  tpu::Graph graph;
  // Images are [batch, height, width, channels]. All scales are 1, so that integers stand for
  // themselves.
  const tpu::Graph::Tensor picture = graph.Input({1, kSize, kSize, 1}, {.name = "picture"});
  const tpu::Graph::Tensor weights = graph.Constant<std::int8_t>({1, 3, 3, 1}, kEdges);
  const tpu::WindowOptions window = {.same_padding = true, .activation = tpu::Activation::kRelu};
  graph.Output(graph.Conv2D(picture, weights, std::nullopt, window, {.name = "edges"}));
  return tpu::Model::FromGraph(graph);
}

void Run() {
  const tpu::HardwareConfig machine;  // N = 16.
  const tpu::Program program = tpu::Program::Compile(BuildNetwork(), machine);
  const std::unique_ptr<tpu::Device> device = tpu::MakeDevice("golden", machine);
  tpu::Session session(*device, program);

  std::vector<std::int8_t> pixels;
  for (const std::string_view row : kPicture) {
    for (const char pixel : row) pixels.push_back(pixel == '#' ? 10 : 0);
  }
  session.SetInput<std::int8_t>("picture", pixels);
  session.Run();
  std::size_t column = 0;
  for (const std::int8_t edge : session.Output<std::int8_t>("edges")) {
    std::cout << (edge > 0 ? '#' : '.') << (++column % kSize == 0 ? "\n" : "");
  }
}

}  // namespace

int main() {
  try {
    Run();
  } catch (const std::exception& error) {
    std::cerr << "build_network: " << error.what() << "\n";
    return 2;
  }
}
