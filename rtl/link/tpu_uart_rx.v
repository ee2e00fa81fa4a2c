// Serial receiver: 8 data bits, no parity, one stop bit.
//
// A bit is sampled in its middle. A byte whose stop bit is low is dropped, and so is a start bit that is high again in its middle.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_uart_rx #(
  // Clock cycles of a bit, at least 4
  parameter BIT_CYCLES = 60
) (
  input  wire       clk,
  input  wire       rst,

  // From a pin, of no clock
  input  wire       rx,

  // One cycle for each byte
  output reg        valid,
  output reg  [7:0] data
);

  localparam CW = $clog2(BIT_CYCLES);
  localparam [31:0] BIT_LAST  = BIT_CYCLES - 1;
  localparam [31:0] HALF_LAST = BIT_CYCLES / 2 - 1;

  generate
    if (BIT_CYCLES < 4) begin : g_check_bit_cycles
      ERROR_tpu_uart_rx_BIT_CYCLES_must_be_at_least_4 check ();
    end
  endgenerate

  reg [2:0]    rx_q;
  reg          busy_q;
  // Cycles until the next sample
  reg [CW-1:0] wait_q;
  // Bits still to come: start, data, stop
  reg [3:0]    left_q;
  reg [7:0]    shift_q;

  wire level  = rx_q[1];
  wire falls  = rx_q[2] && !rx_q[1];
  wire sample = busy_q && wait_q == {CW{1'b0}};

  always @(posedge clk) begin
    rx_q  <= {rx_q[1:0], rx};
    valid <= 1'b0;
    if (!busy_q) begin
      busy_q <= falls;
      wait_q <= HALF_LAST[CW-1:0];
      left_q <= 4'd9;
    end else if (!sample) begin
      wait_q <= wait_q - 1'b1;
    end else begin
      wait_q  <= BIT_LAST[CW-1:0];
      left_q  <= left_q - 4'd1;
      shift_q <= {level, shift_q[7:1]};
      if (left_q == 4'd9) begin
        busy_q <= !level;
      end else if (left_q == 4'd0) begin
        busy_q <= 1'b0;
        valid  <= level;
        data   <= shift_q;
      end
    end
    if (rst) begin
      rx_q   <= 3'b111;
      busy_q <= 1'b0;
      valid  <= 1'b0;
    end
  end

endmodule

`default_nettype wire
