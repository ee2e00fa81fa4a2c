// Serial transmitter: 8 data bits, no parity, one stop bit.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_uart_tx #(
  // Clock cycles of a bit, at least 4
  parameter BIT_CYCLES = 60
) (
  input  wire       clk,
  input  wire       rst,

  input  wire       valid,
  output wire       ready,
  input  wire [7:0] data,

  // To a pin
  output wire       tx
);

  localparam CW = $clog2(BIT_CYCLES);
  localparam [31:0] BIT_LAST = BIT_CYCLES - 1;

  // The bit on the wire and those behind it, the lowest first; ones behind the stop bit
  reg [9:0]    shift_q;
  reg [3:0]    left_q;
  reg [CW-1:0] wait_q;

  wire last_cycle = wait_q == {CW{1'b0}};

  // The next byte follows the stop bit without a gap.
  assign ready = left_q == 4'd0 || (left_q == 4'd1 && last_cycle);
  assign tx    = shift_q[0];

  always @(posedge clk) begin
    if (ready) begin
      if (valid) begin
        shift_q <= {1'b1, data, 1'b0};
      end
      left_q <= valid ? 4'd10 : 4'd0;
      wait_q <= BIT_LAST[CW-1:0];
    end else if (!last_cycle) begin
      wait_q <= wait_q - 1'b1;
    end else begin
      shift_q <= {1'b1, shift_q[9:1]};
      left_q  <= left_q - 4'd1;
      wait_q  <= BIT_LAST[CW-1:0];
    end
    if (rst) begin
      shift_q <= 10'h3ff;
      left_q  <= 4'd0;
    end
  end

endmodule

`default_nettype wire
