#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy on every C++ file of the repository that the build compiles.

Files are looked at as they are compiled, several of a target at a time (CMAKE_UNITY_BUILD). What passed is not looked at again until
something that is included, the compiler's options or .clang-tidy change: the hash of the preprocessed text is kept in
BUILD/clang_tidy_passed.

    tidy.py BUILD [JOBS] [--quick]

clang-tidy is that of BUILD/tidy-env (scripts/tidy_requirements.txt).
--quick: without tests/, which take half of the time.
"""

import concurrent.futures
import hashlib
import json
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Not of tests: their seeds are the same each time on purpose, and they run the project's programs.
TESTS_WITHOUT = ",-bugprone-random-generator-seed,-bugprone-command-processor"


def sources(path, build):
    """The repository's files that a compiled file consists of."""
    if not path.is_relative_to(build):
        return {path} if path.is_relative_to(ROOT) else set()
    if path.parent.name != "Unity":
        return set()
    return {pathlib.Path(name) for name in re.findall(r'#include "(.*\.cpp)"', path.read_text())}


def commands(build):
    """Commands of compile_commands.json that together compile every file of the repository, with the files.

    A file may belong to several targets, of which the first one counts.
    """
    found = []
    covered = set()
    for entry in json.loads((build / "compile_commands.json").read_text()):
        files = sources(pathlib.Path(entry["file"]), build)
        if files - covered:
            found.append((entry, sorted(str(file.relative_to(ROOT)) for file in files - covered)))
            covered |= files
    return found


def is_test(files):
    return all(file.startswith("tests/") for file in files)


def compiler(entry):
    """The compiler and its options, without what it reads and writes.

    Without precompiled headers, too (CMake's `-Xclang -include-pch -Xclang FILE -Xclang -include -Xclang FILE`), so that a file that does not
    include what it uses does not compile.
    """
    words = shlex.split(entry["command"])
    launcher = next((i for i, word in enumerate(words[:3]) if word.endswith("ccache")), -1)
    words = words[launcher + 1 : words.index("-o")]
    if "-include-pch" in words:
        first = words.index("-include-pch") - 1
        del words[first : first + 8]
    return words


def fingerprint(entry):
    """Hash of all that clang-tidy's answer depends on; None when the file cannot be preprocessed."""
    words = compiler(entry) + ["-E", "-P", "-C", entry["file"]]
    done = subprocess.run(words, cwd=entry["directory"], capture_output=True, check=False)
    if done.returncode:
        return None
    settings = (ROOT / ".clang-tidy").read_bytes() + (ROOT / "scripts/tidy_requirements.txt").read_bytes()
    return hashlib.sha256(done.stdout + settings + entry["command"].encode()).hexdigest()


def tidy(build, entry, checks):
    """Returns whether it had passed before, and clang-tidy's findings."""
    passed = build / "clang_tidy_passed"
    key = fingerprint(entry)
    if key and (passed / key).exists():
        return True, ""
    # Options given here, as with -p a file of several targets would be looked at once for each. Including sources is what CMake does.
    # The compiler's warnings are the build's.
    command = [build / "tidy-env/bin/clang-tidy", "--quiet", f"--checks=-bugprone-suspicious-include{checks}", entry["file"], "--", *compiler(entry)[1:], "-w"]
    done = subprocess.run(command, cwd=entry["directory"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    if done.returncode or done.stdout.strip():
        return False, done.stdout.strip() or f"exit status {done.returncode}"
    passed.mkdir(exist_ok=True)
    (passed / key).touch()
    return False, ""


def main():
    quick = "--quick" in sys.argv
    words = [word for word in sys.argv[1:] if word != "--quick"]
    build = pathlib.Path(words[0]).resolve()
    jobs = int(words[1]) if len(words) > 1 else 2
    work = [(entry, files) for entry, files in commands(build) if not (quick and is_test(files))]
    failed = known = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        answers = pool.map(lambda item: tidy(build, item[0], TESTS_WITHOUT if is_test(item[1]) else ""), work)
        for (_, files), (was_known, findings) in zip(work, answers):
            known += len(files) if was_known else 0
            failed += bool(findings)
            for file in files:
                print(f"  {file}: {'FAILED' if findings else 'ok'}", flush=True)
            if findings:
                print(findings)
    print(f"  {sum(len(files) for _, files in work)} files ({known} unchanged since they passed): {failed} compilations with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
