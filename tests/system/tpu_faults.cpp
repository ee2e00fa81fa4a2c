// SPDX-License-Identifier: Apache-2.0
// tpu_faults: injects faults into simulated machines and says how many of each kind ended as
// documented.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "tests/system/fault_bench.h"
#include "tests/system/fault_kinds.h"

namespace tpu::system_test {
namespace {

std::vector<Fault> AllFaults(const FaultBench& bench) {
  std::vector<Fault> all;
  for (auto make : {BusFaults, EncodingFaults, ProgramFaults, HostFaults}) {
    for (Fault& fault : make(bench)) all.push_back(std::move(fault));
  }
  return all;
}

/// Empty if all is as it must be.
std::string WhatIsWrong(FaultBench& bench, const Fault& fault) {
  try {
    fault.inject(bench);
    bench.ExpectRestUntouched();
    bench.Recover();
    bench.ExpectWorks();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void RunAll(const devices::Machine& machine, std::optional<std::uint64_t> stall_seed,
            const std::string& only, FaultTally& tally) {
  auto bench = std::make_unique<FaultBench>(machine, stall_seed);
  for (const Fault& fault : AllFaults(*bench)) {
    if (fault.kind.find(only) == std::string::npos) continue;
    const std::string wrong = WhatIsWrong(*bench, fault);
    tally.Add(fault.kind, !wrong.empty());
    if (wrong.empty()) continue;
    fmt::print("{}, {}, {}: {}\n", machine.name, fault.kind, fault.what, wrong);
    bench = std::make_unique<FaultBench>(machine, stall_seed);
  }
}

int Main(int argc, char** argv) {
  CLI::App app{"Injects faults into simulated machines"};
  std::string only;
  std::string json_file;
  app.add_option("--only", only, "Kinds whose name contains this");
  app.add_option("--json", json_file, "Where to write the table");
  CLI11_PARSE(app, argc, argv);
  FaultTally tally;
  RunAll(devices::kSmallN4, std::nullopt, only, tally);
  RunAll(devices::kSmallN8, 1, only, tally);
  RunAll(devices::kSmallN4Bf16, 1, only, tally);
  int injected = 0;
  int failed = 0;
  nlohmann::json json = nlohmann::json::array();
  fmt::print("{:42} {:>8} {:>6}\n", "fault", "injected", "failed");
  for (const FaultTally::Row& row : tally.rows()) {
    fmt::print("{:42} {:8} {:6}\n", row.kind, row.injected, row.failed);
    json.push_back({{"kind", row.kind}, {"injected", row.injected}, {"failed", row.failed}});
    injected += row.injected;
    failed += row.failed;
  }
  fmt::print("{:42} {:8} {:6}\n", "all", injected, failed);
  if (!json_file.empty()) {
    std::ofstream file(json_file);
    file << json.dump(2) << "\n";
    if (!file) throw Error::Format("{}: cannot write it", json_file);
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tpu::system_test

int main(int argc, char** argv) {
  try {
    return tpu::system_test::Main(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "tpu_faults: {}\n", e.what());
    return 2;
  }
}
