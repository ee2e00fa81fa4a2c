// SPDX-License-Identifier: Apache-2.0
#include "compiler/lower/lower_elementwise.h"

#include <algorithm>
#include <cstddef>

#include "compiler/place/layout.h"

namespace tpu::compiler {

void SetUniformParameters(VectorJob& job, const LaneParameters& value, std::int64_t lanes) {
  job.parameters.assign(static_cast<std::size_t>(lanes), value);
  job.entry_of_taps.clear();
  job.shared_parameters = true;
}

std::vector<Placement> ElementwiseInputs(const OperatorContext& context,
                                         const std::vector<std::size_t>& inputs,
                                         std::int64_t lanes) {
  const Images output = ImagesOf(context.Output());
  const auto repeats = [](std::int64_t own, std::int64_t whole) {
    return own == whole || own == 1;
  };
  context.Require(!inputs.empty(), "one of the operands must have the shape of {}",
                  context.Output().name);
  std::vector<Placement> placements;
  for (const std::size_t i : inputs) {
    const Images images = ImagesOf(context.Input(i));
    const bool fits = placements.empty()
                          ? images == output
                          : (images.c == output.c || (images.c == lanes && lanes < output.c)) &&
                                repeats(images.n, output.n) && repeats(images.h, output.h) &&
                                repeats(images.w, output.w);
    context.Require(fits, "{} does not go with {} element by element", context.Input(i).name,
                    context.Output().name);
    placements.push_back(context.InputPlacement(i));
  }
  return placements;
}

// Tensors in memory of one layout are runs of elements: whole rows of N, then what is left.
void LowerElementwise(VectorJob job, Emitter& emitter) {
  const std::int64_t lanes = emitter.Lanes();
  const bool runs =
      !job.output.row && (!job.copy || job.copy->layout == job.output.layout) &&
      std::all_of(job.inputs.begin(), job.inputs.end(), [&](const Placement& input) {
        return !input.row && input.layout == job.output.layout && input.images == job.output.images;
      });
  const auto lower_as = [&](const Images& images, std::int64_t offset) {
    VectorJob part = job;
    const auto view = [&](Placement& placement) {
      if (!runs) return;
      placement.images = images;
      placement.address += static_cast<std::uint64_t>(placement.format.BytesOf(offset));
      placement.layout = Layout::kNhwc;
    };
    for (Placement& input : part.inputs) view(input);
    view(part.output);
    if (part.copy) view(*part.copy);
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
