// SPDX-License-Identifier: Apache-2.0
#include "compiler/program/parameters.h"

#include <algorithm>
#include <cstddef>

namespace tpu::compiler {
namespace {

void AppendLittleEndian(std::vector<std::uint8_t>& bytes, std::int32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes.push_back(static_cast<std::uint8_t>(static_cast<std::uint32_t>(value) >> shift));
  }
}

}  // namespace

std::vector<LaneParameters> InPieces(const std::vector<LaneParameters>& lanes, std::int64_t pieces,
                                     const isa::HardwareConfig& config) {
  const std::size_t n = config.n;
  const std::size_t size = n / static_cast<std::size_t>(pieces);
  std::vector<LaneParameters> result;
  for (std::size_t first = 0; first < lanes.size(); first += n) {
    for (std::size_t piece = 0; piece < static_cast<std::size_t>(pieces); ++piece) {
      for (std::size_t lane = 0; lane < n; ++lane) {
        const std::size_t channel = first + piece * size + lane % size;
        result.push_back(channel < lanes.size() ? lanes[channel] : LaneParameters{});
      }
    }
  }
  return result;
}

std::vector<std::uint8_t> PackParameters(const std::vector<LaneParameters>& lanes,
                                         const isa::HardwareConfig& config) {
  const std::size_t n = config.n;
  std::vector<std::uint8_t> bytes;
  bytes.reserve((lanes.size() + n - 1) / n * config.ParamEntryBytes());
  for (std::size_t first = 0; first < lanes.size(); first += n) {
    std::vector<LaneParameters> entry(n);
    std::copy_n(lanes.begin() + static_cast<std::ptrdiff_t>(first),
                std::min(n, lanes.size() - first), entry.begin());
    for (const LaneParameters& lane : entry) AppendLittleEndian(bytes, lane.bias);
    for (const LaneParameters& lane : entry) AppendLittleEndian(bytes, lane.multiplier.multiplier);
    for (const LaneParameters& lane : entry) {
      bytes.push_back(static_cast<std::uint8_t>(lane.multiplier.shift));
    }
  }
  return bytes;
}

}  // namespace tpu::compiler
