// SPDX-License-Identifier: Apache-2.0
// Fourier transforms of real numbers as KISS FFT computes them, which TensorFlow Lite Micro's
// signal library uses: by radix 4, 2, 3, 5 and other primes. Integers are fractions of Q0.15 or
// Q0.31, which each stage divides by its radix.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tpu::host_kernels {

template <typename T>
struct Complex {
  T real{};
  T imaginary{};
};

/// Of an even number of real numbers, 4 or more, without other prime factors. T: std::int16_t,
/// std::int32_t or float.
template <typename T>
class RealFft {
 public:
  RealFft(std::size_t length, bool inverse);

  /// The first length / 2 + 1 of the transform's numbers.
  [[nodiscard]] std::vector<Complex<T>> Forward(std::span<const T> input) const;
  /// From as many numbers back to `length` real ones.
  [[nodiscard]] std::vector<T> Backward(std::span<const Complex<T>> input) const;

 private:
  struct Stage {
    std::size_t radix = 0;
    std::size_t size = 0;  ///< Of each of the `radix` transforms that the stage joins.
  };
  using Numbers = std::span<Complex<T>>;

  [[nodiscard]] std::vector<Complex<T>> Transform(std::span<const Complex<T>> input) const;
  void Work(Numbers output, std::span<const Complex<T>> input, std::size_t step,
            std::size_t stage) const;
  void Join(Numbers output, std::size_t step, const Stage& stage) const;
  void Join2(Numbers output, std::size_t step, std::size_t size) const;
  void Join3(Numbers output, std::size_t step, std::size_t size) const;
  void Join4(Numbers output, std::size_t step, std::size_t size) const;
  void Join5(Numbers output, std::size_t step, std::size_t size) const;

  std::size_t half_;  ///< Complex numbers are made of neighbouring real ones.
  bool inverse_;
  std::vector<Stage> stages_;
  std::vector<Complex<T>> twiddles_;
  std::vector<Complex<T>> real_twiddles_;  ///< For what makes one transform of real numbers of it.
};

extern template class RealFft<std::int16_t>;
extern template class RealFft<std::int32_t>;
extern template class RealFft<float>;

}  // namespace tpu::host_kernels
