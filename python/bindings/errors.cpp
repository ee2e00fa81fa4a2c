// SPDX-License-Identifier: Apache-2.0
// The library's exceptions as Python's, with the same words.
#include "base/error.h"
#include "bindings/bindings.h"
#include "runtime/session.h"
#include "tools/tpu/failure.h"

namespace tpu::python {
namespace {

namespace nb = nanobind;

template <typename Exception>
nb::object Bind(nb::module_& module, const char* name, nb::handle base, const char* doc) {
  nb::exception<Exception> type(module, name, base);
  type.attr("__module__") = "tpu";
  type.doc() = doc;
  return type;
}

}  // namespace

// The exceptions registered last are looked for first, so that derived ones come behind their base.
void BindErrors(nb::module_& module) {
  Bind<InternalError>(module, "InternalError", PyExc_RuntimeError,
                      "A mistake of this software, whatever it was given.");
  const nb::object error =
      Bind<Error>(module, "Error", PyExc_RuntimeError,
                  "Something that was handed over is wrong: a file, a program, an argument.");
  Bind<runtime::DeviceError>(module, "DeviceError", error,
                             "The device stopped with an error while it ran a program.");
  Bind<tools::Failure>(module, "Failure", error, "A result is wrong, or a training diverged.");
}

}  // namespace tpu::python
