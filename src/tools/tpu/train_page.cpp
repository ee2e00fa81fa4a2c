// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/train_page.h"

#include <string_view>

#include "tools/tpu/page.h"

namespace tpu::tools {
namespace {

constexpr std::string_view kTrainPage =
#include "tools/tpu/train_page.inc"
    ;
static_assert(kTrainPage.find(kDataPlaceholder) != std::string_view::npos);

}  // namespace

std::string TrainPage(const nlohmann::ordered_json& report) { return FillPage(kTrainPage, report); }

}  // namespace tpu::tools
