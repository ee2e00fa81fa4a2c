// Source B of the vector unit: its own walk of the loop nest, running ahead of source A into a small FIFO of rows.
//
// `have` says that a row has been granted and not yet claimed; source A claims one row per in-bounds tap in the cycle it issues the
// tap, and pops the row two or more cycles later, when it is in the FIFO for certain. A row out of range is never requested: the walk
// stops there with `fault`, which concerns source A once it has claimed all rows before. Instructions without source B pass by.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"
`include "tpu_isa.vh"

module tpu_vector_operand #(
  // Lanes
  parameter N = 16,
  // Unified buffer rows
  parameter UB_ROWS = 16384
) (
  input  wire                       clk,
  input  wire                       rst,

  // Next instruction, held until `cmd_take`: the cycle in which source A starts it. `cmd_seen`: this side needs it no longer
  input  wire                       cmd_valid,
  input  wire [703:0]               cmd,
  input  wire                       cmd_take,
  output wire                       cmd_seen,
  // Nothing may be requested any more
  input  wire                       stop,

  // Source A's side
  output wire                       have,
  output wire                       fault,
  input  wire                       claim,
  input  wire                       pop,
  output wire [8*N-1:0]             data,

  // Unified buffer, data two cycles after the grant
  output wire                       vb_rd_valid,
  input  wire                       vb_rd_ready,
  output wire [$clog2(UB_ROWS)-1:0] vb_rd_row,
  input  wire [8*N-1:0]             vb_rd_data
);

  // Rows granted and not popped: four cover the way from grant to pop, the rest evens out bank conflicts.
  localparam DEPTH = 8;
  localparam UW    = $clog2(UB_ROWS);

  reg        active_q;
  reg        seen_q;
  reg  [1:0] granted_q;
  // Rows granted and not popped, rows granted and not claimed.
  reg  [3:0] held_q;
  reg  [3:0] free_q;

  wire [19:0] row;
  wire        inside;
  wire        last;
  wire        unused_first;
  wire        unused_window;
  wire [2:0]  unused_level;
  wire        out_of_range = |row[19:UW];

  wire uses_b = cmd[`TPU_VECTOR_MAP] != `TPU_VECTOR_MAP_COPY;
  wire grant  = vb_rd_valid && vb_rd_ready;
  wire step   = active_q && !stop && (!inside || grant);
  wire load   = cmd_valid && uses_b && !seen_q && !stop && (!active_q || (step && last));

  assign cmd_seen    = seen_q || !uses_b;
  assign have        = free_q != 4'd0;
  assign fault       = active_q && inside && out_of_range;
  assign vb_rd_valid = active_q && !stop && inside && !out_of_range && held_q != DEPTH[3:0];
  assign vb_rd_row   = row[UW-1:0];

  always @(posedge clk) begin
    granted_q <= {granted_q[0], grant};
    held_q    <= held_q + {3'd0, grant} - {3'd0, pop};
    free_q    <= free_q + {3'd0, grant} - {3'd0, claim};
    if (load) begin
      active_q <= 1'b1;
    end else if (step && last) begin
      active_q <= 1'b0;
    end
    if (cmd_take) begin
      seen_q <= 1'b0;
    end else if (load) begin
      seen_q <= 1'b1;
    end
    if (rst) begin
      active_q  <= 1'b0;
      seen_q    <= 1'b0;
      granted_q <= 2'd0;
      held_q    <= 4'd0;
      free_q    <= 4'd0;
    end
  end

  tpu_vector_walk u_walk (
    .clk          (clk),
    .load         (load),
    .counts       ({cmd[`TPU_VECTOR_N_CB], cmd[`TPU_VECTOR_N_OH], cmd[`TPU_VECTOR_N_OW],
                    cmd[`TPU_VECTOR_N_KH], cmd[`TPU_VECTOR_N_KW]}),
    .strides      ({cmd[`TPU_VECTOR_B_CB], cmd[`TPU_VECTOR_B_OH], cmd[`TPU_VECTOR_B_OW],
                    cmd[`TPU_VECTOR_B_KH], cmd[`TPU_VECTOR_B_KW]}),
    .base         (cmd[`TPU_VECTOR_B_ROW]),
    .y0           (cmd[`TPU_VECTOR_Y0]),
    .x0           (cmd[`TPU_VECTOR_X0]),
    .y_bound      (cmd[`TPU_VECTOR_Y_BOUND]),
    .x_bound      (cmd[`TPU_VECTOR_X_BOUND]),
    .ys_oh        (cmd[`TPU_VECTOR_YS_OH]),
    .ys_kh        (cmd[`TPU_VECTOR_YS_KH]),
    .xs_ow        (cmd[`TPU_VECTOR_XS_OW]),
    .xs_kw        (cmd[`TPU_VECTOR_XS_KW]),
    .step         (step),
    .row          (row),
    .inside       (inside),
    .window_first (unused_first),
    .window_last  (unused_window),
    .last         (last),
    .level        (unused_level)
  );

  wire       fifo_ready;
  wire       fifo_valid;
  wire [3:0] fifo_level;

  tpu_fifo #(
    .WIDTH (8 * N),
    .DEPTH (DEPTH)
  ) u_rows (
    .clk       (clk),
    .rst       (rst),
    .in_valid  (granted_q[1]),
    .in_ready  (fifo_ready),
    .in_data   (vb_rd_data),
    .out_valid (fifo_valid),
    .out_ready (pop),
    .out_data  (data),
    .level     (fifo_level)
  );

  `TPU_ASSERT(a_row_is_there_when_popped, fifo_valid || !pop)
  `TPU_ASSERT(a_room_for_every_row, fifo_ready || !granted_q[1])
  `TPU_ASSERT(a_claims_only_what_it_has, have || !claim)

  wire unused = &{1'b0, cmd, fifo_level, fifo_ready, fifo_valid, unused_first, unused_window, unused_level};

endmodule

`default_nettype wire
