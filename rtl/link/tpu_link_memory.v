// The link's access to memory, an AXI4 master of 32 bits: reads bytes to the buffer, writes bytes from there, or computes the CRC-32 of a
// range. One burst at a time.
//
// A word of the buffer has the place of its address in a block of 1024 bytes. Ranges that are read or written lie within a block; ranges
// of a CRC are read block by block, so that no burst crosses a page.
//
// More than 200 lines and 40 ports, as an AXI4 port is named here, and the three jobs share one burst machine.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_link.vh"

module tpu_link_memory (
  input  wire        clk,
  input  wire        rst,

  // Begins one of the three; address and length (1 or more) stay until done.
  input  wire        start_read,
  input  wire        start_write,
  input  wire        start_crc,
  input  wire [31:0] address,
  input  wire [31:0] length,
  // One cycle at the end
  output wire        done,
  // With done: an access was answered with an error.
  output wire        failed,
  output wire [31:0] crc,

  // Buffer
  output wire        wr_en,
  output wire [7:0]  wr_word,
  output wire [31:0] wr_data,
  output wire        rd_en,
  output wire [7:0]  rd_word,
  input  wire [31:0] rd_data,

  // AXI4
  output wire [31:0] m_axi_awaddr,
  output wire [7:0]  m_axi_awlen,
  output wire [2:0]  m_axi_awsize,
  output wire [1:0]  m_axi_awburst,
  output wire        m_axi_awvalid,
  input  wire        m_axi_awready,
  output wire [31:0] m_axi_wdata,
  output wire [3:0]  m_axi_wstrb,
  output wire        m_axi_wlast,
  output wire        m_axi_wvalid,
  input  wire        m_axi_wready,
  input  wire [1:0]  m_axi_bresp,
  input  wire        m_axi_bvalid,
  output wire        m_axi_bready,
  output wire [31:0] m_axi_araddr,
  output wire [7:0]  m_axi_arlen,
  output wire [2:0]  m_axi_arsize,
  output wire [1:0]  m_axi_arburst,
  output wire        m_axi_arvalid,
  input  wire        m_axi_arready,
  input  wire [31:0] m_axi_rdata,
  input  wire [1:0]  m_axi_rresp,
  input  wire        m_axi_rlast,
  input  wire        m_axi_rvalid,
  output wire        m_axi_rready
);

  localparam [2:0] IDLE     = 3'd0;
  localparam [2:0] BURST    = 3'd1; // Sizes the next burst.
  localparam [2:0] READ     = 3'd2; // Waits for a beat.
  localparam [2:0] BYTES    = 3'd3; // Feeds the beat's bytes to the CRC.
  localparam [2:0] FETCH    = 3'd4; // Reads a word of the buffer.
  localparam [2:0] WRITE    = 3'd5; // Hands the word over.
  localparam [2:0] RESPONSE = 3'd6;
  localparam [2:0] END      = 3'd7;

  reg [2:0]  state_q;
  reg        is_crc_q;
  reg        is_write_q;
  reg        failed_q;
  reg        a_valid_q;
  // Of the burst: its first word, beats less one, the place of its last byte in the block, and whether the range ends with it
  reg [29:0] a_word_q;
  reg [7:0]  a_len_q;
  reg [9:0]  burst_last_q;
  reg        final_q;
  // The next byte, and the last one of the range
  reg [31:0] byte_q;
  reg [31:0] last_q;
  reg [31:0] beat_q;
  wire [31:0] crc_state;

  wire       same_block = byte_q[31:10] == last_q[31:10];
  wire [9:0] burst_last = same_block ? last_q[9:0] : 10'h3ff;
  wire       last_word  = byte_q[9:2] == burst_last_q[9:2];
  wire       last_byte  = byte_q[9:0] == burst_last_q;
  wire       r_beat     = m_axi_rvalid && m_axi_rready;
  wire       w_beat     = m_axi_wvalid && m_axi_wready;
  wire       response   = m_axi_bvalid && m_axi_bready;
  wire       start      = start_read || start_write || start_crc;
  // The bytes of a word that are written: a range may begin and end within words.
  wire [3:0] behind_first = 4'b1111 << byte_q[1:0];
  wire [3:0] before_last  = last_word ? 4'b1111 >> (2'd3 - burst_last_q[1:0]) : 4'b1111;

  assign done   = state_q == END;
  assign failed = failed_q;
  assign crc    = ~crc_state;

  assign wr_en   = r_beat && !is_crc_q;
  assign wr_word = byte_q[9:2];
  assign wr_data = m_axi_rdata;
  assign rd_en   = state_q == FETCH;
  assign rd_word = byte_q[9:2];

  assign m_axi_awaddr  = {a_word_q, 2'b00};
  assign m_axi_awlen   = a_len_q;
  assign m_axi_awsize  = 3'd2;
  assign m_axi_awburst = 2'b01;
  assign m_axi_awvalid = a_valid_q && is_write_q;
  assign m_axi_wdata   = rd_data;
  assign m_axi_wstrb   = behind_first & before_last;
  assign m_axi_wlast   = last_word;
  assign m_axi_wvalid  = state_q == WRITE;
  assign m_axi_bready  = state_q == RESPONSE;
  assign m_axi_araddr  = {a_word_q, 2'b00};
  assign m_axi_arlen   = a_len_q;
  assign m_axi_arsize  = 3'd2;
  assign m_axi_arburst = 2'b01;
  assign m_axi_arvalid = a_valid_q && !is_write_q;
  assign m_axi_rready  = state_q == READ;

  tpu_crc32 u_crc (
    .clk (clk), .clear (start), .en (state_q == BYTES), .data (beat_q[8*byte_q[1:0] +: 8]), .state (crc_state)
  );

  always @(posedge clk) begin
    case (state_q)
      IDLE: begin
        is_crc_q   <= start_crc;
        is_write_q <= start_write;
        failed_q   <= 1'b0;
        byte_q     <= address;
        last_q     <= address + length - 32'd1;
        if (start) begin
          state_q <= BURST;
        end
      end

      BURST: begin
        a_valid_q    <= 1'b1;
        a_word_q     <= byte_q[31:2];
        a_len_q      <= burst_last[9:2] - byte_q[9:2];
        burst_last_q <= burst_last;
        final_q      <= same_block;
        state_q      <= is_write_q ? FETCH : READ;
      end

      READ: begin
        beat_q <= m_axi_rdata;
        if (r_beat && is_crc_q) begin
          state_q <= BYTES;
        end else if (r_beat) begin
          byte_q <= {byte_q[31:2] + 30'd1, 2'b00};
          if (last_word) begin
            state_q <= END;
          end
        end
      end

      BYTES: begin
        byte_q <= byte_q + 32'd1;
        if (last_byte) begin
          state_q <= final_q ? END : BURST;
        end else if (byte_q[1:0] == 2'd3) begin
          state_q <= READ;
        end
      end

      FETCH: begin
        state_q <= WRITE;
      end

      WRITE: begin
        if (w_beat) begin
          byte_q  <= {byte_q[31:2] + 30'd1, 2'b00};
          state_q <= last_word ? RESPONSE : FETCH;
        end
      end

      RESPONSE: begin
        if (response) begin
          state_q <= END;
        end
      end

      default: begin
        state_q <= IDLE;
      end
    endcase
    if ((m_axi_awvalid && m_axi_awready) || (m_axi_arvalid && m_axi_arready)) begin
      a_valid_q <= 1'b0;
    end
    if ((r_beat && m_axi_rresp != 2'b00) || (response && m_axi_bresp != 2'b00)) begin
      failed_q <= 1'b1;
    end
    if (rst) begin
      state_q   <= IDLE;
      a_valid_q <= 1'b0;
    end
  end

  wire unused = &{1'b0, m_axi_rlast};

endmodule

`default_nettype wire
