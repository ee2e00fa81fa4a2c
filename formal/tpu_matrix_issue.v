// tpu_matrix_issue: the rows of a MATMUL come in the order of docs/isa.md (6), each with its address, coordinates, accumulator row and banks, for any
// counts, strides and bounds; with INT16 output rows take turns as planes (11.2). Only a tile's first row waits, for the tile; all others follow without
// a gap, and the next instruction behind the last. What the machine does not have, no row has: bf16, two bytes a number.
//
// The reference walks with registers of its own.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_isa.vh"

module formal_tpu_matrix_issue #(
  parameter ROW_BYTES = 4,
  parameter BF16 = 0,
  parameter INT16 = 0
) (
  input wire                        clk,
  input wire                        stop,
  input wire                        cmd_valid,
  input wire [`TPU_MATMUL_USED-1:0] cmd,
  input wire [31:0]                 cmd_index,
  input wire                        tile_next
);

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;

  wire        cmd_ready;
  wire        tile_take;
  wire        active;
  wire        row_valid;
  wire        row_last;
  wire        row_accumulate;
  wire        row_wide;
  wire        row_bf16;
  wire        row_low;
  wire [25:0] row_addr;
  wire [25:0] row_byte;
  wire [3:0]  row_banks;
  wire [19:0] row_y;
  wire [19:0] row_x;
  wire [19:0] row_acc;
  wire [15:0] row_y_bound;
  wire [15:0] row_x_bound;
  wire [7:0]  row_zero_point;
  wire [31:0] row_index;

  tpu_matrix_issue #(
    .ROW_BYTES (ROW_BYTES),
    .BF16      (BF16),
    .INT16     (INT16)
  ) dut (
    .clk            (clk),
    .rst            (rst),
    .stop           (stop),
    .cmd_valid      (cmd_valid),
    .cmd_ready      (cmd_ready),
    .cmd            (cmd),
    .cmd_index      (cmd_index),
    .tile_next      (tile_next),
    .tile_take      (tile_take),
    .active         (active),
    .row_valid      (row_valid),
    .row_last       (row_last),
    .row_accumulate (row_accumulate),
    .row_wide       (row_wide),
    .row_bf16       (row_bf16),
    .row_low        (row_low),
    .row_addr       (row_addr),
    .row_byte       (row_byte),
    .row_banks      (row_banks),
    .row_y          (row_y),
    .row_x          (row_x),
    .row_acc        (row_acc),
    .row_y_bound    (row_y_bound),
    .row_x_bound    (row_x_bound),
    .row_zero_point (row_zero_point),
    .row_index      (row_index)
  );

  wire accept = cmd_valid && cmd_ready;

  // A stop lasts until a reset, as the halt does that it comes from (proved in tpu_run_control.v), and an error. Counts are at least 1.
  reg  stopped_q;
  always @(posedge clk) stopped_q <= !rst && stop;
  always @* begin
    if (!rst) begin
      assume (!stopped_q || stop);
      assume (!cmd_valid || (cmd[`TPU_MATMUL_N_OB] != 0 && cmd[`TPU_MATMUL_N_CB] != 0 && cmd[`TPU_MATMUL_N_KH] != 0
                             && cmd[`TPU_MATMUL_N_KW] != 0 && cmd[`TPU_MATMUL_N_OH] != 0 && cmd[`TPU_MATMUL_N_OW] != 0));
    end
  end

  //// Reference ////

  // The instruction; rows of it are left; it is of bf16, of planes
  reg  [`TPU_MATMUL_USED-1:0] cmd_q;
  reg  [31:0] index_q;
  reg         walks_q;
  wire        bf16   = BF16 != 0 && cmd_q[`TPU_MATMUL_FORMAT] != `TPU_NUMBER_FORMAT_INT8;
  wire        planes = INT16 != 0 && cmd_q[`TPU_MATMUL_PLANES];
  wire        wide   = bf16 || planes;
  // A row is requested.
  reg         row_q;
  // Rounds left of each loop, with this one
  reg  [15:0] ow_q;
  reg  [15:0] oh_q;
  reg  [15:0] kw_q;
  reg  [15:0] kh_q;
  reg  [15:0] cb_q;
  reg  [15:0] ob_q;
  // The output row is one of low bytes.
  reg         low_q;
  // Of the row: address, y, x, accumulator row; where they were when this round of the loop named began
  reg  [25:0] addr_q;
  reg  [25:0] addr_oh_q;
  reg  [25:0] addr_kw_q;
  reg  [25:0] addr_kh_q;
  reg  [25:0] addr_cb_q;
  reg  [19:0] y_q;
  reg  [19:0] y_kh_q;
  reg  [19:0] x_q;
  reg  [19:0] x_kw_q;
  reg  [19:0] acc_q;
  reg  [19:0] acc_ob_q;

  wire [15:0] n_ow  = cmd_q[`TPU_MATMUL_N_OW];
  wire [15:0] n_oh  = cmd_q[`TPU_MATMUL_N_OH];
  wire [15:0] n_kw  = cmd_q[`TPU_MATMUL_N_KW];
  wire [15:0] n_kh  = cmd_q[`TPU_MATMUL_N_KH];
  wire [15:0] n_cb  = cmd_q[`TPU_MATMUL_N_CB];
  wire [15:0] n_ob  = cmd_q[`TPU_MATMUL_N_OB];
  wire [25:0] start = cmd_q[`TPU_MATMUL_UB_ADDR];
  wire signed [15:0] cmd_y0 = cmd_q[`TPU_MATMUL_Y0];
  wire signed [15:0] cmd_x0 = cmd_q[`TPU_MATMUL_X0];
  wire signed [19:0] y0     = cmd_y0;
  wire signed [19:0] x0     = cmd_x0;
  wire signed [15:0] new_y0 = cmd[`TPU_MATMUL_Y0];
  wire signed [15:0] new_x0 = cmd[`TPU_MATMUL_X0];

  function [25:0] moved;
    input [25:0]        from;
    input signed [23:0] stride;
    reg signed [25:0]   wider;
    begin
      wider = stride;
      moved = from + wider;
    end
  endfunction

  wire [25:0] next_ow = moved(addr_q, cmd_q[`TPU_MATMUL_S_OW]);
  // Two planes lie at one place.
  wire [25:0] next_oh = planes && !low_q ? addr_oh_q : moved(addr_oh_q, cmd_q[`TPU_MATMUL_S_OH]);
  wire [25:0] next_kw = moved(addr_kw_q, cmd_q[`TPU_MATMUL_S_KW]);
  wire [25:0] next_kh = moved(addr_kh_q, cmd_q[`TPU_MATMUL_S_KH]);
  wire [25:0] next_cb = moved(addr_cb_q, cmd_q[`TPU_MATMUL_S_CB]);
  wire [19:0] next_y_kh = y_kh_q + cmd_q[`TPU_MATMUL_YS_KH];
  wire [19:0] next_x_kw = x_kw_q + cmd_q[`TPU_MATMUL_XS_KW];
  wire [19:0] next_acc_ob = acc_ob_q + cmd_q[`TPU_MATMUL_ACC_OB_STRIDE];

  wire tile_ends   = ow_q == 1 && oh_q == 1;
  wire tile_begins = ow_q == n_ow && oh_q == n_oh;
  wire last        = tile_ends && kw_q == 1 && kh_q == 1 && cb_q == 1 && ob_q == 1;
  wire goes_on     = accept || (walks_q && !(row_q && last));
  wire first_next  = accept || (row_q ? tile_ends : tile_begins);

  always @(posedge clk) begin
    walks_q <= !rst && goes_on;
    row_q   <= !rst && !stop && goes_on && (tile_next || !first_next);
    if (row_q) begin
      if (ow_q != 1) begin
        ow_q   <= ow_q - 1'b1;
        addr_q <= next_ow;
        x_q    <= x_q + cmd_q[`TPU_MATMUL_XS_OW];
        acc_q  <= acc_q + 1'b1;
      end else begin
        ow_q <= n_ow;
        x_q  <= x_kw_q;
        if (oh_q != 1) begin
          oh_q      <= oh_q - 1'b1;
          low_q     <= planes && !low_q;
          addr_q    <= next_oh;
          addr_oh_q <= next_oh;
          y_q       <= y_q + (planes && !low_q ? 8'd0 : cmd_q[`TPU_MATMUL_YS_OH]);
          acc_q     <= acc_q + 1'b1;
        end else begin
          oh_q  <= n_oh;
          low_q <= 1'b0;
          y_q   <= y_kh_q;
          acc_q <= acc_ob_q;
          if (kw_q != 1) begin
            kw_q      <= kw_q - 1'b1;
            addr_q    <= next_kw;
            addr_oh_q <= next_kw;
            addr_kw_q <= next_kw;
            x_q       <= next_x_kw;
            x_kw_q    <= next_x_kw;
          end else begin
            kw_q   <= n_kw;
            x_q    <= x0;
            x_kw_q <= x0;
            if (kh_q != 1) begin
              kh_q      <= kh_q - 1'b1;
              addr_q    <= next_kh;
              addr_oh_q <= next_kh;
              addr_kw_q <= next_kh;
              addr_kh_q <= next_kh;
              y_q       <= next_y_kh;
              y_kh_q    <= next_y_kh;
            end else begin
              kh_q   <= n_kh;
              y_q    <= y0;
              y_kh_q <= y0;
              cb_q   <= cb_q != 1 ? cb_q - 1'b1 : n_cb;
              if (cb_q == 1) begin
                ob_q     <= ob_q - 1'b1;
                acc_q    <= next_acc_ob;
                acc_ob_q <= next_acc_ob;
              end
              {addr_q, addr_oh_q, addr_kw_q, addr_kh_q, addr_cb_q} <= {5{cb_q != 1 ? next_cb : start}};
            end
          end
        end
      end
    end
    if (accept) begin
      cmd_q    <= cmd;
      index_q  <= cmd_index;
      ow_q     <= cmd[`TPU_MATMUL_N_OW];
      oh_q     <= cmd[`TPU_MATMUL_N_OH];
      kw_q     <= cmd[`TPU_MATMUL_N_KW];
      kh_q     <= cmd[`TPU_MATMUL_N_KH];
      cb_q     <= cmd[`TPU_MATMUL_N_CB];
      ob_q     <= cmd[`TPU_MATMUL_N_OB];
      low_q    <= 1'b0;
      y_q      <= new_y0;
      y_kh_q   <= new_y0;
      x_q      <= new_x0;
      x_kw_q   <= new_x0;
      acc_q    <= cmd[`TPU_MATMUL_ACC_ROW];
      acc_ob_q <= cmd[`TPU_MATMUL_ACC_ROW];
      {addr_q, addr_oh_q, addr_kw_q, addr_kh_q, addr_cb_q} <= {5{cmd[`TPU_MATMUL_UB_ADDR]}};
    end
  end

  // Of the row's first byte and its last
  wire [25:0] bytes     = wide ? {addr_q[24:0], 1'b0} : addr_q;
  wire [25:0] last_byte = bytes + (wide ? 2 * ROW_BYTES : ROW_BYTES) - 1;
  wire [25:0] ub_row    = bytes >> $clog2(ROW_BYTES);
  wire [25:0] last_row  = last_byte >> $clog2(ROW_BYTES);
  wire [25:0] rows      = last_row - ub_row;
  wire [3:0]  banks     = 4'b0001 << ub_row[1:0] | (rows[1:0] == 2 ? 4'b0001 << (ub_row[1:0] + 2'd1) : 4'd0) | 4'b0001 << last_row[1:0];
  wire        accumulates = cmd_q[`TPU_MATMUL_ACCUMULATE] || kw_q != n_kw || kh_q != n_kh || cb_q != n_cb;

  always @* begin
    if (!rst) begin
      a_ready:    assert (cmd_ready == ((!walks_q || (row_q && last)) && !stop));
      a_active:   assert (active == walks_q && row_valid == row_q);
      a_tile:     assert (tile_take == (row_q && tile_begins));
      a_formats:  assert ((BF16 != 0 || !row_bf16) && (BF16 != 0 || INT16 != 0 || !row_wide) && (INT16 != 0 || !row_low));
      if (row_valid) begin
        a_flags:  assert (row_last == last && row_accumulate == accumulates);
        a_format: assert (row_wide == wide && row_bf16 == bf16 && row_low == low_q);
        a_where:  assert (row_addr == addr_q && row_byte == bytes && row_banks == banks);
        a_y_x:    assert (row_y == y_q && row_x == x_q && row_acc == acc_q);
        a_bounds: assert (row_y_bound == cmd_q[`TPU_MATMUL_Y_BOUND] && row_x_bound == cmd_q[`TPU_MATMUL_X_BOUND]);
        a_zero:   assert (row_zero_point == (cmd_q[`TPU_MATMUL_ZERO_POINT] ^ {low_q, 7'd0}) && row_index == index_q);
      end
    end
  end

  //// What makes it inductive: the walk's registers ////

  (* hierconn *) wire [15:0] \dut.u_loops.g_loop[0].left_q ;
  (* hierconn *) wire [15:0] \dut.u_loops.g_loop[0].count_q ;
  (* hierconn *) wire \dut.u_loops.g_loop[0].count_is_1_q ;
  (* hierconn *) wire [25:0] \dut.u_addr.g_loop[0].start_q ;
  (* hierconn *) wire [15:0] \dut.u_loops.g_loop[1].left_q ;
  (* hierconn *) wire [15:0] \dut.u_loops.g_loop[1].count_q ;
  (* hierconn *) wire \dut.u_loops.g_loop[1].count_is_1_q ;
  (* hierconn *) wire [25:0] \dut.u_addr.g_loop[1].start_q ;
  (* hierconn *) wire [15:0] \dut.u_loops.g_loop[2].left_q ;
  (* hierconn *) wire [15:0] \dut.u_loops.g_loop[2].count_q ;
  (* hierconn *) wire \dut.u_loops.g_loop[2].count_is_1_q ;
  (* hierconn *) wire [25:0] \dut.u_addr.g_loop[2].start_q ;
  (* hierconn *) wire [15:0] \dut.u_loops.g_loop[3].left_q ;
  (* hierconn *) wire [15:0] \dut.u_loops.g_loop[3].count_q ;
  (* hierconn *) wire \dut.u_loops.g_loop[3].count_is_1_q ;
  (* hierconn *) wire [25:0] \dut.u_addr.g_loop[3].start_q ;
  (* hierconn *) wire [15:0] \dut.u_loops.g_loop[4].left_q ;
  (* hierconn *) wire [15:0] \dut.u_loops.g_loop[4].count_q ;
  (* hierconn *) wire \dut.u_loops.g_loop[4].count_is_1_q ;
  (* hierconn *) wire [25:0] \dut.u_addr.g_loop[4].start_q ;
  (* hierconn *) wire [15:0] \dut.u_loops.g_loop[5].left_q ;
  (* hierconn *) wire [15:0] \dut.u_loops.g_loop[5].count_q ;
  (* hierconn *) wire \dut.u_loops.g_loop[5].count_is_1_q ;
  (* hierconn *) wire [25:0] \dut.u_addr.g_loop[5].start_q ;
  (* hierconn *) wire [19:0] \dut.u_y.base_q ;
  (* hierconn *) wire [19:0] \dut.u_y.outer_q ;
  (* hierconn *) wire [19:0] \dut.u_y.value_q ;
  (* hierconn *) wire [19:0] \dut.u_x.base_q ;
  (* hierconn *) wire [19:0] \dut.u_x.outer_q ;
  (* hierconn *) wire [19:0] \dut.u_x.value_q ;
  (* hierconn *) wire [19:0] \dut.u_acc.base_q ;
  (* hierconn *) wire [19:0] \dut.u_acc.outer_q ;
  (* hierconn *) wire [19:0] \dut.u_acc.value_q ;
  (* hierconn *) wire [5:0] \dut.first_mask ;
  (* hierconn *) wire [5:0] \dut.last_mask ;
  (* hierconn *) wire [2:0] \dut.level ;
  (* hierconn *) wire \dut.last ;
  (* hierconn *) wire \dut.accumulate_q ;
  (* hierconn *) wire [7:0] \dut.zero_point_q ;
  (* hierconn *) wire [15:0] \dut.y_bound_q ;
  (* hierconn *) wire [15:0] \dut.x_bound_q ;
  (* hierconn *) wire [23:0] \dut.s_ow_q ;
  (* hierconn *) wire [23:0] \dut.s_oh_q ;
  (* hierconn *) wire [23:0] \dut.s_kw_q ;
  (* hierconn *) wire [23:0] \dut.s_kh_q ;
  (* hierconn *) wire [23:0] \dut.s_cb_q ;
  (* hierconn *) wire [7:0] \dut.ys_oh_q ;
  (* hierconn *) wire [7:0] \dut.ys_kh_q ;
  (* hierconn *) wire [15:0] \dut.xs_ow_q ;
  (* hierconn *) wire [15:0] \dut.xs_kw_q ;
  (* hierconn *) wire [15:0] \dut.acc_ob_stride_q ;

  wire [95:0]  left      = {ob_q, cb_q, kh_q, kw_q, oh_q, ow_q};
  wire [95:0]  count     = {n_ob, n_cb, n_kh, n_kw, n_oh, n_ow};
  wire [155:0] begun     = {start, addr_cb_q, addr_kh_q, addr_kw_q, addr_oh_q, addr_q};
  wire [95:0]  dut_left = {\dut.u_loops.g_loop[5].left_q , \dut.u_loops.g_loop[4].left_q ,
      \dut.u_loops.g_loop[3].left_q , \dut.u_loops.g_loop[2].left_q ,
      \dut.u_loops.g_loop[1].left_q , \dut.u_loops.g_loop[0].left_q };
  wire [95:0]  dut_count = {\dut.u_loops.g_loop[5].count_q , \dut.u_loops.g_loop[4].count_q ,
      \dut.u_loops.g_loop[3].count_q , \dut.u_loops.g_loop[2].count_q ,
      \dut.u_loops.g_loop[1].count_q , \dut.u_loops.g_loop[0].count_q };
  wire [5:0]   dut_one = {\dut.u_loops.g_loop[5].count_is_1_q , \dut.u_loops.g_loop[4].count_is_1_q ,
      \dut.u_loops.g_loop[3].count_is_1_q , \dut.u_loops.g_loop[2].count_is_1_q ,
      \dut.u_loops.g_loop[1].count_is_1_q , \dut.u_loops.g_loop[0].count_is_1_q };
  wire [155:0] dut_begun = {\dut.u_addr.g_loop[5].start_q , \dut.u_addr.g_loop[4].start_q ,
      \dut.u_addr.g_loop[3].start_q , \dut.u_addr.g_loop[2].start_q ,
      \dut.u_addr.g_loop[1].start_q , \dut.u_addr.g_loop[0].start_q };

  genvar i;
  generate
    for (i = 0; i < 6; i = i + 1) begin : g_loop
      wire [15:0] l      = left[16*i +: 16];
      wire [15:0] n      = count[16*i +: 16];
      wire [5:0]  inside = ~(6'b111111 << i);
      always @* begin
        if (!rst && walks_q && !stopped_q) begin
          assert (l != 0 && l <= n);
          assert (dut_left[16*i +: 16] == l && dut_count[16*i +: 16] == n && dut_one[i] == (n == 1));
          assert (\dut.first_mask [i] == (l == n) && \dut.last_mask [i] == (l == 1));
          if (!last && (\dut.last_mask & inside) == inside && !\dut.last_mask [i]) assert (\dut.level == i);
        end
      end
    end
  endgenerate

  always @* begin
    if (!rst && walks_q && !stopped_q) begin
      assert (\dut.last == last && dut_begun == begun);
      assert (\dut.u_y.base_q == y0 && \dut.u_y.outer_q == y_kh_q && \dut.u_y.value_q == y_q);
      assert (\dut.u_x.base_q == x0 && \dut.u_x.outer_q == x_kw_q && \dut.u_x.value_q == x_q);
      assert (\dut.u_acc.outer_q == acc_ob_q && \dut.u_acc.value_q == acc_q);
      assert (row_wide == wide && row_bf16 == bf16 && row_low == low_q && row_byte == bytes && row_banks == banks && row_index == index_q);
      // Only a tile's first row waits, and its values are those with which the loops restart.
      assert (row_q || tile_begins);
      assert (planes || !low_q);
      if (ow_q == n_ow) assert (x_q == x_kw_q);
      if (oh_q == n_oh) assert (y_q == y_kh_q && !low_q);
      if (tile_begins) assert (acc_q == acc_ob_q);
      assert (\dut.accumulate_q == cmd_q[`TPU_MATMUL_ACCUMULATE]);
      assert (\dut.zero_point_q == cmd_q[`TPU_MATMUL_ZERO_POINT]);
      assert (\dut.y_bound_q == cmd_q[`TPU_MATMUL_Y_BOUND]);
      assert (\dut.x_bound_q == cmd_q[`TPU_MATMUL_X_BOUND]);
      assert (\dut.s_ow_q == cmd_q[`TPU_MATMUL_S_OW]);
      assert (\dut.s_oh_q == cmd_q[`TPU_MATMUL_S_OH]);
      assert (\dut.s_kw_q == cmd_q[`TPU_MATMUL_S_KW]);
      assert (\dut.s_kh_q == cmd_q[`TPU_MATMUL_S_KH]);
      assert (\dut.s_cb_q == cmd_q[`TPU_MATMUL_S_CB]);
      assert (\dut.ys_oh_q == cmd_q[`TPU_MATMUL_YS_OH]);
      assert (\dut.ys_kh_q == cmd_q[`TPU_MATMUL_YS_KH]);
      assert (\dut.xs_ow_q == cmd_q[`TPU_MATMUL_XS_OW]);
      assert (\dut.xs_kw_q == cmd_q[`TPU_MATMUL_XS_KW]);
      assert (\dut.acc_ob_stride_q == cmd_q[`TPU_MATMUL_ACC_OB_STRIDE]);
    end
  end

endmodule

`default_nettype wire
