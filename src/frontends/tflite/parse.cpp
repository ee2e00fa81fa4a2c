// SPDX-License-Identifier: Apache-2.0
// More than 400 lines: one reader goes through all parts of a file, and counts what they take.
#include "frontends/tflite/parse.h"

#include <flatbuffers/flatbuffers.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "ir/limits.h"

namespace tpu::tflite {
namespace {

constexpr std::uint32_t kVersion = 3;
constexpr std::size_t kHeaderBytes = 8;  // Offset of the root, file identifier.
constexpr std::size_t kMostBytes = FLATBUFFERS_MAX_BUFFER_SIZE - 1;
constexpr std::uint32_t kMostTables = 250'000;
constexpr std::size_t kMostDimensions = 8;
// Parts of a file may be referred to any number of times. Models do so for constants of equal
// contents, but only so far.
constexpr std::size_t kMostSharing = 16;
constexpr std::size_t kSmallFile = 65'536;

template <typename T>
std::size_t SizeOf(const flatbuffers::Vector<T>* vector) {
  return vector == nullptr ? 0 : vector->size();
}

// Bits that a zero point of the type must fit; 0 for types whose quantisation nobody looks at.
// INT32 is one of them: it follows from other tensors what a bias means, and old converters write
// anything there.
int QuantizedBits(TensorType type) {
  switch (type) {
    case TensorType::INT8:
    case TensorType::UINT8:
      return 8;
    case TensorType::INT16:
      return 16;
    default:
      return 0;
  }
}

class Parser {
 public:
  Parser(std::span<const std::uint8_t> bytes, std::string file)
      : bytes_(bytes.begin(), bytes.end()) {
    result_.file = std::move(file);
  }

  Model Run() {
    CheckHeader();
    flatbuffers::Verifier::Options limits;
    limits.max_tables = kMostTables;
    flatbuffers::Verifier verifier(bytes_.data(), bytes_.size(), limits);
    Require(schema::VerifyModelBuffer(verifier), "model",
            "truncated or damaged: its offsets and lengths do not fit its {} bytes", bytes_.size());
    root_ = schema::GetModel(bytes_.data());
    Require(root_->version() == kVersion, "version", "is {}; only {} can be read", root_->version(),
            kVersion);
    Require(SizeOf(root_->subgraphs()) > 0, "subgraphs", "there is none");
    result_.description = TextOf(root_->description());
    ReadSubgraph(0, result_);
    Require(!result_.outputs.empty(), "subgraphs[0].outputs", "there is none");
    ReadSubgraphsOf(result_);
    return std::move(result_);
  }

 private:
  template <typename... Args>
  void Require(bool condition, std::string_view field, fmt::format_string<Args...> format,
               Args&&... args) const {
    if (condition) return;
    throw Error::Format("{}: {}: {}", result_.file, field,
                        fmt::format(format, std::forward<Args>(args)...));
  }

  // The same, for fields whose names take time to make.
  template <typename... Args>
  void RequireIn(bool condition, const std::string& where, std::string_view field,
                 fmt::format_string<Args...> format, Args&&... args) const {
    if (condition) return;
    Require(false, fmt::format("{}.{}", where, field), "{}",
            fmt::format(format, std::forward<Args>(args)...));
  }

  // Counts what is copied out of the file.
  void Charge(std::size_t bytes) {
    copied_ += bytes;
    Require(copied_ <= kMostSharing * std::max(bytes_.size(), kSmallFile), "model",
            "refers to the same contents too often");
  }

  std::string TextOf(const flatbuffers::String* text) {
    if (text == nullptr) return {};
    Charge(text->size());
    std::string result = text->str();
    // Names appear in messages, which are lines.
    std::replace_if(
        result.begin(), result.end(),
        [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, '?');
    return result;
  }

  template <typename T>
  std::vector<T> ValuesOf(const flatbuffers::Vector<T>* values) {
    if (values == nullptr) return {};
    Charge(values->size() * sizeof(T));
    // Copied as bytes: the verifier leaves open whether 64-bit elements are aligned.
    std::vector<T> result(values->size());
    if (!result.empty()) std::memcpy(result.data(), values->Data(), result.size() * sizeof(T));
    return result;
  }

  void CheckHeader() const {
    Require(bytes_.size() >= kHeaderBytes, "header", "{} bytes are no TensorFlow Lite model",
            bytes_.size());
    Require(bytes_.size() <= kMostBytes, "header", "{} bytes are too many; at most {}",
            bytes_.size(), kMostBytes);
    Require(schema::ModelBufferHasIdentifier(bytes_.data()), "header",
            "bytes 4 to 7 are not TFL3: this is no TensorFlow Lite model");
  }

  void ReadSubgraph(std::int32_t index, Subgraph& subgraph) {
    const schema::SubGraph& graph =
        *root_->subgraphs()->Get(static_cast<flatbuffers::uoffset_t>(index));
    where_ = fmt::format("subgraphs[{}]", index);
    subgraph_ = &subgraph;
    ReadTensors(graph);
    ReadOperators(graph);
    ReadInputsAndOutputs(graph);
    CheckOrder();
  }

  // The subgraphs that operators run. That one runs itself is found later.
  void ReadSubgraphsOf(const Subgraph& subgraph) {
    std::vector<const Subgraph*> rest = {&subgraph};
    while (!rest.empty()) {
      const Subgraph& caller = *rest.back();
      rest.pop_back();
      for (const Operator& op : caller.operators) {
        for (const std::int32_t index : SubgraphsOf(op)) {
          Require(index > 0 && static_cast<std::size_t>(index) < root_->subgraphs()->size(),
                  op.name, "there is no subgraph {} to call", index);
          const auto [place, is_new] = result_.subgraphs.try_emplace(index);
          if (!is_new) continue;
          ReadSubgraph(index, place->second);
          rest.push_back(&place->second);
        }
      }
    }
  }

  void ReadTensors(const schema::SubGraph& graph) {
    Require(SizeOf(graph.tensors()) > 0, where_ + ".tensors", "there is none");
    for (flatbuffers::uoffset_t i = 0; i < graph.tensors()->size(); ++i) {
      subgraph_->tensors.push_back(
          ReadTensor(*graph.tensors()->Get(i), fmt::format("tensors[{}]", i)));
    }
  }

  Tensor ReadTensor(const schema::Tensor& source, const std::string& where) {
    Tensor tensor;
    tensor.name = TextOf(source.name());
    tensor.type = source.type();
    RequireIn(!std::string_view(schema::EnumNameTensorType(tensor.type)).empty(), where, "type",
              "there is no {}", TypeName(tensor.type));
    tensor.shape = ReadShape(source, where);
    const std::vector<std::int32_t> signature = ValuesOf(source.shape_signature());
    tensor.dynamic = std::find(signature.begin(), signature.end(), -1) != signature.end();
    tensor.variable = source.is_variable();
    RequireIn(source.sparsity() == nullptr, where, "sparsity", "sparse tensors are not supported");
    if (source.quantization() != nullptr) {
      tensor.quantization = ReadQuantization(*source.quantization(), tensor, where);
    }
    tensor.data = ReadContents(source, tensor, where);
    return tensor;
  }

  std::vector<std::int32_t> ReadShape(const schema::Tensor& source, const std::string& where) {
    std::vector<std::int32_t> shape = ValuesOf(source.shape());
    RequireIn(shape.size() <= kMostDimensions, where, "shape", "has {} dimensions; at most {}",
              shape.size(), kMostDimensions);
    std::int64_t elements = 1;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      RequireIn(shape[d] >= 0, where, fmt::format("shape[{}]", d), "is {}", shape[d]);
      // A dimension of 0 must not hide others that are too large.
      elements *= std::max(shape[d], 1);
      RequireIn(elements <= ir::kMostElements, where, "shape", "[{}] makes too many elements",
                fmt::join(shape, ", "));
    }
    return shape;
  }

  // Of use to QUANTIZE alone. What biases have there may be nonsense, and is not looked at.
  Quantization QuantizationOfInt32(const schema::QuantizationParameters& source) {
    Quantization q = {.scales = ValuesOf(source.scale()),
                      .zero_points = ValuesOf(source.zero_point())};
    const bool usable = q.scales.size() == 1 && std::isfinite(q.scales[0]) && q.scales[0] > 0.0F &&
                        q.zero_points.size() <= 1;
    if (!usable) return {};
    if (q.zero_points.empty()) q.zero_points = {0};
    const auto zero_point = static_cast<std::int32_t>(q.zero_points[0]);
    return zero_point == q.zero_points[0] ? q : Quantization{};
  }

  Quantization ReadQuantization(const schema::QuantizationParameters& source, const Tensor& tensor,
                                const std::string& where) {
    if (tensor.type == TensorType::INT32) return QuantizationOfInt32(source);
    const int bits = QuantizedBits(tensor.type);
    if (bits == 0) return {};
    RequireIn(source.details_type() == 0, where, "quantization.details",
              "custom quantisation is not supported");
    Quantization q = {.scales = ValuesOf(source.scale()),
                      .zero_points = ValuesOf(source.zero_point()),
                      .axis = source.quantized_dimension()};
    if (q.scales.empty()) return {};
    // One zero point may stand for all scales.
    if (q.zero_points.size() != q.scales.size()) {
      q.zero_points.assign(q.scales.size(), q.zero_points.empty() ? 0 : q.zero_points.front());
    }
    if (q.scales.size() > 1) CheckAxis(q, tensor, where);
    for (std::size_t i = 0; i < q.scales.size(); ++i) {
      const bool dead_channel = q.scales.size() > 1 && q.scales[i] == 0.0F;
      RequireIn(std::isfinite(q.scales[i]) && (q.scales[i] > 0.0F || dead_channel), where,
                fmt::format("quantization.scale[{}]", i), "is {}", q.scales[i]);
    }
    CheckZeroPoints(q, tensor.type, bits, where);
    return q;
  }

  void CheckAxis(const Quantization& q, const Tensor& tensor, const std::string& where) const {
    RequireIn(q.axis >= 0 && static_cast<std::size_t>(q.axis) < tensor.shape.size(), where,
              "quantization.quantized_dimension", "is {}, but the shape has {} dimensions", q.axis,
              tensor.shape.size());
    const std::int32_t size = tensor.shape[static_cast<std::size_t>(q.axis)];
    RequireIn(q.scales.size() == static_cast<std::size_t>(size), where, "quantization.scale",
              "has {} values for a dimension of {}", q.scales.size(), size);
  }

  void CheckZeroPoints(const Quantization& q, TensorType type, int bits,
                       const std::string& where) const {
    const bool is_signed = type != TensorType::UINT8;
    const std::int64_t lo = is_signed ? -(std::int64_t{1} << (bits - 1)) : 0;
    const std::int64_t hi = lo + (std::int64_t{1} << bits) - 1;
    for (std::size_t i = 0; i < q.zero_points.size(); ++i) {
      RequireIn(q.zero_points[i] >= lo && q.zero_points[i] <= hi, where,
                fmt::format("quantization.zero_point[{}]", i), "{} is no {}", q.zero_points[i],
                TypeName(type));
    }
  }

  std::vector<std::uint8_t> ReadContents(const schema::Tensor& source, const Tensor& tensor,
                                         const std::string& where) {
    const std::uint32_t index = source.buffer();
    const std::size_t count = SizeOf(root_->buffers());
    // Without any buffers, index 0, which is the default, means none.
    if (count == 0 && index == 0) return {};
    RequireIn(index < count, where, "buffer", "there is no buffer {}; the file has {}", index,
              count);
    const std::span<const std::uint8_t> contents =
        ContentsOf(*root_->buffers()->Get(index), fmt::format("buffers[{}]", index));
    if (contents.empty()) return {};
    const std::int64_t element = TypeBytes(tensor.type);
    RequireIn(
        element == 0 || static_cast<std::size_t>(tensor.Elements() * element) == contents.size(),
        where, "buffer", "buffer {} has {} bytes; {} [{}] needs {}", index, contents.size(),
        TypeName(tensor.type), fmt::join(tensor.shape, ", "), tensor.Elements() * element);
    Charge(contents.size());
    return {contents.begin(), contents.end()};
  }

  [[nodiscard]] std::span<const std::uint8_t> ContentsOf(const schema::Buffer& buffer,
                                                         const std::string& where) const {
    // Offsets 0 and 1 stand for "within the flatbuffer".
    if (buffer.offset() > 1) {
      RequireIn(
          buffer.offset() <= bytes_.size() && buffer.size() <= bytes_.size() - buffer.offset(),
          where, "offset", "bytes {} to {} are outside the file's {}", buffer.offset(),
          static_cast<double>(buffer.offset()) + static_cast<double>(buffer.size()), bytes_.size());
      return std::span(bytes_).subspan(buffer.offset(), buffer.size());
    }
    if (buffer.data() == nullptr) return {};
    return {buffer.data()->data(), buffer.data()->size()};
  }

  void ReadOperators(const schema::SubGraph& graph) {
    for (flatbuffers::uoffset_t i = 0; i < SizeOf(graph.operators()); ++i) {
      subgraph_->operators.push_back(
          ReadOperator(*graph.operators()->Get(i), fmt::format("operators[{}]", i)));
    }
  }

  Operator ReadOperator(const schema::Operator& source, const std::string& where) {
    const std::size_t codes = SizeOf(root_->operator_codes());
    RequireIn(source.opcode_index() < codes, where, "opcode_index",
              "there is no operator code {}; the file has {}", source.opcode_index(), codes);
    Operator op;
    const schema::OperatorCode& code = *root_->operator_codes()->Get(source.opcode_index());
    RequireIn(code.deprecated_builtin_code() >= 0, where, "opcode_index",
              "there is no operator with code {}", code.deprecated_builtin_code());
    ReadCode(code, op);
    op.inputs = ValuesOf(source.inputs());
    op.outputs = ValuesOf(source.outputs());
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
      if (op.inputs[i] == -1) continue;
      CheckTensor(op.inputs[i], where, "inputs", i);
    }
    for (std::size_t i = 0; i < op.outputs.size(); ++i) {
      CheckTensor(op.outputs[i], where, "outputs", i);
    }
    ReadOptions(source, op);
    op.custom_options = ValuesOf(source.custom_options());
    return op;
  }

  void ReadCode(const schema::OperatorCode& code, Operator& op) {
    op.code =
        std::max(static_cast<BuiltinOperator>(code.deprecated_builtin_code()), code.builtin_code());
    op.name = schema::EnumNameBuiltinOperator(op.code);
    if (op.code == BuiltinOperator::CUSTOM) op.name = TextOf(code.custom_code());
    if (op.name.empty()) op.name = fmt::format("operator code {}", static_cast<int>(op.code));
  }

  void ReadOptions(const schema::Operator& source, Operator& op) {
    if (source.builtin_options() == nullptr) return;
    if (const auto* reshape = source.builtin_options_as_ReshapeOptions()) {
      Charge(SizeOf(reshape->new_shape()) * sizeof(std::int32_t));
    }
    if (const auto* squeeze = source.builtin_options_as_SqueezeOptions()) {
      Charge(SizeOf(squeeze->squeeze_dims()) * sizeof(std::int32_t));
    }
    if (const auto* handle = source.builtin_options_as_VarHandleOptions()) {
      for (const auto* text : {handle->container(), handle->shared_name()}) {
        if (text != nullptr) Charge(text->size());
      }
    }
    op.options.value = schema::BuiltinOptionsUnion::UnPack(source.builtin_options(),
                                                           source.builtin_options_type(), nullptr);
    if (op.options.value != nullptr) op.options.type = source.builtin_options_type();
  }

  void CheckTensor(std::int32_t tensor, const std::string& where, std::string_view list,
                   std::size_t i) const {
    RequireIn(tensor >= 0 && static_cast<std::size_t>(tensor) < subgraph_->tensors.size(), where,
              fmt::format("{}[{}]", list, i), "there is no tensor {}; the file has {}", tensor,
              subgraph_->tensors.size());
  }

  void ReadInputsAndOutputs(const schema::SubGraph& graph) {
    subgraph_->inputs = ValuesOf(graph.inputs());
    subgraph_->outputs = ValuesOf(graph.outputs());
    for (std::size_t i = 0; i < subgraph_->inputs.size(); ++i) {
      CheckTensor(subgraph_->inputs[i], where_, "inputs", i);
    }
    for (std::size_t i = 0; i < subgraph_->outputs.size(); ++i) {
      CheckTensor(subgraph_->outputs[i], where_, "outputs", i);
    }
  }

  // Every tensor has one origin, and comes before its use; hence there are no cycles.
  void CheckOrder() {
    made_.assign(subgraph_->tensors.size(), false);
    for (std::size_t t = 0; t < subgraph_->tensors.size(); ++t) {
      const Tensor& tensor = subgraph_->tensors[t];
      made_[t] = tensor.IsConstant() || tensor.variable;
    }
    for (const std::int32_t t : subgraph_->inputs) Make(t, where_ + ".inputs");
    for (std::size_t i = 0; i < subgraph_->operators.size(); ++i) {
      const std::string where = fmt::format("operators[{}] ({})", i, subgraph_->operators[i].name);
      for (const std::int32_t t : subgraph_->operators[i].inputs) {
        if (t >= 0) CheckMade(t, where);
      }
      for (const std::int32_t t : subgraph_->operators[i].outputs) Make(t, where);
    }
    for (const std::int32_t t : subgraph_->outputs) CheckMade(t, where_ + ".outputs");
  }

  void Make(std::int32_t t, const std::string& where) {
    const auto index = static_cast<std::size_t>(t);
    Require(!made_[index], where, "tensor {} ({}) has another origin already", t,
            subgraph_->tensors[index].name);
    made_[index] = true;
  }

  void CheckMade(std::int32_t t, const std::string& where) const {
    const Tensor& tensor = subgraph_->tensors[static_cast<std::size_t>(t)];
    // Without elements it needs no origin: the shape of a scalar.
    Require(made_[static_cast<std::size_t>(t)] || tensor.Elements() == 0, where,
            "tensor {} ({}) is used before it is made", t, tensor.name);
  }

  std::vector<std::uint8_t> bytes_;  // A copy, aligned as flatbuffers have to be.
  const schema::Model* root_ = nullptr;
  std::size_t copied_ = 0;
  std::vector<bool> made_;
  Model result_;
  Subgraph* subgraph_ = nullptr;  // That is being read.
  std::string where_;             // Its name.
};

}  // namespace

Model Parse(std::span<const std::uint8_t> bytes, const std::string& file) {
  return Parser(bytes, file).Run();
}

Model Load(const std::filesystem::path& path) { return Parse(ReadBytes(path), path.string()); }

}  // namespace tpu::tflite
