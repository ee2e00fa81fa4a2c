// SPDX-License-Identifier: Apache-2.0
// Writes the Verilog headers and the documentation tables that derive from .def files. kUsage says
// which.
#include <fmt/core.h>
#include <fmt/os.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>

#include "tools/generate/documents.h"
#include "tools/generate/verilog.h"

namespace {

constexpr const char* kUsage = R"(Usage: tpu_gen ROOT

Writes the files that derive from .def files below the directory ROOT: rtl/include/tpu_isa.vh,
rtl/include/tpu_regs.vh, rtl/include/tpu_link.vh, docs/isa_tables.md, docs/registers_tables.md,
docs/link_tables.md, docs/operators.md and docs/onnx_operators.md.
)";

void WriteFile(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  auto file = fmt::output_file(path.string());
  file.print("{}", text);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string argument = argc == 2 ? argv[1] : "";
  if (argument == "--help" || argument == "-h") {
    fmt::print("{}", kUsage);
    return EXIT_SUCCESS;
  }
  if (argument.empty() || argument.starts_with('-')) {
    fmt::print(stderr, "{}", kUsage);
    return 2;
  }
  try {
    const std::filesystem::path root = argument;
    WriteFile(root / "rtl/include/tpu_isa.vh", tpu::generate::IsaHeader());
    WriteFile(root / "rtl/include/tpu_regs.vh", tpu::generate::RegsHeader());
    WriteFile(root / "rtl/include/tpu_link.vh", tpu::generate::LinkHeader());
    WriteFile(root / "docs/isa_tables.md", tpu::generate::IsaTables());
    WriteFile(root / "docs/registers_tables.md", tpu::generate::RegisterTables());
    WriteFile(root / "docs/link_tables.md", tpu::generate::LinkTables());
    WriteFile(root / "docs/operators.md", tpu::generate::OperatorsDocument());
    WriteFile(root / "docs/onnx_operators.md", tpu::generate::OnnxOperatorsDocument());
  } catch (const std::exception& e) {
    fmt::print(stderr, "tpu_gen: {}\n", e.what());
    return 1;
  }
  return EXIT_SUCCESS;
}
