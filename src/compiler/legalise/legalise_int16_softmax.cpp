// SPDX-License-Identifier: Apache-2.0
// SOFTMAX on int16. Exponentials and reciprocals are interpolated; the array adds up exponentials,
// so that all lanes have the sum of their row, and each of them computes the row's factor.
#include "arithmetic/int16_softmax.h"
#include "compiler/legalise/integer_maps.h"
#include "compiler/legalise/legalise_int16.h"
#include "compiler/legalise/softmax_rows.h"

namespace tpu::compiler {
namespace {

using Kind = ir::IntegerMap::Kind;
using Rounds = ir::IntegerMap::Rounds;
using enum ElementType;

// The distances to a row's largest value have 17 bits, which stay 32 when multiplied.
constexpr int kMostDistanceShift = 14;

// A row's sum is s = 2^k * (1 + f), k from kLeastLog to kMostLog. Rows of so many values have sums
// whose bits from kLeastLog on are more than a byte.
constexpr int kLeastLog = 14;
constexpr int kMostLog = 28;
constexpr std::int64_t kLongRow = 129;

class Int16SoftmaxRule {
 public:
  explicit Int16SoftmaxRule(const OperatorView& view)
      : view_(view),
        rows_(view, LengthOfRows(view.Input(0))),
        elements_(view, rows_.Blocks()),
        sums_(view, rows_.OfEachRow()) {}

  void Run(const Multiplier& factor) {
    const ir::TensorId exponentials = Exponentials(rows_.Input(), factor);
    // Of 2^28 times the reciprocal, divided by 2^k, 2^31sts.
    const ir::TensorId result = rows_.Raw(kInt16, rows_.Blocks(), "result");
    elements_.AddAs(
        result, {exponentials, Factors(Sums(exponentials))},
        {.rounds = Rounds::kProduct, .factor = {.multiplier = 0, .shift = 31 - kMostLog}});
    rows_.Finish(result);
  }

 private:
  // The table ends where the distance is 0. Its first two samples are the same.
  [[nodiscard]] ir::TensorId Exponentials(ir::TensorId x, const Multiplier& factor) const {
    constexpr std::int32_t kNoDistance = 32767;
    const ir::TensorId distances =
        elements_.Add(kInt32, {x, rows_.Largest(x)},
                      {.kind = Kind::kSub, .rounds = Rounds::kAsNetwork, .factor = factor});
    return AddInterpolated(elements_, distances, kNoDistance, arithmetic::ExponentialOfInt16());
  }

  // Of each row the sum in all lanes. What was added to the row does not count.
  [[nodiscard]] ir::TensorId Sums(ir::TensorId exponentials) const {
    const ir::TensorId ones =
        rows_.Ones("ones", rows_.Lanes(), rows_.Padded(),
                   [&](std::int64_t /*o*/, std::int64_t i) { return i < rows_.Length(); });
    const ir::TensorId sums = rows_.Raw(kInt32, {rows_.Rows(), rows_.Lanes()}, "sums");
    view_.Add({view_.Reshaped(exponentials, {rows_.Rows(), rows_.Padded()}), ones}, sums,
              ir::FullyConnected{}, 0);
    return view_.Reshaped(sums, rows_.OfEachRow());
  }

  // 2^(28 - k) / (1 + f) in 32768ths.
  [[nodiscard]] ir::TensorId Factors(ir::TensorId sums) const {
    constexpr int kFractionBits = 16;
    constexpr std::int32_t kOneAndHalf = 3 << (kMostLog - 1);
    const SumLogarithm k(sums_, sums, kLeastLog, kMostLog, rows_.Length() >= kLongRow);
    const ir::TensorId power =
        k.Map(kInt32, [](int log) { return std::int32_t{1} << (kMostLog - log); });
    // f less a half, which is in the middle of the table.
    ir::IntegerMap fraction = Scaled(1, kMostLog - kFractionBits);
    fraction.kind = Kind::kMul;
    fraction.bias = -kOneAndHalf;
    const ir::TensorId argument = sums_.Add(kInt16, {sums, power}, fraction);
    const ir::TensorId reciprocal =
        AddInterpolated(sums_, argument, 0, arithmetic::ReciprocalOfInt16());
    return sums_.Add(kInt32, {power, reciprocal}, {.kind = Kind::kMul});
  }

  const OperatorView& view_;
  SoftmaxRows rows_;
  IntegerMaps elements_;
  IntegerMaps sums_;
};

}  // namespace

bool LegaliseInt16(const OperatorView& view, const ir::Softmax& op) {
  if (!ComputesSoftmax(view, kInt16)) return false;
  const Multiplier factor =
      arithmetic::Int16SoftmaxFactor(op.beta, view.Input(0).scale, view.graph.GetRounding());
  if (factor.shift > kMostDistanceShift) return false;
  Int16SoftmaxRule(view).Run(factor);
  return true;
}

}  // namespace tpu::compiler
