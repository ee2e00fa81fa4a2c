// tpu_semaphores: every semaphore counts its posts less its takes, and stays where it is when it is full.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_semaphores (
  input wire        clk,
  input wire        clear,
  input wire [31:0] post_mask,
  input wire [31:0] take_mask
);

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire [31:0] nonzero;
  wire        overflow;

  tpu_semaphores dut (
    .clk       (clk),
    .rst       (rst),
    .clear     (clear),
    .post_mask (post_mask),
    .take_mask (take_mask),
    .nonzero   (nonzero),
    .overflow  (overflow)
  );

  // The scheduler takes only what is there (proof `scheduler`).
  always @* if (!rst) assume ((take_mask & ~nonzero) == 0);

  wire [31:0] up   = post_mask & ~take_mask;
  wire [31:0] down = take_mask & ~post_mask;
  // Bit s: semaphore s is full.
  wire [31:0] full;

  // The registers of the module: equal to what they stand for, which makes the proof inductive.
  (* hierconn *) wire [511:0] \dut.count_q ;
  (* hierconn *) wire [31:0]  \dut.full_q ;

  genvar s;
  generate
    for (s = 0; s < 32; s = s + 1) begin : g_semaphore
      reg [15:0] count_q;
      assign full[s] = count_q == 16'hFFFF;

      always @(posedge clk) begin
        if (rst || clear) begin
          count_q <= 16'd0;
        end else if (up[s] && !full[s]) begin
          count_q <= count_q + 16'd1;
        end else if (down[s]) begin
          count_q <= count_q - 16'd1;
        end
      end

      always @* begin
        if (!rst) begin
          assert (nonzero[s] == (count_q != 16'd0));
          assert (\dut.count_q [16*s +: 16] == count_q);
          assert (\dut.full_q [s] == full[s]);
        end
      end
    end
  endgenerate

  always @* if (!rst) assert (overflow == ((up & full) != 0));

endmodule

`default_nettype wire
