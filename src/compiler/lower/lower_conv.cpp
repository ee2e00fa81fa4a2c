// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/lower_conv.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "compiler/lower/column_sums.h"
#include "compiler/lower/computed_parameters.h"
#include "compiler/lower/computed_weights.h"
#include "compiler/lower/conv_instructions.h"
#include "compiler/lower/conv_shape.h"
#include "compiler/lower/matrix_weights.h"
#include "compiler/place/layout.h"
#include "compiler/schedule/schedule.h"
#include "compiler/tile/conv_tiling.h"
#include "timing/cycle.h"

namespace tpu::compiler {
namespace {

// The thin form needs contiguous (column, channel) bytes.
bool IsThin(const ConvJob& job, std::int64_t lanes) {
  return !job.matrices && !job.depthwise && !job.input.row && job.input.layout == Layout::kNhwc &&
         ThinPays(job.input.images.c, job.x.size, job.x.dilation, lanes);
}

// A layer's tilings are tried until the tries have this many instructions: programs for small
// machines are long, so that tries take long, and gain little.
constexpr std::size_t kTriedInstructions = 20'000;

// The tiling with which the program, up to and including this job, ends soonest by the timing
// model.
const ConvTiling& Fastest(const ConvJob& job, bool thin, const std::vector<ConvTiling>& tilings,
                          const Emitter& emitter) {
  const ConvTiling* fastest = &tilings.front();
  timing::Cycle least = timing::kNever;
  std::size_t tried = 0;
  for (const ConvTiling& tiling : tilings) {
    Emitter trial = emitter.Trial();
    EmitConvInstructions(job, thin, tiling, {}, trial);
    const timing::Cycle cycles =
        EstimateSchedule(trial.LastProgram(), trial.Config(), trial.LayerOverlap());
    if (cycles < least) {
      least = cycles;
      fastest = &tiling;
    }
    tried += trial.LastProgram().size();
    if (tried > kTriedInstructions) break;
  }
  return *fastest;
}

std::vector<std::uint8_t> WeightsOf(const ConvJob& job, bool thin, const ConvTiling& tiling,
                                    std::int64_t lanes) {
  if (job.block.Pixels() == 1) return PackWeights(job.weights, tiling, thin, lanes);
  return PackBlockWeights(job.weights, {.block = job.block, .y = job.y, .x = job.x}, tiling, lanes);
}

// For each of the matrices' zero parts a tile for each input channel block, with that weight
// everywhere.
std::vector<std::uint8_t> ZeroTiles(const ConvJob& job, std::int64_t lanes) {
  std::vector<std::uint8_t> tiles;
  for (const std::int8_t part : job.matrices->zero_parts) {
    const std::int64_t rows = ir::RoundUp(job.weights.ic, lanes);
    const std::size_t begin = tiles.size();
    tiles.resize(begin + static_cast<std::size_t>(rows * lanes), 0);
    std::fill_n(tiles.begin() + static_cast<std::ptrdiff_t>(begin), job.weights.ic * lanes,
                static_cast<std::uint8_t>(part));
  }
  return tiles;
}

std::vector<std::uint8_t> ParametersOf(const ConvJob& job, const isa::HardwareConfig& config) {
  const std::int64_t pieces = job.block.Pixels();
  return PackParameters(pieces == 1 ? job.parameters : InPieces(job.parameters, pieces, config),
                        config);
}

}  // namespace

void LowerConv(const ConvJob& job, Emitter& emitter) {
  const std::int64_t n = emitter.Lanes();
  bool thin = IsThin(job, n);
  const auto tilings = [&] {
    const ConvShape shape = ShapeOf(job, thin, n);
    const std::int64_t taken =
        UsesMatrixBuffers(job) ? MatrixBuffersOf(*job.matrices, emitter).Rows() : 0;
    std::vector<ConvTiling> found =
        ConvTilings(shape, emitter.Config(), emitter.LayerRows() - taken);
    if (found.empty()) {
      found = ConvTilings(shape, emitter.Config(), emitter.BufferRows() - taken);
    }
    return found;
  };
  std::vector<ConvTiling> candidates = tilings();
  if (candidates.empty() && thin) {
    thin = false;
    candidates = tilings();
  }
  if (candidates.empty() && job.block == kPair) {
    ConvJob alone = job;
    alone.block = {};
    LowerConv(alone, emitter);
    return;
  }
  if (candidates.empty()) {
    throw DoesNotFit(fmt::format("{}: one output pixel's window does not fit the machine's buffers",
                                 emitter.LayerName()));
  }
  const ConvTiling& tiling =
      emitter.TriesTilings() ? Fastest(job, thin, candidates, emitter) : candidates.front();
  ConvConstants constants;
  if (job.computed_weights) {
    constants.weights =
        CopyWeights(*job.computed_weights, WeightsOf(job, thin, tiling, n), n, emitter);
  } else if (!job.matrices) {
    constants.weights.address = emitter.AddConstant(WeightsOf(job, thin, tiling, n));
  } else if (job.matrices->tiled) {
    constants.weights = {.address = job.matrices->placement.address, .computed = true};
  }
  if (HasCommonSums(job)) constants.zero_tiles.address = emitter.AddConstant(ZeroTiles(job, n));
  constants.parameters = emitter.AddConstant(ParametersOf(job, emitter.Config()));
  if (job.bias) SetBiases(*job.bias, constants.parameters, emitter);
  if (job.subtracts_columns) SetColumnBiases(job, constants, emitter);
  EmitConvInstructions(job, thin, tiling, constants, emitter);
}

}  // namespace tpu::compiler
