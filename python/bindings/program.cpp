// SPDX-License-Identifier: Apache-2.0
#include "bindings/program.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <span>
#include <vector>

#include "base/files.h"
#include "bindings/arrays.h"
#include "bindings/bindings.h"
#include "bindings/json.h"
#include "executable/executable_file.h"
#include "profile/report.h"
#include "tools/tpu/load.h"

namespace tpu::python {
namespace {

namespace nb = nanobind;

ProgramPointer Make(std::span<const std::uint8_t> bytes, const std::string& name,
                    const tools::CompileFlags& flags) {
  return std::make_shared<Program>(
      Program{name, flags.rounding, tools::ReadExecutable(bytes, name, flags)});
}

ProgramPointer Load(const std::string& path, const std::string& config, const std::string& rounding,
                    bool strict) {
  const nb::gil_scoped_release unlocked;
  return Make(ReadBytes(path), path, {.config = config, .rounding = rounding, .strict = strict});
}

ProgramPointer Read(const nb::bytes& contents, const std::string& name, const std::string& config,
                    const std::string& rounding, bool strict) {
  const std::span bytes(static_cast<const std::uint8_t*>(contents.data()), contents.size());
  const nb::gil_scoped_release unlocked;
  return Make(bytes, name, {.config = config, .rounding = rounding, .strict = strict});
}

void Save(const Program& program, const std::string& path) {
  const nb::gil_scoped_release unlocked;
  WriteFile(path, executable::Serialise(program.executable));
}

nb::list DescribeAll(const std::vector<executable::TensorBinding>& tensors) {
  nb::list list;
  for (const executable::TensorBinding& tensor : tensors) list.append(Describe(tensor));
  return list;
}

}  // namespace

void BindProgram(nb::module_& module) {
  nb::class_<Program>(module, "Program")
      .def_static("load", &Load, nb::arg("path"), nb::arg("config"), nb::arg("rounding"),
                  nb::arg("strict"))
      .def_static("read", &Read, nb::arg("contents"), nb::arg("name"), nb::arg("config"),
                  nb::arg("rounding"), nb::arg("strict"))
      .def("save", &Save, nb::arg("path"))
      .def_ro("name", &Program::name)
      .def_prop_ro("inputs", [](const Program& p) { return DescribeAll(p.executable.inputs); })
      .def_prop_ro("outputs", [](const Program& p) { return DescribeAll(p.executable.outputs); })
      .def_prop_ro("macs", [](const Program& p) { return p.executable.Macs(); })
      .def_prop_ro("config",
                   [](const Program& p) { return FromJson(profile::ToJson(p.executable.config)); });
}

}  // namespace tpu::python
