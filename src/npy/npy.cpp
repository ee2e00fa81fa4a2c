// SPDX-License-Identifier: Apache-2.0
#include "npy/npy.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/files.h"

namespace tpu::npy {
namespace {

struct TypeFacts {
  std::string_view name;
  std::string_view code;  // Without the byte order in front.
  std::int64_t bytes;
};

constexpr std::array<TypeFacts, 9> kTypes = {{
    {"int8", "i1", 1},
    {"uint8", "u1", 1},
    {"int16", "i2", 2},
    {"int32", "i4", 4},
    {"int64", "i8", 8},
    {"uint32", "u4", 4},
    {"uint64", "u8", 8},
    {"float32", "f4", 4},
    {"bool", "b1", 1},
}};

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kVersionEnd = 8;  // Magic and two bytes of version.
constexpr std::size_t kAlignment = 64;  // The values start at a multiple of so many bytes.

const TypeFacts& FactsOf(Type type) { return kTypes.at(static_cast<std::size_t>(type)); }

// The header's text: a Python dictionary with the keys descr, fortran_order and shape.
class Header {
 public:
  Header(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Array Read() {
    Expect('{');
    while (!Accept('}')) {
      const std::string_view key = QuotedText();
      Expect(':');
      ReadValue(key);
      if (!Accept(',')) {
        Expect('}');
        break;
      }
    }
    Require(type_.has_value() && shape_.has_value() && order_known_,
            "the header lacks descr, fortran_order or shape");
    return {.type = *type_, .shape = std::move(*shape_), .bytes = {}};
  }

 private:
  template <typename... Args>
  void Require(bool condition, fmt::format_string<Args...> format, Args&&... args) const {
    if (condition) return;
    throw Error::Format("{}: {}", file_, fmt::format(format, std::forward<Args>(args)...));
  }

  void ReadValue(std::string_view key) {
    if (key == "descr") {
      ReadType();
    } else if (key == "fortran_order") {
      Require(!AcceptWord("True"), "Fortran order is not supported; save numpy.ascontiguousarray");
      Require(AcceptWord("False"), "fortran_order in the header is neither True nor False");
      order_known_ = true;
    } else if (key == "shape") {
      ReadShape();
    } else {
      Require(false, "unknown key in the header");
    }
  }

  void ReadType() {
    Require(Peek() == '\'' || Peek() == '"', "structured types are not supported");
    const std::string_view descr = QuotedText();
    Require(!descr.starts_with('>') || descr.ends_with('1'),
            "big-endian values ({}) are not supported", Printable(descr));
    const std::string_view code = descr.substr(descr.empty() ? 0 : 1);
    const auto* facts = std::find_if(kTypes.begin(), kTypes.end(),
                                     [&](const TypeFacts& type) { return type.code == code; });
    Require(facts != kTypes.end() && std::string_view("<>|=").find(descr[0]) != descr.npos,
            "type {} is not supported; supported are int8, uint8, int16, int32, int64 and float32",
            Printable(descr));
    type_ = static_cast<Type>(facts - kTypes.begin());
  }

  void ReadShape() {
    shape_.emplace();
    Expect('(');
    while (!Accept(')')) {
      shape_->push_back(Number());
      if (!Accept(',')) {
        Expect(')');
        break;
      }
    }
  }

  void SkipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  char Peek() {
    SkipSpace();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool Accept(char c) {
    if (Peek() != c) return false;
    ++at_;
    return true;
  }
  void Expect(char c) { Require(Accept(c), "'{}' is missing in the header", c); }
  bool AcceptWord(std::string_view word) {
    SkipSpace();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  std::string_view QuotedText() {
    const char quote = Peek();
    Require(quote == '\'' || quote == '"', "a key or type in the header is not in quotes");
    const std::size_t begin = ++at_;
    at_ = text_.find(quote, begin);
    Require(at_ != text_.npos, "a quote in the header is not closed");
    return text_.substr(begin, at_++ - begin);
  }
  std::int64_t Number() {
    SkipSpace();
    std::int64_t value = -1;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    Require(error == std::errc{} && value >= 0, "a dimension in the header is no count");
    at_ = static_cast<std::size_t>(end - text_.data());
    return value;
  }
  static std::string Printable(std::string_view text) {
    std::string result(text.substr(0, 16));
    std::replace_if(
        result.begin(), result.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return result;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0;
  std::optional<Type> type_;
  std::optional<std::vector<std::int64_t>> shape_;
  bool order_known_ = false;
};

// Bytes of an array; nothing when they cannot be counted.
std::optional<std::int64_t> BytesOf(const Array& array) {
  std::int64_t bytes = TypeBytes(array.type);
  for (const std::int64_t d : array.shape) {
    if (d < 0 || (d > 0 && bytes > std::numeric_limits<std::int64_t>::max() / d)) return {};
    bytes *= d;
  }
  return bytes;
}

std::string_view TextOf(std::span<const std::uint8_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The header's text and what follows it.
struct Parts {
  std::string_view header;
  std::span<const std::uint8_t> values;
};

Parts SplitFile(std::span<const std::uint8_t> bytes, const std::string& file) {
  if (!TextOf(bytes).starts_with(kMagic)) {
    throw Error::Format("{}: this is no .npy file; it does not begin with \\x93NUMPY", file);
  }
  const unsigned version = bytes.size() < kVersionEnd ? 1 : bytes[kMagic.size()];
  if (version < 1 || version > 3) {
    throw Error::Format("{}: version {} of the .npy format is not supported", file, version);
  }
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t begin = kVersionEnd + length_bytes;
  std::size_t length = 0;
  for (std::size_t i = 0; i < length_bytes && begin <= bytes.size(); ++i) {
    length |= std::size_t{bytes[kVersionEnd + i]} << (8 * i);
  }
  if (begin > bytes.size() || length > bytes.size() - begin) {
    throw Error::Format("{}: truncated: {} bytes end within the header", file, bytes.size());
  }
  return {.header = TextOf(bytes.subspan(begin, length)), .values = bytes.subspan(begin + length)};
}

std::string HeaderOf(const Array& array) {
  const TypeFacts& type = FactsOf(array.type);
  std::string text = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}{}), }}",
                                 type.bytes == 1 ? '|' : '<', type.code,
                                 fmt::join(array.shape, ", "), array.shape.size() == 1 ? "," : "");
  const std::size_t used = kVersionEnd + 2 + text.size() + 1;
  text.append((kAlignment - used % kAlignment) % kAlignment, ' ');
  return text + '\n';
}

}  // namespace

std::string_view TypeName(Type type) { return FactsOf(type).name; }

std::int64_t TypeBytes(Type type) { return FactsOf(type).bytes; }

Array Parse(std::span<const std::uint8_t> bytes, const std::string& file) {
  const Parts parts = SplitFile(bytes, file);
  Array array = Header(parts.header, file).Read();
  const std::optional<std::int64_t> expected = BytesOf(array);
  if (!expected || static_cast<std::uint64_t>(*expected) != parts.values.size()) {
    throw Error::Format("{}: {} bytes of values do not make {} [{}]", file, parts.values.size(),
                        TypeName(array.type), fmt::join(array.shape, ", "));
  }
  array.bytes.assign(parts.values.begin(), parts.values.end());
  return array;
}

Array Read(const std::filesystem::path& path) { return Parse(ReadBytes(path), path.string()); }

void Write(const std::filesystem::path& path, const Array& array) {
  const std::optional<std::int64_t> expected = BytesOf(array);
  if (!expected || static_cast<std::uint64_t>(*expected) != array.bytes.size()) {
    throw Error::Format("{}: {} bytes do not make {} [{}]", path.string(), array.bytes.size(),
                        TypeName(array.type), fmt::join(array.shape, ", "));
  }
  const std::string header = HeaderOf(array);
  std::string bytes(kMagic);
  for (const std::size_t byte :
       {std::size_t{1}, std::size_t{0}, header.size() & 0xff, header.size() >> 8}) {
    bytes += static_cast<char>(byte);
  }
  bytes += header;
  bytes.append(array.bytes.begin(), array.bytes.end());
  WriteFile(path, bytes);
}

}  // namespace tpu::npy
