// SPDX-License-Identifier: Apache-2.0
// Writes the Verilog headers and the documentation tables that derive from .def files:
//
//   tpu_gen ROOT     writes rtl/include/{tpu_isa,tpu_regs}.vh, docs/{isa,registers}_tables.md and
//                    docs/operators.md below the directory ROOT
#include <fmt/core.h>
#include <fmt/os.h>

#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>

#include "tools/generate/documents.h"
#include "tools/generate/verilog.h"

namespace {

void WriteFile(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  auto file = fmt::output_file(path.string());
  file.print("{}", text);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: tpu_gen ROOT\n");
    return 2;
  }
  try {
    const std::filesystem::path root = argv[1];
    WriteFile(root / "rtl/include/tpu_isa.vh", tpu::generate::IsaHeader());
    WriteFile(root / "rtl/include/tpu_regs.vh", tpu::generate::RegsHeader());
    WriteFile(root / "docs/isa_tables.md", tpu::generate::IsaTables());
    WriteFile(root / "docs/registers_tables.md", tpu::generate::RegisterTables());
    WriteFile(root / "docs/operators.md", tpu::generate::OperatorsDocument());
  } catch (const std::exception& e) {
    fmt::print(stderr, "tpu_gen: {}\n", e.what());
    return 1;
  }
  return EXIT_SUCCESS;
}
