// SPDX-License-Identifier: Apache-2.0
// TFLite_Detection_PostProcess, of TensorFlow's object detection.
#include "frontends/tflite/custom_options.h"
#include "frontends/tflite/operator_reader.h"

namespace tpu::tflite {
namespace {

// Detections of each class when the options do not say.
constexpr std::int64_t kDetectionsPerClass = 100;

}  // namespace

ir::Attributes DecodeDetectionPostprocess(OperatorReader& op) {
  op.RequireCounts(3, 3, 4);
  const CustomOptions options(op);
  for (std::size_t i = 0; i < op.Inputs(); ++i) op.Operand(i);
  const host_operators::DetectionPostprocess attributes = {
      .max_detections = options.Integer("max_detections"),
      .classes = options.Integer("num_classes"),
      .each_class = options.Integer("use_regular_nms", 0) != 0,
      .detections_per_class = options.Integer("detections_per_class", kDetectionsPerClass),
      .score_threshold = options.Real("nms_score_threshold"),
      .overlap_threshold = options.Real("nms_iou_threshold"),
      .y_scale = options.Real("y_scale"),
      .x_scale = options.Real("x_scale"),
      .h_scale = options.Real("h_scale"),
      .w_scale = options.Real("w_scale")};
  // Of several classes TensorFlow Lite Micro writes behind the ends of the outputs.
  const std::int64_t classes = options.Integer("max_classes_per_detection");
  op.Require(attributes.each_class || classes == 1,
             "max_classes_per_detection is {}; only 1 is supported without use_regular_nms",
             classes);
  const std::int64_t most = attributes.max_detections;
  op.Require(most > 0, "max_detections is {}", most);
  const ir::Shape shapes[] = {{1, most, 4}, {1, most}, {1, most}, {1}};
  for (std::size_t i = 0; i < op.Outputs(); ++i) {
    if (op.OutputIsOpen(i)) op.SettleOutput(shapes[i], i);
  }
  return ir::HostOperator{attributes};
}

}  // namespace tpu::tflite
