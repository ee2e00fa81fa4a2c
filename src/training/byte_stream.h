// SPDX-License-Identifier: Apache-2.0
// Numbers, texts and lists as bytes, little-endian, and back.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/error.h"

namespace tpu::training {

static_assert(std::endian::native == std::endian::little);

class ByteWriter {
 public:
  template <typename T>
  requires std::is_arithmetic_v<T>
  void Put(T value) {
    const auto at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    std::memcpy(bytes_.data() + at, &value, sizeof(T));
  }
  /// How many elements there are, then the elements. Texts are lists of char.
  template <typename List>
  void PutList(const List& list) {
    Put(static_cast<std::uint64_t>(list.size()));
    for (const auto& element : list) Put(element);
  }
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<std::uint8_t> bytes_;
};

/// Never reads outside of `bytes`; throws tpu::Error instead.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  template <typename T>
  T Get() {
    Require(sizeof(T));
    T value{};
    std::memcpy(&value, bytes_.data(), sizeof(T));
    bytes_ = bytes_.subspan(sizeof(T));
    return value;
  }
  template <typename List>
  List GetList() {
    const std::size_t size = Count(sizeof(typename List::value_type));
    List list;
    for (std::size_t i = 0; i < size; ++i) list.push_back(Get<typename List::value_type>());
    return list;
  }
  /// The number of elements of at least `least` bytes each that follow.
  std::size_t Count(std::size_t least) {
    const auto count = Get<std::uint64_t>();
    if (count > bytes_.size() / least) throw Error("a list is longer than the file");
    return static_cast<std::size_t>(count);
  }
  [[nodiscard]] bool AtEnd() const { return bytes_.empty(); }

 private:
  void Require(std::size_t size) const {
    if (size > bytes_.size()) throw Error("it ends too early");
  }
  std::span<const std::uint8_t> bytes_;
};

}  // namespace tpu::training
