#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every #include "library/header.h" of src/, tb/ and sim/ keeps to the table of allowed dependencies.

The build cannot see it: include paths start at src/, so a header of a library that a target does not link is found all
the same. What the table protects above all: the golden model and the compiler share nothing but the instruction
set, so that a mistake in one is not repeated in the other.

    dependencies_test.py [ROOT]
"""

import pathlib
import re
import sys

ALLOWED = {
    "base": set(),
    "isa": {"base"},
    "asm": {"base", "isa"},
    "timing": {"base", "isa"},
    "golden": {"base", "isa"},
    "tflite": {"base"},
    "npy": {"base"},
    "arithmetic": {"base"},
    "host_kernels": {"base", "isa", "arithmetic"},
    "compiler": {"base", "isa", "arithmetic", "asm", "executable_file", "tflite", "timing"},
    "runtime": {"base", "isa", "host_kernels"},
    "executable_file": {"base", "isa"},
    "golden_backend": {"base", "isa", "golden", "runtime"},
    "workloads": {"base", "isa", "compiler", "runtime", "tflite"},
    "tb": {"base", "isa"},
    "sim": {"base", "isa", "runtime", "tb"},
    "tools": {"base", "isa", "asm", "golden", "compiler", "runtime", "golden_backend", "workloads", "executable_file", "tflite", "timing", "npy", "tb", "sim"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
VERILATED = re.compile(r"V\w+\.h")


def library_of(path):
    return path.parts[1] if path.parts[0] == "src" else path.parts[0]


def violations(path, text):
    """One message for each include that breaks a rule; `path` is relative to the root."""
    library = library_of(path)
    if library not in ALLOWED:
        yield f"{path}: no rule for {library}; add it to {pathlib.Path(__file__).name}"
        return
    for header in INCLUDE.findall(text):
        used, slash, _ = header.partition("/")
        if VERILATED.fullmatch(header):
            if library not in {"tb", "sim", "tools"}:
                yield f"{path}: includes the Verilated model {header}"
        elif not slash:
            yield f'{path}: includes "{header}" without its library; write "{library}/{header}"'
        elif used != library and used not in ALLOWED[library]:
            yield f"{path}: includes {header}, but {library} may use only {sorted(ALLOWED[library]) or 'nothing'}"


def self_test():
    """The checker itself must complain about what it is for."""
    bad = [
        ("src/compiler/a.cpp", '#include "golden/machine.h"\n'),
        ("src/golden/a.h", '  #  include "compiler/graph.h"\n'),
        ("src/isa/a.h", '#include "registers.h"\n'),
        ("src/new/a.h", ""),
        ("src/runtime/a.cpp", '#include "Vtpu_top.h"\n'),
    ]
    good = [("src/compiler/a.cpp", '#include "asm/verifier.h"\n#include <vector>\n'), ("sim/a.cpp", '#include "Vtpu_top.h"\n')]
    for name, text in bad:
        assert list(violations(pathlib.Path(name), text)), f"accepted {name}: {text}"
    for name, text in good:
        assert not list(violations(pathlib.Path(name), text)), f"rejected {name}: {text}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2])
    self_test()
    files = [p for folder in ("src", "tb", "sim") for p in sorted((root / folder).rglob("*")) if p.suffix in {".h", ".cpp"}]
    found = [v for p in files for v in violations(p.relative_to(root), p.read_text())]
    print("\n".join(found) or f"{len(files)} files keep to the table")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
