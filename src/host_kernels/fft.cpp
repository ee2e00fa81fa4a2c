// SPDX-License-Identifier: Apache-2.0
#include "host_kernels/fft.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <type_traits>

namespace tpu::host_kernels {
namespace {

// What sums and products are computed in before they are rounded to T.
template <typename T>
struct Wide {
  using Type = std::conditional_t<std::is_floating_point_v<T>, T, std::int64_t>;
};
template <typename T>
using WideOf = typename Wide<T>::Type;

// Products of integers have twice as many fraction bits.
template <typename T>
T Round(WideOf<T> product) {
  if constexpr (std::is_floating_point_v<T>) {
    return product;
  } else {
    constexpr int kBits = std::numeric_limits<T>::digits;
    // Wraps around, where an unscaled input makes sums too large.
    const std::uint64_t sum =
        static_cast<std::uint64_t>(product) + (std::uint64_t{1} << (kBits - 1));
    return static_cast<T>(static_cast<std::int64_t>(sum) >> kBits);
  }
}

template <typename T>
WideOf<T> Product(T a, T b) {
  return static_cast<WideOf<T>>(a) * static_cast<WideOf<T>>(b);
}

// a + b and a - b; int64 sums of two products of int32 wrap around.
template <typename W>
W Sum(W a, W b) {
  if constexpr (std::is_floating_point_v<W>) {
    return a + b;
  } else {
    return static_cast<W>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  }
}
template <typename W>
W Difference(W a, W b) {
  if constexpr (std::is_floating_point_v<W>) {
    return a - b;
  } else {
    return static_cast<W>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
  }
}

template <typename T>
T Multiply(T a, T b) {
  return Round<T>(Product(a, b));
}

template <typename T>
T Half(WideOf<T> x) {
  if constexpr (std::is_floating_point_v<T>) {
    return x * T{0.5};
  } else {
    return static_cast<T>(x >> 1);
  }
}

template <typename T>
T Add(T a, T b) {
  return static_cast<T>(static_cast<WideOf<T>>(a) + static_cast<WideOf<T>>(b));
}
template <typename T>
T Subtract(T a, T b) {
  return static_cast<T>(static_cast<WideOf<T>>(a) - static_cast<WideOf<T>>(b));
}
template <typename T>
T Negate(T a) {
  return static_cast<T>(-static_cast<WideOf<T>>(a));
}

template <typename T>
Complex<T> operator+(const Complex<T>& a, const Complex<T>& b) {
  return {Add(a.real, b.real), Add(a.imaginary, b.imaginary)};
}
template <typename T>
Complex<T> operator-(const Complex<T>& a, const Complex<T>& b) {
  return {Subtract(a.real, b.real), Subtract(a.imaginary, b.imaginary)};
}
template <typename T>
Complex<T> operator*(const Complex<T>& a, const Complex<T>& b) {
  return {Round<T>(Difference(Product(a.real, b.real), Product(a.imaginary, b.imaginary))),
          Round<T>(Sum(Product(a.real, b.imaginary), Product(a.imaginary, b.real)))};
}

// Integers keep their range when a stage divides them by its radix.
template <typename T>
Complex<T> Scaled(const Complex<T>& x, std::size_t radix) {
  if constexpr (std::is_floating_point_v<T>) {
    return x;
  } else {
    const auto factor =
        static_cast<T>(std::numeric_limits<T>::max() / static_cast<std::int64_t>(radix));
    return {Multiply(x.real, factor), Multiply(x.imaginary, factor)};
  }
}

template <typename T>
Complex<T> Conjugate(const Complex<T>& x) {
  return {x.real, Negate(x.imaginary)};
}

template <typename T>
Complex<T> UnitAt(double phase) {
  if constexpr (std::is_floating_point_v<T>) {
    return {static_cast<T>(std::cos(phase)), static_cast<T>(std::sin(phase))};
  } else {
    constexpr double kOne = std::numeric_limits<T>::max();
    return {static_cast<T>(std::floor(0.5 + kOne * std::cos(phase))),
            static_cast<T>(std::floor(0.5 + kOne * std::sin(phase)))};
  }
}

}  // namespace

template <typename T>
RealFft<T>::RealFft(std::size_t length, bool inverse) : half_(length / 2), inverse_(inverse) {
  const double direction = inverse ? -1.0 : 1.0;
  const auto count = static_cast<double>(half_);
  for (std::size_t i = 0; i < half_; ++i) {
    const double phase = -2 * std::numbers::pi * static_cast<double>(i) / count;
    twiddles_.push_back(UnitAt<T>(phase * direction));
  }
  for (std::size_t i = 0; i < half_ / 2; ++i) {
    const double phase = -std::numbers::pi * (static_cast<double>(i + 1) / count + 0.5);
    real_twiddles_.push_back(UnitAt<T>(phase * direction));
  }
  std::size_t rest = half_;
  for (const std::size_t radix : std::array<std::size_t, 4>{4, 2, 3, 5}) {
    for (; rest % radix == 0; rest /= radix) {
      stages_.push_back({.radix = radix, .size = rest / radix});
    }
  }
}

template <typename T>
std::vector<Complex<T>> RealFft<T>::Transform(std::span<const Complex<T>> input) const {
  std::vector<Complex<T>> output(half_);
  Work(output, input, 1, 0);
  return output;
}

// Every `step`-th number of the input.
template <typename T>
void RealFft<T>::Work(Numbers output, std::span<const Complex<T>> input, std::size_t step,
                      std::size_t stage) const {
  const auto [radix, size] = stages_[stage];
  for (std::size_t i = 0; i < radix; ++i) {
    if (size == 1) {
      output[i] = input[i * step];
    } else {
      Work(output.subspan(i * size, size), input.subspan(i * step), step * radix, stage + 1);
    }
  }
  Join(output, step, stages_[stage]);
}

template <typename T>
void RealFft<T>::Join(Numbers output, std::size_t step, const Stage& stage) const {
  switch (stage.radix) {
    case 2:
      return Join2(output, step, stage.size);
    case 3:
      return Join3(output, step, stage.size);
    case 4:
      return Join4(output, step, stage.size);
    default:
      return Join5(output, step, stage.size);
  }
}

template <typename T>
void RealFft<T>::Join2(Numbers output, std::size_t step, std::size_t size) const {
  for (std::size_t i = 0; i < size; ++i) {
    const Complex<T> a = Scaled(output[i], 2);
    const Complex<T> b = Scaled(output[i + size], 2) * twiddles_[i * step];
    output[i] = a + b;
    output[i + size] = a - b;
  }
}

template <typename T>
void RealFft<T>::Join3(Numbers output, std::size_t step, std::size_t size) const {
  const T sine = twiddles_[step * size].imaginary;
  for (std::size_t i = 0; i < size; ++i) {
    const Complex<T> a = Scaled(output[i], 3);
    const Complex<T> b = Scaled(output[i + size], 3) * twiddles_[i * step];
    const Complex<T> c = Scaled(output[i + 2 * size], 3) * twiddles_[2 * i * step];
    const Complex<T> sum = b + c;
    const Complex<T> difference = b - c;
    const Complex<T> middle = a - Complex<T>{Half<T>(sum.real), Half<T>(sum.imaginary)};
    const Complex<T> turned = {Multiply(difference.real, sine),
                               Multiply(difference.imaginary, sine)};
    output[i] = a + sum;
    output[i + size] = {Subtract(middle.real, turned.imaginary),
                        Add(middle.imaginary, turned.real)};
    output[i + 2 * size] = {Add(middle.real, turned.imaginary),
                            Subtract(middle.imaginary, turned.real)};
  }
}

template <typename T>
void RealFft<T>::Join4(Numbers output, std::size_t step, std::size_t size) const {
  for (std::size_t i = 0; i < size; ++i) {
    const Complex<T> a = Scaled(output[i], 4);
    const Complex<T> b = Scaled(output[i + size], 4) * twiddles_[i * step];
    const Complex<T> c = Scaled(output[i + 2 * size], 4) * twiddles_[2 * i * step];
    const Complex<T> d = Scaled(output[i + 3 * size], 4) * twiddles_[3 * i * step];
    const Complex<T> even = a + c;
    const Complex<T> odd = b + d;
    const Complex<T> rest = a - c;
    const Complex<T> turned = b - d;
    const Complex<T> plus = {Add(rest.real, turned.imaginary),
                             Subtract(rest.imaginary, turned.real)};
    const Complex<T> minus = {Subtract(rest.real, turned.imaginary),
                              Add(rest.imaginary, turned.real)};
    output[i] = even + odd;
    output[i + size] = inverse_ ? minus : plus;
    output[i + 2 * size] = even - odd;
    output[i + 3 * size] = inverse_ ? plus : minus;
  }
}

template <typename T>
void RealFft<T>::Join5(Numbers output, std::size_t step, std::size_t size) const {
  const Complex<T> ya = twiddles_[step * size];
  const Complex<T> yb = twiddles_[2 * step * size];
  // a + x * p + y * q, part by part.
  const auto combine = [](const Complex<T>& a, const Complex<T>& x, T p, const Complex<T>& y, T q) {
    return Complex<T>{Add(Add(a.real, Multiply(x.real, p)), Multiply(y.real, q)),
                      Add(Add(a.imaginary, Multiply(x.imaginary, p)), Multiply(y.imaginary, q))};
  };
  for (std::size_t i = 0; i < size; ++i) {
    const Complex<T> a = Scaled(output[i], 5);
    std::array<Complex<T>, 5> x;
    for (std::size_t k = 1; k < 5; ++k) {
      x[k] = Scaled(output[i + k * size], 5) * twiddles_[k * i * step];
    }
    const Complex<T> sum14 = x[1] + x[4];
    const Complex<T> difference14 = x[1] - x[4];
    const Complex<T> sum23 = x[2] + x[3];
    const Complex<T> difference23 = x[2] - x[3];
    output[i] = a + (sum14 + sum23);
    const Complex<T> p = combine(a, sum14, ya.real, sum23, yb.real);
    const Complex<T> q = {Add(Multiply(difference14.imaginary, ya.imaginary),
                              Multiply(difference23.imaginary, yb.imaginary)),
                          Subtract(Negate(Multiply(difference14.real, ya.imaginary)),
                                   Multiply(difference23.real, yb.imaginary))};
    output[i + size] = p - q;
    output[i + 4 * size] = p + q;
    const Complex<T> r = combine(a, sum14, yb.real, sum23, ya.real);
    const Complex<T> s = {Add(Negate(Multiply(difference14.imaginary, yb.imaginary)),
                              Multiply(difference23.imaginary, ya.imaginary)),
                          Subtract(Multiply(difference14.real, yb.imaginary),
                                   Multiply(difference23.real, ya.imaginary))};
    output[i + 2 * size] = r + s;
    output[i + 3 * size] = r - s;
  }
}

template <typename T>
std::vector<Complex<T>> RealFft<T>::Forward(std::span<const T> input) const {
  std::vector<Complex<T>> pairs(half_);
  for (std::size_t i = 0; i < half_; ++i) pairs[i] = {input[2 * i], input[2 * i + 1]};
  const std::vector<Complex<T>> x = Transform(pairs);
  std::vector<Complex<T>> output(half_ + 1);
  const Complex<T> first = Scaled(x[0], 2);
  output[0] = {Add(first.real, first.imaginary), T{}};
  output[half_] = {Subtract(first.real, first.imaginary), T{}};
  using W = WideOf<T>;
  for (std::size_t k = 1; k <= half_ / 2; ++k) {
    const Complex<T> a = Scaled(x[k], 2);
    const Complex<T> b = Scaled(Conjugate(x[half_ - k]), 2);
    const Complex<T> sum = a + b;
    const Complex<T> turned = (a - b) * real_twiddles_[k - 1];
    output[k] = {Half<T>(W{sum.real} + W{turned.real}),
                 Half<T>(W{sum.imaginary} + W{turned.imaginary})};
    output[half_ - k] = {Half<T>(W{sum.real} - W{turned.real}),
                         Half<T>(W{turned.imaginary} - W{sum.imaginary})};
  }
  return output;
}

template <typename T>
std::vector<T> RealFft<T>::Backward(std::span<const Complex<T>> input) const {
  std::vector<Complex<T>> x(half_);
  x[0] = Scaled(
      Complex<T>{Add(input[0].real, input[half_].real), Subtract(input[0].real, input[half_].real)},
      2);
  for (std::size_t k = 1; k <= half_ / 2; ++k) {
    const Complex<T> a = Scaled(input[k], 2);
    const Complex<T> b = Scaled(Conjugate(input[half_ - k]), 2);
    const Complex<T> sum = a + b;
    const Complex<T> turned = (a - b) * real_twiddles_[k - 1];
    x[k] = sum + turned;
    x[half_ - k] = Conjugate(sum - turned);
  }
  std::vector<T> output;
  for (const Complex<T>& pair : Transform(x)) {
    output.push_back(pair.real);
    output.push_back(pair.imaginary);
  }
  // The stages have divided integers by what the sums make too large.
  if constexpr (std::is_floating_point_v<T>) {
    for (T& value : output) value /= static_cast<T>(2 * half_);
  }
  return output;
}

template class RealFft<std::int16_t>;
template class RealFft<std::int32_t>;
template class RealFft<float>;

}  // namespace tpu::host_kernels
