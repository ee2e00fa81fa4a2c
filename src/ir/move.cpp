// SPDX-License-Identifier: Apache-2.0
#include "ir/move.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>

namespace tpu::ir {
namespace {

// Longer rows of fill would not move any faster.
constexpr std::int64_t kMostFill = 4096;

std::int64_t ElementsOf(const Shape& shape) {
  std::int64_t elements = 1;
  for (const std::int64_t d : shape) elements *= d;
  return elements;
}

Shape Zeros(const Shape& like) { return Shape(like.size(), 0); }

// A box of the output from the second input, a row of FillElements(output) elements.
Move::Copy FillBox(const Shape& to, const Shape& size, const Shape& output) {
  const std::int64_t fill = FillElements(output);
  const Shape strides = StridesOf(output);
  Move::Copy copy = {.input = 1};
  for (std::size_t a = 0; a < size.size(); ++a) {
    copy.to += to[a] * strides[a];
    copy.loops.push_back({.count = size[a],
                          .from_stride = strides[a] < fill ? strides[a] : 0,
                          .to_stride = strides[a]});
  }
  return copy;
}

// Patterns of indices longer than this are not looked for.
constexpr std::size_t kMostPeriod = 64;

// The shape with ones in front, so that it has `rank` axes.
Shape Padded(const Shape& shape, std::size_t rank) {
  Shape padded(rank - shape.size(), 1);
  padded.insert(padded.end(), shape.begin(), shape.end());
  return padded;
}

Shape WithAxis(Shape shape, std::int64_t axis, std::int64_t size) {
  shape.insert(shape.begin() + axis, size);
  return shape;
}

// Outputs first, first + step, ... that take inputs from, from + from_step, ...
struct Progression {
  std::int64_t to = 0;
  std::int64_t to_step = 1;
  std::int64_t from = 0;
  std::int64_t from_step = 0;
  std::int64_t count = 0;
};

// A list of indices as few progressions with one step between their outputs.
std::vector<Progression> Progressions(const std::vector<std::int64_t>& indices) {
  const std::size_t size = indices.size();
  const auto repeats = [&](std::size_t period) {
    for (std::size_t i = 0; i + 2 * period < size; ++i) {
      if (indices[i + 2 * period] - indices[i + period] != indices[i + period] - indices[i]) {
        return false;
      }
    }
    return true;
  };
  std::size_t period = 1;
  while (period <= kMostPeriod && !repeats(period)) ++period;
  if (period > kMostPeriod) period = size;
  std::vector<Progression> progressions;
  for (std::size_t first = 0; first < std::min(period, size); ++first) {
    const std::size_t count = (size - first + period - 1) / period;
    progressions.push_back({.to = static_cast<std::int64_t>(first),
                            .to_step = static_cast<std::int64_t>(period),
                            .from = indices[first],
                            .from_step = count > 1 ? indices[first + period] - indices[first] : 0,
                            .count = static_cast<std::int64_t>(count)});
  }
  return progressions;
}

// TensorFlow Lite computes these in float32.
std::vector<std::int64_t> NearestIndices(std::int64_t in, std::int64_t out, const Resize& op) {
  const bool corners = op.align_corners && out > 1;
  const float scale = corners ? static_cast<float>(in - 1) / static_cast<float>(out - 1)
                              : static_cast<float>(in) / static_cast<float>(out);
  std::vector<std::int64_t> indices;
  for (std::int64_t i = 0; i < out; ++i) {
    const float position = (static_cast<float>(i) + (op.half_pixel_centers ? 0.5F : 0.0F)) * scale;
    const float rounded = op.align_corners ? std::round(position) : std::floor(position);
    indices.push_back(std::clamp<std::int64_t>(static_cast<std::int64_t>(rounded), 0, in - 1));
  }
  return indices;
}

}  // namespace

Shape StridesOf(const Shape& shape) {
  Shape strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

Move::Copy CopyBox(std::size_t input, const Shape& from_shape, const Shape& to_shape,
                   const Box& box) {
  const Shape from_strides = StridesOf(from_shape);
  const Shape to_strides = StridesOf(to_shape);
  Move::Copy copy = {.input = input};
  for (std::size_t a = 0; a < box.size.size(); ++a) {
    const std::int64_t from_step = box.from_step.empty() ? 1 : box.from_step[a];
    const std::int64_t to_step = box.to_step.empty() ? 1 : box.to_step[a];
    copy.from += box.from[a] * from_strides[a];
    copy.to += box.to[a] * to_strides[a];
    copy.loops.push_back({.count = box.size[a],
                          .from_stride = from_step * from_strides[a],
                          .to_stride = to_step * to_strides[a]});
  }
  return copy;
}

std::vector<Move::Loop> Simplified(std::vector<Move::Loop> loops) {
  std::erase_if(loops, [](const Move::Loop& loop) { return loop.count == 1; });
  std::vector<Move::Loop> joined;
  for (const Move::Loop& inner : loops) {
    if (!joined.empty() && joined.back().from_stride == inner.from_stride * inner.count &&
        joined.back().to_stride == inner.to_stride * inner.count) {
      joined.back() = {.count = joined.back().count * inner.count,
                       .from_stride = inner.from_stride,
                       .to_stride = inner.to_stride};
    } else {
      joined.push_back(inner);
    }
  }
  return joined;
}

bool IsIdentity(const Move& move) {
  if (move.copies.size() != 1) return false;
  const Move::Copy& copy = move.copies[0];
  const std::vector<Move::Loop> loops = Simplified(copy.loops);
  return copy.from == 0 && copy.to == 0 &&
         (loops.empty() ||
          (loops.size() == 1 && loops[0].from_stride == 1 && loops[0].to_stride == 1));
}

Move MoveOf(const Concatenation& op, std::span<const Shape> inputs, const Shape& output) {
  Move move;
  const auto axis = static_cast<std::size_t>(op.axis);
  std::int64_t position = 0;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Shape to = Zeros(output);
    to[axis] = position;
    move.copies.push_back(CopyBox(
        i, inputs[i], output,
        {.size = inputs[i], .from = Zeros(output), .from_step = {}, .to = to, .to_step = {}}));
    position += inputs[i][axis];
  }
  return move;
}

Move MoveOf(const Pack& op, std::span<const Shape> inputs, const Shape& output) {
  std::vector<Shape> with_axis;
  for (const Shape& input : inputs) with_axis.push_back(WithAxis(input, op.axis, 1));
  return MoveOf(Concatenation{.axis = op.axis}, with_axis, output);
}

Move MoveOf(const Slice& op, const Shape& input, const Shape& /*output*/) {
  return {.copies = {CopyBox(0, input, op.size,
                             {.size = op.size,
                              .from = op.begin,
                              .from_step = op.stride,
                              .to = Zeros(input),
                              .to_step = {}})}};
}

Move MoveOf(const Transpose& op, const Shape& input, const Shape& output) {
  const Shape from = StridesOf(input);
  const Shape to = StridesOf(output);
  Move::Copy copy;
  for (std::size_t a = 0; a < output.size(); ++a) {
    copy.loops.push_back({.count = output[a],
                          .from_stride = from[static_cast<std::size_t>(op.permutation[a])],
                          .to_stride = to[a]});
  }
  return {.copies = {copy}};
}

Shape WithJoinedAxes(const Shape& shape, std::size_t axis, std::size_t count) {
  const auto first = shape.begin() + static_cast<std::ptrdiff_t>(axis);
  const auto last = first + static_cast<std::ptrdiff_t>(count);
  Shape joined(shape.begin(), first);
  joined.push_back(std::accumulate(first, last, std::int64_t{1}, std::multiplies<>()));
  joined.insert(joined.end(), last, shape.end());
  return joined;
}

Move MoveOf(const Gather& op, const Shape& whole, const Shape& /*output*/) {
  const auto axis = static_cast<std::size_t>(op.axis);
  const Shape input = WithJoinedAxes(whole, axis, static_cast<std::size_t>(op.axes));
  Shape gathered = input;
  gathered[axis] = static_cast<std::int64_t>(op.indices.size());
  Move move;
  for (const Progression& p : Progressions(op.indices)) {
    Box box = {.size = input,
               .from = Zeros(input),
               .from_step = Shape(input.size(), 1),
               .to = Zeros(input),
               .to_step = Shape(input.size(), 1)};
    box.size[axis] = p.count;
    box.from[axis] = p.from;
    box.from_step[axis] = p.from_step;
    box.to[axis] = p.to;
    box.to_step[axis] = p.to_step;
    move.copies.push_back(CopyBox(0, input, gathered, box));
  }
  return move;
}

Move MoveOf(const SpaceToBatch& op, const Shape& input, const Shape& output) {
  const Shape& image = op.inverse ? output : input;
  const Shape& batch = op.inverse ? input : output;
  Move move;
  if (!op.inverse && ElementsOf(input) != ElementsOf(output)) {
    move.copies.push_back(FillBox(Zeros(output), output, output));
  }
  // Rows or columns of a batch that are at `offset` in their block and inside of the image.
  const auto inside = [&](std::size_t axis, std::int64_t offset) {
    const std::int64_t block = op.block[axis];
    const std::int64_t before = op.before[axis] - offset;
    const std::int64_t first = before > 0 ? (before + block - 1) / block : 0;
    const std::int64_t last =
        image[axis + 1] + before <= 0 ? -1 : (image[axis + 1] + before - 1) / block;
    return std::pair(first, std::min(last, batch[axis + 1] - 1) - first + 1);
  };
  for (std::int64_t y = 0; y < op.block[0]; ++y) {
    for (std::int64_t x = 0; x < op.block[1]; ++x) {
      const auto [row, rows] = inside(0, y);
      const auto [column, columns] = inside(1, x);
      if (rows <= 0 || columns <= 0) continue;
      const Shape in_image = {0, row * op.block[0] + y - op.before[0],
                              column * op.block[1] + x - op.before[1], 0};
      const Shape image_step = {1, op.block[0], op.block[1], 1};
      const Shape in_batch = {(y * op.block[1] + x) * image[0], row, column, 0};
      Box box = {.size = {image[0], rows, columns, image[3]},
                 .from = in_image,
                 .from_step = image_step,
                 .to = in_batch,
                 .to_step = {1, 1, 1, 1}};
      if (op.inverse) {
        std::swap(box.from, box.to);
        std::swap(box.from_step, box.to_step);
      }
      move.copies.push_back(CopyBox(0, input, output, box));
    }
  }
  return move;
}

Move MoveOf(const SpaceToDepth& op, const Shape& input, const Shape& output) {
  const Shape& image = op.inverse ? output : input;
  const Shape& depth = op.inverse ? input : output;
  const Shape blocks = {depth[0], depth[1], op.block, depth[2], op.block, image[3]};
  const Shape channels = {depth[0], depth[1], depth[2], op.block, op.block, image[3]};
  return MoveOf(Transpose{.permutation = {0, 1, 3, 2, 4, 5}}, op.inverse ? channels : blocks,
                op.inverse ? blocks : channels);
}

Move MoveOf(const Replicate& op, const Shape& input, const Shape& /*output*/) {
  Shape once;
  Shape tiled;
  for (std::size_t a = 0; a < input.size(); ++a) {
    once.insert(once.end(), {1, input[a]});
    tiled.insert(tiled.end(), {op.multiples[a], input[a]});
  }
  return BroadcastMove(once, tiled);
}

std::array<Gather, 2> GathersOf(const Resize& op, const Shape& input, const Shape& output) {
  return {Gather{.axis = 1, .indices = NearestIndices(input[1], output[1], op)},
          Gather{.axis = 2, .indices = NearestIndices(input[2], output[2], op)}};
}

Move MoveOf(const Resize& op, const Shape& input, const Shape& output) {
  Move move;
  for (const Progression& y : Progressions(NearestIndices(input[1], output[1], op))) {
    for (const Progression& x : Progressions(NearestIndices(input[2], output[2], op))) {
      move.copies.push_back(CopyBox(0, input, output,
                                    {.size = {input[0], y.count, x.count, input[3]},
                                     .from = {0, y.from, x.from, 0},
                                     .from_step = {1, y.from_step, x.from_step, 1},
                                     .to = {0, y.to, x.to, 0},
                                     .to_step = {1, y.to_step, x.to_step, 1}}));
    }
  }
  return move;
}

Move SplitMove(const SplitAxis& op, std::int64_t begin, const Shape& input, const Shape& output) {
  Shape from = Zeros(input);
  from[static_cast<std::size_t>(op.axis)] = begin;
  return {
      .copies = {CopyBox(
          0, input, output,
          {.size = output, .from = from, .from_step = {}, .to = Zeros(output), .to_step = {}})}};
}

Move UnpackMove(const Unpack& op, std::int64_t index, const Shape& input, const Shape& output) {
  return SplitMove({.axis = op.axis}, index, input, WithAxis(output, op.axis, 1));
}

std::vector<std::int64_t> MirroredIndices(const MirrorPad& op, std::size_t axis,
                                          std::int64_t size) {
  std::vector<std::int64_t> indices;
  for (std::int64_t i = op.before[axis]; i > 0; --i) indices.push_back(i - 1 + op.offset);
  for (std::int64_t i = 0; i < size; ++i) indices.push_back(i);
  for (std::int64_t i = 0; i < op.after[axis]; ++i) indices.push_back(size - 1 - op.offset - i);
  return indices;
}

Move UpdateMove(const UpdateSlice& op, const Shape& update, const Shape& output) {
  const Shape ones(output.size(), 1);
  const Shape zeros(output.size(), 0);
  return {
      .copies = {
          CopyBox(0, output, output,
                  {.size = output, .from = zeros, .from_step = ones, .to = zeros, .to_step = ones}),
          CopyBox(1, update, output,
                  {.size = update,
                   .from = zeros,
                   .from_step = ones,
                   .to = op.begin,
                   .to_step = ones})}};
}

Move BroadcastMove(const Shape& input, const Shape& output) {
  const Shape from = Padded(input, output.size());
  Box box = {
      .size = output, .from = Zeros(output), .from_step = {}, .to = Zeros(output), .to_step = {}};
  for (const std::int64_t d : from) box.from_step.push_back(d == 1 ? 0 : 1);
  return {.copies = {CopyBox(0, from, output, box)}};
}

std::int64_t FillElements(const Shape& output) {
  std::int64_t elements = output.empty() ? 1 : output.back();
  for (std::size_t a = output.size(); a-- > 1;) {
    if (elements * output[a - 1] > kMostFill) break;
    elements *= output[a - 1];
  }
  return elements;
}

Move EmbedMove(const Embedding& embedding, const Shape& input, const Shape& output) {
  Move move;
  const auto add_fill = [&](const Shape& to, const Shape& size) {
    if (ElementsOf(size) != 0) move.copies.push_back(FillBox(to, size, output));
  };
  // The frame: slabs before and after along each axis, within the input's span of earlier ones.
  Shape to = Zeros(output);
  Shape size = output;
  bool gaps = false;
  for (std::size_t a = 0; a < output.size(); ++a) {
    const std::int64_t span = (input[a] - 1) * embedding.step[a] + 1;
    gaps = gaps || embedding.step[a] > 1;
    const std::int64_t before = embedding.before[a];
    size[a] = before;
    add_fill(to, size);
    to[a] = before + span;
    size[a] = output[a] - before - span;
    add_fill(to, size);
    to[a] = before;
    size[a] = span;
  }
  if (gaps) add_fill(to, size);
  move.copies.push_back(CopyBox(0, input, output,
                                {.size = input,
                                 .from = Zeros(input),
                                 .from_step = {},
                                 .to = embedding.before,
                                 .to_step = embedding.step}));
  return move;
}

}  // namespace tpu::ir
