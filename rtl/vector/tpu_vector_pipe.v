// Control of the vector lanes: one token per tap or column travels through the stages (listed in tpu_vector_lanes) and steers them.
//
// Two configuration banks: the instruction being issued writes its fields into one when it starts; the token's bank bit selects
// it stage by stage, so that instructions follow each other without a bubble. A bank is busy until the last row of its instruction
// has left the lanes.
//
// A stage's controls are worked out in the cycle before and registered: `tap` for stages 2 to 7, `row` for stages 8 to 17
// (tpu_lane_control.vh). In stage 8 a row becomes REQUANT_LANES turns, one of each lane that shares a requantiser, so rows
// come that many cycles apart.
//
// More than 300 lines: a stage's controls and the fields that they come from are read best side by side.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"
`include "tpu_isa.vh"
`include "tpu_lane_control.vh"
`include "tpu_vector_token.vh"

module tpu_vector_pipe #(
  // Parameter entries
  parameter PARAM_ROWS = 512,
  // Lanes that share a requantiser, a power of two
  parameter REQUANT_LANES = 1,
  // 1: float_rounding may be set
  parameter FLOAT_ROUNDING = 0
) (
  input  wire                          clk,
  input  wire                          rst,

  // An instruction starts and takes bank `take_bank`
  input  wire                          take,
  input  wire                          take_bank,
  input  wire [`TPU_VECTOR_USED-1:0]   cmd,
  output wire [1:0]                    bank_busy,

  // Tap or column issued in this cycle, with its parameter entry; it is in stage 0 in the next one
  input  wire [`TPU_TOKEN_BITS-1:0]    token,
  input  wire [$clog2(PARAM_ROWS)-1:0] token_param,

  // Stage 2: rows of the other streams; whether they and source A's were read, with `present` all ones for taps
  output wire                          b_pop,
  output wire                          c_pop,
  input  wire                          b_present,
  input  wire                          c_present,
  output wire [2:0]                    present,

  // Controls of the lanes
  output wire [`TPU_TAP_BITS-1:0]      tap_control,
  output wire [`TPU_ROW_BITS-1:0]      row_control,

  // Stage 7: the row's parameters are read; stages 8 and 9: of the lanes that share a requantiser, the one in the stage
  output wire                          param_en,
  output wire [$clog2(PARAM_ROWS)-1:0] param_entry,
  output wire [5:0]                    turn8,
  output wire [5:0]                    turn9,

  // Stage 17: the row's last byte; that of the instruction's last row
  output wire                          row_done,
  output wire                          row_final
);

  localparam PW        = $clog2(PARAM_ROWS);
  localparam LAST_TURN = REQUANT_LANES - 1;

  // ---- Configuration banks ---------------------------------------------------------------------
  reg [1:0]  busy_q;
  reg        acc_q      [0:1];
  reg        copy_q     [0:1];
  reg        times_a_q  [0:1];
  reg        reverse_q  [0:1];
  reg        subtract_q [0:1];
  reg        adds_q     [0:1];
  reg        larger_q   [0:1];
  reg        smaller_q  [0:1];
  reg        twice_q    [0:1];
  reg        max_q      [0:1];
  reg [30:0] factor_q   [0:1];
  reg [4:0]  shift_q    [0:1];
  reg [7:0]  a_zero_q   [0:1];
  reg [7:0]  b_zero_q   [0:1];
  reg [1:0]  mode_q     [0:1];
  reg        float_q    [0:1];
  reg [7:0]  o_zero_q   [0:1];
  reg [7:0]  lo_q       [0:1];
  reg [7:0]  hi_q       [0:1];
  reg        lut_en_q   [0:1];
  reg [2:0]  lut_q      [0:1];

  wire [2:0]        map     = cmd[`TPU_VECTOR_MAP];
  wire [1:0]        mode    = cmd[`TPU_VECTOR_REQUANT];
  wire              floats  = FLOAT_ROUNDING != 0 && cmd[`TPU_VECTOR_FLOAT_ROUNDING];
  wire              copies  = map == `TPU_VECTOR_MAP_COPY;
  wire              adds    = map == `TPU_VECTOR_MAP_ADD || map == `TPU_VECTOR_MAP_SUB || map == `TPU_VECTOR_MAP_RSUB;
  wire              picks   = map == `TPU_VECTOR_MAP_MAX || map == `TPU_VECTOR_MAP_MIN;
  wire [31:0]       factor  = cmd[`TPU_VECTOR_PRE_MULT];
  wire [4:0]        shift   = cmd[`TPU_VECTOR_PRE_SHIFT];
  wire signed [7:0] lo      = cmd[`TPU_VECTOR_LO];
  wire signed [7:0] hi      = cmd[`TPU_VECTOR_HI];

  always @(posedge clk) begin
    if (take) begin
      acc_q[take_bank]      <= cmd[`TPU_VECTOR_SOURCE] == `TPU_VECTOR_SOURCE_ACC;
      copy_q[take_bank]     <= copies;
      times_a_q[take_bank]  <= copies || map == `TPU_VECTOR_MAP_MUL;
      reverse_q[take_bank]  <= map == `TPU_VECTOR_MAP_RSUB;
      subtract_q[take_bank] <= map == `TPU_VECTOR_MAP_SUB;
      adds_q[take_bank]     <= adds;
      larger_q[take_bank]   <= map == `TPU_VECTOR_MAP_MAX;
      smaller_q[take_bank]  <= map == `TPU_VECTOR_MAP_MIN;
      // Single rounding rounds once; without a shift there is one rounding only.
      twice_q[take_bank]    <= adds && mode != `TPU_VECTOR_REQUANT_SINGLE && shift != 5'd0;
      max_q[take_bank]      <= cmd[`TPU_VECTOR_REDUCE] == `TPU_VECTOR_REDUCE_MAX;
      factor_q[take_bank]   <= adds ? factor[30:0] : {30'd0, picks};
      shift_q[take_bank]    <= adds ? shift : 5'd0;
      a_zero_q[take_bank]   <= cmd[`TPU_VECTOR_A_ZERO] ^ {8{map == `TPU_VECTOR_MAP_RSUB}};
      b_zero_q[take_bank]   <= cmd[`TPU_VECTOR_B_ZERO];
      mode_q[take_bank]     <= floats ? `TPU_VECTOR_REQUANT_SINGLE : mode;
      float_q[take_bank]    <= floats;
      o_zero_q[take_bank]   <= cmd[`TPU_VECTOR_O_ZERO];
      // The upper bound wins when the bounds cross.
      lo_q[take_bank]       <= lo > hi ? hi : lo;
      hi_q[take_bank]       <= hi;
      lut_en_q[take_bank]   <= cmd[`TPU_VECTOR_LUT_ENABLE];
      lut_q[take_bank]      <= cmd[`TPU_VECTOR_LUT];
    end
  end

  // ---- Token: stages 0 to 7 -----------------------------------------------------------------------
  reg [`TPU_TOKEN_BITS-1:0] token0_q;
  reg [`TPU_TOKEN_BITS-1:0] token1_q;
  reg [`TPU_TOKEN_BITS-1:0] token2_q;
  reg [`TPU_TOKEN_BITS-1:0] token3_q;
  reg [`TPU_TOKEN_BITS-1:0] token4_q;
  reg [`TPU_TOKEN_BITS-1:0] token5_q;
  reg [`TPU_TOKEN_BITS-1:0] token6_q;
  reg [`TPU_TOKEN_BITS-1:0] token7_q;
  reg [8*PW-1:0]            params_q;
  // Of the last three columns, whether a pixel lay inside the image.
  reg [2:0]                 pixels_q;

  wire bank1 = token1_q[`TPU_TOKEN_BANK];
  wire bank2 = token2_q[`TPU_TOKEN_BANK];
  wire bank4 = token4_q[`TPU_TOKEN_BANK];
  wire bank5 = token5_q[`TPU_TOKEN_BANK];
  wire bank6 = token6_q[`TPU_TOKEN_BANK];

  always @(posedge clk) begin
    // Without a step the token's other bits say nothing.
    token0_q <= token;
    token1_q                   <= token0_q[`TPU_TOKEN_TAP] || token0_q[`TPU_TOKEN_COLUMN] ? token0_q : {`TPU_TOKEN_BITS{1'b0}};
    token1_q[`TPU_TOKEN_LAST]  <= token0_q[`TPU_TOKEN_TAP] && token0_q[`TPU_TOKEN_LAST];
    token1_q[`TPU_TOKEN_FINAL] <= token0_q[`TPU_TOKEN_TAP] && token0_q[`TPU_TOKEN_FINAL];
    token2_q <= token1_q;
    token3_q <= token2_q;
    token4_q <= token3_q;
    token5_q <= token4_q;
    token6_q <= token5_q;
    token7_q <= token6_q;
    params_q <= {params_q[7*PW-1:0], token_param};
    if (token2_q[`TPU_TOKEN_COLUMN]) begin
      pixels_q <= {pixels_q[1:0], token2_q[`TPU_TOKEN_UPPER] || b_present || c_present};
    end
    // A window lies inside if one of its pixels does.
    if (token3_q[`TPU_TOKEN_WINDOW]) begin
      token4_q[`TPU_TOKEN_INSIDE] <= pixels_q != 3'd0;
    end
    if (rst) begin
      token0_q[`TPU_TOKEN_TAP]    <= 1'b0;
      token0_q[`TPU_TOKEN_COLUMN] <= 1'b0;
      token1_q <= {`TPU_TOKEN_BITS{1'b0}};
      token2_q <= {`TPU_TOKEN_BITS{1'b0}};
      token3_q <= {`TPU_TOKEN_BITS{1'b0}};
      token4_q <= {`TPU_TOKEN_BITS{1'b0}};
      token5_q <= {`TPU_TOKEN_BITS{1'b0}};
      token6_q <= {`TPU_TOKEN_BITS{1'b0}};
      token7_q <= {`TPU_TOKEN_BITS{1'b0}};
    end
  end

  assign c_pop       = token2_q[`TPU_TOKEN_COLUMN];
  assign param_en    = token7_q[`TPU_TOKEN_LAST];
  assign param_entry = params_q[8*PW-1:7*PW];
  assign present     = {c_present, b_present, token2_q[`TPU_TOKEN_UPPER]} | {3{tap_control[`TPU_TAP_2_EN]}};

  // ---- Controls of stages 2 to 7 -----------------------------------------------------------------
  reg [`TPU_TAP_BITS-1:0] tap_control_q;
  reg                     b_pop_q;

  assign tap_control = tap_control_q;
  assign b_pop       = b_pop_q;

  always @(posedge clk) begin
    tap_control_q[`TPU_TAP_2_EN]       <= token1_q[`TPU_TOKEN_TAP] && !token1_q[`TPU_TOKEN_WINDOW];
    tap_control_q[`TPU_TAP_2_COLUMN]   <= token1_q[`TPU_TOKEN_COLUMN] && !token1_q[`TPU_TOKEN_WEIGHT];
    tap_control_q[`TPU_TAP_2_WEIGHT]   <= token1_q[`TPU_TOKEN_WEIGHT];
    tap_control_q[`TPU_TAP_2_ACC]      <= acc_q[bank1];
    tap_control_q[`TPU_TAP_2_TIMES_A]  <= times_a_q[bank1];
    tap_control_q[`TPU_TAP_2_FACTOR]   <= factor_q[bank1];
    tap_control_q[`TPU_TAP_2_COPY]     <= copy_q[bank1] && !token1_q[`TPU_TOKEN_COLUMN];
    tap_control_q[`TPU_TAP_2_A_ZERO]   <= a_zero_q[bank1];
    tap_control_q[`TPU_TAP_2_B_ZERO]   <= token1_q[`TPU_TOKEN_COLUMN] ? a_zero_q[bank1] : b_zero_q[bank1];
    tap_control_q[`TPU_TAP_2_REVERSE]  <= reverse_q[bank1];
    tap_control_q[`TPU_TAP_2_MAX]      <= max_q[bank1];
    tap_control_q[`TPU_TAP_3_EN]       <= tap_control_q[`TPU_TAP_2_EN];
    tap_control_q[`TPU_TAP_3_COLUMN]   <= tap_control_q[`TPU_TAP_2_COLUMN];
    tap_control_q[`TPU_TAP_3_TWICE]    <= twice_q[bank2];
    tap_control_q[`TPU_TAP_3_MAX]      <= larger_q[bank2];
    tap_control_q[`TPU_TAP_3_MIN]      <= smaller_q[bank2];
    tap_control_q[`TPU_TAP_4_EN]       <= tap_control_q[`TPU_TAP_3_EN];
    tap_control_q[`TPU_TAP_4_COLUMN]   <= tap_control_q[`TPU_TAP_3_COLUMN];
    tap_control_q[`TPU_TAP_5_EN]       <= tap_control_q[`TPU_TAP_4_EN];
    tap_control_q[`TPU_TAP_5_ADDS]     <= adds_q[bank4];
    tap_control_q[`TPU_TAP_5_SUBTRACT] <= subtract_q[bank4];
    tap_control_q[`TPU_TAP_5_SHIFT]    <= shift_q[bank4];
    tap_control_q[`TPU_TAP_5_WINDOW]   <= token4_q[`TPU_TOKEN_WINDOW];
    tap_control_q[`TPU_TAP_5_MAX]      <= max_q[bank4];
    tap_control_q[`TPU_TAP_6_EN]       <= token5_q[`TPU_TOKEN_TAP];
    tap_control_q[`TPU_TAP_6_INSIDE]   <= token5_q[`TPU_TOKEN_INSIDE];
    tap_control_q[`TPU_TAP_6_MAX]      <= max_q[bank5];
    tap_control_q[`TPU_TAP_7_EN]       <= token6_q[`TPU_TOKEN_TAP];
    tap_control_q[`TPU_TAP_7_FIRST]    <= token6_q[`TPU_TOKEN_FIRST];
    tap_control_q[`TPU_TAP_7_MAX]      <= max_q[bank6];
    b_pop_q <= token1_q[`TPU_TOKEN_COLUMN]
               || (token1_q[`TPU_TOKEN_TAP] && token1_q[`TPU_TOKEN_INSIDE] && token1_q[`TPU_TOKEN_USES_B]);
    if (rst) begin
      b_pop_q <= 1'b0;
    end
  end

  // ---- Turns: stages 8 and 9 ---------------------------------------------------------------------
  // Bit i: of the lanes that share a requantiser, lane i is in stage 8. Beside them the row's bank, and whether it is
  // the instruction's last.
  reg  [REQUANT_LANES-1:0] turns8_q;
  reg  [5:0]               turn8_q;
  reg  [5:0]               turn9_q;
  reg                      bank8_q;
  reg                      final8_q;
  reg                      bank9_q;
  reg                      final9_q;
  wire [REQUANT_LANES-1:0] turns7 = (turns8_q << 1) | {{(REQUANT_LANES-1){1'b0}}, token7_q[`TPU_TOKEN_LAST]};

  assign turn8 = turn8_q;
  assign turn9 = turn9_q;

  always @(posedge clk) begin
    turns8_q <= turns7;
    bank8_q  <= token7_q[`TPU_TOKEN_BANK];
    final8_q <= token7_q[`TPU_TOKEN_FINAL];
    turn8_q  <= token7_q[`TPU_TOKEN_LAST] ? 6'd0 : (turn8_q + 6'd1) & LAST_TURN[5:0];
    turn9_q  <= turn8_q;
    if (turns8_q[0]) begin
      bank9_q  <= bank8_q;
      final9_q <= final8_q;
    end
    if (rst) begin
      turns8_q <= {REQUANT_LANES{1'b0}};
    end
  end

  `TPU_ASSERT(a_rows_keep_apart, !token7_q[`TPU_TOKEN_LAST] || turns7 == 1)

  // ---- Controls of stages 8 to 17 ----------------------------------------------------------------
  reg  [`TPU_ROW_BITS-1:0] row_control_q;
  reg  [17:10]             row_bank_q;
  // Something is in the stage; the last turn of a row; the last one of an instruction.
  wire [16:8]              row_en   = row_control_q[`TPU_ROW_8_TO_16_EN];
  reg  [17:9]              row_done_q;
  reg  [17:10]             done_q;
  wire [17:9]              row_bank = {row_bank_q, bank9_q};

  assign row_control = row_control_q;
  assign row_done    = row_done_q[17];
  assign row_final   = done_q[17];

  always @(posedge clk) begin
    row_control_q[`TPU_ROW_EN]        <= {row_en[16:8], turns7 != 0};
    row_control_q[`TPU_ROW_8_FIRST]   <= token7_q[`TPU_TOKEN_LAST];
    row_bank_q                        <= row_bank[16:9];
    if (turns8_q[0]) begin
      row_control_q[`TPU_ROW_9_NONE]   <= mode_q[bank8_q] == `TPU_VECTOR_REQUANT_NONE;
      row_control_q[`TPU_ROW_9_DOUBLE] <= mode_q[bank8_q] == `TPU_VECTOR_REQUANT_DOUBLE;
      row_control_q[`TPU_ROW_9_DIVIDE] <= mode_q[bank8_q] == `TPU_VECTOR_REQUANT_DIVIDE;
      row_control_q[`TPU_ROW_9_FLOAT]  <= float_q[bank8_q];
    end
    row_control_q[`TPU_ROW_10_TO_14_FLOAT] <= row_control_q[`TPU_ROW_9_TO_13_FLOAT];
    row_control_q[`TPU_ROW_15_DIVIDE] <= mode_q[row_bank[14]] == `TPU_VECTOR_REQUANT_DIVIDE;
    row_control_q[`TPU_ROW_15_ZERO]   <= o_zero_q[row_bank[14]];
    row_control_q[`TPU_ROW_16_LO]     <= lo_q[row_bank[15]];
    row_control_q[`TPU_ROW_16_HI]     <= hi_q[row_bank[15]];
    row_control_q[`TPU_ROW_16_LUT_EN] <= lut_en_q[row_bank[15]];
    row_control_q[`TPU_ROW_16_LUT]    <= lut_q[row_bank[15]];
    row_control_q[`TPU_ROW_17_LUT_EN] <= lut_en_q[row_bank[16]];
  end

  always @(posedge clk) begin
    row_done_q <= {row_done_q[16:9], turns8_q[REQUANT_LANES-1]};
    done_q     <= {done_q[16:10], row_done_q[9] && final9_q};
    if (rst) begin
      row_done_q <= 9'd0;
      done_q     <= 8'd0;
    end
  end

  always @(posedge clk) begin
    if (take) begin
      busy_q[take_bank] <= 1'b1;
    end
    if (done_q[17]) begin
      busy_q[row_bank[17]] <= 1'b0;
    end
    if (rst) begin
      busy_q <= 2'd0;
    end
  end

  assign bank_busy = busy_q;

  wire unused = &{1'b0, cmd, factor[31], token7_q};

endmodule

`default_nettype wire
