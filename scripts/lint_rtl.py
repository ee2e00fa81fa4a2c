#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lints the Verilog: every module of rtl/files.f with all below it, at the two parameter sets of lint_params.json.

Three tools have to accept each without a word, because no single one of them keeps the code within
Verilog-2005: Verilator with all warnings, Icarus with all warnings, and yosys, which also checks the elaborated
design for latches, undriven and multiply driven nets, and combinational loops.

    lint_rtl.py [JOBS] [MODULE...]
"""

import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
RTL = ROOT / "rtl"
INCLUDE = "-Irtl/include"
TIMEOUT_SECONDS = 300

# Messages of yosys that are not complaints, each with its reason.
YOSYS_ACCEPTED = [
    # A small memory with an asynchronous read or a memory that is written in a generate loop becomes flip-flops
    # only when yosys says so here; block RAMs are checked by `make synth`.
    r"Replacing memory .* with list of registers",
]


class LintError(Exception):
    pass


def read_file_list():
    """Files of rtl/files.f, which must be exactly the .v files below rtl/ and all be described in rtl/README.md."""
    lines = (RTL / "files.f").read_text().splitlines()
    files = [line for line in map(str.strip, lines) if line and not line.startswith(("//", "+"))]
    there = {str(p.relative_to(ROOT)) for p in RTL.rglob("*.v")}
    for name in sorted(there - set(files)):
        raise LintError(f"rtl/files.f: {name} is missing; add it below the modules that it uses")
    for name in files:
        if name not in there:
            raise LintError(f"rtl/files.f: {name} does not exist")
    readme = (RTL / "README.md").read_text()
    for name in files:
        if f"`{pathlib.Path(name).stem}`" not in readme:
            raise LintError(f"rtl/README.md: say in the table what {name} does")
    return files


def instances(text):
    """Modules that the text of a file instantiates, once for each place."""
    return re.findall(r"^\s*(tpu_\w+)\s+(?:#\s*\(|u_\w+\s*\()", text, re.MULTILINE)


def used_files(files):
    """For each file, the files of the modules below it and itself, in the list's order."""
    by_module = {pathlib.Path(name).stem: name for name in files}
    closure = {}
    for name in files:
        text = (ROOT / name).read_text()
        used = {name}
        for module in instances(text):
            below = by_module.get(module)
            if below is None:
                raise LintError(f"{name}: no file of rtl/files.f holds {module}")
            if below not in closure:
                raise LintError(f"rtl/files.f: {name} uses {module}, which is listed below it")
            used |= closure[below]
        closure[name] = used
    return {name: sorted(used, key=files.index) for name, used in closure.items()}


def module_of(name):
    """The module of a file: one per file, named like it."""
    text = re.sub(r"//.*", "", (ROOT / name).read_text())
    modules = re.findall(r"^\s*module\s+(\w+)", text, re.MULTILINE)
    if modules != [pathlib.Path(name).stem]:
        raise LintError(f"{name}: must hold exactly one module, named like the file, not {modules}")
    header = text[text.index("module ") : text.index(";")]
    return modules[0], re.findall(r"\bparameter\s+(?:\[[^]]*\]\s*)?(\w+)", header)


def parameter_sets(module, names, table):
    """The two value sets for a module; one empty set for a module without parameters."""
    if not names:
        return [{}]
    sets = [{}, {}]
    for name in names:
        values = table.get(module, {}).get(name) or table["*"].get(name)
        if values is None:
            raise LintError(f"scripts/lint_params.json: give two values for {name} of {module}")
        for chosen, value in zip(sets, values):
            chosen[name] = value
    return sets


def run(command):
    try:
        done = subprocess.run(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT_SECONDS
        )
    except subprocess.TimeoutExpired:
        return 1, f"no end after {TIMEOUT_SECONDS} s"
    return done.returncode, done.stdout.strip()


def verilator(files, module, params):
    command = ["verilator", "--lint-only", "-Wall", "--default-language", "1364-2005", INCLUDE, "sim/verilator.vlt"]
    command += ["--top-module", module, *(f"-G{k}={v}" for k, v in params.items())]
    return run([*command, *files])


def icarus(files, module, params):
    command = ["iverilog", "-g2005", "-Wall", "-t", "null", INCLUDE, "-s", module]
    command += [f"-P{module}.{k}={v}" for k, v in params.items()]
    return run([*command, *files])


def yosys(files, module, params):
    # Not `hierarchy -chparam`: yosys 0.23 then stops at an assertion of its own for some modules.
    chosen = "".join(f"chparam -set {k} {v} {module}; " for k, v in params.items())
    script = f"read_verilog {INCLUDE} {' '.join(files)}; {chosen}hierarchy -check -top {module}; proc; "
    script += "check -assert; select -assert-none t:$dlatch"
    status, output = run(["yosys", "-q", "-p", script])
    lines = [line for line in output.splitlines() if not any(re.search(p, line) for p in YOSYS_ACCEPTED)]
    return status, "\n".join(lines)


TOOLS = {"verilator": verilator, "icarus": icarus, "yosys": yosys}


def lint(job):
    files, module, params = job
    messages = {}
    for name, tool in TOOLS.items():
        status, output = tool(files, module, params)
        messages[name] = output or (f"exit status {status}" if status else "")
    return messages


def main():
    jobs = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    wanted = set(sys.argv[2:])
    files = read_file_list()
    used = used_files(files)
    table = json.loads((ROOT / "scripts/lint_params.json").read_text())
    work = []
    for name in files:
        module, parameters = module_of(name)
        if not wanted or module in wanted:
            work += [(used[name], module, chosen) for chosen in parameter_sets(module, parameters, table)]

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for (_, module, params), messages in zip(work, pool.map(lint, work)):
            marks = "  ".join(f"{tool} {'FAILED' if text else 'ok':6}" for tool, text in messages.items())
            print(f"  {module:22} {marks} {' '.join(f'{k}={v}' for k, v in params.items())}", flush=True)
            for tool, text in messages.items():
                if text:
                    failed += 1
                    print("\n".join(f"      {tool}: {line}" for line in text.splitlines()[:20]))
    print(f"  {len(work)} elaborations of {len(files)} files with 3 tools: {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except LintError as error:
        sys.exit(f"lint: {error}")
