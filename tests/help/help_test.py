#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every program says with --help how it is used, and what it is for, and so does every command of a program that has commands.

    help_test.py PROGRAM...
"""

import os
import re
import subprocess
import sys
import tempfile

SECONDS = 20
# The command that has commands, and one of them, so that a change of the format does not hide them all.
COMMANDS_OF = ("tpu", "run")


def problems(command, run):
    """What is wrong with the help of a command, and of its commands. `run` gives the exit status and both outputs."""
    status, out, err = run([*command, "--help"])
    name = " ".join([os.path.basename(command[0]), *command[1:]])
    if status != 0 or err:
        return [f"{name} --help: exit status {status}, and on standard error: {err!r}"]
    found = []
    if not re.search(r"^\s*Usage:", out, re.MULTILINE):
        found.append(f"{name} --help: no line begins with Usage:")
    if not re.search(r"\w+ \w+ \w+", re.sub(r"^\s*Usage:.*$", "", out, flags=re.MULTILINE)):
        found.append(f"{name} --help: no sentence says what it is for")
    commands = re.split(r"^SUBCOMMANDS:|^Subcommands:", out, flags=re.MULTILINE)
    if len(command) == 1 and len(commands) == 2:
        for sub in re.findall(r"^  (\w+)", commands[1], re.MULTILINE):
            found += problems([*command, sub], run)
    return found


def run(command):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, cwd=folder, stdin=subprocess.DEVNULL)
        # What takes --help for a file or a folder leaves something behind.
        left = [name for name in os.listdir(folder) if "help" in name]
    return done.returncode, done.stdout, done.stderr + (f"leaves {left}" if left else "")


def self_test():
    """Each rule finds what it is for."""
    good = (0, "Copies files from here.\nUsage: a [OPTIONS] FILE\n", "")
    commands = (0, "Does this and that.\nUsage: a [OPTIONS] SUBCOMMAND\n\nSubcommands:\n  run     Runs\n  load    Loads\n", "")
    assert problems(["a"], lambda command: good) == []
    assert len(problems(["a"], lambda command: (1, good[1], ""))) == 1
    assert len(problems(["a"], lambda command: (0, good[1], "what?"))) == 1
    assert len(problems(["a"], lambda command: (0, "Copies files from here.\n", ""))) == 1
    assert len(problems(["a"], lambda command: (0, "Usage: a [OPTIONS] FILE\n", ""))) == 1
    assert problems(["a"], lambda command: commands if len(command) == 2 else good) == []
    assert len(problems(["a"], lambda command: commands if len(command) == 2 else (1, "", ""))) == 2


def main():
    self_test()
    programs = sys.argv[1:]
    found = [problem for program in programs for problem in problems([program], run)]
    for program in programs:
        if os.path.basename(program) == COMMANDS_OF[0] and f"  {COMMANDS_OF[1]} " not in run([program, "--help"])[1]:
            found.append(f"{program} --help: does not list the command {COMMANDS_OF[1]}")
    if found or not programs:
        sys.exit("\n".join(found) or "no programs")
    print(f"{len(programs)} programs say how they are used")


if __name__ == "__main__":
    main()
