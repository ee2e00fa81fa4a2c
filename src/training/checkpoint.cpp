// SPDX-License-Identifier: Apache-2.0
#include "training/checkpoint.h"

#include <fcntl.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "training/byte_stream.h"

namespace tpu::training {
namespace {

constexpr std::string_view kMagic = "TPUTRAIN";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kSizeAt = 12;
constexpr std::size_t kHeaderBytes = 20;
constexpr std::size_t kCrcBytes = 4;

void PutCost(ByteWriter& to, const runtime::RunReport& cost) {
  to.Put(cost.macs);
  to.Put(cost.cycles);
  to.PutList(cost.counters);
}

runtime::RunReport GetCost(ByteReader& from) {
  runtime::RunReport cost;
  cost.macs = from.Get<std::uint64_t>();
  cost.cycles = from.Get<std::uint64_t>();
  const auto counters = from.GetList<std::vector<std::uint64_t>>();
  if (counters.size() != cost.counters.size()) throw Error("the hardware counters are others");
  std::ranges::copy(counters, cost.counters.begin());
  return cost;
}

void PutHistory(ByteWriter& to, const History& history) {
  to.PutList(history.losses);
  to.PutList(history.weights_crc32);
  to.Put(static_cast<std::uint64_t>(history.evaluations.size()));
  for (const Evaluation& evaluation : history.evaluations) {
    to.Put(evaluation.step);
    to.Put(evaluation.value);
  }
  PutCost(to, history.cost);
  PutCost(to, history.evaluation_cost);
}

History GetHistory(ByteReader& from) {
  History history;
  history.losses = from.GetList<std::vector<float>>();
  history.weights_crc32 = from.GetList<std::vector<std::uint32_t>>();
  if (history.losses.size() != history.weights_crc32.size()) throw Error("its lists do not fit");
  for (std::size_t left = from.Count(sizeof(std::uint64_t) + sizeof(double)); left > 0; --left) {
    Evaluation& evaluation = history.evaluations.emplace_back();
    evaluation.step = from.Get<std::uint64_t>();
    evaluation.value = from.Get<double>();
  }
  history.cost = GetCost(from);
  history.evaluation_cost = GetCost(from);
  return history;
}

Checkpoint GetCheckpoint(ByteReader& from) {
  Checkpoint checkpoint;
  checkpoint.model_crc32 = from.Get<std::uint32_t>();
  checkpoint.examples_crc32 = from.Get<std::uint32_t>();
  for (std::size_t left = from.Count(2 * sizeof(std::uint64_t)); left > 0; --left) {
    auto option = from.GetList<std::string>();
    checkpoint.options.emplace_back(std::move(option), from.GetList<std::string>());
  }
  checkpoint.history = GetHistory(from);
  for (std::size_t left = from.Count(3 * sizeof(std::uint64_t)); left > 0; --left) {
    SavedTensor& tensor = checkpoint.state.emplace_back();
    tensor.name = from.GetList<std::string>();
    tensor.shape = from.GetList<tensor::Shape>();
    tensor.bytes = from.GetList<Bytes>();
  }
  if (!from.AtEnd()) throw Error("it has more than its fields");
  return checkpoint;
}

// What stands behind an option; nothing when it was not given.
std::string ValueOf(const OptionTexts& options, const std::string& name) {
  for (const auto& [option, value] : options) {
    if (option == name) return value;
  }
  return "";
}

std::string OptionText(const std::string& option, const std::string& value) {
  return value.empty() ? "without " + option : "with " + option + " " + value;
}

void RequireSameOptions(const Checkpoint& found, const Checkpoint& expected,
                        const std::string& file) {
  OptionTexts all = expected.options;
  all.insert(all.end(), found.options.begin(), found.options.end());
  for (const auto& option : all) {
    const std::string is = ValueOf(found.options, option.first);
    const std::string wanted = ValueOf(expected.options, option.first);
    if (is == wanted) continue;
    throw Error::Format("{}: was made {}, this run is {}", file, OptionText(option.first, is),
                        OptionText(option.first, wanted));
  }
}

void RequireSameState(const Checkpoint& found, const Checkpoint& expected,
                      const std::string& file) {
  const auto text = [](const std::vector<SavedTensor>& state, std::size_t i) {
    if (i >= state.size()) return std::string("nothing");
    return fmt::format("{} float32 [{}]", state[i].name, fmt::join(state[i].shape, ", "));
  };
  const std::size_t count = std::max(found.state.size(), expected.state.size());
  for (std::size_t i = 0; i < count; ++i) {
    const std::string is = text(found.state, i);
    const std::string wanted = text(expected.state, i);
    if (is == wanted) continue;
    throw Error::Format("{}: is of another model: tensor {} of its state is {}, expected is {}",
                        file, i, is, wanted);
  }
}

// Until the contents are on the disk, whatever happens to the machine then.
void WaitForDisk(const std::filesystem::path& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  const int failed = fsync(file);
  const int reason = errno;
  close(file);
  // Not every file system can say so.
  if (failed != 0 && reason != EINVAL && reason != EROFS) {
    throw Error::Format("{}: cannot be written: {}", path.string(), std::strerror(reason));
  }
}

}  // namespace

Bytes Serialise(const Checkpoint& checkpoint) {
  ByteWriter to;
  for (const char c : kMagic) to.Put(c);
  to.Put(kVersion);
  to.Put(std::uint64_t{0});  // The size, below.
  to.Put(checkpoint.model_crc32);
  to.Put(checkpoint.examples_crc32);
  to.Put(static_cast<std::uint64_t>(checkpoint.options.size()));
  for (const auto& [option, value] : checkpoint.options) {
    to.PutList(option);
    to.PutList(value);
  }
  PutHistory(to, checkpoint.history);
  to.Put(static_cast<std::uint64_t>(checkpoint.state.size()));
  for (const SavedTensor& tensor : checkpoint.state) {
    to.PutList(tensor.name);
    to.PutList(tensor.shape);
    to.PutList(tensor.bytes);
  }
  Bytes bytes = to.bytes();
  const std::uint64_t size = bytes.size() + kCrcBytes;
  std::memcpy(bytes.data() + kSizeAt, &size, sizeof(size));
  const std::uint32_t crc = Crc32(bytes);
  bytes.resize(size);
  std::memcpy(bytes.data() + size - kCrcBytes, &crc, kCrcBytes);
  return bytes;
}

Checkpoint ParseCheckpoint(std::span<const std::uint8_t> bytes, const std::string& file) {
  if (bytes.size() < kMagic.size() || !std::equal(kMagic.begin(), kMagic.end(), bytes.begin())) {
    throw Error::Format("{}: is no checkpoint: it does not begin with {}", file, kMagic);
  }
  if (bytes.size() < kHeaderBytes + kCrcBytes) {
    throw Error::Format("{}: is truncated: it has {} bytes", file, bytes.size());
  }
  ByteReader from(bytes.subspan(kMagic.size(), bytes.size() - kMagic.size() - kCrcBytes));
  const auto version = from.Get<std::uint32_t>();
  if (version != kVersion) {
    throw Error::Format("{}: is of version {}; only {} can be read", file, version, kVersion);
  }
  const auto size = from.Get<std::uint64_t>();
  if (size > bytes.size()) {
    throw Error::Format("{}: is truncated: it has {} of its {} bytes", file, bytes.size(), size);
  }
  std::uint32_t crc = 0;
  std::memcpy(&crc, bytes.data() + bytes.size() - kCrcBytes, kCrcBytes);
  if (size != bytes.size() || crc != Crc32(bytes.first(bytes.size() - kCrcBytes))) {
    throw Error::Format("{}: is damaged: its CRC-32 is not that of its contents", file);
  }
  try {
    return GetCheckpoint(from);
  } catch (const Error& error) {
    throw Error::Format("{}: is damaged: {}", file, error.what());
  }
}

void RequireSameRun(const Checkpoint& found, const Checkpoint& expected, const std::string& file) {
  RequireSameOptions(found, expected, file);
  RequireSameState(found, expected, file);
  if (found.model_crc32 != expected.model_crc32) {
    throw Error::Format(
        "{}: is of another model: the model file's CRC-32 was {:08x}, that of this one is {:08x}",
        file, found.model_crc32, expected.model_crc32);
  }
  if (found.examples_crc32 != expected.examples_crc32) {
    throw Error::Format(
        "{}: was made with other examples: their CRC-32 was {:08x}, that of these is {:08x}", file,
        found.examples_crc32, expected.examples_crc32);
  }
  for (std::size_t i = 0; i < found.state.size(); ++i) {
    if (found.state[i].bytes.size() == expected.state[i].bytes.size()) continue;
    throw Error::Format("{}: is damaged: {} has {} bytes, expected are {}", file,
                        found.state[i].name, found.state[i].bytes.size(),
                        expected.state[i].bytes.size());
  }
}

void ReplaceFile(const std::filesystem::path& path, std::span<const std::uint8_t> bytes) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) {
    throw Error::Format("{}: cannot be replaced: it is no regular file", path.string());
  }
  const fs::path partial = path.string() + ".partial";
  try {
    WriteFile(partial, bytes);
    WaitForDisk(partial);
    fs::rename(partial, path);
  } catch (const fs::filesystem_error& error) {
    fs::remove(partial, ignored);
    throw Error::Format("{}: cannot be written: {}", path.string(), error.code().message());
  } catch (const Error&) {
    fs::remove(partial, ignored);
    throw;
  }
}

}  // namespace tpu::training
