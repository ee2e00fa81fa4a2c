// The loop nest of a VECTOR instruction for one of its streams of rows
// (rtl/vector/tpu_vector_walk.v).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/instruction.h"

namespace tpu::timing {

/// How an instruction goes through the lanes (rtl/vector/tpu_vector_slot.v).
struct VectorPattern {
  bool columns = false;  ///< Column by column instead of tap by tap.
  bool pair = false;     ///< Windows are two columns apart.
};
VectorPattern PatternOf(const isa::Vector& vector, std::uint32_t ub_rows);

/// Taps or columns of an instruction: the cycles that it takes when nothing holds it back.
std::uint64_t StepsOf(const isa::Vector& vector, std::uint32_t ub_rows);

class VectorWalk {
 public:
  static constexpr std::size_t kLevels =
      5;  ///< Innermost first: kw, kh, ow, oh, cb; of columns ow, oh, cb.

  VectorWalk() = default;
  /// Stream 0, 1 or 2.
  VectorWalk(const isa::Vector& vector, VectorPattern pattern, unsigned stream);

  /// Row of the buffer, modulo its size.
  [[nodiscard]] std::uint32_t row() const { return weight() ? weight_row_ : place_.row; }
  [[nodiscard]] bool inside() const { return weight() ? reads_weights_ : in_image_; }
  /// A row of weights, not of pixels.
  [[nodiscard]] bool weight() const { return weights_ != 0; }
  [[nodiscard]] bool window_last() const { return (left_[0] | left_[1]) == 0; }
  [[nodiscard]] bool last() const { return !weight() && level_ == kLevels; }
  /// The loop that Step advances; kLevels: none, this is the last step.
  [[nodiscard]] std::size_t level() const { return level_; }
  void Step() {
    if (level_ != innermost_ || weights_ != 0) return StepOuter();
    // Nothing but the innermost of the loops with more than one iteration moves.
    Move(innermost_);
    if (--left_[innermost_] == 0) FindLevel();
  }

 private:
  // 20 bits in the machine; bounds are far from where that shows.
  struct Place {
    std::uint32_t row = 0;
    std::int32_t y = 0;
    std::int32_t x = 0;
  };

  void StepOuter();
  void FindLevel();
  void Move(std::size_t level) {
    Place& place = at_[level];
    place.row += stride_[level].row;
    place.y += stride_[level].y;
    place.x += stride_[level].x;
    Arrive(place);
  }
  void Arrive(const Place& place) {
    place_ = place;
    in_image_ = place.y >= 0 && place.y < y_bound_ && place.x >= 0 && place.x < x_bound_;
  }

  std::array<std::uint32_t, kLevels> left_{};  // Iterations after this one.
  std::array<std::uint32_t, kLevels> start_{};
  std::array<Place, kLevels> at_{};  // Where a loop's current iteration begins.
  Place place_;
  std::array<Place, kLevels> stride_{};
  std::int32_t y_bound_ = 0;
  std::int32_t x_bound_ = 0;
  bool columns_ = false;
  bool reads_weights_ = false;
  bool in_image_ = false;
  std::size_t level_ = 0;
  std::size_t innermost_ = 0;
  unsigned weights_ = 0;  // Still to come before the next column.
  std::uint32_t weight_row_ = 0;
};

}  // namespace tpu::timing
