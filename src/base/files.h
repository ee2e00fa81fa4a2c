// SPDX-License-Identifier: Apache-2.0
// Whole files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tpu {

/// Throw tpu::Error naming the file and the system's reason.
std::vector<std::uint8_t> ReadBytes(const std::filesystem::path& path);
std::string ReadText(const std::filesystem::path& path);

/// The file is complete when this returns; throws tpu::Error otherwise (disk full, no such
/// folder).
void WriteFile(const std::filesystem::path& path, std::span<const std::uint8_t> bytes);
void WriteFile(const std::filesystem::path& path, std::string_view text);

}  // namespace tpu
