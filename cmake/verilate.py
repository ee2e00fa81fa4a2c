#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Verilates one model for tpu_verilate() and prepares its C++ for CMake, which does not know the names of the files that Verilator writes.

    verilate.py FOLDER PREFIX PARTS [--fast] [--cold] -- VERILATOR ARGUMENT...

Leaves in FOLDER what Verilator wrote and

    PREFIX_0.cpp ... PREFIX_<PARTS - 1>.cpp   which include all of Verilator's .cpp files
    PREFIX_cold.cpp                           with --cold, which includes those that run at the start only, or never
    PREFIX_clock.h                            see last_clock()
    PREFIX.d                                  the files that the model is made from, for ninja

A file is touched only when something in it changes, and each of these and PREFIX.h when anything changes in the model, so that nothing is
compiled again after a changed comment. --fast rearranges the model's members (sim/arrange_members.py).
"""

import argparse
import hashlib
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "sim"))
import arrange_members
import arrange_statements

# Files that run at the start only, or never.
COLD = re.compile(r"__(Slow|Syms|Dpi|ConstPool_\d+)\.cpp$")


def verilate(folder, prefix, command):
    command = [*command, "--prefix", prefix, "--Mdir", folder]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    # Newer versions close with statistics, on lines that begin with a dash.
    sys.stdout.writelines(line for line in done.stdout.splitlines(keepends=True) if not line.startswith("- "))
    if done.returncode:
        sys.exit(done.returncode)


def last_clock(folder, prefix):
    """A header with the member that keeps the level which the clock had in the last eval(), as TPU_LAST_CLOCK(model)."""
    root = (folder / f"{prefix}___024root.h").read_text()
    names = re.findall(r"CData/\*0:0\*/ (__Vtrig\w*prev\w*_clk(?:__0)?);", root)
    if len(names) != 1:
        return "// This version of Verilator keeps it elsewhere.\n"
    return f"#define TPU_LAST_CLOCK(signals) (signals).{names[0]}\n"


def parts(files, count):
    """The texts of `count` files that include the .cpp files: the top's code of every cycle in files of about the same size, the rest in the
    last one, as submodules that the compiler sees beside their callers would be copied into these (sim/verilator.vlt: no_inline)."""
    sizes = [0] * max(count - 1, 1)
    included = [[] for _ in range(count)]
    for file in sorted(files, key=lambda file: (-file.stat().st_size, file.name)):
        smallest = sizes.index(min(sizes))
        if "___024root__" in file.name and not COLD.search(file.name):
            sizes[smallest] += file.stat().st_size
            included[smallest].append(file.name)
        else:
            included[-1].append(file.name)
    texts = []
    for names in included:
        names.sort(key=lambda name: bool(COLD.search(name)))
        lines = [f'#include "{name}"\n' for name in names]
        first_cold = next((i for i, name in enumerate(names) if COLD.search(name)), len(names))
        # To optimise it would take most of the time that the compiler needs.
        lines.insert(first_cold, "#pragma clang optimize off\n")
        texts.append("".join(lines))
    return texts


def dependencies(folder, prefix):
    """The files that Verilator read."""
    return (folder / f"{prefix}__ver.d").read_text().split(" : ")[1].split()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("prefix")
    parser.add_argument("parts", type=int)
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--cold", action="store_true")
    parser.add_argument("command", nargs="+", metavar="VERILATOR ARGUMENT")
    arguments = parser.parse_args()
    folder, prefix = arguments.folder, arguments.prefix

    new = folder / "new"
    shutil.rmtree(new, ignore_errors=True)
    verilate(new, prefix, arguments.command)
    if arguments.fast:
        if not arrange_statements.rewrite(new, prefix):
            print(f"{prefix}: slower than it could be: the statements are not written as known versions of Verilator write them")
        if not arrange_members.rewrite(new / f"{prefix}___024root.h"):
            print(f"{prefix}: slower than it could be: the members are not written as known versions of Verilator write them")

    texts = {file.name: file.read_text() for file in [*new.glob("*.h"), *new.glob("*.cpp")]}
    cpps = list(new.glob("*.cpp"))
    names = [f"{prefix}_{number}.cpp" for number in range(arguments.parts)]
    if arguments.cold:
        cold = sorted(file.name for file in cpps if COLD.search(file.name))
        texts[f"{prefix}_cold.cpp"] = "".join(f'#include "{name}"\n' for name in cold)
        names.append(f"{prefix}_cold.cpp")
        cpps = [file for file in cpps if file.name not in cold]
    texts.update(zip(names, parts(cpps, arguments.parts)))
    clock = last_clock(new, prefix)
    if arguments.fast and "TPU_LAST_CLOCK" not in clock:
        print(f"{prefix}: slower than it could be: the clock's last level is not where this version of Verilator is known to keep it")
    texts[f"{prefix}_clock.h"] = clock
    # Whoever includes the model, and ninja, look at these.
    mark = hashlib.sha256("".join(name + text for name, text in sorted(texts.items())).encode()).hexdigest()
    for name in [f"{prefix}.h", f"{prefix}_clock.h", *names]:
        texts[name] += f"// {mark}\n"
    for file in [*folder.glob("*.h"), *folder.glob("*.cpp")]:
        if file.name not in texts:
            file.unlink()
    for name, text in texts.items():
        file = folder / name
        if not file.exists() or file.read_text() != text:
            file.write_text(text)
    (folder / f"{prefix}.d").write_text(f"{folder / prefix}.h: {' '.join(dependencies(new, prefix))}\n")
    shutil.rmtree(new)


if __name__ == "__main__":
    main()
