// SPDX-License-Identifier: Apache-2.0
// How the gradient of a convolution's weights is cut into pieces that fit the machine.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/program/placement.h"
#include "isa/element_format.h"
#include "isa/hardware_config.h"

namespace tpu::compiler {

struct WeightGradientShape {
  Images x;  ///< What the convolution took.
  Images g;  ///< The gradient of what it made.
  ir::Window down;
  ir::Window across;
  /// Each channel block of g meets the channel block of x of the same index.
  bool depthwise = false;
  bool bias = false;     ///< Sums of g itself are wanted, too.
  bool minuend = false;  ///< Results are subtracted from a tensor,
  bool rounded = false;  ///< and stored in bfloat16, too.
};

/// The sum is over pixels, N of which are the rows of a weight tile. Tiles are cut from x; rows of
/// activations are channels of g, whose pixels the array turns into lanes before.
struct WeightGradientTiling {
  /// Parts whose sums are in the accumulators at the same time.
  std::vector<ir::Range> outputs;  ///< Channel blocks of g.
  std::vector<ir::Range> inputs;   ///< Channel blocks of x; depthwise, those of g.
  std::vector<ir::Range> taps;
  std::vector<ir::Range> rows;  ///< Of an image of g.
  /// All pixels of a chunk of g make one row, with zeros where the windows of two image rows
  /// would meet. Else each image row makes tiles by itself.
  bool flat = false;
  bool depthwise = false;
  /// Parts take turns in two halves of the accumulators, as the only sum of one is drained while
  /// that of the next is made.
  bool halves = false;
  /// Tiles of g take turns, as there is room for two.
  bool g_turns = false;
  double cycles = 0;  ///< Estimate.

  /// Parts of x that meet this part of g.
  [[nodiscard]] std::vector<ir::Range> InputsOf(const ir::Range& part) const {
    return depthwise ? std::vector{part} : inputs;
  }
};

/// Columns of an image of x that the windows reach, padding included.
std::int64_t ReachedColumns(const WeightGradientShape& shape);
/// Columns of a tile of g.
std::int64_t GradientColumns(const WeightGradientShape& shape, bool flat);
/// Tiles of `rows` image rows of g.
std::int64_t PixelBlocks(const WeightGradientShape& shape, bool flat, std::int64_t rows,
                         std::int64_t lanes);

/// UB rows of N numbers.
inline constexpr std::int64_t kBfloat16Rows = isa::kFormatOf<Bfloat16>.Bytes();
inline constexpr std::int64_t kFloat32Rows = isa::kFormatOf<float>.Bytes();

/// UB rows of the tiles.
struct WeightGradientRows {
  std::int64_t x = 0;
  std::int64_t g = 0;
  std::int64_t turned = 0;
  std::int64_t result = 0;  ///< Of a few channel blocks of x.
  std::int64_t identity = 0;
  bool loads = false;    ///< x is loaded more than once: two tiles take turns.
  bool chunks = false;   ///< So is g, which makes room once turned: turned tiles take turns.
  bool g_turns = false;  ///< So do tiles of g.
  [[nodiscard]] std::int64_t Sum() const {
    return x * (loads ? 2 : 1) + g * (g_turns ? 2 : 1) + turned * (chunks ? 2 : 1) + 2 * result +
           identity;
  }
};
/// Channel blocks of x that are drained together.
inline constexpr std::int64_t kDrainedBlocks = 4;
WeightGradientRows RowsOf(const WeightGradientShape& shape, const WeightGradientTiling& tiling,
                          std::int64_t lanes);

/// Accumulators in which g is turned, two of these taking turns; the others hold the sums.
std::int64_t TurningAccumulators(const isa::HardwareConfig& config);

/// The tiling with the fewest estimated cycles; one without rows when nothing fits.
WeightGradientTiling ChooseWeightGradientTiling(const WeightGradientShape& shape,
                                                const isa::HardwareConfig& config,
                                                std::int64_t buffer_rows);

}  // namespace tpu::compiler
