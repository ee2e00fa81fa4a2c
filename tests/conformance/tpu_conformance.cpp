// SPDX-License-Identifier: Apache-2.0
// Reads names of models, one a line, and answers each with a line: "ok", or what is wrong with the
// outputs on the golden model and on the RTL, in both rounding modes. With "float " before the name
// the machines have bf16, and the outputs must lie within their bounds; with "int16 " they have
// int16; with "host " there are several runs in a row; with "xnnpack " it is rounding float.
// For conformance.py.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "devices/golden/golden_device.h"
#include "devices/rtl/machines.h"
#include "runtime/session.h"
#include "tests/conformance/float_vector.h"
#include "tests/conformance/vector.h"

namespace tpu::conformance {
namespace {

struct Backend {
  const char* name;
  std::function<std::unique_ptr<runtime::Device>()> make;
  std::unique_ptr<runtime::Device> device;
};

using Backends = std::vector<Backend>;

// What `judge` says, which runs a vector, or how that ends.
template <typename Judge>
std::string Verdict(const std::string& model, Backends& backends, Judge judge) try {
  for (Backend& backend : backends) {
    if (!backend.device) backend.device = backend.make();
  }
  return judge(LoadVector(model), backends);
} catch (const runtime::DeviceError& error) {
  for (Backend& backend : backends) backend.device.reset();
  return fmt::format("stops: {}", error.what());
} catch (const Error& error) {
  for (Backend& backend : backends) backend.device.reset();
  return fmt::format("refused: {}", error.what());
}

std::string CompareRounding(const Vector& vector, compiler::Rounding rounding,
                            std::string_view name, Backends& backends) {
  for (Backend& backend : backends) {
    const std::string difference = Difference(vector, rounding, *backend.device);
    if (!difference.empty()) {
      return fmt::format("differs: {}, {} rounding: {}", backend.name, name, difference);
    }
  }
  return "ok";
}

// The bytes must be TensorFlow Lite's.
std::string CompareBytes(const Vector& vector, Backends& backends) {
  std::string verdict = CompareRounding(vector, compiler::Rounding::kDouble, "double", backends);
  if (verdict != "ok") return verdict;
  return CompareRounding(vector, compiler::Rounding::kSingle, "single", backends);
}

// The bytes must be those of LiteRT with XNNPACK.
std::string CompareXnnpack(const Vector& vector, Backends& backends) {
  return CompareRounding(vector, compiler::Rounding::kFloat, "float", backends);
}

// The numbers must lie within their bounds, and all machines of one size must give the same bytes.
std::string CompareFloats(const Vector& vector, Backends& backends) {
  const FloatVector expected(vector);
  if (const std::string difference = expected.DifferenceOfReference(); !difference.empty()) {
    return fmt::format("reference differs: {}", difference);
  }
  std::vector<std::vector<std::uint8_t>> first;
  for (Backend& backend : backends) {
    std::vector<std::vector<std::uint8_t>> outputs;
    const std::string difference = expected.Difference(*backend.device, outputs);
    if (!difference.empty()) return fmt::format("differs: {}: {}", backend.name, difference);
    if (first.empty()) first = outputs;
    if (outputs != first) {
      return fmt::format("differs: {}: not the bytes of the {}", backend.name, backends[0].name);
    }
  }
  return fmt::format("ok: {} of {}", expected.Bounded(), expected.Elements());
}

// The bytes of several runs must be TensorFlow Lite Micro's.
std::string CompareRuns(const Vector& vector, Backends& backends) {
  for (Backend& backend : backends) {
    const std::string difference = DifferenceOfRuns(vector, *backend.device);
    if (!difference.empty()) return fmt::format("differs: {}: {}", backend.name, difference);
  }
  return "ok";
}

Backend GoldenOf(const isa::HardwareConfig& config, const char* name = "golden model") {
  return {.name = name,
          .make = [config] { return std::make_unique<devices::GoldenDevice>(config); },
          .device = nullptr};
}

Backends BackendsOf(const devices::Machine& machine) {
  Backends backends;
  backends.push_back(GoldenOf(machine.config));
  backends.push_back(
      {.name = "RTL", .make = [machine] { return machine.make({}); }, .device = nullptr});
  return backends;
}

// With a golden model of another size, whose programs are cut into more pieces.
Backends Int16Backends() {
  constexpr isa::HardwareConfig kSmall = devices::kSmallN4.config;
  Backends backends = BackendsOf(devices::kN16);
  backends.push_back(GoldenOf(kSmall, "golden model of N = 4"));
  return backends;
}

int Main(int argc, char** argv) {
  CLI::App app{
      "Reads names of models from standard input, one a line, and answers each with a line: ok, or "
      "what is wrong with the outputs on the golden model and on the RTL, in both rounding modes. "
      "NAME.data has to lie beside NAME.tflite. With \"float \" before the name the model runs on "
      "machines with bf16; its outputs, and those of NAME.data, must lie within their bounds. With "
      "\"int16 \" it runs on machines with int16; with \"host \" NAME.data has inputs and outputs "
      "of several runs in a row; with \"xnnpack \" the rounding mode is float."};
  CLI11_PARSE(app, argc, argv);
  Backends bytes = BackendsOf(devices::kN16);
  Backends floats = BackendsOf(devices::kN16Bf16);
  Backends words = Int16Backends();
  constexpr std::string_view kFloat = "float ";
  constexpr std::string_view kInt16 = "int16 ";
  constexpr std::string_view kHost = "host ";
  constexpr std::string_view kXnnpack = "xnnpack ";
  std::string model;
  while (std::getline(std::cin, model)) {
    std::string verdict;
    if (model.starts_with(kFloat)) {
      verdict = Verdict(model.substr(kFloat.size()), floats, CompareFloats);
    } else if (model.starts_with(kInt16)) {
      verdict = Verdict(model.substr(kInt16.size()), words, CompareBytes);
    } else if (model.starts_with(kHost)) {
      verdict = Verdict(model.substr(kHost.size()), bytes, CompareRuns);
    } else if (model.starts_with(kXnnpack)) {
      verdict = Verdict(model.substr(kXnnpack.size()), bytes, CompareXnnpack);
    } else {
      verdict = Verdict(model, bytes, CompareBytes);
    }
    fmt::print("{}\n", verdict);
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
