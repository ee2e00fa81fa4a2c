// SPDX-License-Identifier: Apache-2.0
// tpu inspect: what a model consists of and what runs where.
#include <fmt/core.h>

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "ir/regions.h"
#include "sdk/read.h"
#include "tools/format.h"
#include "tools/tpu/command.h"
#include "tools/tpu/estimated_cycles.h"
#include "tools/tpu/flags.h"
#include "tools/tpu/layer_table.h"
#include "tools/tpu/load.h"

namespace tpu::tools {
namespace {

constexpr std::string_view kInspectColumns = "{:<{}}{:<26}{:<18}{:<18}{:<9}{:>14}{:>13}\n";

struct InspectOptions {
  std::string model;
  CompileFlags compile;
  bool cycles = false;
};

void PrintTensor(const char* kind, const ir::Tensor& tensor) {
  fmt::print("{} {}: {} {}, scale {}, zero point {}\n", kind, tensor.name,
             ElementTypeName(tensor.type), ShapeText(tensor.shape), tensor.scale,
             tensor.zero_point);
}

// An operator may have become several layers of its name.
struct Work {
  std::uint64_t macs = 0;
  std::uint64_t cycles = 0;
  bool host = false;
};

// `cycles`: by layer, or nothing.
std::map<std::string, Work> WorkByName(const executable::Executable& executable,
                                       const std::vector<std::uint64_t>& cycles) {
  std::map<std::string, Work> work;
  for (std::size_t i = 0; i < executable.layers.size(); ++i) {
    const executable::Layer& layer = executable.layers[i];
    work[layer.name].macs += layer.macs;
    work[layer.name].host |= layer.host;
    if (!cycles.empty()) work[layer.name].cycles += cycles[i];
  }
  return work;
}

// Those of IF and WHILE with the operators of their graphs behind them. Returns how many there are.
std::size_t PrintOperators(const ir::Graph& graph, const std::map<std::string, Work>& work,
                           std::size_t width) {
  std::size_t count = graph.operators.size();
  for (const ir::Operator& op : graph.operators) {
    const auto found = work.find(op.name);
    // An operator without a layer became part of its neighbours, or moves no data.
    const char* where = found == work.end() ? "-" : found->second.host ? "host" : "device";
    fmt::print(kInspectColumns, op.name, width, ir::OperatorName(op.attributes),
               ShapeText(graph.tensors[op.inputs[0]].shape),
               ShapeText(graph.tensors[op.outputs[0]].shape), where,
               found == work.end() ? "" : Grouped(found->second.macs),
               found == work.end() ? "" : Grouped(found->second.cycles));
    for (const ir::Graph* region : ir::RegionsOf(op.attributes)) {
      count += PrintOperators(*region, work, width);
    }
  }
  return count;
}

int Run(const InspectOptions& options) {
  const ir::Graph graph = sdk::LoadGraph(options.model);
  const executable::Executable executable = CompileGraph(graph, options.model, options.compile);
  for (const ir::TensorId id : graph.inputs) PrintTensor("input", graph.tensors[id]);
  for (const ir::TensorId id : graph.outputs) PrintTensor("output", graph.tensors[id]);
  fmt::print("\n");
  CycleEstimate estimate;
  if (options.cycles) estimate = EstimateCycles(executable, runtime::OnceThrough(executable));
  const std::size_t width = NameWidth(executable.layers, 8);
  fmt::print(kInspectColumns, "layer", width, "operator", "input", "output", "where", "MACs",
             options.cycles ? "cycles, est." : "");
  const std::size_t operators =
      PrintOperators(graph, WorkByName(executable, estimate.layers), width);
  std::uint64_t constants = 0;
  for (const executable::Segment& segment : executable.segments) constants += segment.bytes.size();
  fmt::print(
      "\n{} operators, {} MACs; compiled for {}: {} instructions, {} bytes of programs and "
      "constants, {} bytes of memory\n",
      operators, Grouped(executable.Macs()), options.compile.config,
      executable.layer_of_instruction.size(), Grouped(constants), Grouped(executable.memory_bytes));
  if (options.cycles) fmt::print("about {} cycles\n", Grouped(estimate.cycles));
  return kDone;
}

}  // namespace

void AddInspect(CLI::App& app, Action& action) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App& command = *app.add_subcommand("inspect", "List a model's operators and where they run");
  command.add_option("MODEL", options->model, ".tflite or .onnx model")->required();
  AddCompileFlags(command, options->compile);
  command.add_flag("--cycles", options->cycles, "Estimate the cycles of each operator");
  command.callback([options, &action] { action = [options] { return Run(*options); }; });
}

}  // namespace tpu::tools
