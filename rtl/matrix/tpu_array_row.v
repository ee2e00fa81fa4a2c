// One row of the systolic array: operand registers and multiply-accumulators of N columns.
//
//   a_in ──▶ a[0] ──▶ a[1] ──▶ ... ──▶ a[N-1]          one column per cycle
//   load_in, swap_in move right with them
//
//             w_in[c]
//                │ load[c]: the weight passing by is the column's own; it is kept
//                ├────────▶ shadow[c] ── swap[c] ──▶ w[c]   used by the multiplier from the next cycle on
//                ▼
//             w_out[c], one cycle later
//
//   p_out[c] <= p_in[c] + a[c] * w[c]       int8 operands, PSUM_WIDTH-bit partial sums
//
// A swap enters one cycle ahead of the first activation that uses the new weights, so a change of tiles costs no
// cycle, and the shadow register can take the next tile's weight from the cycle of the swap on. (Two registers chosen by a
// select bit have the same timing, but put a multiplexer in front of every multiplier.)
//
// Order of the bytes in w_in, w_out and in the registers: column c is byte c / (N/4) of the 32-bit word c % (N/4), so
// neighbouring columns have the same place in neighbouring words. To hardware it is a matter of names. A simulation moves
// whole words when columns move, and computes as many columns at once as the host's vector instructions hold words.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_array_row #(
  // Columns
  parameter N = 16,
  // Bits of a partial sum: 16 + log2(N)
  parameter PSUM_WIDTH = 20
) (
  input  wire            clk,
  input  wire            rst,

  // From the row's skew registers
  input  wire [7:0]      a_in,
  input  wire            swap_in,
  input  wire            load_in,

  // Weights, in the order above
  input  wire [8*N-1:0]  w_in,
  output reg  [8*N-1:0]  w_out,

  // Partial sums, column c in word c, above PSUM_WIDTH bits zero
  input  wire [32*N-1:0] p_in,
  output reg  [32*N-1:0] p_out
);

  localparam WORDS = N / 4;

  reg  [8*N-1:0] a_q;
  reg  [N-1:0]   swap_q;
  reg  [N-1:0]   load_q;
  reg  [8*N-1:0] shadow_q;
  reg  [8*N-1:0] w_q;

  // Column 0 has no registers here: a_q[7:0], swap_q[0] and load_q[0] are zero.
  wire [8*N-1:0] a    = {a_q[8*N-1:8], a_in};
  wire [N-1:0]   swap = {swap_q[N-1:1], swap_in};
  wire [N-1:0]   load = {load_q[N-1:1], load_in};

  // The operands moved right by one column: each word by one place, the last word by a byte into the first.
  wire [8*N+31:0] a_moved = {a, a[8*N-9 -: 24], 8'd0};

  // The sum is written in 32 bits because Verilator extends operands to the width of the expression, which costs nothing at a
  // machine word's width.
  reg [31:PSUM_WIDTH] unused_q;

  integer j;
  integer k;
  always @(posedge clk) begin
    for (k = 0; k < 4; k = k + 1) begin
      for (j = 0; j < WORDS; j = j + 1) begin
        {unused_q, p_out[32*(WORDS*k+j) +: PSUM_WIDTH]} <=
          $signed(p_in[32*(WORDS*k+j) +: 32]) + $signed(a[32*j+8*k +: 8]) * $signed(w_q[32*j+8*k +: 8]);
        p_out[32*(WORDS*k+j)+PSUM_WIDTH +: 32-PSUM_WIDTH] <= {(32-PSUM_WIDTH){1'b0}};
      end
    end
    a_q    <= a_moved[8*N-1:0];
    swap_q <= {swap[N-2:0], 1'b0};
    load_q <= {load[N-2:0], 1'b0};
    w_out  <= w_in;
    if (|swap) begin
      for (k = 0; k < 4; k = k + 1) begin
        if (|swap[WORDS*k +: WORDS]) begin
          for (j = 0; j < WORDS; j = j + 1) begin
            if (swap[WORDS*k+j]) begin
              w_q[32*j+8*k +: 8] <= shadow_q[32*j+8*k +: 8];
            end
          end
        end
      end
    end
    if (|load) begin
      for (k = 0; k < 4; k = k + 1) begin
        if (|load[WORDS*k +: WORDS]) begin
          for (j = 0; j < WORDS; j = j + 1) begin
            if (load[WORDS*k+j]) begin
              shadow_q[32*j+8*k +: 8] <= w_in[32*j+8*k +: 8];
            end
          end
        end
      end
    end
    if (rst) begin
      swap_q <= {N{1'b0}};
      load_q <= {N{1'b0}};
    end
  end

  wire unused = &{1'b0, a_moved[8*N+31:8*N], a_q[7:0], swap_q[0], load_q[0]};

endmodule

`default_nettype wire
