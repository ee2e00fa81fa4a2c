// SPDX-License-Identifier: Apache-2.0
#include "reference_move.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

namespace tpu::reference {
namespace {

using Index = std::vector<std::int64_t>;

// Where an output element comes from; no place: `fill`.
struct Source {
  std::size_t input = 0;
  std::optional<Index> place;
  std::int8_t fill = 0;
};

std::size_t Flat(const Index& shape, const Index& index) {
  std::int64_t flat = 0;
  for (std::size_t a = 0; a < shape.size(); ++a) flat = flat * shape[a] + index[a];
  return static_cast<std::size_t>(flat);
}

// Calls visit(index) for each index of the shape, the last axis fastest.
void ForEach(const Index& shape, const std::function<void(const Index&)>& visit) {
  Index index(shape.size(), 0);
  while (true) {
    visit(index);
    std::size_t a = shape.size();
    while (a > 0 && ++index[a - 1] == shape[a - 1]) index[--a] = 0;
    if (a == 0) return;
  }
}

std::int64_t Nearest(std::int64_t i, std::int64_t in, std::int64_t out, const ir::Resize& op) {
  const bool corners = op.align_corners && out > 1;
  const float scale = corners ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                              : static_cast<float>(in) / static_cast<float>(out);
  const float x = (static_cast<float>(i) + (op.half_pixel_centers ? 0.5F : 0.0F)) * scale;
  return std::min(static_cast<std::int64_t>(op.align_corners ? std::round(x) : std::floor(x)),
                  in - 1);
}

class Mover {
 public:
  Mover(const ir::Graph& graph, const ir::Operator& op) : graph_(graph), op_(op) {}

  // Source of element `index` of output `output`.
  Source Find(const ir::Pad& a, std::size_t /*output*/, Index index) const {
    const Index& in = Shape(0);
    for (std::size_t axis = 0; axis < in.size(); ++axis) {
      index[axis] -= a.before[axis];
      if (index[axis] < 0 || index[axis] >= in[axis]) {
        return {.fill = static_cast<std::int8_t>(a.fill)};
      }
    }
    return {.place = index};
  }
  Source Find(const ir::Concatenation& a, std::size_t /*output*/, Index index) const {
    std::size_t input = 0;
    const auto axis = static_cast<std::size_t>(a.axis);
    while (index[axis] >= Shape(input)[axis]) index[axis] -= Shape(input++)[axis];
    return {.input = input, .place = index};
  }
  Source Find(const ir::SplitAxis& a, std::size_t output, Index index) const {
    const auto axis = static_cast<std::size_t>(a.axis);
    for (std::size_t o = 0; o < output; ++o) {
      index[axis] += graph_.tensors[op_.outputs[o]].shape[axis];
    }
    return {.place = index};
  }
  Source Find(const ir::Slice& a, std::size_t /*output*/, const Index& index) const {
    // The output may lack axes of size 1.
    auto rest = static_cast<std::int64_t>(Flat(graph_.tensors[op_.outputs[0]].shape, index));
    Index place(a.size.size());
    for (std::size_t axis = place.size(); axis-- > 0; rest /= a.size[axis]) {
      place[axis] = a.begin[axis] + rest % a.size[axis] * a.stride[axis];
    }
    return {.place = place};
  }
  Source Find(const ir::Pack& a, std::size_t /*output*/, Index index) const {
    const auto input = static_cast<std::size_t>(index[static_cast<std::size_t>(a.axis)]);
    index.erase(index.begin() + a.axis);
    return {.input = input, .place = index};
  }
  Source Find(const ir::Unpack& a, std::size_t output, Index index) const {
    index.insert(index.begin() + a.axis, static_cast<std::int64_t>(output));
    return {.place = index};
  }
  Source Find(const ir::Transpose& a, std::size_t /*output*/, const Index& index) const {
    Index place(index.size());
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      place[static_cast<std::size_t>(a.permutation[axis])] = index[axis];
    }
    return {.place = place};
  }
  Source Find(const ir::Gather& a, std::size_t /*output*/, Index index) const {
    // As many dimensions of the output stand in place of the axis as the indices have.
    const Index& out = graph_.tensors[op_.outputs[0]].shape;
    const std::size_t dimensions = out.size() + 1 - Shape(0).size();
    std::int64_t i = 0;
    for (std::size_t d = 0; d < dimensions; ++d) {
      const std::size_t axis = static_cast<std::size_t>(a.axis) + d;
      i = i * out[axis] + index[axis];
    }
    const auto first = index.begin() + a.axis;
    index.erase(first, first + static_cast<std::ptrdiff_t>(dimensions));
    index.insert(index.begin() + a.axis, a.indices[static_cast<std::size_t>(i)]);
    return {.place = index};
  }
  Source Find(const ir::SpaceToBatch& a, std::size_t /*output*/, Index index) const {
    const Index& out = graph_.tensors[op_.outputs[0]].shape;
    const std::size_t axes = index.size() - 2;
    const std::int64_t images = a.inverse ? out[0] : Shape(0)[0];
    std::int64_t block = a.inverse ? 0 : index[0] / images;
    index[0] = a.inverse ? index[0] : index[0] % images;
    if (a.inverse) {
      for (std::size_t axis = 0; axis < axes; ++axis) {
        const std::int64_t at = index[axis + 1] + a.before[axis];
        block = block * a.block[axis] + at % a.block[axis];
        index[axis + 1] = at / a.block[axis];
      }
      index[0] += block * images;
      return {.place = index};
    }
    for (std::size_t axis = axes; axis-- > 0; block /= a.block[axis]) {
      std::int64_t& at = index[axis + 1];
      at = at * a.block[axis] + block % a.block[axis] - a.before[axis];
      if (at < 0 || at >= Shape(0)[axis + 1]) {
        return {.fill = static_cast<std::int8_t>(graph_.tensors[op_.outputs[0]].zero_point)};
      }
    }
    return {.place = index};
  }
  Source Find(const ir::SpaceToDepth& a, std::size_t /*output*/, const Index& index) const {
    const std::int64_t b = a.block;
    if (a.inverse) {
      const std::int64_t block = index[1] % b * b + index[2] % b;
      const std::int64_t channels = Shape(0)[3] / (b * b);
      return {.place = Index{index[0], index[1] / b, index[2] / b, block * channels + index[3]}};
    }
    const std::int64_t channels = Shape(0)[3];
    const std::int64_t block = index[3] / channels;
    return {.place = Index{index[0], index[1] * b + block / b, index[2] * b + block % b,
                           index[3] % channels}};
  }
  Source Find(const ir::Replicate& /*a*/, std::size_t /*output*/, Index index) const {
    for (std::size_t axis = 0; axis < index.size(); ++axis) index[axis] %= Shape(0)[axis];
    return {.place = index};
  }
  Source Find(const ir::Resize& a, std::size_t /*output*/, Index index) const {
    const Index& out = graph_.tensors[op_.outputs[0]].shape;
    for (const std::size_t axis : {std::size_t{1}, std::size_t{2}}) {
      index[axis] = Nearest(index[axis], Shape(0)[axis], out[axis], a);
    }
    return {.place = index};
  }

  [[nodiscard]] const Index& Shape(std::size_t input) const {
    return graph_.tensors[op_.inputs[input]].shape;
  }

 private:
  const ir::Graph& graph_;
  const ir::Operator& op_;
};

}  // namespace

bool IsMove(const ir::Operator& op) {
  if (const auto* resize = std::get_if<ir::Resize>(&op.attributes)) {
    return resize->kind == ir::ResizeKind::kNearest;
  }
  return std::visit(
      [](const auto& attributes) {
        return requires(const Mover& mover) { mover.Find(attributes, std::size_t{}, Index{}); };
      },
      op.attributes);
}

std::vector<Values> MoveOutputs(const ir::Graph& graph, const ir::Operator& op,
                                const std::vector<Values>& inputs) {
  const Mover mover(graph, op);
  std::vector<Values> outputs;
  for (std::size_t o = 0; o < op.outputs.size(); ++o) {
    Values values;
    ForEach(graph.tensors[op.outputs[o]].shape, [&](const Index& index) {
      std::visit(
          [&](const auto& attributes) {
            if constexpr (requires { mover.Find(attributes, o, index); }) {
              const Source source = mover.Find(attributes, o, index);
              values.push_back(
                  source.place
                      ? inputs[source.input][Flat(mover.Shape(source.input), *source.place)]
                      : source.fill);
            }
          },
          op.attributes);
    });
    outputs.push_back(std::move(values));
  }
  return outputs;
}

}  // namespace tpu::reference
