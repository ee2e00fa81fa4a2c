// tpu_unified_buffer: a port is granted exactly if no port above it asks for its bank, so a bank serves one read and one write per cycle;
// each granted read returns what the row held, to the port that asked, three cycles later; each granted write is stored once. With BF16
// mm may read two rows' bytes, and wt reads a row, or two: both or none; without BF16 wt shows zeros. A bank that nobody asks for is not read.
//
// One byte of the buffer, chosen by the solver, stands for all.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_unified_buffer #(
  parameter ROW_BYTES = 4,
  // The invariant names the rows one by one, so only 8
  parameter UB_ROWS = 8,
  parameter BF16 = 0
) (
  input wire                                 clk,
  input wire                                 mm_valid,
  input wire [$clog2(UB_ROWS)+$clog2(ROW_BYTES)-1:0] mm_addr,
  // What tpu_matrix names as banks without a request
  input wire [3:0]                           mm_any,
  // With BF16: two rows' bytes
  input wire                                 mm_upper,
  input wire                                 wt_asked,
  input wire                                 wt_pair,
  input wire [$clog2(UB_ROWS)-1:0]           wt_row,
  // va, vb, vc, st from bit 0
  input wire [3:0]                           rd_valid,
  input wire [4*$clog2(UB_ROWS)-1:0]         rd_row,
  // vo, ld from bit 0
  input wire [1:0]                           wr_valid,
  input wire [2*$clog2(UB_ROWS)-1:0]         wr_row,
  input wire [16*ROW_BYTES-1:0]                      wr_data,
  // The byte that is watched: the same in all cycles
  input wire [$clog2(UB_ROWS)+$clog2(ROW_BYTES)-1:0] watched
);

  localparam RW = $clog2(UB_ROWS);
  localparam NW = $clog2(ROW_BYTES);
  localparam BANKS = 4;
  // Bits of a byte's place in what mm reads
  localparam PW = BF16 != 0 ? NW + 1 : NW;

  reg rst = 1'b1;
  always @(posedge clk) rst <= 1'b0;
  // The first cycle after the reset
  reg fresh_q;
  always @(posedge clk) fresh_q <= rst;

  reg  [RW+NW-1:0] watched_q;
  always @(posedge clk) watched_q <= watched;
  always @* if (!rst) assume (watched == watched_q);
  wire [RW-1:0] row  = watched[RW+NW-1:NW];
  wire [NW-1:0] lane = watched[NW-1:0];

  wire [3:0]      mm_banks;
  wire [3:0]      rd_ready;
  // vo is always served.
  wire [1:0]      wr_ready;
  assign wr_ready[0] = 1'b1;
  // va, vb, vc, st
  wire [32*ROW_BYTES-1:0] data;
  wire [(BF16 != 0 ? 16 : 8)*ROW_BYTES-1:0] mm_port;
  wire [16*ROW_BYTES-1:0] mm_data = mm_port;
  wire            wt_valid = BF16 != 0 && wt_asked;
  wire            wt_ready;
  wire [16*ROW_BYTES-1:0] wt_data;

  tpu_unified_buffer #(
    .ROW_BYTES (ROW_BYTES),
    .UB_ROWS   (UB_ROWS),
    .WIDE      (BF16),
    .BF16      (BF16)
  ) dut (
    .clk         (clk),
    .rst         (rst),
    .mm_rd_valid (mm_valid),
    .mm_rd_banks (mm_banks),
    .mm_rd_addr  (mm_addr),
    .mm_rd_data  (mm_port),
    .va_rd_valid (rd_valid[0]),
    .va_rd_ready (rd_ready[0]),
    .va_rd_row   (rd_row[0 +: RW]),
    .va_rd_data  (data[0 +: 8*ROW_BYTES]),
    .vb_rd_valid (rd_valid[1]),
    .vb_rd_ready (rd_ready[1]),
    .vb_rd_row   (rd_row[RW +: RW]),
    .vb_rd_data  (data[8*ROW_BYTES +: 8*ROW_BYTES]),
    .vc_rd_valid (rd_valid[2]),
    .vc_rd_ready (rd_ready[2]),
    .vc_rd_row   (rd_row[2*RW +: RW]),
    .vc_rd_data  (data[16*ROW_BYTES +: 8*ROW_BYTES]),
    .wt_rd_valid (wt_valid),
    .wt_rd_ready (wt_ready),
    .wt_rd_pair  (wt_pair),
    .wt_rd_row   (wt_row),
    .wt_rd_data  (wt_data),
    .st_rd_valid (rd_valid[3]),
    .st_rd_ready (rd_ready[3]),
    .st_rd_row   (rd_row[3*RW +: RW]),
    .st_rd_data  (data[24*ROW_BYTES +: 8*ROW_BYTES]),
    .vo_wr_valid (wr_valid[0]),
    .vo_wr_row   (wr_row[0 +: RW]),
    .vo_wr_data  (wr_data[0 +: 8*ROW_BYTES]),
    .ld_wr_valid (wr_valid[1]),
    .ld_wr_ready (wr_ready[1]),
    .ld_wr_row   (wr_row[RW +: RW]),
    .ld_wr_data  (wr_data[8*ROW_BYTES +: 8*ROW_BYTES])
  );

  //// Grants: bank by bank, the first port that asks ////

  // Banks that are read, a cycle after the grants
  wire [3:0]    reads;
  wire [3:0]    rd_grant = rd_valid & rd_ready;
  wire [1:0]    wr_grant = wr_valid & wr_ready;
  wire [RW-1:0] mm_row   = mm_addr[RW+NW-1:NW];
  wire [RW-1:0] mm_next  = mm_row + 1'b1;
  // Bytes beyond the last row of the buffer are those of the first.
  wire          mm_two   = mm_addr[NW-1:0] != 0;
  wire          mm_both  = BF16 != 0 && mm_upper;
  wire [1:0]    mm_last  = mm_row[1:0] + 2'd2;
  wire [RW-1:0] wt_next  = wt_row + 1'b1;
  wire          wt_grant = wt_valid && wt_ready;
  wire [3:0]    wt_asks;
  wire [3:0]    above_wt;

  genvar b;
  genvar i;
  generate
    for (b = 0; b < BANKS; b = b + 1) begin : g_bank
      wire       mm_asks = mm_valid && (mm_row[1:0] == b || ((mm_two || mm_both) && mm_next[1:0] == b) || (mm_two && mm_both && mm_last == b));
      assign     mm_banks[b] = mm_valid ? mm_asks : mm_any[b];
      assign     wt_asks[b] = wt_valid && (wt_row[1:0] == b || (wt_pair && wt_next[1:0] == b));
      wire [3:0] rd_asks;
      wire [1:0] wr_asks;
      for (i = 0; i < 4; i = i + 1) begin : g_read
        assign rd_asks[i] = rd_valid[i] && rd_row[RW*i +: 2] == b;
        // Granted, if it asks for this bank, exactly if no other does that comes before it.
        always @* if (!rst && rd_asks[i]) assert (rd_ready[i] == !(mm_asks || (rd_asks & ~({4{1'b1}} << i)) != 0 || (i == 3 && wt_asks[b])));
      end
      for (i = 0; i < 2; i = i + 1) begin : g_write
        assign wr_asks[i] = wr_valid[i] && wr_row[RW*i +: 2] == b;
        always @* if (!rst && wr_asks[i]) assert (wr_ready[i] == !(i == 1 && wr_asks[0]));
      end
      assign     above_wt[b] = mm_asks || rd_asks[2:0] != 0;
      wire [4:0] rd_here = {wt_asks[b] && wt_ready, rd_asks & rd_ready};
      always @* if (!rst) assert (mm_asks ? rd_here == 0 : (rd_here & (rd_here - 1'b1)) == 0);
      // A bank for which no port asks rests.
      reg        asked_q;
      always @(posedge clk) asked_q <= mm_asks || rd_asks != 0 || wt_asks[b];
      always @* if (!rst && !fresh_q) assert (reads[b] == asked_q);
    end
  endgenerate

  //// Reference: the byte, and who was granted a read of it one to three cycles ago ////

  wire [1:0]    written = {wr_grant[1] && wr_row[RW +: RW] == row, wr_grant[0] && wr_row[0 +: RW] == row};
  // Where in a window the byte is
  wire [RW+NW-1:0] mm_lane = watched - mm_addr;
  wire          wt_upper = wt_row != row;
  // mm, va, vb, vc, st, wt from bit 0
  wire [5:0]    read = {wt_grant && (!wt_upper || (wt_pair && wt_next == row)),
                        rd_grant[3] && rd_row[3*RW +: RW] == row,
                        rd_grant[2] && rd_row[2*RW +: RW] == row,
                        rd_grant[1] && rd_row[RW +: RW] == row,
                        rd_grant[0] && rd_row[0 +: RW] == row,
                        mm_valid && mm_lane < (mm_both ? 2 * ROW_BYTES : ROW_BYTES)};

  reg [7:0]    value_q;
  reg [5:0]    read_1_q;
  reg [5:0]    read_2_q;
  reg [5:0]    read_3_q;
  reg [7:0]    value_2_q;
  reg [PW-1:0] lane_1_q;
  reg [PW-1:0] lane_2_q;
  reg [PW-1:0] lane_3_q;
  // Of mm's bytes; of wt's rows
  wire         mm_upper_1 = lane_1_q >> NW;
  wire         mm_upper_2 = lane_2_q >> NW;
  reg          upper_1_q;
  reg          upper_2_q;
  reg          upper_3_q;
  wire [5:0]   granted = {wt_grant, rd_grant, mm_valid};
  reg [5:0]    granted_1_q;
  reg [5:0]    granted_2_q;

  always @(posedge clk) begin
    if (written != 0) begin
      value_q <= written[1] ? wr_data[8*ROW_BYTES+8*lane +: 8] : wr_data[8*lane +: 8];
    end
    // What is written in the cycle after the grant, while it is read, is not defined; semaphores keep programs from it.
    read_1_q    <= rst ? 6'd0 : read;
    read_2_q    <= rst || written != 0 ? 6'd0 : read_1_q;
    read_3_q    <= rst ? 6'd0 : read_2_q | (read_3_q & ~granted_2_q);
    granted_1_q <= rst ? 6'd0 : granted;
    granted_2_q <= rst ? 6'd0 : granted_1_q;
    value_2_q   <= value_q;
    if (mm_valid) begin
      lane_1_q <= mm_lane[PW-1:0];
    end
    if (granted_1_q[0]) begin
      lane_2_q <= lane_1_q;
    end
    if (granted_2_q[0]) begin
      lane_3_q <= lane_2_q;
    end
    upper_1_q <= wt_upper;
    upper_2_q <= upper_1_q;
    if (granted_2_q[5]) begin
      upper_3_q <= upper_2_q;
    end
  end

  // A port keeps its data until that of its next grant.
  generate
    for (i = 0; i < (BF16 != 0 ? 6 : 5); i = i + 1) begin : g_port
      reg  [7:0]    port_3_q;
      wire [7:0]    shown;
      if (i == 0) begin : g_mm
        assign shown = mm_data[8*lane_3_q +: 8];
      end else if (i == 5) begin : g_wt
        wire [NW:0] at = {upper_3_q, lane};
        assign shown = wt_data[8*at +: 8];
      end else begin : g_row
        assign shown = data[8*ROW_BYTES*(i-1)+8*lane +: 8];
      end
      always @(posedge clk) if (read_2_q[i]) port_3_q <= value_2_q;
      always @* if (!rst && read_3_q[i]) assert (shown == port_3_q);
    end
  endgenerate

  always @* begin
    if (!rst) begin
      assert (written != 2'b11);
      if (BF16 == 0) assert (wt_data == 0);
    end
  end

  //// What makes it inductive: the RAMs, addresses, and the selection of the third cycle ////

  (* hierconn *) wire [8*ROW_BYTES-1:0] \dut.g_bank[0].u_ram.memory[0] ;
  (* hierconn *) wire [8*ROW_BYTES-1:0] \dut.g_bank[0].u_ram.memory[1] ;
  (* hierconn *) wire [8*ROW_BYTES-1:0] \dut.g_bank[1].u_ram.memory[0] ;
  (* hierconn *) wire [8*ROW_BYTES-1:0] \dut.g_bank[1].u_ram.memory[1] ;
  (* hierconn *) wire [8*ROW_BYTES-1:0] \dut.g_bank[2].u_ram.memory[0] ;
  (* hierconn *) wire [8*ROW_BYTES-1:0] \dut.g_bank[2].u_ram.memory[1] ;
  (* hierconn *) wire [8*ROW_BYTES-1:0] \dut.g_bank[3].u_ram.memory[0] ;
  (* hierconn *) wire [8*ROW_BYTES-1:0] \dut.g_bank[3].u_ram.memory[1] ;
  (* hierconn *) wire [8*ROW_BYTES-1:0] \dut.g_bank[0].u_ram.rd_data ;
  (* hierconn *) wire [8*ROW_BYTES-1:0] \dut.g_bank[1].u_ram.rd_data ;
  (* hierconn *) wire [8*ROW_BYTES-1:0] \dut.g_bank[2].u_ram.rd_data ;
  (* hierconn *) wire [8*ROW_BYTES-1:0] \dut.g_bank[3].u_ram.rd_data ;
  (* hierconn *) wire         \dut.g_bank[0].u_ram.rd_en ;
  (* hierconn *) wire           \dut.g_bank[1].u_ram.rd_en ;
  (* hierconn *) wire           \dut.g_bank[2].u_ram.rd_en ;
  (* hierconn *) wire           \dut.g_bank[3].u_ram.rd_en ;
  (* hierconn *) wire [RW-3:0]  \dut.g_bank[0].rd_line_q ;
  (* hierconn *) wire [RW-3:0]  \dut.g_bank[1].rd_line_q ;
  (* hierconn *) wire [RW-3:0]  \dut.g_bank[2].rd_line_q ;
  (* hierconn *) wire [RW-3:0]  \dut.g_bank[3].rd_line_q ;
  (* hierconn *) wire [4:0]     \dut.granted1_q ;
  (* hierconn *) wire [4:0]     \dut.granted2_q ;
  (* hierconn *) wire [7:0]     \dut.banks1_q ;
  (* hierconn *) wire [7:0]     \dut.banks2_q ;
  (* hierconn *) wire [1:0]     \dut.mm_bank1_q ;
  (* hierconn *) wire [NW-1:0]  \dut.mm_offset1_q ;
  (* hierconn *) wire [NW-1:0]  \dut.mm_offset2_q ;
  (* hierconn *) wire [2*ROW_BYTES-1:0] \dut.mm_banks2_q ;
  // With BF16
  (* hierconn *) wire [1:0]     \dut.g_weights.wt_granted_q ;
  (* hierconn *) wire [1:0]     \dut.g_weights.wt_bank1_q ;
  (* hierconn *) wire [1:0]     \dut.g_weights.wt_bank2_q ;

  // Row r is line r / 4 of bank r % 4.
  wire [64*ROW_BYTES-1:0] memory = {\dut.g_bank[3].u_ram.memory[1] , \dut.g_bank[2].u_ram.memory[1] ,
                            \dut.g_bank[1].u_ram.memory[1] , \dut.g_bank[0].u_ram.memory[1] ,
                            \dut.g_bank[3].u_ram.memory[0] , \dut.g_bank[2].u_ram.memory[0] ,
                            \dut.g_bank[1].u_ram.memory[0] , \dut.g_bank[0].u_ram.memory[0] };
  wire [32*ROW_BYTES-1:0] bank   = {\dut.g_bank[3].u_ram.rd_data , \dut.g_bank[2].u_ram.rd_data ,
                            \dut.g_bank[1].u_ram.rd_data , \dut.g_bank[0].u_ram.rd_data };
  assign          reads  = {\dut.g_bank[3].u_ram.rd_en , \dut.g_bank[2].u_ram.rd_en , \dut.g_bank[1].u_ram.rd_en , \dut.g_bank[0].u_ram.rd_en };
  wire [4*(RW-2)-1:0] lines = {\dut.g_bank[3].rd_line_q , \dut.g_bank[2].rd_line_q ,
                               \dut.g_bank[1].rd_line_q , \dut.g_bank[0].rd_line_q };

  // The byte has some value to begin with.
  wire [7:0] stored = memory[8*watched +: 8];
  always @* if (!rst && fresh_q) assume (value_q == stored);

  always @* begin
    if (!rst) begin
      assert (value_q == stored);
      assert (\dut.granted1_q == granted_1_q[4:0] && \dut.granted2_q == granted_2_q[4:0]);
      assert ((read_1_q & ~granted_1_q) == 0 && (read_2_q & ~granted_2_q) == 0);
      // Its bank reads its line; has read it.
      if (read_1_q != 0) assert (reads[row[1:0]] && lines[(RW-2)*row[1:0] +: RW-2] == row[RW-1:2]);
      if (read_2_q != 0) assert (bank[8*ROW_BYTES*row[1:0]+8*lane +: 8] == value_2_q);
      if (read_1_q[0]) begin
        assert (\dut.mm_offset1_q == lane - lane_1_q[NW-1:0]);
        assert (\dut.mm_bank1_q + (lane < \dut.mm_offset1_q ) + mm_upper_1 == row[1:0]);
      end
      if (read_2_q[0]) begin
        assert (\dut.mm_offset2_q == lane - lane_2_q[NW-1:0]);
        assert (\dut.mm_banks2_q [2*lane +: 2] + mm_upper_2 == row[1:0]);
      end
    end
  end

  generate
    for (i = 0; i < 4; i = i + 1) begin : g_selected
      always @* if (!rst && read_1_q[i+1]) assert (\dut.banks1_q [2*i +: 2] == row[1:0]);
      always @* if (!rst && read_2_q[i+1]) assert (\dut.banks2_q [2*i +: 2] == row[1:0]);
    end
  endgenerate

  generate
    if (BF16 != 0) begin : g_pairs
      // Both rows of a pair or none
      always @* if (!rst && wt_valid) assert (wt_ready == ((wt_asks & above_wt) == 0));

      wire [1:0] bank_1 = \dut.g_weights.wt_bank1_q + upper_1_q;
      wire [1:0] bank_2 = \dut.g_weights.wt_bank2_q + upper_2_q;
      always @* if (!rst) assert (\dut.g_weights.wt_granted_q == {granted_2_q[5], granted_1_q[5]});
      always @* if (!rst && read_1_q[5]) assert (bank_1 == row[1:0]);
      always @* if (!rst && read_2_q[5]) assert (bank_2 == row[1:0]);
    end
  endgenerate

endmodule

`default_nettype wire
