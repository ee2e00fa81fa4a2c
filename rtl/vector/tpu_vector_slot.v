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
  input  wire          clk,
  input  wire          rst,

  // Command
  input  wire          cmd_valid,
  output wire          cmd_ready,
  input  wire [1023:0] cmd,
  input  wire [31:0]   cmd_index,
  // Accept nothing
  input  wire          stop,

  // Instruction held, until `take`
  output wire          slot_valid,
  output wire [703:0]  slot,
  output wire [31:0]   slot_index,
  // Column by column; windows are two columns apart
  output wire          slot_columns,
  output wire          slot_pair,
  input  wire          take
);

  reg         valid_q;
  reg [703:0] slot_q;
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
  wire [15:0] a_ow  = cmd[`TPU_VECTOR_A_OW];
  wire [15:0] a_kw  = cmd[`TPU_VECTOR_A_KW];
  wire [7:0]  xs_ow = cmd[`TPU_VECTOR_XS_OW];
  wire [7:0]  xs_kw = cmd[`TPU_VECTOR_XS_KW];
  wire [15:0] n_cb  = cmd[`TPU_VECTOR_N_CB];

  wire one_apart = a_ow == a_kw && xs_ow == xs_kw;
  wire two_apart = {a_ow[15], a_ow} == {a_kw, 1'b0} && {1'b0, xs_ow} == {xs_kw, 1'b0};

  // Row after the last weights: 9 per channel block. A negative first row looks large.
  wire [20:0] weights_end = {1'b0, cmd[`TPU_VECTOR_B_ROW]} + {2'd0, n_cb, 3'd0} + {5'd0, n_cb};
  wire        weights_fit = cmd[`TPU_VECTOR_B_KW] == 16'd1 && cmd[`TPU_VECTOR_B_KH] == 16'd3
                            && cmd[`TPU_VECTOR_B_OW] == 16'd0 && cmd[`TPU_VECTOR_B_OH] == 16'd0
                            && cmd[`TPU_VECTOR_B_CB] == 16'd9 && weights_end <= UB_ROWS[20:0];

  wire pooling   = cmd[`TPU_VECTOR_MAP] == `TPU_VECTOR_MAP_COPY;
  wire depthwise = cmd[`TPU_VECTOR_MAP] == `TPU_VECTOR_MAP_MUL
                   && cmd[`TPU_VECTOR_REDUCE] == `TPU_VECTOR_REDUCE_SUM
                   && cmd[`TPU_VECTOR_B_ZERO] == 8'd0 && weights_fit;

  // The columns of 32767 windows two apart are as many as a loop counts.
  wire columns = cmd[`TPU_VECTOR_SOURCE] == `TPU_VECTOR_SOURCE_UB
                 && cmd[`TPU_VECTOR_N_KH] == 16'd3 && cmd[`TPU_VECTOR_N_KW] == 16'd3 && !cmd[143]
                 && (one_apart || two_apart) && (pooling || depthwise);

  // ---- Slot ------------------------------------------------------------------------------------
  always @(posedge clk) begin
    if (cmd_valid && cmd_ready) begin
      slot_q    <= cmd[703:0];
      index_q   <= cmd_index;
      columns_q <= columns;
      pair_q    <= !one_apart;
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
