#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every #include "library/header.h" of include/, src/, tb/ and python/ keeps to the table of allowed dependencies, and that code stands in
the namespace of its folder.

The build cannot see it: include paths start at src/, so a header of a library that a target does not link is found all
the same. What the table protects above all: the golden model and the compiler share nothing but the instruction
set, so that a mistake in one is not repeated in the other.

    dependencies_test.py [ROOT]
"""

import pathlib
import re
import sys

# The folder of a library, and the folders that it may include from. A folder inside of a library's folder is a library of its own.
ALLOWED = {
    "tpu": set(),
    "base": {"tpu"},
    "arithmetic": {"base"},
    # For the golden model. The compiler and its reference kernels must not use it.
    "arithmetic/float": {"base"},
    "npy": {"base"},
    # What the graph, executables and kernels share of an operator that the host runs.
    "host_operators": {"base", "tpu"},
    "ir": {"arithmetic", "base", "host_operators", "tpu"},
    # For any front end: it knows no model format and no machine.
    "tensor": {"base", "tpu"},
    "tensor/from_tflite": {"base", "ir", "tensor"},
    "isa": {"base", "tpu"},
    "link": {"base"},
    "asm": {"base", "isa"},
    "timing": {"base", "isa"},
    "executable": {"base", "host_operators", "isa", "tpu"},
    "golden": {"arithmetic/float", "base", "isa"},
    "frontends/tflite": {"base", "host_operators", "ir"},
    # The graph of the public headers, apart from what else they promise: front ends build it, too.
    "sdk/graph": {"base", "ir", "tpu"},
    "frontends/onnx": {"base", "ir", "sdk/graph", "tpu"},
    "compiler/quantise": {"arithmetic", "base", "ir"},
    "compiler/program": {"base", "compiler/quantise", "executable", "ir", "isa"},
    "compiler/cost": {"base", "compiler/program", "isa", "timing"},
    "compiler/from_tensor": {"base", "compiler/quantise", "ir", "isa", "tensor"},
    "compiler/legalise": {"arithmetic", "base", "compiler/quantise", "host_operators", "ir", "isa"},
    "compiler/place": {"base", "compiler/legalise", "compiler/program", "ir", "isa"},
    "compiler/tile": {"base", "compiler/cost", "compiler/program", "ir", "isa"},
    "compiler/lower": {
        "base", "compiler/cost", "compiler/legalise", "compiler/place", "compiler/program", "compiler/quantise",
        "compiler/schedule", "compiler/tile", "executable", "host_operators", "ir", "isa", "timing"
    },
    "compiler/schedule": {"base", "compiler/cost", "compiler/program", "isa", "timing"},
    "compiler/link": {"asm", "base", "compiler/program", "executable", "isa"},
    "compiler": {
        "base", "compiler/from_tensor", "compiler/legalise", "compiler/link", "compiler/lower", "compiler/place", "compiler/program",
        "compiler/quantise", "compiler/schedule", "executable", "ir", "isa", "tensor", "timing"
    },
    "host_kernels": {"arithmetic", "base", "executable", "host_operators", "tpu"},
    "runtime": {"base", "executable", "host_kernels", "isa", "tpu"},
    "devices/golden": {"base", "golden", "isa", "runtime", "tpu"},
    "devices/rtl": {"base", "isa", "runtime", "tb", "tpu"},
    "devices/board": {"base", "isa", "link", "runtime", "tpu"},
    "sdk": {
        "asm", "base", "compiler", "devices/golden", "executable", "frontends/onnx", "frontends/tflite", "ir", "isa", "runtime", "sdk/graph", "tpu"
    },
    "profile": {"base", "executable", "isa", "runtime"},
    "training": {
        "base", "compiler", "compiler/quantise", "executable", "ir", "isa", "npy", "profile", "runtime", "tensor", "tensor/from_tflite", "tpu"
    },
    "workloads": {"base", "ir"},
    "tb": {"base", "isa"},
    "tools": {
        "asm", "base", "compiler", "devices/board", "devices/rtl", "executable", "frontends/onnx", "frontends/tflite", "golden", "ir", "isa", "link", "npy",
        "profile", "runtime", "sdk", "tensor", "tensor/from_tflite", "timing", "tpu", "training", "workloads"
    },
    "delegate": {"base", "devices/board", "executable", "frontends/tflite", "profile", "runtime", "tools", "tpu"},
    "bindings": {"base", "devices/board", "devices/rtl", "executable", "profile", "runtime", "tools", "tpu", "training"},
}
# Code stands in the namespace tpu::FOLDER, with FOLDER the topmost folder of its library. Other rules:
NAMESPACES = {
    "tpu": {"tpu"},
    # Errors are thrown to users, who know only tpu.
    "base": {"tpu"},
    # What the public headers declare, and what this library needs for it.
    "sdk": {"tpu", "tpu::sdk"},
    # The folder stands in python/.
    "bindings": {"tpu::python"},
    # asm is a keyword.
    "asm": {"tpu::assembly"},
    # A front end is named by its format.
    "frontends/tflite": {"tpu::tflite"},
    "frontends/onnx": {"tpu::onnx"},
    "tools/generate": {"tpu::generate"},
}
NAMESPACE = re.compile(r"^namespace (tpu[\w:]*) \{", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
# Public headers must compile where nothing but a C++ compiler is installed.
FOREIGN = re.compile(r"^\s*#\s*include\s+<([^>]*[./][^>]*)>", re.MULTILINE)
VERILATED = re.compile(r"V\w+\.h")


def library_at(folder):
    """The library that a folder belongs to: itself or the nearest folder around it that is one; None if there is none."""
    while folder and folder not in ALLOWED:
        folder = folder.rpartition("/")[0]
    return folder or None


def namespaces_of(folder):
    """The namespaces that code in a folder may stand in."""
    around = folder
    while around and around not in NAMESPACES:
        around = around.rpartition("/")[0]
    return NAMESPACES[around] if around else {"tpu::" + folder.partition("/")[0]}


def violations(path, text):
    """One message for each include and each namespace that breaks a rule; `path` is relative to the root."""
    folder = path.parent.as_posix().removeprefix("src/").removeprefix("include/").removeprefix("python/")
    library = library_at(folder)
    if library is None:
        yield f"{path}: no rule for {folder}; add it to {pathlib.Path(__file__).name}"
        return
    for namespace in NAMESPACE.findall(text):
        if namespace not in namespaces_of(folder):
            yield f"{path}: namespace {namespace}, but code in {folder} belongs to {' or '.join(sorted(namespaces_of(folder)))}"
    if library == "tpu":
        for header in FOREIGN.findall(text):
            yield f"{path}: a public header includes <{header}>, which is not C++'s own"
    for header in INCLUDE.findall(text):
        used = library_at(header.rpartition("/")[0])
        if VERILATED.fullmatch(header):
            if library not in {"tb", "devices/rtl"}:
                yield f"{path}: includes the Verilated model {header}"
        elif "/" not in header:
            yield f'{path}: includes "{header}" without its library; write "{library}/{header}"'
        elif used != library and used not in ALLOWED[library]:
            yield f"{path}: includes {header}, but {library} may use only {sorted(ALLOWED[library]) or 'nothing'}"


def circle(allowed):
    """Libraries that use each other, however many others lie between; None if there are none."""
    left = dict(allowed)
    while left:
        lowest = [library for library, used in left.items() if not used & left.keys()]
        if not lowest:
            return sorted(left)
        for library in lowest:
            del left[library]
    return None


def self_test():
    """The checker itself must complain about what it is for."""
    bad = [
        ("src/compiler/a.cpp", '#include "golden/machine.h"\n'),
        ("src/golden/a.h", '  #  include "compiler/graph.h"\n'),
        ("src/isa/a.h", '#include "registers.h"\n'),
        ("src/new/a.h", ""),
        ("include/tpu/a.h", '#include "base/error.h"\n'),
        ("include/tpu/a.h", "#include <fmt/core.h>\n"),
        ("src/runtime/a.cpp", '#include "Vtpu_top.h"\n'),
        ("src/tools/a.cpp", '#include "devices/golden/golden_device.h"\n'),
        ("src/compiler/tile/a.h", '#include "compiler/compile.h"\n'),
        ("src/compiler/tile/a.h", '#include "compiler/lower/emitter.h"\n'),
        ("src/frontends/new/a.h", ""),
        ("src/isa/a.h", '#include "nowhere/a.h"\n'),
        ("src/compiler/lower/a.h", "namespace tpu::lower {\n"),
        ("src/profile/a.h", "namespace tpu::runtime {\n"),
        ("src/frontends/tflite/a.h", "namespace tpu::compiler {\n"),
    ]
    good = [
        ("src/compiler/link/a.cpp", '#include "asm/verifier.h"\n#include <vector>\nnamespace tpu::compiler {\n'),
        ("src/devices/rtl/a.cpp", '#include "Vtpu_top.h"\nnamespace tpu::devices {\n'),
    ]
    for name, text in bad:
        assert list(violations(pathlib.Path(name), text)), f"accepted {name}: {text}"
    for name, text in good:
        assert not list(violations(pathlib.Path(name), text)), f"rejected {name}: {text}"
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": set()}) == ["a", "b", "c"]
    assert circle(ALLOWED) is None, f"the table has a circle among {circle(ALLOWED)}"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2])
    self_test()
    files = [p for folder in ("include", "src", "tb", "python") for p in sorted((root / folder).rglob("*")) if p.suffix in {".h", ".cpp"}]
    found = [v for p in files for v in violations(p.relative_to(root), p.read_text())]
    print("\n".join(found) or f"{len(files)} files keep to the tables")
    return 1 if found or not files else 0


if __name__ == "__main__":
    sys.exit(main())
