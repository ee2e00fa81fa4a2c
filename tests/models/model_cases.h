// SPDX-License-Identifier: Apache-2.0
// Real networks with the outputs of TensorFlow Lite's reference kernels, as files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "compiler/compile.h"
#include "runtime/device.h"

namespace tpu::models_test {

/// Inputs and expected outputs of one run, raw bytes.
struct ModelCase {
  std::string name;
  std::vector<std::filesystem::path> inputs;
  std::vector<std::filesystem::path> outputs;
};

/// A model in one rounding mode; without cases where its folder holds no outputs of that mode.
struct Model {
  std::string name;  ///< E.g. "kws_dscnn_single".
  std::filesystem::path file;
  compiler::Rounding rounding = compiler::Rounding::kDouble;
  std::vector<ModelCase> cases;

  friend std::ostream& operator<<(std::ostream& out, const Model& model) {
    return out << model.name;
  }
};

/// Whole networks, models of one operator each, and models of TensorFlow Lite Micro's repository;
/// all empty without ModelsFolder().
std::vector<Model> Networks();
std::vector<Model> OperatorModels();
std::vector<Model> RepositoryModels();

/// What to say of a model without cases.
std::string NoCases(const Model& model);

constexpr std::size_t kAllCases = std::numeric_limits<std::size_t>::max();

/// Compiles the model for the machine and runs its first `most_cases` cases, of which there must be
/// one; expects the files' bytes. A mismatch names the first operator whose output is wrong, where
/// the folder tells.
void ExpectOutputs(const Model& model, const isa::HardwareConfig& config, runtime::Device& device,
                   std::size_t most_cases);

}  // namespace tpu::models_test
