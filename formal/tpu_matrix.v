// tpu_matrix: it takes a tile only when the tile loader has announced one, swaps that tile in three cycles after the take, and gives the array no row
// before the first swap. These are what the proofs of tpu_tile_loader and tpu_array assume. A read of the unified buffer names the banks of its
// address, which tpu_unified_buffer's proof assumes. Without bf16 and int16 no row is one of them.
//
// Tile loader and array are replaced by models/tpu_tile_loader.v and models/tpu_array.v, which do anything at any time.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module formal_tpu_matrix #(
  parameter N = 4,
  parameter UB_ROWS = 16,
  parameter ACC_ROWS = 4
) (
  input wire                        clk,
  input wire                        cmd_valid,
  input wire [`TPU_MATMUL_USED-1:0] cmd,
  input wire [31:0]                 cmd_index,
  input wire                        halt,
  input wire [8*N-1:0]              mm_rd_data,
  input wire                        wt_valid,
  input wire [8*N-1:0]              wt_data,
  input wire                        acc_rd_valid,
  input wire [$clog2(ACC_ROWS)-1:0] acc_rd_row
);

  // A reset of the core takes four cycles (tpu_run_control), and the swaps need as many.
  reg [3:0] reset_q = 4'b1111;
  always @(posedge clk) reset_q <= reset_q << 1;
  wire rst = reset_q[3];

  localparam RW = $clog2(UB_ROWS);
  localparam NW = $clog2(N);

  wire             mm_valid;
  wire [3:0]       mm_banks;
  wire [RW+NW-1:0] mm_addr;
  wire [RW+NW-1:0] mm_last = mm_addr + N[RW+NW-1:0] - 1'b1;

  tpu_matrix #(
    .LANES     (N),
    .ROW_BYTES (N),
    .UB_ROWS   (UB_ROWS),
    .ACC_ROWS  (ACC_ROWS)
  ) dut (
    .clk             (clk),
    .rst             (rst),
    .cmd_valid       (cmd_valid),
    .cmd_ready       (),
    .cmd             (cmd),
    .cmd_index       (cmd_index),
    .done            (),
    .err_valid       (),
    .err_code        (),
    .err_index       (),
    .halt            (halt),
    .mm_rd_valid     (mm_valid),
    .mm_rd_banks     (mm_banks),
    .mm_rd_addr      (mm_addr),
    .mm_rd_data      (mm_rd_data),
    .wt_valid        (wt_valid),
    .wt_ready        (),
    .wt_data         (wt_data),
    .acc_rd_valid    (acc_rd_valid),
    .acc_rd_ready    (),
    .acc_rd_row      (acc_rd_row),
    .acc_rd_data     (),
    .ev_active       (),
    .ev_pad          (),
    .ev_wait_weights (),
    .ev_weight_shift ()
  );

  (* hierconn *) wire \dut.u_tiles.tile_next ;
  (* hierconn *) wire \dut.u_tiles.tile_take ;
  (* hierconn *) wire \dut.u_array.tile_swap ;
  (* hierconn *) wire \dut.u_array.row_valid ;
  (* hierconn *) wire \dut.u_issue.row_wide ;
  (* hierconn *) wire \dut.u_issue.row_bf16 ;

  wire take = \dut.u_tiles.tile_take ;
  wire swap = \dut.u_array.tile_swap ;

  reg next_q;
  reg take_1_q;
  reg take_2_q;
  reg take_3_q;
  // A tile is in use.
  reg used_q;

  always @(posedge clk) begin
    next_q   <= !rst && \dut.u_tiles.tile_next ;
    take_1_q <= !rst && take;
    take_2_q <= !rst && take_1_q;
    take_3_q <= !rst && take_2_q;
    used_q   <= !rst && (used_q || swap);
  end

  always @* begin
    if (!rst) begin
      assert (!take || next_q);
      assert (!mm_valid || mm_banks == (4'b0001 << mm_addr[NW +: 2] | 4'b0001 << mm_last[NW +: 2]));
      assert (swap == take_3_q);
      // No row has what the machine lacks.
      assert (!\dut.u_issue.row_wide && !\dut.u_issue.row_bf16 );
      assert (!\dut.u_array.row_valid || used_q || swap);
    end
  end

endmodule

`default_nettype wire
