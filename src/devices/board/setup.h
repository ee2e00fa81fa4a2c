// SPDX-License-Identifier: Apache-2.0
// What has to be written to a board's registers before its memory works.
#pragma once

#include "link/link.h"

namespace tpu::devices {

/// Does the steps of the board's own table (SETUP_WORD in docs/link_tables.md) and levels reads of
/// its memory, unless that was done since the board's reset. No interrupt may be pending. A board
/// without a table reads zeros.
void SetUp(link::Link& link);

}  // namespace tpu::devices
