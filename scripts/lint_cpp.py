#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy on every C++ file of the repository that the build compiles.

A file that passed is not looked at again until something it includes, its compiler options or .clang-tidy changes: the
hash of its preprocessed text is kept in BUILD/clang_tidy_passed.

    lint_cpp.py BUILD [JOBS]
"""

import concurrent.futures
import hashlib
import json
import pathlib
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def commands(build):
    """Repository files of compile_commands.json with their commands, each file once.

    A file may belong to several targets. What has not been compiled (a machine that only `make scaling` builds) may lack the
    headers that Verilator writes.
    """
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"])
        words = shlex.split(entry["command"])
        compiled = (pathlib.Path(entry["directory"]) / words[words.index("-o") + 1]).exists()
        if compiled and path.is_relative_to(ROOT) and not path.is_relative_to(build):
            found[path] = entry
    return found


def compiler(entry):
    """The compiler and its options, without what it reads and writes."""
    words = shlex.split(entry["command"])
    if words[0].endswith("ccache"):
        words = words[1:]
    return words[: words.index("-o")]


def fingerprint(entry):
    """Hash of all that clang-tidy's answer depends on; None when the file cannot be preprocessed."""
    words = compiler(entry) + ["-E", "-P", "-C", entry["file"]]
    done = subprocess.run(words, cwd=entry["directory"], capture_output=True, check=False)
    if done.returncode:
        return None
    settings = (ROOT / ".clang-tidy").read_bytes()
    return hashlib.sha256(done.stdout + settings + entry["command"].encode()).hexdigest()


def tidy(build, path, entry):
    """Returns whether the file had passed before, and clang-tidy's findings."""
    passed = build / "clang_tidy_passed"
    key = fingerprint(entry)
    if key and (passed / key).exists():
        return True, ""
    # Options given here, as with -p a file of several targets would be looked at once for each.
    command = ["clang-tidy", "--quiet", str(path), "--", *compiler(entry)[1:]]
    done = subprocess.run(command, cwd=entry["directory"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    if done.returncode or done.stdout.strip():
        return False, done.stdout.strip() or f"exit status {done.returncode}"
    passed.mkdir(exist_ok=True)
    (passed / key).touch()
    return False, ""


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    jobs = int(sys.argv[2]) if len(sys.argv) > 2 else 2
    work = commands(build)
    failed = known = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        answers = pool.map(lambda item: tidy(build, *item), work.items())
        for path, (was_known, findings) in zip(work, answers):
            known += was_known
            print(f"  {path.relative_to(ROOT)}: {'FAILED' if findings else 'ok'}", flush=True)
            if findings:
                failed += 1
                print(findings)
    print(f"  {len(work)} files ({known} unchanged since they passed): {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
