// SPDX-License-Identifier: Apache-2.0
#include "frontends/onnx/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"
#include "frontends/onnx/wire.h"
#include "ir/limits.h"

namespace tpu::onnx {
namespace {

constexpr std::size_t kMostNodes = 100'000;
constexpr std::size_t kMostDimensions = 8;
// The first field of a model, a varint: ir_version.
constexpr std::uint8_t kVersionKey = 0x08;

// TensorProto.DataType.
std::optional<ElementType> TypeOf(std::int64_t data_type) {
  switch (data_type) {
    case 1:
      return ElementType::kFloat32;
    case 2:
      return ElementType::kUint8;
    case 3:
      return ElementType::kInt8;
    case 5:
      return ElementType::kInt16;
    case 6:
      return ElementType::kInt32;
    case 7:
      return ElementType::kInt64;
    case 9:
      return ElementType::kBool;
    case 12:
      return ElementType::kUint32;
    case 13:
      return ElementType::kUint64;
    default:
      return std::nullopt;
  }
}

ElementType RequireType(std::int64_t data_type, std::string_view what, std::string_view name) {
  const std::optional<ElementType> type = TypeOf(data_type);
  if (!type) {
    throw Error::Format("{} {} has ONNX's data type {}, which is not supported", what, name,
                        data_type);
  }
  return *type;
}

// Runs `read` on each field of a message.
template <typename Read>
void ForEachField(Message message, const Read& read) {
  while (const std::optional<Field> field = message.Next()) read(*field);
}

// The values of a TensorProto that are not raw bytes.
struct TypedData {
  std::vector<float> floats;
  std::vector<std::int64_t> integers;
};

// What a tensor's shape says, or -1: a dimension is out of range, or their product is.
std::int64_t ElementsOf(const Shape& shape) {
  std::int64_t elements = 1;
  if (shape.size() > kMostDimensions) return -1;
  for (const std::int64_t d : shape) {
    if (d < 0 || d > ir::kMostElements) return -1;
    elements *= d;
    if (elements > ir::kMostElements) return -1;
  }
  return elements;
}

void SetContents(Array& array, const std::optional<std::vector<std::uint8_t>>& raw,
                 const TypedData& typed) {
  if (raw) {
    array.bytes = *raw;
  } else if (array.type == ElementType::kFloat32) {
    array.bytes = FloatArray({}, {}, typed.floats).bytes;
  } else {
    array.bytes = IntegerArray({}, array.type, {}, typed.integers).bytes;
  }
  const std::int64_t elements = ElementsOf(array.shape);
  if (elements < 0) {
    throw Error::Format("tensor {}: [{}] is no shape of a tensor", array.name,
                        fmt::join(array.shape, ", "));
  }
  const std::int64_t bytes = elements * ElementBytes(array.type);
  if (static_cast<std::int64_t>(array.bytes.size()) != bytes) {
    throw Error::Format("tensor {}: has {} bytes; its shape [{}] of {} needs {}", array.name,
                        array.bytes.size(), fmt::join(array.shape, ", "),
                        ElementTypeName(array.type), bytes);
  }
}

Array ReadTensor(const Field& tensor) {
  Array array;
  std::int64_t data_type = 0;
  std::optional<std::vector<std::uint8_t>> raw;
  TypedData typed;
  bool external = false;
  ForEachField(Message(tensor, "TensorProto"), [&](const Field& field) {
    switch (field.Number()) {
      case 1:
        field.AppendIntegers(array.shape);
        break;
      case 2:
        data_type = field.Integer();
        break;
      case 4:
        field.AppendFloats(typed.floats);
        break;
      case 5:   // int32_data: all integers of up to 32 bits.
      case 7:   // int64_data.
      case 11:  // uint64_data, and uint32.
        field.AppendIntegers(typed.integers);
        break;
      case 8:
        array.name = field.Name();
        break;
      case 9:
        raw.emplace(field.Bytes().begin(), field.Bytes().end());
        break;
      case 13:  // external_data.
        external = true;
        break;
      case 14:  // data_location.
        external = external || field.Integer() != 0;
        break;
      default:
        break;
    }
  });
  array.type = RequireType(data_type, "tensor", array.name);
  if (external) {
    throw Error::Format(
        "tensor {} lies in another file, which is not supported; save the model as one file",
        array.name);
  }
  SetContents(array, raw, typed);
  return array;
}

Attribute ReadAttribute(const Field& message) {
  Attribute attribute;
  bool graph = false;
  ForEachField(Message(message, "AttributeProto"), [&](const Field& field) {
    switch (field.Number()) {
      case 1:
        attribute.name = field.Name();
        break;
      case 2:
        attribute.f = field.Float();
        break;
      case 3:
        attribute.i = field.Integer();
        break;
      case 4:
        attribute.s = field.Name();
        break;
      case 5:
        attribute.t = std::make_shared<const Array>(ReadTensor(field));
        break;
      case 6:   // A graph.
      case 11:  // Graphs.
        graph = true;
        break;
      case 7:
        field.AppendFloats(attribute.floats);
        break;
      case 8:
        field.AppendIntegers(attribute.ints);
        break;
      default:
        break;
    }
  });
  if (graph) {
    throw Error::Format("attribute {} is a graph, which is not supported", attribute.name);
  }
  return attribute;
}

Node ReadNode(const Field& message) {
  Node node;
  std::vector<Field> attributes;
  ForEachField(Message(message, "NodeProto"), [&](const Field& field) {
    switch (field.Number()) {
      case 1:
        node.inputs.push_back(field.Name());
        break;
      case 2:
        node.outputs.push_back(field.Name());
        break;
      case 3:
        node.name = field.Name();
        break;
      case 4:
        node.op_type = field.Name();
        break;
      case 5:
        attributes.push_back(field);
        break;
      case 7:
        node.domain = field.Name();
        break;
      default:
        break;
    }
  });
  if (node.domain == "ai.onnx") node.domain.clear();
  // Behind the name and the operator, which messages give.
  try {
    for (const Field& field : attributes) node.attributes.push_back(ReadAttribute(field));
  } catch (const Error& error) {
    throw Error::Format("node {} ({}): {}", node.name, node.op_type, error.what());
  }
  return node;
}

// TypeProto.Tensor.
void ReadTensorType(const Field& message, ValueInfo& info) {
  ForEachField(Message(message, "TypeProto.Tensor"), [&](const Field& field) {
    if (field.Number() == 1) info.type = RequireType(field.Integer(), "value", info.name);
    if (field.Number() != 2) return;
    ForEachField(Message(field, "TensorShapeProto"), [&](const Field& dimension) {
      if (dimension.Number() != 1) return;
      std::optional<std::int64_t> size;
      ForEachField(Message(dimension, "TensorShapeProto.Dimension"), [&](const Field& part) {
        if (part.Number() == 1) size = part.Integer();
      });
      info.shape.push_back(size);
    });
  });
}

ValueInfo ReadValueInfo(const Field& message) {
  ValueInfo info;
  bool tensor = false;
  ForEachField(Message(message, "ValueInfoProto"), [&](const Field& field) {
    if (field.Number() == 1) info.name = field.Name();
    if (field.Number() != 2) return;
    ForEachField(Message(field, "TypeProto"), [&](const Field& type) {
      if (type.Number() != 1) return;
      tensor = true;
      ReadTensorType(type, info);
    });
  });
  if (!tensor) throw Error::Format("value {} is no tensor", info.name);
  return info;
}

void ReadGraph(const Field& message, Model& model) {
  std::vector<ValueInfo> inputs;
  std::set<std::string> constants;
  ForEachField(Message(message, "GraphProto"), [&](const Field& field) {
    switch (field.Number()) {
      case 1:
        model.nodes.push_back(ReadNode(field));
        break;
      case 5:
        model.initializers.push_back(std::make_shared<const Array>(ReadTensor(field)));
        constants.insert(model.initializers.back()->name);
        break;
      case 11:
        inputs.push_back(ReadValueInfo(field));
        break;
      case 12:
        model.outputs.push_back(ReadValueInfo(field));
        break;
      case 15:
        throw Error("has sparse initializers, which are not supported");
      default:
        break;
    }
    if (model.nodes.size() > kMostNodes) {
      throw Error::Format("has more than {} nodes", kMostNodes);
    }
  });
  // Old files list initializers among the inputs.
  for (ValueInfo& input : inputs) {
    if (!constants.contains(input.name)) model.inputs.push_back(std::move(input));
  }
}

void ReadOpset(const Field& message, Model& model) {
  std::string domain;
  std::int64_t version = 0;
  ForEachField(Message(message, "OperatorSetIdProto"), [&](const Field& field) {
    if (field.Number() == 1) domain = field.Name();
    if (field.Number() == 2) version = field.Integer();
  });
  model.opsets[domain == "ai.onnx" ? "" : domain] = version;
}

}  // namespace

bool IsOnnx(std::span<const std::uint8_t> file) {
  // Files of TensorFlow Lite may begin with the same byte, and say what they are behind it.
  constexpr std::string_view kTensorFlowLite = "TFL3";
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  return file.size() >= 2 && file[0] == kVersionKey && file[1] != 0 &&
         (file.size() < 8 || text.substr(4, 4) != kTensorFlowLite);
}

Model Parse(std::span<const std::uint8_t> file) {
  Model model;
  bool graph = false;
  ForEachField(Message(file, "ModelProto"), [&](const Field& field) {
    switch (field.Number()) {
      case 7:
        if (graph) field.Fail("is a second graph");
        graph = true;
        ReadGraph(field, model);
        break;
      case 8:
        ReadOpset(field, model);
        break;
      case 25:
        throw Error("has functions of its own, which are not supported; inline them");
      default:
        break;
    }
  });
  if (!graph) throw Error("has no graph");
  return model;
}

}  // namespace tpu::onnx
