// SPDX-License-Identifier: Apache-2.0
// Who reads a bank of the unified buffer (rtl/vector/tpu_vector_issue.v, tpu_vector_operand.v).
//
// A bank gives one row in a cycle. Four readers ask, in this order of precedence:
//
//   1. The array reads whatever it asks for.
//   2. Source A taps a row. Where windows go column by column, a tap also takes a row of each
//      stream, so that a stream with at most one row at hand (a hungry stream) would soon hold up
//      source A. Therefore source A leaves a bank to a hungry stream.
//   3. Stream 1 reads ahead, but leaves a bank to stream 2 while only stream 2 is hungry.
//   4. Stream 2 reads ahead.
//
// Where the banks that all of them ask for differ, everybody gets a row. VectorUnit::Repeats finds
// such cycles without an arbitration.
#pragma once

#include "timing/banks.h"

namespace tpu::timing {

/// Whether a stream with so many rows at hand is hungry.
constexpr bool IsHungry(unsigned rows) { return rows <= 1; }

/// What each reader asks for in a cycle: a bank, or 0 for none.
struct BankRequests {
  Banks others = 0;
  Banks source = 0;
  Banks stream_1 = 0;
  Banks stream_2 = 0;
  Banks hungry_1 = 0;   ///< stream_1 if stream 1 is hungry, else 0.
  Banks hungry_2 = 0;   ///< stream_2 if stream 2 is hungry, else 0.
  bool columns = true;  ///< The windows of source A go column by column.
};

struct BankGrants {
  bool source = false;  ///< Source A goes on. A source that asks for nothing goes on, too.
  bool stream_1 = false;
  bool stream_2 = false;
  Banks banks = 0;  ///< All banks that are read in this cycle, by anybody.
};

inline BankGrants Arbitrate(const BankRequests& asks) {
  const Banks left_to_streams = asks.columns ? asks.hungry_1 | asks.hungry_2 : 0;
  BankGrants grants = {.source = ((asks.others | left_to_streams) & asks.source) == 0,
                       .banks = asks.others};
  if (grants.source) grants.banks |= asks.source;
  const bool yields = asks.hungry_1 == 0 && asks.hungry_2 == asks.stream_1;
  const Banks stream_1 = yields ? 0 : asks.stream_1;
  grants.stream_1 = (stream_1 & ~grants.banks) != 0;
  grants.banks |= stream_1;
  grants.stream_2 = (asks.stream_2 & ~grants.banks) != 0;
  grants.banks |= asks.stream_2;
  return grants;
}

}  // namespace tpu::timing
