// SPDX-License-Identifier: Apache-2.0
// Data movement as strided copies: what PAD, CONCATENATION, TRANSPOSE and their like become.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "ir/graph.h"

namespace tpu::ir {

/// Elements from one index of each axis to the next, row-major.
Shape StridesOf(const Shape& shape);

/// A box of `size` elements between tensors of these shapes, at these positions. Input element
/// `from + i*from_step`, output element `to + i*to_step` along each axis.
struct Box {
  Shape size;
  Shape from;
  Shape from_step;  ///< Empty: all 1. 0 repeats an element.
  Shape to;
  Shape to_step;  ///< Empty: all 1.
};
Move::Copy CopyBox(std::size_t input, const Shape& from_shape, const Shape& to_shape,
                   const Box& box);

/// The same order of elements on both sides, without gaps: all of the input, or its first ones.
bool IsIdentity(const Move& move);

/// Loops without those of one iteration, and with those joined that run on without a gap on both
/// sides.
std::vector<Move::Loop> Simplified(std::vector<Move::Loop> loops);

// The operators. Shapes are the operator's own; all inputs and outputs have the same element type.
Move MoveOf(const Concatenation& op, std::span<const Shape> inputs, const Shape& output);
Move MoveOf(const Pack& op, std::span<const Shape> inputs, const Shape& output);
Move MoveOf(const Slice& op, const Shape& input, const Shape& output);
Move MoveOf(const Transpose& op, const Shape& input, const Shape& output);
Move MoveOf(const Gather& op, const Shape& input, const Shape& output);
/// [n, h, w, c]. What lies outside of the image comes from a second input, a row of
/// `FillElements(output)` elements.
Move MoveOf(const SpaceToBatch& op, const Shape& input, const Shape& output);
Move MoveOf(const SpaceToDepth& op, const Shape& input, const Shape& output);
Move MoveOf(const Replicate& op, const Shape& input, const Shape& output);
/// RESIZE_NEAREST_NEIGHBOR is a gather along rows and one along columns.
std::array<Gather, 2> GathersOf(const Resize& op, const Shape& input, const Shape& output);
/// RESIZE_NEAREST_NEIGHBOR at once.
Move MoveOf(const Resize& op, const Shape& input, const Shape& output);
/// Output number `index` of SPLIT, whose outputs before it cover `begin` elements of the axis.
Move SplitMove(const SplitAxis& op, std::int64_t begin, const Shape& input, const Shape& output);
Move UnpackMove(const Unpack& op, std::int64_t index, const Shape& input, const Shape& output);
/// The shape with `count` axes from `axis` on as one.
Shape WithJoinedAxes(const Shape& shape, std::size_t axis, std::size_t count);
/// Along one axis of `size` elements: which element each one of the padded axis is.
std::vector<std::int64_t> MirroredIndices(const MirrorPad& op, std::size_t axis, std::int64_t size);
/// The first input with the second one at `begin`.
Move UpdateMove(const UpdateSlice& op, const Shape& update, const Shape& output);
/// Numpy's broadcasting.
Move BroadcastMove(const Shape& input, const Shape& output);

/// The input at `before`, `step` apart, and the second input, a row of `FillElements(output)`
/// elements, around and between.
struct Embedding {
  Shape before;
  Shape step;
};
Move EmbedMove(const Embedding& embedding, const Shape& input, const Shape& output);
std::int64_t FillElements(const Shape& output);

}  // namespace tpu::ir
