# SPDX-License-Identifier: Apache-2.0
"""A Digilent Arty A7-100T: its clocks and its DDR3 memory, for fpga/board_soc.py. Nothing of it has run."""

from litedram import modules
from litedram.phy.s7ddrphy import A7DDRPHY
from litex.gen import LiteXModule
from litex.soc.cores.clock import S7IDELAYCTRL, S7PLL
from litex_boards.platforms import digilent_arty
from migen import ClockDomain, Signal


class ArtyClocks(LiteXModule):
    """The machine's clock from the board's 100 MHz, those of the memory's pins, and 200 MHz for their delays."""

    def __init__(self, platform, clock_hz):
        self.rst = Signal()
        self.cd_sys = ClockDomain()
        self.cd_sys4x = ClockDomain()
        self.cd_sys4x_dqs = ClockDomain()
        self.cd_idelay = ClockDomain()
        self.pll = S7PLL(speedgrade=-1)
        self.comb += self.pll.reset.eq(~platform.request("cpu_reset") | self.rst)
        self.pll.register_clkin(platform.request("clk100"), 100e6)
        self.pll.create_clkout(self.cd_sys, clock_hz)
        self.pll.create_clkout(self.cd_sys4x, 4 * clock_hz)
        self.pll.create_clkout(self.cd_sys4x_dqs, 4 * clock_hz, phase=90)
        self.pll.create_clkout(self.cd_idelay, 200e6)
        # No path of the design leads from the machine's clock to the board's but that of the reset.
        platform.add_false_path_constraints(self.cd_sys.clk, self.pll.clkin)
        self.idelayctrl = S7IDELAYCTRL(self.cd_idelay)


class Arty:
    """Arty A7-100T: DDR3 of 16 bits, four of whose clocks are one of the design."""

    # Below 300 MHz a DDR3 does not work.
    clock_hz = 80_000_000
    memory_bytes = 256 << 20
    # A burst of the memory, 8 times 16 bits
    parameters = {"AXI_DATA_WIDTH": 128}

    def start(self):
        platform = digilent_arty.Platform(variant="a7-100", toolchain="vivado")
        return platform, ArtyClocks(platform, self.clock_hz)

    def add_memory(self, soc):
        soc.sdrphy = A7DDRPHY(soc.platform.request("ddram"), memtype="DDR3", nphases=4, sys_clk_freq=self.clock_hz)
        return modules.MT41K128M16(self.clock_hz, "1:4")
