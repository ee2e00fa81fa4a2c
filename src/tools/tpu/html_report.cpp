// SPDX-License-Identifier: Apache-2.0
#include "tools/tpu/html_report.h"

#include <cstddef>
#include <string_view>

namespace tpu::tools {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kPage =
#include "tools/tpu/report_page.inc"
    ;
constexpr std::string_view kPlaceholder = "{{DATA}}";
static_assert(kPage.find(kPlaceholder) != std::string_view::npos);

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
  std::string page(kPage.substr(0, kPage.find(kPlaceholder)));
  // In JSON '<' occurs in strings only. Escaped, no name can end the script element.
  for (const char c : data.dump(-1, ' ', true, Json::error_handler_t::replace)) {
    if (c == '<') {
      page += "\\u003c";
    } else {
      page += c;
    }
  }
  page += kPage.substr(kPage.find(kPlaceholder) + kPlaceholder.size());
  return page;
}

}  // namespace tpu::tools
