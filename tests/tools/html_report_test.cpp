// SPDX-License-Identifier: Apache-2.0
// The page that `tpu run --html` writes, as a browser shows it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

#include "executable/executable_file.h"
#include "tests/tools/command_tester.h"

namespace tpu::tools {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

std::size_t Occurrences(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) ++count;
  return count;
}

class HtmlReport : public CommandTester {
 protected:
  void Run(const std::string& model) {
    const Outcome outcome =
        Tpu("run " + model + " --html page.html --timeline t.json --report r.json");
    ASSERT_EQ(outcome.status, 0) << outcome.output;
    page_ = Read("page.html");
    report_ = json::parse(Read("r.json"));
    const json timeline = json::parse(Read("t.json"));
    for (const json& event : timeline.at("traceEvents")) {
      if (event.at("ph") == "X") ++slices_;
    }
  }

  /// A browser that runs, or "": what some distributions install under these names only says that
  /// it should be installed.
  [[nodiscard]] std::string Browser() const {
    for (const std::string& name : {"chromium", "chromium-browser", "google-chrome"}) {
      const Outcome outcome = Shell("timeout 20 " + name + " --version");
      if (outcome.status == 0 && outcome.output.find("Chrom") != std::string::npos) return name;
    }
    return "";
  }

  /// The document after the page's scripts have run.
  [[nodiscard]] std::string Document(const std::string& browser) const {
    return Shell("timeout 60 " + browser +
                 " --headless --no-sandbox --disable-gpu --user-data-dir=$PWD/profile --dump-dom "
                 "\"file://$PWD/page.html\" 2> browser.log")
        .output;
  }

  void ExpectAllIsDrawn(const std::string& document) const {
    EXPECT_EQ(Occurrences(document, "id=\"script-error\""), 0U);
    EXPECT_EQ(Occurrences(document, "data-state=\"drawn\""), 1U);
    EXPECT_EQ(Occurrences(document, "<tr class=\"layer\""), report_.at("layers").size());
    std::size_t points = 0;
    for (const json& layer : report_.at("layers")) {
      if (layer.at("macs") != 0 && layer.at("cycles") != 0) ++points;
    }
    EXPECT_GT(points, 0U);
    EXPECT_EQ(Occurrences(document, "<circle class=\"point\""), points);
    EXPECT_GT(slices_, 0U);
    EXPECT_EQ(Occurrences(document, "data-slices=\"" + std::to_string(slices_) + "\""), 1U);
  }

  std::string page_;
  json report_;
  std::size_t slices_ = 0;
};

TEST_F(HtmlReport, NeedsNothingButItself) {
  Run("good.tflite");
  EXPECT_THAT(page_, HasSubstr("default-src 'none'"));
  for (const std::string& word : {"src=", "href=", "url(", "@import", "fetch("}) {
    EXPECT_THAT(page_, Not(HasSubstr(word)));
  }
}

TEST_F(HtmlReport, BrowserDrawsEverything) {
  const std::string browser = Browser();
  if (browser.empty()) GTEST_SKIP() << "no Chromium that runs";
  Run("good.tflite");
  ExpectAllIsDrawn(Document(browser));
}

TEST_F(HtmlReport, NamesCanHoldAnything) {
  executable::Executable executable = CommandTester::executable();
  executable.layers.at(0).name = "</script><script>throw 1</script>\xff\"\\ <!-- <b>&amp;";
  Write("evil.tpu", executable::Serialise(executable));
  Run("evil.tpu");
  EXPECT_EQ(Occurrences(page_, "</script"), 3U);
  EXPECT_EQ(Occurrences(page_, "<!--"), 0U);
  const std::string browser = Browser();
  if (browser.empty()) GTEST_SKIP() << "no Chromium that runs";
  const std::string document = Document(browser);
  ExpectAllIsDrawn(document);
  const std::string shown =
      "&lt;/script&gt;&lt;script&gt;throw 1&lt;/script&gt;\xEF\xBF\xBD\"\\ &lt;!-- "
      "&lt;b&gt;&amp;amp;";
  EXPECT_EQ(Occurrences(document, shown + "</td>"), 1U);
}

}  // namespace
}  // namespace tpu::tools
