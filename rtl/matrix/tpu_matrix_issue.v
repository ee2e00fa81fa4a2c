// Row issue of the matrix unit: walks the window loops of MATMUL and says which row is requested in which cycle.
//
//   cycle a    an instruction is accepted
//   a + 1      its first row, if a tile can be taken
//
// One row is issued per cycle; the first row of a tile waits until the tile can be taken. The next instruction is accepted in the cycle
// of the previous one's last row, so there is no bubble between rows, tiles or instructions. `row_valid` and `row_banks` are registers, because all
// other reads of the unified buffer hang on them: whether a row can be issued, and of which banks, is worked out one cycle ahead.
//
// More than 300 lines, half of them ports and the connections of the loops and coordinates, each of which is a module.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"
`include "tpu_isa.vh"

module tpu_matrix_issue #(
  // Bytes of a row of the unified buffer, at any byte address
  parameter ROW_BYTES    = 16,
  // Cycles from one row to the next row of the same accumulator row, at least; 1: any order
  parameter ROW_DISTANCE = 1,
  // 1: instructions may be of bf16; of int16's planes. Both count addresses in numbers of two bytes
  parameter BF16         = 0,
  parameter INT16        = 0
) (
  input  wire                       clk,
  input  wire                       rst,
  // Nothing is accepted, and no row issued in the next cycle
  input  wire                       stop,

  // Command
  input  wire                       cmd_valid,
  output wire                       cmd_ready,
  input  wire [`TPU_MATMUL_USED-1:0] cmd,
  input  wire [31:0]                cmd_index,

  // Tiles: one can be taken in the next cycle; it is taken
  input  wire                       tile_next,
  output wire                       tile_take,

  // An instruction has rows to issue
  output wire                       active,
  // A row is requested in this cycle
  output wire                       row_valid,
  output wire                       row_last,
  output wire                       row_accumulate,
  // Of numbers of two bytes; of bf16; int16's low bytes; never on a machine that lacks the format
  output wire                       row_wide,
  output wire                       row_bf16,
  output wire                       row_low,
  // Of lane 0, in numbers; in bytes
  output wire [25:0]                row_addr,
  output wire [25:0]                row_byte,
  // Bit b: the row has bytes in bank b of the unified buffer, if it is requested
  output wire [3:0]                 row_banks,
  output wire [19:0]                row_y,
  output wire [19:0]                row_x,
  output wire [19:0]                row_acc,
  // Of the instruction whose row it is
  output wire [15:0]                row_y_bound,
  output wire [15:0]                row_x_bound,
  output wire [7:0]                 row_zero_point,
  output wire [31:0]                row_index
);

  // Loops, innermost first.
  localparam [2:0] OW     = 3'd0;
  localparam [2:0] OH     = 3'd1;
  localparam [2:0] KW     = 3'd2;
  localparam [2:0] KH     = 3'd3;
  localparam [2:0] OB     = 3'd5;
  localparam       LEVELS = 6;

  // ---- Instruction registers -----------------------------------------------------------------------
  reg         active_q;
  reg         issue_q;
  reg  [31:0] index_q;
  reg         accumulate_q;
  reg  [7:0]  zero_point_q;
  reg  [15:0] y_bound_q;
  reg  [15:0] x_bound_q;
  reg  [23:0] s_ow_q;
  reg  [23:0] s_oh_q;
  reg  [23:0] s_kw_q;
  reg  [23:0] s_kh_q;
  reg  [23:0] s_cb_q;
  reg  [7:0]  ys_oh_q;
  reg  [7:0]  ys_kh_q;
  reg  [15:0] xs_ow_q;
  reg  [15:0] xs_kw_q;
  reg  [15:0] acc_ob_stride_q;

  wire        accept = cmd_valid && cmd_ready;
  wire [15:0] y0     = cmd[`TPU_MATMUL_Y0];
  wire [15:0] x0     = cmd[`TPU_MATMUL_X0];

  always @(posedge clk) begin
    if (accept) begin
      index_q         <= cmd_index;
      accumulate_q    <= cmd[`TPU_MATMUL_ACCUMULATE];
      zero_point_q    <= cmd[`TPU_MATMUL_ZERO_POINT];
      y_bound_q       <= cmd[`TPU_MATMUL_Y_BOUND];
      x_bound_q       <= cmd[`TPU_MATMUL_X_BOUND];
      s_ow_q          <= cmd[`TPU_MATMUL_S_OW];
      s_oh_q          <= cmd[`TPU_MATMUL_S_OH];
      s_kw_q          <= cmd[`TPU_MATMUL_S_KW];
      s_kh_q          <= cmd[`TPU_MATMUL_S_KH];
      s_cb_q          <= cmd[`TPU_MATMUL_S_CB];
      ys_oh_q         <= cmd[`TPU_MATMUL_YS_OH];
      ys_kh_q         <= cmd[`TPU_MATMUL_YS_KH];
      xs_ow_q         <= cmd[`TPU_MATMUL_XS_OW];
      xs_kw_q         <= cmd[`TPU_MATMUL_XS_KW];
      acc_ob_stride_q <= cmd[`TPU_MATMUL_ACC_OB_STRIDE];
    end
  end

  // ---- Issue -------------------------------------------------------------------------------------------
  wire [2:0]        level;
  wire              last;
  wire [LEVELS-1:0] first_mask;
  wire [LEVELS-1:0] last_mask;

  // This row, and the next one, is a tile's first.
  wire tile_first = &first_mask[1:0];
  wire next_first = accept || (issue_q ? &last_mask[1:0] : tile_first);
  wire next       = accept || (active_q && !(issue_q && last));
  wire apart;
  // The row is one of int16's low bytes, and the next output row is one of the next image row.
  wire low;
  wire downwards;

  assign cmd_ready = (!active_q || (issue_q && last)) && !stop;
  assign tile_take = issue_q && tile_first;

  always @(posedge clk) begin
    active_q <= next;
    issue_q  <= next && (tile_next || !next_first) && apart && !stop;
    if (rst) begin
      active_q <= 1'b0;
      issue_q  <= 1'b0;
    end
  end

  tpu_loop_counter #(
    .LEVELS      (LEVELS),
    .COUNT_WIDTH (16)
  ) u_loops (
    .clk        (clk),
    .load       (accept),
    .counts     ({cmd[`TPU_MATMUL_N_OB], cmd[`TPU_MATMUL_N_CB], cmd[`TPU_MATMUL_N_KH],
                  cmd[`TPU_MATMUL_N_KW], cmd[`TPU_MATMUL_N_OH], cmd[`TPU_MATMUL_N_OW]}),
    .step       (issue_q),
    .level      (level),
    .last       (last),
    .first_mask (first_mask),
    .last_mask  (last_mask)
  );

  // ---- Address, coordinates, accumulator row -------------------------------------------------------------
  localparam OFFSET_BITS = $clog2(ROW_BYTES);

  wire [25:0] next_addr;
  wire [19:0] next_acc;
  wire [19:0] unused_y;
  wire [19:0] unused_x;

  tpu_loop_address #(
    .LEVELS (LEVELS),
    .WIDTH  (26)
  ) u_addr (
    .clk       (clk),
    .load      (accept),
    .base      (cmd[`TPU_MATMUL_UB_ADDR]),
    .strides   ({26'd0, {2{s_cb_q[23]}}, s_cb_q, {2{s_kh_q[23]}}, s_kh_q, {2{s_kw_q[23]}}, s_kw_q,
                 {26{downwards}} & {{2{s_oh_q[23]}}, s_oh_q}, {2{s_ow_q[23]}}, s_ow_q}),
    .step      (issue_q),
    .level     (level),
    .addr      (row_addr),
    .next_addr (next_addr)
  );

  // In bytes, what the next row's address is; whether its numbers have two bytes
  wire [25:0] next_byte;
  wire        next_wide;
  wire [1:0]  next_bank    = next_byte[OFFSET_BITS +: 2];
  wire        next_aligned = next_byte[OFFSET_BITS-1:0] == {OFFSET_BITS{1'b0}};
  wire [3:0]  third_bank;

  generate
    if (BF16 != 0 || INT16 != 0) begin : g_wide
      reg         bf16_q;
      reg         planes_q;
      reg  [25:0] byte_q;
      // A constant on machines that lack the format
      wire        next_bf16   = BF16 != 0 && (accept ? cmd[`TPU_MATMUL_FORMAT] != `TPU_NUMBER_FORMAT_INT8 : bf16_q);
      wire        next_planes = INT16 != 0 && (accept ? cmd[`TPU_MATMUL_PLANES] : planes_q);

      assign next_wide  = next_bf16 || next_planes;
      assign next_byte  = next_wide ? {next_addr[24:0], 1'b0} : next_addr;
      assign row_wide   = bf16_q || planes_q;
      assign row_bf16   = bf16_q;
      assign row_byte   = byte_q;
      assign third_bank = {3'd0, next_wide && !next_aligned} << (next_bank + 2'd2);

      always @(posedge clk) begin
        bf16_q   <= next_bf16;
        planes_q <= next_planes;
        byte_q   <= next_byte;
      end

      if (INT16 != 0) begin : g_planes
        // Output rows take turns: of high bytes, of low bytes.
        reg low_q;

        assign low       = low_q;
        assign downwards = low_q || !planes_q;

        always @(posedge clk) begin
          if (accept) begin
            low_q <= 1'b0;
          end else if (issue_q && level >= OH) begin
            low_q <= planes_q && level == OH && !low_q;
          end
        end
      end else begin : g_no_planes
        assign low       = 1'b0;
        assign downwards = 1'b1;
      end
    end else begin : g_int8
      assign low        = 1'b0;
      assign downwards  = 1'b1;
      assign next_wide  = 1'b0;
      assign next_byte  = next_addr;
      assign row_wide   = 1'b0;
      assign row_bf16   = 1'b0;
      assign row_byte   = row_addr;
      assign third_bank = 4'd0;
    end
  endgenerate

  // The bank of the first byte, and the bank after it unless the row is aligned; of numbers of two bytes one more.
  reg  [3:0] row_banks_q;

  always @(posedge clk) begin
    row_banks_q <= 4'b0001 << next_bank | {3'd0, next_wide || !next_aligned} << (next_bank + 2'd1)
                   | third_bank;
  end

  // Only a tile's first row ever waits. If a restart is due behind it, the loops inside have one round, and the value is what it restarts with:
  // so restarts need not wait for the row.
  `TPU_ASSERT(a_first_rows_alone_wait, apart || next_first || !next || stop)

  tpu_matrix_axis #(
    .WIDTH (20)
  ) u_y (
    .clk           (clk),
    .load          (accept),
    .base          ({{4{y0[15]}}, y0}),
    .inner_stride  ({12'd0, ys_oh_q}),
    .outer_stride  ({12'd0, ys_kh_q}),
    .inner_step    (issue_q && level == OH && downwards),
    .inner_restart (level == KW),
    .outer_step    (issue_q && level == KH),
    .outer_restart (issue_q && level > KH),
    .value         (row_y),
    .next          (unused_y)
  );

  tpu_matrix_axis #(
    .WIDTH (20)
  ) u_x (
    .clk           (clk),
    .load          (accept),
    .base          ({{4{x0[15]}}, x0}),
    .inner_stride  ({4'd0, xs_ow_q}),
    .outer_stride  ({4'd0, xs_kw_q}),
    .inner_step    (issue_q && level == OW),
    .inner_restart (level == OH),
    .outer_step    (issue_q && level == KW),
    .outer_restart (issue_q && level > KW),
    .value         (row_x),
    .next          (unused_x)
  );

  // A window step inside a tile moves on by one accumulator row. Each tile of an output block starts again at the block's first row.
  tpu_matrix_axis #(
    .WIDTH (20)
  ) u_acc (
    .clk           (clk),
    .load          (accept),
    .base          ({4'd0, cmd[`TPU_MATMUL_ACC_ROW]}),
    .inner_stride  (20'd1),
    .outer_stride  ({4'd0, acc_ob_stride_q}),
    .inner_step    (issue_q && level <= OH),
    .inner_restart (level > OH),
    .outer_step    (issue_q && level == OB),
    .outer_restart (1'b0),
    .value         (row_acc),
    .next          (next_acc)
  );

  // ---- The same accumulator row again: not before its sum has been written -----------------------------------
  generate
    if (ROW_DISTANCE == 1) begin : g_any_order
      assign apart = 1'b1;
      wire unused_acc = &{1'b0, next_acc};
    end else begin : g_distance
      // Bit d: the next row is that of d cycles ago.
      wire [ROW_DISTANCE-2:0] same;
      genvar d;
      for (d = 0; d < ROW_DISTANCE - 1; d = d + 1) begin : g_before
        wire        valid;
        wire [19:0] row;
        if (d == 0) begin : g_now
          assign valid = issue_q;
          assign row   = row_acc;
        end else begin : g_earlier
          reg        valid_q;
          reg [19:0] row_q;
          always @(posedge clk) begin
            valid_q <= g_before[d-1].valid;
            row_q   <= g_before[d-1].row;
          end
          assign valid = valid_q;
          assign row   = row_q;
        end
        assign same[d] = valid && row == next_acc;
      end
      assign apart = ~|same;
    end
  endgenerate

  // ---- Outputs -----------------------------------------------------------------------------------------------
  assign active         = active_q;
  assign row_valid      = issue_q;
  assign row_last       = last;
  assign row_banks      = row_banks_q;
  // The first tile of an output block overwrites.
  assign row_accumulate = accumulate_q || !(&first_mask[4:2]);
  assign row_y_bound    = y_bound_q;
  assign row_x_bound    = x_bound_q;
  assign row_zero_point = {zero_point_q[7] ^ low, zero_point_q[6:0]};
  assign row_low        = low;
  assign row_index      = index_q;

  // Opcode, semaphore masks and reserved bits belong to the control unit.
  wire unused = &{1'b0, cmd, first_mask[5], last_mask[5:2], next_addr, next_byte, unused_y, unused_x};

endmodule

`default_nettype wire
