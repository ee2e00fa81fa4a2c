// SPDX-License-Identifier: Apache-2.0
#include "host_kernels/invocation.h"

#include <functional>
#include <numeric>

#include "base/error.h"
#include "host_operators/check.h"

namespace tpu::host_kernels {

std::size_t ElementsOf(std::span<const std::int64_t> shape) {
  return static_cast<std::size_t>(
      std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>()));
}

std::vector<std::size_t> BroadcastPlaces(const Shape& from, const Shape& to) {
  // A dimension of 1 is repeated: its step is 0.
  std::vector<std::size_t> steps(to.size(), 0);
  std::size_t step = 1;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    const auto size = static_cast<std::size_t>(from[from.size() - i]);
    if (size > 1) steps[to.size() - i] = step;
    step *= size;
  }
  std::vector<std::size_t> places = {0};
  for (std::size_t axis = 0; axis < to.size(); ++axis) {
    std::vector<std::size_t> finer;
    finer.reserve(places.size() * static_cast<std::size_t>(to[axis]));
    for (const std::size_t place : places) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(to[axis]); ++i) {
        finer.push_back(place + i * steps[axis]);
      }
    }
    places = std::move(finer);
  }
  return places;
}

Invocation::Invocation(const executable::HostCall& call, std::span<const Bytes> inputs)
    : call_(call), inputs_(inputs) {
  host_operators::Check(call.attributes, host_operators::OperandsOf(call.inputs),
                        host_operators::OperandsOf(call.outputs));
  if (inputs.size() != call.inputs.size()) {
    throw Error::Format("values of {} inputs instead of {}", inputs.size(), call.inputs.size());
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].size() == call.inputs[i].Bytes()) continue;
    throw Error::Format("input {}: {} bytes instead of {}", call.inputs[i].name, inputs[i].size(),
                        call.inputs[i].Bytes());
  }
  for (const executable::TensorBinding& output : call.outputs) {
    outputs_.emplace_back(output.Bytes());
  }
}

}  // namespace tpu::host_kernels
