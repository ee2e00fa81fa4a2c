// SPDX-License-Identifier: Apache-2.0
// Seeds of randomised tests, which name the seed when they fail.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

namespace tpu {

/// 1 to `count`; or only the seed that the environment variable TPU_SEED holds, to try again one
/// that failed.
inline std::vector<unsigned> Seeds(std::size_t count) {
  if (const char* seed = std::getenv("TPU_SEED")) {
    return {static_cast<unsigned>(std::stoul(seed))};
  }
  std::vector<unsigned> seeds(count);
  std::iota(seeds.begin(), seeds.end(), 1U);
  return seeds;
}

}  // namespace tpu
