// SPDX-License-Identifier: Apache-2.0
// A row of numbers is E rows of the unified buffer, called lines, where a number has E bytes (docs/isa.md, 10.1 and 11.1).
`ifndef TPU_NUMBER_LINES_VH
`define TPU_NUMBER_LINES_VH

`include "tpu_isa.vh"

// E - 1 of a format: the number of the last line.
`define TPU_LAST_LINE(format) \
  ((format) == `TPU_NUMBER_FORMAT_INT8 ? 2'd0 : (format) == `TPU_NUMBER_FORMAT_BF16 ? 2'd1 : 2'd3)

// The same of TPU_INTEGER_FORMAT; a pair has two rows of the accumulators.
`define TPU_LAST_INTEGER_LINE(format) \
  ((format) == `TPU_INTEGER_FORMAT_INT8 ? 2'd0 : (format) == `TPU_INTEGER_FORMAT_INT32 ? 2'd3 : 2'd1)

`endif
