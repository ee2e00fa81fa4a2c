// SPDX-License-Identifier: Apache-2.0
// What users tell the delegate: load_delegate(path, {"backend": "rtl"}).
#pragma once

#include <span>
#include <string>

namespace tpu::delegate {

struct Options {
  std::string backend = "golden";   ///< What runs the programs.
  std::string config = "N16";       ///< The machine that programs are compiled for.
  std::string rounding = "double";  ///< How programs are compiled, as `tpu --rounding`.
  std::string device;               ///< A board, which is both in place of these; empty: none.
  std::string report;               ///< A file for what runs cost; empty: none.
};

/// As many keys as values. Throws tpu::Error naming the key.
Options ReadOptions(std::span<const char* const> keys, std::span<const char* const> values);

}  // namespace tpu::delegate
