// SPDX-License-Identifier: Apache-2.0
// The workloads of `tpu bench`.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "bindings/bindings.h"
#include "bindings/callback.h"
#include "bindings/json.h"
#include "tools/tpu/failure.h"
#include "tools/tpu/workload_run.h"

namespace tpu::python {
namespace {

namespace nb = nanobind;

std::vector<tools::WorkloadSpec> ReadWorkloads(const std::vector<std::string>& texts) {
  std::vector<tools::WorkloadSpec> specs;
  for (const tools::Suite& suite : tools::ReadSuites(texts)) {
    specs.insert(specs.end(), suite.specs.begin(), suite.specs.end());
  }
  return specs;
}

nb::object Run(const tools::WorkloadSpec& spec, const std::string& config,
               const std::string& backend, std::uint64_t seed, bool check,
               const std::string& models, nb::handle progress) {
  const tools::WorkloadOptions options = {
      .compile = {.config = config},
      .backend = backend,
      .seed = seed,
      .check = check,
      .models = models,
      .progress = [progress](std::uint64_t cycles) { Call(progress, cycles); }};
  const tools::WorkloadRun run = [&] {
    const nb::gil_scoped_release unlocked;
    return tools::RunWorkload(spec, options);
  }();
  if (run.result.fault) throw tools::Failure(run.result.name + ": " + *run.result.fault);
  return FromJson(tools::ToJson(spec, run));
}

}  // namespace

void BindWorkloads(nb::module_& module) {
  nb::class_<tools::WorkloadSpec>(module, "Workload")
      .def_ro("text", &tools::WorkloadSpec::text)
      .def_ro("count", &tools::WorkloadSpec::count);
  module.def("read_workloads", &ReadWorkloads, nb::arg("texts"));
  module.def("run_workload", &Run, nb::arg("workload"), nb::arg("config"), nb::arg("backend"),
             nb::arg("seed"), nb::arg("check"), nb::arg("models"), nb::arg("progress").none());
}

}  // namespace tpu::python
