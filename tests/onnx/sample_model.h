// SPDX-License-Identifier: Apache-2.0
// A small quantised network for tests.
#pragma once

#include "model_builder.h"

namespace tpu::onnx {

/// Weights [1, 1, 1, 1] of the integer 3 as "NAME_d".
inline void AddWeights(ModelBuilder& model, const std::string& name) {
  model.Scale<std::int8_t>(name, 0.5F, 0);
  model.Constant<std::int8_t>(name + "_q", kInt8Type, {1, 1, 1, 1}, {3});
  model.Dequantize(name);
}

/// float32 [1, 1, 2, 4] -> Conv -> Relu -> MaxPool -> Conv -> Flatten -> float32 [1, 2].
inline Bytes SampleModel() {
  ModelBuilder model;
  model.Input("x", kFloatType, {1, 1, 2, 4}).Scale<std::uint8_t>("x", 0.25F, 130);
  model.Scale<std::uint8_t>("c", 0.125F, 0).Scale<std::uint8_t>("y", 0.375F, 7);
  model.Quantize("x");
  AddWeights(model, "w");
  AddWeights(model, "v");
  model.Node("Conv", {"x_d", "w_d"}, {"a"}).Node("Relu", {"a"}, {"c"}).Quantize("c");
  model.Node("MaxPool", {"c_d"}, {"p"},
             {IntsAttribute("kernel_shape", {2, 2}), IntsAttribute("strides", {2, 2})});
  model.Node("Conv", {"p", "v_d"}, {"b"});
  model.Node("Flatten", {"b"}, {"y"}).Quantize("y").Output("y_d");
  return model.Finish();
}

}  // namespace tpu::onnx
