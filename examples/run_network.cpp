// SPDX-License-Identifier: Apache-2.0
// Lists the operators of a TensorFlow Lite model, compiles and runs the model once on the golden
// model, and prints its first output.
//
//   run_network MODEL.tflite
#include <cstdint>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "tpu/device.h"
#include "tpu/model.h"
#include "tpu/program.h"
#include "tpu/session.h"

namespace {

std::int64_t Elements(const tpu::TensorInfo& tensor) {
  return std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::int64_t{1},
                         std::multiplies<>());
}

void Run(const char* file) {
  const tpu::HardwareConfig machine;  // N = 16.
  const tpu::Model model = tpu::Model::Load(file);
  for (const tpu::OperatorInfo& op : model.operators()) {
    std::cout << op.name << ": " << op.type << '\n';
  }
  const tpu::Program program = tpu::Program::Compile(model, machine);
  const std::unique_ptr<tpu::Device> device = tpu::MakeDevice("golden", machine);
  tpu::Session session(*device, program);

  // The first input counts 0, 1, 2, ...; an int8 input is all that this example knows.
  const tpu::TensorInfo input = program.inputs().at(0);
  std::vector<std::int8_t> values(static_cast<std::size_t>(Elements(input)));
  std::iota(values.begin(), values.end(), std::int8_t{0});
  session.SetInput<std::int8_t>(input.name, values);

  const tpu::Report report = session.Run();
  const tpu::TensorInfo output = program.outputs().at(0);
  std::cout << output.name << ":";
  for (const std::int8_t q : session.Output<std::int8_t>(output.name)) {
    std::cout << ' ' << output.scale * static_cast<float>(q - output.zero_point);
  }
  std::cout << "\n"
            << report.macs << " multiply-accumulates, " << report.Counter("load_beats")
            << " beats loaded\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: run_network MODEL.tflite\n";
    return 2;
  }
  try {
    Run(argv[1]);
  } catch (const std::exception& error) {
    std::cerr << "run_network: " << error.what() << "\n";
    return 2;
  }
}
