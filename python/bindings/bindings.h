// SPDX-License-Identifier: Apache-2.0
// The parts of the module `tpu._tpu`. Each adds its classes and functions. The package's Python
// checks arguments and gives results their form (python/tpu).
#pragma once

#include <nanobind/nanobind.h>

namespace tpu::python {

void BindErrors(nanobind::module_& module);
void BindMachines(nanobind::module_& module);
void BindProgram(nanobind::module_& module);
void BindRunner(nanobind::module_& module);
void BindTraining(nanobind::module_& module);
void BindWorkloads(nanobind::module_& module);

}  // namespace tpu::python
