// SPDX-License-Identifier: Apache-2.0
#include "tests/sdk/rebuild.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.h"

namespace tpu::sdk_test {
namespace {

class Rebuilder {
 public:
  explicit Rebuilder(const ir::Graph& source) : source_(source) {}

  Graph Run() {
    for (const ir::TensorId id : source_.inputs) {
      tensors_.insert_or_assign(id, graph_.Input(At(id).shape, OptionsOf(At(id))));
    }
    for (const ir::Operator& op : source_.operators) {
      op_ = &op;
      const std::vector<Graph::Tensor> made =
          std::visit([this](const auto& attributes) { return Build(attributes); }, op.attributes);
      for (std::size_t i = 0; i < made.size(); ++i) {
        tensors_.insert_or_assign(op.outputs.at(i), made[i]);
      }
    }
    for (const ir::TensorId id : source_.outputs) graph_.Output(Get(id));
    return std::move(graph_);
  }

 private:
  using Made = std::vector<Graph::Tensor>;

  [[nodiscard]] const ir::Tensor& At(ir::TensorId id) const { return source_.tensors.at(id); }
  static TensorOptions OptionsOf(const ir::Tensor& tensor) {
    return {.name = tensor.name,
            .type = tensor.type,
            .scale = tensor.scale,
            .zero_point = tensor.zero_point,
            .channel_scales = tensor.channel_scales};
  }

  Graph::Tensor Get(ir::TensorId id) {
    if (const auto found = tensors_.find(id); found != tensors_.end()) return found->second;
    const ir::Tensor& tensor = At(id);
    const Graph::Tensor made = std::visit(
        [&](const auto& values) -> Graph::Tensor {
          if constexpr (requires { values[0]; }) {
            using T = std::remove_cvref_t<decltype(values[0])>;
            return graph_.Constant<T>(tensor.shape, values, OptionsOf(tensor));
          } else {
            throw Error::Format("{} is not made", tensor.name);
          }
        },
        tensor.data);
    tensors_.insert_or_assign(id, made);
    return made;
  }
  Graph::Tensor In(std::size_t i) { return Get(op_->inputs.at(i)); }
  Graph::Bias BiasAt(std::size_t i) {
    return op_->inputs.size() > i ? Graph::Bias(In(i)) : std::nullopt;
  }
  Made AllIn() {
    Made inputs;
    for (std::size_t i = 0; i < op_->inputs.size(); ++i) inputs.push_back(In(i));
    return inputs;
  }
  [[nodiscard]] const ir::Tensor& Out(std::size_t i = 0) const { return At(op_->outputs.at(i)); }
  [[nodiscard]] Result Res(std::size_t i = 0) const {
    return {.name = Out(i).name,
            .operator_name = op_->name,
            .type = Out(i).type,
            .scale = Out(i).scale,
            .zero_point = Out(i).zero_point};
  }
  [[nodiscard]] Result Reshaped() const {
    Result result = Res();
    result.shape = Out().shape;
    return result;
  }
  [[nodiscard]] std::vector<Result> AllRes() const {
    std::vector<Result> results;
    for (std::size_t i = 0; i < op_->outputs.size(); ++i) results.push_back(Res(i));
    return results;
  }
  [[nodiscard]] Extent Size() const {
    return {.h = static_cast<std::int32_t>(Out().shape.at(1)),
            .w = static_cast<std::int32_t>(Out().shape.at(2))};
  }

  Made Build(const ir::Conv2D& a) {
    return {graph_.Conv2D(In(0), In(1), BiasAt(2),
                          {a.stride, a.dilation, a.padding, false, a.activation}, Res())};
  }
  Made Build(const ir::DepthwiseConv2D& a) {
    return {graph_.DepthwiseConv2D(In(0), In(1), BiasAt(2),
                                   {a.stride, a.dilation, a.padding, false, a.activation}, Res())};
  }
  Made Build(const ir::TransposeConv& a) {
    return {graph_.TransposeConv(In(0), In(1), BiasAt(2), Size(),
                                 {a.stride, {}, a.padding, false, a.activation}, Res())};
  }
  Made Build(const ir::FullyConnected& a) {
    return {graph_.FullyConnected(In(0), In(1), BiasAt(2), a.activation, Reshaped())};
  }
  Made Build(const ir::Pool2D& a) {
    return {graph_.Pool2D(a.kind, In(0), a.filter, {a.stride, {}, a.padding, false, a.activation},
                          Res())};
  }
  Made Build(const ir::Reduce& a) {
    return {graph_.Reduce(a.kind, In(0), a.axes, false, Reshaped())};
  }
  Made Build(const ir::Binary& a) {
    return {graph_.Binary(a.kind, In(0), In(1), a.activation, Res())};
  }
  Made Build(const ir::Unary& a) { return {graph_.Unary(a.kind, In(0), Res())}; }
  Made Build(const ir::LeakyRelu& a) { return {graph_.LeakyRelu(In(0), a.alpha, Res())}; }
  Made Build(const ir::Prelu& /*a*/) { return {graph_.Prelu(In(0), In(1), Res())}; }
  Made Build(const ir::Lookup& a) { return {graph_.Lookup(In(0), a.table, Res())}; }
  Made Build(const ir::Quantize& /*a*/) { return {graph_.Quantize(In(0), Res())}; }
  Made Build(const ir::Dequantize& /*a*/) { return {graph_.Dequantize(In(0), Res())}; }
  Made Build(const ir::Softmax& a) { return {graph_.Softmax(In(0), a.beta, Res())}; }
  Made Build(const ir::ArgMax& a) {
    return {a.smallest ? graph_.ArgMin(In(0), a.axis, Res()) : graph_.ArgMax(In(0), a.axis, Res())};
  }
  Made Build(const ir::Reshape& /*a*/) { return {graph_.Reshape(In(0), Out().shape, Res())}; }
  Made Build(const ir::Pad& a) { return {graph_.Pad(In(0), a.before, a.after, a.fill, Res())}; }
  Made Build(const ir::Concatenation& a) { return {graph_.Concatenation(AllIn(), a.axis, Res())}; }
  Made Build(const ir::SplitAxis& a) {
    std::vector<std::int64_t> sizes;
    for (const ir::TensorId id : op_->outputs) {
      sizes.push_back(At(id).shape.at(static_cast<std::size_t>(a.axis)));
    }
    return graph_.Split(In(0), a.axis, sizes, AllRes());
  }
  Made Build(const ir::Slice& a) {
    return {graph_.Slice(In(0), a.begin, a.size, a.stride, Reshaped())};
  }
  Made Build(const ir::Pack& a) { return {graph_.Pack(AllIn(), a.axis, Res())}; }
  Made Build(const ir::Unpack& a) { return graph_.Unpack(In(0), a.axis, AllRes()); }
  Made Build(const ir::Transpose& a) { return {graph_.Transpose(In(0), a.permutation, Res())}; }
  Made Build(const ir::Gather& a) {
    // The indices' dimensions stand in the output in place of the axis.
    const auto behind =
        static_cast<std::ptrdiff_t>(At(op_->inputs.at(0)).shape.size()) - a.axis - 1;
    const ir::Shape& shape = Out().shape;
    return {graph_.Gather(In(0), a.axis, a.indices,
                          Shape(shape.begin() + a.axis, shape.end() - behind), Res())};
  }
  Made Build(const ir::SpaceToBatch& a) {
    const ir::Shape& in = At(op_->inputs.at(0)).shape;
    std::vector<std::int64_t> block;
    std::vector<std::int64_t> before;
    std::vector<std::int64_t> after;
    for (std::size_t i = 0; i + 2 < in.size(); ++i) {
      block.push_back(a.block.at(i));
      before.push_back(a.before.at(i));
      const std::int64_t small = a.inverse ? Out().shape[i + 1] : in[i + 1];
      const std::int64_t blocks = a.inverse ? in[i + 1] : Out().shape[i + 1];
      after.push_back(blocks * block[i] - small - before[i]);
    }
    return {a.inverse ? graph_.BatchToSpace(In(0), block, before, after, Res())
                      : graph_.SpaceToBatch(In(0), block, before, after, Res())};
  }
  Made Build(const ir::SpaceToDepth& a) {
    return {a.inverse ? graph_.DepthToSpace(In(0), a.block, Res())
                      : graph_.SpaceToDepth(In(0), a.block, Res())};
  }
  Made Build(const ir::Replicate& a) { return {graph_.Tile(In(0), a.multiples, Res())}; }
  Made Build(const ir::Resize& a) {
    return {graph_.Resize(a.kind, In(0), Size(), a.align_corners, a.half_pixel_centers, Res())};
  }
  Made Build(const ir::Move& /*a*/) { throw Error("no front end makes a MOVE"); }
  // What no front end makes.
  template <typename Other>
  Made Build(const Other& /*a*/) {
    throw Error("an operator of legal graphs alone");
  }
  Made Build(const ir::Convert& /*a*/) { throw Error("no front end makes a Convert"); }
  Made Build(const ir::Function& a) { return {graph_.Function(a.kind, In(0), Res())}; }
  Made Build(const ir::Divide& a) { return {graph_.Divide(In(0), In(1), a.activation, Res())}; }
  Made Build(const ir::SquaredDifference& /*a*/) {
    return {graph_.SquaredDifference(In(0), In(1), Res())};
  }
  Made Build(const ir::AddN& /*a*/) { return {graph_.AddN(AllIn(), Res())}; }
  Made Build(const ir::L2Normalization& /*a*/) { return {graph_.L2Normalization(In(0), Res())}; }
  Made Build(const ir::BatchMatMul& a) {
    return {graph_.BatchMatMul(In(0), In(1), a.transposed[0], a.transposed[1], Res())};
  }

  const ir::Graph& source_;
  const ir::Operator* op_ = nullptr;
  Graph graph_;
  std::map<ir::TensorId, Graph::Tensor> tensors_;
};

}  // namespace

Graph Rebuild(const ir::Graph& source) { return Rebuilder(source).Run(); }

}  // namespace tpu::sdk_test
