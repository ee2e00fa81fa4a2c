# SPDX-License-Identifier: Apache-2.0
"""Proves that a changed module of rtl/ cannot be told from the original.

Original and change stand side by side in the same surroundings and get the same inputs. yosys makes a circuit of both whose output says
that two of their outputs differ, and berkeley-abc proves that it never does: from power-on with zeros everywhere, for any inputs in any
number of cycles, resets included.

Memories, and the array, are left out, as both sides have them: what goes into them must be equal, what comes out of them is anything
(tests/mutation/models). Where the change is in one of them it is kept.

Products are left out, too: equal factors have equal products, and more than that is not known of them. A proof that does not succeed with that
tries again with multipliers as they are.

Modules below that do not hold the change are left out in the same way: first all of them, then those that are two levels below or more, then all
but one, until the proof needs nothing of those that are left out; at last none.

The surroundings are the module itself. Where the module's outputs do differ, e.g. while nobody looks at them, the surroundings are each module
that uses it, and so on up to the whole machine.
"""

import collections
import hashlib
import itertools
import json
import pathlib
import re
import subprocess
import threading

import formal
import lint_rtl

ROOT = pathlib.Path(__file__).resolve().parent.parent
RTL = ROOT / "rtl"
# Values of parameters, which take turns; scripts/lint_params.json has those that are not here. A set takes one of each. What chooses between
# parts of a module (WINDOW, BF16, INT16) has so many values that any two of these parameters meet in each way.
PARAMETERS = ROOT / "tests" / "mutation" / "miter_params.json"
SETS = 4
TIMEOUT_SECONDS = 600
# Modules that take the place of those of the same name
MODELS = ROOT / "tests" / "mutation" / "models"
# First what simulation takes to be equal is proved to be, by induction over one cycle. If the outputs are not among it, an invariant is looked for.
ENGINE = "strash; lcorr; scorr -C 500; print_stats; pdr -T {seconds}"
PDR_SECONDS = 100
# Where that does not end, registers alone are compared, with more patience: beside a multiplier even simple things take many conflicts.
REGISTERS = "strash; scorr -l -C 100000; pdr -T 10"
REGISTERS_SECONDS = 60
# With modules left out
SHORT_PDR_SECONDS = 20
# For a first look
SOON_SECONDS = 10
OPEN_SOON = "open soon"
# The first line of a function, block or declaration, or the one behind it
BLOCK = re.compile(r"\s*(function|endfunction|always|assign|wire|reg|localparam|genvar|generate|endgenerate|tpu_\w+)\b|endmodule")
# A cell of a design: its name, parameters and connections
MULTIPLIER = re.compile(r"^  cell \$mul (\S+)\n((?:    .*\n)*)  end\n", re.MULTILINE)
# What names of multipliers that are left out begin with
PRODUCT = "product_"

# Everything as gates and registers
GATES = """memory -nomap
memory_map
setundef -zero
opt -fast
techmap
opt -fast
dffunmap"""
# One side: {name}.v.il to see whether the change is in it at all, then {name}.flat.il, in whose stead {name}.cut.il goes on, and {name}.il for the miter
SIDE = """read_verilog -defer -I{include} {files}
{parameters}
hierarchy -check -top {module}
write_rtlil {folder}/{name}.v.il
proc
flatten
write_rtlil {folder}/{name}.flat.il
"""
SIDE_AS_GATES = """read_rtlil {folder}/{name}.cut.il
expose -evert t:*miter_cut* t:*tpu_* t:*miter_product*
""" + GATES + """
rename -top {name}
write_rtlil {folder}/{name}.il
"""
MITER = """read_rtlil {gold}/gold.il
read_rtlil gate.il
read_verilog miter.v
hierarchy -check -top miter
flatten
setundef -init -zero
techmap
abc -g AND -fast
opt_clean
write_aiger -I -B -zinit miter.aig
"""


class MiterError(Exception):
    pass


class Prover:
    """Keeps what it has found out in `folder`, by the contents of all that was compared."""

    def __init__(self, folder):
        self.folder = folder
        # Mutants are compared in several threads.
        self.locks = collections.defaultdict(threading.Lock)
        files = lint_rtl.read_file_list()
        self.used = {pathlib.Path(name).stem: [ROOT / f for f in used] for name, used in lint_rtl.used_files(files).items()}
        self.parameters = {lint_rtl.module_of(name)[0]: lint_rtl.module_of(name)[1] for name in files}
        self.values = [json.loads(path.read_text()) for path in (PARAMETERS, ROOT / "scripts" / "lint_params.json")]

    def users(self, module):
        """Modules that instantiate it themselves."""
        return [user for user in self.used if module in self.below(user)]

    def parameter_sets(self, module):
        def value(name, i):
            for table in self.values:
                for scope in (module, "*"):
                    if name in table.get(scope, {}):
                        values = table[scope][name]
                        return values[i % len(values)]
            raise MiterError(f"{module}: no value for {name}")

        sets = [tuple((name, value(name, i)) for name in self.parameters[module]) for i in range(SETS)]
        return list(dict.fromkeys(sets))

    def prove(self, file, changed):
        """Modules in which `changed`, the text of rtl/FILE after a change, is equivalent, together all that there are around it; empty if not."""
        return self.prove_alone(file, changed) or self.prove_around(pathlib.Path(file).stem, file, changed)

    def prove_alone(self, file, changed, soon=False):
        """In its module; `soon`: only if that takes some seconds for each set of modules left out."""
        return self.prove_in(pathlib.Path(file).stem, file, changed, soon)

    def prove_in(self, module, file, changed, soon=False):
        answers = []
        for parameters in self.parameter_sets(module):
            ways = itertools.product(self.cuts(module, file), (True, False))
            found = (self.compare(module, parameters, file, changed, cut, products_free, soon) for cut, products_free in ways)
            answers.append(next((answer for answer in found if answer in ("equal", "absent")), None))
            if not answers[-1]:
                return []
        return [module] if "equal" in answers else []

    def prove_around(self, module, file, changed):
        found = []
        for user in self.users(module):
            proved = self.prove_in(user, file, changed) or self.prove_around(user, file, changed)
            if not proved:
                return []
            found += proved
        return sorted(set(found))

    def cuts(self, module, file):
        """Sets of modules below this one to leave out, the last one empty; none of them holds `file`: all, those two levels below or more, those three
        levels below or more, all but one of those that the module instantiates and what is below that."""
        levels = [{module}]
        while levels[-1]:
            levels.append(set().union(*map(self.below, levels[-1])).difference(*levels))
        models = {path.stem for path in MODELS.glob("*.v")}
        free = {name for level in levels[1:] for name in level if RTL / file not in self.used[name]} - models
        sets = [free.difference(*levels[:i]) for i in range(1, min(len(levels), 5))]
        sets += sorted((free - {path.stem for path in self.used[name]} for name in levels[1]), key=lambda cut: (-len(cut), sorted(cut)))
        return list(dict.fromkeys(map(frozenset, [*sets, set()])))

    def below(self, module):
        """Modules that it instantiates itself."""
        return set(lint_rtl.instances(self.used[module][-1].read_text()))

    def compare(self, module, parameters, file, changed, cut, products_free, soon):
        """"equal", "different", "absent": these parameters leave the changed place out; or "open": not decided. Modules of `cut` are left out, and
        products if they are free."""
        gold = self.files(module, file, cut)
        header = "".join(path.read_text() for path in sorted(RTL.rglob("*.vh")))
        scripts = SIDE + SIDE_AS_GATES
        original = json.dumps([module, parameters, [path.read_text() for path in gold], sorted(cut), products_free, header, scripts])
        side = self.folder / "originals" / f"{module}_{digest(original)}"
        work = self.folder / f"{module}_{digest(json.dumps([original, file, changed, MITER, ENGINE, REGISTERS]))}"
        answer = work / "answer"
        if not answer.exists():
            side.mkdir(parents=True, exist_ok=True)
            work.mkdir(parents=True, exist_ok=True)
            with self.locks[side]:
                if not (side / "gold.il").exists():
                    self.elaborate("gold", side, module, parameters, gold, products_free)
            if products_free and not MULTIPLIER.search((side / "gold.flat.il").read_text()):
                # The proof with multipliers as they are is the same.
                answer.write_text("open")
                return "open"
            gate = work / pathlib.Path(file).name
            gate.write_text(changed)
            self.elaborate("gate", work, module, parameters, [gate if path == RTL / file else path for path in gold], products_free)
            self.make_miter(side, work, RTL / file)
        if not answer.exists() or (answer.read_text() == OPEN_SOON and not soon):
            answer.write_text(self.decide(work, SHORT_PDR_SECONDS if cut else PDR_SECONDS, soon))
        return answer.read_text()

    def files(self, module, file, cut):
        """The files of a module and of all below it, with models where they may stand in for what does not hold `file`, and the ports alone of
        modules of `cut`."""
        models = {path.stem: path for path in MODELS.glob("*.v")}
        kept = [name for name in models if name == module or (name in self.used and RTL / file in self.used[name])]
        files = [path for path in self.used[module] if path.stem not in models or path.stem in kept]
        files = [self.ports(path) if path.stem in cut else path for path in files]
        return [*files, *(path for name, path in models.items() if name not in kept)]

    def ports(self, path):
        """A file that holds a module of rtl/ without anything in it."""
        text = re.sub(r"^module ", "(* blackbox *)\nmodule ", path.read_text(), flags=re.MULTILINE)
        box = self.folder / "boxes" / digest(text) / path.name
        if not box.exists():
            box.parent.mkdir(parents=True, exist_ok=True)
            box.write_text(text)
        return box

    def elaborate(self, name, folder, module, parameters, files, products_free):
        names = {"folder": folder, "name": name}
        script = SIDE.format(
            include=RTL / "include",
            files=" ".join(map(str, files)),
            module=module,
            # `hierarchy -chparam` of yosys 0.23 stops at some of our modules with a failed assertion.
            parameters="".join(f"chparam -set {key} {value} {module}\n" for key, value in parameters),
            **names,
        )
        self.run_yosys(script, folder, f"{name}.ys", "yosys.log")
        flat = (folder / f"{name}.flat.il").read_text()
        (folder / f"{name}.cut.il").write_text(without_multipliers(flat) if products_free else flat)
        self.run_yosys(SIDE_AS_GATES.format(**names), folder, f"{name}.gates.ys", "gates.log")

    def make_miter(self, side, work, path):
        design = (side / "gold.v.il").read_text()
        if structure(design) == structure((work / "gate.v.il").read_text()):
            # What became of the block around says that it is there.
            block = block_of_difference(path.read_text(), (work / path.name).read_text())
            there = any(f"/{path.name}:{line}." in design for line in block)
            (work / "answer").write_text("equal" if there else "absent")
        else:
            ports = [read_ports(path) for path in (side / "gold.il", work / "gate.il")]
            if ports[0] == ports[1]:
                (work / "miter.v").write_text(miter_of(ports[0]))
                self.run_yosys(MITER.format(gold=side), work, "miter.ys", "miter.log")
            else:
                # Other multipliers
                (work / "answer").write_text("open")
        for path in work.glob("*.il"):
            path.unlink()

    def decide(self, work, seconds, soon):
        engines = [(ENGINE.format(seconds=seconds), TIMEOUT_SECONDS), (REGISTERS, REGISTERS_SECONDS)]
        for commands, limit in [(ENGINE.format(seconds=SOON_SECONDS), SOON_SECONDS)] if soon else engines:
            output = self.run(["berkeley-abc", "-c", f"read_aiger miter.aig; {commands}"], work, "abc.log", limit)
            if "Property proved" in output:
                return "equal"
            if "was asserted in frame" in output:
                return "different"
        return OPEN_SOON if soon else "open"

    def run_yosys(self, script, folder, name, log):
        (folder / name).write_text(script)
        self.run(["yosys", "-q", "-s", name], folder, log)

    def run(self, command, work, log, seconds=TIMEOUT_SECONDS):
        """Its output, also if it needs more processor time than so many seconds."""
        with open(work / log, "w") as output:
            done = subprocess.run(
                formal.limited(command, seconds), cwd=work, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False
            )
        if done.returncode not in (0, *formal.OUT_OF_TIME):
            raise MiterError(f"{command[0]} failed; see {work / log}")
        return (work / log).read_text()


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def structure(design):
    """The elaborated design without places in source files."""
    return re.sub(r"\S+\.v:[\d.-]+(\$\d+)?|attribute \\src .*|\$\d+", "", design)


def block_of_difference(text, other):
    """The lines of the function, block or declaration in which two texts begin to differ."""
    lines = text.splitlines()
    changed = next(i for i, (line, changed) in enumerate(itertools.zip_longest(lines, other.splitlines())) if line != changed)
    first = next((i for i in range(changed, -1, -1) if BLOCK.match(lines[i])), 0)
    end = next((i for i in range(changed + 1, len(lines)) if BLOCK.match(lines[i])), len(lines))
    return range(first + 1, end + 1)


def without_multipliers(text):
    """A flat design in which each multiplier is a module without anything in it, with a name that a change elsewhere leaves as it is."""
    modules, seen = set(), collections.Counter()

    def replace(match):
        value = dict(re.findall(r"parameter (?:signed )?\\(\w+) (\S+)", match[2]))
        widths = [int(value[name]) for name in ("A_WIDTH", "B_WIDTH", "Y_WIDTH")]
        kind = "_".join(["miter_product", *map(str, widths), value["A_SIGNED"], value["B_SIGNED"]])
        modules.add((kind, *widths))
        place = re.sub(r"\W+", "_", re.sub(r"\$mul\$\S*/(\w+)\.v:(\d+)\$\d+", r"\1_\2", match[1]))
        seen[place] += 1
        connections = "".join(re.findall(r"    connect .*\n", match[2]))
        return f"  cell \\{kind} \\{PRODUCT}{place}_{seen[place]}\n{connections}  end\n"

    text = MULTIPLIER.sub(replace, text)
    for kind, a, b, y in sorted(modules):
        ports = f"  wire width {a} input 1 \\A\n  wire width {b} input 2 \\B\n  wire width {y} output 3 \\Y\n"
        text += f"attribute \\blackbox 1\nmodule \\{kind}\n{ports}end\n"
    return text


def read_ports(path):
    """{name: (direction, width)} of a side."""
    module = re.search(r"^module \\\w+\n(.*?)^end", path.read_text(), re.MULTILINE | re.DOTALL)[1]
    found = re.findall(r"^  wire (?:width (\d+) )?(?:(?:offset \d+|upto|signed) )*(input|output) \d+ \\(\S+)", module, re.MULTILINE)
    return {name: (direction, int(width or 1)) for width, direction, name in found}


def miter_of(ports):
    """A module whose output says that two outputs of `gold` and `gate` differ. Multipliers outside give equal products of equal factors."""
    products = {name[:-2] for name in ports if name.startswith(PRODUCT)}
    lines, inputs, compared, sides = [], [], [], {"gold": [], "gate": []}

    def wire(name, width, side=""):
        return f"[{width - 1}:0] \\{side}{name} "

    for name, (direction, width) in ports.items():
        if direction == "output":
            lines += [f"wire {wire(name, width, side)};" for side in sides]
            if name.split(".")[0] not in products:
                compared.append(f"(\\gold{name} != \\gate{name} )")
        else:
            inputs.append(f"input {wire(name, width)}")
        for side, connections in sides.items():
            shared = direction == "input" and not (side == "gate" and name.startswith(PRODUCT))
            connections.append(f".\\{name} (\\{'' if shared else side}{name} )")
    for product in sorted(products):
        width = ports[f"{product}.Y"][1]
        inputs.append(f"input {wire(product, width)}")
        same = f"{{\\gold{product}.A , \\gold{product}.B }} == {{\\gate{product}.A , \\gate{product}.B }}"
        lines.append(f"wire {wire(product + '.Y', width, 'gate')} = {same} ? \\{product}.Y : \\{product} ;")
    lines += [f"{side} {side}_i ({', '.join(connections)});" for side, connections in sides.items()]
    lines.append(f"assign trigger = {' || '.join(compared)};")
    return f"module miter({', '.join(inputs)}, output trigger);\n" + "\n".join(lines) + "\nendmodule\n"
