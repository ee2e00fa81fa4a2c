#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the Verilog of a board with a TPU: LiteX and LiteDRAM around rtl/link/tpu_board.v, without a processor.

    board_soc.py BOARD CONFIG FOLDER [--bits-per-second N] [--simulation]

CONFIG is one of fpga/configs.json. FOLDER gets board_soc.v, and what LiteX writes for yosys and nextpnr: board_soc.ys, pins in board_soc.lpf; or
for Vivado: board_soc.tcl, pins in board_soc.xdc; board.json has the board's clock and the vendor's name of its device. `make fpga` goes on from there. --simulation is the same board with LiteDRAM's model of its memory, and
with a serial line of 4 cycles a bit; it has board_soc.v alone.
"""

import argparse
import json
import pathlib

from litedram import modules
from litedram.core import LiteDRAMCore
from litedram.phy import ECP5DDRPHY, GENSDRPHY
from litedram.phy.dfi import Interface
from litedram.phy.model import SDRAMPHYModel
from litex.build.generic_platform import Pins, Subsignal
from litex.build.sim import SimPlatform
from litex.gen import LiteXModule
from litex.soc.integration.soc_core import SoCCore
from litex.soc.interconnect.csr import CSR, CSRStorage
from litex_boards.platforms import lambdaconcept_ecpix5, radiona_ulx3s
from litex_boards.targets.lambdaconcept_ecpix5 import _CRG as Ecpix5Clocks
from litex_boards.targets.radiona_ulx3s import _CRG as Ulx3sClocks
from migen import Cat, ClockDomain, If, Signal

import litex_tpu
from arty import Arty

SIMULATED_BIT_CYCLES = 4


class Ulx3s:
    """ULX3S-85F: SDR SDRAM of 16 bits."""

    clock_hz = 60_000_000
    memory_bytes = 32 << 20
    # Beside those of the configuration
    parameters = {}

    def start(self):
        """Platform and clocks."""
        platform = radiona_ulx3s.Platform(device="LFE5U-85F", revision="2.0", toolchain="trellis")
        return platform, Ulx3sClocks(platform, self.clock_hz)

    def add_memory(self, soc):
        soc.sdrphy = GENSDRPHY(soc.platform.request("sdram"), self.clock_hz)
        return modules.MT48LC16M16(self.clock_hz, "1:1")

    def add_simulated_memory(self, soc):
        module = modules.MT48LC16M16(self.clock_hz, "1:1")
        soc.sdrphy = SDRAMPHYModel(module, data_width=16, clk_freq=self.clock_hz)
        return module


class Ecpix5:
    """ECPIX-5 85F: DDR3 of 16 bits, two of whose clocks are one of the design. Its reads have to be levelled."""

    clock_hz = 80_000_000
    memory_bytes = 512 << 20
    # A burst of the memory, 8 times 16 bits
    parameters = {"AXI_DATA_WIDTH": 128}

    def start(self):
        platform = lambdaconcept_ecpix5.Platform(device="85F", toolchain="trellis")
        return platform, Ecpix5Clocks(platform, self.clock_hz)

    def add_memory(self, soc):
        soc.sdrphy = ECP5DDRPHY(soc.platform.request("ddram"), sys_clk_freq=self.clock_hz)
        soc.comb += [soc.crg.stop.eq(soc.sdrphy.init.stop), soc.crg.reset.eq(soc.sdrphy.init.reset)]
        return modules.MT41K256M16(self.clock_hz, "1:2")

    def add_simulated_memory(self, soc):
        # With the settings of the PHY on the board. A quarter of its memory, as the simulation keeps all of it.
        pads = lambdaconcept_ecpix5.Platform(device="85F", toolchain="trellis").request("ddram")
        module = modules.MT41K64M16(self.clock_hz, "1:2")
        soc.sdrphy = LevelledMemory(module, ECP5DDRPHY(pads, sys_clk_freq=self.clock_hz).settings, self.clock_hz)
        return module


BOARDS = {"ulx3s": Ulx3s, "ecpix5": Ecpix5, "arty": Arty}


class LevelledMemory(LiteXModule):
    """LiteDRAM's model of a DDR3 memory whose lanes read right with some delays and one shift alone, set by the registers of ECP5DDRPHY."""

    # Of each lane: the shift, the first delay and the last one
    RIGHT = [(2, 3, 5), (1, 1, 6)]

    def __init__(self, module, settings, clock_hz):
        self.settings = settings
        self.model = SDRAMPHYModel(module, settings=settings, clk_freq=clock_hz)
        geometry = module.geom_settings
        self.dfi = Interface(geometry.addressbits, geometry.bankbits, settings.nranks, settings.dfi_databits, settings.nphases)
        self._dly_sel = CSRStorage(settings.databits // 8)
        self._rdly_dq_rst = CSR()
        self._rdly_dq_inc = CSR()
        self._rdly_dq_bitslip_rst = CSR()
        self._rdly_dq_bitslip = CSR()

        wrong = [self.lane(i, settings) for i in range(settings.databits // 8)]
        self.comb += self.dfi.connect(self.model.dfi, omit={"rddata"})
        for seen, kept in zip(self.dfi.phases, self.model.dfi.phases):
            for i in range(settings.dfi_databits // 8):
                flip = wrong[i % len(wrong)]
                self.comb += seen.rddata[8 * i:8 * i + 8].eq(kept.rddata[8 * i:8 * i + 8] ^ Cat(*[flip] * 8))

    def lane(self, i, settings):
        """Whether a lane reads wrong."""
        right_shift, first, last = self.RIGHT[i]
        delay = Signal(max=settings.delays)
        shift = Signal(max=settings.bitslips)
        selected = self._dly_sel.storage[i]
        self.sync += [
            If(selected & self._rdly_dq_inc.re, delay.eq(delay + 1)),
            If(selected & self._rdly_dq_rst.re, delay.eq(0)),
            If(selected & self._rdly_dq_bitslip.re, shift.eq(shift + 1)),
            If(selected & self._rdly_dq_bitslip_rst.re, shift.eq(0)),
        ]
        wrong = Signal()
        self.comb += wrong.eq(selected | (shift != right_shift) | (delay < first) | (delay > last))
        return wrong


class SimulatedClocks(LiteXModule):
    def __init__(self, platform):
        self.rst = Signal()
        self.cd_sys = ClockDomain()
        self.comb += [self.cd_sys.clk.eq(platform.request("clk")), self.cd_sys.rst.eq(platform.request("rst"))]


class BoardSoC(SoCCore):
    mem_map = {"csr": litex_tpu.SETUP}

    def __init__(self, board, simulated, parameters, bits_per_second, words):
        if simulated:
            pins = [("clk", 0, Pins(1)), ("rst", 0, Pins(1)), ("serial", 0, Subsignal("rx", Pins(1)), Subsignal("tx", Pins(1)))]
            platform = SimPlatform("SIM", pins)
            self.crg = SimulatedClocks(platform)
            bits_per_second = board.clock_hz / SIMULATED_BIT_CYCLES
        else:
            platform, self.crg = board.start()
        # Wishbone, as LiteX's bridge from there to its registers has registers itself, which that from AXI-Lite has not.
        SoCCore.__init__(
            self, platform, board.clock_hz, cpu_type=None, with_uart=False, with_timer=False, with_ctrl=False, integrated_rom_size=0,
            integrated_sram_size=0, ident="", ident_version=False, bus_standard="wishbone",
        )
        module = board.add_simulated_memory(self) if simulated else board.add_memory(self)
        self.sdram = LiteDRAMCore(
            phy=self.sdrphy, timing_settings=module.timing_settings, geom_settings=module.geom_settings, clk_freq=board.clock_hz
        )
        litex_tpu.add_tpu(self, platform.request("serial"), parameters, bits_per_second, board.memory_bytes, words)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("board", choices=BOARDS)
    parser.add_argument("config")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--bits-per-second", type=int, default=1_000_000)
    parser.add_argument("--simulation", action="store_true")
    args = parser.parse_args()
    board = BOARDS[args.board]()
    parameters = {**litex_tpu.configuration(args.config), **board.parameters}
    soc = litex_tpu.finish(lambda words: BoardSoC(board, args.simulation, parameters, args.bits_per_second, words))

    args.folder.mkdir(parents=True, exist_ok=True)
    if args.simulation:
        soc.platform.get_verilog(soc, name="board_soc").write(str(args.folder / "board_soc.v"))
    else:
        soc.platform.build(soc, build_dir=str(args.folder), build_name="board_soc", run=False)
        (args.folder / "board.json").write_text(json.dumps({"device": soc.platform.device, "clock_hz": board.clock_hz}) + "\n")


if __name__ == "__main__":
    main()
