#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what the tests reach of rtl/: lines, branches and toggles, counted by Verilator.

    coverage.py BUILD [-j JOBS] [--report]

Builds the models with counters in BUILD/coverage, runs the tests of RUNS and merges their counts. --report merges and prints what the
last run left. A point (line, branch, bit) counts once, however many instances and parameter sets it has; it is covered when one instance
in one run of a model has

    line    executed it
    branch  taken it: an arm of if, else if, else or case, `else` and `default` also where they are not written
    toggle  changed the bit twice; all start at zero, so it rose and fell

tests/coverage/exclusions.json lists bits that cannot toggle: {"file", "signals", "bits", "reason"}. `file` and `signals` are
regular expressions, `bits` are ranges such as "63:40, 0", or missing for all. An entry that matches no bit, or one that toggled, is an error.

Writes coverage.json, uncovered.txt and coverage.html to BUILD/coverage. Fails when tests fail or less is covered than THRESHOLDS.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import html
import json
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXCLUSIONS = ROOT / "tests" / "coverage" / "exclusions.json"
KINDS = ("line", "branch", "toggle")
# Per cent
THRESHOLDS = {"line": 98.0, "branch": 98.0, "toggle": 90.0}
# Test programs and their arguments, the longest first. Whole machines are counted at N = 4, where lanes share a requantiser and have no window
# engine, and at N = 8, which has one; programs of 65536 instructions take minutes. What is only in machines with bf16 is counted in the vector
# unit's own test, in the board's and in those of arithmetic.
RUNS = [
    ("tpu_faults", []),
    ("rtl_fvector_test", []),
    ("rtl_matrix_test", []),
    ("system_test", ["--gtest_filter=*n4_rtl*:*n8_rtl*-SystemLong*"]),
    ("link_test", []),
    ("rtl_array_test", []),
    ("random_program_test", ["--gtest_filter=*/" + ":*/".join(f"Seed{seed}" for seed in range(4, 41, 4))]),
    ("rtl_float_lane_test", []),
    ("rtl_ivector_test", []),
    ("rtl_vector_test", []),
    ("rtl_board_test", []),
    ("rtl_control_test", []),
    ("rtl_load_test", []),
    ("rtl_store_test", []),
    ("rtl_float_function_test", []),
    ("rtl_float_test", []),
    ("rtl_weights_test", []),
    ("rtl_host_test", []),
    ("rtl_lanes_test", []),
    ("rtl_dma_test", []),
    ("rtl_address_test", []),
    ("rtl_axi_port_test", []),
    ("rtl_link_test", []),
    ("rtl_vector_walk_test", []),
    ("rtl_unified_buffer_test", []),
    ("rtl_common_test", []),
]


class CoverageError(Exception):
    pass


@dataclasses.dataclass(frozen=True, order=True)
class Point:
    """What is covered or not."""

    file: str
    line: int
    column: int
    kind: str
    # Which arm, or which bit; empty for lines
    name: str


def build(folder, jobs):
    if not (folder / "build.ninja").exists():
        subprocess.run(
            ["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_CXX_COMPILER=clang++", "-DTPU_COVERAGE=ON"], check=True
        )
    subprocess.run(["cmake", "--build", folder, "-j", str(jobs), "--target", *(program for program, _ in RUNS)], check=True)


def run_test(folder, program, arguments):
    """Leaves the counts as data/<program>.dat; returns seconds."""
    start = time.monotonic()
    environment = os.environ | {"TPU_COVERAGE": str(folder / "data" / f"{program}.dat")}
    log = folder / "data" / f"{program}.log"
    with open(log, "w") as output:
        done = subprocess.run(
            [folder / "bin" / program, *arguments], env=environment, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL
        )
    if done.returncode != 0:
        raise CoverageError(f"{program} failed; see {log}")
    return time.monotonic() - start


def run_tests(folder, jobs):
    (folder / "data").mkdir(exist_ok=True)
    for old in (folder / "data").iterdir():
        old.unlink()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(run_test, folder, program, arguments): program for program, arguments in RUNS}
        for job in concurrent.futures.as_completed(running):
            print(f"  {running[job]:24} {job.result():6.0f} s", flush=True)


def numbers_of(ranges):
    """The numbers in "12-14,20"."""
    for part in filter(None, ranges.split(",")):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def read_counts(path, counts):
    """Raises `counts` of points to those of a file that Verilator wrote: C 'key STX value SOH ...' count."""
    for entry in path.read_text().splitlines()[1:]:
        head, count = entry.rsplit(" ", 1)
        fields = dict(field.split("\2", 1) for field in head[len("C '\1") : -1].split("\1"))
        file = str(pathlib.Path(fields["f"]).relative_to(ROOT))
        if not file.startswith("rtl/"):
            continue
        place = (file, int(fields["l"]), int(fields["n"]))
        what = fields["o"]
        points = []
        if fields["page"].startswith("v_toggle"):
            points.append(Point(*place, "toggle", what))
        else:
            points += [Point(file, line, 0, "line", "") for line in numbers_of(fields.get("S", ""))]
            if what != "block":
                points.append(Point(*place, "branch", what))
        for point in points:
            counts[point] = max(counts.get(point, 0), int(count))


def signal_and_bit(point):
    """The bit is None for signals without bits."""
    signal, bit = re.fullmatch(r"(.*?)(?:\[(\d+)\])?", point.name).groups()
    return signal, None if bit is None else int(bit)


def is_covered(point, count):
    return count >= (2 if point.kind == "toggle" else 1)


def excluded_bits(counts):
    """Bits that need not toggle, by point."""
    reasons = {}
    toggles = [point for point in counts if point.kind == "toggle"]
    for entry in json.loads(EXCLUSIONS.read_text()):
        what = f"{EXCLUSIONS.relative_to(ROOT)}: {entry['file']}: {entry['signals']}"
        bits = None
        if "bits" in entry:
            bits = {n for part in entry["bits"].split(",") for n in numbers_of("-".join(sorted(part.strip().split(":"), key=int)))}
        found = []
        for point in toggles:
            signal, bit = signal_and_bit(point)
            matches = re.fullmatch(entry["file"], point.file) and re.fullmatch(entry["signals"], signal)
            if matches and (bits is None or bit in bits):
                found.append(point)
        if not found:
            raise CoverageError(f"{what}: no such bit")
        toggled = [point.name for point in found if is_covered(point, counts[point])]
        if toggled:
            raise CoverageError(f"{what}: toggled: {' '.join(toggled)}")
        for point in found:
            reasons[point] = entry["reason"]
    return reasons


def tally(counts):
    """{file: {kind: [covered, all]}}"""
    table = collections.defaultdict(lambda: {kind: [0, 0] for kind in KINDS})
    for point, count in counts.items():
        numbers = table[point.file][point.kind]
        numbers[0] += is_covered(point, count)
        numbers[1] += 1
    return dict(sorted(table.items()))


def percent(numbers):
    return 100.0 * numbers[0] / numbers[1] if numbers[1] else 100.0


def add_up(table):
    return {kind: [sum(row[kind][i] for row in table.values()) for i in (0, 1)] for kind in KINDS}


def describe(points):
    """{line: [what is missing]} of one file; neighbouring bits as ranges."""
    missing = collections.defaultdict(list)
    signals = collections.defaultdict(list)
    for point in sorted(points):
        if point.kind == "toggle":
            signal, bit = signal_and_bit(point)
            signals[point.line, signal].append(bit)
        else:
            missing[point.line].append(point.kind if point.kind == "line" else f"branch {point.name}")
    for (line, signal), bits in signals.items():
        if None in bits:
            missing[line].append(f"toggle {signal}")
            continue
        runs = []
        for bit in sorted(bits):
            if runs and runs[-1][1] == bit - 1:
                runs[-1][1] = bit
            else:
                runs.append([bit, bit])
        text = ",".join(f"{last}:{first}" if last > first else f"{first}" for first, last in reversed(runs))
        missing[line].append(f"toggle {signal}[{text}]")
    return dict(sorted(missing.items()))


def print_table(table, total):
    def row(name, numbers):
        columns = "".join(
            f"   {percent(numbers[kind]):6.1f} %  {f'{numbers[kind][0]}/{numbers[kind][1]}':>13}" for kind in KINDS
        )
        return f"  {name:34}{columns}"

    print(f"\n  {'file':34}" + "".join(f"   {kind:>23}" for kind in KINDS))
    for file, numbers in table.items():
        print(row(file, numbers))
    print(row("all", total))


STYLE = """
body { font: 14px sans-serif; margin: 2em auto; max-width: 90em; }
table { border-collapse: collapse; } td, th { padding: 2px 12px; text-align: right; } td:first-child, th:first-child { text-align: left; }
tr.sum { font-weight: bold; border-top: 1px solid; } td.low { background: #fcc; }
pre { margin: 0; line-height: 1.35; } pre span { display: block; padding-left: .5em; white-space: pre-wrap; }
.ran { background: #e3f5e3; } .missed { background: #fbd5d5; } .part { background: #fff3c4; }
i { color: #a00; } i.out { color: #777; } summary { cursor: pointer; margin: .5em 0; }
"""


def write_html(path, counts, reasons, table, total):
    """One page: the table, then each source line with what is missing."""
    parts = [f"<!DOCTYPE html><meta charset=utf-8><title>Coverage of rtl/</title><style>{STYLE}</style><h1>Coverage of rtl/</h1><table>"]
    parts.append("<tr><th>file" + "".join(f"<th colspan=2>{kind}" for kind in KINDS))
    for file, numbers in [*table.items(), ("all", total)]:
        cells = "".join(
            f"<td class={'low' if percent(numbers[kind]) < THRESHOLDS[kind] else 'ok'}>{percent(numbers[kind]):.1f} %"
            f"<td>{numbers[kind][0]}/{numbers[kind][1]}"
            for kind in KINDS
        )
        name = f"<a href='#{file}'>{file}</a>" if file in table else file
        parts.append(f"<tr class={'x' if file in table else 'sum'}><td>{name}{cells}")
    parts.append("</table>")
    for file in table:
        here = {point: count for point, count in counts.items() if point.file == file}
        missing = describe(point for point, count in here.items() if not is_covered(point, count))
        out = describe(point for point in reasons if point.file == file)
        lines = {point.line: count for point, count in here.items() if point.kind == "line"}
        parts.append(f"<details id='{file}' open><summary>{file}</summary><pre>")
        for number, text in enumerate((ROOT / file).read_text().splitlines(), 1):
            count = lines.get(number)
            style = "missed" if count == 0 else "part" if number in missing else "ran" if count else ""
            notes = "".join(f"  <i>{html.escape(note)}</i>" for note in missing.get(number, []))
            notes += "".join(f"  <i class=out>excluded: {html.escape(note)}</i>" for note in out.get(number, []))
            shown = "" if count is None else count
            parts.append(f"<span class='{style}'>{number:5} {shown:>10}  {html.escape(text)}{notes}</span>")
        parts.append("</pre></details>")
    path.write_text("".join(parts))


def report(folder):
    """Prints and writes the results; returns whether enough is covered."""
    files = sorted((folder / "data").glob("*.dat"))
    if len(files) != len(RUNS):
        raise CoverageError(f"{folder}/data has {len(files)} of {len(RUNS)} counts")
    counts = {}
    for file in files:
        read_counts(file, counts)
    reasons = excluded_bits(counts)
    for point in reasons:
        del counts[point]
    table = tally(counts)
    total = add_up(table)
    print_table(table, total)

    missing = {file: describe(p for p, n in counts.items() if p.file == file and not is_covered(p, n)) for file in table}
    with open(folder / "uncovered.txt", "w") as output:
        for file, lines in missing.items():
            for line, notes in lines.items():
                print(f"{file}:{line}: {'; '.join(notes)}", file=output)
    figures = {"thresholds": THRESHOLDS, "total": total, "files": table, "excluded_bits": len(reasons), "uncovered": missing}
    (folder / "coverage.json").write_text(json.dumps(figures, indent=1) + "\n")
    write_html(folder / "coverage.html", counts, reasons, table, total)

    print(f"\n  {len(reasons)} bits excluded ({EXCLUSIONS.relative_to(ROOT)})")
    print(f"  {folder}/coverage.html; not covered: {folder}/uncovered.txt")
    enough = True
    for kind, threshold in THRESHOLDS.items():
        reached = percent(total[kind])
        good = reached >= threshold
        enough = enough and good
        print(f"  {kind:7} {reached:6.2f} %, {'at least' if good else 'NOT the'} {threshold:.0f} %{'' if good else ' that are asked for'}")
    return enough


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--report", action="store_true", help="do not build and run; report the last run")
    arguments = parser.parse_args()
    folder = arguments.build.resolve() / "coverage"
    if not arguments.report:
        build(folder, arguments.jobs)
        run_tests(folder, arguments.jobs)
    return 0 if report(folder) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (CoverageError, subprocess.CalledProcessError) as error:
        sys.exit(f"coverage: {error}")
