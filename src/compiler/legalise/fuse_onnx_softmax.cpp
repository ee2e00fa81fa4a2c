// SPDX-License-Identifier: Apache-2.0
#include "compiler/legalise/fuse_onnx_softmax.h"

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "compiler/legalise/uses.h"
#include "compiler/quantise/byte_table.h"
#include "compiler/quantise/float_tables.h"

namespace tpu::compiler {
namespace {

class Fusion {
 public:
  explicit Fusion(ir::Graph& graph)
      : graph_(graph),
        uses_(graph),
        only_user_(graph.tensors.size()),
        gone_(graph.operators.size()) {
    for (std::size_t i = 0; i < graph.operators.size(); ++i) {
      for (const ir::TensorId id : graph.operators[i].inputs) only_user_[id] = i;
    }
  }

  void Run() {
    for (ir::Operator& op : graph_.operators) {
      if (std::holds_alternative<ir::Softmax>(op.attributes)) Fuse(op);
    }
    RemoveOperators(graph_, gone_);
  }

 private:
  [[nodiscard]] bool IsInt8(ir::TensorId id) const {
    return graph_.tensors[id].type == ElementType::kInt8;
  }

  // The only operator that uses the tensor, which is no output of the graph.
  [[nodiscard]] std::optional<std::size_t> OnlyUserOf(ir::TensorId id) const {
    return uses_.count[id] == 1 ? only_user_[id] : std::nullopt;
  }

  [[nodiscard]] bool OnlyRescales(const ir::Operator& op) const {
    const auto* lookup = std::get_if<ir::Lookup>(&op.attributes);
    const bool reshapes = std::holds_alternative<ir::Reshape>(op.attributes);
    if (lookup == nullptr && !reshapes) return false;
    const ir::Tensor& from = graph_.tensors[op.inputs.at(0)];
    const ir::Tensor& to = graph_.tensors[op.outputs.at(0)];
    const ir::Lookup rescaled = FloatRescaledTable(from, to);
    if (lookup != nullptr) return lookup->table == rescaled.table;
    // The same bytes with another scale.
    const ir::Lookup same = MakeTable(from, to, [](std::int32_t q) { return q; });
    return from.shape == to.shape && rescaled.table == same.table;
  }

  void Fuse(ir::Operator& op) {
    ir::TensorId input = op.inputs.at(0);
    ir::TensorId output = op.outputs.at(0);
    const std::optional<std::size_t> user = OnlyUserOf(output);
    if (IsInt8(input) && IsInt8(output)) {
      if (user && OnlyRescales(graph_.operators[*user])) output = Join(*user);
    } else {
      const auto* dequantize = uses_.OnlyFor<ir::Dequantize>(graph_, input);
      if (dequantize == nullptr || !user ||
          !std::holds_alternative<ir::Quantize>(graph_.operators[*user].attributes)) {
        return;
      }
      const std::size_t maker = *uses_.made_by[input];
      const ir::TensorId source = graph_.operators[maker].inputs.at(0);
      if (!IsInt8(source) || !IsInt8(graph_.operators[*user].outputs.at(0))) return;
      gone_[maker] = true;
      input = source;
      output = Join(*user);
    }
    op.inputs[0] = input;
    op.outputs[0] = output;
    op.attributes = ir::HostOperator{.attributes = host_operators::Softmax{.of_onnx = true}};
  }

  ir::TensorId Join(std::size_t user) {
    gone_[user] = true;
    return graph_.operators[user].outputs.at(0);
  }

  ir::Graph& graph_;
  Uses uses_;
  std::vector<std::optional<std::size_t>> only_user_;  // The last user of each tensor.
  std::vector<bool> gone_;
};

}  // namespace

void FuseOnnxSoftmax(ir::Graph& graph) { Fusion(graph).Run(); }

}  // namespace tpu::compiler
