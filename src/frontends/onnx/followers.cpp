// SPDX-License-Identifier: Apache-2.0
#include "frontends/onnx/followers.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "frontends/onnx/convert.h"

namespace tpu::onnx {
namespace {

// Longer chains are no network's.
constexpr std::size_t kMostFollowed = 256;

constexpr std::array<std::string_view, 15> kPassed = {
    "Relu",          "Clip",    "Identity",  "Dropout",      "Reshape",
    "Flatten",       "Squeeze", "Unsqueeze", "Transpose",    "MaxPool",
    "GlobalMaxPool", "Slice",   "Gather",    "DepthToSpace", "SpaceToDepth"};

const Value* Find(const std::map<std::string, Value>& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? nullptr : &found->second;
}

// None: the scale or the zero point is no constant of one number.
std::optional<Target> TargetOf(const Node& node, const std::map<std::string, Value>& values) {
  const Value* scale = node.inputs.size() > 1 ? Find(values, node.inputs[1]) : nullptr;
  const Value* zero_point = node.inputs.size() > 2 ? Find(values, node.inputs[2]) : nullptr;
  if (scale == nullptr || zero_point == nullptr) return std::nullopt;
  const Quantisation q = ReadQuantisation(*scale, zero_point, 0);
  if (q.scales.size() != 1) return std::nullopt;
  return Target{.name = node.outputs[0],
                .scale = q.scales[0],
                .zero_point = q.zero_points[0],
                .type = zero_point->type};
}

}  // namespace

Users::Users(const Model& model) {
  for (const Node& node : model.nodes) {
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      uses_[node.inputs[i]].push_back({.node = &node, .input = i});
    }
  }
  for (const ValueInfo& output : model.outputs) uses_[output.name].push_back({});
}

Followers Users::Of(const std::string& name, const std::map<std::string, Value>& values) const {
  std::vector<std::string> names = {name};
  Followers followers = {.target = {}, .reason = "nothing uses its result " + name};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto uses = uses_.find(names[i]);
    if (uses == uses_.end()) continue;
    for (const Use& use : uses->second) {
      const auto fail = [&](std::string_view what) {
        return Followers{.target = {},
                         .reason = fmt::format("its result {} {}, where a QuantizeLinear has to "
                                               "stand; quantise that, too",
                                               names[i], what)};
      };
      if (use.node == nullptr) return fail("is an output of the network");
      if (use.node->outputs.empty() || names.size() > kMostFollowed) return fail("leads nowhere");
      const std::string user = fmt::format("goes to {} ({})", use.node->name, use.node->op_type);
      if (use.input != 0 || !use.node->domain.empty()) return fail(user);
      if (use.node->op_type != "QuantizeLinear") {
        if (std::ranges::find(kPassed, use.node->op_type) == kPassed.end()) return fail(user);
        names.push_back(use.node->outputs[0]);
        continue;
      }
      const std::optional<Target> target = TargetOf(*use.node, values);
      if (!target) return fail(user + ", whose scale and zero point are no constants of a number");
      if (followers.target && !(*followers.target == *target)) {
        return fail("is quantised in two ways");
      }
      followers.target = target;
    }
  }
  return followers;
}

}  // namespace tpu::onnx
