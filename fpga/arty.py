# SPDX-License-Identifier: Apache-2.0
"""A Digilent Arty A7-100T: its clocks and its DDR3 memory, for fpga/board_soc.py. Nothing of it has run."""

from litedram import modules
from litedram.phy.s7ddrphy import A7DDRPHY
from litex.gen import LiteXModule
from litex.soc.cores.clock import S7IDELAYCTRL, S7PLL
from litex_boards.platforms import digilent_arty
from migen import ClockDomain, Signal

# The memory's clock is four times this. Below 300 MHz a DDR3 does not work.
CLOCK_HZ = 80_000_000
MEMORY_BYTES = 256 << 20
# Cycles of the controller and of the memory
RATE = "1:4"


class Clocks(LiteXModule):
    """The machine's clock from the board's 100 MHz, those of the memory's pins, and 200 MHz for their delays."""

    def __init__(self, platform):
        self.rst = Signal()
        self.cd_sys = ClockDomain()
        self.cd_sys4x = ClockDomain()
        self.cd_sys4x_dqs = ClockDomain()
        self.cd_idelay = ClockDomain()
        self.pll = S7PLL(speedgrade=-1)
        self.comb += self.pll.reset.eq(~platform.request("cpu_reset") | self.rst)
        self.pll.register_clkin(platform.request("clk100"), 100e6)
        self.pll.create_clkout(self.cd_sys, CLOCK_HZ)
        self.pll.create_clkout(self.cd_sys4x, 4 * CLOCK_HZ)
        self.pll.create_clkout(self.cd_sys4x_dqs, 4 * CLOCK_HZ, phase=90)
        self.pll.create_clkout(self.cd_idelay, 200e6)
        # No path of the design leads from the machine's clock to the board's but that of the reset.
        platform.add_false_path_constraints(self.cd_sys.clk, self.pll.clkin)
        self.idelayctrl = S7IDELAYCTRL(self.cd_idelay)


def platform():
    return digilent_arty.Platform(variant="a7-100", toolchain="vivado")


def memory(board):
    """The pins' side of the memory, and the memory."""
    phy = A7DDRPHY(board.request("ddram"), memtype="DDR3", nphases=4, sys_clk_freq=CLOCK_HZ)
    return phy, modules.MT41K128M16(CLOCK_HZ, RATE)
