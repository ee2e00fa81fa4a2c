// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/computed_parameters.h"

#include "compiler/lower/lower_move.h"
#include "isa/element_format.h"

namespace tpu::compiler {
namespace {

constexpr std::int64_t kBytes = isa::kBiasFormat.Bytes();
static_assert(isa::kMultiplierFormat.Bytes() == kBytes);

// Copies the number to all lanes.
void SetLanes(const Placement& value, std::uint64_t lanes, Emitter& emitter) {
  LowerCopy(value.address, lanes,
            {{.count = emitter.Lanes(), .from_stride = 0, .to_stride = kBytes},
             {.count = kBytes, .from_stride = 1, .to_stride = 1}},
            emitter);
}

}  // namespace

void SetMultipliers(const Placement& value, std::uint64_t entry, Emitter& emitter) {
  SetLanes(value, entry + static_cast<std::uint64_t>(emitter.Lanes() * kBytes), emitter);
}

void SetEqualBiases(const Placement& value, std::uint64_t entry, Emitter& emitter) {
  SetLanes(value, entry, emitter);
}

void SetBiases(const Placement& biases, std::uint64_t entries, Emitter& emitter) {
  const std::int64_t lanes = emitter.Lanes();
  const std::int64_t channels =
      biases.images.n * biases.images.h * biases.images.w * biases.images.c;
  const std::int64_t entry_bytes = emitter.Config().ParamEntryBytes();
  const std::int64_t whole = channels / lanes;
  if (whole > 0) {
    LowerCopy(biases.address, entries,
              {{.count = whole, .from_stride = lanes * kBytes, .to_stride = entry_bytes},
               {.count = lanes * kBytes, .from_stride = 1, .to_stride = 1}},
              emitter);
  }
  if (channels % lanes > 0) {
    LowerCopy(biases.address + static_cast<std::uint64_t>(whole * lanes * kBytes),
              entries + static_cast<std::uint64_t>(whole * entry_bytes),
              {{.count = channels % lanes * kBytes, .from_stride = 1, .to_stride = 1}}, emitter);
  }
}

}  // namespace tpu::compiler
