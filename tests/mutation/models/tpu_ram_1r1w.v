// A memory for miters around it: reads give anything, the same to the original and the change, which must read and write the same.
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

  localparam AW = $clog2(DEPTH);

  miter_cut #(
    .IN  (WIDTH + 2 * AW + 2),
    .OUT (WIDTH)
  ) u_cut (
    .in  ({{wr_en, wr_addr, wr_data} & {(1+AW+WIDTH){wr_en}}, {rd_en, rd_addr} & {(1+AW){rd_en}}}),
    .out (rd_data)
  );

endmodule

`default_nettype wire
