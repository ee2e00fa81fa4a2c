// SPDX-License-Identifier: Apache-2.0
#include "tpu/program.h"

#include <utility>

#include "base/files.h"
#include "compiler/compile.h"
#include "executable/executable_file.h"
#include "sdk/assemble.h"
#include "sdk/contents.h"
#include "sdk/read.h"

namespace tpu {
namespace {

std::vector<TensorInfo> Infos(const std::vector<executable::TensorBinding>& bindings) {
  std::vector<TensorInfo> infos;
  for (const executable::TensorBinding& b : bindings) {
    infos.push_back({.name = b.name,
                     .shape = b.shape,
                     .type = b.type,
                     .scale = b.scale,
                     .zero_point = b.zero_point,
                     .channel_scales = {},
                     .constant = false});
  }
  return infos;
}

compiler::Rounding RoundingOf(ProgramRounding rounding) {
  switch (rounding) {
    case ProgramRounding::kDouble:
      break;
    case ProgramRounding::kSingle:
      return compiler::Rounding::kSingle;
    case ProgramRounding::kFloat:
      return compiler::Rounding::kFloat;
  }
  return compiler::Rounding::kDouble;
}

}  // namespace

Program::Program(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}

Program Program::Compile(const Model& model, const HardwareConfig& config,
                         const ProgramOptions& options) {
  compiler::CompileOptions compile;
  compile.rounding = RoundingOf(options.rounding);
  compile.strict = options.strict;
  const Model::Network& network = *model.network_;
  return Program(std::make_shared<Contents>(
      Contents{sdk::Compile(network.graph, network.path, config, compile)}));
}

Program Program::Assemble(std::string_view text, const std::string& name,
                          const HardwareConfig& config, std::uint64_t memory_bytes) {
  return Program(
      std::make_shared<Contents>(Contents{sdk::Assemble(text, name, config, memory_bytes)}));
}

Program Program::Load(const std::filesystem::path& path) {
  return Program(
      std::make_shared<Contents>(Contents{executable::Parse(ReadBytes(path), path.string())}));
}

void Program::Save(const std::filesystem::path& path) const {
  WriteFile(path, executable::Serialise(contents_->executable));
}

const HardwareConfig& Program::config() const { return contents_->executable.config; }
std::size_t Program::devices() const { return contents_->executable.Devices(); }
std::vector<TensorInfo> Program::inputs() const { return Infos(contents_->executable.inputs); }
std::vector<TensorInfo> Program::outputs() const { return Infos(contents_->executable.outputs); }

}  // namespace tpu
