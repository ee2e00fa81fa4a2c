// tpu_vector_pipe: each stage does what the tap, column or row in it asks for, with the configuration that its instruction was started
// with, and a configuration bank is busy as long as anything in the lanes needs it.
//
// One bit of the configuration, the lowest one of the output zero point, stands for all: of what the lanes take from a bank by row, it is among
// the last.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_lane_control.vh"
`include "tpu_vector_token.vh"

module formal_tpu_vector_pipe #(
  parameter PARAM_ROWS = 2,
  parameter REQUANT_LANES = 2
) (
  input wire                        clk,
  input wire                        take,
  input wire [`TPU_VECTOR_USED-1:0] cmd,
  input wire [`TPU_TOKEN_BITS-1:0]  token,
  input wire                        token_param,
  input wire                        b_present,
  input wire                        c_present
);

  // Stages from the cycle after the issue to the row's last byte
  localparam LAST_STAGE = 16 + REQUANT_LANES;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  // Bank of the instruction that is being issued; there is one.
  reg                      bank_q;
  reg                      alive_q;
  wire [1:0]               bank_busy;
  wire                     b_pop;
  wire                     c_pop;
  wire [2:0]               present;
  wire [`TPU_TAP_BITS-1:0] tap_control;
  wire [`TPU_ROW_BITS-1:0] row_control;
  wire                     param_en;
  wire                     param_entry;
  wire [5:0]               turn8;
  wire [5:0]               turn9;
  wire                     row_done;
  wire                     row_final;

  tpu_vector_pipe #(
    .PARAM_ROWS    (PARAM_ROWS),
    .REQUANT_LANES (REQUANT_LANES)
  ) dut (
    .clk         (clk),
    .rst         (rst),
    .take        (take),
    .take_bank   (!bank_q),
    .cmd         (cmd),
    .bank_busy   (bank_busy),
    .token       (token),
    .token_param (token_param),
    .b_pop       (b_pop),
    .c_pop       (c_pop),
    .b_present   (b_present),
    .c_present   (c_present),
    .present     (present),
    .tap_control (tap_control),
    .row_control (row_control),
    .param_en    (param_en),
    .param_entry (param_entry),
    .turn8       (turn8),
    .turn9       (turn9),
    .row_done    (row_done),
    .row_final   (row_final)
  );

  wire tap    = token[`TPU_TOKEN_TAP];
  wire column = token[`TPU_TOKEN_COLUMN];
  wire last   = tap && token[`TPU_TOKEN_LAST];
  wire final  = tap && token[`TPU_TOKEN_FINAL];

  wire [7:0]  zero    = cmd[`TPU_VECTOR_O_ZERO];
  wire [7:0]  zero_15 = row_control[`TPU_ROW_15_ZERO];
  wire [16:8] row_en  = row_control[`TPU_ROW_8_TO_16_EN];

  //// What is in stage i: it was issued i + 1 cycles ago. ////

  reg [2:0]            pops_q;
  reg [2:0]            columns_q;
  reg [2:0]            weights_q;
  reg [LAST_STAGE:0]   lasts_q;
  reg [LAST_STAGE+1:0] finals_q;
  reg [LAST_STAGE+1:0] banks_q;
  reg [LAST_STAGE:0]   zeros_q;
  reg [7:0]            params_q;
  // Zero points of the banks
  reg [1:0]            zero_q;

  always @(posedge clk) begin
    pops_q    <= {pops_q[1:0], column || (tap && token[`TPU_TOKEN_INSIDE] && token[`TPU_TOKEN_USES_B])};
    columns_q <= {columns_q[1:0], column};
    weights_q <= {weights_q[1:0], token[`TPU_TOKEN_WEIGHT]};
    lasts_q   <= {lasts_q[LAST_STAGE-1:0], last};
    finals_q  <= {finals_q[LAST_STAGE:0], final};
    banks_q   <= {banks_q[LAST_STAGE:0], bank_q};
    zeros_q   <= {zeros_q[LAST_STAGE-1:0], zero_q[bank_q]};
    params_q  <= {params_q[6:0], token_param};
    if (take) begin
      bank_q          <= !bank_q;
      zero_q[!bank_q] <= zero[0];
    end
    alive_q <= take || (alive_q && !final);
    if (rst) begin
      pops_q    <= 3'd0;
      columns_q <= 3'd0;
      lasts_q   <= {(LAST_STAGE+1){1'b0}};
      finals_q  <= {(LAST_STAGE+2){1'b0}};
      bank_q    <= 1'b0;
      alive_q   <= 1'b0;
    end
  end

  //// The issuing side. ////

  integer i;

  always @* begin
    if (rst) begin
      assume (!take && !tap && !column && !last && !final);
    end else begin
      assume (!tap && !column || alive_q && token[`TPU_TOKEN_BANK] == bank_q);
      assume (!final || last);
      assume (!take || ((!alive_q || final) && !bank_busy[!bank_q]));
      // Rows are as far apart as the lanes that share a requantiser.
      for (i = 1; i < REQUANT_LANES; i = i + 1) assume (!last || !lasts_q[i-1]);
    end
  end

  //// The lanes' side. ////

  integer j;

  always @* begin
    if (!rst) begin
      assert (b_pop == pops_q[2]);
      assert (c_pop == columns_q[2]);
      // Weights are no column of pixels.
      if (columns_q[2]) assert (tap_control[`TPU_TAP_2_COLUMN] == !weights_q[2]);
      assert (param_en == lasts_q[7]);
      if (param_en) assert (param_entry == params_q[7]);
      for (j = 0; j < REQUANT_LANES; j = j + 1) begin
        if (lasts_q[8+j]) assert (row_en[8] && turn8 == j && row_control[`TPU_ROW_8_FIRST] == (j == 0));
        if (lasts_q[9+j]) assert (turn9 == j);
        if (lasts_q[15+j]) assert (row_en[15] && zero_15[0] == zeros_q[15+j]);
      end
      // Without FLOAT_ROUNDING no instruction asks for it, whatever its bit holds.
      if (lasts_q[9]) assert (!row_control[`TPU_ROW_9_FLOAT]);
      assert (row_done == lasts_q[LAST_STAGE]);
      assert (row_final == finals_q[LAST_STAGE]);
      // A bank is busy from the start of its instruction to the last byte of its last row.
      if (alive_q) assert (bank_busy[bank_q]);
      if (finals_q[LAST_STAGE+1]) assert (!bank_busy[banks_q[LAST_STAGE+1]]);
      for (j = 0; j <= LAST_STAGE; j = j + 1) begin
        if (lasts_q[j]) assert (bank_busy[banks_q[j]]);
      end
    end
  end

endmodule

`default_nettype wire
