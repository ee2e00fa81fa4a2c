// SPDX-License-Identifier: Apache-2.0
// `TPU_ASSERT(label, condition): checked at every rising edge of `clk` outside reset. In formal runs a property, in simulation a
// message and the end of the run, in synthesis nothing. What happens when one fails is no part of coverage: no test may get there.
`ifndef TPU_ASSERT_VH
`define TPU_ASSERT_VH
`ifdef FORMAL
`define TPU_ASSERT(label, condition) \
  always @(posedge clk) if (!rst) label: assert (condition);
`else
`ifdef SYNTHESIS
`define TPU_ASSERT(label, condition)
`else
`define TPU_ASSERT(label, condition) \
  always @(posedge clk) if (!rst && !(condition)) begin : label /*verilator coverage_block_off*/ \
    $display("assertion failed in %m"); \
    $finish; \
  end
`endif
`endif
`endif
