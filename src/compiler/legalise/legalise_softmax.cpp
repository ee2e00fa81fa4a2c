// SPDX-License-Identifier: Apache-2.0
// SOFTMAX on bfloat16. The vector unit has nothing across lanes. So the array sums the lanes, as a
// product with ones, and spreads a value over them, as another one. For the largest value alone,
// which is left of each block's lanes, rows become lanes and lanes a window.
#include "compiler/legalise/legalise_float.h"
#include "compiler/quantise/bfloat16.h"
#include "ir/range.h"

namespace tpu::compiler {
namespace {

constexpr Bfloat16 kMinusInfinity = {0xFF80};

class SoftmaxRule {
 public:
  SoftmaxRule(const OperatorView& view, std::int64_t length)
      : view_(view),
        lanes_(view.graph.Config().n),
        length_(length),
        padded_(ir::RoundUp(length, lanes_)),
        rows_(view.Output().Elements() / length) {}

  void Run(float beta) {
    const ir::Shape blocks = Blocks();
    const ir::TensorId x = view_.Reshaped(Padded(view_.op.inputs[0]), blocks);
    ir::TensorId power = Make("difference", {x, OfEachRow(TimesOnes(Largest(x), "spread", 1))},
                              blocks, ir::Binary{.kind = ir::BinaryKind::kSub});
    if (beta != 1.0F) {
      power = Make("power", {power, AddScalar(view_, ToBfloat16(beta))}, blocks,
                   ir::Binary{.kind = ir::BinaryKind::kMul});
    }
    const ir::TensorId exponentials =
        Make("exponentials", {power}, blocks, ir::Function{.kind = ir::FunctionKind::kExp});
    const ir::TensorId sum =
        TimesOnes(view_.Reshaped(exponentials, {rows_, padded_}), "sum", padded_);
    const ir::TensorId factor =
        Make("factor", {sum}, {rows_, lanes_}, ir::Function{.kind = ir::FunctionKind::kReciprocal});
    Finish(Make("result", {exponentials, OfEachRow(factor)}, blocks,
                ir::Binary{.kind = ir::BinaryKind::kMul}));
  }

 private:
  ir::TensorId Make(std::string_view suffix, std::vector<ir::TensorId> inputs, ir::Shape shape,
                    ir::Attributes attributes) {
    const ir::TensorId output = view_.Like(view_.Output(), std::move(shape), suffix);
    view_.Add(std::move(inputs), output, std::move(attributes), 0);
    return output;
  }
  // A pixel for each block of lanes.
  [[nodiscard]] ir::Shape Blocks() const { return {1, rows_, padded_ / lanes_, lanes_}; }
  // A value in all lanes for each row, to be repeated for the row's blocks.
  ir::TensorId OfEachRow(ir::TensorId values) {
    return view_.Reshaped(values, {1, rows_, 1, lanes_});
  }

  // A constant that is everywhere the same.
  [[nodiscard]] ir::TensorId Constant(std::string_view suffix, const ir::Shape& shape,
                                      Bfloat16 value) const {
    ir::Tensor tensor = {.name = fmt::format("{}/{}", view_.op.name, suffix),
                         .type = ElementType::kBfloat16,
                         .shape = shape};
    tensor.data = std::vector<Bfloat16>(static_cast<std::size_t>(tensor.Elements()), value);
    return view_.graph.AddTensor(std::move(tensor));
  }

  // Whole blocks of lanes. What is added is never the largest value, and makes exponentials of 0.
  ir::TensorId Padded(ir::TensorId input) {
    const ir::TensorId x = view_.Reshaped(input, {rows_, length_});
    if (padded_ == length_) return x;
    const ir::Shape shape = {rows_, padded_};
    const ir::TensorId fill = Constant("fill", {ir::FillElements(shape)}, kMinusInfinity);
    return Make("padded", {x, fill}, shape,
                ir::EmbedMove({.before = {0, 0}, .step = {1, 1}}, {rows_, length_}, shape));
  }

  void Finish(ir::TensorId result) {
    if (padded_ == length_) {
      view_.Add({result}, view_.op.outputs[0], ir::Reshape{});
      return;
    }
    const ir::TensorId cut =
        Make("cut", {result}, {rows_, length_},
             ir::MoveOf(ir::Slice{.begin = {0, 0}, .size = {rows_, length_}, .stride = {1, 1}},
                        {rows_, padded_}, {rows_, length_}));
    view_.Add({cut}, view_.op.outputs[0], ir::Reshape{});
  }

  // Of each row, the sum of its `width` values in all lanes.
  ir::TensorId TimesOnes(ir::TensorId input, std::string_view suffix, std::int64_t width) {
    return Make(suffix, {input, Constant("ones", {lanes_, width}, kBfloat16One)}, {rows_, lanes_},
                ir::FullyConnected{});
  }

  ir::TensorId Largest(ir::TensorId x) {
    if (padded_ > lanes_) x = Pooled(x, Blocks(), {1, rows_, 1, lanes_}, "largest");
    const ir::TensorId lanes = Transposed(view_.Reshaped(x, {rows_, lanes_}));
    const ir::TensorId largest =
        Pooled(lanes, {1, lanes_, 1, rows_}, {1, 1, 1, rows_}, "largest of all");
    return view_.Reshaped(largest, {rows_, 1});
  }

  // The largest values of a window as large as an axis of the image.
  ir::TensorId Pooled(ir::TensorId values, const ir::Shape& image, const ir::Shape& pooled,
                      std::string_view suffix) {
    const ir::TensorId output = view_.Like(view_.Output(), pooled, suffix);
    view_.Add({view_.Reshaped(values, image)}, output,
              ir::Pool2D{.kind = ir::PoolKind::kMax,
                         .filter = {.h = static_cast<std::int32_t>(image[1] / pooled[1]),
                                    .w = static_cast<std::int32_t>(image[2] / pooled[2])}});
    return output;
  }

  // [rows, lanes] as [lanes, rows].
  ir::TensorId Transposed(ir::TensorId input) {
    if (rows_ == 1) return view_.Reshaped(input, {lanes_, rows_});
    const ir::TensorId output = view_.Like(view_.Output(), {lanes_, rows_}, "transposed");
    view_.Add({input}, output,
              ir::MoveOf(ir::Transpose{.permutation = {1, 0}}, {rows_, lanes_}, {lanes_, rows_}));
    return output;
  }

  const OperatorView& view_;
  std::int64_t lanes_;
  std::int64_t length_;
  std::int64_t padded_;
  std::int64_t rows_;
};

}  // namespace

void LegaliseFloat(const OperatorView& view, const ir::Softmax& op) {
  view.RequireFloats();
  const ir::Shape shape = view.Input(0).shape;
  view.Require(shape == view.Output().shape && !shape.empty(),
               "input {} and output {} must have the same shape", view.Input(0).name,
               view.Output().name);
  SoftmaxRule(view, shape.back()).Run(op.beta);
}

}  // namespace tpu::compiler
