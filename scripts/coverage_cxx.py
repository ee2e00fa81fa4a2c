#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures which lines of src/ and include/ the tests run, counted by clang.

    coverage_cxx.py BUILD [-j JOBS] [--report]

Builds all C++ with counters in BUILD/coverage/cxx, with the Verilated models of BUILD, and runs every test. Tests also run the tools, as
processes of their own: the counts of all processes of one program go to one file. --report prints what the last run left.

Prints a table by folder. Writes cxx.json and cxx_uncovered.txt to BUILD/coverage. Fails when tests fail or fewer lines than THRESHOLD ran.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("src", "include")
# Per cent of lines
THRESHOLD = 95.0


class CoverageError(Exception):
    pass


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, **options)


def build(plain, folder, jobs):
    run("cmake", "--build", plain, "-j", jobs, "--target", "tpu_models")
    if not (folder / "build.ninja").exists():
        run(
            *("cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_CXX_COMPILER=clang++", "-DTPU_CXX_COVERAGE=ON"),
            *(f"-DTPU_MODELS={plain}", "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG"),
        )
    run("cmake", "--build", folder, "-j", jobs)


def run_tests(folder, jobs):
    profiles = folder / "profiles"
    profiles.mkdir(exist_ok=True)
    for old in profiles.iterdir():
        old.unlink()
    # %m: a file for each program, which its processes add their counts to.
    run(ROOT / "scripts" / "run_tests.sh", folder, jobs, env=os.environ | {"LLVM_PROFILE_FILE": f"{profiles}/%m.profraw"})


def read_lines(folder):
    """{file: {line: how often it ran}} of the lines that have code."""
    profiles = sorted((folder / "profiles").glob("*.profraw"))
    if not profiles:
        raise CoverageError(f"{folder}/profiles has no counts; run without --report")
    merged = folder / "merged.profdata"
    run("llvm-profdata", "merge", "-o", merged, *profiles)
    programs = sorted(path for path in (folder / "bin").iterdir() if path.is_file() and os.access(path, os.X_OK))
    objects = [word for path in programs[1:] for word in ("-object", path)]
    places = [ROOT / name for name in FOLDERS]
    text = run("llvm-cov", "export", "-format=lcov", "-instr-profile", merged, programs[0], *objects, *places, capture_output=True, text=True)
    lines = collections.defaultdict(dict)
    file = None
    for entry in text.stdout.splitlines():
        key, _, value = entry.partition(":")
        if key == "SF":
            file = str(pathlib.Path(value).relative_to(ROOT))
        elif key == "DA":
            line, count = value.split(",")[:2]
            lines[file][int(line)] = max(lines[file].get(int(line), 0), int(count))
    return dict(sorted(lines.items()))


def percent(numbers):
    return 100.0 * numbers[0] / numbers[1] if numbers[1] else 100.0


def report(folder):
    """Prints and writes the results; returns whether enough is covered."""
    lines = read_lines(folder)
    table = collections.defaultdict(lambda: [0, 0])
    for file, counts in lines.items():
        ran = sum(count > 0 for count in counts.values())
        for name in (str(pathlib.Path(file).parent), "all"):
            table[name][0] += ran
            table[name][1] += len(counts)
    print(f"\n  {'folder':34} {'lines':>17}")
    for name in sorted(table, key=lambda name: (name == "all", name)):
        print(f"  {name:34}  {percent(table[name]):6.1f} %  {f'{table[name][0]}/{table[name][1]}':>13}")

    uncovered = {file: [line for line, count in counts.items() if count == 0] for file, counts in lines.items()}
    with open(folder.parent / "cxx_uncovered.txt", "w") as output:
        for file, missing in uncovered.items():
            code = (ROOT / file).read_text().splitlines()
            for line in missing:
                print(f"{file}:{line}: {code[line - 1].strip()}", file=output)
    figures = {"threshold": THRESHOLD, "total": table["all"], "folders": dict(table), "uncovered": {k: v for k, v in uncovered.items() if v}}
    (folder.parent / "cxx.json").write_text(json.dumps(figures, indent=1) + "\n")

    reached = percent(table["all"])
    good = reached >= THRESHOLD
    print(f"\n  not covered: {folder.parent}/cxx_uncovered.txt")
    print(f"  lines   {reached:6.2f} %, {'at least' if good else 'NOT the'} {THRESHOLD:.0f} %{'' if good else ' that are asked for'}")
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--report", action="store_true", help="do not build and run; report the last run")
    arguments = parser.parse_args()
    plain = arguments.build.resolve()
    folder = plain / "coverage" / "cxx"
    if not arguments.report:
        folder.mkdir(parents=True, exist_ok=True)
        build(plain, folder, arguments.jobs)
        run_tests(folder, arguments.jobs)
    return 0 if report(folder) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (CoverageError, subprocess.CalledProcessError) as error:
        sys.exit(f"coverage_cxx: {error}")
