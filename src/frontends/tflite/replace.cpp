// SPDX-License-Identifier: Apache-2.0
#include "frontends/tflite/replace.h"

#include <flatbuffers/flatbuffers.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "base/error.h"
#include "frontends/tflite/parse.h"

namespace tpu::tflite {
namespace {

/// Bytes of a file.
struct Range {
  std::size_t begin = 0;
  std::size_t size = 0;

  [[nodiscard]] bool Overlaps(const Range& other) const {
    return begin < other.begin + other.size && other.begin < begin + size;
  }
};

class Replacer {
 public:
  Replacer(std::span<const std::uint8_t> bytes, std::string file)
      : file_(std::move(file)), bytes_(bytes.begin(), bytes.end()) {
    Parse(bytes, file_);  // From here on offsets and lengths can be trusted.
    root_ = schema::GetModel(bytes_.data());
  }

  std::vector<std::uint8_t> Run(std::span<const NewConstant> constants) {
    std::vector<std::uint8_t> result = bytes_;
    for (const NewConstant& constant : constants) {
      const Range place = PlaceOf(constant);
      std::ranges::copy(constant.bytes, result.begin() + static_cast<std::ptrdiff_t>(place.begin));
    }
    return result;
  }

 private:
  template <typename... Args>
  void Require(bool condition, const schema::Tensor& tensor, fmt::format_string<Args...> format,
               Args&&... args) const {
    if (condition) return;
    throw Error::Format("{}: tensor {}: {}", file_, NameOf(tensor),
                        fmt::format(format, std::forward<Args>(args)...));
  }

  static std::string NameOf(const schema::Tensor& tensor) {
    return tensor.name() == nullptr ? "without a name" : tensor.name()->str();
  }

  Range PlaceOf(const NewConstant& constant) {
    const auto& tensors = *root_->subgraphs()->Get(0)->tensors();
    if (constant.tensor >= tensors.size()) {
      throw Error::Format("{}: there is no tensor {}", file_, constant.tensor);
    }
    const schema::Tensor& tensor = *tensors.Get(constant.tensor);
    Require(tensor.type() == TensorType::FLOAT32, tensor, "is {} in the file, not FLOAT32",
            TypeName(tensor.type()));
    const bool known = root_->buffers() != nullptr && tensor.buffer() < root_->buffers()->size();
    const Range place = known ? ContentsOf(tensor.buffer()) : Range{};
    Require(place.size > 0, tensor,
            "has no contents of its own in the file: they were computed from another tensor");
    Require(place.size == constant.bytes.size(), tensor, "has {} bytes in the file, not {}",
            place.size, constant.bytes.size());
    RequireOnlyUse(tensor, place);
    return place;
  }

  // Also of a length of 0, which says that there is none.
  Range ContentsOf(std::uint32_t buffer) const {
    const schema::Buffer& contents = *root_->buffers()->Get(buffer);
    if (contents.offset() > 1) return {contents.offset(), contents.size()};
    if (contents.data() == nullptr) return {};
    return {static_cast<std::size_t>(contents.data()->data() - bytes_.data()),
            contents.data()->size()};
  }

  void RequireOnlyUse(const schema::Tensor& tensor, const Range& place) const {
    for (const schema::SubGraph* graph : *root_->subgraphs()) {
      if (graph->tensors() == nullptr) continue;
      for (const schema::Tensor* other : *graph->tensors()) {
        if (other == &tensor || other->buffer() >= root_->buffers()->size()) continue;
        Require(!ContentsOf(other->buffer()).Overlaps(place), tensor,
                "shares its contents in the file with tensor {}, so that it cannot have others",
                NameOf(*other));
      }
    }
  }

  std::string file_;
  std::vector<std::uint8_t> bytes_;  // Aligned as flatbuffers have to be.
  const schema::Model* root_ = nullptr;
};

}  // namespace

std::vector<std::uint8_t> ReplaceConstants(std::span<const std::uint8_t> bytes,
                                           const std::string& file,
                                           std::span<const NewConstant> constants) {
  return Replacer(bytes, file).Run(constants);
}

}  // namespace tpu::tflite
