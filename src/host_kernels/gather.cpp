// SPDX-License-Identifier: Apache-2.0
// Operators that copy what other tensors point to.
#include <algorithm>

#include "base/error.h"
#include "host_kernels/kernels.h"

namespace tpu::host_kernels {
namespace {

std::size_t Index(std::int64_t index, std::int64_t size) {
  if (index >= 0 && index < size) return static_cast<std::size_t>(index);
  throw Error::Format("index {} is outside a dimension of {}", index, size);
}

std::size_t ElementSize(const executable::TensorBinding& tensor) {
  return static_cast<std::size_t>(ElementBytes(tensor.type));
}

// Copies `bytes` bytes from one place to another, counted in slices of as many bytes.
void CopySlice(const Bytes& from, std::size_t source, Bytes& to, std::size_t target,
               std::size_t bytes) {
  std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(source * bytes), bytes,
              to.begin() + static_cast<std::ptrdiff_t>(target * bytes));
}

std::vector<std::int64_t> ReadIndices(const Invocation& call, std::size_t i) {
  if (call.In(i).type == ElementType::kInt64) return call.Read<std::int64_t>(i);
  const std::vector<std::int32_t> indices = call.Read<std::int32_t>(i);
  return {indices.begin(), indices.end()};
}

}  // namespace

void Compute(Invocation& call, const host_operators::Gather& op) {
  const std::span<const std::int64_t> shape = call.In(0).shape;
  const auto axis = static_cast<std::size_t>(op.axis);
  const auto batch_dims = static_cast<std::size_t>(op.batch_dims);
  const std::size_t batches = ElementsOf(shape.first(batch_dims));
  const std::size_t outer = ElementsOf(shape.subspan(batch_dims, axis - batch_dims));
  const std::size_t slice = ElementsOf(shape.subspan(axis + 1)) * ElementSize(call.In(0));
  const std::vector<std::int32_t> indices = call.Read<std::int32_t>(1);
  const std::size_t count = indices.size() / batches;
  std::size_t target = 0;
  for (std::size_t batch = 0; batch < batches; ++batch) {
    for (std::size_t o = 0; o < outer; ++o) {
      const std::size_t begin = (batch * outer + o) * static_cast<std::size_t>(shape[axis]);
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t index = Index(indices[batch * count + i], shape[axis]);
        CopySlice(call.InBytes(0), begin + index, call.OutBytes(), target++, slice);
      }
    }
  }
}

void Compute(Invocation& call, const host_operators::GatherNd& /*op*/) {
  const std::span<const std::int64_t> shape = call.In(0).shape;
  const auto depth = static_cast<std::size_t>(call.In(1).shape.back());
  const std::size_t slice = ElementsOf(shape.subspan(depth)) * ElementSize(call.In(0));
  const std::vector<std::int32_t> indices = call.Read<std::int32_t>(1);
  for (std::size_t i = 0; i < indices.size() / depth; ++i) {
    std::size_t source = 0;
    for (std::size_t d = 0; d < depth; ++d) {
      source =
          source * static_cast<std::size_t>(shape[d]) + Index(indices[i * depth + d], shape[d]);
    }
    CopySlice(call.InBytes(0), source, call.OutBytes(), i, slice);
  }
}

void Compute(Invocation& call, const host_operators::EmbeddingLookup& /*op*/) {
  const std::span<const std::int64_t> shape = call.In(1).shape;
  const std::size_t numbers = ElementsOf(shape.subspan(1));
  const std::vector<std::int32_t> rows = call.Read<std::int32_t>(0);
  if (call.In(1).type == call.Out().type) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      CopySlice(call.InBytes(1), Index(rows[i], shape[0]), call.OutBytes(), i,
                numbers * ElementSize(call.In(1)));
    }
    return;
  }
  const std::vector<std::int8_t> table = call.Read<std::int8_t>(1);
  std::vector<float> output;
  for (const std::int32_t row : rows) {
    const std::size_t begin = Index(row, shape[0]) * numbers;
    for (const std::int8_t value : std::span(table).subspan(begin, numbers)) {
      output.push_back(call.In(1).scale * static_cast<float>(value));
    }
  }
  call.Write(0, output);
}

void Compute(Invocation& call, const host_operators::DynamicUpdateSlice& /*op*/) {
  call.OutBytes() = call.InBytes(0);
  const Shape& shape = call.In(0).shape;
  const Shape& part = call.In(1).shape;
  std::vector<std::int64_t> begin = ReadIndices(call, 2);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    begin[i] = std::min(std::max<std::int64_t>(begin[i], 0), shape[i] - part[i]);
  }
  for (std::size_t element = 0; element < ElementsOf(part); ++element) {
    std::size_t rest = element;
    std::size_t target = 0;
    std::size_t step = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
      const auto size = static_cast<std::size_t>(part[d]);
      target += (static_cast<std::size_t>(begin[d]) + rest % size) * step;
      rest /= size;
      step *= static_cast<std::size_t>(shape[d]);
    }
    CopySlice(call.InBytes(1), element, call.OutBytes(), target, ElementSize(call.In(0)));
  }
}

void Compute(Invocation& call, const host_operators::BroadcastArgs& /*op*/) {
  const auto compute = [&]<typename T>(T) {
    std::vector<T> longer = call.Read<T>(0);
    std::vector<T> shorter = call.Read<T>(1);
    if (longer.size() < shorter.size()) std::swap(longer, shorter);
    for (std::size_t i = 1; i <= shorter.size(); ++i) {
      T& a = longer[longer.size() - i];
      const T b = shorter[shorter.size() - i];
      if (a != b && a != 1 && b != 1) throw Error("the shapes do not broadcast");
      if (a == 1) a = b;
    }
    call.Write(0, longer);
  };
  if (call.Out().type == ElementType::kInt64) return compute(std::int64_t{});
  compute(std::int32_t{});
}

}  // namespace tpu::host_kernels
