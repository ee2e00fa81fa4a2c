#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves that the models of an ECP5's parts do what yosys' own models of them do, for any inputs, of those parts that yosys has models of.

Those of flip-flops and memories begin with equal contents. Exit status 77: no yosys."""

import pathlib
import shutil
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "sim/ecp5"
# Below yosys' folder, in older and in newer versions.
THEIRS = ["share/yosys/ecp5/cells_sim.v", "share/yosys/lattice/cells_sim_ecp5.v"]

COMBINATIONAL = "-set-def-inputs"
# Unrolled for so many cycles; in flip-flops the induction then ends.
SEQUENTIAL = "-set-def-inputs -tempinduct -maxsteps 3"
BOUNDED = "-set-def-inputs -seq 1 -tempinduct-baseonly -tempinduct -maxsteps 6"

PROOFS = [
    *(("LUT4", {"INIT": init}, COMBINATIONAL) for init in (0xCAFE, 0x8001)),
    ("PFUMX", {}, COMBINATIONAL),
    ("L6MUX21", {}, COMBINATIONAL),
    *(("CCU2C", {"INIT0": a, "INIT1": b, "INJECT1_0": "NO", "INJECT1_1": "NO"}, COMBINATIONAL) for a, b in ((0x96AA, 0x96AA), (0x3039, 0xC5E1))),
    *(
        ("TRELLIS_FF", {"CEMUX": enable, "REGSET": value, "GSR": "DISABLED"}, SEQUENTIAL)
        for enable in ("CE", "INV", "1")
        for value in ("SET", "RESET")
    ),
    ("TRELLIS_DPR16X4", {}, BOUNDED),
]


def their_models():
    """The file of yosys' models; None without yosys."""
    yosys = shutil.which("yosys")
    if yosys is None:
        return None
    return next(file for name in THEIRS if (file := pathlib.Path(yosys).resolve().parents[1] / name).exists())


def prove(theirs, module, parameters, how):
    """An error of yosys; empty: proved."""
    quoted = {name: f'"{value}"' if isinstance(value, str) else value for name, value in parameters.items()}
    script = ""
    for name, file in (("ours", FOLDER / f"{module}.v"), ("theirs", theirs)):
        script += f"read_verilog {file}; " + "".join(f"chparam -set {k} {v} {module}; " for k, v in quoted.items())
        # M is another data input, which yosys does not write.
        script += f"hierarchy -top {module}; proc; flatten; memory_map; delete {module}/w:M; opt_clean; setattr -unset init w:*; "
        script += f"rename {module} {name}; design -stash {name}; "
    script += "".join(f"design -copy-from {name} -as {name} {name}; " for name in ("ours", "theirs"))
    script += f"miter -equiv -flatten -make_assert ours theirs miter; hierarchy -top miter; sat -verify -prove-asserts -set-init-zero {how} miter"
    done = subprocess.run(["yosys", "-q", "-p", script], capture_output=True, text=True, check=False)
    return done.stdout[-1000:] + done.stderr[-1000:] if done.returncode else ""


def main():
    theirs = their_models()
    if theirs is None:
        print("models_test: yosys is not installed")
        return 77
    failed = 0
    for module, parameters, how in PROOFS:
        error = prove(theirs, module, parameters, how)
        failed += bool(error)
        print(f"{module} {parameters}: {'FAILED ' + error if error else 'proved'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
