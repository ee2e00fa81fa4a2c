// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/legalise.h"

#include <algorithm>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/error.h"
#include "compiler/legalise/fuse.h"
#include "compiler/legalise/legalise_rules.h"

namespace tpu::compiler {
namespace {

template <typename... Ops>
bool HoldsAnyOf(const Attributes& attributes) {
  return (std::holds_alternative<Ops>(attributes) || ...);
}

}  // namespace

Graph Legalise(const Graph& graph, const isa::HardwareConfig& config, Rounding rounding) {
  Graph source = graph;
  FusePadding(source);
  LegalGraph legal(source, config, rounding);
  for (const Operator& op : source.operators) {
    const OperatorView view = {.graph = legal, .op = op};
    std::visit([&](const auto& attributes) { Legalise(view, attributes); }, op.attributes);
  }
  Graph result = legal.Take();
  FuseLookups(result);
  return result;
}

bool RunsOnHost(const Operator& op) {
  return HoldsAnyOf<Softmax, ArgMax, Quantize, Dequantize, Resize>(op.attributes);
}

}  // namespace tpu::compiler
