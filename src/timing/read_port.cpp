// SPDX-License-Identifier: Apache-2.0
#include "timing/read_port.h"

#include <algorithm>

namespace tpu::timing {

ReadPort::Grant ReadPort::Step(Cycle cycle) {
  if (cycle < free_) return {};
  for (const std::size_t client : served_ == kLoad ? std::array{kWeights, kLoad, kFetch}
                                                   : std::array{kLoad, kWeights, kFetch}) {
    Request& request = *requests_[client];
    if (!request.valid || request.from > cycle) continue;
    const Burst burst = request.burst;
    served_ = client;
    request.Granted(cycle);
    // The address stands on the bus in the next cycle, until the memory has room for it.
    const Cycle accepted = std::max(cycle + 1, ended_[bursts_ % kBursts] + 1);
    free_ = accepted;
    const Cycle first = std::max(accepted + latency_, last_beat_ + 1);
    last_beat_ = first + burst.beats - 1;
    ended_[bursts_++ % kBursts] = last_beat_;
    return {client, burst, first};
  }
  return {};
}

Cycle ReadPort::Next() const {
  Cycle next = kNever;
  for (const Request* request : requests_) {
    if (request->valid) next = std::min(next, request->from);
  }
  return std::max(next, free_);
}

}  // namespace tpu::timing
