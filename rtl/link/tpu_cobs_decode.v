// Takes consistent overhead byte stuffing off: bytes of the wire to bytes of frames.
//
// On the wire a frame ends with a zero and has no other. Its bytes stand in blocks: a block's first byte says how many bytes, with itself,
// the block has; a zero, which is left out, follows each block but one of 255 and the last. out_end comes in the cycle of a frame's zero;
// out_good with it, if the frame's last block is complete. Zeros alone are no frames.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_cobs_decode (
  input  wire       clk,
  input  wire       rst,

  input  wire       in_valid,
  output wire       in_ready,
  input  wire [7:0] in_data,

  // A byte of a frame, or its end
  output wire       out_valid,
  output wire [7:0] out_data,
  output wire       out_end,
  output wire       out_good,
  // Takes what stands at the input
  input  wire       out_ready
);

  // A frame has begun
  reg       begun_q;
  // Bytes of the block still to come
  reg [7:0] left_q;
  // A zero follows the block, unless the frame ends there
  reg       zero_q;

  wire take    = in_valid && in_ready;
  wire is_zero = in_data == 8'd0;
  wire is_code = left_q == 8'd0;

  assign in_ready  = out_ready;
  assign out_valid = take && !is_zero && (!is_code || zero_q);
  assign out_data  = is_code ? 8'd0 : in_data;
  assign out_end   = take && is_zero && begun_q;
  assign out_good  = is_code;

  always @(posedge clk) begin
    if (take) begin
      begun_q <= !is_zero;
      if (is_zero) begin
        left_q <= 8'd0;
        zero_q <= 1'b0;
      end else if (is_code) begin
        left_q <= in_data - 8'd1;
        zero_q <= in_data != 8'hff;
      end else begin
        left_q <= left_q - 8'd1;
      end
    end
    if (rst) begin
      begun_q <= 1'b0;
      left_q  <= 8'd0;
      zero_q  <= 1'b0;
    end
  end

endmodule

`default_nettype wire
