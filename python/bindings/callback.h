// SPDX-License-Identifier: Apache-2.0
// Calls from the middle of long work, which runs without Python's lock.
#pragma once

#include <nanobind/nanobind.h>

#include <utility>

namespace tpu::python {

/// Calls a function of Python, if it is one and not None, with the lock. Signals are looked at
/// first: Ctrl-C ends the work with KeyboardInterrupt. `function` must outlive the work.
template <typename... Arguments>
void Call(nanobind::handle function, Arguments&&... arguments) {
  const nanobind::gil_scoped_acquire lock;
  if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
  if (!function.is_none()) function(std::forward<Arguments>(arguments)...);
}

}  // namespace tpu::python
