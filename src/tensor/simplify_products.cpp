// SPDX-License-Identifier: Apache-2.0
// Transposes before and behind products become other dimension numbers.
#include <algorithm>
#include <cstddef>
#include <utility>

#include "tensor/rewriter.h"

namespace tpu::tensor {
namespace {

std::size_t Slot(std::int64_t dimension) { return static_cast<std::size_t>(dimension); }

void Renumber(Dimensions& dimensions, const Dimensions& permutation) {
  for (std::int64_t& d : dimensions) d = permutation[Slot(d)];
}

// Whether the dimensions that are left have the same order without the transpose.
bool KeepsFree(const Dimensions& permutation, const Dimensions& batching,
               const Dimensions& contracting) {
  Dimensions free;
  for (std::size_t d = 0; d < permutation.size(); ++d) {
    const auto in = [d](const Dimensions& list) {
      return std::find(list.begin(), list.end(), static_cast<std::int64_t>(d)) != list.end();
    };
    if (!in(batching) && !in(contracting)) free.push_back(permutation[d]);
  }
  return std::is_sorted(free.begin(), free.end());
}

std::optional<ValueId> WithoutTranspose(DotGeneral op, Operands operands, Rewriter& r) {
  const auto left = r.MakerOf<Transpose>(operands[0]);
  if (left &&
      KeepsFree(left->permutation, op.lhs_batching_dimensions, op.lhs_contracting_dimensions)) {
    Renumber(op.lhs_batching_dimensions, left->permutation);
    Renumber(op.lhs_contracting_dimensions, left->permutation);
    operands[0] = r.OperandOf(operands[0]);
    return r.Emit(op, operands);
  }
  const auto right = r.MakerOf<Transpose>(operands[1]);
  if (right &&
      KeepsFree(right->permutation, op.rhs_batching_dimensions, op.rhs_contracting_dimensions)) {
    Renumber(op.rhs_batching_dimensions, right->permutation);
    Renumber(op.rhs_contracting_dimensions, right->permutation);
    operands[1] = r.OperandOf(operands[1]);
    return r.Emit(op, operands);
  }
  return {};
}

void RenumberInput(Convolution& op, const Dimensions& permutation) {
  op.input_batch_dimension = permutation[Slot(op.input_batch_dimension)];
  op.input_feature_dimension = permutation[Slot(op.input_feature_dimension)];
  Renumber(op.input_spatial_dimensions, permutation);
}
void RenumberKernel(Convolution& op, const Dimensions& permutation) {
  op.kernel_input_feature_dimension = permutation[Slot(op.kernel_input_feature_dimension)];
  op.kernel_output_feature_dimension = permutation[Slot(op.kernel_output_feature_dimension)];
  Renumber(op.kernel_spatial_dimensions, permutation);
}

std::optional<ValueId> WithoutTranspose(Convolution op, Operands operands, Rewriter& r) {
  // One element is the same in either direction.
  for (std::size_t d = 0; d < op.window_reversal.size(); ++d) {
    const std::int64_t size = r.ShapeOf(operands[1])[Slot(op.kernel_spatial_dimensions[d])];
    if (!op.window_reversal[d] || size != 1) continue;
    op.window_reversal[d] = false;
    return r.Emit(op, operands);
  }
  if (const auto input = r.MakerOf<Transpose>(operands[0])) {
    RenumberInput(op, input->permutation);
    operands[0] = r.OperandOf(operands[0]);
    return r.Emit(op, operands);
  }
  if (const auto kernel = r.MakerOf<Transpose>(operands[1])) {
    RenumberKernel(op, kernel->permutation);
    operands[1] = r.OperandOf(operands[1]);
    return r.Emit(op, operands);
  }
  const auto reverse = r.MakerOf<Reverse>(operands[1]);
  if (!reverse) return {};
  for (const std::int64_t d : reverse->dimensions) {
    const auto at =
        std::find(op.kernel_spatial_dimensions.begin(), op.kernel_spatial_dimensions.end(), d);
    if (at == op.kernel_spatial_dimensions.end()) return {};
    const std::size_t spatial = Slot(at - op.kernel_spatial_dimensions.begin());
    op.window_reversal[spatial] = !op.window_reversal[spatial];
  }
  operands[1] = r.OperandOf(operands[1]);
  return r.Emit(op, operands);
}

// The transpose of a product with the operands' free dimensions exchanged is the product of the
// exchanged operands.
std::optional<ValueId> ExchangedProduct(const Transpose& transpose, ValueId product, Rewriter& r) {
  const auto dot = r.MakerOf<DotGeneral>(product);
  if (!dot) return {};
  const auto batches = static_cast<std::int64_t>(dot->lhs_batching_dimensions.size());
  const std::int64_t left = r.TypeOf(r.OperandOf(product, 0)).Rank() - batches -
                            static_cast<std::int64_t>(dot->lhs_contracting_dimensions.size());
  Dimensions exchanged = AllDimensions(r.TypeOf(product).Rank());
  std::rotate(exchanged.begin() + batches, exchanged.begin() + batches + left, exchanged.end());
  if (transpose.permutation != exchanged) return {};
  return r.Emit(DotGeneral{.lhs_batching_dimensions = dot->rhs_batching_dimensions,
                           .rhs_batching_dimensions = dot->lhs_batching_dimensions,
                           .lhs_contracting_dimensions = dot->rhs_contracting_dimensions,
                           .rhs_contracting_dimensions = dot->lhs_contracting_dimensions,
                           .element = dot->element},
                {r.OperandOf(product, 1), r.OperandOf(product, 0)});
}

std::optional<ValueId> TransposedConvolution(const Transpose& transpose, ValueId product,
                                             Rewriter& r) {
  auto op = r.MakerOf<Convolution>(product);
  if (!op) return {};
  const auto moved = [&](std::int64_t d) {
    const auto& permutation = transpose.permutation;
    return std::find(permutation.begin(), permutation.end(), d) - permutation.begin();
  };
  op->output_batch_dimension = moved(op->output_batch_dimension);
  op->output_feature_dimension = moved(op->output_feature_dimension);
  for (std::int64_t& d : op->output_spatial_dimensions) d = moved(d);
  return r.Emit(*op, {r.OperandOf(product, 0), r.OperandOf(product, 1)});
}

}  // namespace

std::optional<ValueId> RewriteProduct(const Operation& operation, const Operands& operands,
                                      Rewriter& rewriter) {
  if (const auto* dot = std::get_if<DotGeneral>(&operation)) {
    return WithoutTranspose(*dot, operands, rewriter);
  }
  if (const auto* convolution = std::get_if<Convolution>(&operation)) {
    return WithoutTranspose(*convolution, operands, rewriter);
  }
  const auto* transpose = std::get_if<Transpose>(&operation);
  if (transpose == nullptr || !rewriter.UsedOnce(operands[0])) return {};
  if (const auto product = ExchangedProduct(*transpose, operands[0], rewriter)) return product;
  return TransposedConvolution(*transpose, operands[0], rewriter);
}

}  // namespace tpu::tensor
