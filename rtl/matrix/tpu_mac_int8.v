// One processing element of the array: multiplies an int8 activation by an int8 weight and adds a partial sum.
//
//                   p_in    w_in
//                     │       │ shift
//                     │       ▼
//                     │     shadow ── swap ──▶ weight
//   a_in ──▶ a ──┬──▶ × + ◀───┼─────────────────┘
//                ▼    │       ▼
//              a_out p_out  w_out
//
// Activations, and with them `shift`, move right by one column a cycle. Partial sums move down by one row in LATENCY cycles: p_out is
// p_in + a * weight of LATENCY cycles ago. Weights move down through the shadow registers, while `shift` says so, and reach the next
// row's in LATENCY cycles.
//
// A swap comes together with the first activation that uses the new weight, so a change of tiles costs no cycle. The shadow register
// can take a weight of the next tile from the cycle of the swap on. (Two registers chosen by a select bit have the same timing, but
// put a multiplexer in front of every multiplier.)
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_mac_int8 #(
  // Bits of a partial sum
  parameter PSUM_BITS = 20,
  // Cycles from operands to sum: 1, or 2 with a register behind the multiplier
  parameter LATENCY = 1
) (
  input  wire                        clk,
  input  wire                        rst,

  input  wire                        swap,
  // Right, one column a cycle
  input  wire                        shift_in,
  output wire                        shift_out,
  input  wire signed [7:0]           a_in,
  output wire signed [7:0]           a_out,
  // Down, one row in LATENCY cycles
  input  wire signed [7:0]           w_in,
  output wire signed [7:0]           w_out,
  input  wire signed [PSUM_BITS-1:0] p_in,
  output wire signed [PSUM_BITS-1:0] p_out
);

  generate
    if (LATENCY != 1 && LATENCY != 2) begin : g_check_latency
      ERROR_tpu_mac_int8_LATENCY_must_be_1_or_2 check ();
    end
  endgenerate

  reg                        shift_q;
  reg signed [7:0]           a_q;
  reg signed [7:0]           shadow_q;
  reg signed [7:0]           weight_q;
  reg signed [PSUM_BITS-1:0] p_q;

  assign shift_out = shift_q;
  assign a_out     = a_q;
  assign p_out     = p_q;

  always @(posedge clk) begin
    shift_q <= shift_in;
    a_q     <= a_in;
    if (shift_in) begin
      shadow_q <= w_in;
    end
    if (swap) begin
      weight_q <= shadow_q;
    end
    if (rst) begin
      shift_q <= 1'b0;
    end
  end

  generate
    if (LATENCY == 1) begin : g_one_cycle
      assign w_out = shadow_q;

      always @(posedge clk) begin
        p_q <= p_in + a_q * weight_q;
      end
    end else begin : g_two_cycles
      reg signed [7:0]           w_q;
      reg signed [PSUM_BITS-1:0] p_before_q;
      reg signed [15:0]          product_q;

      assign w_out = w_q;

      always @(posedge clk) begin
        w_q        <= shadow_q;
        product_q  <= a_q * weight_q;
        p_before_q <= p_in;
        p_q        <= p_before_q + {{(PSUM_BITS-16){product_q[15]}}, product_q};
      end
    end
  endgenerate

endmodule

`default_nettype wire
