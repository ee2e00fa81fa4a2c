// SPDX-License-Identifier: Apache-2.0
#include "tpu/run.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/error.h"

namespace tpu {
namespace {

constexpr std::array kCounterInfos = {
#define TPU_COUNTER(enumerator, index, name, doc) CounterInfo{name, doc},
#include "isa/tpu_regs.def"
};

}  // namespace

std::span<const CounterInfo> CounterInfos() { return kCounterInfos; }

std::uint64_t Report::Counter(std::string_view name) const {
  const auto* const found = std::ranges::find(kCounterInfos, name, &CounterInfo::name);
  if (found == kCounterInfos.end()) {
    throw Error::Format("there is no hardware counter {}; tpu::CounterInfos() lists them", name);
  }
  const auto index = static_cast<std::size_t>(found - kCounterInfos.begin());
  return index < counters.size() ? counters[index] : 0;
}

}  // namespace tpu
