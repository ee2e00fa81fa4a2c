// SPDX-License-Identifier: Apache-2.0
// The latest access to every place of a memory by one unit.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "asm/row_set.h"

namespace tpu::assembly {

/// A place and the ordinal (from 1, within its unit) of the last instruction that touched it.
struct LastAccess {
  std::uint64_t place = 0;
  std::uint32_t ordinal = 0;
};

/// Remembering the latest access only is enough: since a unit's instructions complete in order,
/// whoever comes after the latest comes after all of them.
class AccessHistory {
 public:
  virtual ~AccessHistory() = default;

  /// Ordinals never decrease.
  virtual void Record(std::span<const Run> runs, std::uint32_t ordinal) = 0;
  /// The first place in `runs` that was last touched later than by instruction `ordinal`.
  [[nodiscard]] virtual std::optional<LastAccess> FindAfter(std::span<const Run> runs,
                                                            std::uint32_t ordinal) const = 0;
};

/// For memories of a few thousand rows: one number per row.
class RowHistory : public AccessHistory {
 public:
  explicit RowHistory(std::size_t rows) : last_(rows) {}
  void Record(std::span<const Run> runs, std::uint32_t ordinal) override;
  [[nodiscard]] std::optional<LastAccess> FindAfter(std::span<const Run> runs,
                                                    std::uint32_t ordinal) const override;

 private:
  std::vector<std::uint32_t> last_;
};

/// For bytes of memory: intervals.
class ByteHistory : public AccessHistory {
 public:
  void Record(std::span<const Run> runs, std::uint32_t ordinal) override;
  [[nodiscard]] std::optional<LastAccess> FindAfter(std::span<const Run> runs,
                                                    std::uint32_t ordinal) const override;

 private:
  struct Interval {
    std::uint64_t end;
    std::uint32_t ordinal;
  };
  using Map = std::map<std::uint64_t, Interval>;  ///< By first byte; disjoint.

  void Assign(std::uint64_t begin, std::uint64_t end, std::uint32_t ordinal);

  Map intervals_;
};

}  // namespace tpu::assembly
