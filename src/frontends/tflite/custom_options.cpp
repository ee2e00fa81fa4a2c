// SPDX-License-Identifier: Apache-2.0
#include "frontends/tflite/custom_options.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <span>

namespace tpu::tflite {
namespace {

// A FlexBuffer ends with its root: the value, a byte that says what the value is, and the value's
// width. Such a byte is a type and the width of what lies at the place that the value refers to.
// Values refer to places before them. A map refers to its values; before these stand the place of
// its keys, the keys' width and the number of both; behind them one byte for each says what it is.
enum class FlexType : std::uint8_t {
  kInt = 1,
  kUint = 2,
  kFloat = 3,
  kIndirectInt = 6,
  kIndirectUint = 7,
  kIndirectFloat = 8,
  kMap = 9,
  kBool = 26
};

using Number = std::variant<std::int64_t, double>;

class FlexMap {
 public:
  // Throws tpu::Error for what the bytes do not hold.
  explicit FlexMap(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::map<std::string, Number> Read() const {
    const std::uint64_t end = bytes_.size();
    const std::uint64_t root_width = Width(Unsigned(Before(end, 1), 1));
    const std::uint64_t packed = Unsigned(Before(end, 2), 1);
    if (TypeOf(packed) != FlexType::kMap) throw Error("they are no map");
    const std::uint64_t width = WidthOf(packed);
    const std::uint64_t map = Target(Before(end, 2 + root_width), root_width);
    const std::uint64_t count = Unsigned(Before(map, width), width);
    const std::uint64_t key_width = Width(Unsigned(Before(map, 2 * width), width));
    const std::uint64_t keys = Target(Before(map, 3 * width), width);
    if (count > end) throw Error("there are more names than bytes");
    std::map<std::string, Number> numbers;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t what = Unsigned(map + count * width + i, 1);
      const auto number = NumberAt(map + i * width, width, what);
      if (number) numbers.emplace(Key(Target(keys + i * key_width, key_width)), *number);
    }
    return numbers;
  }

 private:
  static FlexType TypeOf(std::uint64_t packed) { return static_cast<FlexType>(packed >> 2); }
  static std::uint64_t WidthOf(std::uint64_t packed) { return std::uint64_t{1} << (packed & 3); }
  static std::uint64_t Width(std::uint64_t width) {
    if (width == 1 || width == 2 || width == 4 || width == 8) return width;
    throw Error("a width is none of 1, 2, 4 and 8 bytes");
  }

  static std::uint64_t Before(std::uint64_t place, std::uint64_t bytes) {
    if (bytes > place) throw Error("a place lies outside of them");
    return place - bytes;
  }

  std::uint64_t Unsigned(std::uint64_t place, std::uint64_t width) const {
    if (place > bytes_.size() || width > bytes_.size() - place) {
      throw Error("a place lies outside of them");
    }
    std::uint64_t value = 0;
    for (std::uint64_t i = 0; i < width; ++i) {
      value |= std::uint64_t{bytes_[place + i]} << (8 * i);
    }
    return value;
  }

  std::int64_t Signed(std::uint64_t place, std::uint64_t width) const {
    const auto unused = static_cast<int>(64 - 8 * width);
    return static_cast<std::int64_t>(Unsigned(place, width) << unused) >> unused;
  }

  // What a value refers to.
  std::uint64_t Target(std::uint64_t place, std::uint64_t width) const {
    return Before(place, Unsigned(place, width));
  }

  std::string Key(std::uint64_t place) const {
    const auto rest = bytes_.subspan(place);
    const auto end = std::ranges::find(rest, 0);
    if (end == rest.end()) throw Error("a name has no end");
    return {rest.begin(), end};
  }

  double Real(std::uint64_t place, std::uint64_t width) const {
    const std::uint64_t bits = Unsigned(place, width);
    if (width == 4) return double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
    if (width == 8) return std::bit_cast<double>(bits);
    throw Error("a real number has neither 4 nor 8 bytes");
  }

  // Nothing for what is no number.
  std::optional<Number> NumberAt(std::uint64_t place, std::uint64_t width,
                                 std::uint64_t packed) const {
    switch (TypeOf(packed)) {
      case FlexType::kInt:
        return Signed(place, width);
      case FlexType::kUint:
      case FlexType::kBool:
        return static_cast<std::int64_t>(Unsigned(place, width));
      case FlexType::kIndirectInt:
        return Signed(Target(place, width), WidthOf(packed));
      case FlexType::kIndirectUint:
        return static_cast<std::int64_t>(Unsigned(Target(place, width), WidthOf(packed)));
      case FlexType::kFloat:
        return Real(place, width);
      case FlexType::kIndirectFloat:
        return Real(Target(place, width), WidthOf(packed));
      default:
        return {};
    }
  }

  std::span<const std::uint8_t> bytes_;
};

}  // namespace

CustomOptions::CustomOptions(const OperatorReader& op) : op_(op) {
  try {
    numbers_ = FlexMap(op.CustomOptions()).Read();
  } catch (const Error& error) {
    op.Require(false, "its options are damaged: {}", error.what());
  }
}

std::int64_t CustomOptions::Integer(const std::string& name) const {
  const auto found = numbers_.find(name);
  const bool is_whole =
      found != numbers_.end() && std::holds_alternative<std::int64_t>(found->second);
  op_.Require(is_whole, "its options have no number {}", name);
  return std::get<std::int64_t>(found->second);
}

std::int64_t CustomOptions::Integer(const std::string& name, std::int64_t otherwise) const {
  return numbers_.contains(name) ? Integer(name) : otherwise;
}

float CustomOptions::Real(const std::string& name) const {
  const auto found = numbers_.find(name);
  op_.Require(found != numbers_.end(), "its options have no number {}", name);
  return std::visit([](auto number) { return static_cast<float>(number); }, found->second);
}

}  // namespace tpu::tflite
