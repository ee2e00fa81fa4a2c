// SPDX-License-Identifier: Apache-2.0
// The host's arithmetic with the machine's flushing: what float32.h must equal.
#pragma once

#include <cstdint>
#include <random>

namespace tpu::float_oracle {

/// `x`, or the zero of its sign if it is subnormal.
float Flushed(float x);

/// s + a * b by the host's fused multiply-add.
float Fma(float s, float a, float b);

/// Equal to the bit.
bool Same(float got, float expected);

struct Triple {
  float s;
  float a;
  float b;
};

/// Often with s close to a * b, and often with long runs of ones or zeros.
Triple RandomTriple(std::mt19937_64& random);

/// How many of so many random triples the machine's multiply-add computes otherwise than the
/// host's, and one of them.
std::uint64_t CountWrong(std::uint64_t seed, std::uint64_t count, Triple& wrong);

}  // namespace tpu::float_oracle
