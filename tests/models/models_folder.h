// SPDX-License-Identifier: Apache-2.0
// Where real models lie that are not part of the repository.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>

namespace tpu::models_test {

/// The models' folder: $TPU_MODELS_DIR, else ../shared/models next to the sources; none: neither
/// exists.
inline std::optional<std::filesystem::path> ModelsFolder() {
  if (const char* folder = std::getenv("TPU_MODELS_DIR")) return folder;
  std::filesystem::path folder = TPU_SOURCE_DIR "/../shared/models";
  if (std::filesystem::exists(folder)) return folder;
  return {};
}

}  // namespace tpu::models_test
