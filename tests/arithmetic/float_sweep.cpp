// SPDX-License-Identifier: Apache-2.0
// tpu_float_sweep: every fp32 input of every floating-point function against the host's
// mathematical library, and random multiply-adds against the host's. Prints the largest errors in
// units in the last place.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <exception>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "arithmetic/float/float32.h"
#include "tests/arithmetic/float_error.h"
#include "tests/arithmetic/float_oracle.h"

namespace tpu::float_sweep {
namespace {

constexpr double kMaxUlp = 2;
constexpr std::uint64_t kInputs = std::uint64_t{1} << 32;

/// Runs `work(first, last)` on pieces of [0, count) in several threads, and says how far it has
/// come.
template <typename Work>
void Split(const std::string& what, std::uint64_t count, std::uint64_t piece, unsigned threads,
           const Work& work) {
  std::atomic<std::uint64_t> next = 0;
  std::mutex printing;
  const auto run = [&] {
    for (std::uint64_t first = next.fetch_add(piece); first < count;
         first = next.fetch_add(piece)) {
      work(first, std::min(first + piece, count));
      const std::lock_guard lock(printing);
      fmt::print(stderr, "\r{}: {:.0f} % ", what,
                 100.0 * static_cast<double>(first) / static_cast<double>(count));
    }
  };
  std::vector<std::thread> pool;
  for (unsigned i = 0; i < threads; ++i) pool.emplace_back(run);
  for (auto& thread : pool) thread.join();
  fmt::print(stderr, "\r{:40}\r", "");
}

float_error::Worst SweepFunction(const float_error::Function& f, std::uint64_t step,
                                 unsigned threads) {
  float_error::Worst all;
  std::mutex joining;
  // Pieces start with what is known to be bad, so that the exact library has little to do.
  Split(std::string(f.name), kInputs, kInputs / 256, threads,
        [&](std::uint64_t first, std::uint64_t last) {
          float_error::Worst worst;
          {
            const std::lock_guard lock(joining);
            worst.ulp = all.ulp;
          }
          float_error::Measure(f, first, last, step, worst);
          const std::lock_guard lock(joining);
          if (worst.ulp > all.ulp) {
            all.ulp = worst.ulp;
            all.input = worst.input;
          }
          all.wrong += worst.wrong;
          if (worst.wrong != 0) all.wrong_input = worst.wrong_input;
        });
  return all;
}

std::uint64_t SweepFma(std::uint64_t count, std::uint64_t seed, unsigned threads) {
  std::atomic<std::uint64_t> wrong = 0;
  constexpr std::uint64_t kPiece = 1000000;
  std::mutex printing;
  Split("fma", count, kPiece, threads, [&](std::uint64_t first, std::uint64_t last) {
    float_oracle::Triple t{};
    const std::uint64_t found = float_oracle::CountWrong(seed + first, last - first, t);
    wrong += found;
    if (found == 0) return;
    const std::lock_guard lock(printing);
    fmt::print("{:a} + {:a} * {:a} = {:a}, got {:a}\n", t.s, t.a, t.b,
               float_oracle::Fma(t.s, t.a, t.b), arithmetic::Fma(t.s, t.a, t.b));
  });
  return wrong;
}

int Main(int argc, char** argv) {
  CLI::App app("The floating-point arithmetic against the host's");
  std::uint64_t step = 1;
  std::uint64_t triples = 1000000000;
  std::uint64_t seed = 1;
  unsigned threads = std::max(1U, std::thread::hardware_concurrency());
  std::string json;
  app.add_option("--step", step, "Take every n-th input of a function")->check(CLI::PositiveNumber);
  app.add_option("--triples", triples, "Multiply-adds");
  app.add_option("--seed", seed, "Of the multiply-adds");
  app.add_option("--threads", threads, "Threads")->check(CLI::PositiveNumber);
  app.add_option("--json", json, "Write the results to this file");
  CLI11_PARSE(app, argc, argv);

  bool passed = true;
  nlohmann::ordered_json report;
  report["step"] = step;
  fmt::print("{:12} {:>8}  {}\n", "function", "max ulp", "at");
  for (const auto& f : float_error::kFunctions) {
    const auto worst = SweepFunction(f, step, threads);
    const bool good = worst.wrong == 0 && worst.ulp <= kMaxUlp;
    passed &= good;
    fmt::print("{:12} {:8.4f}  0x{:08X}{}\n", f.name, worst.ulp, worst.input,
               good ? "" : "  FAILED");
    if (worst.wrong != 0) {
      fmt::print("  {} inputs give another kind of number, as 0x{:08X} does\n", worst.wrong,
                 worst.wrong_input);
    }
    std::fflush(stdout);
    report["functions"][std::string(f.name)] = {
        {"max_ulp", worst.ulp}, {"input", worst.input}, {"wrong_kind", worst.wrong}};
  }
  const std::uint64_t wrong = SweepFma(triples, seed, threads);
  passed &= wrong == 0;
  fmt::print("{} multiply-adds (seed {}): {} differ from the host's\n", triples, seed, wrong);
  report["fma"] = {{"triples", triples}, {"seed", seed}, {"wrong", wrong}};
  report["passed"] = passed;
  if (!json.empty()) {
    std::ofstream file(json);
    file << report.dump(1) << '\n';
    if (!file) {
      fmt::print(stderr, "{}: cannot write it\n", json);
      return 2;
    }
  }
  return passed ? 0 : 1;
}

}  // namespace
}  // namespace tpu::float_sweep

int main(int argc, char** argv) {
  try {
    return tpu::float_sweep::Main(argc, argv);
  } catch (const std::exception& e) {
    fmt::print(stderr, "tpu_float_sweep: {}\n", e.what());
    return 2;
  }
}
