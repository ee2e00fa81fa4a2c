#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the Verilog of a board with a TPU: LiteX and LiteDRAM around rtl/link/tpu_board.v, without a processor.

    board_soc.py BOARD CONFIG FOLDER [--bits-per-second N]

BOARD is ulx3s, arty, or simulation: ulx3s with LiteDRAM's model of the memory and its pins, and a serial line of 4 cycles a bit. CONFIG is one of
fpga/configs.json. FOLDER gets board_soc.v, and for a real board also what LiteX writes for yosys and nextpnr: board_soc.ys, pins in board_soc.lpf; or
for Vivado: board_soc.tcl, pins in board_soc.xdc. board.json has its clock and the vendor's name of its device. `make fpga` goes on from there.

Another LiteX board takes the TPU by `add_tpu(soc, pads, ...)`, with its own clocks and a LiteDRAM core `soc.sdram`.
"""

import argparse
import json
import pathlib
import re

import arty
from litedram import modules
from litedram.core import LiteDRAMCore
from litedram.frontend.axi import LiteDRAMAXI2Native
from litedram.init import cmds, get_sdram_phy_init_sequence
from litedram.phy import GENSDRPHY
from litedram.phy.model import SDRAMPHYModel
from litex.build.generic_platform import Pins, Subsignal
from litex.build.sim import SimPlatform
from litex.gen import LiteXModule
from litex.soc.integration.soc_core import SoCCore
from litex.soc.interconnect import axi
from litex.soc.interconnect.csr import CSRStatus, CSRStorage
from litex_boards.platforms import radiona_ulx3s
from litex_boards.targets.radiona_ulx3s import _CRG as Ulx3sClocks
from migen import Case, ClockDomain, ClockSignal, Instance, ResetSignal, Signal

ROOT = pathlib.Path(__file__).resolve().parents[1]
LINK = dict(re.findall(r"TPU_LINK_CONSTANT\((\w+),\s*(\w+),", (ROOT / "src/link/tpu_link.def").read_text()))
SIMULATED_BIT_CYCLES = 4


def number(name):
    return int(LINK[name], 0)


class TPU(LiteXModule):
    """tpu_board, with its two memory ports and its port to the board's registers as LiteX's interfaces."""

    def __init__(self, platform, pads, parameters):
        self.memory = axi.AXIInterface(data_width=parameters["AXI_DATA_WIDTH"], address_width=parameters["AXI_ADDR_WIDTH"], id_width=3)
        self.link_memory = axi.AXIInterface(data_width=32, address_width=32, id_width=1)
        self.registers = axi.AXILiteInterface(data_width=32, address_width=32)
        # LiteX would write 4'd8, whose four bits then are the width of what Verilog computes from it.
        plain = {f"p_{name}": Instance.PreformattedParam(str(value)) for name, value in parameters.items()}
        self.specials += Instance(
            "tpu_board",
            **plain,
            i_clk=ClockSignal(), i_rst=ResetSignal(), i_rx=pads.rx, o_tx=pads.tx,
            **self.ports("m_axi", self.memory, "addr len size burst lock cache prot qos id", "id"),
            **self.ports("l_axi", self.link_memory, "addr len size burst", ""),
            **self.ports("m_axil", self.registers, "addr prot", "", last=False),
        )
        platform.add_verilog_include_path(str(ROOT / "rtl/include"))
        for line in (ROOT / "rtl/files.f").read_text().splitlines():
            if line.endswith(".v"):
                platform.add_source(str(ROOT / line))

    @staticmethod
    def ports(prefix, bus, request_fields, answer_fields, last=True):
        ports = {}

        def channel(name, endpoint, fields, from_tpu):
            out, back = ("o", "i") if from_tpu else ("i", "o")
            for field in fields:
                ports[f"{out}_{prefix}_{name}{field}"] = getattr(endpoint, field)
            ports[f"{out}_{prefix}_{name}valid"] = endpoint.valid
            ports[f"{back}_{prefix}_{name}ready"] = endpoint.ready

        ends = ["last"] if last else []
        channel("aw", bus.aw, request_fields.split(), True)
        channel("w", bus.w, ["data", "strb", *ends], True)
        channel("b", bus.b, ["resp", *answer_fields.split()], False)
        channel("ar", bus.ar, request_fields.split(), True)
        channel("r", bus.r, ["data", "resp", *ends, *answer_fields.split()], False)
        return ports


class Setup(LiteXModule):
    """The table of what a host writes before the memory works (docs/link_tables.md)."""

    def __init__(self, steps):
        self.ready = CSRStorage(1)
        self.index = CSRStorage(16)
        self.word = CSRStatus(32)
        words = [len(steps), *(word for step in steps for word in step)]
        self.comb += Case(self.index.storage, {i: self.word.status.eq(word) for i, word in enumerate(words)})


def memory_steps(soc, address_of):
    """LiteDRAM's sequence for the memory as steps: registers, values, cycles."""
    sequence, _ = get_sdram_phy_init_sequence(soc.sdrphy.settings, soc.sdram.controller.settings.timing)
    bits = {"DFII_CONTROL_CKE": 2, "DFII_CONTROL_ODT": 4, "DFII_CONTROL_RESET_N": 8}
    bits |= {"DFII_COMMAND_CS": 1, "DFII_COMMAND_WE": 2, "DFII_COMMAND_CAS": 4, "DFII_COMMAND_RAS": 8}
    control, command, issue, address, bank = (
        address_of(f"sdram_dfii_{name}") for name in ("control", "pi0_command", "pi0_command_issue", "pi0_address", "pi0_baddress")
    )
    steps = [(control, 0, 0)]
    for _, a, ba, what, delay in sequence:
        value = sum(bits[name] for name in what.split("|"))
        steps += [(address, a, 0), (bank, ba, 0)]
        if what in (cmds["CKE"], cmds["UNRESET"]):
            steps += [(control, value, delay)]
        else:
            steps += [(command, value, 0), (issue, 1, delay)]
    # From here on the controller's commands count.
    return [*steps, (control, 1, 0)]


def add_tpu(soc, pads, parameters, bits_per_second, memory_bytes, steps):
    """The TPU, its two ports to `soc.sdram`, its port to the registers of `soc`, and the table of setup."""
    clock = int(soc.sys_clk_freq)
    soc.tpu = TPU(
        soc.platform, pads, {"BIT_CYCLES": round(clock / bits_per_second), "CLOCK_HZ": clock, "MEMORY_BYTES": memory_bytes, **parameters}
    )
    for name, bus in (("tpu_port", soc.tpu.memory), ("link_port", soc.tpu.link_memory)):
        port = soc.sdram.crossbar.get_port(data_width=bus.data_width)
        setattr(soc, name, LiteDRAMAXI2Native(bus, port, base_address=0))
    soc.bus.add_master(name="tpu", master=soc.tpu.registers)
    soc.setup = Setup(steps)
    soc.csr.add("setup", n=0)


class SimulatedClocks(LiteXModule):
    def __init__(self, platform):
        self.rst = Signal()
        self.cd_sys = ClockDomain()
        self.comb += [self.cd_sys.clk.eq(platform.request("clk")), self.cd_sys.rst.eq(platform.request("rst"))]


class BoardSoC(SoCCore):
    """A ULX3S with its SDRAM of 32 MiB, or an Arty A7-100T with its DDR3 of 256 MiB."""

    CLOCK_HZ = 60_000_000
    MEMORY_BYTES = 32 << 20
    mem_map = {"csr": number("kSetupReady")}

    def __init__(self, board, parameters, bits_per_second, steps):
        if board == "arty":
            platform = arty.platform()
            self.CLOCK_HZ, self.MEMORY_BYTES = arty.CLOCK_HZ, arty.MEMORY_BYTES
            self.crg = arty.Clocks(platform)
        elif board == "simulation":
            pins = [("clk", 0, Pins(1)), ("rst", 0, Pins(1)), ("serial", 0, Subsignal("rx", Pins(1)), Subsignal("tx", Pins(1)))]
            platform = SimPlatform("SIM", pins)
            self.crg = SimulatedClocks(platform)
            bits_per_second = self.CLOCK_HZ / SIMULATED_BIT_CYCLES
        else:
            platform = radiona_ulx3s.Platform(device="LFE5U-85F", revision="2.0", toolchain="trellis")
            self.crg = Ulx3sClocks(platform, self.CLOCK_HZ)
        SoCCore.__init__(
            self, platform, self.CLOCK_HZ, cpu_type=None, with_uart=False, with_timer=False, with_ctrl=False, integrated_rom_size=0,
            integrated_sram_size=0, ident="", ident_version=False, bus_standard="axi-lite",
        )
        module = modules.MT48LC16M16(self.CLOCK_HZ, "1:1")
        if board == "arty":
            self.sdrphy, module = arty.memory(platform)
        elif board == "simulation":
            self.sdrphy = SDRAMPHYModel(module, data_width=16, clk_freq=self.CLOCK_HZ)
        else:
            self.sdrphy = GENSDRPHY(platform.request("sdram"), self.CLOCK_HZ)
        self.sdram = LiteDRAMCore(
            phy=self.sdrphy, timing_settings=module.timing_settings, geom_settings=module.geom_settings, clk_freq=self.CLOCK_HZ
        )
        add_tpu(self, platform.request("serial"), parameters, bits_per_second, self.MEMORY_BYTES, steps)


def register_addresses(soc):
    """Of all registers, by name: LiteX decides about them while it finishes the design."""
    addresses = {}
    for bank, region in soc.csr_regions.items():
        for i, register in enumerate(region.obj):
            addresses[f"{bank}_{register.name}"] = region.origin + 4 * i
    return addresses


def make(board, parameters, bits_per_second, steps):
    soc = BoardSoC(board, parameters, bits_per_second, steps)
    soc.finalize()
    return soc


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("board", choices=["ulx3s", "arty", "simulation"])
    parser.add_argument("config")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--bits-per-second", type=int, default=1_000_000)
    args = parser.parse_args()
    parameters = json.loads((ROOT / "fpga/configs.json").read_text())["configurations"][args.config]

    # The table needs the addresses of registers, which the table itself does not move.
    draft = make(args.board, parameters, args.bits_per_second, [(0, 0, 0)])
    addresses = register_addresses(draft)
    steps = memory_steps(draft, addresses.__getitem__)
    soc = make(args.board, parameters, args.bits_per_second, steps)
    found = register_addresses(soc)
    expected = {f"setup_{name}": number(f"kSetup{name.capitalize()}") for name in ("ready", "index", "word")}
    if found != addresses or expected.items() - found.items():
        raise SystemExit(f"board_soc: registers lie at {found}, expected {expected}")

    args.folder.mkdir(parents=True, exist_ok=True)
    if args.board == "simulation":
        soc.platform.get_verilog(soc, name="board_soc").write(str(args.folder / "board_soc.v"))
    else:
        soc.platform.build(soc, build_dir=str(args.folder), build_name="board_soc", run=False)
        board = {"device": soc.platform.device, "clock_hz": soc.CLOCK_HZ}
        (args.folder / "board.json").write_text(json.dumps(board) + "\n")


if __name__ == "__main__":
    main()
