// Element for proofs of tpu_array around it: outputs are anything at any time.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_mac_bf16 #(
  parameter PSUM_BITS = 20
) (
  input  wire        clk,
  input  wire        rst,

  input  wire        swap,
  input  wire        float_en,
  input  wire        weights_en,
  input  wire        shift_in,
  output wire        shift_out,
  input  wire [8:0]  a_in,
  output wire [8:0]  a_out,
  input  wire [8:0]  scale_in,
  output wire [8:0]  scale_out,
  input  wire [15:0] w_in,
  output wire [15:0] w_out,
  input  wire [31:0] p_in,
  output wire [31:0] p_out
);

  (* anyseq *) wire any_shift_out;
  (* anyseq *) wire [8:0] any_a_out;
  (* anyseq *) wire [8:0] any_scale_out;
  (* anyseq *) wire [15:0] any_w_out;
  (* anyseq *) wire [31:0] any_p_out;

  assign {shift_out, a_out, scale_out, w_out, p_out} = {any_shift_out, any_a_out, any_scale_out, any_w_out, any_p_out};

endmodule

`default_nettype wire
