// SPDX-License-Identifier: Apache-2.0
#include "compiler/compile.h"

#include <memory>
#include <string>
#include <utility>

#include "base/error.h"
#include "compiler/compile_legal.h"
#include "compiler/legalise/expose_states.h"
#include "compiler/legalise/fold_functions.h"
#include "compiler/legalise/fuse.h"
#include "compiler/legalise/fuse_onnx_softmax.h"
#include "compiler/legalise/keep_intermediates.h"
#include "compiler/legalise/legalise.h"
#include "compiler/legalise/order_operators.h"
#include "compiler/legalise/refuse_host.h"
#include "compiler/legalise/settle_regions.h"
#include "compiler/legalise/use_bfloat16.h"
#include "ir/check_graph.h"

namespace tpu::compiler {
namespace {

ir::Graph MakeLegal(ir::Graph graph, const isa::HardwareConfig& config,
                    const CompileOptions& options);

// The same of the graphs that an operator runs.
class RegionPasses {
 public:
  RegionPasses(const ir::Operator& op, const isa::HardwareConfig& config,
               const CompileOptions& options)
      : op_(op), config_(config), options_(options) {
    options_.keep_intermediates = false;
  }

  void operator()(ir::If& op) const {
    op.then_graph = Branch(*op.then_graph, "then");
    op.else_graph = Branch(*op.else_graph, "else");
  }
  void operator()(ir::While& op) const {
    op.condition = Branch(*op.condition, "condition");
    ir::Graph body = MakeLegal(*op.body, config_, options_);
    SettleBody(body, op_.name + "/body", Origin());
    op.body = std::make_shared<const ir::Graph>(std::move(body));
  }
  template <typename Other>
  void operator()(Other& /*op*/) const {}

 private:
  [[nodiscard]] std::string Origin() const { return std::string(ir::OperatorName(op_.attributes)); }
  [[nodiscard]] std::shared_ptr<const ir::Graph> Branch(const ir::Graph& graph,
                                                        const std::string& name) const {
    const std::size_t outputs = graph.outputs.size();
    ir::Graph branch = MakeLegal(graph, config_, options_);
    SettleBranch(branch, outputs, op_.name + "/" + name, Origin());
    return std::make_shared<const ir::Graph>(std::move(branch));
  }

  const ir::Operator& op_;
  const isa::HardwareConfig& config_;
  CompileOptions options_;
};

// The passes from graph to graph.
ir::Graph MakeLegal(ir::Graph graph, const isa::HardwareConfig& config,
                    const CompileOptions& options) {
  ir::CheckGraph(graph);
  if (options.keep_intermediates) KeepIntermediates(graph);
  ExposeStates(graph);
  FusePadding(graph);
  FoldFunctions(graph, options.rounding);
  if (options.rounding == Rounding::kOnnxRuntime) FuseOnnxSoftmax(graph);
  UseBfloat16(graph, config);
  ir::Graph legal = Legalise(graph, config, options.rounding);
  FuseLookups(legal);
  FuseFunctions(legal);
  FuseWidening(legal);
  OrderOperators(legal);
  if (options.strict) RefuseHost(legal);
  for (ir::Operator& op : legal.operators) {
    std::visit(RegionPasses(op, config, options), op.attributes);
  }
  return legal;
}

}  // namespace

executable::Executable Compile(const ir::Graph& graph, const isa::HardwareConfig& config,
                               const CompileOptions& options) {
  if (options.rounding == Rounding::kFloat && config.float_rounding == 0) {
    throw Error(
        "rounding float needs a machine with FLOAT_ROUNDING = 1, and this one has 0: choose "
        "another machine, or rounding double or single");
  }
  CompileOptions settled = options;
  if (options.rounding == Rounding::kFloat && graph.of_onnx) {
    settled.rounding = Rounding::kOnnxRuntime;
  }
  return CompileLegal(MakeLegal(graph, config, settled), config, settled.rounding);
}

}  // namespace tpu::compiler
