// SPDX-License-Identifier: Apache-2.0
// Finding the first operator that computes something else than a reference did.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "executable/executable.h"
#include "ir/graph.h"
#include "tools/tpu/tensor_file.h"

namespace tpu::tools {

/// The result of the comparison.
struct IntermediatesResult {
  std::size_t compared = 0;  ///< Operators whose outputs were compared.
  std::string difference;    ///< The first operator that differs; empty: none.
};

/// Compares outputs of operators with a reference's CRC-32s. `manifest` is a JSON file
/// {"cases": {"0": [[operator index, operator name, tensor index, crc32], ...], ...}}; the CRC is
/// of the tensor's bytes. `executable` was compiled from `graph` with keep_intermediates, and
/// `outputs` are its outputs for the inputs of case `name`. Tensors that the compiler computed
/// itself are skipped. Throws tpu::Error naming the file when it is no such manifest.
IntermediatesResult CompareIntermediates(const std::filesystem::path& manifest,
                                         const std::string& name, const ir::Graph& graph,
                                         const executable::Executable& executable,
                                         std::span<const Bytes> outputs);

}  // namespace tpu::tools
