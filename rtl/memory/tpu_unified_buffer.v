// Unified buffer: UB_ROWS rows of ROW_BYTES bytes in four banks, selected by the low row-address bits.
//
// Each bank has one read and one write port. Read ports in order of priority: mm (matmul, never waits), va, vb and vc (vector
// sources A and B, or the rows of a window), wt (weights; with BF16 alone), st (store). Write ports: vo (vector), ld (load). `ready` is combinational and depends only on requests of
// higher priority for the same banks, so streams that start on different banks and step by one row stay
// out of each other's way. All read one bank, but mm up to three, and wt two for a pair of rows: it gets both or none, and st neither.
//
//   cycle t    request granted (valid && ready)
//   t+1        bank address
//   t+2        bank output: selection of the bank, for mm of each byte's, and rotation
//   t+3        *_rd_data valid, until the port's next grant + 3
//
// The grants end in registers, because the streams' steps, the grants, and the way to the block RAMs do not fit in one cycle. mm reads
// ROW_BYTES bytes at any byte address, or with WIDE twice as many: rows r to r+2 lie in different banks. A read gives what was written up
// to the cycle of its grant. A bank that no port asks for is not read, which saves power.
//
// More than 300 lines: six read ports and two write ports are served in one place, where the banks are.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"

module tpu_unified_buffer #(
  // Bytes per row
  parameter ROW_BYTES = 16,
  // Rows, a power of two
  parameter UB_ROWS = 16384,
  // 1: mm reads two rows' bytes
  parameter WIDE = 0,
  // 1, with WIDE: wt reads, a row or two
  parameter BF16 = 0
) (
  input  wire                                  clk,
  input  wire                                  rst,

  // Matmul: byte address; the banks of its one to three rows, which the other ports' grants hang on. With WIDE the banks of the lower half's
  // bytes may be named alone; then the upper half shows anything.
  input  wire                                  mm_rd_valid,
  input  wire [3:0]                            mm_rd_banks,
  input  wire [$clog2(UB_ROWS)+$clog2(ROW_BYTES)-1:0]  mm_rd_addr,
  output wire [(WIDE != 0 ? 16 : 8)*ROW_BYTES-1:0]     mm_rd_data,

  // Vector source A
  input  wire                                  va_rd_valid,
  output wire                                  va_rd_ready,
  input  wire [$clog2(UB_ROWS)-1:0]            va_rd_row,
  output wire [8*ROW_BYTES-1:0]                        va_rd_data,

  // Vector source B
  input  wire                                  vb_rd_valid,
  output wire                                  vb_rd_ready,
  input  wire [$clog2(UB_ROWS)-1:0]            vb_rd_row,
  output wire [8*ROW_BYTES-1:0]                        vb_rd_data,

  // Vector, third row of a window
  input  wire                                  vc_rd_valid,
  output wire                                  vc_rd_ready,
  input  wire [$clog2(UB_ROWS)-1:0]            vc_rd_row,
  output wire [8*ROW_BYTES-1:0]                        vc_rd_data,

  // Weights: a row, or as a pair the row behind it, too, which the upper half of the data shows, that else shows anything. Without BF16 the data
  // is zero.
  input  wire                                  wt_rd_valid,
  output wire                                  wt_rd_ready,
  input  wire                                  wt_rd_pair,
  input  wire [$clog2(UB_ROWS)-1:0]            wt_rd_row,
  output wire [16*ROW_BYTES-1:0]                       wt_rd_data,

  // Store
  input  wire                                  st_rd_valid,
  output wire                                  st_rd_ready,
  input  wire [$clog2(UB_ROWS)-1:0]            st_rd_row,
  output wire [8*ROW_BYTES-1:0]                        st_rd_data,

  // Vector results
  input  wire                                  vo_wr_valid,
  input  wire [$clog2(UB_ROWS)-1:0]            vo_wr_row,
  input  wire [8*ROW_BYTES-1:0]                        vo_wr_data,

  // Load
  input  wire                                  ld_wr_valid,
  output wire                                  ld_wr_ready,
  input  wire [$clog2(UB_ROWS)-1:0]            ld_wr_row,
  input  wire [8*ROW_BYTES-1:0]                        ld_wr_data
);

  localparam RW    = $clog2(UB_ROWS);
  localparam NW    = $clog2(ROW_BYTES);
  // Lines per bank, and bits of a line address
  localparam LINES = UB_ROWS / 4;
  localparam LW    = RW - 2;

  generate
    if ((WIDE != 0 && WIDE != 1) || (BF16 != 0 && (BF16 != 1 || WIDE == 0))) begin : g_check_formats
      ERROR_tpu_unified_buffer_WIDE_and_BF16_must_be_0_or_1_and_BF16_needs_WIDE check ();
    end
    if (UB_ROWS < 8 || UB_ROWS > 65536 || (UB_ROWS & (UB_ROWS - 1)) != 0) begin : g_check_rows
      ERROR_tpu_unified_buffer_UB_ROWS_must_be_a_power_of_two_from_8_to_65536 check ();
    end
  endgenerate

  // ---- Grants --------------------------------------------------------------------------------------

  wire [NW-1:0] mm_offset   = mm_rd_addr[NW-1:0];
  wire [RW-1:0] mm_row      = mm_rd_addr[RW+NW-1:NW];
  wire [RW-1:0] mm_next_row = mm_row + 1'b1;

  // The bank of a row, one bit each; none without `valid`.
  function [3:0] bank;
    input       valid;
    input [1:0] row;
    begin
      bank = {4{valid}} & (4'b0001 << row);
    end
  endfunction

  // Bit b: the port wants bank b, is granted it.
  wire [3:0] mm_first = bank(mm_rd_valid, mm_row[1:0]);
  wire [3:0] mm_next  = bank(mm_rd_valid && mm_offset != {NW{1'b0}}, mm_next_row[1:0]);
  wire [3:0] mm_want  = {4{mm_rd_valid}} & mm_rd_banks;
  wire [3:0] va_want  = bank(va_rd_valid, va_rd_row[1:0]);
  wire [3:0] vb_want  = bank(vb_rd_valid, vb_rd_row[1:0]);
  wire [3:0] vc_want  = bank(vc_rd_valid, vc_rd_row[1:0]);
  wire [1:0] wt_next  = wt_rd_row[1:0] + 2'd1;
  wire [3:0] wt_banks = bank(BF16 != 0, wt_rd_row[1:0]) | bank(BF16 != 0 && wt_rd_pair, wt_next);
  wire [3:0] wt_want  = wt_banks & {4{wt_rd_valid}};
  wire [3:0] vo_want  = bank(vo_wr_valid, vo_wr_row[1:0]);
  wire [3:0] ld_want  = bank(ld_wr_valid, ld_wr_row[1:0]);

  wire [3:0] above_vb = mm_want | va_want;
  wire [3:0] above_vc = above_vb | vb_want;
  wire [3:0] above_wt = above_vc | vc_want;
  wire [3:0] above_st = above_wt | wt_want;

  generate
    if (WIDE != 0) begin : g_two_rows
      // Both halves' banks
      wire [1:0] mm_bank  = mm_row[1:0];
      wire [3:0] mm_lower = mm_first | mm_next;
      wire [3:0] mm_both  = mm_lower | bank(mm_rd_valid, mm_bank + 2'd1) | bank(mm_next != 4'd0, mm_bank + 2'd2);

      wire unused_banks = &{1'b0, mm_lower, mm_both};

      `TPU_ASSERT(a_mm_banks_are_those_of_the_address, !mm_rd_valid || mm_want == mm_lower || mm_want == mm_both)
    end else begin : g_one_row
      `TPU_ASSERT(a_mm_banks_are_those_of_the_address, !mm_rd_valid || mm_want == (mm_first | mm_next))
    end
  endgenerate

  assign va_rd_ready = !mm_want[va_rd_row[1:0]];
  assign vb_rd_ready = !above_vb[vb_rd_row[1:0]];
  assign vc_rd_ready = !above_vc[vc_rd_row[1:0]];
  assign wt_rd_ready = (above_wt & wt_banks) == 4'd0;
  assign st_rd_ready = !above_st[st_rd_row[1:0]];
  assign ld_wr_ready = !vo_want[ld_wr_row[1:0]];

  wire va_grant = va_rd_valid && va_rd_ready;
  wire vb_grant = vb_rd_valid && vb_rd_ready;
  wire vc_grant = vc_rd_valid && vc_rd_ready;
  wire st_grant = st_rd_valid && st_rd_ready;

  wire [3:0] va_take = va_want & ~mm_want;
  wire [3:0] vb_take = vb_want & ~above_vb;
  wire [3:0] vc_take = vc_want & ~above_vc;
  wire [3:0] wt_take = wt_want & ~above_wt;
  wire [3:0] st_take = bank(st_grant, st_rd_row[1:0]);
  wire [3:0] rd_take = above_st | st_take;
  wire [3:0] wr_take = vo_want | ld_want;

  // ---- Banks, one cycle after the grant of a read; of a write, at once -------------------------------

  wire [8*ROW_BYTES-1:0] bank_data [0:3];

  genvar b;
  generate
    for (b = 0; b < 4; b = b + 1) begin : g_bank
      wire [LW-1:0] wt_line;
      wire [LW-1:0] below_mm = va_take[b] ? va_rd_row[RW-1:2]
                             : vb_take[b] ? vb_rd_row[RW-1:2]
                             : vc_take[b] ? vc_rd_row[RW-1:2]
                             : wt_take[b] ? wt_line
                                          : st_rd_row[RW-1:2];
      wire [LW-1:0] rd_line;
      reg           rd_en_q;
      reg  [LW-1:0] rd_line_q;

      if (WIDE != 0) begin : g_two_rows
        // Banks before the first row's hold rows behind it in their next line.
        wire [3:0] in_next_line = ~(4'b1111 << mm_row[1:0]);

        assign rd_line = mm_want[b] ? mm_row[RW-1:2] + {{(LW-1){1'b0}}, in_next_line[b]} : below_mm;

        wire unused_next = &{1'b0, in_next_line, mm_next_row};
      end else begin : g_one_row
        assign rd_line = mm_first[b] ? mm_row[RW-1:2]
                       : mm_next[b]  ? mm_next_row[RW-1:2] : below_mm;
      end

      // The first bank holds the second row of wt's pair in its next line, too.
      assign wt_line = wt_rd_row[RW-1:2] + {{(LW-1){1'b0}}, BF16 != 0 && b == 0 && wt_rd_row[1:0] == 2'd3};

      always @(posedge clk) begin
        rd_en_q   <= rd_take[b];
        rd_line_q <= rd_line;
      end

      tpu_ram_1r1w #(
        .WIDTH (8 * ROW_BYTES),
        .DEPTH (LINES)
      ) u_ram (
        .clk     (clk),
        .wr_en   (wr_take[b]),
        .wr_addr (vo_want[b] ? vo_wr_row[RW-1:2] : ld_wr_row[RW-1:2]),
        .wr_data (vo_want[b] ? vo_wr_data : ld_wr_data),
        .rd_en   (rd_en_q),
        .rd_addr (rd_line_q),
        .rd_data (bank_data[b])
      );
    end
  endgenerate

  // ---- Selection, two cycles after the grant --------------------------------------------------------

  // Granted one and two cycles ago: mm, va, vb, vc, st from bit 0; the banks of the last four
  reg [4:0]             granted1_q;
  reg [4:0]             granted2_q;
  reg [7:0]             banks1_q;
  reg [7:0]             banks2_q;
  reg [NW-1:0]          mm_offset1_q;
  reg [NW-1:0]          mm_offset2_q;
  reg [1:0]             mm_bank1_q;
  // Of each byte: those before the offset lie in the next row.
  reg [2*ROW_BYTES-1:0] mm_banks2_q;
  reg [(WIDE != 0 ? 16 : 8)*ROW_BYTES-1:0] mm_data_q;
  reg [8*ROW_BYTES-1:0] va_data_q;
  reg [8*ROW_BYTES-1:0] vb_data_q;
  reg [8*ROW_BYTES-1:0] vc_data_q;
  reg [8*ROW_BYTES-1:0] st_data_q;

  assign mm_rd_data = mm_data_q;
  assign va_rd_data = va_data_q;
  assign vb_rd_data = vb_data_q;
  assign vc_rd_data = vc_data_q;
  assign st_rd_data = st_data_q;

  wire [ROW_BYTES-1:0]   mm_before = ~({ROW_BYTES{1'b1}} << mm_offset1_q);
  wire [1:0]             mm_next1  = mm_bank1_q + 1'b1;
  // As they lie in the banks, each half with the offset's bytes of the row behind it
  wire [(WIDE != 0 ? 16 : 8)*ROW_BYTES-1:0] mm_bytes;

  genvar i;
  generate
    for (i = 0; i < ROW_BYTES; i = i + 1) begin : g_byte
      wire [1:0] in_bank = mm_banks2_q[2*i +: 2];

      assign mm_bytes[8*i +: 8] = bank_data[in_bank][8*i +: 8];
      if (WIDE != 0) begin : g_upper
        wire [1:0] in_next = in_bank + 2'd1;

        assign mm_bytes[8*(ROW_BYTES+i) +: 8] = bank_data[in_next][8*i +: 8];
      end

      always @(posedge clk) begin
        if (granted1_q[0]) begin
          mm_banks2_q[2*i +: 2] <= mm_before[i] ? mm_next1 : mm_bank1_q;
        end
      end
    end
  endgenerate

  generate
    if (BF16 != 0) begin : g_weights
      // Granted one and two cycles ago, and its bank; that of a pair's second row
      reg  [1:0]              wt_granted_q;
      reg  [1:0]              wt_bank1_q;
      reg  [1:0]              wt_bank2_q;
      reg  [16*ROW_BYTES-1:0] wt_data_q;
      wire [1:0]              wt_upper2 = wt_bank2_q + 2'd1;

      assign wt_rd_data = wt_data_q;

      always @(posedge clk) begin
        wt_granted_q <= {wt_granted_q[0], wt_rd_valid && wt_rd_ready};
        wt_bank1_q   <= wt_rd_row[1:0];
        wt_bank2_q   <= wt_bank1_q;
        if (wt_granted_q[1]) begin
          wt_data_q <= {bank_data[wt_upper2], bank_data[wt_bank2_q]};
        end
        if (rst) begin
          wt_granted_q <= 2'd0;
        end
      end
    end else begin : g_no_weights
      assign wt_rd_data = {16*ROW_BYTES{1'b0}};
    end
  endgenerate

  // Moves byte i to lane i - lanes, around the end.
  function [8*ROW_BYTES-1:0] rotate_down;
    input [8*ROW_BYTES-1:0] data;
    input [NW-1:0]          lanes;
    integer                 s;
    begin
      rotate_down = data;
      for (s = 0; s < NW; s = s + 1) begin
        if (lanes[s]) begin
          rotate_down = (rotate_down >> (8 << s)) | (rotate_down << (8 * ROW_BYTES - (8 << s)));
        end
      end
    end
  endfunction

  always @(posedge clk) begin
    if (mm_rd_valid) begin
      mm_offset1_q <= mm_offset;
      mm_bank1_q   <= mm_row[1:0];
    end
    if (granted1_q[0]) begin
      mm_offset2_q <= mm_offset1_q;
    end
    banks1_q <= {st_rd_row[1:0], vc_rd_row[1:0], vb_rd_row[1:0], va_rd_row[1:0]};
    banks2_q <= banks1_q;
    if (granted2_q[0]) begin
      mm_data_q[8*ROW_BYTES-1:0] <= rotate_down(mm_bytes[8*ROW_BYTES-1:0], mm_offset2_q);
    end
    if (granted2_q[1]) begin
      va_data_q <= bank_data[banks2_q[1:0]];
    end
    if (granted2_q[2]) begin
      vb_data_q <= bank_data[banks2_q[3:2]];
    end
    if (granted2_q[3]) begin
      vc_data_q <= bank_data[banks2_q[5:4]];
    end
    if (granted2_q[4]) begin
      st_data_q <= bank_data[banks2_q[7:6]];
    end
  end

  generate
    if (WIDE != 0) begin : g_upper_half
      always @(posedge clk) begin
        if (granted2_q[0]) begin
          mm_data_q[16*ROW_BYTES-1:8*ROW_BYTES] <= rotate_down(mm_bytes[16*ROW_BYTES-1:8*ROW_BYTES], mm_offset2_q);
        end
      end
    end
  endgenerate

  always @(posedge clk) begin
    granted1_q <= {st_grant, vc_grant, vb_grant, va_grant, mm_rd_valid};
    granted2_q <= granted1_q;
    if (rst) begin
      granted1_q <= 5'd0;
      granted2_q <= 5'd0;
    end
  end

endmodule

`default_nettype wire
