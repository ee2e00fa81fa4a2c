// SPDX-License-Identifier: Apache-2.0
// Runs of a program on a device, and their results.
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "bindings/callback.h"
#include "bindings/json.h"
#include "bindings/program.h"
#include "executable/executable_file.h"
#include "profile/measure.h"
#include "tools/devices.h"
#include "tools/tpu/failure.h"
#include "tools/tpu/html_report.h"
#include "tools/tpu/layer_table.h"
#include "tools/tpu/timeline.h"

namespace tpu::python {
namespace {

namespace nb = nanobind;

/// What a run computed and what it cost.
class Result {
 public:
  Result(ProgramPointer program, std::string backend, profile::Measurement measurement)
      : program_(std::move(program)),
        backend_(std::move(backend)),
        measurement_(std::move(measurement)) {}

  /// The values go to the arrays, so that this is called once.
  [[nodiscard]] nb::list TakeOutputs() {
    nb::list arrays;
    for (std::size_t i = 0; i < measurement_.outputs.size(); ++i) {
      arrays.append(ArrayOf(program_->executable.outputs[i], std::move(measurement_.outputs[i])));
    }
    measurement_.outputs.clear();
    return arrays;
  }

  [[nodiscard]] nlohmann::ordered_json Report() const {
    nlohmann::ordered_json json;
    json["model"] = program_->name;
    json["backend"] = backend_;
    json["rounding"] = program_->rounding;
    json.update(tools::RunJson(program_->executable, measurement_, std::nullopt));
    // Nothing was compared.
    json.erase("passed");
    return json;
  }

  [[nodiscard]] std::string Table() const {
    return tools::LayerTable(program_->executable, measurement_);
  }

  [[nodiscard]] std::string Html() const {
    tools::RequireAbility("html", backend_, &DeviceAbilities::trace, "trace of instructions");
    return tools::HtmlReport(Report(), program_->executable, Tracks());
  }

  [[nodiscard]] std::string ChromeTrace() const {
    tools::RequireAbility("timeline", backend_, &DeviceAbilities::trace, "trace of instructions");
    return tools::ChromeTrace(program_->executable, Tracks());
  }

 private:
  [[nodiscard]] std::vector<tools::Track> Tracks() const {
    return tools::Timeline(program_->executable, executable::Programs(program_->executable),
                           measurement_.report.course, measurement_.trace);
  }

  ProgramPointer program_;
  std::string backend_;
  profile::Measurement measurement_;
};

/// A program in the memory of a device of its own. Threads wait for each other.
class Runner {
 public:
  Runner(ProgramPointer program, std::string backend)
      : program_(std::move(program)),
        backend_(std::move(backend)),
        device_(MakeDevice(backend_, program_->executable.config)),
        runner_(*device_, program_->executable) {}

  [[nodiscard]] std::shared_ptr<Result> Run(const std::vector<Array>& inputs, nb::handle progress) {
    std::vector<std::span<const std::uint8_t>> bytes;
    for (const Array& input : inputs) bytes.push_back(BytesOf(input));
    const nb::gil_scoped_release unlocked;
    const std::scoped_lock lock(mutex_);
    profile::Measurement measurement = runner_.Run(
        bytes,
        {.trace = true, .progress = [progress](std::uint64_t cycles) { Call(progress, cycles); }});
    if (auto fault = profile::CounterFault(measurement.report)) {
      throw tools::Failure(program_->name + ": " + *fault);
    }
    return std::make_shared<Result>(program_, backend_, std::move(measurement));
  }

  void ResetStates() {
    const nb::gil_scoped_release unlocked;
    const std::scoped_lock lock(mutex_);
    runner_.ResetStates();
  }

 private:
  ProgramPointer program_;
  std::string backend_;
  std::unique_ptr<Device> device_;
  profile::Runner runner_;
  std::mutex mutex_;
};

}  // namespace

void BindRunner(nb::module_& module) {
  nb::class_<Result>(module, "Result")
      .def("take_outputs", &Result::TakeOutputs)
      .def("report", [](const Result& result) { return FromJson(result.Report()); })
      .def("table", &Result::Table)
      .def("html", &Result::Html)
      .def("chrome_trace", &Result::ChromeTrace);
  nb::class_<Runner>(module, "Runner")
      .def(nb::init<ProgramPointer, std::string>(), nb::arg("program"), nb::arg("backend"),
           nb::call_guard<nb::gil_scoped_release>())
      .def("run", &Runner::Run, nb::arg("inputs"), nb::arg("progress").none())
      .def("reset_states", &Runner::ResetStates);
}

}  // namespace tpu::python
