// SPDX-License-Identifier: Apache-2.0
// Operators that move values along axes.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "frontends/onnx/convert.h"

namespace tpu::onnx {
namespace {

// The slices of a constant at these indices of an axis.
Array Take(const Array& array, std::size_t axis, const std::vector<std::int64_t>& indices) {
  const auto size = static_cast<std::size_t>(ElementBytes(array.type));
  std::size_t inner = size;
  for (std::size_t i = axis + 1; i < array.shape.size(); ++i) {
    inner *= static_cast<std::size_t>(array.shape[i]);
  }
  const std::size_t slices = static_cast<std::size_t>(array.shape[axis]);
  Array result = {.name = array.name, .type = array.type, .shape = array.shape, .bytes = {}};
  result.shape[axis] = static_cast<std::int64_t>(indices.size());
  for (std::size_t outer = 0; outer * slices * inner < array.bytes.size(); ++outer) {
    for (const std::int64_t index : indices) {
      const auto from =
          array.bytes.begin() +
          static_cast<std::ptrdiff_t>((outer * slices + static_cast<std::size_t>(index)) * inner);
      result.bytes.insert(result.bytes.end(), from, from + static_cast<std::ptrdiff_t>(inner));
    }
  }
  return result;
}

Value WithArray(const Value& like, const std::string& name, Array array) {
  NodeReader::Require(!like.quantisation || like.quantisation->scales.size() == 1,
                      "{} has several scales", like.name);
  Value result = like;
  result.name = name;
  result.shape = array.shape;
  result.constant = std::make_shared<const Array>(std::move(array));
  return result;
}

// The begin, the step and the number of the elements that a slice takes of an axis.
struct Part {
  std::int64_t begin = 0;
  std::int64_t step = 1;
  std::int64_t size = 0;
};

Part PartOf(std::int64_t start, std::int64_t end, std::int64_t step, std::int64_t size) {
  NodeReader::Require(step != 0 && step > -size - 1 && step < std::numeric_limits<int>::max(),
                      "a step is {}", step);
  const auto settle = [size](std::int64_t at, std::int64_t low, std::int64_t high) {
    if (at < 0) at = std::max(at, -size - 1) + size;
    return std::clamp(at, low, high);
  };
  Part part = {.step = step};
  if (step > 0) {
    part.begin = settle(start, 0, size);
    part.size = std::max<std::int64_t>((settle(end, 0, size) - part.begin + step - 1) / step, 0);
  } else {
    part.begin = settle(start, 0, size - 1);
    const std::int64_t stop = end < -size ? -1 : settle(end, -1, size - 1);
    part.size = std::max<std::int64_t>((part.begin - stop - step - 1) / -step, 0);
  }
  NodeReader::Require(part.size > 0, "the result is empty");
  return part;
}

// What the elements of value x that stand for `real` are, as integers.
std::int64_t IntegerOf(const Value& x, float real) {
  const auto found = std::ranges::find(x.meaning->reals, real);
  if (found != x.meaning->reals.end()) return found - x.meaning->reals.begin() - 128;
  NodeReader::Require(x.meaning->affine, "{} has no integer for {}", x.name, real);
  return QuantizedByte(real, {.name = x.name,
                              .scale = x.meaning->scale,
                              .zero_point = x.meaning->zero_point,
                              .type = ElementType::kInt8});
}

// One slice for each of the parts along the value's axes.
Value Cut(const NodeReader& op, const Value& x, const std::vector<Part>& parts,
          const std::string& name) {
  Shape shape;
  for (const Part& part : parts) shape.push_back(part.size);
  if (x.constant != nullptr) {
    Array array = *x.constant;
    array.shape = x.shape;
    for (std::size_t axis = 0; axis < parts.size(); ++axis) {
      std::vector<std::int64_t> indices;
      for (std::int64_t i = 0; i < parts[axis].size; ++i) {
        indices.push_back(parts[axis].begin + i * parts[axis].step);
      }
      array = Take(array, axis, indices);
    }
    return WithArray(x, name, std::move(array));
  }
  const Layout& layout = Builder::LayoutOf(x);
  std::vector<std::int64_t> begin;
  std::vector<std::int64_t> step;
  for (const std::size_t axis : layout) {
    begin.push_back(parts[axis].begin);
    step.push_back(parts[axis].step);
  }
  return Builder::Moved(x, name, shape, layout,
                        op.graph().Slice(op.builder().Stored(x, layout), begin,
                                         StoredShape(shape, layout), step, {.name = name}));
}

}  // namespace

Value ConvertIdentity(const NodeReader& op) {
  Value result = op.Input(0);
  result.name = op.ResultName();
  return result;
}

Value ConvertTranspose(const NodeReader& op) {
  const Value& x = op.Input(0);
  const std::size_t rank = x.shape.size();
  std::vector<std::int64_t> permutation(rank);
  std::iota(permutation.rbegin(), permutation.rend(), 0);
  permutation = op.Ints("perm").value_or(permutation);
  std::vector<std::int64_t> sorted = permutation;
  std::ranges::sort(sorted);
  Layout axes = Plain(rank);
  NodeReader::Require(std::ranges::equal(sorted, axes), "perm [{}] is no order of {} axes",
                      fmt::join(permutation, ", "), rank);
  Value result = x;
  result.name = op.ResultName();
  // Where each of the old axes is among the new ones.
  Layout places(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    result.shape[i] = x.shape[static_cast<std::size_t>(permutation[i])];
    places[static_cast<std::size_t>(permutation[i])] = i;
  }
  if (x.constant != nullptr) {
    const bool is_float = x.constant->type == ElementType::kFloat32;
    result.constant = std::make_shared<const Array>(
        is_float ? FloatArray(x.constant->name, result.shape,
                              Transposed(x.constant->Floats(), x.shape, permutation))
                 : IntegerArray(x.constant->name, x.constant->type, result.shape,
                                Transposed(x.constant->Integers(), x.shape, permutation)));
    if (x.quantisation && x.quantisation->scales.size() > 1) {
      result.quantisation->axis = places[x.quantisation->axis];
    }
    return result;
  }
  // The same tensors, whose axes have other numbers now.
  result.forms = std::make_shared<std::vector<Form>>(*x.forms);
  for (Form& form : *result.forms) {
    for (std::size_t& axis : form.layout) axis = places[axis];
  }
  return result;
}

Value ConvertConcat(const NodeReader& op) {
  const std::size_t rank = op.Input(0).shape.size();
  const std::size_t axis = NodeReader::Axis(op.Int("axis", 0), rank);
  Values values;
  Shape shape = op.Input(0).shape;
  NodeReader::Require(axis < rank, "{} has no axes", op.Input(0).name);
  shape[axis] = 0;
  bool all_constant = true;
  for (std::size_t i = 0; i < op.Inputs(); ++i) {
    const Value& x = op.Input(i);
    NodeReader::Require(x.shape.size() == rank, "{} does not have {} axes", x.name, rank);
    all_constant = all_constant && x.constant != nullptr && !x.quantisation && rank == 1;
    shape[axis] += x.shape[axis];
    values.push_back(x);
  }
  if (all_constant) {
    Array array = {.name = op.ResultName(), .type = values[0].constant->type, .shape = shape};
    for (const Value& value : values) {
      NodeReader::Require(value.constant->type == array.type, "{} has another type", value.name);
      array.bytes.insert(array.bytes.end(), value.constant->bytes.begin(),
                         value.constant->bytes.end());
    }
    return WithArray(values[0], op.ResultName(), std::move(array));
  }
  const bool of_integers = values[0].type != ElementType::kFloat32;
  Builder& builder = op.builder();
  std::optional<Layout> layout;
  std::vector<Graph::Tensor> tensors;
  for (Value& value : values) {
    NodeReader::Require((value.type != ElementType::kFloat32) == of_integers,
                        "{} is {}, and other inputs are not", value.name,
                        ElementTypeName(value.type));
    if (value.constant == nullptr && !layout) layout = Builder::LayoutOf(value);
    if (of_integers || value.constant != nullptr) continue;
    NodeReader::Require(value.meaning != nullptr, "{} is float32; quantise the model", value.name);
    Target target = op.To();
    target.name = value.name + "_rescaled";
    value = builder.Quantize(value, target, target.name);
  }
  NodeReader::Require(layout.has_value(), "all inputs are constant");
  for (const Value& value : values) tensors.push_back(builder.Stored(value, *layout));
  const auto position = static_cast<std::int64_t>(PositionOf(*layout, axis));
  if (of_integers) {
    return Builder::Moved(values[0], op.ResultName(), shape, *layout,
                          op.graph().Concatenation(tensors, position, {.name = op.ResultName()}));
  }
  return op.Made(shape, *layout, op.graph().Concatenation(tensors, position, op.Written()));
}

Value ConvertSlice(const NodeReader& op) {
  const Value& x = op.Input(0);
  const std::vector<std::int64_t> starts = op.Integers(1);
  const std::vector<std::int64_t> ends = op.Integers(2);
  std::vector<std::int64_t> axes(starts.size());
  std::iota(axes.begin(), axes.end(), 0);
  if (op.HasInput(3)) axes = op.Integers(3);
  std::vector<std::int64_t> steps(starts.size(), 1);
  if (op.HasInput(4)) steps = op.Integers(4);
  NodeReader::Require(
      ends.size() == starts.size() && axes.size() == starts.size() && steps.size() == starts.size(),
      "starts, ends, axes and steps are not equally many");
  std::vector<Part> parts;
  for (const std::int64_t d : x.shape) parts.push_back({.size = d});
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::size_t axis = NodeReader::Axis(axes[i], x.shape.size());
    parts[axis] = PartOf(starts[i], ends[i], steps[i], x.shape[axis]);
  }
  return Cut(op, x, parts, op.ResultName());
}

Values ConvertSplit(const NodeReader& op) {
  const Value& x = op.Input(0);
  const std::size_t axis = NodeReader::Axis(op.Int("axis", 0), x.shape.size());
  const std::size_t count = op.node().outputs.size();
  const std::int64_t total = x.shape[axis];
  std::vector<std::int64_t> sizes;
  if (const auto given = op.IntsOrInput("split", 1)) {
    sizes = *given;
  } else {
    // Equal parts, the last one smaller.
    const auto parts = static_cast<std::int64_t>(count);
    const std::int64_t size = (total + parts - 1) / parts;
    sizes.assign(count, size);
    sizes.back() = total - size * (parts - 1);
  }
  NodeReader::Require(sizes.size() == count, "{} sizes for {} outputs", sizes.size(), count);
  Values values;
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < count; ++i) {
    NodeReader::Require(sizes[i] >= 1 && sizes[i] <= total - begin,
                        "the sizes [{}] do not make the dimension of {}", fmt::join(sizes, ", "),
                        total);
    std::vector<Part> parts;
    for (const std::int64_t d : x.shape) parts.push_back({.size = d});
    parts[axis] = {.begin = begin, .size = sizes[i]};
    values.push_back(Cut(op, x, parts, op.node().outputs[i]));
    begin += sizes[i];
  }
  NodeReader::Require(begin == total, "the sizes [{}] do not make the dimension of {}",
                      fmt::join(sizes, ", "), total);
  return values;
}

Value ConvertGather(const NodeReader& op) {
  const Value& x = op.Input(0);
  const std::size_t rank = x.shape.size();
  const std::size_t axis = NodeReader::Axis(op.Int("axis", 0), rank);
  std::vector<std::int64_t> indices = op.Integers(1);
  for (std::int64_t& index : indices) {
    if (index < 0) index += x.shape[axis];
    NodeReader::Require(index >= 0 && index < x.shape[axis], "index {} is outside of {}", index,
                        x.shape[axis]);
  }
  NodeReader::Require(!indices.empty(), "there are no indices");
  // The indices' axes take the place of the axis.
  Shape shape(x.shape.begin(), x.shape.begin() + static_cast<std::ptrdiff_t>(axis));
  const Shape& inner = op.Input(1).shape;
  shape.insert(shape.end(), inner.begin(), inner.end());
  shape.insert(shape.end(), x.shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, x.shape.end());
  if (x.constant != nullptr) {
    Array array = *x.constant;
    array.shape = x.shape;
    array = Take(array, axis, indices);
    array.shape = shape;
    return WithArray(x, op.ResultName(), std::move(array));
  }
  const Graph::Tensor taken =
      op.graph().Gather(op.builder().Stored(x, Plain(rank)), static_cast<std::int64_t>(axis),
                        indices, inner, {.name = op.ResultName()});
  return Builder::Moved(x, op.ResultName(), shape, Plain(shape.size()), taken);
}

Value ConvertPad(const NodeReader& op) {
  const Value& x = op.Input(0);
  NodeReader::Require(x.constant == nullptr, "{} is constant", x.name);
  NodeReader::Require(op.Text("mode", "constant") == "constant", "mode {} is not supported",
                      op.Text("mode", ""));
  const std::size_t rank = x.shape.size();
  const std::vector<std::int64_t> pads = op.Integers(1);
  std::vector<std::int64_t> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  if (op.HasInput(3)) axes = op.Integers(3);
  NodeReader::Require(pads.size() == 2 * axes.size(), "{} margins for {} axes", pads.size(),
                      axes.size());
  std::vector<std::int64_t> before(rank, 0);
  std::vector<std::int64_t> after(rank, 0);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t axis = NodeReader::Axis(axes[i], rank);
    before[axis] = pads[i];
    after[axis] = pads[axes.size() + i];
  }
  const float value = op.HasInput(2) ? op.Number(2) : 0.0F;
  NodeReader::Require(x.type != ElementType::kFloat32 || x.meaning != nullptr,
                      "{} is float32; only quantised models are supported: quantise the model",
                      x.name);
  NodeReader::Require(std::abs(value) <= 1e6F, "the value {} is out of range", value);
  const std::int64_t fill = x.type == ElementType::kFloat32
                                ? IntegerOf(x, value)
                                : static_cast<std::int64_t>(value) + Shift(x.type);
  const Layout& layout = Builder::LayoutOf(x);
  const Graph::Tensor padded = op.graph().Pad(
      op.builder().Stored(x, layout), StoredShape(before, layout), StoredShape(after, layout), fill,
      {.name = op.ResultName(), .operator_name = op.OperatorName()});
  Shape shape = x.shape;
  for (std::size_t i = 0; i < rank; ++i) shape[i] += before[i] + after[i];
  return Builder::Moved(x, op.ResultName(), shape, layout, padded);
}

}  // namespace tpu::onnx
