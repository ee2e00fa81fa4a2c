// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/workload_spec.h"

#include <fmt/core.h>

#include <array>
#include <charconv>
#include <cstddef>
#include <sstream>
#include <utility>

#include "base/error.h"

namespace tpu::tools {
namespace {

// Larger sizes would only run out of memory later.
constexpr std::int32_t kMostSize = 1 << 20;
// Types that may stand behind a workload or a suite.
constexpr std::array kTypes = {ElementType::kInt16, ElementType::kFloat32, ElementType::kBfloat16};

std::vector<std::string_view> Split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// The parts of one workload, with messages that name it.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text), parts_(Split(ParseType(text).name, ':')) {}

  [[noreturn]] void Fail(std::string_view what) const {
    throw Error::Format("workload {}: {}", text_, what);
  }

  [[nodiscard]] std::string_view Kind() const { return parts_[0]; }

  void RequireParts(std::size_t count, const char* form) const {
    if (parts_.size() != count) Fail(fmt::format("should look like {}", form));
  }

  [[nodiscard]] std::string_view Part(std::size_t index) const { return parts_[index]; }

  /// Part `index` as `count` numbers with x between them.
  [[nodiscard]] std::vector<std::int32_t> Sizes(std::size_t index, std::size_t count) const {
    return Numbers(parts_[index], count, 1);
  }

  /// Part `index` is `letter` and one number or two with x between them: height and width.
  [[nodiscard]] ir::Extent Lettered(std::size_t index, char letter, std::int32_t least) const {
    std::string_view part = parts_[index];
    if (part.empty() || part[0] != letter) {
      Fail(fmt::format("\"{}\" should be {} and a number", part, letter));
    }
    part.remove_prefix(1);
    const std::size_t count = part.find('x') == std::string_view::npos ? 1 : 2;
    const std::vector<std::int32_t> numbers = Numbers(part, count, least);
    return {numbers.front(), numbers.back()};
  }

  [[nodiscard]] workloads::WindowShape Window() const {
    const std::vector<std::int32_t> image = Sizes(1, 3);
    const ir::Extent padding = Lettered(4, 'p', 0);
    workloads::WindowShape shape = {.image = {image[0], image[1]},
                                    .channels = image[2],
                                    .kernel = Lettered(2, 'k', 1),
                                    .stride = Lettered(3, 's', 1),
                                    .dilation = {},
                                    .padding = {padding.h, padding.w, padding.h, padding.w}};
    if (shape.image.h + 2 * padding.h < shape.kernel.h ||
        shape.image.w + 2 * padding.w < shape.kernel.w) {
      Fail("the kernel is larger than the padded image");
    }
    return shape;
  }

  [[nodiscard]] workloads::AttentionShape Attention() const {
    const std::vector<std::int32_t> sizes = Sizes(1, 2);
    const std::int32_t heads = Lettered(2, 'h', 1).h;
    if (sizes[1] % heads != 0) Fail("the heads do not divide the channels");
    return {.tokens = sizes[0], .channels = sizes[1], .heads = heads};
  }

 private:
  [[nodiscard]] std::vector<std::int32_t> Numbers(std::string_view part, std::size_t count,
                                                  std::int32_t least) const {
    std::vector<std::int32_t> numbers;
    for (const std::string_view digits : Split(part, 'x')) {
      std::int32_t number = 0;
      const char* const end = digits.data() + digits.size();
      const auto [rest, error] = std::from_chars(digits.data(), end, number);
      if (error != std::errc() || rest != end || number < least || number > kMostSize) {
        Fail(fmt::format("\"{}\" is not a number from {} to {}", digits, least, kMostSize));
      }
      numbers.push_back(number);
    }
    if (numbers.size() != count) {
      Fail(fmt::format("\"{}\" should be {} numbers with x between them", part, count));
    }
    return numbers;
  }

  std::string_view text_;
  std::vector<std::string_view> parts_;
};

// A network's name, and sizes behind it with - between them.
TrainSpec ParseTrain(const Parser& parser) {
  const std::vector<std::string_view> words = Split(parser.Part(1), '-');
  TrainSpec spec = {
      .network = std::string(words[0]), .sizes = {}, .batch = parser.Lettered(2, 'b', 1).h};
  for (std::size_t i = 1; i < words.size(); ++i) {
    std::int64_t size = 0;
    const char* const end = words[i].data() + words[i].size();
    const auto [rest, error] = std::from_chars(words[i].data(), end, size);
    if (error != std::errc() || rest != end || size < 1 || size > kMostSize) {
      parser.Fail(fmt::format("\"{}\" is not a number from 1 to {}", words[i], kMostSize));
    }
    spec.sizes.push_back(size);
  }
  const std::size_t count = spec.sizes.size();
  const bool known = (spec.network == "mlp" && count >= 2) ||
                     (spec.network == "lenet" && count == 1 && spec.sizes[0] >= 4) ||
                     (spec.network == "mobilenet" && count == 1 && spec.sizes[0] >= 16) ||
                     ((spec.network == "resnet8" || spec.network == "transformer") && count == 0);
  if (!known) {
    parser.Fail(
        "the network should be mlp-784-128-10 or other widths, lenet-8 or mobilenet-32 or "
        "other sides, resnet8, or transformer");
  }
  return spec;
}

std::optional<std::uint64_t> ParseCount(std::string_view text) {
  std::uint64_t count = 0;
  if (text.size() < 2 || text[0] != 'x') return std::nullopt;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + 1, end, count);
  if (error != std::errc() || rest != end || count == 0) return std::nullopt;
  return count;
}

// int8 networks with random data.
using ir::Activation;

ir::Graph GraphOf(const MatmulSpec& spec, std::uint64_t seed) {
  return workloads::Matmul(spec.m, spec.k, spec.n, seed).graph;
}
ir::Graph GraphOf(const ConvSpec& spec, std::uint64_t seed) {
  return workloads::Convolution(spec.shape, spec.output_channels, Activation::kRelu, seed).graph;
}
ir::Graph GraphOf(const DepthwiseSpec& spec, std::uint64_t seed) {
  return workloads::Depthwise(spec.shape, Activation::kRelu6, seed).graph;
}
ir::Graph GraphOf(const PoolSpec& spec, std::uint64_t seed) {
  return workloads::Pool(spec.kind, spec.shape, seed).graph;
}
ir::Graph GraphOf(const AddSpec& spec, std::uint64_t seed) {
  return workloads::Elementwise(ir::BinaryKind::kAdd, spec.image, spec.channels, Activation::kNone,
                                seed)
      .graph;
}
ir::Graph GraphOf(const MobileNetV2Spec& spec, std::uint64_t seed) {
  return workloads::MobileNetV2(spec.image, spec.percent, seed).graph;
}
ir::Graph GraphOf(const AttentionSpec& spec, std::uint64_t seed) {
  return workloads::MultiHeadAttention(spec.shape, seed).graph;
}
ir::Graph GraphOf(const EncoderSpec& spec, std::uint64_t seed) {
  return workloads::Encoder(spec.shape, seed).graph;
}
ir::Graph GraphOf(const LstmSpec& spec, std::uint64_t seed) {
  return workloads::Lstm(spec.shape, seed).graph;
}
ir::Graph GraphOf(const SvdfSpec& spec, std::uint64_t seed) {
  return workloads::Svdf(spec.shape, seed).graph;
}
template <typename OfTraining>
ir::Graph GraphOf(const OfTraining& /*spec*/, std::uint64_t /*seed*/) {
  throw InternalError("a workload of training is no network of TensorFlow Lite");
}
ir::Graph GraphOf(const ModelSpec& spec, std::uint64_t /*seed*/) {
  throw Error::Format("model {}: a model brings its own data", spec.file);
}

}  // namespace

WorkloadSpec ParseWorkload(std::string_view text) {
  const Parser parser(text);
  WorkloadSpec spec = {.text = std::string(text), .kind = {}};
  spec.type = ParseType(text).type;
  if (parser.Kind() == "matmul") {
    parser.RequireParts(2, "matmul:MxKxN");
    const std::vector<std::int32_t> sizes = parser.Sizes(1, 3);
    spec.kind = MatmulSpec{sizes[0], sizes[1], sizes[2]};
  } else if (parser.Kind() == "conv") {
    parser.RequireParts(6, "conv:HxWxC:k3:s1:p1:OC");
    spec.kind = ConvSpec{parser.Window(), parser.Sizes(5, 1)[0]};
  } else if (parser.Kind() == "dw") {
    parser.RequireParts(5, "dw:HxWxC:k3:s1:p1");
    spec.kind = DepthwiseSpec{parser.Window()};
  } else if (parser.Kind() == "maxpool" || parser.Kind() == "avgpool") {
    parser.RequireParts(5, "maxpool:HxWxC:k3:s1:p1 or avgpool:HxWxC:k3:s1:p1");
    const bool max = parser.Kind() == "maxpool";
    spec.kind = PoolSpec{max ? ir::PoolKind::kMax : ir::PoolKind::kAverage, parser.Window()};
  } else if (parser.Kind() == "add") {
    parser.RequireParts(2, "add:HxWxC");
    const std::vector<std::int32_t> sizes = parser.Sizes(1, 3);
    spec.kind = AddSpec{{sizes[0], sizes[1]}, sizes[2]};
  } else if (parser.Kind() == "mobilenetv2") {
    parser.RequireParts(3, "mobilenetv2:HxW:w100");
    const std::vector<std::int32_t> sizes = parser.Sizes(1, 2);
    spec.kind = MobileNetV2Spec{{sizes[0], sizes[1]}, parser.Lettered(2, 'w', 1).h};
  } else if (parser.Kind() == "attention") {
    parser.RequireParts(3, "attention:TxC:h4");
    spec.kind = AttentionSpec{parser.Attention()};
  } else if (parser.Kind() == "encoder") {
    parser.RequireParts(4, "encoder:TxC:h4:f1024");
    if (spec.type == ElementType::kInt16) parser.Fail("RSQRT is not on int16");
    spec.kind =
        EncoderSpec{{.attention = parser.Attention(), .hidden = parser.Lettered(3, 'f', 1).h}};
  } else if (parser.Kind() == "lstm") {
    parser.RequireParts(2, "lstm:TxIxC");
    const std::vector<std::int32_t> sizes = parser.Sizes(1, 3);
    spec.kind = LstmSpec{{.steps = sizes[0], .inputs = sizes[1], .cells = sizes[2]}};
  } else if (parser.Kind() == "svdf") {
    parser.RequireParts(3, "svdf:IxU:m8");
    if (spec.type != ElementType::kInt8) parser.Fail("SVDF is on int8 alone");
    const std::vector<std::int32_t> sizes = parser.Sizes(1, 2);
    const std::int32_t memory = parser.Lettered(2, 'm', 1).h;
    spec.kind = SvdfSpec{{.inputs = sizes[0], .units = sizes[1], .memory = memory}};
  } else if (parser.Kind() == "train") {
    parser.RequireParts(3, "train:NETWORK:b32");
    spec.kind = ParseTrain(parser);
  } else if (parser.Kind() == "weight-gradient" || parser.Kind() == "input-gradient") {
    parser.RequireParts(6, "weight-gradient:HxWxC:k3:s1:p1:OC or input-gradient:HxWxC:k3:s1:p1:OC");
    spec.kind = GradientSpec{.layer = {parser.Window(), parser.Sizes(5, 1)[0]},
                             .of_weights = parser.Kind() == "weight-gradient"};
  } else if (parser.Kind() == "update") {
    parser.RequireParts(3, "update:OPTIMIZER:COUNT");
    const std::string optimizer(parser.Part(1));
    if (optimizer != "sgd" && optimizer != "momentum" && optimizer != "adam") {
      parser.Fail("the optimiser should be sgd, momentum or adam");
    }
    spec.kind = UpdateSpec{.optimizer = optimizer, .parameters = parser.Sizes(2, 1)[0]};
  } else if (parser.Kind() == "model" && text.size() > 6) {
    if (spec.type != ElementType::kInt8) parser.Fail("a model has types of its own");
    spec.kind = ModelSpec{std::string(text.substr(6))};
  } else {
    parser.Fail(
        "should begin with matmul:, conv:, dw:, maxpool:, avgpool:, add:, mobilenetv2:, "
        "attention:, encoder:, lstm:, svdf:, "
        "train:, weight-gradient:, input-gradient:, update: or model:");
  }
  return spec;
}

std::vector<WorkloadSpec> ParseSuite(std::string_view text, const std::string& file,
                                     ElementType type) {
  std::vector<WorkloadSpec> specs;
  std::size_t number = 0;
  for (const std::string_view line : Split(text, '\n')) {
    ++number;
    std::istringstream words{std::string(line.substr(0, line.find('#')))};
    std::string workload;
    std::string count;
    std::string rest;
    words >> workload >> count >> rest;
    if (workload.empty()) continue;
    if (type != ElementType::kInt8) workload += fmt::format(":{}", ElementTypeName(type));
    try {
      specs.push_back(ParseWorkload(workload));
    } catch (const Error& error) {
      throw Error::Format("{}:{}: {}", file, number, error.what());
    }
    if (count.empty()) continue;
    const auto parsed = ParseCount(count);
    if (!parsed || !rest.empty()) {
      throw Error::Format("{}:{}: \"{}\" behind the workload is not x and a count", file, number,
                          rest.empty() ? count : rest);
    }
    specs.back().count = *parsed;
  }
  if (specs.empty()) throw Error::Format("{}: holds no workload", file);
  return specs;
}

TypedName ParseType(std::string_view text) {
  for (const ElementType type : kTypes) {
    const std::string suffix = fmt::format(":{}", ElementTypeName(type));
    if (text.ends_with(suffix)) return {text.substr(0, text.size() - suffix.size()), type};
  }
  return {.name = text};
}

ir::Graph MakeGraph(const WorkloadSpec& spec, std::uint64_t seed) {
  ir::Graph graph = std::visit([&](const auto& kind) { return GraphOf(kind, seed); }, spec.kind);
  if (spec.type == ElementType::kInt8) return graph;
  if (spec.type == ElementType::kInt16) return workloads::InInt16(std::move(graph));
  return workloads::InFloats(std::move(graph), spec.type);
}

}  // namespace tpu::tools
