// SPDX-License-Identifier: Apache-2.0
#include "frontends/onnx/value.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tpu::onnx {

std::shared_ptr<const Meaning> AffineMeaning(float scale, std::int32_t zero_point) {
  Meaning meaning = {.affine = true, .scale = scale, .zero_point = zero_point};
  for (std::int32_t q = -128; q <= 127; ++q) {
    meaning.reals.at(static_cast<std::size_t>(q + 128)) =
        static_cast<float>(q - zero_point) * scale;
  }
  return std::make_shared<const Meaning>(meaning);
}

std::vector<float> FloatsOf(const Value& constant) {
  std::vector<float> floats = constant.constant->Floats();
  if (!constant.quantisation) return floats;
  const Quantisation& q = *constant.quantisation;
  const std::vector<std::int64_t> integers = constant.constant->Integers();
  std::size_t inner = 1;
  for (std::size_t i = q.axis + 1; i < constant.shape.size(); ++i) {
    inner *= static_cast<std::size_t>(constant.shape[i]);
  }
  for (std::size_t i = 0; i < floats.size(); ++i) {
    const std::size_t channel = i / inner % q.scales.size();
    floats[i] = static_cast<float>(integers[i] - q.zero_points[channel]) * q.scales[channel];
  }
  return floats;
}

std::int8_t QuantizedByte(float value, const Target& target) {
  // Within an int8 whatever the zero point is, and no NaN.
  const float scaled = std::nearbyint(value / target.scale);
  const float steps = std::isnan(scaled) ? 0.0F : std::clamp(scaled, -512.0F, 512.0F);
  const std::int64_t q = static_cast<std::int64_t>(steps) + target.zero_point + Shift(target.type);
  return static_cast<std::int8_t>(std::clamp<std::int64_t>(q, -128, 127));
}

}  // namespace tpu::onnx
