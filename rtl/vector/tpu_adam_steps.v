// Control of the floating-point lanes for ADAM (docs/isa.md, 10.5): what happens to a row in which cycle.
//
// A row's second tap starts its steps. They need the lanes' multiply-adders (stage 5 takes operands, what leaves is there 5 cycles later) and
// function. Cycle 0 is that tap's stage 5, 7 cycles after its issue:
//
//    cycle   step          x            y              z          leaves in   then
//      0     ADD_SQUARE    gradient     gradient       square     5
//      1     DECAY         weight       multiplier q              6           kept
//      2     ADD_MOMENT    moment       moment_factor  gradient   7
//      5     SCALE_SQUARE  what left    square_scale              10          output, kept; function of lane i starts in 11 + 4 i, ends in 40 + 4 i
//      9     SCALE_MOMENT  what left    moment_scale              14          output, kept
//     54     MAKE_ROOT     square kept  root                      59
//     59     SCALE_ROOT    what left    multiplier p   bias p     64          function of lane i starts in 67 + 4 i, ends in 96 + 4 i
//    109     MOVE          moment kept  factor         weight     114         output
//
// Rows are 16 cycles apart, or multiples of 16 (tpu_fvector_issue). Modulo 16 no two steps take operands in one cycle; what a step takes as
// what left the multiply-adder has no other result behind it (in 8 and 9, too); outputs are 4 cycles apart or more, as many as they have lines;
// and functions start in 3, 7, 11 and 15, so that each finds its place free (tpu_float_row).
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_adam_lane.vh"
`include "tpu_isa.vh"

module tpu_adam_steps #(
  // Parameter entries
  parameter PARAM_ROWS = 512,
  // Lanes that share a function
  parameter FLOAT_LANES = 2
) (
  input  wire                          clk,
  input  wire                          rst,

  // An ADAM starts
  input  wire                          take,
  input  wire [`TPU_ADAM_USED-1:0]     cmd,

  // Issued in this cycle: a row's first tap, its second one, that of the last row
  input  wire                          first_tap,
  input  wire                          second_tap,
  input  wire                          final_tap,

  output wire [`TPU_UPDATE_BITS-1:0]   control,

  // Parameter read
  output wire                          param_en,
  output wire [$clog2(PARAM_ROWS)-1:0] param_entry,

  // What leaves the multiply-adders is an output row: sum of squares or moment; weight; weight of the last row
  output wire                          out_kept,
  output wire                          out_weight,
  output wire                          out_final
);

  localparam PW     = $clog2(PARAM_ROWS);
  // Bit i of a row's way is cycle i - ZERO.
  localparam ZERO   = 6;
  localparam LENGTH = ZERO + 114 + 1;

  generate
    if (FLOAT_LANES != 1 && FLOAT_LANES != 2) begin : g_check
      ERROR_tpu_adam_steps_FLOAT_LANES_must_be_1_or_2 check ();
    end
  endgenerate

  reg  [ZERO-1:0]   first_q;
  reg  [LENGTH-1:0] row_q;
  reg  [LENGTH-1:0] final_q;
  reg  [PW-1:0]     entry_q;
  reg  [95:0]       constants_q;
  wire [15:0]       entry = cmd[`TPU_ADAM_PARAM_ROW];

  always @(posedge clk) begin
    if (take) begin
      entry_q     <= entry[PW-1:0];
      constants_q <= {cmd[`TPU_ADAM_MOMENT_SCALE], cmd[`TPU_ADAM_SQUARE_SCALE], cmd[`TPU_ADAM_MOMENT_FACTOR]};
    end
    final_q <= {final_q[LENGTH-2:0], final_tap};
  end

  always @(posedge clk) begin
    first_q <= {first_q[ZERO-2:0], first_tap};
    row_q   <= {row_q[LENGTH-2:0], second_tap};
    if (rst) begin
      first_q <= {ZERO{1'b0}};
      row_q   <= {LENGTH{1'b0}};
    end
  end

  // ---- Parameters --------------------------------------------------------------------------------
  // Multipliers come two cycles after the read: entry q for DECAY, entry p for SCALE_ROOT.
  wire reads_q = row_q[ZERO - 1];
  wire reads_p = row_q[ZERO + 57];

  assign param_en    = reads_q || reads_p;
  assign param_entry = entry_q ^ {{(PW-1){1'b0}}, reads_q};

  // ---- Outputs -----------------------------------------------------------------------------------
  assign out_kept   = row_q[ZERO + 10] || row_q[ZERO + 14];
  assign out_weight = row_q[ZERO + 114];
  assign out_final  = out_weight && final_q[ZERO + 114];

  // ---- Controls, which stand in registers: those of cycle i follow from bit i - 1 ---------------------
  // In order of their numbers
  wire [7:0] steps = {row_q[ZERO + 108], row_q[ZERO + 58], row_q[ZERO + 53], row_q[ZERO + 8],
                      row_q[ZERO + 4], row_q[ZERO + 1], row_q[ZERO], row_q[ZERO - 1]};

  // Cycles in which lane i has its turn: `first`, 4 cycles later with a second lane
  function turn;
    input first;
    input second;
    turn = first || (FLOAT_LANES == 2 && second);
  endfunction

  reg [`TPU_UPDATE_BITS-97:0] control_q;

  assign control = {constants_q, control_q};

  always @(posedge clk) begin
    control_q[`TPU_UPDATE_TAKE]       <= first_q[ZERO - 1];
    control_q[`TPU_UPDATE_EN]         <= steps != 8'd0;
    control_q[`TPU_UPDATE_STEP]       <= {|steps[7:4], steps[7] || steps[6] || steps[3] || steps[2], steps[7] || steps[5] || steps[3] || steps[1]};
    control_q[`TPU_UPDATE_6_TO_9_EN]  <= {control_q[7:5], control_q[`TPU_UPDATE_EN]};
    control_q[`TPU_UPDATE_WEIGHT]     <= row_q[ZERO + 5];
    control_q[`TPU_UPDATE_SQUARE]     <= row_q[ZERO + 9];
    control_q[`TPU_UPDATE_MOMENT]     <= row_q[ZERO + 13];
    control_q[`TPU_UPDATE_HOLD]       <= row_q[ZERO + 9] || row_q[ZERO + 63];
    control_q[`TPU_UPDATE_START]      <= turn(row_q[ZERO + 10] || row_q[ZERO + 66], row_q[ZERO + 14] || row_q[ZERO + 70]);
    control_q[`TPU_UPDATE_RECIPROCAL] <= row_q[ZERO + 66] || row_q[ZERO + 70];
    control_q[`TPU_UPDATE_ROOT]       <= turn(row_q[ZERO + 39], row_q[ZERO + 43]);
    control_q[`TPU_UPDATE_FACTOR]     <= turn(row_q[ZERO + 95], row_q[ZERO + 99]);
    if (rst) begin
      control_q <= {(`TPU_UPDATE_BITS-96){1'b0}};
    end
  end

  wire unused = &{1'b0, cmd, entry, final_q};

endmodule

`default_nettype wire
