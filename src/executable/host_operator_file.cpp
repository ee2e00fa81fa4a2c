// SPDX-License-Identifier: Apache-2.0
#include "executable/host_operator_file.h"

#include <variant>

#include "base/error.h"

namespace tpu::executable {
namespace {

namespace ops = host_operators;
using Builder = flatbuffers::FlatBufferBuilder;

// Numbers of enumerators are written as they are.
static_assert(static_cast<int>(schema::UnaryOperation::MAX) ==
              static_cast<int>(ops::UnaryOperation::kLogicalNot));
static_assert(static_cast<int>(schema::BinaryOperation::MAX) ==
              static_cast<int>(ops::BinaryOperation::kLogicalOr));
static_assert(static_cast<int>(schema::Relation::MAX) ==
              static_cast<int>(ops::Relation::kLessEqual));
static_assert(static_cast<int>(schema::Activation::MAX) ==
              static_cast<int>(Activation::kReluN1To1));
// So are those of operators, behind NONE.
static_assert(static_cast<std::size_t>(schema::HostOperator::MAX) ==
              std::variant_size_v<ops::Attributes>);

schema::Activation ActivationOf(Activation activation) {
  return static_cast<schema::Activation>(activation);
}
Activation ActivationOf(schema::Activation activation) {
  return static_cast<Activation>(activation);
}

auto Write(Builder& b, const ops::Softmax& op) {
  return schema::CreateSoftmax(b, op.beta, op.of_onnx);
}
auto Write(Builder& b, const ops::LogSoftmax&) { return schema::CreateLogSoftmax(b); }
auto Write(Builder& b, const ops::ArgExtreme& op) {
  return schema::CreateArgExtreme(b, op.axis, op.smallest);
}
auto Write(Builder& b, const ops::Quantize& op) {
  return schema::CreateQuantize(b, static_cast<schema::FloatSteps>(op.steps));
}
auto Write(Builder& b, const ops::Dequantize&) { return schema::CreateDequantize(b); }
auto Write(Builder& b, const ops::ResizeBilinear& op) {
  return schema::CreateResizeBilinear(b, op.align_corners, op.half_pixel_centers,
                                      op.float_positions);
}
auto Write(Builder& b, const ops::Unary& op) {
  return schema::CreateUnary(b, static_cast<schema::UnaryOperation>(op.operation));
}
auto Write(Builder& b, const ops::Binary& op) {
  return schema::CreateBinary(b, static_cast<schema::BinaryOperation>(op.operation),
                              ActivationOf(op.activation));
}
auto Write(Builder& b, const ops::Comparison& op) {
  return schema::CreateComparison(b, static_cast<schema::Relation>(op.relation));
}
auto Write(Builder& b, const ops::Cast&) { return schema::CreateCast(b); }
auto Write(Builder& b, const ops::Select&) { return schema::CreateSelect(b); }
auto Write(Builder& b, const ops::ReduceExtreme& op) {
  return schema::CreateReduceExtremeDirect(b, &op.axes, op.smallest);
}
auto Write(Builder& b, const ops::CumulativeSum& op) {
  return schema::CreateCumulativeSum(b, op.axis, op.exclusive, op.reverse);
}
auto Write(Builder& b, const ops::L2Pool& op) {
  return schema::CreateL2Pool(b, op.filter.h, op.filter.w, op.stride.h, op.stride.w, op.padding.top,
                              op.padding.left, ActivationOf(op.activation));
}
auto Write(Builder& b, const ops::Divide&) { return schema::CreateDivide(b); }
auto Write(Builder& b, const ops::SquaredDifference&) { return schema::CreateSquaredDifference(b); }
auto Write(Builder& b, const ops::AddN&) { return schema::CreateAddN(b); }
auto Write(Builder& b, const ops::L2Normalization&) { return schema::CreateL2Normalization(b); }
auto Write(Builder& b, const ops::Gather& op) {
  return schema::CreateGather(b, op.axis, op.batch_dims);
}
auto Write(Builder& b, const ops::GatherNd&) { return schema::CreateGatherNd(b); }
auto Write(Builder& b, const ops::EmbeddingLookup&) { return schema::CreateEmbeddingLookup(b); }
auto Write(Builder& b, const ops::DynamicUpdateSlice&) {
  return schema::CreateDynamicUpdateSlice(b);
}
auto Write(Builder& b, const ops::BroadcastArgs&) { return schema::CreateBroadcastArgs(b); }
auto Write(Builder& b, const ops::SignalWindow& op) {
  return schema::CreateSignalWindow(b, op.shift);
}
auto Write(Builder& b, const ops::SignalFftAutoScale&) {
  return schema::CreateSignalFftAutoScale(b);
}
auto Write(Builder& b, const ops::SignalFft& op) {
  return schema::CreateSignalFft(b, op.length, op.inverse);
}
auto Write(Builder& b, const ops::SignalEnergy& op) {
  return schema::CreateSignalEnergy(b, op.begin, op.end);
}
auto Write(Builder& b, const ops::SignalFilterBank&) { return schema::CreateSignalFilterBank(b); }
auto Write(Builder& b, const ops::SignalSquareRoot&) { return schema::CreateSignalSquareRoot(b); }
auto Write(Builder& b, const ops::SignalSpectralSubtraction& op) {
  return schema::CreateSignalSpectralSubtraction(
      b, op.smoothing, op.one_minus_smoothing, op.alternate_smoothing,
      op.alternate_one_minus_smoothing, op.smoothing_bits, op.bits, op.min_signal_remaining,
      op.clamping);
}
auto Write(Builder& b, const ops::SignalPcan& op) {
  return schema::CreateSignalPcan(b, op.snr_shift);
}
auto Write(Builder& b, const ops::SignalLog& op) {
  return schema::CreateSignalLog(b, op.output_scale, op.correction_bits);
}
auto Write(Builder& b, const ops::SignalDelay& op) {
  return schema::CreateSignalDelay(b, op.length);
}
auto Write(Builder& b, const ops::SignalFramer& op) {
  return schema::CreateSignalFramer(b, op.size, op.step);
}
auto Write(Builder& b, const ops::SignalOverlapAdd& op) {
  return schema::CreateSignalOverlapAdd(b, op.step);
}
auto Write(Builder& b, const ops::SignalStacker& op) {
  return schema::CreateSignalStacker(b, op.channels, op.left, op.right, op.step);
}
auto Write(Builder& b, const ops::DetectionPostprocess& op) {
  return schema::CreateDetectionPostprocess(
      b, op.max_detections, op.classes, op.each_class, op.detections_per_class, op.score_threshold,
      op.overlap_threshold, op.y_scale, op.x_scale, op.h_scale, op.w_scale);
}
auto Write(Builder& b, const ops::BatchMatMul& op) {
  return schema::CreateBatchMatMul(b, op.transposed[0], op.transposed[1]);
}

ops::Softmax Read(const schema::Softmax& t) { return {.beta = t.beta(), .of_onnx = t.of_onnx()}; }
ops::LogSoftmax Read(const schema::LogSoftmax&) { return {}; }
ops::ArgExtreme Read(const schema::ArgExtreme& t) {
  return {.axis = t.axis(), .smallest = t.smallest()};
}
ops::Quantize Read(const schema::Quantize& t) {
  return {.steps = static_cast<ops::FloatSteps>(t.steps())};
}
ops::Dequantize Read(const schema::Dequantize&) { return {}; }
ops::ResizeBilinear Read(const schema::ResizeBilinear& t) {
  return {.align_corners = t.align_corners(),
          .half_pixel_centers = t.half_pixel_centers(),
          .float_positions = t.float_positions()};
}
ops::Unary Read(const schema::Unary& t) {
  return {.operation = static_cast<ops::UnaryOperation>(t.operation())};
}
ops::Binary Read(const schema::Binary& t) {
  return {.operation = static_cast<ops::BinaryOperation>(t.operation()),
          .activation = ActivationOf(t.activation())};
}
ops::Comparison Read(const schema::Comparison& t) {
  return {.relation = static_cast<ops::Relation>(t.relation())};
}
ops::Cast Read(const schema::Cast&) { return {}; }
ops::Select Read(const schema::Select&) { return {}; }
ops::ReduceExtreme Read(const schema::ReduceExtreme& t) {
  ops::ReduceExtreme op = {.axes = {}, .smallest = t.smallest()};
  if (t.axes() != nullptr) op.axes.assign(t.axes()->begin(), t.axes()->end());
  return op;
}
ops::CumulativeSum Read(const schema::CumulativeSum& t) {
  return {.axis = t.axis(), .exclusive = t.exclusive(), .reverse = t.reverse()};
}
ops::L2Pool Read(const schema::L2Pool& t) {
  return {.filter = {.h = t.filter_height(), .w = t.filter_width()},
          .stride = {.h = t.stride_height(), .w = t.stride_width()},
          .padding = {.top = t.padding_top(), .left = t.padding_left()},
          .activation = ActivationOf(t.activation())};
}
ops::Divide Read(const schema::Divide&) { return {}; }
ops::SquaredDifference Read(const schema::SquaredDifference&) { return {}; }
ops::AddN Read(const schema::AddN&) { return {}; }
ops::L2Normalization Read(const schema::L2Normalization&) { return {}; }
ops::Gather Read(const schema::Gather& t) {
  return {.axis = t.axis(), .batch_dims = t.batch_dims()};
}
ops::GatherNd Read(const schema::GatherNd&) { return {}; }
ops::EmbeddingLookup Read(const schema::EmbeddingLookup&) { return {}; }
ops::DynamicUpdateSlice Read(const schema::DynamicUpdateSlice&) { return {}; }
ops::BroadcastArgs Read(const schema::BroadcastArgs&) { return {}; }
ops::SignalWindow Read(const schema::SignalWindow& t) { return {.shift = t.shift()}; }
ops::SignalFftAutoScale Read(const schema::SignalFftAutoScale&) { return {}; }
ops::SignalFft Read(const schema::SignalFft& t) {
  return {.length = t.length(), .inverse = t.inverse()};
}
ops::SignalEnergy Read(const schema::SignalEnergy& t) {
  return {.begin = t.begin(), .end = t.end()};
}
ops::SignalFilterBank Read(const schema::SignalFilterBank&) { return {}; }
ops::SignalSquareRoot Read(const schema::SignalSquareRoot&) { return {}; }
ops::SignalSpectralSubtraction Read(const schema::SignalSpectralSubtraction& t) {
  return {.smoothing = t.smoothing(),
          .one_minus_smoothing = t.one_minus_smoothing(),
          .alternate_smoothing = t.alternate_smoothing(),
          .alternate_one_minus_smoothing = t.alternate_one_minus_smoothing(),
          .smoothing_bits = t.smoothing_bits(),
          .bits = t.bits(),
          .min_signal_remaining = t.min_signal_remaining(),
          .clamping = t.clamping()};
}
ops::SignalPcan Read(const schema::SignalPcan& t) { return {.snr_shift = t.snr_shift()}; }
ops::SignalLog Read(const schema::SignalLog& t) {
  return {.output_scale = t.output_scale(), .correction_bits = t.correction_bits()};
}
ops::SignalDelay Read(const schema::SignalDelay& t) { return {.length = t.length()}; }
ops::SignalFramer Read(const schema::SignalFramer& t) {
  return {.size = t.size(), .step = t.step()};
}
ops::SignalOverlapAdd Read(const schema::SignalOverlapAdd& t) { return {.step = t.step()}; }
ops::SignalStacker Read(const schema::SignalStacker& t) {
  return {.channels = t.channels(), .left = t.left(), .right = t.right(), .step = t.step()};
}
ops::DetectionPostprocess Read(const schema::DetectionPostprocess& t) {
  return {.max_detections = t.max_detections(),
          .classes = t.classes(),
          .each_class = t.each_class(),
          .detections_per_class = t.detections_per_class(),
          .score_threshold = t.score_threshold(),
          .overlap_threshold = t.overlap_threshold(),
          .y_scale = t.y_scale(),
          .x_scale = t.x_scale(),
          .h_scale = t.h_scale(),
          .w_scale = t.w_scale()};
}
ops::BatchMatMul Read(const schema::BatchMatMul& t) {
  return {.transposed = {t.first_transposed(), t.second_transposed()}};
}

template <typename Table, typename... Rest>
ops::Attributes ReadOneOf(const schema::HostCall& call) {
  if (const Table* table = call.kernel_as<Table>()) return Read(*table);
  if constexpr (sizeof...(Rest) > 0) return ReadOneOf<Rest...>(call);
  throw Error::Format("operator {} of a host call is unknown",
                      static_cast<int>(call.kernel_type()));
}

}  // namespace

WrittenOperator WriteOperator(Builder& builder, const ops::Attributes& attributes) {
  const auto write = [&](const auto& op) { return Write(builder, op).Union(); };
  return {.type = static_cast<schema::HostOperator>(attributes.index() + 1),
          .table = std::visit(write, attributes)};
}

ops::Attributes ReadOperator(const schema::HostCall& call) {
  return ReadOneOf<schema::Softmax, schema::LogSoftmax, schema::ArgExtreme, schema::Quantize,
                   schema::Dequantize, schema::ResizeBilinear, schema::Unary, schema::Binary,
                   schema::Comparison, schema::Cast, schema::Select, schema::ReduceExtreme,
                   schema::CumulativeSum, schema::L2Pool, schema::Divide, schema::SquaredDifference,
                   schema::AddN, schema::L2Normalization, schema::Gather, schema::GatherNd,
                   schema::EmbeddingLookup, schema::DynamicUpdateSlice, schema::BroadcastArgs,
                   schema::SignalWindow, schema::SignalFftAutoScale, schema::SignalFft,
                   schema::SignalEnergy, schema::SignalFilterBank, schema::SignalSquareRoot,
                   schema::SignalSpectralSubtraction, schema::SignalPcan, schema::SignalLog,
                   schema::SignalDelay, schema::SignalFramer, schema::SignalOverlapAdd,
                   schema::SignalStacker, schema::DetectionPostprocess, schema::BatchMatMul>(call);
}

}  // namespace tpu::executable
