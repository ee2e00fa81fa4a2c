// Lanes of the vector unit with what they share: controls, parameter memory. Stages of a tap or column, a cycle each; nothing stalls:
//
//   -1  issue: port granted, B's row claimed                              tpu_vector_issue, tpu_vector_operand
//    0  address at the memory's bank
//    1  memory's bank register
//    2  read data valid: zero points                                      tpu_lane_map; window: tpu_lane_window
//    3  factor * b                                                        window: nine products
//    4  correction                                                        window: sums of columns
//    5  right shift                                                       window: result
//    6  + a, rounding
//    7  reduce
//    -- from here once per window, in the cycles after its last tap; REQUANT_LANES lanes take turns --
//    8  sums wait, biases are read                                        tpu_lane_int8, tpu_param_memory
//    9  bias; multipliers and shifts are read                             tpu_requantize
//   10  bits lost to a left shift; float32: normalised
//   11  partial products; float32: of 24 bits, rounded
//   12  product
//   13  correction, right shift by sixteens; float32: 24 bits of the product, rounded
//   14  right shift
//   15  rounding, zero point
//   16  clamp, lookup table read                                          tpu_lane_int8
//   17  byte after the table
//   18  vo_wr_valid, or REQUANT_LANES - 1 cycles later                    tpu_vector_output
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"
`include "tpu_lane_control.vh"
`include "tpu_vector_token.vh"

module tpu_vector_lanes #(
  // Lanes
  parameter LANES = 16,
  // Parameter entries
  parameter PARAM_ROWS = 512,
  // 1: with the 3 x 3 window
  parameter WINDOW = 1,
  // Lanes that share a requantiser, a power of two that divides LANES
  parameter REQUANT_LANES = 1,
  // 1: the lanes of FVECTOR or IVECTOR read parameters, too, never in the same cycle
  parameter SHARED = 0,
  // 1: a requantiser rounds as float32, too
  parameter FLOAT_ROUNDING = 0
) (
  input  wire                          clk,
  input  wire                          rst,

  // An instruction starts and takes configuration bank `take_bank`
  input  wire                          take,
  input  wire                          take_bank,
  input  wire [`TPU_VECTOR_USED-1:0]   cmd,
  output wire [1:0]                    bank_busy,

  // Tap or column issued in this cycle, stage 0, with its parameter entry
  input  wire [`TPU_TOKEN_BITS-1:0]    token,
  input  wire [$clog2(PARAM_ROWS)-1:0] token_param,

  // Operands of the tap or column issued three cycles before
  input  wire [8*LANES-1:0]                a_bytes,
  input  wire [32*LANES-1:0]               a_words,
  input  wire [8*LANES-1:0]                b_bytes,
  input  wire                          b_present,
  output wire                          b_pop,
  input  wire [8*LANES-1:0]                c_bytes,
  input  wire                          c_present,
  output wire                          c_pop,

  // Output row; the last one of its instruction
  output wire                          out_valid,
  output wire                          out_final,
  output wire [8*LANES-1:0]                out_bytes,

  // Parameters of the other lanes: biases in the cycle after `other_en`, multipliers and shifts one cycle later, until the next read
  input  wire                          other_en,
  input  wire [$clog2(PARAM_ROWS)-1:0] other_entry,
  output wire [32*LANES-1:0]           other_biases,
  output wire [32*LANES-1:0]           other_multipliers,
  output wire [8*LANES-1:0]            other_shifts,

  // Parameter and lookup table writes
  input  wire                          param_wr_valid,
  input  wire [$clog2(PARAM_ROWS)-1:0] param_wr_entry,
  input  wire [3:0]                    param_wr_chunk,
  input  wire [8*LANES-1:0]                param_wr_data,
  input  wire                          lut_wr_valid,
  input  wire [10:0]                   lut_wr_addr,
  input  wire [7:0]                    lut_wr_data
);

  localparam PW     = $clog2(PARAM_ROWS);
  localparam GROUPS = LANES / REQUANT_LANES;

  generate
    if (REQUANT_LANES < 1 || GROUPS * REQUANT_LANES != LANES || (REQUANT_LANES & (REQUANT_LANES - 1)) != 0) begin : g_check
      ERROR_tpu_vector_lanes_REQUANT_LANES_must_be_a_power_of_two_that_divides_LANES check ();
    end
  endgenerate

  // ---- Controls --------------------------------------------------------------------------------
  wire [2:0]               present;
  wire [`TPU_TAP_BITS-1:0] tap_control;
  wire [`TPU_ROW_BITS-1:0] row_control;
  wire                     param_en;
  wire [PW-1:0]            param_entry;
  wire [5:0]               turn8;
  wire [5:0]               turn9;

  tpu_vector_pipe #(
    .PARAM_ROWS     (PARAM_ROWS),
    .REQUANT_LANES  (REQUANT_LANES),
    .FLOAT_ROUNDING (FLOAT_ROUNDING)
  ) u_pipe (
    .clk           (clk),
    .rst           (rst),
    .take          (take),
    .take_bank     (take_bank),
    .cmd           (cmd),
    .bank_busy     (bank_busy),
    .token         (token),
    .token_param   (token_param),
    .b_pop         (b_pop),
    .c_pop         (c_pop),
    .b_present     (b_present),
    .c_present     (c_present),
    .present       (present),
    .tap_control   (tap_control),
    .row_control   (row_control),
    .param_en      (param_en),
    .param_entry   (param_entry),
    .turn8         (turn8),
    .turn9         (turn9),
    .row_done      (out_valid),
    .row_final     (out_final)
  );

  // ---- Parameters ------------------------------------------------------------------------------
  wire [32*LANES-1:0] biases;
  wire [32*LANES-1:0] multipliers;
  wire [8*LANES-1:0]  shifts;
  wire                others = SHARED != 0 && other_en;

  assign other_biases      = biases;
  assign other_multipliers = multipliers;
  assign other_shifts      = shifts;

  tpu_param_memory #(
    .LANES      (LANES),
    .PARAM_ROWS (PARAM_ROWS)
  ) u_params (
    .clk         (clk),
    .wr_valid    (param_wr_valid),
    .wr_entry    (param_wr_entry),
    .wr_chunk    (param_wr_chunk),
    .wr_data     (param_wr_data),
    .rd_en       (param_en || others),
    .rd_entry    (others ? other_entry : param_entry),
    .biases      (biases),
    .multipliers (multipliers),
    .shifts      (shifts)
  );

  // ---- Lanes -----------------------------------------------------------------------------------
  wire [GROUPS-1:0] unused_group;

  genvar i;
  generate
    for (i = 0; i < GROUPS; i = i + 1) begin : g_group
      // Parameters of the lane whose turn it is.
      wire [32*REQUANT_LANES-1:0] biases8      = biases[32*REQUANT_LANES*i +: 32*REQUANT_LANES] >> {turn8, 5'd0};
      wire [32*REQUANT_LANES-1:0] multipliers9 = multipliers[32*REQUANT_LANES*i +: 32*REQUANT_LANES] >> {turn9, 5'd0};
      wire [8*REQUANT_LANES-1:0]  shifts9      = shifts[8*REQUANT_LANES*i +: 8*REQUANT_LANES] >> {turn9, 3'd0};

      // Multipliers are not negative, shifts have 6 bits.
      assign unused_group[i] = &{1'b0, biases8, multipliers9, shifts9};

      tpu_lane_int8 #(
        .LANES          (REQUANT_LANES),
        .WINDOW         (WINDOW),
        .FLOAT_ROUNDING (FLOAT_ROUNDING)
      ) u_lanes (
        .clk          (clk),
        .tap          (tap_control),
        .present      (present),
        .row          (row_control),
        .a_bytes      (a_bytes[8*REQUANT_LANES*i +: 8*REQUANT_LANES]),
        .a_words      (a_words[32*REQUANT_LANES*i +: 32*REQUANT_LANES]),
        .b_bytes      (b_bytes[8*REQUANT_LANES*i +: 8*REQUANT_LANES]),
        .c_bytes      (c_bytes[8*REQUANT_LANES*i +: 8*REQUANT_LANES]),
        .bias         (biases8[31:0]),
        .multiplier   (multipliers9[30:0]),
        .shift        (shifts9[5:0]),
        .bytes        (out_bytes[8*REQUANT_LANES*i +: 8*REQUANT_LANES]),
        .lut_wr_valid (lut_wr_valid),
        .lut_wr_addr  (lut_wr_addr),
        .lut_wr_data  (lut_wr_data)
      );
    end
  endgenerate

  wire unused = &{1'b0, unused_group, other_en, other_entry};

endmodule

`default_nettype wire
