#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mutation testing: changes rtl/ in one place at a time and expects some test to fail.

All mutants that have no end yet are compiled at once, into BUILD/mutate/rtl: every mutated expression becomes a choice between itself and its
mutants, made by the environment variable TPU_MUTANT (0: none). So each test program is built once, and a mutant is a run of it.

Each mutant goes through stages (Runner.stages), all of them through one before any through the next, as the first are soon done and end nearly
all: the unit tests in which it makes a difference, the quickest first, for some seconds; which these are is found out before, by a run of each
test in BUILD/mutate/recorded. A reset of the whole machine in four-valued logic (tests/four_state/reset_test.py). These unit tests to their end. A
miter of the module alone, for some seconds. The proofs of `make formal` about the module. Whole machines.

What nothing notices must be equivalent: a miter (scripts/miter.py) has to prove that the change cannot be seen, outside of its module or
outside of the modules around.

Default: a random sample of all of rtl/, and all mutants of the files in EXHAUSTIVE. Writes BUILD/mutate/results.json.

A run of all mutants takes hours, so what it found out is kept: LEDGER is part of the repository, and each result is also appended to
BUILD/mutate/journal.jsonl at once. --resume takes from both what was found out with files that have not changed since, and tries again only the
rest, from the stage on that it came to, and what survived: first of all with what noticed it before those files changed. --record writes LEDGER.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import difflib
import functools
import hashlib
import json
import math
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import threading
import time

import formal
import lint_rtl
import miter
import verilog_mutations

ROOT = pathlib.Path(__file__).resolve().parent.parent
RTL = ROOT / "rtl"

# The requantiser and whatever generates addresses.
EXHAUSTIVE = [
    "vector/tpu_requantize.v",
    "vector/tpu_vector_walk.v",
    "matrix/tpu_window.v",
    "memory/tpu_chunk_walker.v",
    "memory/tpu_dma_bursts.v",
    "common/tpu_loop_address.v",
    "common/tpu_loop_counter.v",
]
LEDGER = ROOT / "tests" / "mutation" / "ledger.json"
SAMPLE = 400
NUMBERS_PER_FILE = 1000

# Test programs with the modules that they simulate.
UNIT_TESTS = {
    "rtl_common_test": ["tpu_fifo", "tpu_fifo_ram", "tpu_skid", "tpu_loop_counter", "tpu_loop_address"],
    "rtl_float_test": [
        "tpu_float_add",
        "tpu_float_fma",
        "tpu_float_compare",
        "tpu_float_from_int",
        "tpu_float_to_int",
        "tpu_float_to_bf16",
        "tpu_mac_bf16",
        "tpu_acc_add_float",
    ],
    "rtl_float_function_test": ["tpu_float_function"],
    "rtl_float_lane_test": ["tpu_float_lane"],
    "rtl_address_test": ["tpu_chunk_walker", "tpu_dma_bursts", "tpu_dma_command"],
    "rtl_axi_port_test": ["tpu_axi_read_port", "tpu_axi_write_port"],
    "rtl_unified_buffer_test": ["tpu_unified_buffer"],
    "rtl_host_test": ["tpu_events", "tpu_host"],
    "rtl_link_test": [
        "tpu_uart_rx",
        "tpu_uart_tx",
        "tpu_cobs_decode",
        "tpu_cobs_encode",
        "tpu_link_control",
        "tpu_link_memory",
    ],
    "link_test": ["tpu_link"],
    "rtl_control_test": ["tpu_semaphores", "tpu_control"],
    "rtl_matrix_test": ["tpu_window", "tpu_matrix"],
    "rtl_array_test": ["tpu_array"],
    "rtl_weights_test": ["tpu_weights"],
    "rtl_load_test": ["tpu_load"],
    "rtl_dma_test": ["tpu_dma_read", "tpu_dma_write"],
    "rtl_store_test": ["tpu_store", "tpu_axi_write_port"],
    "rtl_vector_walk_test": ["tpu_vector_walk"],
    "rtl_lanes_test": ["tpu_requantize", "tpu_lane_int8", "tpu_vector_lanes"],
    "rtl_vector_test": ["tpu_vector"],
    "rtl_fvector_test": ["tpu_vector"],
    "rtl_ivector_lane_test": ["tpu_ivector_lane"],
    "rtl_ivector_test": ["tpu_vector"],
    "rtl_board_test": ["tpu_board"],
}
# What whole machines simulate
MACHINE = "tpu_top"
# Of the tests of whole machines those of the small ones (N = 4 and 8), as a mutant that survives meets them all.
SYSTEM_TESTS = {
    "system_test": "*n4_rtl*:*n8_rtl*:-*Long*",
    "random_program_test": ":".join(f"*Seed{seed}" for seed in range(1, 41) if seed % 4 < 2),
    "random_bf16_program_test": "Seeds/*",
    "operator_test": "*n4_rtl*:*n8_rtl*",
}
# Machines whose core is reset in four-valued logic
RESETS = {
    "n4": ["N=4", "AXI_DATA_WIDTH=128", "BF16=0", "INT16=0"],
    "n4_both": ["N=4", "AXI_DATA_WIDTH=128", "BF16=1", "INT16=1"],
}
RESET_SECONDS = 60
# A run that takes this many times the processor time that it takes without a mutant (and some seconds) does not end: the test notices.
PATIENCE = 8
PATIENCE_SECONDS = 10
# What unit tests notice they mostly notice soon. They get so much time together at first, and all that they need after the miter of the module.
QUICK_SECONDS = 5
# Told by a recorded simulation (verilog_mutations.Source.schema) where a mutant would differ. It writes a byte for each number of a mutant.
RECORDER = """#pragma once
#include <cstdio>
#include <cstdlib>
struct TpuRecorder {
  unsigned char differs[%d] = {};
  ~TpuRecorder() {
    const char* name = std::getenv("TPU_DIFFERENCES");
    std::FILE* file = name != nullptr ? std::fopen(name, "wb") : nullptr;
    if (file == nullptr) return;
    std::fwrite(differs, 1, sizeof differs, file);
    std::fclose(file);
  }
};
inline TpuRecorder tpu_recorder;
inline unsigned tpu_differs(unsigned number, bool differs) {
  tpu_recorder.differs[number] |= differs;
  return 0;
}
"""
# With so many times more mutants than wait, models are worth building again: with all of rtl/'s they run at a quarter of their speed.
HELD_IN_VAIN = 8
# A proof that takes longer says nothing.
PROOF_SECONDS = 120


class MutateError(Exception):
    pass


@dataclasses.dataclass
class Result:
    mutation: verilog_mutations.Mutation
    # Test program and test, "proof" and its name, or "core_reset" and its machine; None if nothing failed
    caught_by: str = None
    test: str = ""
    # Modules in which it was proved equivalent, if it is
    equivalent_in: list = dataclasses.field(default_factory=list)


def read_sources():
    files = sorted(RTL.rglob("*.v"))
    ports = {path.stem: verilog_mutations.port_directions(path.read_text()) for path in files}
    sources = []
    for i, path in enumerate(files):
        try:
            source = verilog_mutations.Source(str(path.relative_to(RTL)), path.read_text(), ports)
        except verilog_mutations.ParseError as error:
            raise MutateError(f"{path}: {error}") from error
        # A block of numbers for each file: a change in one leaves the others' schemata as they are.
        mutations = source.mutations(NUMBERS_PER_FILE * i + 1)
        if len(mutations) >= NUMBERS_PER_FILE:
            raise MutateError(f"{path}: too many mutants to number")
        sources.append((source, mutations))
    return sources


def choose(sources, keys, arguments):
    """Mutants to run, by number."""
    every = [m for _, mutations in sources for m in mutations]
    if arguments.mutant:
        chosen = [m for m in every if m.number in arguments.mutant]
    elif arguments.file:
        chosen = [m for m in every if m.file in arguments.file]
    elif arguments.all:
        chosen = every
    else:
        whole = [m for m in every if m.file in EXHAUSTIVE]
        rest = [m for m in every if m.file not in EXHAUSTIVE]
        # Each mutant draws a number of its own, so that the sample stays nearly the same when rtl/ changes.
        drawn = {m.number: {name: value for name, value in keys[m.number].items() if name != "copy"} for m in rest}
        rest.sort(key=lambda m: random.Random(f"{arguments.seed} {json.dumps(drawn[m.number])}").random())
        chosen = whole + rest[: arguments.sample]
    if not chosen:
        raise MutateError("no such mutant")
    return sorted(chosen, key=lambda m: m.number)


def line_of(source, mutation):
    return source.text.count("\n", 0, mutation.start) + 1


def describe(source, mutation):
    """The change as a diff without context."""
    lines = difflib.ndiff(source.text.splitlines(), mutation.applied(source.text).splitlines())
    shown = [re.sub(r"^([-+]) +", r"\1 ", line) for line in lines if line[:2] in ("- ", "+ ")]
    return f"mutant {mutation.number}, {mutation.kind}: rtl/{mutation.file}:{line_of(source, mutation)}\n" + "\n".join(
        "      " + line for line in shown
    )


def keys_of(source, mutations):
    """{mutant: what names it when lines move}: file, line, what becomes what; which of several on the line, and which of several equal
    lines."""
    keys, seen = {}, collections.Counter()
    for mutation in mutations:
        begin = source.text.rfind("\n", 0, mutation.start) + 1
        end = source.text.find("\n", mutation.start)
        original = " ".join(source.text[mutation.start : mutation.end].split())
        before = " ".join(source.text[begin : mutation.start].split())
        key = {
            "file": mutation.file,
            "line": " ".join(source.text[begin:end].split()),
            "from": original,
            "to": " ".join(mutation.replacement.split()),
            "nth": before.count(original) + 1,
        }
        seen[tuple(key.values())] += 1
        keys[mutation.number] = {**key, "copy": seen[tuple(key.values())]}
    return keys


def write_rtl(folder, sources, chosen, recorded=False):
    """The schemata; files that stay the same keep their time."""
    numbers = {mutation.number for mutation in chosen}
    texts = {path.relative_to(RTL): path.read_text() for path in RTL.rglob("*.vh")}
    for source, mutations in sources:
        here = [m for m in mutations if m.number in numbers]
        texts[pathlib.Path(source.name)] = source.schema(here, recorded) if here else source.text
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)
    for path in folder.rglob("*.v"):
        if path.relative_to(folder) not in texts:
            path.unlink()


def held(folder, waiting):
    """The numbers of the mutants that the models hold; what waits is among them. Each mutant makes them slower: models with many that do not wait any
    more are built again."""
    path = folder / "held.json"
    numbers = set(json.loads(path.read_text())) if path.exists() else set()
    if not waiting <= numbers or 0 < HELD_IN_VAIN * len(waiting) < len(numbers):
        numbers = waiting
        path.write_text(json.dumps(sorted(numbers)))
    return numbers


def build(folder, jobs, programs, options=()):
    work = folder / "build"
    commands = []
    if not (work / "build.ninja").exists():
        compiler = shutil.which("clang++") or "c++"
        directories = ["-S", ROOT, "-B", work, "-G", "Ninja", f"-DTPU_RTL_DIR={folder / 'rtl'}"]
        commands.append(["cmake", *directories, f"-DCMAKE_CXX_COMPILER={compiler}", *options])
    commands.append(["ninja", "-C", work, f"-j{jobs}", *programs])
    for command in commands:
        with open(folder / "build.log", "w") as log:
            if subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, check=False).returncode:
                raise MutateError(f"the mutants do not compile; see {folder / 'build.log'}")


def module_closure():
    """{module: modules in it and below}."""
    direct = {path.stem: set(lint_rtl.instances(path.read_text())) for path in RTL.rglob("*.v")}

    def closure(module):
        return {module}.union(*(closure(below) for below in direct[module]))

    return {module: closure(module) for module in direct}


def tests_of(files, units_only):
    """{file: test programs that simulate its module, those of whole machines last}."""
    below = module_closure()
    tests = {}
    for file in files:
        module = pathlib.Path(file).stem
        units = [program for program, tops in UNIT_TESTS.items() if any(module in below[top] for top in tops)]
        machines = list(SYSTEM_TESTS) if module in below[MACHINE] and not units_only else []
        tests[file] = units + machines
    return tests


def proofs_of(files):
    """{file: proofs about its module}."""
    table = formal.read_table()
    read = {proof.name: formal.sources(proof, RTL) for proof in table}
    return {file: [proof for proof in table if RTL / file in read[proof.name]] for file in files}


def list_tests(program):
    """Names of a program's tests that run."""
    command = [program, "--gtest_list_tests", f"--gtest_filter={SYSTEM_TESTS.get(program.name, '*')}"]
    lines = subprocess.run(command, cwd=program.parent, capture_output=True, text=True, check=True).stdout.splitlines()
    names, suite = [], ""
    for word, indented in ((line.split()[0], line.startswith("  ")) for line in lines if line.strip()):
        if indented:
            names.append(suite + word)
        elif word.endswith("."):
            suite = word
    return names


def meetings(folder, sources, mutants, programs, jobs):
    """{number of a mutant: (program, test) in which something would differ, if only within an expression, quickest first}. Each test runs once for
    all mutants, in models that record. A comparison takes an expression as wide as it is by itself, so that a carry may be missed."""
    folder.mkdir(parents=True, exist_ok=True)
    write_rtl(folder / "rtl", sources, mutants, recorded=True)
    header = folder / "recorder.h"
    text = RECORDER % (NUMBERS_PER_FILE * (len(sources) + 1))
    if not header.exists() or header.read_text() != text:
        header.write_text(text)
    # Each test runs once: to optimise takes longer than it saves. What the compiler then leaves of Verilator's code needs libatomic.
    flags = {
        "CXX_FLAGS": f"-include {header}",
        "CXX_FLAGS_RELEASE": "-O0",
        "CXX_STANDARD_LIBRARIES": "-latomic",
        "DISABLE_PRECOMPILE_HEADERS": "ON",
    }
    build(folder, jobs, programs, [f"-DCMAKE_{name}={value}" for name, value in flags.items()])
    bin_folder = folder / "build" / "bin"

    def run(program, test):
        """(seconds, program, test, a byte for each mutant)."""
        output = folder / f"{program}.{test.replace('/', '.')}"
        start = time.monotonic()
        command = [bin_folder / program, f"--gtest_filter={test}"]
        done = subprocess.run(command, cwd=bin_folder, env={**os.environ, "TPU_DIFFERENCES": str(output)}, capture_output=True, check=False)
        if done.returncode:
            raise MutateError(f"{program} {test} fails without a mutant")
        differs = output.read_bytes()
        output.unlink()
        return time.monotonic() - start, program, test, differs

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        runs = [pool.submit(run, program, test) for program in programs for test in list_tests(bin_folder / program)]
        done = sorted(job.result() for job in runs)
    return {m.number: [(program, test) for _, program, test, differs in done if differs[m.number]] for m in mutants}


class Runner:
    """Looks for what notices one mutant at a time."""

    def __init__(self, folder, sources, tests, proofs, before):
        self.folder = folder
        # {number of a mutant: tests of units in which it would differ, quickest first}
        self.met = {}
        # {number of a mutant: its Result with an earlier version of the files}
        self.before = before
        # {file: its verilog_mutations.Source}
        self.sources = sources
        # {file: programs to run, proofs to make}
        self.tests = tests
        self.proofs = proofs
        self.prover = miter.Prover(folder / "miters")
        self.machine = module_closure()[MACHINE]
        # {program: its tests}
        programs = dict.fromkeys(program for programs in tests.values() for program in programs)
        self.names = {program: set(list_tests(folder / "build" / "bin" / program)) for program in programs}
        # {program: seconds that it takes without a mutant}, {(program, test): the same}, each when first asked for
        self.seconds = {}
        self.locks = {program: threading.Lock() for program in self.names}
        # Tests that caught a mutant of this file last: the next one probably falls to them, too.
        self.last_killers = collections.defaultdict(list)

    def run(self, program, number, seconds, only=None, hangs=True):
        """(failed, test, output): a test that fails, or that does not end, unless that `hangs` says nothing."""
        chosen = only or SYSTEM_TESTS.get(program, "*")
        # Processor time: on a busy machine a test that is right must not look like one that does not end.
        command = [self.folder / "build" / "bin" / program, "--gtest_fail_fast", f"--gtest_filter={chosen}"]
        command = formal.limited(command, seconds) if seconds else command
        environment = {**os.environ, "TPU_MUTANT": str(number)}
        environment.pop("TPU_MODELS_DIR", None)
        done = subprocess.run(command, cwd=self.folder / "build" / "bin", env=environment, capture_output=True, check=False)
        if done.returncode == 0 or (not hangs and done.returncode in formal.OUT_OF_TIME):
            return False, "", done.stdout
        found = re.search(rb"\[  FAILED  \] ([\w/.]+)", done.stdout) or re.search(rb".*\[ RUN      \] ([\w/.]+)", done.stdout, re.DOTALL)
        return True, found.group(1).decode() if found else f"exit status {done.returncode}", done.stdout

    def programs(self, mutation, kind_of_tests):
        """The programs of these that simulate the mutant's module."""
        return [program for program in self.tests[mutation.file] if program in kind_of_tests]

    def measure(self, program):
        """Without a mutant all its tests must pass; says how long that takes."""
        with self.locks[program]:
            if program in self.seconds:
                return
            start = time.monotonic()
            failed, test, output = self.run(program, 0, None)
            if failed:
                raise MutateError(f"{program} fails without a mutant: {test}")
            for name, milliseconds in re.findall(rb"\[       OK \] ([\w/.]+).*\((\d+) ms\)", output):
                self.seconds[program, name.decode()] = int(milliseconds) / 1000
            self.seconds[program] = time.monotonic() - start
            print(f"  {program}: {self.seconds[program]:.1f} s without a mutant", flush=True)

    def stages(self):
        """What looks for the end of a mutant, what is soon done first."""
        return [
            self.caught_as_before,
            self.caught_by_units_soon,
            self.caught_by_reset,
            self.caught_by_units,
            self.proved_soon,
            self.caught_by_proofs,
            self.caught_by_machines,
            self.proved_or_survived,
        ]

    def was_equivalent(self, mutation):
        """Before its files changed: then no test will notice it, and the miter takes as long as it did."""
        before = self.before.get(mutation.number)
        return before is not None and bool(before.equivalent_in)

    def caught_as_before(self, mutation):
        """By what caught it before its files changed, other than a unit test."""
        before = self.before.get(mutation.number)
        if not before or not before.caught_by or not self.still_has(before):
            return None
        if before.caught_by == "core_reset":
            return self.caught_by_reset(mutation)
        if before.caught_by == "proof":
            return self.caught_by_proofs(mutation, before.test)
        return None if before.caught_by in UNIT_TESTS else self.caught_by_machine(mutation, before.caught_by, before.test)

    def caught_by_units_soon(self, mutation):
        """They probably do not notice what they did not notice before its files changed."""
        before = self.before.get(mutation.number)
        return None if before and before.caught_by not in UNIT_TESTS else self.caught_by_units(mutation, QUICK_SECONDS)

    def proved_soon(self, mutation):
        return self.proved_equivalent(mutation, functools.partial(self.prover.prove_alone, soon=True))

    def proved_or_survived(self, mutation):
        return self.proved_equivalent(mutation, self.prover.prove) or Result(mutation)

    def caught_by_units(self, mutation, most=math.inf):
        """By one of the unit tests that meet it, together in at most so many seconds: first that which caught it before its files changed, then
        what caught other mutants of the file last, then the others, the quickest first."""
        before, killers = self.before.get(mutation.number), self.last_killers[mutation.file]
        met = self.met.get(mutation.number, [])
        known = [(before.caught_by, before.test)] if before else []
        end = time.monotonic() + most
        for killer in dict.fromkeys([killer for killer in known + killers[:4] if killer in met] + met):
            left, limit = end - time.monotonic(), self.limit(*killer)
            if left <= 0:
                return None
            failed, _, _ = self.run(killer[0], mutation.number, min(limit, left), killer[1], hangs=limit <= left)
            if failed:
                if killer in killers:
                    killers.remove(killer)
                killers.insert(0, killer)
                return Result(mutation, *killer)
        return None

    def caught_by_machines(self, mutation):
        for program in self.programs(mutation, SYSTEM_TESTS):
            if result := self.caught_by_machine(mutation, program):
                return result
        return None

    def caught_by_machine(self, mutation, program, test=None):
        """By a test of this program, or by this one of its tests."""
        failed, found, _ = self.run(program, mutation.number, self.limit(program, test), test)
        return Result(mutation, program, found) if failed else None

    def copy_of_rtl(self, mutation, name):
        """A folder with rtl/ as the mutant has it."""
        work = self.folder / name / str(mutation.number)
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(RTL, work / "rtl")
        (work / "rtl" / mutation.file).write_text(mutation.applied(self.sources[mutation.file].text))
        return work

    def caught_by_reset(self, mutation):
        """By a register of the machine that a reset leaves unknown."""
        if pathlib.Path(mutation.file).stem not in self.machine:
            return None
        work = self.copy_of_rtl(mutation, "resets")
        (work / "tests").symlink_to(ROOT / "tests")
        found = None
        for name, parameters in RESETS.items():
            command = ["timeout", str(RESET_SECONDS), sys.executable, ROOT / "tests" / "four_state" / "reset_test.py", work, *parameters]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode == 1 and "of them unknown" in done.stdout:
                found = Result(mutation, "core_reset", name)
                break
        shutil.rmtree(work)
        return found

    def caught_by_proofs(self, mutation, only=None):
        for proof in self.proofs[mutation.file]:
            if only not in (None, proof.name):
                continue
            work = self.copy_of_rtl(mutation, "proofs")
            result = formal.prove(proof, work / "rtl", work / proof.name)
            shutil.rmtree(work)
            if not result.passed and result.message.startswith("counterexample"):
                return Result(mutation, "proof", proof.name)
        return None

    def proved_equivalent(self, mutation, prove):
        modules = prove(mutation.file, mutation.applied(self.sources[mutation.file].text))
        return Result(mutation, equivalent_in=modules) if modules else None

    def still_has(self, result):
        """Whether the test that caught a mutant is among those that run now."""
        return result.caught_by in (None, "proof", "core_reset") or result.test in self.names.get(result.caught_by, ())

    def limit(self, program, test=None):
        """Of a program, or of one test of it."""
        self.measure(program)
        return PATIENCE_SECONDS + PATIENCE * self.seconds.get((program, test), self.seconds[program])


FOUND = [field.name for field in dataclasses.fields(Result) if field.name != "mutation"]


def kind(result):
    if result.caught_by:
        return "units" if result.caught_by in UNIT_TESTS else "proofs" if result.caught_by == "proof" else "machines"
    return "equivalent" if result.equivalent_in else "survived"


def outcome(result):
    return f"caught by {result.caught_by} {result.test}" if result.caught_by else f"{kind(result)} {' '.join(result.equivalent_in)}"


class Journal:
    """What was found out about mutants. It holds for as long as all files are the same that were simulated, proved or compared for it, and the
    test is still there."""

    def __init__(self, folder, resume, keys):
        """`keys`: {number of a mutant: what names it in any version of rtl/}."""
        self.path = folder / "journal.jsonl"
        self.names = {number: self.name(key) for number, key in keys.items()}
        self.below = module_closure()
        self.proofs = {proof.name: proof for proof in formal.read_table()}
        self.known = {}
        if resume:
            self.read()
        elif self.path.exists():
            self.path.unlink()

    @staticmethod
    def name(key):
        return hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()[:12]

    def read(self):
        entries = json.loads(LEDGER.read_text()) if LEDGER.exists() else []
        if self.path.exists():
            entries += [json.loads(line) for line in self.path.read_text().splitlines()]
        for entry in entries:
            for name in entry.pop("mutants"):
                self.known[name] = entry

    def read_for(self, result):
        """The files that a result rests on."""
        if result.caught_by == "proof":
            return formal.sources(self.proofs[result.test], RTL) if result.test in self.proofs else []
        # Models of a test program without the mutant's module have nothing to do with it.
        module = pathlib.Path(result.mutation.file).stem
        units = [top for top in UNIT_TESTS.get(result.caught_by, []) if module in self.below.get(top, ())]
        modules = units if result.caught_by else result.equivalent_in
        names = set().union(*(self.below.get(module, set()) for module in modules or [MACHINE]))
        return [path for path in RTL.rglob("*.v") if path.stem in names]

    def digest(self, result):
        return digest_of(tuple(sorted(self.read_for(result))))[:16]

    def found(self, mutation):
        """The result, unless the mutant is new or survived, or what found it has changed."""
        result = self.before(mutation)
        return result if result and self.known[self.names[mutation.number]].get("sources") == self.digest(result) else None

    def before(self, mutation):
        """What was found out last, with the files of that day; None if nothing was, or if it survived."""
        entry = self.known.get(self.names[mutation.number], {})
        result = Result(mutation, **{name: value for name, value in entry.items() if name in FOUND})
        return result if kind(result) != "survived" else None

    def entry(self, result):
        return {name: getattr(result, name) for name in FOUND} | {"sources": self.digest(result)}

    def add(self, result):
        self.append(result.mutation, self.entry(result))

    def append(self, mutation, entry):
        with open(self.path, "a") as file:
            file.write(json.dumps({"mutants": [self.names[mutation.number]], **entry}) + "\n")

    def add_passed(self, mutation, stage):
        """A mutant that this stage and all before have not ended. What is known from before stays."""
        known = self.known.get(self.names[mutation.number]) or self.entry(Result(mutation))
        self.append(mutation, known | {"passed": stage, "passed_sources": self.digest(Result(mutation))})

    def passed(self, mutation):
        """The last stage that has not ended it with this version of the files, if any has."""
        entry = self.known.get(self.names[mutation.number], {})
        return entry["passed"] if entry.get("passed_sources") == self.digest(Result(mutation)) else None

    def record(self, mutations):
        """Writes LEDGER: what has one end, one line. What an earlier version of the files led to stays, as the next run tries that first."""
        lines = collections.defaultdict(list)
        for name in (self.names[mutation.number] for mutation in mutations):
            if name in self.known:
                lines[json.dumps(self.known[name])].append(name)
        LEDGER.write_text("[\n" + ",\n".join(f'{end[:-1]}, "mutants": {json.dumps(names)}}}' for end, names in sorted(lines.items())) + "\n]\n")


@functools.cache
def code_of(path):
    """What a file says when all macros stand for what they mean: comments do not count, and no more of a header than what is used."""
    done = subprocess.run(
        ["iverilog", "-g2005", "-E", f"-I{RTL / 'include'}", "-o", "/dev/stdout", path], capture_output=True, text=True, check=True
    )
    lines = (re.sub(r"\s*//.*", "", line) for line in done.stdout.splitlines())
    return "\n".join(line for line in lines if line)


@functools.cache
def digest_of(paths):
    """Of the code of files."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(f"{path.name}\n{code_of(path)}\n".encode())
    return digest.hexdigest()


def table(results):
    """Prints and returns how many mutants of each file came to which end."""
    rows = collections.defaultdict(collections.Counter)
    for result in results:
        for name in (result.mutation.file, "all", "exhaustive files" if result.mutation.file in EXHAUSTIVE else "sampled files"):
            rows[name][kind(result)] += 1
    names = sorted(name for name in rows if name.endswith(".v")) + [n for n in ("exhaustive files", "sampled files", "all") if n in rows]
    print(f"\n  {'file':36} mutants  caught by units  by proofs  by machines  equivalent  survived  caught")
    for name in names:
        count = rows[name]
        total = sum(count.values())
        share = 100 * (total - count["equivalent"] - count["survived"]) / total
        print(
            f"  {name:36} {total:7}  {count['units']:15}  {count['proofs']:9}  {count['machines']:11}  {count['equivalent']:10}  {count['survived']:8}"
            f"  {share:5.1f} %"
        )
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--sample", type=int, default=SAMPLE, help=f"mutants of files that are not exhausted; default {SAMPLE}")
    parser.add_argument("--all", action="store_true", help="all mutants of all files: takes hours")
    parser.add_argument("--file", action="append", help="all mutants of this file, e.g. memory/tpu_load.v")
    parser.add_argument("--mutant", type=int, action="append", help="this one, by number")
    parser.add_argument("--units", action="store_true", help="unit tests and miters only")
    parser.add_argument("--resume", action="store_true", help="take over what earlier runs found out with files that are still the same")
    parser.add_argument("--record", action="store_true", help=f"write {LEDGER.relative_to(ROOT)} from what is known, and stop")
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    arguments = parser.parse_args()

    sources = read_sources()
    source_of = {source.name: source for source, _ in sources}
    keys = {number: key for source, mutations in sources for number, key in keys_of(source, mutations).items()}
    chosen = choose(sources, keys, arguments)
    if arguments.list:
        for mutation in chosen:
            print("  " + describe(source_of[mutation.file], mutation))
        return 0

    folder = arguments.build.resolve() / "mutate"
    folder.mkdir(parents=True, exist_ok=True)
    journal = Journal(folder, arguments.resume or arguments.record, keys)
    if arguments.record:
        results = [result for mutation in chosen if (result := journal.found(mutation))]
        journal.record(chosen)
        table(results)
        print(f"  {len(results)} of {len(chosen)} mutants are in {LEDGER.relative_to(ROOT)}")
        return 0
    print(f"  {len(chosen)} of {sum(len(m) for _, m in sources)} mutants, seed {arguments.seed}", flush=True)
    tests = tests_of({mutation.file for mutation in chosen}, arguments.units)
    programs = sorted({program for programs in tests.values() for program in programs})
    formal.TIMEOUT_SECONDS = PROOF_SECONDS
    proofs = {file: [] for file in tests} if arguments.units else proofs_of(tests)
    before = {mutation.number: journal.before(mutation) for mutation in chosen}
    results = [result for mutation in chosen if (result := journal.found(mutation))]
    while True:
        known = {result.mutation.number for result in results}
        waiting = [mutation for mutation in chosen if mutation.number not in known]
        numbers = held(folder, {mutation.number for mutation in waiting})
        holds = [mutation for _, mutations in sources for mutation in mutations if mutation.number in numbers]
        start = time.monotonic()
        write_rtl(folder / "rtl", sources, holds)
        build(folder, arguments.jobs, programs)
        print(f"  built with {len(holds)} mutants in {time.monotonic() - start:.0f} s", flush=True)
        runner = Runner(folder, source_of, tests, proofs, before)
        # What fell to a test that is gone waits, too.
        still = [result for result in results if runner.still_has(result)]
        if len(still) == len(results):
            break
        results = still
    if results:
        print(f"  {len(results)} are known from before", flush=True)

    stages = runner.stages()
    names = [stage.__name__ for stage in stages]
    passed = {mutation.number: journal.passed(mutation) for mutation in waiting}

    def due(i):
        """What the i-th stage has to look at. What was equivalent no test will notice, and the miter takes as long as it did."""
        last = i == len(stages) - 1
        return [m for m in waiting if passed[m.number] not in names[i:] and (last or not runner.was_equivalent(m))]

    start = time.monotonic()
    meets = due(stages.index(runner.caught_by_units))
    units = dict.fromkeys(program for mutation in meets for program in runner.programs(mutation, UNIT_TESTS))
    if units:
        runner.met = meetings(folder / "recorded", sources, holds, list(units), arguments.jobs)
        print(f"  found in {time.monotonic() - start:.0f} s which unit tests meet which mutants", flush=True)
    start = time.monotonic()

    def keep(result):
        mutation = result.mutation
        results.append(result)
        journal.add(result)
        if kind(result) == "survived":
            print("  SURVIVED " + describe(source_of[mutation.file], mutation), flush=True)
        if arguments.mutant:
            print(f"  {describe(source_of[mutation.file], mutation)}\n      {outcome(result)}")
        if len(results) % 50 == 0:
            print(f"  {len(results)} of {len(chosen)} after {time.monotonic() - start:.0f} s, in {mutation.file}", flush=True)

    for i, stage in enumerate(stages):
        left = due(i)
        print(f"  {len(waiting)} without an end, {len(left)} for {names[i]}", flush=True)
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            jobs = {pool.submit(stage, mutation): mutation for mutation in left}
            try:
                for job in concurrent.futures.as_completed(jobs):
                    if result := job.result():
                        keep(result)
                    else:
                        journal.add_passed(jobs[job], names[i])
            finally:
                # Where one has failed, e.g. a test without a mutant, no other one begins.
                pool.shutdown(wait=False, cancel_futures=True)
        ended = {result.mutation.number for result in results}
        waiting = [mutation for mutation in waiting if mutation.number not in ended]
    results.sort(key=lambda r: r.mutation.number)

    (folder / "results.json").write_text(
        json.dumps(
            [
                {
                    **keys[r.mutation.number],
                    "mutant": r.mutation.number,
                    "kind": r.mutation.kind,
                    "row": line_of(source_of[r.mutation.file], r.mutation),
                    "caught_by": r.caught_by,
                    "test": r.test,
                    "equivalent_in": r.equivalent_in,
                }
                for r in results
            ],
            indent=1,
        )
        + "\n"
    )
    rows = table(results)
    print(f"  {len(results)} mutants in {time.monotonic() - start:.0f} s, seed {arguments.seed}; {folder}/results.json")
    return 1 if rows["all"]["survived"] else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except MutateError as error:
        sys.exit(f"mutate: {error}")
