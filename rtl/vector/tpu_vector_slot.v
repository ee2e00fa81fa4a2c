// Command slot of the vector unit: holds the next instruction until both sources have started it, and recognises 3 x 3 windows.
//
// An instruction goes through the lanes column by column instead of tap by tap (docs/architecture.md section 6) when
//
//   * its windows are 3 x 3 over the unified buffer, one or two columns apart, so that neighbours share columns, and
//   * it is a pooling (map copy, any reduction) or a depthwise convolution: a sum of products with weights that depend on the
//     channel block only, lie in one piece in the buffer and have zero point 0.
//
// Nothing else is asked of positions, strides, padding or image size. What is refused here is done tap by tap, with the same result.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_vector_slot #(
  // Unified buffer rows
  parameter UB_ROWS = 16384
) (
  input  wire                        clk,
  input  wire                        rst,

  // Command
  input  wire                        cmd_valid,
  output wire                        cmd_ready,
  input  wire [1023:0]               cmd,
  input  wire [31:0]                 cmd_index,
  // Accept nothing
  input  wire                        stop,

  // Instruction held, until `take`
  output wire                        slot_valid,
  output wire [`TPU_VECTOR_USED-1:0] slot,
  output wire [31:0]                 slot_index,
  // Column by column; windows are two columns apart
  output wire                        slot_columns,
  output wire                        slot_pair,
  input  wire                        take
);

  reg         valid_q;
  reg [`TPU_VECTOR_USED-1:0] slot_q;
  reg [31:0]  index_q;
  reg         columns_q;
  reg         pair_q;

  assign cmd_ready    = !stop && (!valid_q || take);
  assign slot_valid   = valid_q;
  assign slot         = slot_q;
  assign slot_index   = index_q;
  assign slot_columns = columns_q;
  assign slot_pair    = pair_q;

  // ---- Pattern ---------------------------------------------------------------------------------
  // Written so that simulation works it out for the instructions that come, and not in every cycle.
  function one_apart(input [15:0] a_ow, input [15:0] a_kw, input [7:0] xs_ow, input [7:0] xs_kw);
    one_apart = a_ow == a_kw && xs_ow == xs_kw;
  endfunction

  function two_apart(input [15:0] a_ow, input [15:0] a_kw, input [7:0] xs_ow, input [7:0] xs_kw);
    two_apart = {a_ow[15], a_ow} == {a_kw, 1'b0} && {1'b0, xs_ow} == {xs_kw, 1'b0};
  endfunction

  // Row after the last weights: 9 per channel block. A negative first row looks large.
  function [20:0] weights_end(input [19:0] b_row, input [15:0] n_cb);
    weights_end = {1'b0, b_row} + {2'd0, n_cb, 3'd0} + {5'd0, n_cb};
  endfunction

  // ---- Slot ------------------------------------------------------------------------------------
  always @(posedge clk) begin
    if (cmd_valid && cmd_ready) begin
      slot_q    <= cmd[`TPU_VECTOR_USED-1:0];
      index_q   <= cmd_index;
      // The columns of 32767 windows two apart are as many as a loop counts.
      columns_q <= cmd[`TPU_VECTOR_SOURCE] == `TPU_VECTOR_SOURCE_UB
                   && cmd[`TPU_VECTOR_N_KH] == 16'd3 && cmd[`TPU_VECTOR_N_KW] == 16'd3 && !cmd[143]
                   && (one_apart(cmd[`TPU_VECTOR_A_OW], cmd[`TPU_VECTOR_A_KW], cmd[`TPU_VECTOR_XS_OW], cmd[`TPU_VECTOR_XS_KW])
                       || two_apart(cmd[`TPU_VECTOR_A_OW], cmd[`TPU_VECTOR_A_KW], cmd[`TPU_VECTOR_XS_OW], cmd[`TPU_VECTOR_XS_KW]))
                   // A pooling, or a depthwise convolution.
                   && (cmd[`TPU_VECTOR_MAP] == `TPU_VECTOR_MAP_COPY
                       || (cmd[`TPU_VECTOR_MAP] == `TPU_VECTOR_MAP_MUL && cmd[`TPU_VECTOR_REDUCE] == `TPU_VECTOR_REDUCE_SUM
                           && cmd[`TPU_VECTOR_B_ZERO] == 8'd0
                           && cmd[`TPU_VECTOR_B_KW] == 16'd1 && cmd[`TPU_VECTOR_B_KH] == 16'd3
                           && cmd[`TPU_VECTOR_B_OW] == 16'd0 && cmd[`TPU_VECTOR_B_OH] == 16'd0
                           && cmd[`TPU_VECTOR_B_CB] == 16'd9
                           && weights_end(cmd[`TPU_VECTOR_B_ROW], cmd[`TPU_VECTOR_N_CB]) <= UB_ROWS[20:0]));
      pair_q    <= !one_apart(cmd[`TPU_VECTOR_A_OW], cmd[`TPU_VECTOR_A_KW], cmd[`TPU_VECTOR_XS_OW], cmd[`TPU_VECTOR_XS_KW]);
    end
  end

  always @(posedge clk) begin
    if (cmd_valid && cmd_ready) begin
      valid_q <= 1'b1;
    end else if (take) begin
      valid_q <= 1'b0;
    end
    if (rst) begin
      valid_q <= 1'b0;
    end
  end

  wire unused = &{1'b0, cmd[1023:704]};

endmodule

`default_nettype wire
