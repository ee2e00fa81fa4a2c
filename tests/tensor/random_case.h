// SPDX-License-Identifier: Apache-2.0
// Graphs of one operation with random shapes, attributes and inputs, for each operation that has a
// gradient.
#pragma once

#include <cstdint>
#include <functional>
#include <ostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tensor/builder.h"
#include "tests/tensor/evaluate.h"

namespace tpu::tensor {

/// Random numbers, and the inputs of the graph that they are for.
class RandomCase {
 public:
  explicit RandomCase(std::uint32_t seed) : random_(seed) {}

  Builder builder;
  std::vector<Values<double>> inputs;

  std::int64_t Int(std::int64_t lo, std::int64_t hi) {
    return std::uniform_int_distribution<std::int64_t>(lo, hi)(random_);
  }
  double Real(double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(random_);
  }
  bool Coin() { return Int(0, 1) == 1; }
  /// As many numbers between two bounds.
  Dimensions Ints(std::size_t count, std::int64_t lo, std::int64_t hi);
  /// Of 1 to 4 dimensions of 1 to 4 elements.
  Shape AnyShape() { return Ints(static_cast<std::size_t>(Int(1, 4)), 1, 4); }
  /// 0 to `count` - 1 in any order.
  Dimensions Permutation(std::int64_t count);
  /// Some of 0 to `count` - 1, ascending.
  Dimensions Subset(std::int64_t count);

  /// An input of f32 with numbers between two bounds.
  ValueId Input(Shape shape, double lo = -2, double hi = 2);

 private:
  std::mt19937 random_;
};

/// A kind of operation: its name, and what writes the graph and returns its result.
struct CaseKind {
  std::string name;
  std::function<ValueId(RandomCase&)> make;
};
const std::vector<CaseKind>& CaseKinds();
/// For names of tests.
inline void PrintTo(const CaseKind& kind, std::ostream* out) { *out << kind.name; }

/// A graph whose output is "result", and its inputs.
struct Case {
  Graph graph;
  std::vector<Values<double>> inputs;
};
Case MakeCase(const CaseKind& kind, std::uint32_t seed);

/// The same with one more input, "cotangent", and an output "gradient of NAME" for each input.
Case WithGradients(Case forward, std::uint32_t seed);

}  // namespace tpu::tensor
