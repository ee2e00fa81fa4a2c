# SPDX-License-Identifier: Apache-2.0
"""The TPU as a part of a LiteX design: rtl/link/tpu_board.v between LiteDRAM, LiteX's registers and a serial line.

Any LiteX board takes the TPU by `add_tpu(soc, pads, ...)`, with its own clocks and a LiteDRAM core `soc.sdram` behind its PHY `soc.sdrphy`, and ends with
`finish`. Its registers lie where the host looks for the table of setup: mem_map["csr"] = SETUP.
"""

import json
import math
import pathlib
import re

from litedram.common import LiteDRAMNativePort
from litedram.frontend.axi import LiteDRAMAXI2Native
from litedram.init import cmds, get_sdram_phy_init_sequence
from litex.gen import LiteXModule
from litex.soc.interconnect import axi, stream
from litex.soc.interconnect.csr import CSRStatus, CSRStorage
from migen import Case, Cat, ClockSignal, If, Instance, ResetSignal, Signal, log2_int

ROOT = pathlib.Path(__file__).resolve().parents[1]
LINK = dict(re.findall(r"TPU_LINK_CONSTANT\((\w+),\s*(\w+),", (ROOT / "src/link/tpu_link.def").read_text()))


def number(name):
    return int(LINK[name], 0)


# Where the registers begin
SETUP = number("kSetupReady")


def configuration(name):
    """Parameters of the TPU, of fpga/configs.json."""
    return json.loads((ROOT / "fpga/configs.json").read_text())["configurations"][name]


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


class BufferedCommands(LiteXModule):
    """`port` of LiteDRAM with registers for its commands in both directions, as LiteDRAM arbitrates between all ports and banks in the cycle of a command.

    LiteDRAMAXI2Native counts data when it hands a command over, so that a command may wait here. A command takes a cycle longer.
    """

    def __init__(self, port):
        self.port = front = LiteDRAMNativePort(port.mode, port.address_width, port.data_width)
        self.commands = stream.Buffer(port.cmd.description, pipe_valid=True, pipe_ready=True)
        self.comb += [
            front.cmd.connect(self.commands.sink),
            self.commands.source.connect(port.cmd),
            front.wdata.connect(port.wdata),
            port.rdata.connect(front.rdata),
            port.flush.eq(front.flush),
            front.lock.eq(port.lock),
        ]


class NarrowBursts(LiteXModule):
    """`bus` on a wider one, in beats as narrow as before.

    LiteDRAM's own converter from narrow to wide takes data before it takes their command, and LiteDRAMAXI2Native counts on the other order: it stops for good.
    """

    def __init__(self, bus, data_width):
        self.bus = wide = axi.AXIInterface(data_width=data_width, address_width=bus.address_width, id_width=bus.id_width)
        ratio = data_width // bus.data_width
        narrow_bytes = bus.data_width // 8
        write_lane = self.requests("aw", bus.aw, wide.aw, bus.w, ratio, narrow_bytes)
        read_lane = self.requests("ar", bus.ar, wide.ar, wide.r, ratio, narrow_bytes)
        known = self.aw.source.valid
        self.comb += [
            bus.w.connect(wide.w, omit={"valid", "ready", "data", "strb"}),
            wide.w.valid.eq(bus.w.valid & known),
            bus.w.ready.eq(wide.w.ready & known),
            wide.w.data.eq(Cat(*[bus.w.data] * ratio)),
            Case(write_lane, {i: wide.w.strb.eq(bus.w.strb << narrow_bytes * i) for i in range(ratio)}),
            wide.b.connect(bus.b),
            wide.r.connect(bus.r, omit={"data"}),
            Case(read_lane, {i: bus.r.data.eq(wide.r.data[bus.data_width * i:]) for i in range(ratio)}),
        ]

    def requests(self, name, narrow, wide, beats, ratio, narrow_bytes):
        """Hands requests over; returns the lane of the beat that `beats` offers."""
        lane_bits = log2_int(ratio)
        first = stream.SyncFIFO([("lane", lane_bits)], depth=4)
        setattr(self, name, first)
        passed = Signal(lane_bits)
        lane = Signal(lane_bits)
        self.comb += [
            narrow.connect(wide, omit={"valid", "ready"}),
            wide.valid.eq(narrow.valid & first.sink.ready),
            narrow.ready.eq(wide.ready & first.sink.ready),
            first.sink.valid.eq(narrow.valid & wide.ready),
            first.sink.lane.eq(narrow.addr[log2_int(narrow_bytes):]),
            lane.eq(first.source.lane + passed),
            first.source.ready.eq(beats.valid & beats.ready & beats.last),
        ]
        self.sync += If(beats.valid & beats.ready, If(beats.last, passed.eq(0)).Else(passed.eq(passed + 1)))
        return lane


class Setup(LiteXModule):
    """The table of what a host does before the memory works (docs/link_tables.md): words."""

    def __init__(self, words):
        self.ready = CSRStorage(1)
        self.index = CSRStorage(16)
        self.word = CSRStatus(32)
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


def read_timing(soc, address_of):
    """The words about a PHY whose reads have to be levelled, with the registers of ECP5DDRPHY."""
    settings = soc.sdrphy.settings
    if not settings.read_leveling:
        return [0]
    registers = ("dly_sel", "rdly_dq_rst", "rdly_dq_inc", "rdly_dq_bitslip_rst", "rdly_dq_bitslip")
    return [settings.databits // 8, *(address_of(f"sdrphy_{name}") for name in registers), settings.delays, settings.bitslips]


def setup_words(soc, address_of):
    steps = memory_steps(soc, address_of)
    return [len(steps), *(word for step in steps for word in step), *read_timing(soc, address_of)]


def register_addresses(soc):
    """Of all registers, by name: LiteX decides about them while it finishes the design."""
    addresses = {}
    for bank, region in soc.csr_regions.items():
        address = region.origin
        for register in region.obj:
            addresses[f"{bank}_{register.name}"] = address
            address += 4 * math.ceil(register.size / 32)
    return addresses


def finish(make_soc):
    """`make_soc(words)` with the words of its table, finalised. The table needs the addresses of registers, which the table itself does not move."""
    draft = make_soc([0])
    draft.finalize()
    addresses = register_addresses(draft)
    soc = make_soc(setup_words(draft, addresses.__getitem__))
    soc.finalize()
    found = register_addresses(soc)
    expected = {f"setup_{name}": number(f"kSetup{name.capitalize()}") for name in ("ready", "index", "word")}
    if found != addresses or expected.items() - found.items():
        raise SystemExit(f"litex_tpu: registers lie at {found}, expected {expected}")
    return soc


def add_tpu(soc, pads, parameters, bits_per_second, memory_bytes, words):
    """The TPU, its two ports to `soc.sdram` (whose PHY is `soc.sdrphy`), its port to the registers of `soc`, and the table of setup.

    An AXI_DATA_WIDTH below LiteDRAM's own width uses that part of the memory's speed alone.
    """
    clock = int(soc.sys_clk_freq)
    soc.tpu = TPU(
        soc.platform, pads, {"BIT_CYCLES": round(clock / bits_per_second), "CLOCK_HZ": clock, "MEMORY_BYTES": memory_bytes, **parameters}
    )
    memory_width = soc.sdram.crossbar.controller.data_width
    for name, bus in (("tpu_port", soc.tpu.memory), ("link_port", soc.tpu.link_memory)):
        if bus.data_width < memory_width:
            narrow = NarrowBursts(bus, memory_width)
            setattr(soc, f"{name}_narrow", narrow)
            bus = narrow.bus
        commands = BufferedCommands(soc.sdram.crossbar.get_port(data_width=bus.data_width))
        setattr(soc, f"{name}_commands", commands)
        setattr(soc, name, LiteDRAMAXI2Native(bus, commands.port, base_address=0))
    soc.bus.add_master(name="tpu", master=soc.tpu.registers)
    soc.setup = Setup(words)
    soc.csr.add("setup", n=0)
