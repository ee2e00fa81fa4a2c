// SPDX-License-Identifier: Apache-2.0
// tpu_soak, tpu_soak_bf16, tpu_soak_n64: random programs on simulated machines, compared with the
// golden model, for as long as the user says. The program makes failing ones small and writes them
// out.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <span>

#include "asm/assembler.h"
#include "base/error.h"
#include "executable/executable_file.h"
#include "tests/system/run_case.h"
#include "tests/system/shrink.h"
#include "tests/system/soak_machines.h"

namespace tpu::system_test {
namespace {

using Clock = std::chrono::steady_clock;

void WriteFile(const std::filesystem::path& path, std::span<const char> bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (!file) throw Error::Format("{}: cannot write it", path.string());
  fmt::print("wrote {}\n", path.string());
}

class Soak {
 public:
  explicit Soak(std::filesystem::path out) : out_(std::move(out)) {}

  void Run(std::uint64_t first_seed, std::chrono::seconds time) {
    const Clock::time_point end = start_ + time;
    Clock::time_point report_at = start_ + kReportInterval;
    std::uint64_t seed = first_seed;
    do {
      RunSeed(seed++);
      if (Clock::now() >= report_at) {
        Report();
        report_at += kReportInterval;
      }
    } while (Clock::now() < end);
    Report();
    fmt::print("seeds {} to {}: {} failed\n", first_seed, seed - 1, failures_);
  }

  [[nodiscard]] bool failed() const { return failures_ != 0; }

 private:
  static constexpr std::chrono::seconds kReportInterval{10};

  void RunSeed(std::uint64_t seed) {
    try {
      Case c = DrawCase(seed, SoakMachines());
      const CaseResult result = RunCase(c);
      ++programs_;
      instructions_ += c.program.body.size();
      cycles_ += result.report.cycles;
      for (std::size_t units = 0; units < result.cycles_by_units.size(); ++units) {
        body_cycles_ += result.cycles_by_units[units];
        unit_cycles_ += units * result.cycles_by_units[units];
      }
      if (!result.failure.empty()) ReportFailure(seed, std::move(c), result.failure);
    } catch (const Error& error) {
      ++failures_;
      fmt::print("seed {}: {}\n", seed, error.what());
    }
  }

  void ReportFailure(std::uint64_t seed, Case c, const std::string& failure) {
    ++failures_;
    fmt::print("seed {} on {}, {} instructions: {}\n", seed, c.machine.name, c.program.body.size(),
               failure);
    std::fflush(stdout);
    int runs = 0;
    const auto fails = [&c, &runs](const RandomProgram& program) {
      ++runs;
      return !RunCase({c.machine, c.memory, program}).failure.empty();
    };
    // A quick and even memory, if it fails with that too.
    Case plain = c;
    plain.memory = {};
    if (!RunCase(plain).failure.empty()) c.memory = plain.memory;
    c.program = Shrink(std::move(c.program), fails);
    const std::string text = assembly::Disassemble(c.program.body);
    fmt::print("after {} runs, {} instructions are left: {}\n{}", runs, c.program.body.size(),
               RunCase(c).failure, text);
    WriteFile(out_ / fmt::format("seed{}.s", seed), text);
    const auto bytes = executable::Serialise(ToExecutable(c.program));
    WriteFile(out_ / fmt::format("seed{}.tpu", seed),
              {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }

  void Report() const {
    const std::chrono::duration<double> passed = Clock::now() - start_;
    fmt::print(
        "{:.0f} s: {} programs, {} instructions, {} cycles, {:.0f} cycles/s, {:.2f} units at "
        "work in an average cycle, {} failures\n",
        passed.count(), programs_, instructions_, cycles_,
        static_cast<double>(cycles_) / passed.count(),
        static_cast<double>(unit_cycles_) / static_cast<double>(body_cycles_), failures_);
    std::fflush(stdout);
  }

  std::filesystem::path out_;
  Clock::time_point start_ = Clock::now();
  std::uint64_t programs_ = 0;
  std::uint64_t instructions_ = 0;
  std::uint64_t cycles_ = 0;
  std::uint64_t body_cycles_ = 0;
  std::uint64_t unit_cycles_ = 0;
  int failures_ = 0;
};

int Main(int argc, char** argv) {
  CLI::App app{"Random programs on the simulated machines, compared with the golden model"};
  int seconds = 60;
  std::uint64_t seed = 1;
  std::string out = ".";
  app.add_option("--seconds", seconds, "How long; one program is always run");
  app.add_option("--seed", seed, "Of the first program; each further one has the next");
  app.add_option("--out", out, "Where to write what is left of failing programs");
  CLI11_PARSE(app, argc, argv);
  Soak soak(out);
  soak.Run(seed, std::chrono::seconds(seconds));
  return soak.failed() ? 1 : 0;
}

}  // namespace
}  // namespace tpu::system_test

int main(int argc, char** argv) {
  try {
    return tpu::system_test::Main(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "tpu_soak: {}\n", e.what());
    return 2;
  }
}
