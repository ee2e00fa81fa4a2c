// The segment of a function's table in which a number lies, where the segment begins, and the coefficients of its polynomial.
//
//   cycle t    en: address_in, or with `choose` the function, x and its square; address_out is the segment's address
//         t+1  c0 to c3; with `choose`, y is the number that was looked up, and `start` where its segment begins
//
// The square is looked up of a tangent below 1/2, and elsewhere does not matter. Whatever is looked up, `start` is a bf16 number. A function
// without segments, as the exponential is, gets the address 0, and x and 0 as y and start. y and start stay until the next number is looked
// up, and c0 to c3 until the next `en`. With `choose` but without `en` address_out is 0.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module tpu_float_segment (
  input  wire        clk,

  input  wire        en,
  input  wire        choose,
  // As in tpu_float_function
  input  wire [2:0]  fn,
  input  wire [31:0] x,
  input  wire [31:0] square,
  input  wire [8:0]  address_in,
  output wire [8:0]  address_out,

  output wire [31:0] y,
  output wire [31:0] start,
  output wire [31:0] c0,
  output wire [31:0] c1,
  output wire [31:0] c2,
  output wire [31:0] c3
);

`include "tpu_float_function.vh"

  // Address, the number that is looked up, and where its segment begins
  function [72:0] segment_of;
    input [2:0]  f;
    input [31:0] argument;
    input [31:0] squared;
    reg          upper_part;
    reg   [8:0]  place;
    reg   [31:0] number;
    reg   [31:0] begins;
    reg   [22:0] kept;
    begin
      upper_part = argument[22:16] >= 7'd53;
      place      = 9'd0;
      number          = argument;
      begins      = 32'd0;
      case (f)
        `TPU_FLOAT_LOG: begin
          place = {2'b10, argument[22:16]};
          number     = {1'b0, upper_part ? 8'd126 : 8'd127, argument[22:0]};
          begins = {number[31:16], 16'd0} + {15'd0, upper_part, 16'd0};
        end
        `TPU_FLOAT_RECIPROCAL: begin
          place = {3'b010, argument[22:17]};
          number     = {1'b0, 8'd127, argument[22:0]};
          begins = {number[31:17], 17'd0};
        end
        `TPU_FLOAT_RSQRT: begin
          place = {3'b011, ~argument[23], argument[22:18]};
          number     = {1'b0, argument[23] ? 8'd127 : 8'd128, argument[22:0]};
          begins = {number[31:18], 18'd0};
        end
        `TPU_FLOAT_TANH: begin
          kept = 23'd0;
          if (argument[30:23] < 8'd126) begin
            number     = squared;
            place = 9'd504;
            if (number[30:23] == 8'd124) begin
              place = {8'b11111101, number[22]};
              kept  = 23'h400000;
            end else if (number[30:23] == 8'd123) begin
              place = 9'd505;
            end
            begins = number[30:23] < 8'd123 ? 32'd0 : {number[31:23], number[22:0] & kept};
          end else begin
            number = {1'b0, argument[30:0]};
            case (argument[30:23])
              8'd126: begin
                place = 9'd384 + {5'd0, argument[22:19]};
                kept  = 23'h780000;
              end
              8'd127: begin
                place = 9'd400 + {4'd0, argument[22:18]};
                kept  = 23'h7C0000;
              end
              8'd128: begin
                place = 9'd432 + {4'd0, argument[22:18]};
                kept  = 23'h7C0000;
              end
              8'd129: begin
                place = 9'd464 + {4'd0, argument[22:18]};
                kept  = 23'h7C0000;
              end
              default: begin
                place = 9'd496 + {6'd0, argument[22:20]};
                kept  = 23'h700000;
              end
            endcase
            begins = {number[31:23], number[22:0] & kept};
          end
        end
        `TPU_FLOAT_LOGISTIC: begin
          case (argument[30:23])
            8'd122:  {place, kept} = {9'd64 + 9'd1, 23'h000000};
            8'd123:  {place, kept} = {9'd64 + {7'd0, 1'b1, argument[22]}, 23'h400000};
            8'd124:  {place, kept} = {9'd64 + {6'd0, 1'b1, argument[22:21]}, 23'h600000};
            8'd125:  {place, kept} = {9'd64 + {5'd0, 1'b1, argument[22:20]}, 23'h700000};
            8'd126:  {place, kept} = {9'd64 + {4'd0, 1'b1, argument[22:19]}, 23'h780000};
            8'd127:  {place, kept} = {9'd64 + 9'd32, 23'h000000};
            default: {place, kept} = {9'd64, 23'h000000};
          endcase
          begins = argument[30:23] < 8'd122 ? 32'd0 : {argument[31:23], argument[22:0] & kept};
        end
        default: place = 9'd0;
      endcase
      segment_of = {place, number, begins};
    end
  endfunction

  // Computed only where it is wanted, for the simulation's sake
  reg [72:0] segment;

  always @* begin
    segment = 73'd0;
    if (en && choose) begin
      segment = segment_of(fn, x, square);
    end
  end

  assign address_out = choose ? segment[72:64] : address_in;

  reg [63:0] number_q;

  assign {y, start} = number_q;

  always @(posedge clk) begin
    if (en && choose) begin
      number_q <= segment[63:0];
    end
  end

  tpu_float_table u_table (
    .clk     (clk),
    .en      (en),
    .address (address_out),
    .c0      (c0),
    .c1      (c1),
    .c2      (c2),
    .c3      (c3)
  );

endmodule

`default_nettype wire
