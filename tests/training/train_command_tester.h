// SPDX-License-Identifier: Apache-2.0
// Calls `tpu train` in a folder with a model and examples, good and bad ones.
#pragma once

#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/tools/command_tester.h"
#include "tests/training/models.h"

namespace tpu::tools {

class TrainCommand : public CommandTester {
 protected:
  void SetUp() override {
    CommandTester::SetUp();
    Write("mlp.tflite", training::MlpFile().File());
    std::vector<float> inputs = training::SomeFloats(std::size_t{40} * 4, 9);
    for (std::size_t i = 0; i < 40; ++i) inputs[4 * i + i % 3] += 1.5F;
    Write("x.npy", Npy("<f4", "(40, 4)", inputs));
    std::vector<std::int64_t> labels;
    for (std::int64_t i = 0; i < 40; ++i) labels.push_back(i % 3);
    Write("y.npy", Npy("<i8", "(40,)", labels));
    labels[7] = 3;
    Write("wrong.npy", Npy("<i8", "(40,)", labels));
    std::vector<float> targets;
    for (std::size_t i = 0; i < 120; ++i) targets.push_back(i / 3 % 3 == i % 3 ? 1.0F : 0.0F);
    Write("t.npy", Npy("<f4", "(40, 3)", targets));
    inputs[5] = std::numeric_limits<float>::quiet_NaN();
    Write("nan.npy", Npy("<f4", "(40, 4)", inputs));
    Write("flat.npy", Npy("<f4", "(160,)", inputs));
    Write("text.npy", std::string("not an array"));
    Write("text.ckpt", std::string("not a checkpoint"));
  }

  template <typename T>
  static std::string Npy(const std::string& type, const std::string& shape,
                         const std::vector<T>& values) {
    std::string header =
        "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    header.resize(117, ' ');
    std::string contents(values.size() * sizeof(T), '\0');
    std::memcpy(contents.data(), values.data(), contents.size());
    return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + "\n" + contents;
  }

  [[nodiscard]] Outcome Train(const std::string& arguments) const {
    return Tpu("train mlp.tflite --inputs x.npy --labels y.npy " + arguments);
  }
};

}  // namespace tpu::tools
