// SPDX-License-Identifier: Apache-2.0
// The RTL in Icarus Verilog, which knows X: programs from power-on give what the golden model
// gives, also when each reset of the core lasts a single cycle. Verilator knows no X and would take
// a register that no reset reaches for zero or for a random, but definite, value.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "base/error.h"
#include "devices/golden/golden_device.h"
#include "devices/rtl/machines.h"
#include "runtime/session.h"
#include "tests/system/random_program.h"

namespace tpu::system_test {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kWords = 65536;  // WORDS of four_state_bench.v

bool HasIcarus() { return std::system("iverilog -V > /dev/null 2>&1") == 0; }

/// Output of a shell command; its exit status must be 0.
std::string Shell(const std::string& command, const fs::path& log) {
  const int status = std::system(fmt::format("{} > {} 2>&1", command, log.string()).c_str());
  std::ostringstream text;
  text << std::ifstream(log).rdbuf();
  EXPECT_EQ(status, 0) << command << "\n" << text.str();
  return text.str();
}

/// One line of hexadecimal digits for each beat, the highest byte first.
void WriteBeats(const fs::path& file, const std::vector<std::uint8_t>& bytes, std::size_t beat) {
  std::ofstream out(file);
  for (std::size_t i = 0; i < kWords; ++i) {
    for (std::size_t b = beat; b-- > 0;) {
      const std::size_t at = i * beat + b;
      out << fmt::format("{:02x}", at < bytes.size() ? bytes[at] : 0);
    }
    out << '\n';
  }
}

/// The same backwards; an X is an error.
std::vector<std::uint8_t> ReadBeats(const fs::path& file, std::size_t beat) {
  std::ifstream in(file);
  std::vector<std::uint8_t> bytes;
  std::string line;
  while (std::getline(in, line)) {
    if (line.empty() || line[0] == '/') continue;
    if (line.size() != 2 * beat ||
        line.find_first_not_of("0123456789abcdef") != std::string::npos) {
      throw Error::Format("{}: byte 0x{:x} and after: {}", file.string(), bytes.size(), line);
    }
    for (std::size_t b = beat; b-- > 0;) {
      bytes.push_back(static_cast<std::uint8_t>(std::stoul(line.substr(2 * b, 2), nullptr, 16)));
    }
  }
  return bytes;
}

class FourState : public testing::TestWithParam<std::uint64_t> {
 protected:
  void SetUp() override {
    if (!HasIcarus()) GTEST_SKIP() << "iverilog is not installed";
    folder_ = fs::temp_directory_path() / fmt::format("tpu_four_state_{}_{}", getpid(), GetParam());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  [[nodiscard]] std::string Compile(const isa::HardwareConfig& config) const {
    const fs::path program = folder_ / "bench.vvp";
    const std::string source = TPU_SOURCE_DIR;
    const auto parameter = [](const char* name, std::uint64_t value) {
      return fmt::format(" -Pfour_state_bench.{}={}", name, value);
    };
    std::string command = fmt::format("cd {0} && iverilog -g2005 -s four_state_bench -o {1}",
                                      source, program.string());
    command += parameter("N", config.n) + parameter("UB_ROWS", config.ub_rows) +
               parameter("ACC_ROWS", config.acc_rows) + parameter("PARAM_ROWS", config.param_rows) +
               parameter("WFIFO_TILES", config.fifo_tiles) + parameter("WINDOW", config.window) +
               parameter("REQUANT_LANES", config.requant_lanes) +
               parameter("FLOAT_ROUNDING", config.float_rounding) +
               parameter("AXI_DATA_WIDTH", config.axi_data_width) +
               parameter("AXI_ADDR_WIDTH", config.axi_addr_width);
    command += " -f rtl/files.f tests/four_state/four_state_bench.v";
    Shell(command, folder_ / "compile.log");
    return program.string();
  }

  void ExpectGoldenBytes(const std::string& options) const {
    const devices::Machine& machine = devices::kSmallN4;
    const RandomProgram program = MakeRandomProgram(machine.config, 40, GetParam());
    const executable::Executable executable = ToExecutable(program);
    const std::size_t beat = machine.config.axi_data_width / 8;
    ASSERT_LE(executable.memory_bytes, kWords * beat);

    devices::GoldenDevice golden(machine.config);
    runtime::Session session(golden, executable);
    std::vector<std::uint8_t> image(executable.memory_bytes);
    golden.ReadMemory(0, image);
    session.Run({});
    std::vector<std::uint8_t> expected(executable.memory_bytes);
    golden.ReadMemory(0, expected);

    WriteBeats(folder_ / "image.hex", image, beat);
    std::ofstream runs(folder_ / "runs.hex");
    for (const executable::Step& step : executable.steps) {
      const auto& run = std::get<executable::DeviceProgram>(step);
      runs << fmt::format("{:x}\n{:x}\n", run.address, run.granules);
    }
    runs.close();
    ASSERT_EQ(executable.steps.size(), 3U);  // RUNS of four_state_bench.v
    const std::string said =
        Shell(fmt::format("vvp -n {} +image={} +runs={} +result={} {}", Compile(machine.config),
                          (folder_ / "image.hex").string(), (folder_ / "runs.hex").string(),
                          (folder_ / "result.hex").string(), options),
              folder_ / "run.log");
    ASSERT_NE(said.find("PASSED"), std::string::npos) << said;
    std::vector<std::uint8_t> actual = ReadBeats(folder_ / "result.hex", beat);
    actual.resize(expected.size());
    EXPECT_TRUE(actual == expected) << "memory differs, seed " << GetParam();
  }

  fs::path folder_;
};

TEST_P(FourState, DoesWhatTheGoldenModelDoes) { ExpectGoldenBytes(""); }

// The core's reset lasts four cycles. One is enough, as every register that controls anything is
// reset itself; so the reset may also reach parts of the machine some cycles later than others.
TEST_P(FourState, ACoreResetOfOneCycleIsEnough) { ExpectGoldenBytes("+core_reset_cycles=1"); }

INSTANTIATE_TEST_SUITE_P(Seeds, FourState, testing::Values(1, 2, 3),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace tpu::system_test
