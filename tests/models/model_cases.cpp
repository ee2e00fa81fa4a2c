// SPDX-License-Identifier: Apache-2.0
#include "tests/models/model_cases.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>

#include "frontends/tflite/import.h"
#include "frontends/tflite/parse.h"
#include "npy/npy.h"
#include "runtime/session.h"
#include "tests/models/models_folder.h"

namespace tpu::models_test {
namespace {

namespace fs = std::filesystem;

// <prefix>.npy, or <prefix><separator>0.npy, <prefix><separator>1.npy ...
std::vector<fs::path> Numbered(const std::string& prefix, const std::string& separator) {
  if (fs::exists(prefix + ".npy")) return {prefix + ".npy"};
  std::vector<fs::path> files;
  for (int i = 0;; ++i) {
    const fs::path file = fmt::format("{}{}{}.npy", prefix, separator, i);
    if (!fs::exists(file)) return files;
    files.push_back(file);
  }
}

// With several outputs the number stands before the rounding mode.
std::vector<fs::path> Outputs(const std::string& prefix, const std::string& suffix) {
  if (fs::exists(prefix + suffix + ".npy")) return {prefix + suffix + ".npy"};
  std::vector<fs::path> files;
  for (int i = 0;; ++i) {
    const fs::path file = fmt::format("{}_o{}{}.npy", prefix, i, suffix);
    if (!fs::exists(file)) return files;
    files.push_back(file);
  }
}

std::vector<ModelCase> NetworkCases(const std::string& base, const std::string& suffix) {
  std::vector<ModelCase> cases;
  for (int k = 0;; ++k) {
    ModelCase model_case = {.name = fmt::format("case {}", k),
                            .inputs = Numbered(fmt::format("{}_input{}", base, k), "_i"),
                            .outputs = Outputs(fmt::format("{}_output{}", base, k), suffix)};
    if (model_case.inputs.empty() || model_case.outputs.empty()) return cases;
    cases.push_back(std::move(model_case));
  }
}

std::vector<ModelCase> OperatorCases(const std::string& base, const std::string& suffix) {
  return {{.name = "case",
           .inputs = Numbered(base + "_input", ""),
           .outputs = Outputs(base + "_output", suffix)}};
}

template <typename Cases>
void AddModels(const fs::path& file, Cases cases, std::vector<Model>& models) {
  const std::string base = (file.parent_path() / file.stem()).string();
  for (const auto rounding : {compiler::Rounding::kDouble, compiler::Rounding::kSingle}) {
    const bool single = rounding == compiler::Rounding::kSingle;
    models.push_back({.name = file.stem().string() + (single ? "_single" : "_double"),
                      .file = file,
                      .rounding = rounding,
                      .cases = cases(base, single ? "_single" : "")});
  }
}

std::vector<fs::path> SortedEntries(const fs::path& folder) {
  std::vector<fs::path> entries(fs::directory_iterator{folder}, fs::directory_iterator{});
  std::sort(entries.begin(), entries.end());
  return entries;
}

void LoadInputs(runtime::Session& session, const ModelCase& model_case) {
  for (std::size_t i = 0; i < model_case.inputs.size(); ++i) {
    session.SetInputBytes(i, npy::Read(model_case.inputs[i]).bytes);
  }
}

// As zlib's.
std::uint32_t Crc32(const std::vector<std::uint8_t>& bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const std::uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~crc;
}

// The first operator whose output's checksum is not the manifest's.
std::string FirstWrongOperator(const Model& model, const ir::Graph& graph,
                               const isa::HardwareConfig& config, runtime::Device& device,
                               std::size_t case_index) {
  const fs::path manifest =
      model.file.parent_path() / (model.file.stem().string() + "_intermediates_crc32.json");
  if (model.rounding != compiler::Rounding::kDouble || !fs::exists(manifest)) return "";
  const executable::Executable executable =
      compiler::Compile(graph, config, {.rounding = model.rounding, .keep_intermediates = true});
  runtime::Session session(device, executable);
  LoadInputs(session, model.cases[case_index]);
  session.Run({.watchdog = 100'000});
  std::ifstream stream(manifest);
  const auto lines = nlohmann::json::parse(stream)["cases"][std::to_string(case_index)];
  for (const auto& line : lines) {
    const std::string& tensor = graph.tensors.at(line[2].get<std::size_t>()).name;
    for (std::size_t i = 0; i < executable.outputs.size(); ++i) {
      if (executable.outputs[i].name != tensor) continue;
      if (Crc32(session.OutputBytes(i)) != line[3].get<std::uint32_t>()) {
        return fmt::format("; the first wrong output is that of operator {} ({})",
                           line[0].get<int>(), line[1].get<std::string>());
      }
    }
  }
  return "; all operators are right when their outputs are kept";
}

}  // namespace

std::vector<Model> Networks() {
  std::vector<Model> models;
  const auto folder = ModelsFolder();
  if (!folder) return models;
  for (const fs::path& entry : SortedEntries(*folder)) {
    const fs::path file = entry / (entry.filename().string() + ".tflite");
    if (fs::exists(file)) AddModels(file, NetworkCases, models);
  }
  return models;
}

std::vector<Model> OperatorModels() {
  std::vector<Model> models;
  const auto folder = ModelsFolder();
  if (!folder || !fs::exists(*folder / "ops")) return models;
  for (const fs::path& file : SortedEntries(*folder / "ops")) {
    if (file.extension() == ".tflite") AddModels(file, OperatorCases, models);
  }
  return models;
}

std::string NoCases(const Model& model) {
  return fmt::format("{}: no outputs of {} rounding are recorded beside it", model.file.string(),
                     model.rounding == compiler::Rounding::kSingle ? "single" : "double");
}

std::vector<Model> RepositoryModels() {
  std::vector<Model> models;
  const auto folder = ModelsFolder();
  if (!folder || !fs::exists(*folder / "tflm_repo")) return models;
  for (const std::string name : {"person_detect", "CNN_int8", "strided_slice_strided_slice0"}) {
    const std::string base = (*folder / "tflm_repo" / name).string();
    models.push_back({.name = name,
                      .file = base + ".tflite",
                      .rounding = compiler::Rounding::kDouble,
                      .cases = {{.name = "case 0",
                                 .inputs = Numbered(base + "_input0", "_i"),
                                 .outputs = Numbered(base + "_output0", "_o")}}});
  }
  return models;
}

void ExpectOutputs(const Model& model, const isa::HardwareConfig& config, runtime::Device& device,
                   std::size_t most_cases) {
  const ir::Graph graph = tflite::Import(tflite::Load(model.file));
  const executable::Executable executable =
      compiler::Compile(graph, config, {.rounding = model.rounding});
  ASSERT_FALSE(model.cases.empty());
  for (std::size_t k = 0; k < std::min(most_cases, model.cases.size()); ++k) {
    const ModelCase& model_case = model.cases[k];
    SCOPED_TRACE(model_case.name);
    runtime::Session session(device, executable);
    LoadInputs(session, model_case);
    session.Run({.watchdog = 100'000});
    ASSERT_EQ(model_case.outputs.size(), executable.outputs.size());
    for (std::size_t i = 0; i < model_case.outputs.size(); ++i) {
      const std::vector<std::uint8_t> got = session.OutputBytes(i);
      const npy::Array expected = npy::Read(model_case.outputs[i]);
      ASSERT_EQ(got.size(), expected.bytes.size());
      const auto [g, e] = std::mismatch(got.begin(), got.end(), expected.bytes.begin());
      if (g == got.end()) continue;
      FAIL() << fmt::format("output {} byte {}: got {}, expected {}{}", executable.outputs[i].name,
                            g - got.begin(), *g, *e,
                            FirstWrongOperator(model, graph, config, device, k));
    }
  }
}

}  // namespace tpu::models_test
