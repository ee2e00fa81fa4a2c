#include "tpu/program.h"

#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "compiler/compile.h"
#include "executable/executable_file.h"
#include "frontends/tflite/import.h"
#include "frontends/tflite/parse.h"
#include "sdk/assemble.h"
#include "sdk/contents.h"

namespace tpu {
namespace {

// Runs `make`; its errors name `file`.
template <typename Make>
auto WithFile(const std::string& file, const Make& make) {
  try {
    return make();
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.find(file) != std::string::npos) throw;
    throw Error(file + ": " + message);
  }
}

std::vector<TensorInfo> Infos(const std::vector<isa::TensorBinding>& bindings) {
  std::vector<TensorInfo> infos;
  for (const isa::TensorBinding& b : bindings) {
    infos.push_back({b.name, b.shape, b.type, b.scale, b.zero_point});
  }
  return infos;
}

}  // namespace

Model::Model(std::shared_ptr<const Network> network) : network_(std::move(network)) {}

Model Model::Load(const std::filesystem::path& path) {
  return WithFile(path.string(), [&] {
    return Model(
        std::make_shared<Network>(Network{compiler::Import(tflite::Load(path)), path.string()}));
  });
}

Program::Program(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}

Program Program::Compile(const Model& model, const HardwareConfig& config,
                         const ProgramOptions& options) {
  compiler::CompileOptions compile;
  compile.rounding = options.rounding == ProgramRounding::kSingle ? compiler::Rounding::kSingle
                                                                  : compiler::Rounding::kDouble;
  compile.strict = options.strict;
  return WithFile(model.network_->file, [&] {
    return Program(std::make_shared<Contents>(
        Contents{compiler::Compile(model.network_->graph, config, compile)}));
  });
}

Program Program::Assemble(std::string_view text, const std::string& name,
                          const HardwareConfig& config, std::uint64_t memory_bytes) {
  return Program(
      std::make_shared<Contents>(Contents{sdk::Assemble(text, name, config, memory_bytes)}));
}

Program Program::Load(const std::filesystem::path& path) {
  return Program(std::make_shared<Contents>(
      Contents{executable_file::Parse(ReadBytes(path), path.string())}));
}

void Program::Save(const std::filesystem::path& path) const {
  WriteFile(path, executable_file::Serialise(contents_->executable));
}

const HardwareConfig& Program::config() const { return contents_->executable.config; }
std::vector<TensorInfo> Program::inputs() const { return Infos(contents_->executable.inputs); }
std::vector<TensorInfo> Program::outputs() const { return Infos(contents_->executable.outputs); }

}  // namespace tpu
