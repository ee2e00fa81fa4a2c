// SPDX-License-Identifier: Apache-2.0
// .npy files of examples, in a folder that goes when the test ends.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "npy/npy.h"
#include "tests/training/models.h"

namespace tpu::training {

class ExampleFiles : public testing::Test {
 protected:
  void SetUp() override {
    const auto* const info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              ("tpu_training_" + std::to_string(getpid()) + "_" + info->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] std::string Path(const std::string& name) const { return folder_ / name; }

  template <typename T>
  std::string Write(const std::string& name, npy::Type type, std::vector<std::int64_t> shape,
                    const std::vector<T>& values) const {
    npy::Array array = {type, std::move(shape), {}};
    array.bytes.resize(values.size() * sizeof(T));
    if (!values.empty()) std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
    npy::Write(Path(name), array);
    return Path(name);
  }

  /// Inputs [count, 4] that the classes 0 to 2 can be told from.
  std::string WriteInputs(const std::string& name, std::int64_t count) const {
    std::vector<float> values = SomeFloats(static_cast<std::size_t>(count) * 4, 9);
    for (std::size_t i = 0; i < values.size() / 4; ++i) values[4 * i + i % 3] += 1.5F;
    return Write(name, npy::Type::kFloat32, {count, 4}, values);
  }
  std::string WriteLabels(const std::string& name, std::int64_t count) const {
    std::vector<std::int32_t> values;
    for (std::int32_t i = 0; i < count; ++i) values.push_back(i % 3);
    return Write(name, npy::Type::kInt32, {count}, values);
  }

 private:
  std::filesystem::path folder_;
};

/// The message of the tpu::Error that `call` throws.
template <typename Call>
std::string ErrorOf(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace tpu::training
