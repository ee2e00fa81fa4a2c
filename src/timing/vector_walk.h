// SPDX-License-Identifier: Apache-2.0
// The loop nest of a VECTOR instruction for one of its streams of rows
// (rtl/vector/tpu_vector_walk.v).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/hardware_config.h"
#include "isa/instruction.h"

namespace tpu::timing {

/// How an instruction goes through the lanes (rtl/vector/tpu_vector_slot.v).
struct VectorPattern {
  bool columns = false;  ///< Column by column instead of tap by tap.
  bool pair = false;     ///< Windows are two columns apart.
};
VectorPattern PatternOf(const isa::Vector& vector, const isa::HardwareConfig& config);

/// Taps or columns of an instruction.
std::uint64_t StepsOf(const isa::Vector& vector, VectorPattern pattern);
/// The cycles that an instruction takes when nothing holds it back.
std::uint64_t CyclesOf(const isa::Vector& vector, const isa::HardwareConfig& config);

class VectorWalk {
 public:
  static constexpr std::size_t kLevels =
      5;  ///< Innermost first: kw, kh, ow, oh, cb; by columns: ow, oh, cb.

  VectorWalk() = default;
  /// `stream`: 0 (source A), 1 or 2.
  VectorWalk(const isa::Vector& vector, VectorPattern pattern, unsigned stream);

  /// Row of the buffer, modulo its size.
  [[nodiscard]] std::uint32_t row() const { return row_; }
  [[nodiscard]] bool inside() const { return inside_; }
  /// Whether the row holds weights, not pixels.
  [[nodiscard]] bool weight() const { return weight_; }
  [[nodiscard]] bool window_last() const { return level_ > 1; }
  [[nodiscard]] bool last() const { return level_ == kLevels && !weight_; }
  /// The loop that Step advances; kLevels: none, because this is the last step. A row of weights
  /// has the level of the column after it.
  [[nodiscard]] std::size_t level() const { return level_; }

  /// How many steps from this one on are alike: only row() changes among them, by `row_step`.
  [[nodiscard]] std::uint32_t run() const { return run_; }
  [[nodiscard]] std::uint32_t row_step() const { return row_step_; }
  /// How many steps, this one included, have rows that are row_step() apart. Rows outside the image
  /// count, too. The last step of the walk does not count.
  [[nodiscard]] std::uint32_t line() const {
    if (weight_) return run_;
    return line_left_ + (outer_ == kLevels ? 0 : 1) - (run_length_ - run_);
  }

  void Step() { Skip(1); }
  /// Goes to the step after those that are alike.
  void NextRun();
  void Skip(std::uint32_t steps) {
    while (steps >= run_) {
      steps -= run_;
      NextRun();
    }
    row_ += steps * row_step_;
    run_ -= steps;
  }

 private:
  // The machine has 20 bits for these numbers. No legal program comes near that bound.
  struct Place {
    std::uint32_t row = 0;
    std::int32_t y = 0;
    std::int32_t x = 0;
    void Move(const Place& stride, std::int32_t count);
  };

  void StartLine();
  void StartRun();
  void StartWeights();
  [[nodiscard]] bool Inside(const Place& place) const;
  [[nodiscard]] std::uint32_t Alike() const;

  // The run: steps that are alike.
  std::uint32_t row_ = 0;
  std::uint32_t row_step_ = 0;
  std::uint32_t run_ = 1;
  bool inside_ = false;
  bool weight_ = false;
  std::size_t level_ = 0;

  // A line is all iterations of the innermost loop that has more than one iteration.
  std::size_t innermost_ = 0;
  std::size_t outer_ = 0;         // The loop that leads on to the next line.
  Place place_;                   // Where the run begins.
  std::uint32_t run_length_ = 0;  // Steps of the run.
  std::uint32_t line_left_ = 0;   // Iterations of the line after the run's first step.

  std::array<std::uint32_t, kLevels> left_{};  // Iterations after this one.
  std::array<std::uint32_t, kLevels> start_{};
  std::array<Place, kLevels> at_{};  // Where a loop's current iteration begins.
  std::array<Place, kLevels> stride_{};
  std::int32_t y_bound_ = 0;
  std::int32_t x_bound_ = 0;
  bool columns_ = false;
  bool reads_weights_ = false;
  std::uint32_t weight_row_ = 0;
};

}  // namespace tpu::timing
