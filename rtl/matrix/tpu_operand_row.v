// Operand registers of one array row: activations move right, weights pass down, one weight per element stays.
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
// A swap enters one cycle ahead of the first activation that uses the new weights, so a change of tiles costs no
// cycle, and the shadow register can take the next tile's weight from the cycle of the swap on. (Two registers chosen by a
// select bit have the same timing, but put a multiplexer in front of every multiplier.)
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_operand_row #(
  // Columns
  parameter N = 16
) (
  input  wire           clk,
  input  wire           rst,

  // From the row's skew registers
  input  wire [7:0]     a_in,
  input  wire           swap_in,
  input  wire           load_in,

  // Weights, column c in byte c
  input  wire [8*N-1:0] w_in,
  output reg  [8*N-1:0] w_out,

  // Operands of column c in byte c
  output wire [8*N-1:0] a,
  output reg  [8*N-1:0] w
);

  reg  [8*N-1:8] a_q;
  reg  [N-1:1]   swap_q;
  reg  [N-1:1]   load_q;
  reg  [8*N-1:0] shadow_q;

  wire [N-1:0]   swap = {swap_q, swap_in};
  wire [N-1:0]   load = {load_q, load_in};

  assign a = {a_q, a_in};

  integer c;
  always @(posedge clk) begin
    a_q    <= a[8*N-9:0];
    swap_q <= swap[N-2:0];
    load_q <= load[N-2:0];
    w_out  <= w_in;
    if (|swap) begin
      for (c = 0; c < N; c = c + 1) begin
        if (swap[c]) begin
          w[8*c +: 8] <= shadow_q[8*c +: 8];
        end
      end
    end
    if (|load) begin
      for (c = 0; c < N; c = c + 1) begin
        if (load[c]) begin
          shadow_q[8*c +: 8] <= w_in[8*c +: 8];
        end
      end
    end
    if (rst) begin
      swap_q <= {(N-1){1'b0}};
      load_q <= {(N-1){1'b0}};
    end
  end

endmodule

`default_nettype wire
