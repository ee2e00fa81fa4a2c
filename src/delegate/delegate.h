// SPDX-License-Identifier: Apache-2.0
// LiteRT's delegate: takes the nodes of a graph that the machine runs.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "delegate/kernel.h"
#include "delegate/litert_abi.h"
#include "delegate/options.h"
#include "delegate/report.h"

namespace tpu::delegate {

class Delegate {
 public:
  explicit Delegate(const Options& options);

  /// What LiteRT knows of it. Valid as long as the delegate is.
  TfLiteDelegate* handle() { return &handle_; }
  /// The delegate with that handle.
  static Delegate& Of(TfLiteDelegate* handle) { return *static_cast<Delegate*>(handle->data); }

  /// Hands LiteRT the nodes that it is to replace by kernels.
  TfLiteStatus Prepare(TfLiteContext& context);
  /// The kernel of a part. Throws tpu::Error.
  std::unique_ptr<Kernel> MakeKernel(TfLiteContext& context, const TfLiteDelegateParams& params);

 private:
  /// The nodes that the front end accepts each for itself. Notes why others are refused.
  std::vector<int> SupportedNodes(TfLiteContext& context);
  /// Compiles the parts that LiteRT makes of these nodes. Returns the nodes without those that are
  /// refused.
  std::vector<int> CompileParts(TfLiteContext& context, const std::vector<int>& nodes);
  /// The nodes of a part that does not compile without those to blame: the ones that do not compile
  /// alone, or else all.
  std::vector<int> WithoutFailing(TfLiteContext& context, const std::vector<int>& nodes,
                                  const Error& together);

  TfLiteDelegate handle_;
  Surroundings surroundings_;
  std::map<int, std::string> refused_;                           // Why, by node.
  std::map<std::vector<int>, std::unique_ptr<Kernel>> kernels_;  // That LiteRT has yet to ask for.
};

}  // namespace tpu::delegate
