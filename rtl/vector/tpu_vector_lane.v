// One lane of the vector unit: map, reduce, requantise, zero point, clamp, lookup.
//
// With tpu_vector_window and tpu_requantize the only module of the unit that knows the number format. Stages are numbered from the cycle in which the tap is issued (see
// tpu_vector); c<n>_* are the controls of what is in stage n, the same for all lanes and given by tpu_vector_pipe.
//
//   2  subtract zero points          7  reduce                         2-5  3 x 3 window (tpu_vector_window) instead of 2-5
//   3  b times its multiplier        8-14  requantise (tpu_requantize)
//   4  first rounding of P(b)       15  output zero point, saturate
//   5  second rounding of P(b)      16  clamp, read the lookup table
//   6  map                          17  `y`, valid
//
// b is multiplied by pre_mult for add, sub and rsub, by a for mul and by 1 for max and min.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module tpu_vector_lane (
  input  wire        clk,

  // Stage 2: operands
  input  wire        c2_en,
  input  wire        c2_en_b,
  input  wire        c2_acc,
  input  wire        c2_mul,
  input  wire        c2_raw,
  input  wire [7:0]  c2_a_zero,
  input  wire [7:0]  c2_b_zero,
  input  wire [30:0] c2_pre_mult,
  input  wire [7:0]  a_byte,
  input  wire [31:0] a_word,
  input  wire [7:0]  b_byte,

  // Stages 2 to 6: 3 x 3 window, whose middle row is b_byte and lower row c_byte
  input  wire        c2_column,
  input  wire        c2_weight,
  input  wire        c2_max,
  input  wire [2:0]  c2_present,
  input  wire [7:0]  c_byte,
  input  wire        c3_sum,
  input  wire        c3_column,
  input  wire        c4_sum,
  input  wire        c4_max,
  input  wire        c5_sum,
  input  wire        c5_max,
  input  wire        c6_window,

  // Stages 3 to 6: map
  input  wire        c3_en,
  input  wire        c3_en_b,
  input  wire        c4_en,
  input  wire        c4_en_b,
  input  wire        c4_raw,
  input  wire        c4_round,
  input  wire        c5_en,
  input  wire        c5_en_b,
  input  wire        c5_double,
  input  wire [4:0]  c5_shift,
  input  wire        c6_en,
  input  wire [2:0]  c6_map,

  // Stage 7: reduce
  input  wire        c7_en,
  input  wire        c7_inside,
  input  wire        c7_first,
  input  wire        c7_max,

  // Stages 8 to 14: requantise
  input  wire [15:8] row_en,
  input  wire [1:0]  c8_mode,
  input  wire [1:0]  c9_mode,
  input  wire [1:0]  c12_mode,
  input  wire [1:0]  c13_mode,
  input  wire [31:0] bias,
  input  wire [30:0] multiplier,
  input  wire [5:0]  shift,

  // Stages 15 to 17: output
  input  wire [7:0]  c15_o_zero,
  input  wire        c16_en,
  input  wire        c16_lut_en,
  input  wire [2:0]  c16_lut,
  input  wire [7:0]  c16_lo,
  input  wire [7:0]  c16_hi,
  input  wire        c17_lut_en,
  output wire [7:0]  y,

  // Lookup table write
  input  wire        lut_wr_valid,
  input  wire [10:0] lut_wr_addr,
  input  wire [7:0]  lut_wr_data
);

  // What several bits of a result depend on stands in functions: called under an enable, they cost a simulation nothing while
  // the stage is empty.

  // Stage 2: zero points, and what b is multiplied by.
  function [31:0] centred;
    input signed [7:0] value;
    input signed [7:0] zero;
    centred = {{24{value[7]}}, value} - {{24{zero[7]}}, zero};
  endfunction

  reg  [31:0] a3_q;
  reg  [8:0]  b3_q;
  reg  [31:0] factor3_q;

  always @(posedge clk) begin
    if (c2_en) begin
      a3_q <= c2_acc ? a_word : centred(a_byte, c2_a_zero);
    end
    if (c2_en_b) begin
      b3_q      <= {b_byte[7], b_byte} - {c2_b_zero[7], c2_b_zero};
      factor3_q <= c2_mul ? centred(a_byte, c2_a_zero) : c2_raw ? 32'd1 : {1'b0, c2_pre_mult};
    end
  end

  // Stage 3: product.
  wire signed [40:0] b_3      = {{32{b3_q[8]}}, b3_q};
  wire signed [40:0] factor_3 = {{9{factor3_q[31]}}, factor3_q};
  reg  signed [40:0] product4_q;
  reg         [31:0] a4_q;

  always @(posedge clk) begin
    if (c3_en) begin
      a4_q <= a3_q;
    end
    if (c3_en_b) begin
      product4_q <= b_3 * factor_3;
    end
  end

  // Stage 4: P(b) = b * 2^20 * pre_mult / 2^31: 11 bits fall away.
  wire [31:0] scaled_4 = {{2{product4_q[40]}}, product4_q[40:11]} + {31'd0, c4_round && product4_q[10]};
  reg  [31:0] b5_q;
  reg  [31:0] a5_q;

  always @(posedge clk) begin
    if (c4_en) begin
      a5_q <= a4_q;
    end
    if (c4_en_b) begin
      b5_q <= c4_raw ? product4_q[31:0] : scaled_4;
    end
  end

  // Stage 5: rounding right shift; double rounding sends negative ties down.
  wire [31:0] unit_5 = 32'd1 << c5_shift;

  function [31:0] rounded;
    input        [31:0] value;
    input        [4:0]  right;
    input        [30:0] half;
    input               down;
    reg   signed [31:0] sum;
    begin
      sum     = value + {1'b0, half} - {31'd0, down};
      rounded = sum >>> right;
    end
  endfunction

  reg  signed [31:0] b6_q;
  reg  signed [31:0] a6_q;

  always @(posedge clk) begin
    if (c5_en) begin
      a6_q <= a5_q;
    end
    if (c5_en_b) begin
      b6_q <= rounded(b5_q, c5_shift, unit_5[31:1], c5_double && b5_q[31] && !unit_5[0]);
    end
  end

  // Stages 2 to 5 of a window.
  wire [31:0] window_6;

  tpu_vector_window u_window (
    .clk        (clk),
    .c2_column  (c2_column),
    .c2_weight  (c2_weight),
    .c2_max     (c2_max),
    .c2_zero    (c2_a_zero),
    .c2_present (c2_present),
    .c2_byte0   (a_byte),
    .c2_byte1   (b_byte),
    .c2_byte2   (c_byte),
    .c3_sum     (c3_sum),
    .c3_column  (c3_column),
    .c4_sum     (c4_sum),
    .c4_max     (c4_max),
    .c5_sum     (c5_sum),
    .c5_max     (c5_max),
    .result     (window_6)
  );

  // Stage 6: map.
  reg signed [31:0] mapped7_q;

  always @(posedge clk) begin
    if (c6_window) begin
      mapped7_q <= window_6;
    end else if (c6_en) begin
      case (c6_map)
        `TPU_VECTOR_MAP_ADD:  mapped7_q <= {a6_q[12:0], 19'd0} + b6_q;
        `TPU_VECTOR_MAP_SUB:  mapped7_q <= {a6_q[12:0], 19'd0} - b6_q;
        `TPU_VECTOR_MAP_RSUB: mapped7_q <= b6_q - {a6_q[12:0], 19'd0};
        `TPU_VECTOR_MAP_MUL:  mapped7_q <= b6_q;
        `TPU_VECTOR_MAP_MAX:  mapped7_q <= a6_q > b6_q ? a6_q : b6_q;
        `TPU_VECTOR_MAP_MIN:  mapped7_q <= a6_q < b6_q ? a6_q : b6_q;
        default:              mapped7_q <= a6_q;
      endcase
    end
  end

  // Stage 7: reduce. A tap out of bounds is the identity, and so is what lies before the first tap.
  reg  signed [31:0] reduced8_q;
  wire signed [31:0] so_far = c7_first ? {c7_max, 31'd0} : reduced8_q;

  always @(posedge clk) begin
    if (c7_en) begin
      reduced8_q <= !c7_inside ? so_far : !c7_max ? so_far + mapped7_q : mapped7_q > so_far ? mapped7_q : so_far;
    end
  end

  // Stages 8 to 14.
  wire [31:0] quantised_15;

  tpu_requantize u_requantize (
    .clk        (clk),
    .en         (row_en[14:8]),
    .mode_0     (c8_mode),
    .mode_1     (c9_mode),
    .mode_4     (c12_mode),
    .mode_5     (c13_mode),
    .value      (reduced8_q),
    .bias       (bias),
    .multiplier (multiplier),
    .shift      (shift),
    .result     (quantised_15)
  );

  // Stage 15: zero point, saturation to a byte.
  function [7:0] saturated;
    input [31:0] value;
    saturated = value[31:7] == {25{value[31]}} ? value[7:0] : {value[31], {7{!value[31]}}};
  endfunction

  reg signed [7:0] y16_q;

  always @(posedge clk) begin
    if (row_en[15]) begin
      y16_q <= saturated(quantised_15 + {{24{c15_o_zero[7]}}, c15_o_zero});
    end
  end

  // Stage 16: clamp. The upper bound wins when the bounds cross.
  wire signed [7:0] lo_16 = c16_lo;
  wire signed [7:0] hi_16 = c16_hi;
  reg         [7:0] y17_q;
  wire        [7:0] looked_up_17;

  always @(posedge clk) begin
    if (c16_en) begin
      y17_q <= (lo_16 > hi_16 || y16_q > hi_16) ? hi_16 : y16_q > lo_16 ? y16_q : lo_16;
    end
  end

  tpu_ram_1r1w #(
    .WIDTH (8),
    .DEPTH (2048)
  ) u_lut (
    .clk     (clk),
    .wr_en   (lut_wr_valid),
    .wr_addr (lut_wr_addr),
    .wr_data (lut_wr_data),
    .rd_en   (c16_lut_en),
    .rd_addr ({c16_lut, (lo_16 > hi_16 || y16_q > hi_16) ? hi_16 : y16_q > lo_16 ? y16_q : lo_16}),
    .rd_data (looked_up_17)
  );

  // Stage 17.
  assign y = c17_lut_en ? looked_up_17 : y17_q;

endmodule

`default_nettype wire
