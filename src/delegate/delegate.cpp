// SPDX-License-Identifier: Apache-2.0
#include "delegate/delegate.h"

#include <algorithm>
#include <exception>
#include <span>
#include <utility>

#include "base/error.h"
#include "delegate/part.h"
#include "frontends/tflite/import.h"
#include "frontends/tflite/parse.h"
#include "frontends/tflite/schema_generated.h"

namespace tpu::delegate {
namespace {

// No exception leaves the library.
template <typename Work>
TfLiteStatus Guarded(TfLiteContext* context, const Work& work) {
  try {
    return work();
  } catch (const std::exception& error) {
    context->report_error(context, "tpu: %s", error.what());
    return kTfLiteError;
  }
}

TfLiteStatus PrepareDelegate(TfLiteContext* context, TfLiteDelegate* delegate) {
  return Guarded(context, [&] { return Delegate::Of(delegate).Prepare(*context); });
}

void* InitKernel(TfLiteContext* context, const char* buffer, std::size_t) {
  const auto& params = *reinterpret_cast<const TfLiteDelegateParams*>(buffer);
  Kernel* kernel = nullptr;
  Guarded(context, [&] {
    kernel = Delegate::Of(params.delegate).MakeKernel(*context, params).release();
    return kTfLiteOk;
  });
  return kernel;
}

void FreeKernel(TfLiteContext*, void* user_data) { delete static_cast<Kernel*>(user_data); }

TfLiteStatus PrepareKernel(TfLiteContext* context, TfLiteNode* node) {
  // InitKernel has reported why.
  if (node->user_data == nullptr) return kTfLiteError;
  return Guarded(context, [&] {
    static_cast<Kernel*>(node->user_data)->Prepare(*context);
    return kTfLiteOk;
  });
}

TfLiteStatus InvokeKernel(TfLiteContext* context, TfLiteNode* node) {
  return Guarded(context, [&] {
    static_cast<Kernel*>(node->user_data)->Run(*context);
    return kTfLiteOk;
  });
}

constexpr TfLiteRegistration kRegistration = {
    .init = &InitKernel,
    .free = &FreeKernel,
    .prepare = &PrepareKernel,
    .invoke = &InvokeKernel,
    .profiling_string = nullptr,
    .builtin_code = static_cast<std::int32_t>(tflite::schema::BuiltinOperator::DELEGATE),
    .custom_name = "open-tpu",
    .version = 1,
    .registration_external = nullptr,
    .async_kernel = nullptr,
    .inplace_operator = 0,
};

void Require(TfLiteStatus status, const char* what) {
  if (status != kTfLiteOk) throw Error::Format("LiteRT {}: status {}", what, status);
}

// A TfLiteIntArray in a vector.
class IntArray {
 public:
  explicit IntArray(const std::vector<int>& values) : numbers_{static_cast<int>(values.size())} {
    numbers_.insert(numbers_.end(), values.begin(), values.end());
  }
  [[nodiscard]] const TfLiteIntArray* get() const {
    return reinterpret_cast<const TfLiteIntArray*>(numbers_.data());
  }

 private:
  std::vector<int> numbers_;
};

}  // namespace

Delegate::Delegate(const Options& options)
    : handle_{.data = this,
              .prepare = &PrepareDelegate,
              .flags = kTfLiteDelegateFlagsAllowDynamicTensors |
                       kTfLiteDelegateFlagsRequirePropagatedShapes},
      surroundings_{.options = options, .report = Report(options.report)} {}

TfLiteStatus Delegate::Prepare(TfLiteContext& context) {
  refused_.clear();
  std::vector<int> nodes = SupportedNodes(context);
  // LiteRT may group the nodes that are left in another way.
  for (std::size_t before = nodes.size() + 1; nodes.size() < before;) {
    before = nodes.size();
    nodes = CompileParts(context, nodes);
  }
  surroundings_.report.Begin(&context, refused_);
  if (nodes.empty()) return kTfLiteOk;
  return context.replace_node_subsets_with_delegate_kernels(&context, kRegistration,
                                                            IntArray(nodes).get(), &handle_);
}

std::vector<int> Delegate::SupportedNodes(TfLiteContext& context) {
  TfLiteIntArray* plan = nullptr;
  Require(context.get_execution_plan(&context, &plan), "has no execution plan");
  const auto all = Values(plan);
  std::vector<int> supported;
  // A copy: LiteRT's array lasts until the next call.
  for (const int node : std::vector<int>(all.begin(), all.end())) {
    try {
      const Part alone = PartOf(context, node);
      tflite::Import(tflite::Parse(ModelFile(context, alone), NameOf(alone)));
      supported.push_back(node);
    } catch (const Error& error) {
      refused_[node] = error.what();
    }
  }
  return supported;
}

std::vector<int> Delegate::CompileParts(TfLiteContext& context, const std::vector<int>& nodes) {
  kernels_.clear();
  TfLiteDelegateParams* partitions = nullptr;
  int count = 0;
  const IntArray wanted(nodes);
  Require(context.preview_delegate_partitioning(&context, wanted.get(), &partitions, &count),
          "does not group nodes");
  std::vector<int> left;
  for (const TfLiteDelegateParams& params :
       std::span(partitions, static_cast<std::size_t>(count))) {
    Part part = PartOf(context, params);
    std::vector<int> members = part.nodes;
    try {
      kernels_[members] = std::make_unique<Kernel>(context, std::move(part), surroundings_);
    } catch (const Error& error) {
      members = WithoutFailing(context, members, error);
    }
    left.insert(left.end(), members.begin(), members.end());
  }
  std::ranges::sort(left);
  return left;
}

std::vector<int> Delegate::WithoutFailing(TfLiteContext& context, const std::vector<int>& nodes,
                                          const Error& together) {
  std::vector<int> left;
  for (const int node : nodes) {
    try {
      const Kernel alone(context, PartOf(context, node), surroundings_);
      left.push_back(node);
    } catch (const Error& error) {
      refused_[node] = error.what();
    }
  }
  if (left.size() < nodes.size()) return left;
  for (const int node : nodes) refused_[node] = together.what();
  return {};
}

std::unique_ptr<Kernel> Delegate::MakeKernel(TfLiteContext& context,
                                             const TfLiteDelegateParams& params) {
  Part part = PartOf(context, params);
  if (auto found = kernels_.extract(part.nodes)) return std::move(found.mapped());
  return std::make_unique<Kernel>(context, std::move(part), surroundings_);
}

}  // namespace tpu::delegate
