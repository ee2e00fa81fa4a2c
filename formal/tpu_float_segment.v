// tpu_float_segment: a number's segment, where it begins and the number that is looked up are those of docs/float.md section 3, whatever the input
// holds that the function does not look up. The reference takes numbers as integers of a fixed unit, and divides these by a segment's width.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module formal_tpu_float_segment (
  input wire        clk,
  input wire        en,
  input wire        choose,
  input wire [2:0]  fn,
  input wire [31:0] x,
  input wire [31:0] square,
  input wire [8:0]  address_in
);

  wire [8:0]  address_out;
  wire [31:0] y;
  wire [31:0] start;
  wire [31:0] c0;
  wire [31:0] c1;
  wire [31:0] c2;
  wire [31:0] c3;

  tpu_float_segment dut (
    .clk         (clk),
    .en          (en),
    .choose      (choose),
    .fn          (fn),
    .x           (x),
    .square      (square),
    .address_in  (address_in),
    .address_out (address_out),
    .y           (y),
    .start       (start),
    .c0          (c0),
    .c1          (c1),
    .c2          (c2),
    .c3          (c3)
  );

  localparam [2:0] LOG        = 3'd2;
  localparam [2:0] RECIPROCAL = 3'd3;
  localparam [2:0] RSQRT      = 3'd4;
  localparam [2:0] TANH       = 3'd5;
  localparam [2:0] LOGISTIC   = 3'd6;

  // A positive number below 16 in units of 2^-28, what is less cut off
  function [31:0] fixed;
    input [31:0] number;
    fixed = number[30:23] >= 8'd122 ? {8'd0, 1'b1, number[22:0]} << (number[30:23] - 8'd122) : {8'd0, 1'b1, number[22:0]} >> (8'd122 - number[30:23]);
  endfunction

  // ---- What is looked up: the number, its entry, where its segment begins ------------------------------------
  wire        upper    = x[22:16] >= 7'd53;
  wire        odd      = !x[23];
  wire        small    = x[30:23] < 8'd126;
  wire [31:0] size     = {1'b0, x[30:0]};
  wire [31:0] log_m    = {1'b0, upper ? 8'd126 : 8'd127, x[22:0]};
  wire [31:0] one_m    = {1'b0, 8'd127, x[22:0]};
  wire [31:0] rsqrt_m  = {1'b0, odd ? 8'd128 : 8'd127, x[22:0]};
  wire [31:0] units    = fixed(fn == TANH && small ? square : size);

  reg         told;
  reg  [8:0]  entry;
  reg  [31:0] number;
  reg  [31:0] begins;
  // Of numbers in units: where the segment begins, and how wide it is, a power of 2
  reg         in_units;
  reg  [4:0]  width;
  wire [31:0] first_unit = units >> width << width;

  always @* begin
    told     = 1'b1;
    number   = x;
    begins   = 32'd0;
    entry    = 9'd0;
    in_units = 1'b0;
    width    = 5'd0;
    if (fn == LOG) begin
      number = log_m;
      entry  = 9'd256 + x[22:16];
      begins = {log_m[31:16], 16'd0} + (upper ? 32'h10000 : 32'd0);
    end else if (fn == RECIPROCAL) begin
      number = one_m;
      entry  = 9'd128 + x[22:17];
      begins = {one_m[31:17], 17'd0};
    end else if (fn == RSQRT) begin
      number = rsqrt_m;
      entry  = 9'd192 + (odd ? 9'd32 : 9'd0) + x[22:18];
      begins = {rsqrt_m[31:18], 18'd0};
    end else if (fn == TANH && small) begin
      // Below 1/4, sixteenths
      told     = square < 32'h3E800000;
      number   = square;
      in_units = 1'b1;
      width    = 5'd24;
      entry    = 9'd504 + units[31:24];
    end else if (fn == TANH) begin
      told     = size < 32'h41800000;
      number   = size;
      in_units = 1'b1;
      if (size < 32'h3F800000) begin
        width = 5'd23;
        entry = 9'd384 + (units[31:23] - 9'd16);
      end else if (size < 32'h40000000) begin
        width = 5'd23;
        entry = 9'd400 + (units[31:23] - 9'd32);
      end else if (size < 32'h40800000) begin
        width = 5'd24;
        entry = 9'd432 + (units[31:24] - 9'd32);
      end else if (size < 32'h41000000) begin
        width = 5'd25;
        entry = 9'd464 + (units[31:25] - 9'd32);
      end else begin
        width = 5'd28;
        entry = 9'd496 + (units[31:28] - 9'd8);
      end
    end else if (fn == LOGISTIC) begin
      // 0 to 1, 32nds
      told     = x <= 32'h3F800000;
      in_units = 1'b1;
      width    = 5'd23;
      entry    = 9'd64 + units[31:23];
    end
  end

  always @* begin
    if (!choose) assert (address_out == address_in);
    else if (!en) assert (address_out == 9'd0);
    else if (told) assert (address_out == entry);
  end

  // ---- One cycle later ---------------------------------------------------------------------------------------
  reg        given_q = 1'b0;
  reg        en_q;
  reg        looks_q;
  reg        told_q;
  reg        in_units_q;
  reg [31:0] number_q;
  reg [31:0] begins_q;
  reg [31:0] first_unit_q;
  reg [31:0] y_q;
  reg [31:0] start_q;
  reg [8:0]  address_q;

  always @(posedge clk) begin
    given_q      <= 1'b1;
    en_q         <= en;
    looks_q      <= en && choose;
    told_q       <= told;
    in_units_q   <= in_units;
    number_q     <= number;
    begins_q     <= begins;
    first_unit_q <= first_unit;
    y_q          <= y;
    start_q      <= start;
    if (en) address_q <= address_out;
  end

  reg table_given_q = 1'b0;
  always @(posedge clk) table_given_q <= table_given_q || en;

  always @* begin
    // What formal/models/tpu_float_table.v makes of the address
    if (table_given_q) assert ({c3, c2, c1, c0} == {4{23'd0, address_q}});
    if (given_q) begin
      if (!looks_q) assert (y == y_q && start == start_q);
      else begin
        assert (start[15:0] == 16'd0);
        if (told_q) begin
          assert (y == number_q);
          // Subnormal numbers begin no segment: the first one begins at 0.
          if (!in_units_q) assert (start == begins_q);
          else if (first_unit_q == 0) assert (start == 32'd0);
          else assert (!start[31] && fixed(start) == first_unit_q);
        end
      end
    end
  end

endmodule

`default_nettype wire
