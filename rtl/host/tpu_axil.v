// AXI4-Lite slave: turns the bus into one write strobe and one read strobe.
//
// Address and data of a write may arrive in any order. wr_en comes in the cycle in which the response is made. rd_data is sampled with
// rd_done, one cycle or more after rd_en; rd_word stays until then. One write per two cycles, one read per three if rd_done comes
// at once. Every access is answered with OKAY. An access is made when the response before has been taken, so that nothing inside follows
// BREADY or RREADY within a cycle.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_axil (
  input  wire        clk,
  input  wire        rst,

  // AXI4-Lite
  input  wire [11:0] s_axil_awaddr,
  input  wire [2:0]  s_axil_awprot,
  input  wire        s_axil_awvalid,
  output wire        s_axil_awready,
  input  wire [31:0] s_axil_wdata,
  input  wire [3:0]  s_axil_wstrb,
  input  wire        s_axil_wvalid,
  output wire        s_axil_wready,
  output wire [1:0]  s_axil_bresp,
  output wire        s_axil_bvalid,
  input  wire        s_axil_bready,
  input  wire [11:0] s_axil_araddr,
  input  wire [2:0]  s_axil_arprot,
  input  wire        s_axil_arvalid,
  output wire        s_axil_arready,
  output wire [31:0] s_axil_rdata,
  output wire [1:0]  s_axil_rresp,
  output wire        s_axil_rvalid,
  input  wire        s_axil_rready,

  // Registers, addressed by word
  output wire        wr_en,
  output wire [9:0]  wr_word,
  output wire [31:0] wr_data,
  output wire [3:0]  wr_strb,
  output wire        rd_en,
  output wire [9:0]  rd_word,
  input  wire        rd_done,
  input  wire [31:0] rd_data
);

  // ---- Writes ---------------------------------------------------------------------------------------

  reg        aw_held_q;
  reg [9:0]  aw_word_q;
  reg        w_held_q;
  reg [31:0] w_data_q;
  reg [3:0]  w_strb_q;
  reg        b_valid_q;

  assign s_axil_awready = !aw_held_q;
  assign s_axil_wready  = !w_held_q;
  assign s_axil_bvalid  = b_valid_q;
  assign s_axil_bresp   = 2'b00;

  assign wr_en   = aw_held_q && w_held_q && !b_valid_q;
  assign wr_word = aw_word_q;
  assign wr_data = w_data_q;
  assign wr_strb = w_strb_q;

  always @(posedge clk) begin
    if (s_axil_awvalid && s_axil_awready) begin
      aw_held_q <= 1'b1;
      aw_word_q <= s_axil_awaddr[11:2];
    end
    if (s_axil_wvalid && s_axil_wready) begin
      w_held_q <= 1'b1;
      w_data_q <= s_axil_wdata;
      w_strb_q <= s_axil_wstrb;
    end
    if (wr_en) begin
      aw_held_q <= 1'b0;
      w_held_q  <= 1'b0;
    end
    b_valid_q <= wr_en || (b_valid_q && !s_axil_bready);
    if (rst) begin
      aw_held_q <= 1'b0;
      w_held_q  <= 1'b0;
      b_valid_q <= 1'b0;
    end
  end

  // ---- Reads ----------------------------------------------------------------------------------------

  reg        ar_held_q;
  reg        rd_wait_q;
  reg [9:0]  ar_word_q;
  reg        r_valid_q;
  reg [31:0] r_data_q;

  assign s_axil_arready = !ar_held_q;
  assign s_axil_rvalid  = r_valid_q;
  assign s_axil_rdata   = r_data_q;
  assign s_axil_rresp   = 2'b00;

  assign rd_en   = ar_held_q && !rd_wait_q && !r_valid_q;
  assign rd_word = ar_word_q;

  wire answer = rd_wait_q && rd_done;

  always @(posedge clk) begin
    if (s_axil_arvalid && s_axil_arready) begin
      ar_held_q <= 1'b1;
      ar_word_q <= s_axil_araddr[11:2];
    end
    if (answer) begin
      ar_held_q <= 1'b0;
      r_data_q  <= rd_data;
    end
    rd_wait_q <= rd_en || (rd_wait_q && !rd_done);
    r_valid_q <= answer || (r_valid_q && !s_axil_rready);
    if (rst) begin
      ar_held_q <= 1'b0;
      rd_wait_q <= 1'b0;
      r_valid_q <= 1'b0;
    end
  end

  wire unused = &{1'b0, s_axil_awprot, s_axil_awaddr[1:0], s_axil_arprot, s_axil_araddr[1:0]};

endmodule

`default_nettype wire
