// SPDX-License-Identifier: Apache-2.0
// Reads names of models, one a line, and answers each with a line: "ok", or what is wrong with the
// outputs on the golden model and on the RTL, in both rounding modes. For conformance.py.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "devices/golden/golden_device.h"
#include "devices/rtl/machines.h"
#include "runtime/session.h"
#include "tests/conformance/vector.h"

namespace tpu::conformance {
namespace {

struct Backend {
  const char* name;
  std::function<std::unique_ptr<runtime::Device>()> make;
  std::unique_ptr<runtime::Device> device;
};

std::string Verdict(const std::string& model, std::vector<Backend>& backends) try {
  const Vector vector = LoadVector(model);
  for (const auto rounding : {compiler::Rounding::kDouble, compiler::Rounding::kSingle}) {
    for (Backend& backend : backends) {
      if (!backend.device) backend.device = backend.make();
      const std::string difference = Difference(vector, rounding, *backend.device);
      if (difference.empty()) continue;
      return fmt::format("differs: {}, {} rounding: {}", backend.name,
                         rounding == compiler::Rounding::kDouble ? "double" : "single", difference);
    }
  }
  return "ok";
} catch (const runtime::DeviceError& error) {
  for (Backend& backend : backends) backend.device.reset();
  return fmt::format("stops: {}", error.what());
} catch (const Error& error) {
  for (Backend& backend : backends) backend.device.reset();
  return fmt::format("refused: {}", error.what());
}

int Main(int argc, char** argv) {
  CLI::App app{
      "Reads names of models from standard input, one a line, and answers each with a line: ok, or "
      "what is wrong with the outputs on the golden model and on the RTL, in both rounding modes. "
      "NAME.data has to lie beside NAME.tflite."};
  CLI11_PARSE(app, argc, argv);
  std::vector<Backend> backends;
  backends.push_back(
      {.name = "golden model",
       .make = [] { return std::make_unique<devices::GoldenDevice>(devices::kN16.config); },
       .device = nullptr});
  backends.push_back(
      {.name = "RTL", .make = [] { return devices::kN16.make({}); }, .device = nullptr});
  std::string model;
  while (std::getline(std::cin, model)) {
    fmt::print("{}\n", Verdict(model, backends));
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace tpu::conformance

int main(int argc, char** argv) {
  try {
    return tpu::conformance::Main(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "tpu_conformance: {}\n", e.what());
    return 2;
  }
}
