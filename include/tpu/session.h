// SPDX-License-Identifier: Apache-2.0
// Running a program on a device.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "tpu/device.h"
#include "tpu/program.h"
#include "tpu/run.h"
#include "tpu/tensor.h"

namespace tpu {

/// A program in the memory of its devices, where it stays from one run to the next. The devices
/// must outlive the session. Two sessions on one device overwrite each other.
class Session {
 public:
  /// Throws tpu::Error when the program was compiled for another machine, or for several devices.
  Session(Device& device, const Program& program);
  /// On several devices of one kind of machine: the program's device i is `devices[i]`. Throws
  /// tpu::Error when the program needs more devices, when two of them are the same, and when one
  /// is another machine than the program was compiled for.
  Session(std::span<Device* const> devices, const Program& program);
  ~Session();
  /// The other session can only be assigned to or destroyed afterwards.
  Session(Session&&) noexcept;
  /// Gives up the program that this session had.
  Session& operator=(Session&&) noexcept;

  /// Writes an input in the order of its shape. Throws tpu::Error when there is no input of that
  /// name, when its elements are not T, or when their number differs.
  template <typename T>
  void SetInput(std::string_view name, std::span<const T> values) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
    WriteInput(name, ElementTypeOf<T>::value, {bytes, values.size_bytes()});
  }

  /// Runs the program once. Throws tpu::Error when the device stops with an error.
  Report Run(const RunOptions& options = {});

  /// Forgets what earlier runs left for the next one: variables and other states of the model are
  /// again as they were before the first run.
  void ResetStates();

  /// Reads an output in the order of its shape. Throws tpu::Error when there is no output of that
  /// name or when its elements are not T.
  template <typename T>
  [[nodiscard]] std::vector<T> Output(std::string_view name) const {
    const std::vector<std::uint8_t> bytes = ReadOutput(name, ElementTypeOf<T>::value);
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

 private:
  void WriteInput(std::string_view name, ElementType type, std::span<const std::uint8_t> bytes);
  [[nodiscard]] std::vector<std::uint8_t> ReadOutput(std::string_view name, ElementType type) const;

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tpu
