// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "base/error.h"

namespace tpu {
namespace {

Error SystemError(const std::filesystem::path& path, const char* what) {
  const char* reason = errno == 0 ? "unknown reason" : std::strerror(errno);
  return Error::Format("{}: {}: {}", path.string(), what, reason);
}

template <typename Container>
Container Read(const std::filesystem::path& path) {
  if (std::filesystem::is_directory(path)) {
    throw Error::Format("{}: is a folder, not a file", path.string());
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  Container contents((std::istreambuf_iterator<char>(file)), {});
  if (!file) throw SystemError(path, "cannot be read");
  return contents;
}

}  // namespace

std::string ReadText(const std::filesystem::path& path) { return Read<std::string>(path); }

std::vector<std::uint8_t> ReadBytes(const std::filesystem::path& path) {
  return Read<std::vector<std::uint8_t>>(path);
}

void WriteFile(const std::filesystem::path& path, std::string_view text) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) throw SystemError(path, "cannot be written");
}

void WriteFile(const std::filesystem::path& path, std::span<const std::uint8_t> bytes) {
  WriteFile(path, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

}  // namespace tpu
