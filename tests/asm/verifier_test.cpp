// SPDX-License-Identifier: Apache-2.0
// A well synchronised program passes; each semaphore taken away, each wrong buffer and each broken
// rule is found.
#include "asm/verifier.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "asm/assembler.h"

namespace tpu::assembly {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Program = std::vector<isa::Instruction>;

constexpr std::uint64_t kVerifiedBytes = 4096;
constexpr int kTiles = 5;

isa::HardwareConfig Config() {
  isa::HardwareConfig config;
  config.n = 4;
  config.ub_rows = 64;
  config.acc_rows = 32;
  config.param_rows = 16;
  return config;
}

/// On a machine with all formats, or with int8 alone.
std::vector<Finding> VerifyProgram(const Program& program, std::uint32_t formats = 0) {
  VerifyOptions options;
  options.memory_bytes = kVerifiedBytes;
  isa::HardwareConfig config = Config();
  config.bf16 = config.int16 = formats;
  return Verify(program, config, options);
}

std::string Text(const std::vector<Finding>& findings, const Program& program) {
  std::string text;
  for (const Finding& f : findings) text += ToString(f, program) + "\n";
  return text;
}

auto Is(Rule rule, std::size_t index, std::size_t other, const std::string& message) {
  return AllOf(Field(&Finding::rule, rule), Field(&Finding::index, index),
               Field(&Finding::other, other), Field(&Finding::message, HasSubstr(message)));
}

/// Tiles of 8 rows through all units with two buffers at every stage: load to rows 0/8, matmul to
/// ACC 0/16, requantise to rows 16/24, double and look up into rows 32/40, store. Then the last
/// tile is loaded again. Every semaphore is needed.
Program Pipeline() {
  std::string text;
  const auto line = [&text]<typename... Args>(fmt::format_string<Args...> format, Args&&... args) {
    text += fmt::format(format, std::forward<Args>(args)...) + "\n";
  };
  for (int t = 0; t < kTiles; ++t) {
    const int b = t % 2;
    const bool again = t >= 2;          // The buffers have been used before,
    const bool freed = t + 2 < kTiles;  // and will be used again.
    line("load dram_addr={} row_bytes=32 pixel_bytes=4 pixel_stride=1 row={} post=0 {}", 32 * t,
         8 * b, again ? "wait=16" : "");
    if (t == 0) line("load destination=param dram_addr=512 row_bytes=36 row=0");
    if (t == 0) line("load destination=lut dram_addr=1024 row_bytes=256 row=3 post=1");
    line("weights dram_addr=2048 tiles=1");
    line("matmul ub_addr={} n_ow=8 s_ow=4 y_bound=1 x_bound=4 acc_row={} wait=0{} post=8{}", 32 * b,
         16 * b, again ? ",18" : "", freed ? ",16" : "");
    line(
        "vector source=acc n_ow=8 y_bound=1 x_bound=1 a_row={} a_ow=1 o_row={} o_ow=1 wait=8{} "
        "post=9{}",
        16 * b, 16 + 8 * b, t == 0 ? ",1" : "", freed ? ",18" : "");
    line(
        "vector map=add n_ow=8 y_bound=1 x_bound=1 a_row={} a_ow=1 b_row={} b_ow=1 o_row={} o_ow=1 "
        "lut_enable=1 lut=3 wait=9{} post=10",
        16 + 8 * b, 16 + 8 * b, 32 + 8 * b, again ? ",19" : "");
    line("store dram_addr={} row_bytes=32 pixel_bytes=4 pixel_stride=1 row={} wait=10 {}",
         3072 + 32 * t, 32 + 8 * b,
         t + 1 == kTiles ? "post=11"
         : freed         ? "post=19"
                         : "");
  }
  line("load dram_addr={} row_bytes=32 pixel_bytes=4 pixel_stride=1 row=48 wait=11",
       3072 + 32 * (kTiles - 1));
  return Assemble(text, "pipeline.s");
}

/// Posts and waits of Pipeline: per tile 0, 8, 9, 10; from the third on 16, 18, 19; 1 and 11 once.
constexpr int kPairs = 4 * kTiles + 3 * (kTiles - 2) + 2;

template <typename I>
std::vector<std::size_t> IndicesOf(const Program& program) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < program.size(); ++i) {
    if (std::holds_alternative<I>(program[i])) indices.push_back(i);
  }
  return indices;
}

TEST(Verifier, PassesAGoodProgram) {
  const Program program = Pipeline();
  EXPECT_THAT(VerifyProgram(program), IsEmpty()) << Text(VerifyProgram(program), program);
  EXPECT_THAT(VerifyProgram({}), IsEmpty());
}

TEST(Verifier, FindsTheRaceWhenAPostAndItsWaitAreRemoved) {
  const Program good = Pipeline();
  int removed = 0;
  for (unsigned s = 0; s < isa::kNumSemaphores; ++s) {
    std::vector<std::size_t> posts;
    std::vector<std::size_t> waits;
    for (std::size_t i = 0; i < good.size(); ++i) {
      if ((isa::SemaphoresOf(good[i]).post >> s & 1) != 0) posts.push_back(i);
      if ((isa::SemaphoresOf(good[i]).wait >> s & 1) != 0) waits.push_back(i);
    }
    for (std::size_t k = 0; k < waits.size(); ++k) {
      SCOPED_TRACE(fmt::format("semaphore {}: post of {}, wait of {}", s, posts[k], waits[k]));
      Program bad = good;
      isa::SemaphoresOf(bad[posts[k]]).post &= ~(1U << s);
      isa::SemaphoresOf(bad[waits[k]]).wait &= ~(1U << s);
      const auto findings = VerifyProgram(bad);
      EXPECT_THAT(findings, Contains(Field(&Finding::rule, Rule::kOrder)));
      ++removed;
    }
  }
  EXPECT_EQ(removed, kPairs);
}

TEST(Verifier, FindsEveryWaitBitRemovedAlone) {
  const Program good = Pipeline();
  int removed = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (unsigned s = 0; s < isa::kNumSemaphores; ++s) {
      if ((isa::SemaphoresOf(good[i]).wait >> s & 1) == 0) continue;
      SCOPED_TRACE(fmt::format("instruction {} does not wait for {}", i, s));
      Program bad = good;
      isa::SemaphoresOf(bad[i]).wait &= ~(1U << s);
      EXPECT_THAT(VerifyProgram(bad), Contains(Field(&Finding::rule, Rule::kOrder)));
      ++removed;
    }
  }
  EXPECT_EQ(removed, kPairs);
}

TEST(Verifier, FindsEveryPostBitRemovedAlone) {
  const Program good = Pipeline();
  int removed = 0;
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (unsigned s = 0; s < isa::kNumSemaphores; ++s) {
      if ((isa::SemaphoresOf(good[i]).post >> s & 1) == 0) continue;
      SCOPED_TRACE(fmt::format("instruction {} does not post {}", i, s));
      Program bad = good;
      isa::SemaphoresOf(bad[i]).post &= ~(1U << s);
      EXPECT_THAT(VerifyProgram(bad), Contains(Field(&Finding::rule, Rule::kSemaphores)));
      ++removed;
    }
  }
  EXPECT_EQ(removed, kPairs);
}

TEST(Verifier, FindsEveryWrongBuffer) {
  const Program good = Pipeline();
  int tried = 0;
  const auto expect_found = [&]<typename I>(std::size_t i, const std::function<void(I&)>& change) {
    Program bad = good;
    change(std::get<I>(bad[i]));
    EXPECT_THAT(VerifyProgram(bad), Contains(Field(&Finding::rule, Rule::kOrder)))
        << Disassemble(bad[i]);
    ++tried;
  };
  for (const std::size_t i : IndicesOf<isa::Load>(good)) {
    if (std::get<isa::Load>(good[i]).destination != isa::LoadDestination::kUnifiedBuffer) continue;
    if (i == 0 || i + 1 == good.size()) continue;
    expect_found.operator()<isa::Load>(i, [](auto& load) { load.row ^= 8; });
  }
  for (const std::size_t i : IndicesOf<isa::Matmul>(good)) {
    // In the first tile the other buffers have no other user yet.
    if (i == IndicesOf<isa::Matmul>(good)[0]) continue;
    expect_found.operator()<isa::Matmul>(i, [](auto& matmul) { matmul.acc_row ^= 16; });
  }
  for (const std::size_t i : IndicesOf<isa::Store>(good)) {
    if (i == IndicesOf<isa::Store>(good).back()) continue;
    expect_found.operator()<isa::Store>(i, [](auto& store) { store.row ^= 8; });
  }
  EXPECT_EQ(tried, 4 + 4 + 4);
}

TEST(Verifier, NamesBothInstructionsAndThePlace) {
  const Program program = Assemble(
      "load row_bytes=4 pixel_bytes=4 row=9\n"
      "store row_bytes=4 pixel_bytes=4 row=9 dram_addr=64\n",
      "test.s");
  const auto findings = VerifyProgram(program);
  ASSERT_THAT(findings, ElementsAre(Is(Rule::kOrder, 1, 0, "reads UB row 9")));
  EXPECT_THAT(ToString(findings[0], program),
              HasSubstr("instruction 1 (store), with instruction 0 (load): reads UB row 9 that the "
                        "other writes"));
}

TEST(Verifier, OrderOfMemoryIsCheckedByteByByte) {
  // Columns of 2 bytes in rows of 8: stored columns 0-1, loaded columns 2-3 and then 1-2.
  const Program program = Assemble(
      "store dram_addr=100 row_bytes=2 rows=4 row_stride=8 row=0 pixel_bytes=8\n"
      "load dram_addr=102 row_bytes=2 rows=4 row_stride=8 row=8 pixel_bytes=8\n"
      "load dram_addr=125 row_bytes=2 rows=1 row=9 pixel_bytes=8\n",
      "test.s");
  EXPECT_THAT(VerifyProgram(program),
              ElementsAre(Is(Rule::kOrder, 2, 0, "reads memory byte 125 that the other writes")));
}

TEST(Verifier, OnlyCompletionsOfAUnitAreInOrder) {
  const std::string vector = "vector y_bound=1 x_bound=1 ";
  // The second load's completion implies the first's.
  EXPECT_THAT(
      VerifyProgram(Assemble("load row=5\nload row=6 post=0\n" + vector + "a_row=5 o_row=20 wait=0",
                             "test.s")),
      IsEmpty());
  // A vector instruction that has started does not imply that the one before it has completed.
  EXPECT_THAT(VerifyProgram(Assemble(
                  "load row=6 post=0\n" + vector + "o_row=5\n" + vector + "a_row=5 o_row=20 wait=0",
                  "test.s")),
              ElementsAre(Is(Rule::kOrder, 2, 1, "reads UB row 5")));
}

/// Tiles of a 3x3 convolution with 4 channel blocks on the standard machine: 5 instructions
/// touching 4640 + 4640 + 1008 + 1008 + 1008 rows each.
Program Convolutions(int tiles) {
  std::string text;
  for (int t = 0; t < tiles; ++t) {
    const bool again = t >= 2;
    const int in = 5000 * (t % 2);
    const int out = 10000 + 2000 * (t % 2);
    const int acc = 1024 * (t % 2);
    text += fmt::format(
        "load dram_addr={} row_bytes=3712 rows=20 row_stride=4096 row={} pixel_bytes=64 "
        "plane_stride=1160 pixel_stride=1 post=0 {}\n",
        1024 * (t % 1000), in, again ? "wait=16" : "");
    text += "weights tiles=36\n";
    text += fmt::format(
        "matmul ub_addr={} n_cb=4 n_kh=3 n_kw=3 n_oh=18 n_ow=56 y_bound=20 x_bound=928 acc_row={} "
        "xs_kw=16 xs_ow=16 s_cb=18560 ys_kh=1 s_kh=928 ys_oh=1 s_kw=16 s_oh=928 s_ow=16 wait=0{} "
        "post=8,16\n",
        16 * in, acc, again ? ",18" : "");
    text += fmt::format(
        "vector source=acc n_oh=18 n_ow=56 y_bound=18 x_bound=56 ys_oh=1 xs_ow=1 a_row={} a_oh=56 "
        "a_ow=1 o_row={} o_oh=56 o_ow=1 wait=8{} post=9,18\n",
        acc, out, again ? ",19" : "");
    text += fmt::format(
        "store dram_addr={} row_bytes=1008 rows=16 row_stride=2048 row={} pixel_bytes=16 "
        "pixel_stride=1 wait=9 post=19\n",
        0x4000000 + 32768 * (t % 1000), out);
  }
  return Assemble(text, "convolutions.s");
}

TEST(Verifier, HandlesLongPrograms) {
  const Program program = Convolutions(1000);
  VerifyOptions options;
  options.memory_bytes = 0x10000000;
  EXPECT_THAT(Verify(program, isa::HardwareConfig{}, options), IsEmpty());
}

TEST(Verifier, WithinAUnitOnlyReadAfterWriteNeedsASemaphore) {
  const std::string vector = "vector y_bound=1 x_bound=1 ";
  EXPECT_THAT(VerifyProgram(Assemble(vector + "a_row=1 o_row=2\n" + vector + "a_row=3 o_row=2\n" +
                                         vector + "a_row=4 o_row=3\n",
                                     "test.s")),
              IsEmpty());
  const std::string chain =
      vector + "o_row=2 post=9\n" + vector + "map=add a_row=0 b_row=2 o_row=3";
  EXPECT_THAT(VerifyProgram(Assemble(chain, "test.s")),
              ElementsAre(Is(Rule::kOrder, 1, 0, "reads UB row 2")));
  EXPECT_THAT(VerifyProgram(Assemble(chain + " wait=9", "test.s")), IsEmpty());
  // In place, and a running sum that reads the row written before.
  const std::string in_place = vector + "n_ow=4 o_row=8 o_ow=1 a_ow=1 ";
  EXPECT_THAT(VerifyProgram(Assemble(in_place + "a_row=8", "test.s")), IsEmpty());
  EXPECT_THAT(VerifyProgram(Assemble(in_place + "a_row=9", "test.s")), IsEmpty());
  EXPECT_THAT(VerifyProgram(Assemble(in_place + "a_row=7", "test.s")),
              ElementsAre(Is(Rule::kAccess, 0, 0, "wrote itself")));
}

TEST(Verifier, FindsSemaphoresMisused) {
  EXPECT_THAT(VerifyProgram(Assemble("load wait=3\nstore dram_addr=64 row=9 post=3", "test.s")),
              ElementsAre(Is(Rule::kSemaphores, 0, 0, "semaphore 3")));
  EXPECT_THAT(VerifyProgram(Assemble("load post=3\nload row=1 post=3\n"
                                     "store dram_addr=64 row=0 wait=3\nload row=2\n"
                                     "store dram_addr=64 row=1 wait=3\n"
                                     "store dram_addr=64 row=1 wait=3",
                                     "test.s")),
              ElementsAre(Is(Rule::kSemaphores, 5, 5, "for the 3. time")));
  EXPECT_THAT(VerifyProgram(Assemble("load post=3\nstore dram_addr=64 row=9 post=3", "test.s")),
              ElementsAre(Is(Rule::kSemaphores, 1, 0, "posts semaphore 3, which load posts")));
  EXPECT_THAT(VerifyProgram(Assemble("load post=3\nload row=1 post=3\nload row=2 wait=3\n"
                                     "store dram_addr=64 row=9 wait=3",
                                     "test.s")),
              ElementsAre(Is(Rule::kSemaphores, 3, 2, "waits for semaphore 3, which load waits")));
  // A semaphore counts to 255, of which 64 are for posts of which the waits are in a queue.
  Program program(191, Assemble("load post=3", "test.s")[0]);
  EXPECT_THAT(VerifyProgram(program), IsEmpty());
  program.push_back(program[0]);
  EXPECT_THAT(VerifyProgram(program), ElementsAre(Is(Rule::kSemaphores, 191, 191, "191")));
}

TEST(Verifier, FindsWrongTileCounts) {
  EXPECT_THAT(VerifyProgram(Assemble("weights tiles=3\nmatmul n_ob=2\nmatmul", "test.s")),
              IsEmpty());
  EXPECT_THAT(VerifyProgram(Assemble("weights tiles=3\nmatmul n_ob=2", "test.s")),
              ElementsAre(Is(Rule::kWeightTiles, 0, 1, "3 weight tiles are brought, but 2 are")));
  EXPECT_THAT(VerifyProgram(Assemble("weights tiles=5\nmatmul n_ob=2 n_cb=3", "test.s")),
              ElementsAre(Is(Rule::kWeightTiles, 1, 1, "tiles 0 .. 5")));
  EXPECT_THAT(VerifyProgram(Assemble("matmul\nweights", "test.s")),
              ElementsAre(Is(Rule::kWeightTiles, 0, 0, "bring 0")));
  // Four may be ahead, the fifth not.
  const std::string four = "weights tiles=2\nweights\nweights\nweights\n";
  const std::string rest = "matmul n_kw=4\n";
  EXPECT_THAT(VerifyProgram(Assemble(four + "matmul n_kw=2\nweights\n" + rest, "test.s")),
              IsEmpty());
  EXPECT_THAT(
      VerifyProgram(Assemble(four + "matmul n_kw=1\nweights\n" + rest + "matmul", "test.s")),
      ElementsAre(Is(Rule::kWeightTiles, 5, 5, "1 tiles are taken, 2 must be")));
}

TEST(Verifier, FindsTilesOfAnotherFormat) {
  const auto verify = [](const std::string& text) {
    return VerifyProgram(Assemble(text, "test.s"), /*formats=*/1);
  };
  const std::string both = "weights tiles=2 format=bf16\nweights tiles=2\n";
  EXPECT_THAT(verify(both + "matmul format=bf16\nmatmul format=bf16\nmatmul n_cb=2"), IsEmpty());
  EXPECT_THAT(verify(both + "matmul format=bf16\nmatmul\nmatmul n_cb=2"),
              ElementsAre(Is(Rule::kWeightTiles, 3, 0, "tiles of another format")));
  // The third tile of the first matmul is of the second WEIGHTS.
  EXPECT_THAT(verify(both + "matmul format=bf16 n_kw=3\nmatmul"),
              ElementsAre(Is(Rule::kWeightTiles, 2, 1, "tiles of another format")));
  EXPECT_THAT(verify("weights\nmatmul format=bf16"),
              ElementsAre(Is(Rule::kWeightTiles, 1, 0, "tiles of another format")));
}

TEST(Verifier, FindsWhatOnlyMachinesWithMoreFormatsHave) {
  const Program program = Assemble(
      "load format=fp32 row=0\n"
      "weights format=bf16\n"
      "matmul format=bf16\n"
      "fvector o_row=32\n"
      "store format=bf16 dram_addr=64 row=8\n"
      "weights\n"
      "matmul planes=1 acc_row=4\n"
      "ivector o_row=34",
      "test.s");
  EXPECT_THAT(VerifyProgram(program, /*formats=*/1), IsEmpty());
  EXPECT_THAT(
      VerifyProgram(program),
      ElementsAre(
          Is(Rule::kFields, 0, 0, "load: format is fp32, and the machine has no bf16 and no int16"),
          Is(Rule::kFields, 1, 1, "weights: format is bf16, and the machine has no bf16"),
          Is(Rule::kFields, 2, 2, "matmul: format is bf16, and the machine has no bf16"),
          Is(Rule::kFields, 3, 3, "fvector, and the machine has no bf16"),
          Is(Rule::kFields, 4, 4, "store: format is bf16, and the machine has no bf16"),
          Is(Rule::kFields, 6, 6, "matmul: planes is 1, and the machine has no"),
          Is(Rule::kFields, 7, 7, "ivector, and the machine has no int16")));
}

TEST(Verifier, OrdersAllRowsOfANumber) {
  // Row 3 is the last of the fp32 numbers that FVECTOR reads, row 11 of those that it writes.
  const auto verify = [](const std::string& wait_load, const std::string& wait_fvector) {
    const std::string fvector = "fvector a_format=fp32 o_format=fp32 y_bound=1 x_bound=1 o_row=8 ";
    return VerifyProgram(Assemble("load row=3 post=0\n" + fvector + "post=8 " + wait_load +
                                      "\nstore row=11 dram_addr=64 " + wait_fvector,
                                  "test.s"),
                         /*formats=*/1);
  };
  EXPECT_THAT(verify("wait=0", "wait=8"), IsEmpty());
  EXPECT_THAT(verify("", "wait=8"),
              ElementsAre(Is(Rule::kOrder, 1, 0, "reads UB row 3 that the other writes")));
  EXPECT_THAT(verify("wait=0", ""), ElementsAre(Is(Rule::kOrder, 2, 1, "reads UB row 11")));
}

TEST(Verifier, FindsWaitsForWeightsThatTheFifoHasNoRoomFor) {
  // The FIFO of Config() holds four tiles.
  const std::string weights = "weights tiles=2\nweights tiles=3 post=3\n";
  const std::string matmul = "matmul n_kw=4\n";
  const std::string wait = "store wait=3\n";
  EXPECT_THAT(VerifyProgram(Assemble(weights + "matmul\n" + wait + matmul, "test.s")), IsEmpty());
  EXPECT_THAT(VerifyProgram(Assemble(weights + wait + "matmul\n" + matmul, "test.s")),
              ElementsAre(Is(Rule::kWeightTiles, 2, 1, "5 tiles are brought by then")));
  EXPECT_THAT(VerifyProgram(Assemble("weights tiles=2\nweights tiles=3 post=3\n"
                                     "matmul n_kw=5 wait=3",
                                     "test.s")),
              ElementsAre(Is(Rule::kWeightTiles, 2, 1, "5 tiles are brought by then")));
}

TEST(Verifier, FindsIllegalFieldsAndPlacesOutside) {
  isa::Vector vector;
  vector.lut = 8;
  EXPECT_THAT(VerifyProgram({vector}), ElementsAre(Is(Rule::kFields, 0, 0, "lut is 8")));
  EXPECT_THAT(VerifyProgram(Assemble("load row=64", "test.s")),
              ElementsAre(Is(Rule::kAccess, 0, 0, "writes UB row 64")));
  EXPECT_THAT(VerifyProgram(Assemble("store dram_addr=4096", "test.s")),
              ElementsAre(Is(Rule::kAccess, 0, 0, "memory")));
}

TEST(Verifier, FindsStoresIntoTheProgram) {
  const Program program = Assemble("vector\nstore dram_addr=191\nstore dram_addr=192", "test.s");
  VerifyOptions options;
  options.memory_bytes = kVerifiedBytes;
  options.program_address = 0;
  Program later(program.begin() + 1, program.end());
  EXPECT_THAT(Verify(later, Config(), options), IsEmpty());
  options.program_address = 128;
  EXPECT_THAT(Verify(later, Config(), options), ElementsAre(Is(Rule::kAccess, 0, 0, "byte 191"),
                                                            Is(Rule::kAccess, 1, 1, "byte 192")));
}

TEST(Verifier, StopsAfterTheAskedNumberOfFindings) {
  VerifyOptions options;
  options.max_findings = 3;
  EXPECT_EQ(Verify(Program(10, isa::Load{}), Config(), options).size(), 3U);
}

}  // namespace
}  // namespace tpu::assembly
