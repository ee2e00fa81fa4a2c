// SPDX-License-Identifier: Apache-2.0
// BATCH_MATMUL: products of two tensors that operators make. On int16 four products of bytes.
#include <algorithm>
#include <functional>
#include <numeric>

#include "compiler/legalise/copy_elements.h"
#include "compiler/legalise/integer_maps.h"
#include "compiler/legalise/legalise_rules.h"
#include "ir/range.h"
#include "isa/fields.h"

namespace tpu::compiler {
namespace {

// Each has instructions of its own. No reasonable model has more.
constexpr std::int64_t kMostProducts = 4096;

// Sums of so many products of unsigned bytes stay below 2^30, which the vector unit may double.
constexpr std::int64_t kMostInt16Terms = 1 << 14;

// The last two dimensions of a tensor and those before, none of which is a leading 1.
struct Matrices {
  ir::Shape batch;
  std::int64_t rows = 0;
  std::int64_t columns = 0;

  [[nodiscard]] std::int64_t Size() const { return rows * columns; }
};

Matrices MatricesOf(const OperatorView& view, const ir::Tensor& tensor) {
  const ir::Shape& shape = tensor.shape;
  view.Require(shape.size() >= 2, "{} must have 2 dimensions or more", tensor.name);
  const auto last = shape.end() - 2;
  return {.batch = {std::find_if(shape.begin(), last, [](std::int64_t d) { return d != 1; }), last},
          .rows = shape[shape.size() - 2],
          .columns = shape.back()};
}

// Which of the matrices belongs to number `index` of those of `batch`, by numpy's rules.
std::int64_t Member(const Matrices& matrices, const ir::Shape& batch, std::int64_t index) {
  std::int64_t member = 0;
  std::int64_t stride = 1;
  for (std::size_t d = 0; d < batch.size(); ++d) {  // From the last dimension on.
    const std::int64_t size = batch[batch.size() - 1 - d];
    const std::int64_t own =
        d < matrices.batch.size() ? matrices.batch[matrices.batch.size() - 1 - d] : 1;
    if (own != 1) member += index % size * stride;
    stride *= own;
    index /= size;
  }
  return member;
}

// A matrix for each product of `batch`, in the order of the products, with rows for columns when
// `turned`.
ir::TensorId ForEachProduct(const OperatorView& view, ir::TensorId tensor, const Matrices& matrices,
                            const ir::Shape& batch, std::int64_t products, bool turned) {
  if (matrices.batch == batch && !turned) {
    return view.Reshaped(tensor, {products, 1, matrices.rows, matrices.columns});
  }
  ir::Shape shape = {products, 1, matrices.rows, matrices.columns};
  if (turned) std::swap(shape[2], shape[3]);
  const ir::TensorId made = view.Like(view.graph.At(tensor), shape, "matrices");
  ir::Move move;
  for (std::int64_t i = 0; i < products; ++i) {
    move.copies.push_back(
        {.from = Member(matrices, batch, i) * matrices.Size(),
         .to = i * matrices.Size(),
         .loops = {
             {.count = shape[2],
              .from_stride = turned ? 1 : matrices.columns,
              .to_stride = shape[3]},
             {.count = shape[3], .from_stride = turned ? matrices.columns : 1, .to_stride = 1}}});
  }
  view.Add({tensor}, made, std::move(move));
  return made;
}

// Where an element of a matrix lies among those of its tensor.
struct MatrixStrides {
  std::int64_t row = 0;
  std::int64_t column = 0;
};

// The shape of the matrices' weight tiles.
ir::Shape TilesOf(std::int64_t products, std::int64_t rows, std::int64_t columns,
                  std::int64_t lanes) {
  return {products * ir::CeilDiv(columns, lanes), 1, ir::RoundUp(rows, lanes), lanes};
}

// The copies that make the tiles of one matrix, whose element 0 lies at `from`, of those behind
// `to`.
void AddTileCopies(ir::Move& move, std::int64_t rows, std::int64_t columns,
                   const MatrixStrides& strides, std::int64_t from, std::int64_t to,
                   std::int64_t lanes) {
  const std::int64_t block = ir::RoundUp(rows, lanes) * lanes;
  const std::int64_t whole = columns / lanes;
  const auto add = [&](std::int64_t first, std::int64_t blocks, std::int64_t width) {
    if (blocks * width == 0) return;
    move.copies.push_back(
        {.from = from + first * lanes * strides.column,
         .to = to + first * block,
         .loops = {{.count = blocks, .from_stride = lanes * strides.column, .to_stride = block},
                   {.count = rows, .from_stride = strides.row, .to_stride = lanes},
                   {.count = width, .from_stride = strides.column, .to_stride = 1}}});
  };
  add(0, whole, lanes);
  add(whole, 1, columns % lanes);
}

// The weight tiles of a matrix for each product, whose rows and columns are those of the product's
// second factor.
ir::TensorId TilesForEachProduct(const OperatorView& view, ir::TensorId tensor,
                                 const Matrices& matrices, const ir::Shape& batch,
                                 std::int64_t products, bool transposed) {
  const std::int64_t lanes = view.graph.Config().n;
  const std::int64_t rows = transposed ? matrices.columns : matrices.rows;
  const std::int64_t columns = transposed ? matrices.rows : matrices.columns;
  const MatrixStrides strides = {.row = transposed ? 1 : matrices.columns,
                                 .column = transposed ? matrices.columns : 1};
  const ir::Tensor from = view.graph.At(tensor);
  const bool are_tiles = columns == lanes && rows % lanes == 0 && !transposed;
  if (are_tiles && matrices.batch == batch && !from.IsConstant()) {
    return view.Reshaped(tensor, TilesOf(products, rows, columns, lanes));
  }
  ir::Tensor to = {.name = view.op.name + "/tiles", .type = from.type};
  to.shape = TilesOf(products, rows, columns, lanes);
  to.scale = from.scale;
  to.zero_point = from.zero_point;
  view.Require(to.Elements() <= kMostConstant, "the matrices {} are too large", from.name);
  ir::Move move;
  const std::int64_t size = to.Elements() / products;
  for (std::int64_t i = 0; i < products; ++i) {
    AddTileCopies(move, rows, columns, strides, Member(matrices, batch, i) * matrices.Size(),
                  i * size, lanes);
  }
  if (const auto* values = std::get_if<std::vector<std::int8_t>>(&from.data)) {
    std::vector<std::int8_t> tiles(static_cast<std::size_t>(to.Elements()), 0);
    for (const ir::Move::Copy& copy : move.copies) CopyElements(*values, copy, tiles);
    to.data = std::move(tiles);
    return view.graph.AddTensor(std::move(to));
  }
  std::vector<ir::TensorId> inputs = {tensor};
  if (rows % lanes != 0) {
    ir::Tensor zeros = {.name = view.op.name + "/zeros", .shape = {lanes}};
    zeros.data = std::vector<std::int8_t>(static_cast<std::size_t>(lanes), 0);
    inputs.push_back(view.graph.AddTensor(std::move(zeros)));
    const std::int64_t padded = to.shape[2];
    move.copies.push_back({.input = 1,
                           .to = rows * lanes,
                           .loops = {{.count = to.shape[0], .to_stride = padded * lanes},
                                     {.count = padded - rows, .to_stride = lanes},
                                     {.count = lanes, .from_stride = 1, .to_stride = 1}}});
  }
  const ir::TensorId made = view.graph.AddTensor(std::move(to));
  view.Add(std::move(inputs), made, std::move(move));
  return made;
}

class ProductRule {
 public:
  ProductRule(const OperatorView& view, const std::array<bool, 2>& transposed)
      : view_(view),
        transposed_(transposed),
        a_(MatricesOf(view, view.Input(0))),
        b_(MatricesOf(view, view.Input(1))),
        c_(MatricesOf(view, view.Output())),
        terms_(transposed[0] ? a_.rows : a_.columns),
        products_(view.Output().Elements() / c_.Size()) {
    const std::int64_t rows = transposed[0] ? a_.columns : a_.rows;
    const std::int64_t b_terms = transposed[1] ? b_.columns : b_.rows;
    const std::int64_t columns = transposed[1] ? b_.rows : b_.columns;
    view.Require(terms_ == b_terms && c_.rows == rows && c_.columns == columns,
                 "{} x {} and {} x {} do not make {} x {}", rows, terms_, b_terms, columns, c_.rows,
                 c_.columns);
    view.Require(products_ <= kMostProducts, "{} products; at most {}", products_, kMostProducts);
    if (b_.batch.empty() && !transposed[0] && a_.batch == c_.batch) {
      // Of one second factor all rows make one product.
      a_ = {.batch = {}, .rows = rows * products_, .columns = terms_};
      c_ = {.batch = {}, .rows = rows * products_, .columns = columns};
      products_ = 1;
    }
  }

  // Machines with bf16 take computed factors from the unified buffer, as they lie or transposed.
  [[nodiscard]] bool Tiled() const {
    return !view_.ComputesFloats() &&
           (view_.graph.Config().bf16 == 0 || view_.Input(1).IsConstant());
  }
  [[nodiscard]] ir::Shape Shape() const { return {products_, 1, c_.rows, c_.columns}; }
  [[nodiscard]] std::uint64_t Macs() const {
    return static_cast<std::uint64_t>(products_ * c_.Size() * terms_);
  }

  // The first factor's elements, as those of the products.
  [[nodiscard]] ir::TensorId First(ir::TensorId factor) const {
    return ForEachProduct(view_, factor, a_, c_.batch, products_, transposed_[0]);
  }
  [[nodiscard]] ir::TensorId Second(ir::TensorId factor) const {
    return Tiled() ? TilesForEachProduct(view_, factor, b_, c_.batch, products_, transposed_[1])
                   : ForEachProduct(view_, factor, b_, c_.batch, products_, false);
  }
  // `first` and `second` are results of First and Second.
  void Multiply(ir::TensorId first, ir::TensorId second, ir::TensorId result,
                std::uint64_t macs) const {
    view_.Add({first, second}, result,
              ir::MatMul{.transposed = !Tiled() && transposed_[1], .tiled = Tiled()}, macs);
  }

 private:
  const OperatorView& view_;
  std::array<bool, 2> transposed_;
  Matrices a_;
  Matrices b_;
  Matrices c_;
  std::int64_t terms_;
  std::int64_t products_;
};

// A factor of int16 is 256 high + low + 128: bytes of zero points 0 and -128.
struct Planes {
  ir::TensorId high = 0;
  ir::TensorId low = 0;
};

class Int16ProductRule {
 public:
  Int16ProductRule(const OperatorView& view, const std::array<bool, 2>& transposed)
      : view_(view), product_(view, transposed), maps_(view, product_.Shape()) {}

  void Run() {
    const Planes a = PlanesOf(view_.op.inputs[0]);
    const Planes b = PlanesOf(view_.op.inputs[1]);
    const Planes first = {.high = product_.First(a.high), .low = product_.First(a.low)};
    const Planes second = {.high = product_.Second(b.high), .low = product_.Second(b.low)};
    const ir::TensorId result = view_.Like(view_.Output(), product_.Shape(), "products");
    Join({.high = Product(first.high, second.high, product_.Macs()),
          .middle = {Product(first.high, second.low, 0), Product(first.low, second.high, 0)},
          .low = Product(first.low, second.low, 0)},
         result);
    view_.Add({result}, view_.op.outputs[0], ir::Reshape{});
  }

 private:
  using Kind = ir::IntegerMap::Kind;
  using Rounds = ir::IntegerMap::Rounds;

  // int32 sums of products of bytes: of two high ones, of a high and a low one, of two low ones.
  struct Sums {
    ir::TensorId high = 0;
    std::array<ir::TensorId, 2> middle = {};
    ir::TensorId low = 0;
  };

  [[nodiscard]] ir::TensorId Bytes(const ir::Shape& shape, std::int32_t zero_point,
                                   std::vector<std::int8_t> values) const {
    ir::Tensor bytes = {.name = view_.op.name + "/bytes", .shape = shape};
    bytes.zero_point = zero_point;
    if (!values.empty()) bytes.data = std::move(values);
    return view_.graph.AddTensor(std::move(bytes));
  }

  [[nodiscard]] Planes PlanesOf(ir::TensorId factor) const {
    constexpr int kByteBits = 8;
    const ir::Tensor tensor = view_.graph.At(factor);
    if (const auto* values = std::get_if<std::vector<std::int16_t>>(&tensor.data)) {
      std::vector<std::int8_t> high;
      std::vector<std::int8_t> low;
      for (const std::int16_t value : *values) {
        high.push_back(static_cast<std::int8_t>(value >> kByteBits));
        low.push_back(static_cast<std::int8_t>((value & 0xFF) - isa::kLowByteOffset));
      }
      return {.high = Bytes(tensor.shape, 0, std::move(high)),
              .low = Bytes(tensor.shape, -isa::kLowByteOffset, std::move(low))};
    }
    const std::int64_t columns = tensor.shape.back();
    const ir::Shape shape = {1, 1, tensor.Elements() / columns, columns};
    const ir::TensorId numbers = view_.Reshaped(factor, shape);
    ir::WideLookup lower;
    for (std::size_t i = 0; i < lower.table.size(); ++i) {
      lower.table[i] = static_cast<std::int8_t>(i);
    }
    const ir::TensorId low = Bytes(shape, -isa::kLowByteOffset, {});
    view_.Add({numbers}, low, lower);
    return {
        .high =
            IntegerMaps(view_, shape).Add(ElementType::kInt8, {numbers}, ShiftedDown(kByteBits)),
        .low = low};
  }

  [[nodiscard]] ir::TensorId Product(ir::TensorId first, ir::TensorId second,
                                     std::uint64_t macs) const {
    ir::Tensor like;
    like.type = ElementType::kInt32;
    const ir::TensorId sums = view_.Like(like, product_.Shape(), "sums");
    product_.Multiply(first, second, sums, macs);
    return sums;
  }

  [[nodiscard]] static ir::IntegerMap Joined(int low_shift, const Multiplier& factor) {
    return {.kind = Kind::kJoin, .low_shift = low_shift, .rounds = Rounds::kWide, .factor = factor};
  }
  // 1 / 2^shift.
  [[nodiscard]] static Multiplier PowerOfTwo(int shift) {
    return {.multiplier = 1 << 30, .shift = 1 - shift};
  }

  // 65536 high + 256 middle + low is 65536 upper + lower, where of `lower` the lower 16 bits count,
  // signed.
  void Join(const Sums& sums, ir::TensorId result) const {
    using enum ElementType;
    constexpr int kHalf = 16;
    constexpr int kMiddle = 6;  // 2^14 times the middle is 2^6 times what it stands for.
    const double factor = static_cast<double>(view_.Input(0).scale) *
                          static_cast<double>(view_.Input(1).scale) /
                          static_cast<double>(view_.Output().scale);
    const ir::TensorId middle =
        maps_.Add(kInt32, {sums.middle[0], sums.middle[1]}, {.kind = Kind::kAdd});
    const ir::TensorId lower =
        maps_.Add(kInt32, {middle, sums.low}, Joined(kMiddle, PowerOfTwo(kMiddle)));
    const ir::TensorId carry =
        maps_.Add(kInt32, {middle, sums.low}, Joined(kMiddle, PowerOfTwo(kMiddle + kHalf)));
    const ir::TensorId above_low = maps_.Add(kInt32, {sums.low}, Scaled(1, kHalf));
    const ir::TensorId more = maps_.Add(kInt32, {carry, above_low}, {.kind = Kind::kAdd});
    ir::IntegerMap four_times = Scaled(4, 0);
    four_times.kind = Kind::kAdd;
    const ir::TensorId upper = maps_.Add(kInt32, {sums.high, more}, four_times);
    maps_.AddAs(result, {upper, lower},
                Joined(0, QuantizeMultiplier(factor, view_.graph.GetRounding())));
  }

  const OperatorView& view_;
  ProductRule product_;
  IntegerMaps maps_;
};

}  // namespace

void Legalise(const OperatorView& view, const ir::BatchMatMul& op) {
  view.RequireComputable({&view.Input(0), &view.Input(1), &view.Output()});
  const ProductRule product(view, op.transposed);
  const ir::TensorId result = view.Like(view.Output(), product.Shape(), "products");
  product.Multiply(product.First(view.op.inputs[0]), product.Second(view.op.inputs[1]), result,
                   product.Macs());
  view.Add({result}, view.op.outputs[0], ir::Reshape{});
}

bool ComputesOnDevice(const host_operators::BatchMatMul& op, const ir::Tensor& first,
                      const ir::Tensor& output, const isa::HardwareConfig& config) {
  const auto last = first.shape.end() - 1;
  const std::int64_t terms = op.transposed[0] ? *(last - 1) : *last;
  const auto batch_end = output.shape.end() - 2;
  const std::int64_t products =
      std::accumulate(output.shape.begin(), batch_end, std::int64_t{1}, std::multiplies());
  return config.int16 != 0 && terms <= kMostInt16Terms && products <= kMostProducts;
}

bool LegaliseOnDevice(const OperatorView& view, const host_operators::BatchMatMul& op) {
  if (!ComputesOnDevice(op, view.Input(0), view.Output(), view.graph.Config())) return false;
  Int16ProductRule(view, op.transposed).Run();
  return true;
}

}  // namespace tpu::compiler
