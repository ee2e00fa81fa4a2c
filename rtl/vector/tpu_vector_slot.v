// Command slot of the vector unit: holds the next instruction until all streams have started it, and recognises 3 x 3 windows.
//
// An instruction goes through the lanes column by column instead of tap by tap (docs/architecture.md section 6) when
//
//   * its windows are 3 x 3 over the unified buffer, one or two columns apart, so that neighbours share columns, and
//   * it is a pooling (map copy, any reduction) or a depthwise convolution: a sum of products with weights that depend on the
//     channel block only, lie in one piece in the buffer and have zero point 0.
//
// Nothing else is asked of positions, strides, padding or image size. What is refused here is done tap by tap, with the same result.
//
// The slot takes an instruction only when it is empty, so that one register enables all its bits. What the pattern compares is registered
// with the instruction; only the conjunction is left for the cycles after. Without a command nothing in the slot moves.
//
// Opcodes of a format that the machine does not have mean VECTOR here; tpu_decode lets none of them through.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_vector_slot #(
  // Unified buffer rows, a power of two
  parameter UB_ROWS = 16384,
  // 0: all windows go tap by tap
  parameter WINDOW = 1,
  // 1: with FVECTOR, with IVECTOR, whose windows go tap by tap
  parameter BF16 = 0,
  parameter INT16 = 0
) (
  input  wire                        clk,
  input  wire                        rst,

  // Command
  input  wire                        cmd_valid,
  output wire                        cmd_ready,
  input  wire [`TPU_VECTOR_USED-1:0] cmd,
  input  wire [31:0]                 cmd_index,
  // Accept nothing
  input  wire                        stop,

  // Instruction held, until `take`
  output wire                        slot_valid,
  output wire [`TPU_VECTOR_USED-1:0] slot,
  output wire [31:0]                 slot_index,
  // Column by column; windows are two columns apart; columns of a row of windows
  output wire                        slot_columns,
  output wire                        slot_pair,
  output wire [15:0]                 slot_n_column,
  input  wire                        take
);

  localparam UW = $clog2(UB_ROWS);

`include "tpu_adam_walk.vh"

  reg                        valid_q;
  reg [`TPU_VECTOR_USED-1:0] slot_q;
  reg [31:0]                 index_q;

  assign cmd_ready  = !stop && !valid_q;
  assign slot_valid = valid_q;
  assign slot       = slot_q;
  assign slot_index = index_q;

  // ---- Pattern ---------------------------------------------------------------------------------
  wire [15:0] n_ow = cmd[`TPU_VECTOR_N_OW];
  wire [15:0] a_ow = cmd[`TPU_VECTOR_A_OW];
  wire [15:0] n_cb = cmd[`TPU_VECTOR_N_CB];

  wire one_apart = a_ow == cmd[`TPU_VECTOR_A_KW] && cmd[`TPU_VECTOR_XS_OW] == cmd[`TPU_VECTOR_XS_KW];
  wire adam      = BF16 != 0 && cmd[`TPU_OPCODE] == `TPU_OP_ADAM;
  wire by_lines  = adam || (BF16 != 0 && cmd[`TPU_OPCODE] == `TPU_OP_FVECTOR) || (INT16 != 0 && cmd[`TPU_OPCODE] == `TPU_OP_IVECTOR);
  wire two_apart = {a_ow[15], a_ow} == {cmd[`TPU_VECTOR_A_KW], 1'b0} && {1'b0, cmd[`TPU_VECTOR_XS_OW]} == {cmd[`TPU_VECTOR_XS_KW], 1'b0};

  // Windows of this shape and distance; a pooling; a depthwise convolution, and its last row of weights, of which there are 9 per channel
  // block, in bits that are 0 within the buffer. A negative first row makes the last one look large.
  reg          shape_q;
  reg          pair_q;
  reg          pooling_q;
  reg          depthwise_q;
  wire [20:0]  last_weight = {1'b0, cmd[`TPU_VECTOR_B_ROW]} + {2'd0, n_cb, 3'd0} + {5'd0, n_cb} - 21'd1;
  reg  [20:UW] beyond_q;
  reg  [15:0]  n_column_q;

  assign slot_columns  = WINDOW != 0 && shape_q && (pooling_q || (depthwise_q && beyond_q == {(21-UW){1'b0}}));
  assign slot_pair     = pair_q;
  assign slot_n_column = n_column_q;

  // ---- Slot ------------------------------------------------------------------------------------
  always @(posedge clk) begin
    if (cmd_valid && !valid_q) begin
      slot_q        <= cmd | adam_walk(adam);
      index_q       <= cmd_index;
      // The columns of 32767 windows two apart are as many as a loop counts.
      shape_q       <= !by_lines && cmd[`TPU_VECTOR_SOURCE] == `TPU_VECTOR_SOURCE_UB && (one_apart || two_apart)
                       && cmd[`TPU_VECTOR_N_KH] == 16'd3 && cmd[`TPU_VECTOR_N_KW] == 16'd3 && !n_ow[15];
      pair_q        <= !one_apart;
      pooling_q     <= cmd[`TPU_VECTOR_MAP] == `TPU_VECTOR_MAP_COPY;
      depthwise_q   <= cmd[`TPU_VECTOR_MAP] == `TPU_VECTOR_MAP_MUL && cmd[`TPU_VECTOR_REDUCE] == `TPU_VECTOR_REDUCE_SUM
                       && cmd[`TPU_VECTOR_B_ZERO] == 8'd0
                       && cmd[`TPU_VECTOR_B_KW] == 16'd1 && cmd[`TPU_VECTOR_B_KH] == 16'd3
                       && cmd[`TPU_VECTOR_B_OW] == 16'd0 && cmd[`TPU_VECTOR_B_OH] == 16'd0
                       && cmd[`TPU_VECTOR_B_CB] == 16'd9;
      beyond_q      <= last_weight[20:UW];
      n_column_q    <= one_apart ? n_ow + 16'd2 : {n_ow[14:0], 1'b1};
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

  wire unused = &{1'b0, last_weight};

endmodule

`default_nettype wire
