#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the proofs of formal/proofs.json on the RTL and prints a table of results.

    formal.py BUILD [-j JOBS] [--list] [--self-test] [PROOF...]

A proof is a harness formal/<top>.v around modules of rtl/, elaborated by yosys with the given parameters and proved by berkeley-abc:

    pdr        finds an inductive invariant and checks it: holds for runs of any length
    induction  base case and step over `depth` cycles: holds for runs of any length
    bmc        holds for the first `depth` cycles

Each proof has mutations: changes of the RTL (file, text, replacement) that must make it fail. `--self-test` applies them one by
one to a copy of rtl/ and fails where a proof does not notice.

Writes BUILD/formal/results.json, and for each proof BUILD/formal/<name>/ with logs and, where it fails, trace.vcd.
"""

import argparse
import concurrent.futures
import dataclasses
import json
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))
import lint_rtl  # noqa: E402  (the file list and what uses what)

FORMAL = ROOT / "formal"
# Of processor time, for each step of a proof: a busy machine takes longer, and proves the same.
TIMEOUT_SECONDS = 900
OUT_OF_TIME = (-signal.SIGXCPU, -signal.SIGKILL)


class FormalError(Exception):
    pass


@dataclasses.dataclass
class Proof:
    """One line of the table."""

    name: str
    # Harness formal/<top>.v with a module formal_<top>
    top: str
    # Modules of rtl/ under it; those below them come along
    modules: list
    parameters: dict
    method: str
    # What is proved, in words
    claim: str
    # Each {"file", "from", "to"}
    mutations: list
    depth: int = 0
    # Where the step of an induction fails, so many cycles from reset are searched for what shows that the property does not hold
    base: int = 12
    # Why that depth is enough
    why: str = ""
    # Files below formal/ that stand in for the module of the same name
    models: list = dataclasses.field(default_factory=list)
    # Modules of rtl/ whose outputs are anything
    free: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Result:
    name: str
    passed: bool
    message: str
    seconds: float


def read_table():
    proofs = [Proof(**entry) for entry in json.loads((FORMAL / "proofs.json").read_text())]
    for proof in proofs:
        if proof.method not in ("pdr", "induction", "bmc"):
            raise FormalError(f"formal/proofs.json: {proof.name}: no method {proof.method}")
        if (proof.method == "pdr") == bool(proof.depth and proof.why):
            raise FormalError(f"formal/proofs.json: {proof.name}: depth and why belong to induction and bmc, and only there")
        for mutation in proof.mutations:
            if (ROOT / "rtl" / mutation["file"]).read_text().count(mutation["from"]) != 1:
                raise FormalError(f"formal/proofs.json: {proof.name}: rtl/{mutation['file']} does not hold exactly once: {mutation['from']}")
    return proofs


def sources(proof, rtl):
    """Files to read, with rtl/ taken from the folder `rtl`."""
    used = lint_rtl.used_files(lint_rtl.read_file_list())
    models = {pathlib.Path(model).stem: FORMAL / model for model in proof.models}
    names = []
    for module in proof.modules:
        chosen = next((name for name in used if pathlib.Path(name).stem == module), None)
        if chosen is None:
            raise FormalError(f"{proof.name}: rtl/files.f has no {module}")
        names += [name for name in used[chosen] if name not in names]
    files = [rtl.parent / name for name in names if pathlib.Path(name).stem not in {*models, *proof.free}]
    harness = [*models.values(), FORMAL / f"{proof.top}.v"]
    checkers = [path for path in sorted((FORMAL / "checkers").glob("*.v")) if any(path.stem in file.read_text() for file in harness)]
    return [*files, *checkers, *harness]


def write_free(proof, rtl, folder):
    """Modules whose outputs nothing drives, with the ports that they have in rtl/."""
    written = []
    for module in proof.free:
        text = next(rtl.rglob(f"{module}.v")).read_text()
        path = folder / f"{module}.v"
        # A module with nothing in it would be a black box, whose ports a harness could not name.
        path.write_text(text[: text.index("\n);") + 4] + "\n  wire nothing = 1'b0;\nendmodule\n`default_nettype wire\n")
        written.append(path)
    return written


def limited(command, seconds):
    """The command with a limit of processor time, at which its status is one of OUT_OF_TIME."""
    return ["prlimit", f"--cpu={math.ceil(seconds)}", *command]


def run(command, folder, log):
    """Runs a tool below `folder` and returns its output, kept in `log`."""
    with open(folder / log, "w") as output:
        done = subprocess.run(
            limited(command, TIMEOUT_SECONDS), cwd=folder, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False
        )
    if done.returncode in OUT_OF_TIME:
        raise FormalError(f"no end after {TIMEOUT_SECONDS} s of processor time: {command[0]}; see {folder / log}")
    return done.returncode, (folder / log).read_text()


def elaborate(proof, rtl, folder):
    """Writes design.aig for berkeley-abc, and design.il to replay its traces."""
    chosen = "".join(f"chparam -set {k} {v} formal_{proof.top}\n" for k, v in proof.parameters.items())
    script = f"""read_verilog -formal -I{rtl / 'include'} {' '.join(map(str, [*write_free(proof, rtl, folder), *sources(proof, rtl)]))}
{chosen}hierarchy -check -top formal_{proof.top}
proc
memory_collect
memory_map
flatten
delete t:$anyseq
setundef -undriven -expose
async2sync
chformal -early
opt -full
dffunmap
check -assert
write_rtlil design.il
wreduce t:$mul
techmap
opt -fast
dffunmap
abc -g AND -fast
opt_clean
write_aiger -I -B -zinit -map design.aim design.aig
"""
    (folder / "design.ys").write_text(script)
    status, output = run(["yosys", "-q", "design.ys"], folder, "yosys.log")
    if status != 0:
        raise FormalError(f"yosys: {output.strip().splitlines()[-1] if output.strip() else status}; see {folder}/yosys.log")


def berkeley_abc(folder, log, engine):
    """Whether berkeley-abc proved all assertions; otherwise trace.vcd shows the counterexample, if there is one."""
    trace = folder / "trace.aiw"
    trace.unlink(missing_ok=True)
    _, output = run(
        ["berkeley-abc", "-c", f"read_aiger design.aig; fold; strash; orpos; {engine}; write_cex -a {trace.name}"], folder, log
    )
    if "was asserted in frame" in output:
        script = f"read_rtlil design.il; sim -zinit -clock clk -map design.aim -r {trace.name} -vcd trace.vcd"
        run(["yosys", "-p", script], folder, "trace.log")
        return False
    if "Property proved" in output or "No output asserted" in output or "Networks are equivalent" in output:
        return True
    if "Networks are UNDECIDED" in output:
        return False
    raise FormalError(f"berkeley-abc did not finish; see {folder / log}")


def check(proof, rtl, folder):
    """None, or why the proof failed."""
    elaborate(proof, rtl, folder)
    if proof.method == "pdr":
        # Registers that always hold the same first become one: pdr on its own may spend hours on a checker's copy of a wide register.
        if berkeley_abc(folder, "merged.log", "scorr; pdr"):
            return None
        # Again on the design as it is, whose inputs a trace can name.
        return None if berkeley_abc(folder, "pdr.log", "pdr") else "counterexample"
    if not berkeley_abc(folder, "bmc.log", f"bmc3 -F {proof.depth}"):
        return "counterexample"
    if proof.method != "induction" or berkeley_abc(folder, "step.log", f"ind -F {proof.depth + 1}"):
        return None
    return "not inductive" if berkeley_abc(folder, "longer.log", f"bmc3 -F {proof.base}") else "counterexample"


def failed_assertion(folder):
    """Where in the harness or the RTL: what fails in the trace's last cycle and not before, as the replay starts with unknown values."""
    cycles = [
        re.findall(r"Warning: Assert .* \(([^)]*)\) failed", cycle)
        for cycle in (folder / "trace.log").read_text().split("Simulating cycle ")
    ]
    earlier = {place for cycle in cycles[:-1] for place in cycle}
    places = [place for place in cycles[-1] if place not in earlier] or cycles[-1] or ["?"]
    return re.sub(r"/\S*/(formal/|rtl/)", r"\1", places[0]).replace("|", " ")


def prove(proof, rtl, folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    start = time.monotonic()
    try:
        problem = check(proof, rtl, folder)
        message = problem or ""
        if problem == "counterexample":
            message = f"{problem}: {failed_assertion(folder)}; see {folder}/trace.vcd"
    except FormalError as error:
        problem = message = str(error)
    return Result(proof.name, problem is None, message, time.monotonic() - start)


def mutate(proof, number, folder):
    """Proves on a copy of rtl/ with one change; passes if there is a counterexample."""
    mutation = proof.mutations[number]
    name = f"{proof.name}#{number + 1}"
    work = folder / name
    rtl = folder / f"{name}.rtl" / "rtl"
    shutil.rmtree(rtl.parent, ignore_errors=True)
    shutil.copytree(ROOT / "rtl", rtl)
    path = rtl / mutation["file"]
    path.write_text(path.read_text().replace(mutation["from"], mutation["to"]))
    result = prove(proof, rtl, work)
    noticed = not result.passed and result.message.startswith("counterexample")
    if noticed:
        message = f"noticed: {failed_assertion(work)}"
    else:
        message = f"NOT NOTICED: {mutation['from']} -> {mutation['to']}  {result.message}"
    shutil.rmtree(rtl.parent)
    return Result(name, noticed, message, result.seconds)


def describe(proof):
    method = proof.method + (f" {proof.depth}" if proof.depth else "")
    return f"{method:13} {' '.join(f'{k}={v}' for k, v in proof.parameters.items())}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("proofs", nargs="*", metavar="PROOF", help="names; default: all")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true", help="print the table and stop")
    parser.add_argument("--self-test", action="store_true", help="check that every proof notices its mutations")
    arguments = parser.parse_intermixed_args()

    table = read_table()
    unknown = set(arguments.proofs) - {proof.name for proof in table}
    if unknown:
        raise FormalError(f"no proof {', '.join(sorted(unknown))}")
    table = [proof for proof in table if not arguments.proofs or proof.name in arguments.proofs]
    if arguments.list:
        for proof in table:
            print(f"  {proof.name:24} {describe(proof)}\n      {proof.claim}" + (f"\n      depth: {proof.why}" if proof.why else ""))
        return 0

    folder = arguments.build.resolve() / "formal"
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        if arguments.self_test:
            jobs = {pool.submit(mutate, proof, i, folder): proof for proof in table for i in range(len(proof.mutations))}
        else:
            jobs = {pool.submit(prove, proof, ROOT / "rtl", folder / proof.name): proof for proof in table}
        results = []
        for job in concurrent.futures.as_completed(jobs):
            result = job.result()
            results.append((jobs[job], result))
            print(
                f"  {result.name:24} {'ok' if result.passed else 'FAILED':6} {result.seconds:6.1f} s  {describe(jobs[job])}"
                + (f"\n      {result.message}" if result.message else ""),
                flush=True,
            )

    failed = sum(not result.passed for _, result in results)
    (folder / "results.json").write_text(
        json.dumps(
            [
                {**dataclasses.asdict(result), "method": proof.method, "depth": proof.depth, "parameters": proof.parameters}
                for proof, result in results
            ],
            indent=2,
        )
        + "\n"
    )
    what = "mutations" if arguments.self_test else "proofs"
    print(f"  {len(results)} {what} in {time.monotonic() - start:.0f} s: {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except FormalError as error:
        sys.exit(f"formal: {error}")
