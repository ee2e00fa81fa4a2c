// SPDX-License-Identifier: Apache-2.0
#include "tools/curve.h"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <string>
#include <vector>

namespace tpu::tools {
namespace {

std::vector<std::string> LinesOf(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Curve, NothingForNoValues) { EXPECT_EQ(DrawCurve({}), ""); }

TEST(Curve, BarsStandOnZeroAndTheLargestIsFull) {
  const std::vector<float> values = {8, 4, 1, 0};
  EXPECT_EQ(DrawCurve(values),
            "  8.000 │█\n"
            "  7.000 │█\n"
            "  6.000 │█\n"
            "  5.000 │█\n"
            "  4.000 │██\n"
            "  3.000 │██\n"
            "  2.000 │██\n"
            "  1.000 │███\n"
            "  0.000 └────\n"
            "         1  4\n");
}

TEST(Curve, PartsOfACharacter) {
  const std::vector<float> values = {64, 1, 4, 12};
  const std::vector<std::string> lines = LinesOf(DrawCurve(values));
  EXPECT_EQ(lines[7], "  8.000 │█▁▄█");
  EXPECT_EQ(lines[6], " 16.000 │█  ▄");
}

TEST(Curve, OneValue) {
  const std::vector<float> values = {2};
  EXPECT_EQ(LinesOf(DrawCurve(values)).back(), "         1");
}

// 168 values in 84 columns: the means of pairs, which are all 3.
TEST(Curve, ManyValuesShareColumns) {
  std::vector<float> values;
  for (int i = 0; i < 84; ++i) values.insert(values.end(), {2, 4});
  const std::vector<std::string> lines = LinesOf(DrawCurve(values));
  std::string full = "  3.000 │";
  for (int i = 0; i < 84; ++i) full += "█";
  EXPECT_EQ(lines[0], full);
  EXPECT_EQ(lines[9], "         1" + std::string(80, ' ') + "168");
}

TEST(Curve, WhatIsNoHeightCountsAsZero) {
  const std::vector<float> values = {1, std::numeric_limits<float>::quiet_NaN(), -5,
                                     std::numeric_limits<float>::infinity()};
  const std::vector<std::string> lines = LinesOf(DrawCurve(values));
  EXPECT_EQ(lines[0], "  1.000 │█");
  EXPECT_EQ(lines[7], "  0.125 │█");
  EXPECT_EQ(LinesOf(DrawCurve(std::vector<float>{0, 0}))[0], "  0.000 │");
}

}  // namespace
}  // namespace tpu::tools
