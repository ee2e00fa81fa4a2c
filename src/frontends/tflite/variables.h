// SPDX-License-Identifier: Apache-2.0
// Variables of a model: VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE and CALL_ONCE become states of
// the graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "frontends/tflite/model.h"
#include "frontends/tflite/operator_reader.h"
#include "ir/graph.h"

namespace tpu::tflite {

class Variables {
 public:
  /// Finds out what each variable is like. Throws tpu::Error naming the file and the operator.
  explicit Variables(const Model& model);

  /// Whether the operator is one of these.
  static bool IsHandled(BuiltinOperator code);
  /// The operator as operators of the graph.
  void Import(OperatorReader& op, std::size_t index, ir::Graph& graph);
  /// What the variables are at the end of a run.
  void AddStates(ir::Graph& graph) const;

 private:
  struct Variable {
    ElementType type = ElementType::kInt8;
    ir::Shape shape;
    float scale = 1.0F;
    std::int32_t zero_point = 0;
    std::vector<std::uint8_t> initial;
    bool assigned = false;                ///< By operators that each run has.
    std::optional<ir::TensorId> before;   ///< What a run reads before it writes.
    std::optional<ir::TensorId> current;  ///< What operators read from here on.
  };
  using Handles = std::map<std::int32_t, std::string>;  ///< Names of variables, by tensor.

  template <typename... Args>
  void Require(bool condition, fmt::format_string<Args...> format, Args&&... args) const {
    if (condition) return;
    throw Error::Format("{}: {}", model_.file, fmt::format(format, std::forward<Args>(args)...));
  }
  void NoteHandle(const Operator& op, Handles& handles) const;
  void NoteAssignment(const Operator& op, const Subgraph& subgraph, const Handles& handles,
                      bool once);
  void NoteInitialiser(const Subgraph& subgraph);
  Variable& VariableOf(const Operator& op, const Handles& handles);
  ir::TensorId CurrentOf(Variable& variable, const std::string& name, ir::Graph& graph) const;

  const Model& model_;
  Handles handles_;
  std::map<std::string, Variable> variables_;
  bool used_ = false;  // By operators so far.
};

}  // namespace tpu::tflite
