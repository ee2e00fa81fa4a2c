// SPDX-License-Identifier: Apache-2.0
#include "compiler/place/layout.h"

#include <algorithm>

#include "compiler/legalise/legalise.h"
#include "isa/element_format.h"
#include "isa/fields.h"

namespace tpu::compiler {
namespace {

bool Contains(const std::vector<ir::TensorId>& ids, ir::TensorId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

// The tensor and all others that are the same bytes under other shapes.
std::vector<ir::TensorId> ReshapeGroup(const ir::Graph& graph, ir::TensorId id) {
  std::vector<ir::TensorId> group = {id};
  for (std::size_t i = 0; i < group.size(); ++i) {
    for (const ir::Operator& op : graph.operators) {
      if (!std::holds_alternative<ir::Reshape>(op.attributes)) continue;
      const ir::TensorId input = op.inputs.at(0);
      if (group[i] == input && !Contains(group, op.outputs[0])) group.push_back(op.outputs[0]);
      if (group[i] == op.outputs[0] && !Contains(group, input)) group.push_back(input);
    }
  }
  return group;
}

// Channels of the rows that a fully-connected layer cuts the tensor into.
std::int64_t FullyConnectedChannels(const ir::Graph& graph, const ir::Operator& op,
                                    ir::TensorId id) {
  if (op.inputs.size() < 2) return 0;
  const ir::Tensor& weights = graph.tensors[op.inputs[1]];
  if (weights.shape.size() != 2) return 0;
  return id == op.outputs[0] ? weights.shape[0] : weights.shape[1];
}

bool IsInfiniteAtZero(ir::FunctionKind kind) {
  return kind == ir::FunctionKind::kReciprocal || kind == ir::FunctionKind::kRsqrt ||
         kind == ir::FunctionKind::kLog;
}

bool IsInfiniteAtZero(const ir::Operator& op) {
  const auto* function = std::get_if<ir::Function>(&op.attributes);
  if (function != nullptr) return IsInfiniteAtZero(function->kind);
  const auto* fused = op.function ? std::get_if<ir::FunctionKind>(&*op.function) : nullptr;
  return fused != nullptr && IsInfiniteAtZero(*fused);
}

// Whether the operator takes the tensor from memory, in the order of its shape.
bool ReadsMemory(const ir::Operator& op, ir::TensorId id) {
  if (ir::HoldsAnyOf<ir::Move, ir::ConvWeightGradient, ir::Chain, ir::Adam>(op.attributes))
    return true;
  const auto is_input = [&](std::size_t i) { return op.inputs.size() > i && op.inputs[i] == id; };
  if (ir::HoldsAnyOf<ir::Scale>(op.attributes)) return is_input(1);
  if (ir::HoldsAnyOf<ir::WideLookup>(op.attributes)) return is_input(1);
  if (const auto* product = std::get_if<ir::MatMul>(&op.attributes)) {
    return is_input(2) || (product->tiled && is_input(1));
  }
  return ir::HoldsAnyOf<ir::Conv2D, ir::DepthwiseConv2D>(op.attributes) &&
         (is_input(1) || is_input(2));
}

bool KeepsChannels(const ir::Graph& graph, const ir::Operator& op, ir::TensorId id) {
  const Images images = ImagesOf(graph.tensors[id]);
  // Lanes without a channel hold zeros: of functions that are infinite there they must not go into
  // a product. LOAD makes them zero again.
  if (IsInfiniteAtZero(op) && id == op.outputs[0]) return false;
  if (std::holds_alternative<ir::Reshape>(op.attributes)) {
    const Images other =
        ImagesOf(graph.tensors[id == op.outputs[0] ? op.inputs.at(0) : op.outputs[0]]);
    // The first pixels of an image may be one of fewer: then blocks begin elsewhere.
    return images.n == 1 && other.n == 1 && images.c == other.c &&
           images.h * images.w == other.h * other.w;
  }
  if (std::holds_alternative<ir::FullyConnected>(op.attributes)) {
    return images.n == 1 && FullyConnectedChannels(graph, op, id) == images.c;
  }
  // LOAD makes the lanes behind a product's last term zeros, in one factor for both.
  const auto* product = std::get_if<ir::MatMul>(&op.attributes);
  if (product != nullptr && product->transposed && id == op.inputs[1]) return false;
  if (const auto* reduce = std::get_if<ir::Reduce>(&op.attributes)) return reduce->axes.size() == 2;
  return !ReadsMemory(op, id) && !RunsOnHost(op);
}

// The piece of a pixel that LOAD cuts off is a row of N bytes: half of N numbers of bfloat16.
bool MayBeCutInHalves(const ir::Graph& graph, ir::TensorId id, const isa::HardwareConfig& config) {
  const ir::Tensor& tensor = graph.tensors[id];
  const std::int64_t channels = ImagesOf(tensor).c;
  // Of more channel blocks in the order of the tensor's shape the pieces would lie in another
  // order.
  const bool in_order = MayBeBlocked(graph, id) || channels <= config.n;
  return tensor.type == ElementType::kBfloat16 && in_order && channels * 2 > config.n;
}

struct Windows {
  ir::Window y;
  ir::Window x;
};

// Of an operator whose weights have height and width in dimensions 1 and 2.
template <typename Convolution>
Windows WindowsOf(const ir::Graph& graph, const ir::Operator& op, const Convolution& convolution) {
  const Images input = ImagesOf(graph.tensors[op.inputs[0]]);
  const ir::Shape& weights = graph.tensors[op.inputs[1]].shape;
  const ir::Extent size = convolution.taps.Count(
      {.h = static_cast<std::int32_t>(weights[1]), .w = static_cast<std::int32_t>(weights[2])});
  return {.y = {.size = size.h,
                .stride = convolution.stride.h,
                .dilation = convolution.dilation.h,
                .pad = convolution.padding.top,
                .input = input.h},
          .x = {.size = size.w,
                .stride = convolution.stride.w,
                .dilation = convolution.dilation.w,
                .pad = convolution.padding.left,
                .input = input.w}};
}

// Whether two input tiles and two output tiles of 2 x 2 outputs, and of one of the kernel's rows,
// fit the quarter of the buffer that each operator has at least: a layer that does not fit could
// not be computed otherwise any more.
bool SmallestTilesFit(const Windows& windows, const isa::HardwareConfig& config) {
  const ir::Range pair = {.begin = 0, .end = 2};
  const std::int64_t pixels = windows.y.Reach(pair, {.begin = 0, .end = 1}).Size() *
                              windows.x.Reach(pair, windows.x.AllTaps()).Size();
  const std::int64_t bytes = isa::kFormatOf<Bfloat16>.Bytes();
  const std::int64_t rows = pixels * (bytes + 1) + kSquare.Pixels() * bytes;
  return 2 * rows <= config.ub_rows / 4 && 2 * kSquare.Pixels() <= config.param_rows &&
         2 * kSquare.Pixels() <= config.acc_rows;
}

// Whether what makes the tensor can write it in row pairs, and the depthwise convolution that reads
// it, with these windows, does so alone.
bool MayLieInRowPairs(const ir::Graph& graph, ir::TensorId id, const Windows& windows,
                      const isa::HardwareConfig& config) {
  const Images images = ImagesOf(graph.tensors[id]);
  if (images.h % kSquare.down != 0 || images.c < config.n || config.n % kSquare.Pixels() != 0 ||
      windows.y.stride != 1 || !MayBeBlocked(graph, id) || !SmallestTilesFit(windows, config)) {
    return false;
  }
  const auto reads = [&](const ir::Operator& op) { return Contains(op.inputs, id); };
  const auto makes = [&](const ir::Operator& op) { return Contains(op.outputs, id); };
  const auto maker = std::ranges::find_if(graph.operators, makes);
  if (maker == graph.operators.end() || std::ranges::count_if(graph.operators, reads) != 1) {
    return false;
  }
  const auto* conv = std::get_if<ir::Conv2D>(&maker->attributes);
  return conv != nullptr && maker->inputs.size() > 1 &&
         graph.tensors[maker->inputs[1]].shape.size() == 4 &&
         SmallestTilesFit(WindowsOf(graph, *maker, *conv), config);
}

}  // namespace

Images ImagesOf(const ir::Tensor& tensor) {
  const std::vector<std::int64_t>& shape = tensor.shape;
  if (shape.size() == 4) return {.n = shape[0], .h = shape[1], .w = shape[2], .c = shape[3]};
  const std::int64_t channels = shape.empty() ? 1 : shape.back();
  return {.w = channels == 0 ? 0 : tensor.Elements() / channels, .c = channels};
}

bool MayBeBlocked(const ir::Graph& graph, ir::TensorId id) {
  const std::vector<ir::TensorId> group = ReshapeGroup(graph, id);
  const auto keeps = [&](const ir::Operator& op) {
    return std::all_of(group.begin(), group.end(), [&](ir::TensorId member) {
      const bool touches = Contains(op.outputs, member) || Contains(op.inputs, member);
      return !touches || KeepsChannels(graph, op, member);
    });
  };
  const auto is_internal = [&](ir::TensorId member) {
    return !graph.tensors[member].IsConstant() && !Contains(graph.inputs, member) &&
           !Contains(graph.outputs, member);
  };
  return std::all_of(group.begin(), group.end(), is_internal) &&
         std::all_of(graph.operators.begin(), graph.operators.end(), keeps);
}

bool ThinPays(std::int64_t channels, std::int64_t kernel_width, std::int64_t dilation,
              std::int64_t lanes) {
  return dilation == 1 &&
         ir::CeilDiv(kernel_width * channels, lanes) < kernel_width * ir::CeilDiv(channels, lanes);
}

PixelBlock BlockOf(const ir::Graph& graph, const ir::Operator& op,
                   const isa::HardwareConfig& config) {
  const auto* depthwise = std::get_if<ir::DepthwiseConv2D>(&op.attributes);
  if (depthwise == nullptr || op.inputs.size() < 2) return {};
  const Images output = ImagesOf(graph.tensors[op.outputs[0]]);
  // Each piece has planes of its own, at most as many rows apart as the buffer has.
  if (graph.tensors[op.inputs[1]].shape.size() != 4 ||
      output.c != ImagesOf(graph.tensors[op.inputs[0]]).c || output.w % kPair.across != 0 ||
      config.ub_rows > isa::FieldMax<isa::Load>("plane_stride") ||
      !MayBeCutInHalves(graph, op.inputs[0], config) ||
      !MayBeCutInHalves(graph, op.outputs[0], config)) {
    return {};
  }
  const Windows windows = WindowsOf(graph, op, *depthwise);
  const std::int64_t tile_beats =
      isa::kFormatOf<Bfloat16>.BytesOf(config.n * config.n) * 8 / config.axi_data_width;
  const auto cycles = [&](const PixelBlock& block) {
    const std::int64_t tiles =
        block.Pixels() * TilesAlong(windows.y, block.down) * TilesAlong(windows.x, block.across);
    const std::int64_t rows = RowsOfBlocks(output.h, windows.y, block) * output.w / block.across;
    return tiles * std::max<std::int64_t>({rows, config.n, tile_beats});
  };
  PixelBlock best = {};
  if (cycles(kPair) < cycles(best)) best = kPair;
  if (cycles(kSquare) < cycles(best) && MayLieInRowPairs(graph, op.inputs[0], windows, config)) {
    best = kSquare;
  }
  return best;
}

}  // namespace tpu::compiler
