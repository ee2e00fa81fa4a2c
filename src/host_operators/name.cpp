// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstddef>

#include "host_operators/host_operators.h"

namespace tpu::host_operators {
namespace {

struct NameVisitor {
  std::string_view operator()(const Softmax&) const { return "SOFTMAX"; }
  std::string_view operator()(const LogSoftmax&) const { return "LOG_SOFTMAX"; }
  std::string_view operator()(const ArgExtreme& op) const {
    return op.smallest ? "ARG_MIN" : "ARG_MAX";
  }
  std::string_view operator()(const Quantize&) const { return "QUANTIZE"; }
  std::string_view operator()(const Dequantize&) const { return "DEQUANTIZE"; }
  std::string_view operator()(const ResizeBilinear&) const { return "RESIZE_BILINEAR"; }
  std::string_view operator()(const Unary& op) const {
    constexpr std::array<std::string_view, 6> kNames = {"FLOOR", "CEIL", "ROUND",
                                                        "SIN",   "COS",  "LOGICAL_NOT"};
    return kNames.at(static_cast<std::size_t>(op.operation));
  }
  std::string_view operator()(const Binary& op) const {
    constexpr std::array<std::string_view, 10> kNames = {
        "ADD",     "SUB",       "MUL",       "DIV",         "MAXIMUM",
        "MINIMUM", "FLOOR_DIV", "FLOOR_MOD", "LOGICAL_AND", "LOGICAL_OR"};
    return kNames.at(static_cast<std::size_t>(op.operation));
  }
  std::string_view operator()(const Comparison& op) const {
    constexpr std::array<std::string_view, 6> kNames = {"EQUAL",         "NOT_EQUAL", "GREATER",
                                                        "GREATER_EQUAL", "LESS",      "LESS_EQUAL"};
    return kNames.at(static_cast<std::size_t>(op.relation));
  }
  std::string_view operator()(const Cast&) const { return "CAST"; }
  std::string_view operator()(const Select&) const { return "SELECT_V2"; }
  std::string_view operator()(const ReduceExtreme& op) const {
    return op.smallest ? "REDUCE_MIN" : "REDUCE_MAX";
  }
  std::string_view operator()(const CumulativeSum&) const { return "CUMSUM"; }
  std::string_view operator()(const L2Pool&) const { return "L2_POOL_2D"; }
  std::string_view operator()(const Divide&) const { return "DIV"; }
  std::string_view operator()(const SquaredDifference&) const { return "SQUARED_DIFFERENCE"; }
  std::string_view operator()(const AddN&) const { return "ADD_N"; }
  std::string_view operator()(const L2Normalization&) const { return "L2_NORMALIZATION"; }
  std::string_view operator()(const Gather&) const { return "GATHER"; }
  std::string_view operator()(const GatherNd&) const { return "GATHER_ND"; }
  std::string_view operator()(const EmbeddingLookup&) const { return "EMBEDDING_LOOKUP"; }
  std::string_view operator()(const DynamicUpdateSlice&) const { return "DYNAMIC_UPDATE_SLICE"; }
  std::string_view operator()(const BroadcastArgs&) const { return "BROADCAST_ARGS"; }
  std::string_view operator()(const SignalWindow&) const { return "SignalWindow"; }
  std::string_view operator()(const SignalFftAutoScale&) const { return "SignalFftAutoScale"; }
  std::string_view operator()(const SignalFft& op) const {
    return op.inverse ? "SignalIrfft" : "SignalRfft";
  }
  std::string_view operator()(const SignalEnergy&) const { return "SignalEnergy"; }
  std::string_view operator()(const SignalFilterBank&) const { return "SignalFilterBank"; }
  std::string_view operator()(const SignalSquareRoot&) const {
    return "SignalFilterBankSquareRoot";
  }
  std::string_view operator()(const SignalSpectralSubtraction&) const {
    return "SignalFilterBankSpectralSubtraction";
  }
  std::string_view operator()(const SignalPcan&) const { return "SignalPCAN"; }
  std::string_view operator()(const SignalLog&) const { return "SignalFilterBankLog"; }
  std::string_view operator()(const SignalDelay&) const { return "SignalDelay"; }
  std::string_view operator()(const SignalFramer&) const { return "SignalFramer"; }
  std::string_view operator()(const SignalOverlapAdd&) const { return "SignalOverlapAdd"; }
  std::string_view operator()(const SignalStacker&) const { return "SignalStacker"; }
  std::string_view operator()(const DetectionPostprocess&) const {
    return "TFLite_Detection_PostProcess";
  }
  std::string_view operator()(const BatchMatMul&) const { return "BATCH_MATMUL"; }
};

}  // namespace

std::string_view Name(const Attributes& attributes) {
  return std::visit(NameVisitor{}, attributes);
}

}  // namespace tpu::host_operators
