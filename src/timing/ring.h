// SPDX-License-Identifier: Apache-2.0
// A queue of bounded length.
#pragma once

#include <array>
#include <cstddef>

namespace tpu::timing {

/// `kCapacity`, a power of two, is never exceeded.
template <typename T, std::size_t kCapacity>
class Ring {
 public:
  [[nodiscard]] bool empty() const { return pushed_ == popped_; }
  [[nodiscard]] std::size_t size() const { return pushed_ - popped_; }
  [[nodiscard]] T& front() { return items_[popped_ % kCapacity]; }
  [[nodiscard]] const T& front() const { return items_[popped_ % kCapacity]; }
  [[nodiscard]] T& back() { return items_[(pushed_ - 1) % kCapacity]; }
  /// Element `i`, counted from the front.
  [[nodiscard]] const T& operator[](std::size_t i) const {
    return items_[(popped_ + i) % kCapacity];
  }
  void push_back(const T& item) { items_[pushed_++ % kCapacity] = item; }
  void pop_front() { ++popped_; }

 private:
  static_assert((kCapacity & (kCapacity - 1)) == 0);
  std::array<T, kCapacity> items_{};
  std::size_t pushed_ = 0;
  std::size_t popped_ = 0;
};

}  // namespace tpu::timing
