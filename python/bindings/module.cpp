// SPDX-License-Identifier: Apache-2.0
// The module `tpu._tpu`: the libraries behind the `tpu` command, for Python.
#include "bindings/bindings.h"
#include "tools/devices.h"
#include "tpu/version.h"

NB_MODULE(_tpu, module) {
  tpu::tools::RegisterDevices();
  module.attr("__version__") = tpu::kVersion;
  tpu::python::BindErrors(module);
  tpu::python::BindMachines(module);
  tpu::python::BindProgram(module);
  tpu::python::BindRunner(module);
  tpu::python::BindTraining(module);
  tpu::python::BindWorkloads(module);
}
