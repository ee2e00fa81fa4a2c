// SPDX-License-Identifier: Apache-2.0
// The models of sim/ecp5 with vectors for ports, in the modes that netlists have.
`default_nettype none

module ecp5_cells (
  input  wire        clk,

  // A table; the multiplexers behind tables
  input  wire [3:0]  table_in,
  output wire [3:0]  table_out,
  input  wire [2:0]  mux_in,
  output wire        pfumx,
  output wire        l6mux21,

  // Carry chains: an adder, a subtractor, one that is cut off
  input  wire        carry_in,
  input  wire [1:0]  carry_a,
  input  wire [1:0]  carry_b,
  output wire [2:0]  carry_add,
  output wire [2:0]  carry_subtract,
  output wire [2:0]  carry_cut,

  // Registers: plain; with enable and set; enabled by 0; asynchronous
  input  wire        ff_reset,
  input  wire        ff_enable,
  input  wire        ff_in,
  output wire [3:0]  ff_out,

  // Memory of a slice
  input  wire        slice_wr_en,
  input  wire [3:0]  slice_wr_addr,
  input  wire [3:0]  slice_wr_data,
  input  wire [3:0]  slice_rd_addr,
  output wire [3:0]  slice_rd_data,

  // Multiplier
  input  wire [17:0] a,
  input  wire [17:0] b,
  input  wire        signed_a,
  input  wire        signed_b,
  output wire [35:0] p,

  // Blocks of memory: one port writes and one reads, 36 bits; the same with 9 bits; two ports of 18 bits, which read first or write through
  input  wire [1:0]  block_en,
  input  wire [1:0]  block_wr_en,
  input  wire [13:0] ada,
  input  wire [13:0] adb,
  input  wire [17:0] dia,
  input  wire [17:0] dib,
  output wire [35:0] block_36,
  output wire [17:0] block_9,
  output wire [35:0] block_two
);

  LUT4 #(.INIT(16'h8000)) u_and (.A(table_in[0]), .B(table_in[1]), .C(table_in[2]), .D(table_in[3]), .Z(table_out[0]));
  LUT4 #(.INIT(16'hAAAA)) u_a (.A(table_in[0]), .B(table_in[1]), .C(table_in[2]), .D(table_in[3]), .Z(table_out[1]));
  LUT4 #(.INIT(16'hFF00)) u_d (.A(table_in[0]), .B(table_in[1]), .C(table_in[2]), .D(table_in[3]), .Z(table_out[2]));
  LUT4 #(.INIT(16'h2C71)) u_any (.A(table_in[0]), .B(table_in[1]), .C(table_in[2]), .D(table_in[3]), .Z(table_out[3]));

  PFUMX u_pfumx (.ALUT(mux_in[0]), .BLUT(mux_in[1]), .C0(mux_in[2]), .Z(pfumx));
  L6MUX21 u_l6mux21 (.D0(mux_in[0]), .D1(mux_in[1]), .SD(mux_in[2]), .Z(l6mux21));

  CCU2C #(.INIT0(16'h96AA), .INIT1(16'h96AA), .INJECT1_0("NO"), .INJECT1_1("NO")) u_add (
    .CIN(carry_in), .A0(carry_a[0]), .B0(carry_b[0]), .C0(1'b0), .D0(1'b1), .A1(carry_a[1]), .B1(carry_b[1]), .C1(1'b0), .D1(1'b1),
    .S0(carry_add[0]), .S1(carry_add[1]), .COUT(carry_add[2])
  );
  CCU2C #(.INIT0(16'h96AA), .INIT1(16'h96AA), .INJECT1_0("NO"), .INJECT1_1("NO")) u_subtract (
    .CIN(carry_in), .A0(carry_a[0]), .B0(carry_b[0]), .C0(1'b1), .D0(1'b1), .A1(carry_a[1]), .B1(carry_b[1]), .C1(1'b1), .D1(1'b1),
    .S0(carry_subtract[0]), .S1(carry_subtract[1]), .COUT(carry_subtract[2])
  );
  CCU2C #(.INIT0(16'h96AA), .INIT1(16'h96AA), .INJECT1_0("YES"), .INJECT1_1("NO")) u_cut (
    .CIN(carry_in), .A0(carry_a[0]), .B0(carry_b[0]), .C0(1'b0), .D0(1'b1), .A1(carry_a[1]), .B1(carry_b[1]), .C1(1'b0), .D1(1'b1),
    .S0(carry_cut[0]), .S1(carry_cut[1]), .COUT(carry_cut[2])
  );

  TRELLIS_FF #(.CEMUX("1"), .REGSET("RESET"), .SRMODE("LSR_OVER_CE")) u_plain (
    .CLK(clk), .LSR(ff_reset), .CE(ff_enable), .DI(ff_in), .Q(ff_out[0])
  );
  TRELLIS_FF #(.CEMUX("CE"), .REGSET("SET"), .SRMODE("LSR_OVER_CE")) u_set (
    .CLK(clk), .LSR(ff_reset), .CE(ff_enable), .DI(ff_in), .Q(ff_out[1])
  );
  TRELLIS_FF #(.CEMUX("INV"), .REGSET("RESET"), .SRMODE("LSR_OVER_CE")) u_inverted (
    .CLK(clk), .LSR(ff_reset), .CE(ff_enable), .DI(ff_in), .Q(ff_out[2])
  );
  TRELLIS_FF #(.CEMUX("CE"), .REGSET("SET"), .SRMODE("ASYNC")) u_async (
    .CLK(clk), .LSR(ff_reset), .CE(ff_enable), .DI(ff_in), .Q(ff_out[3])
  );

  TRELLIS_DPR16X4 u_slice (
    .WCK(clk), .WRE(slice_wr_en), .WAD(slice_wr_addr), .DI(slice_wr_data), .RAD(slice_rd_addr), .DO(slice_rd_data)
  );

  MULT18X18D u_mult (
    .SIGNEDA(signed_a), .SIGNEDB(signed_b), .SOURCEA(1'b0), .SOURCEB(1'b0), .A0(a[0]), .A1(a[1]), .A2(a[2]), .A3(a[3]), .A4(a[4]),
    .A5(a[5]), .A6(a[6]), .A7(a[7]), .A8(a[8]), .A9(a[9]), .A10(a[10]), .A11(a[11]), .A12(a[12]), .A13(a[13]), .A14(a[14]), .A15(a[15]),
    .A16(a[16]), .A17(a[17]), .B0(b[0]), .B1(b[1]), .B2(b[2]), .B3(b[3]), .B4(b[4]), .B5(b[5]), .B6(b[6]), .B7(b[7]), .B8(b[8]),
    .B9(b[9]), .B10(b[10]), .B11(b[11]), .B12(b[12]), .B13(b[13]), .B14(b[14]), .B15(b[15]), .B16(b[16]), .B17(b[17]), .C0(1'b0),
    .C1(1'b0), .C2(1'b0), .C3(1'b0), .C4(1'b0), .C5(1'b0), .C6(1'b0), .C7(1'b0), .C8(1'b0), .C9(1'b0), .C10(1'b0), .C11(1'b0),
    .C12(1'b0), .C13(1'b0), .C14(1'b0), .C15(1'b0), .C16(1'b0), .C17(1'b0), .P0(p[0]), .P1(p[1]), .P2(p[2]), .P3(p[3]), .P4(p[4]),
    .P5(p[5]), .P6(p[6]), .P7(p[7]), .P8(p[8]), .P9(p[9]), .P10(p[10]), .P11(p[11]), .P12(p[12]), .P13(p[13]), .P14(p[14]), .P15(p[15]),
    .P16(p[16]), .P17(p[17]), .P18(p[18]), .P19(p[19]), .P20(p[20]), .P21(p[21]), .P22(p[22]), .P23(p[23]), .P24(p[24]), .P25(p[25]),
    .P26(p[26]), .P27(p[27]), .P28(p[28]), .P29(p[29]), .P30(p[30]), .P31(p[31]), .P32(p[32]), .P33(p[33]), .P34(p[34]), .P35(p[35])
  );

  DP16KD #(.DATA_WIDTH_A(36), .DATA_WIDTH_B(36)) u_block_36 (
    .CLKA(clk), .CEA(block_en[0]), .WEA(block_wr_en[0]), .OCEA(1'b1), .RSTA(1'b0), .CSA0(1'b0), .CSA1(1'b0), .CSA2(1'b0),
    .CLKB(clk), .CEB(block_en[1]), .WEB(1'b0), .OCEB(1'b1), .RSTB(1'b0), .CSB0(1'b0), .CSB1(1'b0), .CSB2(1'b0), .ADA0(ada[0]),
    .ADA1(ada[1]), .ADA2(ada[2]), .ADA3(ada[3]), .ADA4(ada[4]), .ADA5(ada[5]), .ADA6(ada[6]), .ADA7(ada[7]), .ADA8(ada[8]),
    .ADA9(ada[9]), .ADA10(ada[10]), .ADA11(ada[11]), .ADA12(ada[12]), .ADA13(ada[13]), .ADB0(adb[0]), .ADB1(adb[1]), .ADB2(adb[2]),
    .ADB3(adb[3]), .ADB4(adb[4]), .ADB5(adb[5]), .ADB6(adb[6]), .ADB7(adb[7]), .ADB8(adb[8]), .ADB9(adb[9]), .ADB10(adb[10]),
    .ADB11(adb[11]), .ADB12(adb[12]), .ADB13(adb[13]), .DIA0(dia[0]), .DIA1(dia[1]), .DIA2(dia[2]), .DIA3(dia[3]), .DIA4(dia[4]),
    .DIA5(dia[5]), .DIA6(dia[6]), .DIA7(dia[7]), .DIA8(dia[8]), .DIA9(dia[9]), .DIA10(dia[10]), .DIA11(dia[11]), .DIA12(dia[12]),
    .DIA13(dia[13]), .DIA14(dia[14]), .DIA15(dia[15]), .DIA16(dia[16]), .DIA17(dia[17]), .DIB0(dib[0]), .DIB1(dib[1]), .DIB2(dib[2]),
    .DIB3(dib[3]), .DIB4(dib[4]), .DIB5(dib[5]), .DIB6(dib[6]), .DIB7(dib[7]), .DIB8(dib[8]), .DIB9(dib[9]), .DIB10(dib[10]),
    .DIB11(dib[11]), .DIB12(dib[12]), .DIB13(dib[13]), .DIB14(dib[14]), .DIB15(dib[15]), .DIB16(dib[16]), .DIB17(dib[17]),
    .DOA0(block_36[0]), .DOA1(block_36[1]), .DOA2(block_36[2]), .DOA3(block_36[3]), .DOA4(block_36[4]), .DOA5(block_36[5]),
    .DOA6(block_36[6]), .DOA7(block_36[7]), .DOA8(block_36[8]), .DOA9(block_36[9]), .DOA10(block_36[10]), .DOA11(block_36[11]),
    .DOA12(block_36[12]), .DOA13(block_36[13]), .DOA14(block_36[14]), .DOA15(block_36[15]), .DOA16(block_36[16]), .DOA17(block_36[17]),
    .DOB0(block_36[18]), .DOB1(block_36[19]), .DOB2(block_36[20]), .DOB3(block_36[21]), .DOB4(block_36[22]), .DOB5(block_36[23]),
    .DOB6(block_36[24]), .DOB7(block_36[25]), .DOB8(block_36[26]), .DOB9(block_36[27]), .DOB10(block_36[28]), .DOB11(block_36[29]),
    .DOB12(block_36[30]), .DOB13(block_36[31]), .DOB14(block_36[32]), .DOB15(block_36[33]), .DOB16(block_36[34]), .DOB17(block_36[35])
  );

  DP16KD #(.DATA_WIDTH_A(9), .DATA_WIDTH_B(9)) u_block_9 (
    .CLKA(clk), .CEA(block_en[0]), .WEA(block_wr_en[0]), .OCEA(1'b1), .RSTA(1'b0), .CSA0(1'b0), .CSA1(1'b0), .CSA2(1'b0),
    .CLKB(clk), .CEB(block_en[1]), .WEB(1'b0), .OCEB(1'b1), .RSTB(1'b0), .CSB0(1'b0), .CSB1(1'b0), .CSB2(1'b0), .ADA0(ada[0]),
    .ADA1(ada[1]), .ADA2(ada[2]), .ADA3(ada[3]), .ADA4(ada[4]), .ADA5(ada[5]), .ADA6(ada[6]), .ADA7(ada[7]), .ADA8(ada[8]),
    .ADA9(ada[9]), .ADA10(ada[10]), .ADA11(ada[11]), .ADA12(ada[12]), .ADA13(ada[13]), .ADB0(adb[0]), .ADB1(adb[1]), .ADB2(adb[2]),
    .ADB3(adb[3]), .ADB4(adb[4]), .ADB5(adb[5]), .ADB6(adb[6]), .ADB7(adb[7]), .ADB8(adb[8]), .ADB9(adb[9]), .ADB10(adb[10]),
    .ADB11(adb[11]), .ADB12(adb[12]), .ADB13(adb[13]), .DIA0(dia[0]), .DIA1(dia[1]), .DIA2(dia[2]), .DIA3(dia[3]), .DIA4(dia[4]),
    .DIA5(dia[5]), .DIA6(dia[6]), .DIA7(dia[7]), .DIA8(dia[8]), .DIA9(dia[9]), .DIA10(dia[10]), .DIA11(dia[11]), .DIA12(dia[12]),
    .DIA13(dia[13]), .DIA14(dia[14]), .DIA15(dia[15]), .DIA16(dia[16]), .DIA17(dia[17]), .DIB0(dib[0]), .DIB1(dib[1]), .DIB2(dib[2]),
    .DIB3(dib[3]), .DIB4(dib[4]), .DIB5(dib[5]), .DIB6(dib[6]), .DIB7(dib[7]), .DIB8(dib[8]), .DIB9(dib[9]), .DIB10(dib[10]),
    .DIB11(dib[11]), .DIB12(dib[12]), .DIB13(dib[13]), .DIB14(dib[14]), .DIB15(dib[15]), .DIB16(dib[16]), .DIB17(dib[17]),
    .DOB0(block_9[0]), .DOB1(block_9[1]), .DOB2(block_9[2]), .DOB3(block_9[3]), .DOB4(block_9[4]), .DOB5(block_9[5]), .DOB6(block_9[6]),
    .DOB7(block_9[7]), .DOB8(block_9[8]), .DOB9(block_9[9]), .DOB10(block_9[10]), .DOB11(block_9[11]), .DOB12(block_9[12]),
    .DOB13(block_9[13]), .DOB14(block_9[14]), .DOB15(block_9[15]), .DOB16(block_9[16]), .DOB17(block_9[17])
  );

  DP16KD #(.DATA_WIDTH_A(18), .DATA_WIDTH_B(18), .WRITEMODE_A("READBEFOREWRITE"), .WRITEMODE_B("WRITETHROUGH")) u_block_two (
    .CLKA(clk), .CEA(block_en[0]), .WEA(block_wr_en[0]), .OCEA(1'b1), .RSTA(1'b0), .CSA0(1'b0), .CSA1(1'b0), .CSA2(1'b0),
    .CLKB(clk), .CEB(block_en[1]), .WEB(block_wr_en[1]), .OCEB(1'b1), .RSTB(1'b0), .CSB0(1'b0), .CSB1(1'b0), .CSB2(1'b0), .ADA0(ada[0]),
    .ADA1(ada[1]), .ADA2(ada[2]), .ADA3(ada[3]), .ADA4(ada[4]), .ADA5(ada[5]), .ADA6(ada[6]), .ADA7(ada[7]), .ADA8(ada[8]),
    .ADA9(ada[9]), .ADA10(ada[10]), .ADA11(ada[11]), .ADA12(ada[12]), .ADA13(ada[13]), .ADB0(adb[0]), .ADB1(adb[1]), .ADB2(adb[2]),
    .ADB3(adb[3]), .ADB4(adb[4]), .ADB5(adb[5]), .ADB6(adb[6]), .ADB7(adb[7]), .ADB8(adb[8]), .ADB9(adb[9]), .ADB10(adb[10]),
    .ADB11(adb[11]), .ADB12(adb[12]), .ADB13(adb[13]), .DIA0(dia[0]), .DIA1(dia[1]), .DIA2(dia[2]), .DIA3(dia[3]), .DIA4(dia[4]),
    .DIA5(dia[5]), .DIA6(dia[6]), .DIA7(dia[7]), .DIA8(dia[8]), .DIA9(dia[9]), .DIA10(dia[10]), .DIA11(dia[11]), .DIA12(dia[12]),
    .DIA13(dia[13]), .DIA14(dia[14]), .DIA15(dia[15]), .DIA16(dia[16]), .DIA17(dia[17]), .DIB0(dib[0]), .DIB1(dib[1]), .DIB2(dib[2]),
    .DIB3(dib[3]), .DIB4(dib[4]), .DIB5(dib[5]), .DIB6(dib[6]), .DIB7(dib[7]), .DIB8(dib[8]), .DIB9(dib[9]), .DIB10(dib[10]),
    .DIB11(dib[11]), .DIB12(dib[12]), .DIB13(dib[13]), .DIB14(dib[14]), .DIB15(dib[15]), .DIB16(dib[16]), .DIB17(dib[17]),
    .DOA0(block_two[0]), .DOA1(block_two[1]), .DOA2(block_two[2]), .DOA3(block_two[3]), .DOA4(block_two[4]), .DOA5(block_two[5]),
    .DOA6(block_two[6]), .DOA7(block_two[7]), .DOA8(block_two[8]), .DOA9(block_two[9]), .DOA10(block_two[10]), .DOA11(block_two[11]),
    .DOA12(block_two[12]), .DOA13(block_two[13]), .DOA14(block_two[14]), .DOA15(block_two[15]), .DOA16(block_two[16]),
    .DOA17(block_two[17]), .DOB0(block_two[18]), .DOB1(block_two[19]), .DOB2(block_two[20]), .DOB3(block_two[21]), .DOB4(block_two[22]),
    .DOB5(block_two[23]), .DOB6(block_two[24]), .DOB7(block_two[25]), .DOB8(block_two[26]), .DOB9(block_two[27]), .DOB10(block_two[28]),
    .DOB11(block_two[29]), .DOB12(block_two[30]), .DOB13(block_two[31]), .DOB14(block_two[32]), .DOB15(block_two[33]),
    .DOB16(block_two[34]), .DOB17(block_two[35])
  );

endmodule

`default_nettype wire
