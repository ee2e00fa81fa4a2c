// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/html_report.h"

#include <cstddef>
#include <string_view>

#include "tools/tpu/page.h"

namespace tpu::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kPage =
#include "tools/tpu/report_page.inc"
    ;
static_assert(kPage.find(kDataPlaceholder) != std::string_view::npos);

/// Six numbers per slice, one slice behind the other: begin, cycles, activity, instruction,
/// semaphore, poster; -1 where there is none.
Json Slices(const Track& track) {
  Json numbers = Json::array();
  for (const Slice& slice : track.slices) {
    numbers.push_back(slice.begin);
    numbers.push_back(slice.cycles);
    numbers.push_back(static_cast<int>(slice.activity));
    numbers.push_back(slice.instruction ? std::int64_t{*slice.instruction} : -1);
    numbers.push_back(slice.wake ? std::int64_t{slice.wake->semaphore} : -1);
    numbers.push_back(slice.wake ? std::int64_t{slice.wake->poster} : -1);
  }
  return numbers;
}

}  // namespace

std::string HtmlReport(const Json& report, const executable::Executable& executable,
                       std::span<const Track> tracks) {
  Json data;
  data["report"] = report;
  for (std::size_t i = 0; i < kNumActivities; ++i) {
    data["activities"].push_back(Name(static_cast<Activity>(i)));
  }
  data["layer_of_instruction"] = executable.layer_of_instruction;
  for (const Track& track : tracks) {
    data["tracks"].push_back({{"name", track.name}, {"slices", Slices(track)}});
  }
  return FillPage(kPage, data);
}

}  // namespace tpu::tools
