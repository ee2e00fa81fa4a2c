// SPDX-License-Identifier: Apache-2.0
// Every real model can be read and imported.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "frontends/tflite/import.h"
#include "frontends/tflite/parse.h"
#include "tests/models/models_folder.h"

namespace tpu::tflite {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> Models() {
  std::vector<fs::path> models;
  const auto folder = models_test::ModelsFolder();
  if (!folder) return models;
  for (const auto& entry : fs::recursive_directory_iterator(*folder)) {
    if (entry.path().extension() == ".tflite") models.push_back(entry.path());
  }
  std::sort(models.begin(), models.end());
  return models;
}

// How often each operator occurs, from the table in a model's inventory.md: "| 3 | CONV_2D | ...".
std::map<std::string, int> CountsInInventory(const fs::path& path) {
  std::map<std::string, int> counts;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string bar, number, bar2, name;
    words >> bar >> number >> bar2 >> name;
    if (bar == "|" && !number.empty() && std::isdigit(static_cast<unsigned char>(number[0]))) {
      ++counts[name];
    }
  }
  return counts;
}

TEST(Models, AllImport) {
  const std::vector<fs::path> models = Models();
  if (models.empty()) GTEST_SKIP() << "no models: set TPU_MODELS_DIR";
  for (const fs::path& path : models) {
    SCOPED_TRACE(path.string());
    const Model model = Load(path);
    ir::Graph graph;
    try {
      graph = tflite::Import(model);
    } catch (const Error& error) {
      // The models of TensorFlow Lite Micro's repository hold more than what can be compiled.
      EXPECT_EQ(path.parent_path().filename(), "tflm_repo") << error.what();
      EXPECT_THAT(error.what(), testing::HasSubstr("not supported"));
      continue;
    }
    // None of these models computes shapes.
    EXPECT_EQ(graph.operators.size(), model.operators.size());
    EXPECT_GE(graph.tensors.size(), model.tensors.size());
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
      for (const ir::TensorId id : graph.operators[i].inputs) {
        const ir::Tensor& tensor = graph.tensors[id];
        if (tensor.IsConstant()) {
          EXPECT_TRUE(tensor.DataHasType());
          EXPECT_EQ(tensor.DataElements(), static_cast<std::size_t>(tensor.Elements()));
        }
      }
    }
  }
}

TEST(Models, OperatorsAreThoseOfTheInventories) {
  int compared = 0;
  for (const fs::path& path : Models()) {
    const fs::path inventory = path.parent_path() / "inventory.md";
    if (!fs::exists(inventory)) continue;
    SCOPED_TRACE(path.string());
    std::map<std::string, int> parsed, imported;
    const Model model = Load(path);
    for (const Operator& op : model.operators) ++parsed[op.name];
    for (const ir::Operator& op : tflite::Import(model).operators) {
      ++imported[std::string(ir::OperatorName(op.attributes))];
    }
    EXPECT_EQ(parsed, CountsInInventory(inventory));
    EXPECT_EQ(imported, CountsInInventory(inventory));
    ++compared;
  }
  if (compared == 0) GTEST_SKIP() << "no inventory.md beside the models: set TPU_MODELS_DIR";
}

}  // namespace
}  // namespace tpu::tflite
