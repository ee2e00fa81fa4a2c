// SPDX-License-Identifier: Apache-2.0
// Operators that only move data.
#include <algorithm>
#include <cstring>

#include "compiler/legalise/copy_elements.h"
#include "compiler/legalise/legalise_rules.h"
#include "compiler/quantise/bfloat16.h"

namespace tpu::compiler {
namespace {

std::vector<ir::Shape> InputShapes(const OperatorView& view) {
  std::vector<ir::Shape> shapes;
  for (const ir::TensorId id : view.op.inputs) shapes.push_back(view.graph.At(id).shape);
  return shapes;
}

template <typename T>
std::vector<T> Repeated(std::int64_t value, std::int64_t count) {
  return std::vector<T>(static_cast<std::size_t>(count), static_cast<T>(value));
}

// A constant row of `count` elements of the tensor's type.
ir::TensorId AddFill(const OperatorView& view, const ir::Tensor& like, std::int64_t value,
                     std::int64_t count) {
  ir::Tensor fill;
  fill.name = view.op.name + "/fill";
  fill.type = like.type;
  fill.shape = {count};
  fill.scale = like.scale;
  fill.zero_point = like.zero_point;
  switch (like.type) {
    case ElementType::kInt8:
      fill.data = Repeated<std::int8_t>(value, count);
      break;
    case ElementType::kUint8:
    case ElementType::kBool:
      fill.data = Repeated<std::uint8_t>(value, count);
      break;
    case ElementType::kInt16:
      fill.data = Repeated<std::int16_t>(value, count);
      break;
    case ElementType::kInt32:
      fill.data = Repeated<std::int32_t>(value, count);
      break;
    case ElementType::kInt64:
      fill.data = Repeated<std::int64_t>(value, count);
      break;
    case ElementType::kUint32:
      fill.data = Repeated<std::uint32_t>(value, count);
      break;
    case ElementType::kUint64:
      fill.data = Repeated<std::uint64_t>(value, count);
      break;
    case ElementType::kFloat32:
      fill.data = Repeated<float>(value, count);
      break;
    case ElementType::kBfloat16:
      fill.data = std::vector<Bfloat16>(static_cast<std::size_t>(count),
                                        ToBfloat16(static_cast<float>(value)));
      break;
  }
  return view.graph.AddTensor(std::move(fill));
}

// Moves all axes at once, or one axis after the other where that takes fewer copies.
void LegaliseNearest(const OperatorView& view, const ir::Resize& op, const ir::Shape& input,
                     const ir::Shape& output) {
  constexpr std::int64_t kMostPixels = 65536;
  view.Require(output[1] <= kMostPixels && output[2] <= kMostPixels,
               "output {} has more than {} rows or columns", view.Output().name, kMostPixels);
  const auto [rows, columns] = GathersOf(op, input, output);
  const ir::Shape between = {output[0], output[1], input[2], output[3]};
  const ir::Move vertical = ir::MoveOf(rows, input, between);
  const ir::Move horizontal = ir::MoveOf(columns, between, output);
  const std::size_t ny = vertical.copies.size();
  const std::size_t nx = horizontal.copies.size();
  if (ny * nx <= 2 * (ny + nx)) {
    AddMove(view, view.op.outputs[0], ir::MoveOf(op, input, output));
    return;
  }
  const ir::TensorId middle = view.Like(view.Output(), between, "rows");
  AddMove(view, middle, vertical);
  view.Add({middle}, view.op.outputs[0], horizontal);
}

// One channel becomes several by a product with ones: DMA would take a beat for each element.
ir::TensorId RepeatChannel(const OperatorView& view, ir::TensorId input, const ir::Shape& shape) {
  const std::int64_t channels = shape.back();
  ir::Tensor ones = {.name = view.op.name + "/ones", .shape = {channels, 1}};
  ones.data = Repeated<std::int8_t>(1, channels);
  const ir::TensorId weights = view.graph.AddTensor(std::move(ones));
  const ir::TensorId repeated = view.Like(view.graph.At(input), shape, "repeated");
  view.Add({input, weights}, repeated, ir::FullyConnected{}, 0);
  return repeated;
}

}  // namespace

ir::TensorId Broadcast(const OperatorView& view, ir::TensorId input, const ir::Shape& shape) {
  const ir::Tensor& tensor = view.graph.At(input);
  view.Require(CanBroadcast(tensor.shape, shape), "{} does not broadcast to the output's shape",
               tensor.name);
  ir::Tensor broadcast = tensor;
  broadcast.name = tensor.name + "/broadcast";
  broadcast.shape = shape;
  if (broadcast.Elements() == tensor.Elements()) {
    return tensor.shape == shape ? input : view.Reshaped(input, shape);
  }
  view.Require(broadcast.Elements() <= kMostConstant || !tensor.IsConstant(),
               "{} becomes too large when it is repeated", tensor.name);
  const bool repeats_channel = !tensor.shape.empty() && tensor.shape.back() == 1 &&
                               tensor.Elements() * shape.back() == broadcast.Elements();
  if (repeats_channel && tensor.type == ElementType::kInt8 && !tensor.IsConstant()) {
    return RepeatChannel(view, input, shape);
  }
  const ir::Move move = ir::BroadcastMove(tensor.shape, shape);
  if (!tensor.IsConstant()) {
    const ir::TensorId id = view.graph.AddTensor(std::move(broadcast));
    view.Add({input}, id, move);
    return id;
  }
  std::visit(
      [&](const auto& values) {
        if constexpr (requires { values.size(); }) {
          auto repeated = values;
          repeated.resize(static_cast<std::size_t>(broadcast.Elements()));
          CopyElements(values, move.copies[0], repeated);
          broadcast.data = std::move(repeated);
        }
      },
      tensor.data);
  return view.graph.AddTensor(std::move(broadcast));
}

void AddEmbedding(const OperatorView& view, ir::TensorId input, ir::TensorId output,
                  const ir::Embedding& embedding, std::int64_t fill) {
  const ir::Tensor& from = view.graph.At(input);
  const ir::Tensor& to = view.graph.At(output);
  const ir::Move move = ir::EmbedMove(embedding, from.shape, to.shape);
  const std::int64_t count = ir::FillElements(to.shape);
  view.Add({input, AddFill(view, to, fill, count)}, output, move);
}

void Legalise(const OperatorView& view, const ir::Reshape& /*op*/) {
  RequireOneType(view, view.op.outputs[0]);
  view.Add({view.op.inputs[0]}, view.op.outputs[0], ir::Reshape{});
}

void Legalise(const OperatorView& view, const ir::Pad& op) {
  RequireOneType(view, view.op.outputs[0]);
  const ir::Shape& input = view.Input(0).shape;
  const ir::Shape& output = view.Output().shape;
  bool fits = op.before.size() == input.size() && op.after.size() == input.size() &&
              output.size() == input.size();
  for (std::size_t a = 0; fits && a < input.size(); ++a) {
    fits =
        op.before[a] >= 0 && op.after[a] >= 0 && op.before[a] + input[a] + op.after[a] == output[a];
  }
  view.Require(fits, "output {} must be as large as the padded input", view.Output().name);
  AddEmbedding(view, view.op.inputs[0], view.op.outputs[0],
               {.before = op.before, .step = ir::Shape(input.size(), 1)}, op.fill);
}

void Legalise(const OperatorView& view, const ir::Concatenation& op) {
  view.Require(op.activation == ir::Activation::kNone, "a fused activation is not supported");
  const ir::Shape& output = view.Output().shape;
  const auto axis = static_cast<std::size_t>(op.axis);
  view.Require(op.axis >= 0 && axis < output.size(), "axis {} does not exist", op.axis);
  std::int64_t total = 0;
  for (ir::Shape shape : InputShapes(view)) {
    view.Require(shape.size() == output.size(), "inputs must have the output's rank");
    total += shape[axis];
    shape[axis] = output[axis];
    view.Require(shape == output, "inputs may differ from the output along axis {} only", op.axis);
  }
  view.Require(total == output[axis], "the inputs do not fill output {}", view.Output().name);
  AddMove(view, view.op.outputs[0], ir::MoveOf(op, InputShapes(view), output));
}

void Legalise(const OperatorView& view, const ir::SplitAxis& op) {
  const ir::Shape& input = view.Input(0).shape;
  const auto axis = static_cast<std::size_t>(op.axis);
  view.Require(op.axis >= 0 && axis < input.size(), "axis {} does not exist", op.axis);
  std::int64_t begin = 0;
  for (const ir::TensorId id : view.op.outputs) {
    const ir::Shape output = view.graph.At(id).shape;
    view.Require(output.size() == input.size() && begin + output[axis] <= input[axis],
                 "output {} exceeds the input", view.graph.At(id).name);
    RequireOneType(view, id);
    const ir::Move move = ir::SplitMove(op, begin, input, output);
    begin += output[axis];
    view.Add({view.op.inputs[0]}, id,
             ir::IsIdentity(move) ? ir::Attributes(ir::Reshape{}) : ir::Attributes(move));
  }
}

void Legalise(const OperatorView& view, const ir::Slice& op) {
  const ir::Shape& input = view.Input(0).shape;
  bool inside = op.begin.size() == input.size() && op.size.size() == input.size() &&
                op.stride.size() == input.size();
  std::int64_t elements = 1;
  for (std::size_t a = 0; inside && a < input.size(); ++a) {
    const std::int64_t last = op.begin[a] + (op.size[a] - 1) * op.stride[a];
    inside = op.size[a] > 0 && std::min(op.begin[a], last) >= 0 &&
             std::max(op.begin[a], last) < input[a];
    elements *= op.size[a];
  }
  view.Require(inside && elements == view.Output().Elements(),
               "the slice does not lie in the input or does not make output {}",
               view.Output().name);
  AddMove(view, view.op.outputs[0], ir::MoveOf(op, input, view.Output().shape));
}

void Legalise(const OperatorView& view, const ir::Pack& op) {
  ir::Shape expected = view.Input(0).shape;
  view.Require(op.axis >= 0 && op.axis <= static_cast<std::int64_t>(expected.size()),
               "axis {} does not exist", op.axis);
  for (const ir::Shape& shape : InputShapes(view)) {
    view.Require(shape == expected, "all inputs must have one shape");
  }
  expected.insert(expected.begin() + op.axis, static_cast<std::int64_t>(view.op.inputs.size()));
  view.Require(view.Output().shape == expected, "output {} has the wrong shape",
               view.Output().name);
  AddMove(view, view.op.outputs[0], ir::MoveOf(op, InputShapes(view), view.Output().shape));
}

void Legalise(const OperatorView& view, const ir::Unpack& op) {
  const ir::Shape& input = view.Input(0).shape;
  const auto axis = static_cast<std::size_t>(op.axis);
  view.Require(op.axis >= 0 && axis < input.size(), "axis {} does not exist", op.axis);
  view.Require(input[axis] == static_cast<std::int64_t>(view.op.outputs.size()),
               "axis {} has {} elements for {} outputs", op.axis, input[axis],
               view.op.outputs.size());
  ir::Shape expected = input;
  expected.erase(expected.begin() + op.axis);
  for (std::size_t i = 0; i < view.op.outputs.size(); ++i) {
    const ir::TensorId id = view.op.outputs[i];
    view.Require(view.graph.At(id).shape == expected, "output {} has the wrong shape",
                 view.graph.At(id).name);
    RequireOneType(view, id);
    const ir::Move move = ir::UnpackMove(op, static_cast<std::int64_t>(i), input, expected);
    view.Add({view.op.inputs[0]}, id,
             ir::IsIdentity(move) ? ir::Attributes(ir::Reshape{}) : ir::Attributes(move));
  }
}

void Legalise(const OperatorView& view, const ir::Transpose& op) {
  const ir::Shape& input = view.Input(0).shape;
  const ir::Shape& output = view.Output().shape;
  std::vector<std::int64_t> axes = op.permutation;
  std::sort(axes.begin(), axes.end());
  bool fits = axes.size() == input.size() && output.size() == input.size();
  for (std::size_t a = 0; fits && a < axes.size(); ++a) {
    fits = axes[a] == static_cast<std::int64_t>(a) &&
           output[a] == input[static_cast<std::size_t>(op.permutation[a])];
  }
  view.Require(fits, "the permutation does not make output {}", view.Output().name);
  AddMove(view, view.op.outputs[0], ir::MoveOf(op, input, output));
}

void Legalise(const OperatorView& view, const ir::Gather& op) {
  const ir::Shape& input = view.Input(0).shape;
  const auto rank = static_cast<std::int64_t>(input.size());
  view.Require(op.axis >= 0 && op.axes >= 1 && op.axis + op.axes <= rank, "axis {} does not exist",
               op.axis);
  const auto axis = static_cast<std::size_t>(op.axis);
  const std::int64_t size =
      ir::WithJoinedAxes(input, axis, static_cast<std::size_t>(op.axes))[axis];
  for (const std::int64_t index : op.indices) {
    view.Require(index >= 0 && index < size, "index {} is outside axis {}", index, op.axis);
  }
  view.Require(view.Output().Elements() * size ==
                   view.Input(0).Elements() * static_cast<std::int64_t>(op.indices.size()),
               "output {} has the wrong size", view.Output().name);
  AddMove(view, view.op.outputs[0], ir::MoveOf(op, input, view.Output().shape));
}

void Legalise(const OperatorView& view, const ir::SpaceToBatch& op) {
  const auto with_height = [](ir::Shape shape) {
    if (shape.size() == 3) shape.insert(shape.begin() + 1, 1);
    return shape;
  };
  ir::SpaceToBatch on_image = op;
  if (view.Input(0).shape.size() == 3) {
    on_image.block = {1, op.block[0]};
    on_image.before = {0, op.before[0]};
  }
  const ir::Shape output = with_height(view.Output().shape);
  ir::Move move = ir::MoveOf(on_image, with_height(view.Input(0).shape), output);
  std::vector<ir::TensorId> inputs = view.op.inputs;
  if (std::ranges::any_of(move.copies,
                          [](const ir::Move::Copy& copy) { return copy.input == 1; })) {
    inputs.push_back(
        AddFill(view, view.Output(), view.Output().zero_point, ir::FillElements(output)));
  }
  AddMove(view, std::move(inputs), view.op.outputs[0], std::move(move));
}

void Legalise(const OperatorView& view, const ir::SpaceToDepth& op) {
  AddMove(view, view.op.outputs[0], ir::MoveOf(op, view.Input(0).shape, view.Output().shape));
}

void Legalise(const OperatorView& view, const ir::Replicate& op) {
  AddMove(view, view.op.outputs[0], ir::MoveOf(op, view.Input(0).shape, view.Output().shape));
}

void Legalise(const OperatorView& view, const ir::Resize& op) {
  const ir::Shape input = view.Input(0).shape;
  const ir::Shape output = view.Output().shape;
  view.Require(
      input.size() == 4 && output.size() == 4 && input[0] == output[0] && input[3] == output[3],
      "input {} and output {} must have shapes [n, height, width, channels]", view.Input(0).name,
      view.Output().name);
  if (op.kind == ir::ResizeKind::kNearest) {
    LegaliseNearest(view, op, input, output);
    return;
  }
  view.RequireComputable({&view.Input(0), &view.Output()});
  if (LegaliseBilinear(view, op)) return;
  view.Require(!view.ComputesFloats(),
               "of float32, only factors of 2 and 4 (8 without half-pixel centres) are supported");
  if (!IsFloat(view.graph.GetRounding())) {
    view.Keep();
    return;
  }
  view.Add(view.op.inputs, view.op.outputs[0],
           ir::HostOperator{.attributes = host_operators::ResizeBilinear{
                                .align_corners = op.align_corners,
                                .half_pixel_centers = op.half_pixel_centers,
                                .float_positions = true}});
}

void Legalise(const OperatorView& view, const ir::Move& op) {
  AddMove(view, view.op.outputs[0], op);
}

}  // namespace tpu::compiler
