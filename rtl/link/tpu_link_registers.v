// The link's access to registers, an AXI4-Lite master: reads words to the buffer, or writes words from there, one after the other.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_assert.vh"

module tpu_link_registers (
  input  wire        clk,
  input  wire        rst,

  // Begins one of the two; address and the place of the last word in the block stay until done. A reset ends it at once.
  input  wire        start_read,
  input  wire        start_write,
  input  wire [31:0] address,
  input  wire [7:0]  last_word,
  // One cycle at the end
  output wire        done,
  // With done: an access was answered with an error.
  output wire        failed,

  // Buffer
  output wire        wr_en,
  output wire [7:0]  wr_word,
  output wire [31:0] wr_data,
  output wire        rd_en,
  output wire [7:0]  rd_word,
  input  wire [31:0] rd_data,

  // AXI4-Lite
  output wire [31:0] m_axil_awaddr,
  output wire        m_axil_awvalid,
  input  wire        m_axil_awready,
  output wire [31:0] m_axil_wdata,
  output wire [3:0]  m_axil_wstrb,
  output wire        m_axil_wvalid,
  input  wire        m_axil_wready,
  input  wire [1:0]  m_axil_bresp,
  input  wire        m_axil_bvalid,
  output wire        m_axil_bready,
  output wire [31:0] m_axil_araddr,
  output wire        m_axil_arvalid,
  input  wire        m_axil_arready,
  input  wire [31:0] m_axil_rdata,
  input  wire [1:0]  m_axil_rresp,
  input  wire        m_axil_rvalid,
  output wire        m_axil_rready
);

  localparam [1:0] IDLE   = 2'd0;
  localparam [1:0] FETCH  = 2'd1; // Reads a word of the buffer.
  localparam [1:0] ACCESS = 2'd2;
  localparam [1:0] END    = 2'd3;

  reg [1:0] state_q;
  reg       is_write_q;
  reg       failed_q;
  // Not accepted yet
  reg       a_valid_q;
  reg       w_valid_q;
  reg [7:0] word_q;

  // An answer comes to a request alone, and is taken at once.
  wire answer = is_write_q ? m_axil_bvalid : m_axil_rvalid;

  assign done   = state_q == END;
  assign failed = failed_q;

  assign wr_en   = m_axil_rvalid;
  assign wr_word = word_q;
  assign wr_data = m_axil_rdata;
  assign rd_en   = state_q == FETCH;
  assign rd_word = word_q;

  assign m_axil_awaddr  = {address[31:10], word_q, 2'b00};
  assign m_axil_awvalid = a_valid_q && is_write_q;
  assign m_axil_wdata   = rd_data;
  assign m_axil_wstrb   = 4'b1111;
  assign m_axil_wvalid  = w_valid_q;
  assign m_axil_bready  = 1'b1;
  assign m_axil_araddr  = {address[31:10], word_q, 2'b00};
  assign m_axil_arvalid = a_valid_q && !is_write_q;
  assign m_axil_rready  = 1'b1;

  always @(posedge clk) begin
    if ((m_axil_awvalid && m_axil_awready) || (m_axil_arvalid && m_axil_arready)) begin
      a_valid_q <= 1'b0;
    end
    if (m_axil_wvalid && m_axil_wready) begin
      w_valid_q <= 1'b0;
    end
    case (state_q)
      IDLE: begin
        is_write_q <= start_write;
        failed_q   <= 1'b0;
        word_q     <= address[9:2];
        if (start_read || start_write) begin
          state_q <= FETCH;
        end
      end

      FETCH: begin
        a_valid_q <= 1'b1;
        w_valid_q <= is_write_q;
        state_q   <= ACCESS;
      end

      ACCESS: begin
        if (answer) begin
          failed_q <= failed_q || (is_write_q ? m_axil_bresp : m_axil_rresp) != 2'b00;
          word_q   <= word_q + 8'd1;
          state_q  <= word_q == last_word ? END : FETCH;
        end
      end

      default: begin
        state_q <= IDLE;
      end
    endcase
    if (rst) begin
      state_q   <= IDLE;
      a_valid_q <= 1'b0;
      w_valid_q <= 1'b0;
    end
  end

  wire unused = &{1'b0, address[1:0]};

  `TPU_ASSERT(a_read_was_asked_for, !m_axil_rvalid || (state_q == ACCESS && !is_write_q && !a_valid_q))
  `TPU_ASSERT(a_write_was_asked_for, !m_axil_bvalid || (state_q == ACCESS && is_write_q && !a_valid_q && !w_valid_q))

endmodule

`default_nettype wire
