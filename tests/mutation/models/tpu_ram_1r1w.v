// A memory for miters around it. The original and the change must write the same. Each row holds anything in each cycle, the same for both, so
// that one of them may read a row that the other does not; of a large memory they must read the same.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_ram_1r1w #(
  parameter WIDTH = 32,
  parameter DEPTH = 64
) (
  input  wire                     clk,

  input  wire                     wr_en,
  input  wire [$clog2(DEPTH)-1:0] wr_addr,
  input  wire [WIDTH-1:0]         wr_data,

  input  wire                     rd_en,
  input  wire [$clog2(DEPTH)-1:0] rd_addr,
  output wire [WIDTH-1:0]         rd_data
);

  localparam AW    = $clog2(DEPTH);
  localparam SMALL = WIDTH * DEPTH <= 2048;

  wire [AW+WIDTH:0] write = {wr_en, wr_addr, wr_data} & {(1+AW+WIDTH){wr_en}};

  generate
    if (SMALL) begin : g_rows
      wire [WIDTH*DEPTH-1:0] rows;
      reg  [WIDTH-1:0]       read_q;

      miter_cut #(
        .IN  (1 + AW + WIDTH),
        .OUT (WIDTH * DEPTH)
      ) u_cut (
        .in  (write),
        .out (rows)
      );

      assign rd_data = read_q;

      always @(posedge clk) begin
        if (rd_en) begin
          read_q <= rows[rd_addr*WIDTH +: WIDTH];
        end
      end
    end else begin : g_reads
      miter_cut #(
        .IN  (WIDTH + 2 * AW + 2),
        .OUT (WIDTH)
      ) u_cut (
        .in  ({write, {rd_en, rd_addr} & {(1+AW){rd_en}}}),
        .out (rd_data)
      );
    end
  endgenerate

endmodule

`default_nettype wire
