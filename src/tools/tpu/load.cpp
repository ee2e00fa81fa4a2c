// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/load.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "compiler/compile.h"
#include "executable/executable_file.h"
#include "sdk/read.h"
#include "tools/devices.h"

namespace tpu::tools {
namespace {

constexpr std::array<std::pair<std::string_view, compiler::Rounding>, 3> kRoundings = {
    {{"double", compiler::Rounding::kDouble},
     {"single", compiler::Rounding::kSingle},
     {"float", compiler::Rounding::kFloat}}};

}  // namespace

compiler::CompileOptions CompileFlags::Options() const {
  const auto* const named =
      std::ranges::find(kRoundings, rounding, &decltype(kRoundings)::value_type::first);
  if (named == kRoundings.end()) {
    throw Error::Format("rounding: {} is none of {}", rounding, fmt::join(RoundingNames(), ", "));
  }
  compiler::CompileOptions options;
  options.rounding = named->second;
  options.strict = strict;
  return options;
}

std::vector<std::string> RoundingNames() {
  std::vector<std::string> names;
  for (const auto& [name, rounding] : kRoundings) names.emplace_back(name);
  return names;
}

executable::Executable CompileGraph(const ir::Graph& graph, const std::filesystem::path& path,
                                    const CompileFlags& flags) {
  return sdk::Compile(graph, path, FindMachine(flags.config), flags.Options());
}

executable::Executable ReadExecutable(std::span<const std::uint8_t> bytes,
                                      const std::filesystem::path& path,
                                      const CompileFlags& flags) {
  if (executable::HasMagic(bytes)) return executable::Parse(bytes, path.string());
  return CompileGraph(sdk::ReadGraph(bytes, path), path, flags);
}

executable::Executable LoadExecutable(const std::filesystem::path& path,
                                      const CompileFlags& flags) {
  return ReadExecutable(ReadBytes(path), path, flags);
}

}  // namespace tpu::tools
