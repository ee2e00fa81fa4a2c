// SPDX-License-Identifier: Apache-2.0
#include "workloads/digits.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"

namespace tpu::workloads {
namespace {

using nlohmann::json;

json ParseFile(const std::filesystem::path& path) {
  try {
    return json::parse(ReadText(path));
  } catch (const json::exception& error) {
    throw Error::Format("{}: not valid JSON: {}", path.string(), error.what());
  }
}

}  // namespace

std::vector<Digit> LoadDigits(const std::filesystem::path& testset) {
  const json file = ParseFile(testset);
  std::vector<Digit> digits;
  try {
    const json& images = file.at("images");
    const json& labels = file.at("labels");
    for (std::size_t i = 0; i < images.size(); ++i) {
      digits.push_back({images.at(i).get<decltype(Digit::pixels)>(), labels.at(i).get<int>()});
    }
  } catch (const json::exception& error) {
    throw Error::Format("{}: image {}: {}", testset.string(), digits.size(), error.what());
  }
  return digits;
}

std::vector<std::int8_t> QuantizeDigit(const Digit& digit, const ir::Tensor& input) {
  std::vector<std::int8_t> values;
  for (const std::uint8_t pixel : digit.pixels) {
    const float real = static_cast<float>(pixel) / 16.0F;
    const long q = std::lround(real / input.scale) + input.zero_point;
    values.push_back(static_cast<std::int8_t>(std::clamp(q, -128L, 127L)));
  }
  return values;
}

}  // namespace tpu::workloads
