#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A sixth unit with an instruction, and one more field of another instruction, touch the .def file alone.

usage: extension_test.py SOURCE_DIR CXX

Copies rtl/ and the .def files, adds both to the copy of tpu_isa.def, generates the headers anew, holds control and host to Verilator without a
warning, and runs a program of the two instructions on control in Icarus Verilog (extension_bench.v).
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent

UNIT = 'TPU_UNIT(kExtra, {number}, "extra")\n'
OPCODE = 'TPU_OPCODE(kExtra, 0x77, "extra", 1, kExtra, "Of the unit that is added")\n'
INSTRUCTION = """
TPU_INSTRUCTION_BEGIN(kExtra, Extra)
TPU_FIELD(kExtra, count, 3, 0, 16, U, 1, 0xFFFF, "Must not be zero")
TPU_FIELD(kExtra, top, 15, 24, 8, U, 0, 0xFF, "In the last byte")
TPU_INSTRUCTION_END(Extra)
"""
# Behind WEIGHTS' highest field.
FIELD = 'TPU_FIELD(kWeights, more, 6, 4, 12, U, 0, 0xFFF, "Is added")\n'


def run(*command):
    result = subprocess.run(list(map(str, command)), text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if result.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{result.stdout}")
    return result.stdout


def insert_behind_last(text, pattern, addition):
    last = list(re.finditer(pattern, text, re.MULTILINE))[-1]
    return text[: last.end()] + addition + text[last.end() :]


def extend(text):
    units = len(re.findall(r"^TPU_UNIT\(k", text, re.MULTILINE))
    # The range of the opcodes, a common field's.
    text = re.sub(r"(TPU_COMMON_FIELD\(opcode, .*U, 1, )\d+", r"\g<1>0x77", text)
    text = insert_behind_last(text, r"^TPU_UNIT\(k.*\n", UNIT.format(number=units))
    text = insert_behind_last(text, r"^TPU_OPCODE\(k.*\n", OPCODE)
    text = insert_behind_last(text, r"^TPU_FIELD\(kWeights.*\n", FIELD)
    return insert_behind_last(text, r"^TPU_INSTRUCTION_END\(.*\n", INSTRUCTION)


def main():
    source, cxx = pathlib.Path(sys.argv[1]), sys.argv[2]
    if not shutil.which("iverilog"):
        print("skipped: no iverilog")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        copy = pathlib.Path(name)
        shutil.copytree(source / "rtl", copy / "rtl")
        (copy / "src/isa").mkdir(parents=True)
        for path in (source / "src/isa").glob("*.def"):
            shutil.copy(path, copy / "src/isa")
        isa = copy / "src/isa/tpu_isa.def"
        isa.write_text(extend(isa.read_text()))
        # The copy first: `isa/` is found there, the rest in the tree.
        run(cxx, "-std=c++20", f"-I{copy}/src", f"-I{source}/src", *sorted((source / "src/tools/generate").glob("*.cpp")), "-o", copy / "tpu_gen", "-lfmt")
        run(copy / "tpu_gen", copy)
        lines = (source / "rtl/files.f").read_text().splitlines()
        files = [copy / line for line in lines if re.fullmatch(r"rtl/(common|control|host)/\w+\.v", line)]
        for top, width in (("tpu_control", 32), ("tpu_control", 128), ("tpu_control", 512), ("tpu_host", 128)):
            run("verilator", "--lint-only", "--language", "1364-2005", "-Wall", f"-I{copy}/rtl/include", f"-GAXI_DATA_WIDTH={width}",
                "--top-module", top, *files)
        for width in (32, 128, 512):
            program = copy / f"bench_{width}"
            run("iverilog", "-g2005", "-Wall", "-DTPU_EXTENDED", f"-I{copy}/rtl/include", f"-Pextension_bench.AXI_DATA_WIDTH={width}", "-s",
                "extension_bench", "-o", program, HERE / "extension_bench.v", *files)
            output = run(program)
            if "passed" not in output:
                sys.exit(f"{width} bits: {output}")


if __name__ == "__main__":
    main()
