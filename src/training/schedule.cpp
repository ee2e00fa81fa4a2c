// SPDX-License-Identifier: Apache-2.0
#include "training/schedule.h"

#include <cmath>
#include <numbers>

namespace tpu::training {

double LearningRate(Schedule schedule, double rate, std::uint64_t step, std::uint64_t steps) {
  const double done = static_cast<double>(step) / static_cast<double>(steps);
  switch (schedule) {
    case Schedule::kConstant:
      break;
    case Schedule::kCosine:
      return rate * 0.5 * (1 + std::cos(std::numbers::pi * done));
    case Schedule::kLinear:
      return rate * (1 - done);
  }
  return rate;
}

}  // namespace tpu::training
