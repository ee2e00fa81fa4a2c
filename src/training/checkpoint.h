// SPDX-License-Identifier: Apache-2.0
// A run of training as a file, from which it continues to the bit.
//
//   8 bytes   "TPUTRAIN"
//   uint32    version, 1
//   uint64    bytes of the whole file
//   ...       the fields of Checkpoint in their order; a list is its length as uint64 and its
//             elements; a text is a list of bytes
//   uint32    CRC-32 of all bytes before
//
// Numbers are little-endian.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "tensor/train_step.h"
#include "training/history.h"
#include "training/settings.h"

namespace tpu::training {

/// A tensor of the state, of float32.
struct SavedTensor {
  std::string name;
  tensor::Shape shape;
  Bytes bytes;
};

struct Checkpoint {
  std::uint32_t model_crc32 = 0;     ///< Of the model's file.
  std::uint32_t examples_crc32 = 0;  ///< Of the training examples.
  OptionTexts options;
  History history;
  std::vector<SavedTensor> state;
};

Bytes Serialise(const Checkpoint& checkpoint);

/// Throws tpu::Error naming the file and what is wrong with it: no checkpoint, another version,
/// truncated, damaged. `file` is used in messages only.
Checkpoint ParseCheckpoint(std::span<const std::uint8_t> bytes, const std::string& file);

/// Throws tpu::Error naming the first thing in which a checkpoint is not of the run that is
/// `expected`: options, state, model, examples. Their histories and contents may differ.
void RequireSameRun(const Checkpoint& found, const Checkpoint& expected, const std::string& file);

/// The file holds what it held before, or all of `bytes`: they are written beside it under its name
/// with ".partial" behind, and take its place when they are on the disk. Throws tpu::Error naming
/// the file and the system's reason.
void ReplaceFile(const std::filesystem::path& path, std::span<const std::uint8_t> bytes);

}  // namespace tpu::training
