// tpu_vector_slot: an instruction is held from its acceptance until it is taken, as it came; its pattern, by which it goes column by column, is
// recognised. Opcodes of a format that the machine does not have mean nothing: such an instruction is a VECTOR. Nothing moves while nothing
// comes.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module formal_tpu_vector_slot #(
  parameter UB_ROWS = 16,
  parameter WINDOW = 1,
  parameter BF16 = 0,
  parameter INT16 = 0
) (
  input wire                        clk,
  input wire                        reset,
  input wire                        cmd_valid,
  input wire [`TPU_VECTOR_USED-1:0] cmd,
  input wire [31:0]                 cmd_index,
  input wire                        stop,
  input wire                        take
);

  reg start_q = 1'b1;
  always @(posedge clk) start_q <= 1'b0;

  wire                        rst = start_q || reset;
  wire                        cmd_ready;
  wire                        slot_valid;
  wire [`TPU_VECTOR_USED-1:0] slot;
  wire [31:0]                 slot_index;
  wire                        slot_columns;
  wire                        slot_pair;
  wire [15:0]                 slot_n_column;

  tpu_vector_slot #(
    .UB_ROWS (UB_ROWS),
    .WINDOW  (WINDOW),
    .BF16    (BF16),
    .INT16   (INT16)
  ) dut (
    .clk           (clk),
    .rst           (rst),
    .cmd_valid     (cmd_valid),
    .cmd_ready     (cmd_ready),
    .cmd           (cmd),
    .cmd_index     (cmd_index),
    .stop          (stop),
    .slot_valid    (slot_valid),
    .slot          (slot),
    .slot_index    (slot_index),
    .slot_columns  (slot_columns),
    .slot_pair     (slot_pair),
    .slot_n_column (slot_n_column),
    .take          (take)
  );

`include "tpu_adam_walk.vh"

  reg                        valid_q;
  reg [`TPU_VECTOR_USED-1:0] cmd_q;
  reg [31:0]                 index_q;

  wire [7:0]          opcode  = cmd_q[`TPU_OPCODE];
  wire                adam    = BF16 != 0 && opcode == `TPU_OP_ADAM;
  wire                vector  = !adam && (BF16 == 0 || opcode != `TPU_OP_FVECTOR) && (INT16 == 0 || opcode != `TPU_OP_IVECTOR);
  wire signed [17:0]  a_ow    = $signed(cmd_q[`TPU_VECTOR_A_OW]);
  wire signed [17:0]  a_kw    = $signed(cmd_q[`TPU_VECTOR_A_KW]);
  wire        [17:0]  xs_ow   = cmd_q[`TPU_VECTOR_XS_OW];
  wire        [17:0]  xs_kw   = cmd_q[`TPU_VECTOR_XS_KW];
  wire        [15:0]  n_ow    = cmd_q[`TPU_VECTOR_N_OW];
  wire                one     = a_ow == a_kw && xs_ow == xs_kw;
  wire                two     = a_ow == 2 * a_kw && xs_ow == 2 * xs_kw;
  wire                pooling = cmd_q[`TPU_VECTOR_MAP] == `TPU_VECTOR_MAP_COPY;
  // The row after the last one of the weights, of which a block has 9
  wire signed [31:0]  first   = $signed({16'd0, cmd_q[`TPU_VECTOR_B_ROW]});
  wire        [31:0]  blocks  = cmd_q[`TPU_VECTOR_N_CB];
  wire        [31:0]  end_row = first + 32'd9 * blocks;
  wire                weights = cmd_q[`TPU_VECTOR_MAP] == `TPU_VECTOR_MAP_MUL && cmd_q[`TPU_VECTOR_REDUCE] == `TPU_VECTOR_REDUCE_SUM
                                && cmd_q[`TPU_VECTOR_B_ZERO] == 8'd0 && cmd_q[`TPU_VECTOR_B_KW] == 16'd1 && cmd_q[`TPU_VECTOR_B_KH] == 16'd3
                                && cmd_q[`TPU_VECTOR_B_OW] == 16'd0 && cmd_q[`TPU_VECTOR_B_OH] == 16'd0 && cmd_q[`TPU_VECTOR_B_CB] == 16'd9;
  wire                shape   = cmd_q[`TPU_VECTOR_SOURCE] == `TPU_VECTOR_SOURCE_UB && cmd_q[`TPU_VECTOR_N_KH] == 16'd3
                                && cmd_q[`TPU_VECTOR_N_KW] == 16'd3 && n_ow < 16'd32768 && (one || two);

  // What was there in the last cycle, and may not change
  reg                        still_q;
  reg [`TPU_VECTOR_USED-1:0] slot_q;
  reg [49:0]                 others_q;

  wire [49:0] others = {slot_index, slot_columns, slot_pair, slot_n_column};

  always @(posedge clk) begin
    if (cmd_valid && cmd_ready) begin
      cmd_q   <= cmd;
      index_q <= cmd_index;
    end
    valid_q  <= (cmd_valid && cmd_ready) || (valid_q && !take);
    still_q  <= !rst && (!cmd_valid || valid_q);
    slot_q   <= slot;
    others_q <= others;
    if (rst) valid_q <= 1'b0;
  end

  always @* begin
    assume (!take || valid_q);
    assume (cmd[`TPU_VECTOR_N_CB] != 16'd0);
    if (!start_q) begin
      assert (cmd_ready == (!stop && !valid_q));
      assert (slot_valid == valid_q);
      if (still_q) assert (slot == slot_q && others == others_q);
    end
    if (!start_q && valid_q) begin
      assert (slot == (cmd_q | adam_walk(adam)) && slot_index == index_q);
      assert (slot_columns == (WINDOW != 0 && vector && shape && (pooling || (weights && end_row <= UB_ROWS))));
      if (slot_columns) assert (slot_pair == !one);
      if (slot_columns) assert (slot_n_column == (one ? n_ow + 16'd2 : 2 * n_ow + 16'd1));
    end
  end

endmodule

`default_nettype wire
