// SPDX-License-Identifier: Apache-2.0
#include "workloads/bench.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

namespace tpu::workloads {
namespace {

/// "[0,3,1,7]" of element `index` in row-major order.
std::string Subscript(const std::vector<std::int64_t>& shape, std::int64_t index) {
  std::string text;
  for (std::size_t d = shape.size(); d-- > 0;) {
    text = fmt::format("{}{}{}", index % shape[d], text.empty() ? "" : ",", text);
    index /= shape[d];
  }
  return "[" + text + "]";
}

Outcome RunOnce(runtime::Session& session, const isa::Executable& executable,
                const runtime::RunOptions& options) {
  Outcome outcome;
  const auto start = std::chrono::steady_clock::now();
  outcome.report = session.Run(options);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  outcome.seconds = elapsed.count();
  for (const isa::TensorBinding& output : executable.outputs) {
    outcome.outputs.push_back(session.Output(output.name));
  }
  return outcome;
}

}  // namespace

std::vector<Outcome> Execute(runtime::Device& device, const isa::Executable& executable,
                             const std::vector<Tensors>& inputs, const Progress& progress) {
  runtime::Session session(device, executable);
  std::vector<Outcome> outcomes;
  std::uint64_t cycles_before = 0;
  runtime::RunOptions options;
  if (progress) {
    options.progress = [&](std::uint64_t cycles) { progress(cycles_before + cycles); };
  }
  for (const Tensors& tensors : inputs) {
    for (std::size_t i = 0; i < executable.inputs.size(); ++i) {
      session.SetInput(executable.inputs[i].name, tensors.at(i));
    }
    outcomes.push_back(RunOnce(session, executable, options));
    cycles_before += outcomes.back().report.cycles;
  }
  return outcomes;
}

std::optional<std::string> FirstDifference(const isa::Executable& executable,
                                           const Tensors& expected, const Tensors& actual) {
  for (std::size_t i = 0; i < executable.outputs.size(); ++i) {
    const auto [e, a] = std::ranges::mismatch(expected.at(i), actual.at(i));
    if (e == expected[i].end()) continue;
    const isa::TensorBinding& output = executable.outputs[i];
    return fmt::format("output {}{}: got {}, expected {}", output.name,
                       Subscript(output.shape, e - expected[i].begin()), *a, *e);
  }
  return std::nullopt;
}

std::optional<std::string> CounterFault(const runtime::RunReport& report) {
  const std::uint64_t sum = runtime::ArrayCycles(report.counters);
  if (sum == report.cycles) return std::nullopt;
  return fmt::format("the array's counters sum to {} of {} cycles", sum, report.cycles);
}

}  // namespace tpu::workloads
