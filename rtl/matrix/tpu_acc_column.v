// Accumulators of one array column: two halves of ACC_ROWS / 2 rows of 32 bits.
//
//   cycle   t: rd_* names the row whose partial sum is `psum` in cycle t+2; the row is read
//         t+1: sel_*: the addend is chosen: the row, or a sum that the row was given too late for the read
//         t+2: sum = psum + addend
//     t+1+LATENCY: wr_*: the sum is written at the end of the cycle
//
// One read-modify-write per cycle. With LATENCY 1 rows may come in any order: `sel_before` says that the addend is the sum of two rows
// ago (written while the row was read), `add_before` the sum of the row before (written after the row was read). With a larger LATENCY
// nothing is forwarded, so the same row must not come again within LATENCY + 1 cycles.
//
// With BF16 a sum is one of int32 or of fp32 numbers, as `bf16_in` says in cycle t+2 (tpu_acc_add_float has that timing).
//
// The half that is not being accumulated into can be drained: drain_data appears two cycles after drain_lo or drain_hi, if
// `drain_take` and `drain_half` follow one cycle after them.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_acc_column #(
  // Accumulator rows, both halves
  parameter ACC_ROWS = 2048,
  // Bits of a partial sum
  parameter PSUM_BITS = 20,
  // Cycles of an addition, 3 with BF16
  parameter LATENCY = 1,
  // fp32, too: psum is a number of 32 bits, or an int32 partial sum in its lowest PSUM_BITS bits
  parameter BF16 = 0
) (
  input  wire                        clk,

  input  wire                        rd_lo,
  input  wire                        rd_hi,
  input  wire [$clog2(ACC_ROWS)-2:0] rd_row,

  // The addend is zero, or the sum of two rows ago, or else the row in the half that was read
  input  wire                        sel_zero,
  input  wire                        sel_before,
  input  wire                        sel_half,

  // The addend is the sum of the row before
  input  wire                        add_before,
  input  wire [(BF16 != 0 ? 32 : PSUM_BITS)-1:0] psum,
  // Cycle t+2: fp32; right, one column a cycle. fp32 in some column, in this cycle or the one before
  input  wire                        bf16_in,
  output wire                        bf16_out,
  input  wire                        float_en,

  input  wire                        wr_lo,
  input  wire                        wr_hi,
  input  wire [$clog2(ACC_ROWS)-2:0] wr_row,

  // Drain; never in the half that is read for accumulation
  input  wire                        drain_lo,
  input  wire                        drain_hi,
  input  wire [$clog2(ACC_ROWS)-2:0] drain_row,
  input  wire                        drain_take,
  input  wire                        drain_half,
  output wire [31:0]                 drain_data
);

  generate
    if (BF16 != 0 && (BF16 != 1 || LATENCY != 3)) begin : g_check_bf16
      ERROR_tpu_acc_column_BF16_must_be_0_or_1_and_1_needs_LATENCY_3 check ();
    end
  endgenerate

  wire [31:0] data_lo;
  wire [31:0] data_hi;
  wire [31:0] sum;
  reg  [31:0] addend_q;
  reg  [31:0] drain_q;

  assign drain_data = drain_q;

  tpu_ram_1r1w #(
    .WIDTH (32),
    .DEPTH (ACC_ROWS / 2)
  ) u_half_lo (
    .clk     (clk),
    .wr_en   (wr_lo),
    .wr_addr (wr_row),
    .wr_data (sum),
    .rd_en   (rd_lo || drain_lo),
    .rd_addr (rd_lo ? rd_row : drain_row),
    .rd_data (data_lo)
  );

  tpu_ram_1r1w #(
    .WIDTH (32),
    .DEPTH (ACC_ROWS / 2)
  ) u_half_hi (
    .clk     (clk),
    .wr_en   (wr_hi),
    .wr_addr (wr_row),
    .wr_data (sum),
    .rd_en   (rd_hi || drain_hi),
    .rd_addr (rd_hi ? rd_row : drain_row),
    .rd_data (data_hi)
  );

  generate
    if (BF16 != 0) begin : g_float
      // What stands in for no accumulator is -0, as -0 + x is x for each x, and +0 for int8.
      reg zero_q;

      tpu_acc_add_float #(
        .PSUM_BITS (PSUM_BITS)
      ) u_add (
        .clk      (clk),
        .float_en (float_en),
        .bf16_in  (bf16_in),
        .bf16_out (bf16_out),
        .addend   ({addend_q[31] || (zero_q && bf16_in), addend_q[30:0]}),
        .psum     (psum),
        .sum      (sum)
      );

      // Nothing is forwarded.
      wire unused = &{1'b0, sel_before, add_before};

      always @(posedge clk) begin
        zero_q   <= sel_zero;
        addend_q <= sel_half ? data_hi : data_lo;
        if (sel_zero) begin
          addend_q <= 32'd0;
        end
      end
    end else begin : g_int32
      reg [31:0] sum_q;

      tpu_acc_add_int32 #(
        .PSUM_BITS (PSUM_BITS),
        .LATENCY   (LATENCY)
      ) u_add (
        .clk    (clk),
        .addend (add_before ? sum_q : addend_q),
        .psum   (psum),
        .sum    (sum)
      );

      assign bf16_out = 1'b0;

      wire unused = &{1'b0, bf16_in, float_en};

      always @(posedge clk) begin
        sum_q    <= sum;
        addend_q <= sel_before ? sum_q : sel_half ? data_hi : data_lo;
        if (sel_zero) begin
          addend_q <= 32'd0;
        end
      end
    end
  endgenerate

  always @(posedge clk) begin
    if (drain_take) begin
      drain_q <= drain_half ? data_hi : data_lo;
    end
  end

endmodule

`default_nettype wire
