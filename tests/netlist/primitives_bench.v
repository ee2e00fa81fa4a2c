// One part of each kind, with pins of its own, for primitives_test.cpp.
//
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

module primitives_bench #(
  // Of the look-up tables: any
  parameter [15:0] INIT0 = 16'h96aa,
  parameter [15:0] INIT1 = 16'hc5e1
) (
  input  wire        clk,

  // LUT4, PFUMX, L6MUX21 and CCU2C
  input  wire [7:0]  in,
  input  wire        carry_in,
  output wire        lut_z,
  output wire        pfumx_z,
  output wire        l6mux_z,
  output wire [1:0]  sum,
  output wire        carry_out,

  // TRELLIS_FF: CE and reset, INV and set, no enable and reset, CE and set at once
  input  wire        ff_ce,
  input  wire        ff_lsr,
  input  wire        ff_d,
  output wire [3:0]  ff_q,

  // TRELLIS_DPR16X4
  input  wire        dpr_we,
  input  wire [3:0]  dpr_wad,
  input  wire [3:0]  dpr_di,
  input  wire [3:0]  dpr_rad,
  output wire [3:0]  dpr_do,

  // MULT18X18D
  input  wire [17:0] a,
  input  wire [17:0] b,
  input  wire        signed_a,
  input  wire        signed_b,
  output wire [35:0] product,

  // DP16KD, words of 9, 18 and 36 bits
  input  wire        wr_en,
  input  wire        wr_we,
  input  wire [2:0]  wr_cs,
  input  wire [13:0] wr_addr,
  input  wire [35:0] wr_data,
  input  wire        rd_en,
  input  wire [2:0]  rd_cs,
  input  wire [13:0] rd_addr,
  output wire [8:0]  rd_data9,
  output wire [17:0] rd_data18,
  output wire [35:0] rd_data36
);

  LUT4 #(.INIT(INIT1)) u_lut (.A(in[0]), .B(in[1]), .C(in[2]), .D(in[3]), .Z(lut_z));
  PFUMX u_pfumx (.ALUT(in[0]), .BLUT(in[1]), .C0(in[2]), .Z(pfumx_z));
  L6MUX21 u_l6mux (.D0(in[0]), .D1(in[1]), .SD(in[2]), .Z(l6mux_z));
  CCU2C #(.INIT0(INIT0), .INIT1(INIT1), .INJECT1_0("NO"), .INJECT1_1("NO")) u_carry (
    .CIN(carry_in), .A0(in[0]), .B0(in[1]), .C0(in[2]), .D0(in[3]), .A1(in[4]), .B1(in[5]), .C1(in[6]), .D1(in[7]),
    .S0(sum[0]), .S1(sum[1]), .COUT(carry_out)
  );

  TRELLIS_FF #(.CEMUX("CE"), .REGSET("RESET")) u_ff0 (.CLK(clk), .LSR(ff_lsr), .CE(ff_ce), .DI(ff_d), .Q(ff_q[0]));
  TRELLIS_FF #(.CEMUX("INV"), .REGSET("SET")) u_ff1 (.CLK(clk), .LSR(ff_lsr), .CE(ff_ce), .DI(ff_d), .Q(ff_q[1]));
  TRELLIS_FF #(.CEMUX("1"), .REGSET("RESET")) u_ff2 (.CLK(clk), .LSR(ff_lsr), .CE(ff_ce), .DI(ff_d), .Q(ff_q[2]));
  TRELLIS_FF #(.CEMUX("CE"), .REGSET("SET"), .SRMODE("ASYNC")) u_ff3 (.CLK(clk), .LSR(ff_lsr), .CE(ff_ce), .DI(ff_d), .Q(ff_q[3]));

  TRELLIS_DPR16X4 u_dpr (.WCK(clk), .WRE(dpr_we), .WAD(dpr_wad), .DI(dpr_di), .RAD(dpr_rad), .DO(dpr_do));

  MULT18X18D u_mult (
    .A0(a[0]), .A1(a[1]), .A2(a[2]), .A3(a[3]), .A4(a[4]), .A5(a[5]), .A6(a[6]), .A7(a[7]),
    .A8(a[8]), .A9(a[9]), .A10(a[10]), .A11(a[11]), .A12(a[12]), .A13(a[13]), .A14(a[14]),
    .A15(a[15]), .A16(a[16]), .A17(a[17]), .B0(b[0]), .B1(b[1]), .B2(b[2]), .B3(b[3]), .B4(b[4]),
    .B5(b[5]), .B6(b[6]), .B7(b[7]), .B8(b[8]), .B9(b[9]), .B10(b[10]), .B11(b[11]), .B12(b[12]),
    .B13(b[13]), .B14(b[14]), .B15(b[15]), .B16(b[16]), .B17(b[17]), .C0(1'b0), .C1(1'b0),
    .C2(1'b0), .C3(1'b0), .C4(1'b0), .C5(1'b0), .C6(1'b0), .C7(1'b0), .C8(1'b0), .C9(1'b0),
    .C10(1'b0), .C11(1'b0), .C12(1'b0), .C13(1'b0), .C14(1'b0), .C15(1'b0), .C16(1'b0), .C17(1'b0),
    .SIGNEDA(signed_a), .SIGNEDB(signed_b), .SOURCEA(1'b0), .SOURCEB(1'b0), .P0(product[0]),
    .P1(product[1]), .P2(product[2]), .P3(product[3]), .P4(product[4]), .P5(product[5]),
    .P6(product[6]), .P7(product[7]), .P8(product[8]), .P9(product[9]), .P10(product[10]),
    .P11(product[11]), .P12(product[12]), .P13(product[13]), .P14(product[14]), .P15(product[15]),
    .P16(product[16]), .P17(product[17]), .P18(product[18]), .P19(product[19]), .P20(product[20]),
    .P21(product[21]), .P22(product[22]), .P23(product[23]), .P24(product[24]), .P25(product[25]),
    .P26(product[26]), .P27(product[27]), .P28(product[28]), .P29(product[29]), .P30(product[30]),
    .P31(product[31]), .P32(product[32]), .P33(product[33]), .P34(product[34]), .P35(product[35])
  );

  // What port A of the narrower ones reads is not modelled.
  wire [17:0] unused_low9, unused_low18, low36, high9, high18, high36;
  wire [8:0]  unused_high9 = high9[17:9];
  assign rd_data9  = high9[8:0];
  assign rd_data18 = high18;
  assign rd_data36 = {high36, low36};

  DP16KD #(.DATA_WIDTH_A(9), .DATA_WIDTH_B(9)) u_ram9 (
    .CLKA(clk), .CEA(wr_en), .OCEA(1'b1), .WEA(wr_we), .RSTA(1'b0), .CSA0(wr_cs[0]),
    .CSA1(wr_cs[1]), .CSA2(wr_cs[2]), .ADA0(wr_addr[0]), .ADA1(wr_addr[1]), .ADA2(wr_addr[2]),
    .ADA3(wr_addr[3]), .ADA4(wr_addr[4]), .ADA5(wr_addr[5]), .ADA6(wr_addr[6]), .ADA7(wr_addr[7]),
    .ADA8(wr_addr[8]), .ADA9(wr_addr[9]), .ADA10(wr_addr[10]), .ADA11(wr_addr[11]),
    .ADA12(wr_addr[12]), .ADA13(wr_addr[13]), .DIA0(wr_data[0]), .DIA1(wr_data[1]),
    .DIA2(wr_data[2]), .DIA3(wr_data[3]), .DIA4(wr_data[4]), .DIA5(wr_data[5]), .DIA6(wr_data[6]),
    .DIA7(wr_data[7]), .DIA8(wr_data[8]), .DIA9(wr_data[9]), .DIA10(wr_data[10]),
    .DIA11(wr_data[11]), .DIA12(wr_data[12]), .DIA13(wr_data[13]), .DIA14(wr_data[14]),
    .DIA15(wr_data[15]), .DIA16(wr_data[16]), .DIA17(wr_data[17]), .DOA0(unused_low9[0]), .DOA1(unused_low9[1]),
    .DOA2(unused_low9[2]), .DOA3(unused_low9[3]), .DOA4(unused_low9[4]), .DOA5(unused_low9[5]), .DOA6(unused_low9[6]), .DOA7(unused_low9[7]),
    .DOA8(unused_low9[8]), .DOA9(unused_low9[9]), .DOA10(unused_low9[10]), .DOA11(unused_low9[11]), .DOA12(unused_low9[12]),
    .DOA13(unused_low9[13]), .DOA14(unused_low9[14]), .DOA15(unused_low9[15]), .DOA16(unused_low9[16]), .DOA17(unused_low9[17]),
    .CLKB(clk), .CEB(rd_en), .OCEB(1'b1), .WEB(1'b0), .RSTB(1'b0), .CSB0(rd_cs[0]), .CSB1(rd_cs[1]),
    .CSB2(rd_cs[2]), .ADB0(rd_addr[0]), .ADB1(rd_addr[1]), .ADB2(rd_addr[2]), .ADB3(rd_addr[3]),
    .ADB4(rd_addr[4]), .ADB5(rd_addr[5]), .ADB6(rd_addr[6]), .ADB7(rd_addr[7]), .ADB8(rd_addr[8]),
    .ADB9(rd_addr[9]), .ADB10(rd_addr[10]), .ADB11(rd_addr[11]), .ADB12(rd_addr[12]),
    .ADB13(rd_addr[13]), .DIB0(wr_data[18]), .DIB1(wr_data[19]), .DIB2(wr_data[20]),
    .DIB3(wr_data[21]), .DIB4(wr_data[22]), .DIB5(wr_data[23]), .DIB6(wr_data[24]),
    .DIB7(wr_data[25]), .DIB8(wr_data[26]), .DIB9(wr_data[27]), .DIB10(wr_data[28]),
    .DIB11(wr_data[29]), .DIB12(wr_data[30]), .DIB13(wr_data[31]), .DIB14(wr_data[32]),
    .DIB15(wr_data[33]), .DIB16(wr_data[34]), .DIB17(wr_data[35]), .DOB0(high9[0]), .DOB1(high9[1]),
    .DOB2(high9[2]), .DOB3(high9[3]), .DOB4(high9[4]), .DOB5(high9[5]), .DOB6(high9[6]),
    .DOB7(high9[7]), .DOB8(high9[8]), .DOB9(high9[9]), .DOB10(high9[10]), .DOB11(high9[11]),
    .DOB12(high9[12]), .DOB13(high9[13]), .DOB14(high9[14]), .DOB15(high9[15]), .DOB16(high9[16]),
    .DOB17(high9[17])
  );

  DP16KD #(.DATA_WIDTH_A(18), .DATA_WIDTH_B(18)) u_ram18 (
    .CLKA(clk), .CEA(wr_en), .OCEA(1'b1), .WEA(wr_we), .RSTA(1'b0), .CSA0(wr_cs[0]),
    .CSA1(wr_cs[1]), .CSA2(wr_cs[2]), .ADA0(wr_addr[0]), .ADA1(wr_addr[1]), .ADA2(wr_addr[2]),
    .ADA3(wr_addr[3]), .ADA4(wr_addr[4]), .ADA5(wr_addr[5]), .ADA6(wr_addr[6]), .ADA7(wr_addr[7]),
    .ADA8(wr_addr[8]), .ADA9(wr_addr[9]), .ADA10(wr_addr[10]), .ADA11(wr_addr[11]),
    .ADA12(wr_addr[12]), .ADA13(wr_addr[13]), .DIA0(wr_data[0]), .DIA1(wr_data[1]),
    .DIA2(wr_data[2]), .DIA3(wr_data[3]), .DIA4(wr_data[4]), .DIA5(wr_data[5]), .DIA6(wr_data[6]),
    .DIA7(wr_data[7]), .DIA8(wr_data[8]), .DIA9(wr_data[9]), .DIA10(wr_data[10]),
    .DIA11(wr_data[11]), .DIA12(wr_data[12]), .DIA13(wr_data[13]), .DIA14(wr_data[14]),
    .DIA15(wr_data[15]), .DIA16(wr_data[16]), .DIA17(wr_data[17]), .DOA0(unused_low18[0]), .DOA1(unused_low18[1]),
    .DOA2(unused_low18[2]), .DOA3(unused_low18[3]), .DOA4(unused_low18[4]), .DOA5(unused_low18[5]), .DOA6(unused_low18[6]),
    .DOA7(unused_low18[7]), .DOA8(unused_low18[8]), .DOA9(unused_low18[9]), .DOA10(unused_low18[10]), .DOA11(unused_low18[11]),
    .DOA12(unused_low18[12]), .DOA13(unused_low18[13]), .DOA14(unused_low18[14]), .DOA15(unused_low18[15]), .DOA16(unused_low18[16]),
    .DOA17(unused_low18[17]), .CLKB(clk), .CEB(rd_en), .OCEB(1'b1), .WEB(1'b0), .RSTB(1'b0),
    .CSB0(rd_cs[0]), .CSB1(rd_cs[1]), .CSB2(rd_cs[2]), .ADB0(rd_addr[0]), .ADB1(rd_addr[1]),
    .ADB2(rd_addr[2]), .ADB3(rd_addr[3]), .ADB4(rd_addr[4]), .ADB5(rd_addr[5]), .ADB6(rd_addr[6]),
    .ADB7(rd_addr[7]), .ADB8(rd_addr[8]), .ADB9(rd_addr[9]), .ADB10(rd_addr[10]),
    .ADB11(rd_addr[11]), .ADB12(rd_addr[12]), .ADB13(rd_addr[13]), .DIB0(wr_data[18]),
    .DIB1(wr_data[19]), .DIB2(wr_data[20]), .DIB3(wr_data[21]), .DIB4(wr_data[22]),
    .DIB5(wr_data[23]), .DIB6(wr_data[24]), .DIB7(wr_data[25]), .DIB8(wr_data[26]),
    .DIB9(wr_data[27]), .DIB10(wr_data[28]), .DIB11(wr_data[29]), .DIB12(wr_data[30]),
    .DIB13(wr_data[31]), .DIB14(wr_data[32]), .DIB15(wr_data[33]), .DIB16(wr_data[34]),
    .DIB17(wr_data[35]), .DOB0(high18[0]), .DOB1(high18[1]), .DOB2(high18[2]), .DOB3(high18[3]),
    .DOB4(high18[4]), .DOB5(high18[5]), .DOB6(high18[6]), .DOB7(high18[7]), .DOB8(high18[8]),
    .DOB9(high18[9]), .DOB10(high18[10]), .DOB11(high18[11]), .DOB12(high18[12]),
    .DOB13(high18[13]), .DOB14(high18[14]), .DOB15(high18[15]), .DOB16(high18[16]),
    .DOB17(high18[17])
  );

  DP16KD #(.DATA_WIDTH_A(36), .DATA_WIDTH_B(36)) u_ram36 (
    .CLKA(clk), .CEA(wr_en), .OCEA(1'b1), .WEA(wr_we), .RSTA(1'b0), .CSA0(wr_cs[0]),
    .CSA1(wr_cs[1]), .CSA2(wr_cs[2]), .ADA0(wr_addr[0]), .ADA1(wr_addr[1]), .ADA2(wr_addr[2]),
    .ADA3(wr_addr[3]), .ADA4(wr_addr[4]), .ADA5(wr_addr[5]), .ADA6(wr_addr[6]), .ADA7(wr_addr[7]),
    .ADA8(wr_addr[8]), .ADA9(wr_addr[9]), .ADA10(wr_addr[10]), .ADA11(wr_addr[11]),
    .ADA12(wr_addr[12]), .ADA13(wr_addr[13]), .DIA0(wr_data[0]), .DIA1(wr_data[1]),
    .DIA2(wr_data[2]), .DIA3(wr_data[3]), .DIA4(wr_data[4]), .DIA5(wr_data[5]), .DIA6(wr_data[6]),
    .DIA7(wr_data[7]), .DIA8(wr_data[8]), .DIA9(wr_data[9]), .DIA10(wr_data[10]),
    .DIA11(wr_data[11]), .DIA12(wr_data[12]), .DIA13(wr_data[13]), .DIA14(wr_data[14]),
    .DIA15(wr_data[15]), .DIA16(wr_data[16]), .DIA17(wr_data[17]), .DOA0(low36[0]), .DOA1(low36[1]),
    .DOA2(low36[2]), .DOA3(low36[3]), .DOA4(low36[4]), .DOA5(low36[5]), .DOA6(low36[6]),
    .DOA7(low36[7]), .DOA8(low36[8]), .DOA9(low36[9]), .DOA10(low36[10]), .DOA11(low36[11]),
    .DOA12(low36[12]), .DOA13(low36[13]), .DOA14(low36[14]), .DOA15(low36[15]), .DOA16(low36[16]),
    .DOA17(low36[17]), .CLKB(clk), .CEB(rd_en), .OCEB(1'b1), .WEB(1'b0), .RSTB(1'b0),
    .CSB0(rd_cs[0]), .CSB1(rd_cs[1]), .CSB2(rd_cs[2]), .ADB0(rd_addr[0]), .ADB1(rd_addr[1]),
    .ADB2(rd_addr[2]), .ADB3(rd_addr[3]), .ADB4(rd_addr[4]), .ADB5(rd_addr[5]), .ADB6(rd_addr[6]),
    .ADB7(rd_addr[7]), .ADB8(rd_addr[8]), .ADB9(rd_addr[9]), .ADB10(rd_addr[10]),
    .ADB11(rd_addr[11]), .ADB12(rd_addr[12]), .ADB13(rd_addr[13]), .DIB0(wr_data[18]),
    .DIB1(wr_data[19]), .DIB2(wr_data[20]), .DIB3(wr_data[21]), .DIB4(wr_data[22]),
    .DIB5(wr_data[23]), .DIB6(wr_data[24]), .DIB7(wr_data[25]), .DIB8(wr_data[26]),
    .DIB9(wr_data[27]), .DIB10(wr_data[28]), .DIB11(wr_data[29]), .DIB12(wr_data[30]),
    .DIB13(wr_data[31]), .DIB14(wr_data[32]), .DIB15(wr_data[33]), .DIB16(wr_data[34]),
    .DIB17(wr_data[35]), .DOB0(high36[0]), .DOB1(high36[1]), .DOB2(high36[2]), .DOB3(high36[3]),
    .DOB4(high36[4]), .DOB5(high36[5]), .DOB6(high36[6]), .DOB7(high36[7]), .DOB8(high36[8]),
    .DOB9(high36[9]), .DOB10(high36[10]), .DOB11(high36[11]), .DOB12(high36[12]),
    .DOB13(high36[13]), .DOB14(high36[14]), .DOB15(high36[15]), .DOB16(high36[16]),
    .DOB17(high36[17])
  );

endmodule

`default_nettype wire
