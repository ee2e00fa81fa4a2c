// SPDX-License-Identifier: Apache-2.0
// How the learning rate changes from step to step.
#pragma once

#include <cstdint>

namespace tpu::training {

enum class Schedule : std::uint8_t {
  kConstant,
  kCosine,  ///< Half a period of the cosine, from the rate down towards 0.
  kLinear   ///< A straight line down towards 0.
};

/// That of a step, which counts from 0, in a run of `steps`. The first step has the whole `rate`;
/// 0 would come one step behind the last one.
double LearningRate(Schedule schedule, double rate, std::uint64_t step, std::uint64_t steps);

}  // namespace tpu::training
