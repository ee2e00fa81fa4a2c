// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/lower_elementwise.h"

#include <algorithm>
#include <cstddef>

namespace tpu::compiler {

void SetUniformParameters(VectorJob& job, const LaneParameters& value, std::int64_t lanes) {
  job.parameters.assign(static_cast<std::size_t>(lanes), value);
  job.entry_of_taps.clear();
  job.shared_parameters = true;
}

// Tensors in memory of one layout are runs of elements: whole rows of N, then what is left.
void LowerElementwise(VectorJob job, Emitter& emitter) {
  const std::int64_t lanes = emitter.Lanes();
  const bool runs = !job.output.row &&
                    std::all_of(job.inputs.begin(), job.inputs.end(), [&](const Placement& input) {
                      return !input.row && input.layout == job.output.layout;
                    });
  const auto lower_as = [&](const Images& images, std::int64_t offset) {
    VectorJob part = job;
    const auto view = [&](Placement& placement) {
      placement.images = images;
      if (!runs) return;
      placement.address += static_cast<std::uint64_t>(placement.format.BytesOf(offset));
      placement.layout = Layout::kNhwc;
    };
    for (Placement& input : part.inputs) view(input);
    view(part.output);
    part.y.input = images.h;
    part.x.input = images.w;
    LowerVector(part, emitter);
  };
  if (!runs) {
    lower_as(job.output.images, 0);
    return;
  }
  const std::int64_t elements =
      job.output.images.n * job.output.ImageBytes(lanes) / job.output.format.Bytes();
  if (elements >= lanes) lower_as({.w = elements / lanes, .c = lanes}, 0);
  if (elements % lanes != 0) lower_as({.w = 1, .c = elements % lanes}, elements / lanes * lanes);
}

}  // namespace tpu::compiler
