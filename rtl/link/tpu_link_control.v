// Decides what a frame is answered with, and lets the memory, the registers and the sender do it.
//
// A frame that is damaged, or whose number is ahead of the expected one, asks the host to send again from there. One whose number is behind
// was done before, and its answer was lost: reading is done again, writing is only answered. So each write happens once, in the host's order.
// Behind a reset only HELLO is done: the board does not know any more what was done before.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "tpu_link.vh"

module tpu_link_control #(
  // What HELLO answers: Hz of the clock
  parameter CLOCK_HZ = 60000000,
  // and bytes of memory
  parameter MEMORY_BYTES = 33554432
) (
  input  wire        clk,
  input  wire        rst,

  // Interrupt of the TPU
  input  wire        irq,

  // The frame, which stays until taken
  input  wire        frame_valid,
  output wire        frame_taken,
  input  wire        frame_good,
  input  wire [7:0]  frame_number,
  input  wire [7:0]  frame_command,
  input  wire [31:0] frame_address,
  input  wire [31:0] frame_length,

  // Memory (tpu_link_memory) and registers (tpu_link_registers)
  output wire        memory_read,
  output wire        memory_write,
  output wire        memory_crc,
  input  wire        memory_done,
  input  wire        memory_failed,
  input  wire [31:0] crc,
  output wire        registers_read,
  output wire        registers_write,
  output wire [7:0]  registers_last_word,
  input  wire        registers_done,
  input  wire        registers_failed,

  // Buffer
  output wire        wr_en,
  output wire [7:0]  wr_word,
  output wire [31:0] wr_data,

  // The answer, which stays until done
  output wire        answer,
  output wire [7:0]  answer_number,
  output wire [7:0]  answer_status,
  output wire [9:0]  answer_first,
  output wire [10:0] answer_count,
  input  wire        answer_done
);

  localparam [2:0] IDLE   = 3'd0;
  localparam [2:0] CHECK  = 3'd1; // Is the frame to be done?
  localparam [2:0] START  = 3'd2;
  localparam [2:0] BUSY   = 3'd3;
  localparam [2:0] VALUES = 3'd4; // Puts words of an answer into the buffer.
  localparam [2:0] ANSWER = 3'd5;

  localparam [31:0] BLOCK  = `TPU_LINK_BLOCK_BYTES;
  localparam [31:0] HZ     = CLOCK_HZ;
  localparam [31:0] MEMORY = MEMORY_BYTES;

  wire is_hello           = frame_command == `TPU_LINK_COMMAND_HELLO;
  wire is_read_memory     = frame_command == `TPU_LINK_COMMAND_READ_MEMORY;
  wire is_write_memory    = frame_command == `TPU_LINK_COMMAND_WRITE_MEMORY;
  wire is_read_registers  = frame_command == `TPU_LINK_COMMAND_READ_REGISTERS;
  wire is_write_registers = frame_command == `TPU_LINK_COMMAND_WRITE_REGISTERS;
  wire is_checksum        = frame_command == `TPU_LINK_COMMAND_CHECKSUM;
  wire is_wait            = frame_command == `TPU_LINK_COMMAND_WAIT;

  reg [2:0]  state_q;
  // A HELLO came since the reset.
  reg        open_q;
  reg [7:0]  expected_q;
  reg [7:0]  number_q;
  reg [7:0]  status_q;
  // A write failed since HELLO, whose answer may have been lost.
  reg        error_q;
  // The next word of an answer
  reg [1:0]  word_q;
  reg [31:0] wait_q;
  reg        irq_q;
  reg        block_range_q;
  reg        word_range_q;
  reg        long_range_q;

  // ---- Checks, in registers when the frame is looked at ------------------------------------------------

  wire [32:0] range_end = {1'b0, frame_address} + {1'b0, frame_length};
  wire [10:0] block_end = {1'b0, frame_address[9:0]} + frame_length[10:0];
  wire        in_block  = frame_length != 32'd0 && frame_length <= BLOCK && block_end <= BLOCK[10:0];
  wire [7:0]  ahead     = frame_number - expected_q;
  wire        behind    = ahead[7];
  wire        in_order  = ahead == 8'd0;
  wire        closed    = !open_q && !is_hello;
  wire        resend    = !frame_good || (open_q && !is_hello && !behind && !in_order);
  wire        allowed   = is_hello || is_wait || (is_checksum && long_range_q) ||
                          ((is_read_memory || is_write_memory) && block_range_q) ||
                          ((is_read_registers || is_write_registers) && word_range_q);
  wire        done_before = behind && (is_write_memory || is_write_registers);

  always @(posedge clk) begin
    block_range_q <= in_block;
    word_range_q  <= in_block && frame_address[1:0] == 2'd0 && frame_length[1:0] == 2'd0;
    long_range_q  <= frame_length != 32'd0 && (!range_end[32] || range_end[31:0] == 32'd0);
    irq_q         <= irq;
  end

  // ---- Doing ------------------------------------------------------------------------------------------

  wire start  = state_q == START;
  wire waited = is_wait && (irq_q || wait_q == 32'd0);
  wire ends   = memory_done || registers_done || waited;
  wire failed = (memory_done && memory_failed) || (registers_done && registers_failed);
  wire [7:0] last_place = block_end[9:2] - 8'd1;

  assign memory_read         = start && is_read_memory;
  assign memory_write        = start && is_write_memory;
  assign memory_crc          = start && is_checksum;
  assign registers_read      = start && is_read_registers;
  assign registers_write     = start && is_write_registers;
  assign registers_last_word = last_place;

  // ---- Answering --------------------------------------------------------------------------------------

  wire has_values = is_hello || is_checksum || is_wait;
  wire no_bytes   = status_q != `TPU_LINK_STATUS_OK || is_write_memory || is_write_registers;
  wire last_value = !is_hello || word_q == 2'd3;
  reg  [31:0] value;

  always @* begin
    case (word_q)
      2'd0:    value = is_hello ? frame_address : is_wait ? {31'd0, irq_q} : crc;
      2'd1:    value = `TPU_LINK_VERSION;
      2'd2:    value = HZ;
      default: value = MEMORY;
    endcase
  end

  assign wr_en   = state_q == VALUES;
  assign wr_word = {6'd0, word_q};
  assign wr_data = value;

  assign answer        = state_q == ANSWER;
  assign answer_number = number_q;
  assign answer_status = status_q;
  assign answer_first  = has_values ? 10'd0 : frame_address[9:0];
  assign answer_count  = no_bytes ? 11'd0 : is_hello ? 11'd16 : has_values ? 11'd4 : frame_length[10:0];
  assign frame_taken   = answer && answer_done;

  always @(posedge clk) begin
    case (state_q)
      IDLE: begin
        word_q <= 2'd0;
        wait_q <= frame_length;
        if (frame_valid) begin
          state_q <= CHECK;
        end
      end

      CHECK: begin
        number_q <= resend ? expected_q : frame_number;
        status_q <= resend ? `TPU_LINK_STATUS_RESEND :
                    closed ? `TPU_LINK_STATUS_NO_SESSION :
                    error_q && !is_hello ? `TPU_LINK_STATUS_BUS_ERROR :
                    allowed ? `TPU_LINK_STATUS_OK : `TPU_LINK_STATUS_REFUSED;
        if (!resend && (in_order || is_hello)) begin
          expected_q <= frame_number + 8'd1;
        end
        if (!resend && is_hello) begin
          open_q  <= 1'b1;
          error_q <= 1'b0;
        end
        if (resend || closed || (error_q && !is_hello) || !allowed || done_before) begin
          state_q <= ANSWER;
        end else begin
          state_q <= is_hello ? VALUES : START;
        end
      end

      START: begin
        state_q <= BUSY;
      end

      BUSY: begin
        wait_q <= wait_q - 32'd1;
        if (ends) begin
          error_q  <= failed;
          status_q <= failed ? `TPU_LINK_STATUS_BUS_ERROR : `TPU_LINK_STATUS_OK;
          state_q  <= has_values && !failed ? VALUES : ANSWER;
        end
      end

      VALUES: begin
        word_q <= word_q + 2'd1;
        if (last_value) begin
          state_q <= ANSWER;
        end
      end

      default: begin
        if (answer_done) begin
          state_q <= IDLE;
        end
      end
    endcase
    if (rst) begin
      state_q    <= IDLE;
      open_q     <= 1'b0;
      expected_q <= 8'd0;
      error_q    <= 1'b0;
    end
  end

endmodule

`default_nettype wire
