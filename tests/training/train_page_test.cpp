// SPDX-License-Identifier: Apache-2.0
// The page that `tpu train --html` writes, as a browser shows it, and signals.
#include "tools/tpu/train_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

#include "base/files.h"
#include "tests/training/example_files.h"
#include "tools/tpu/interrupt.h"
#include "training/report.h"

namespace tpu::tools {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::ordered_json;

Json Report(const std::string& model) {
  training::Settings settings;
  settings.steps = 3000;
  training::History history;
  for (int i = 0; i < 3000; ++i) {
    history.losses.push_back(3000.0F / static_cast<float>(i + 1));
    history.weights_crc32.push_back(7);
  }
  history.evaluations = {{1500, 0.5}, {3000, 0.75}};
  history.cost.cycles = 1000;
  history.cost.macs = 512;
  Json report = training::Report({.model = model,
                                  .backend = "rtl",
                                  .examples = 3000,
                                  .test_examples = 5,
                                  .steps_per_epoch = 1500,
                                  .ending = "done",
                                  .seconds = 2,
                                  .steps_here = 3000},
                                 settings, history);
  const Json array = {{"useful", 2}, {"unfilled", 3}, {"no_work", 5}};
  report["step"] = {{"cycles", 10},
                    {"array", array},
                    {"layers",
                     {{{"name", "dot 1"},
                       {"op", "MATMUL"},
                       {"where", "device"},
                       {"macs", 5},
                       {"cycles", 10},
                       {"utilization", 0.1},
                       {"bound", "bus"},
                       {"array", array}},
                      {{"name", "dot 2"},
                       {"op", "MATMUL"},
                       {"where", "device"},
                       {"macs", 0},
                       {"cycles", 0},
                       {"utilization", 0},
                       {"bound", "none"},
                       {"array", {{"useful", 0}, {"unfilled", 0}, {"no_work", 0}}}}}}};
  return report;
}

std::size_t Occurrences(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) ++count;
  return count;
}

class TrainPageTest : public training::ExampleFiles {
 protected:
  /// The document after the page's scripts have run; empty without a browser.
  [[nodiscard]] std::string Document(const std::string& page) const {
    WriteFile(Path("page.html"), page);
    for (const std::string name : {"chromium", "chromium-browser", "google-chrome"}) {
      const std::string command =
          "cd '" + Path("") + "' && timeout 60 " + name +
          " --headless --no-sandbox --disable-gpu --user-data-dir=$PWD/profile --dump-dom "
          "\"file://$PWD/page.html\" > dom.html 2> browser.log";
      if (std::system(command.c_str()) == 0) return ReadText(Path("dom.html"));
    }
    return "";
  }
};

TEST_F(TrainPageTest, NeedsNothingButItself) {
  const std::string page = TrainPage(Report("m.tflite"));
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  for (const std::string word : {"src=", "href=", "url(", "@import", "fetch(", "{{"}) {
    EXPECT_THAT(page, Not(HasSubstr(word)));
  }
}

TEST_F(TrainPageTest, BrowserDrawsEverything) {
  const std::string document = Document(TrainPage(Report("m.tflite")));
  if (document.empty()) GTEST_SKIP() << "no Chromium that runs";
  EXPECT_EQ(Occurrences(document, "id=\"script-error\""), 0U);
  EXPECT_EQ(Occurrences(document, "data-state=\"drawn\""), 1U);
  EXPECT_EQ(Occurrences(document, "<circle class=\"dot\""), 2U);
  EXPECT_EQ(Occurrences(document, "<polyline class=\"raw\""), 1U);
  EXPECT_EQ(Occurrences(document, "<polyline class=\"curve\""), 3U);
  EXPECT_EQ(Occurrences(document, ">dot 1</td>"), 1U);
  EXPECT_EQ(Occurrences(document, ">dot 2</td>"), 0U);
  EXPECT_THAT(document, HasSubstr("75.0 %"));
}

TEST_F(TrainPageTest, SomethingMayBeMissing) {
  Json report = Report("m.tflite");
  report.erase("step");
  report["evaluations"] = Json::array();
  report["accuracy"] = nullptr;
  report["loss"] = report["weights_crc32"] = report["learning_rate"] = Json::array();
  report["steps"] = 0;
  report["divergence"] = "step 1: the loss is nan";
  const std::string document = Document(TrainPage(report));
  if (document.empty()) GTEST_SKIP() << "no Chromium that runs";
  EXPECT_EQ(Occurrences(document, "id=\"script-error\""), 0U);
  EXPECT_EQ(Occurrences(document, "data-state=\"drawn\""), 1U);
  EXPECT_THAT(document, HasSubstr("step 1: the loss is nan</p>"));
}

TEST_F(TrainPageTest, NamesCanHoldAnything) {
  const std::string page =
      TrainPage(Report("</script><script>throw 1</script>\xff\"\\ <!-- <b>&amp;"));
  EXPECT_EQ(Occurrences(page, "</script"), 3U);
  EXPECT_EQ(Occurrences(page, "<!--"), 0U);
  const std::string document = Document(page);
  if (document.empty()) GTEST_SKIP() << "no Chromium that runs";
  EXPECT_EQ(Occurrences(document, "data-state=\"drawn\""), 1U);
}

TEST(Interrupt, WaitsUntilSomebodyLooks) {
  for (const int signal : {SIGINT, SIGTERM}) {
    Interrupt interrupt;
    EXPECT_FALSE(interrupt.Requested());
    std::raise(signal);
    EXPECT_TRUE(interrupt.Requested());
    EXPECT_TRUE(interrupt.Requested());
  }
}

TEST(InterruptDeathTest, TheSecondOneEndsTheProgram) {
  const auto twice = [] {
    Interrupt interrupt;
    std::raise(SIGINT);
    interrupt.Requested();
    std::raise(SIGINT);
  };
  EXPECT_EXIT(twice(), testing::KilledBySignal(SIGINT), "");
}

TEST(InterruptDeathTest, OneThatNobodySawEndsTheProgramLater) {
  const auto unseen = [] {
    Interrupt interrupt;
    std::raise(SIGTERM);
  };
  EXPECT_EXIT(unseen(), testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace tpu::tools
