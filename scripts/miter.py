# SPDX-License-Identifier: Apache-2.0
"""Proves that a changed module of rtl/ cannot be told from the original.

Original and change stand side by side in the same surroundings and get the same inputs. yosys makes a circuit of both whose output says
that two of their outputs differ, and berkeley-abc proves that it never does: from power-on with zeros everywhere, for any inputs in any
number of cycles, resets included.

The surroundings are the module itself. Where the module's outputs do differ, e.g. while nobody looks at them, the surroundings are each module
that uses it, and so on up to the whole machine.
"""

import dataclasses
import hashlib
import json
import pathlib
import re
import subprocess

import lint_rtl

ROOT = pathlib.Path(__file__).resolve().parent.parent
RTL = ROOT / "rtl"
TOP = "tpu_top"
# Values of parameters: two of each, as in scripts/lint_params.json, which has those that are not here.
PARAMETERS = ROOT / "tests" / "mutation" / "miter_params.json"
TIMEOUT_SECONDS = 600
# First what simulation takes to be equal is proved to be, by induction over one cycle. If the outputs are not among it, an invariant is looked for.
ENGINE = "strash; lcorr; scorr -C 500; print_stats; pdr -T 60"

ELABORATE = """design -reset
read_verilog -I{include} {files}
hierarchy -check -top {module}{parameters}
proc
"""
FLATTEN = """flatten
memory_collect
opt -fast
memory_map
setundef -zero
opt -fast
rename -top {name}
design -stash {name}
"""
MITER = """design -copy-from gold -as gold gold
design -copy-from gate -as gate gate
miter -equiv -flatten gold gate miter
hierarchy -top miter
setundef -init -zero
techmap
opt -fast
dffunmap
abc -g AND -fast
opt_clean
write_aiger -I -B -zinit miter.aig
"""


class MiterError(Exception):
    pass


@dataclasses.dataclass
class Verdict:
    proved: bool
    # Surroundings in which it was proved, or could not be
    where: list


class Prover:
    """Keeps what it has found out in `folder`, by the contents of all that was compared."""

    def __init__(self, folder):
        self.folder = folder
        files = lint_rtl.read_file_list()
        self.used = {pathlib.Path(name).stem: [ROOT / f for f in used] for name, used in lint_rtl.used_files(files).items()}
        self.parameters = {lint_rtl.module_of(name)[0]: lint_rtl.module_of(name)[1] for name in files}
        self.values = [json.loads(path.read_text()) for path in (PARAMETERS, ROOT / "scripts" / "lint_params.json")]

    def users(self, module):
        """Modules that instantiate it themselves."""
        instance = re.compile(rf"^\s*{module}\s+(?:#\s*\(|u_\w+\s*\()", re.MULTILINE)
        return [user for user, files in self.used.items() if instance.search(files[-1].read_text())]

    def parameter_sets(self, module):
        def value(name, i):
            for table in self.values:
                for scope in (module, "*"):
                    if name in table.get(scope, {}):
                        return table[scope][name][i]
            raise MiterError(f"{module}: no value for {name}")

        sets = [tuple((name, value(name, i)) for name in self.parameters[module]) for i in (0, 1)]
        return list(dict.fromkeys(sets))

    def prove(self, file, changed):
        """Whether `changed`, the text of rtl/FILE after a change, is equivalent wherever the module is used."""
        return self.prove_in(pathlib.Path(file).stem, file, changed)

    def prove_in(self, module, file, changed):
        answers = [self.compare(module, parameters, file, changed) for parameters in self.parameter_sets(module)]
        if "different" not in answers and "equal" in answers:
            return Verdict(True, [module])
        users = self.users(module)
        verdicts = []
        for user in users:
            verdicts.append(self.prove_in(user, file, changed))
            if not verdicts[-1].proved:
                break
        proved = bool(users) and all(verdict.proved for verdict in verdicts)
        return Verdict(proved, sorted({where for verdict in verdicts for where in verdict.where}) if users else [module])

    def compare(self, module, parameters, file, changed):
        """"equal", "different" (or not proved), or "absent": these parameters leave the changed place out."""
        texts = [path.read_text() for path in self.used[module]] + [path.read_text() for path in sorted(RTL.rglob("*.vh"))]
        everything = json.dumps([module, parameters, file, changed, texts, ELABORATE, FLATTEN, MITER, ENGINE])
        work = self.folder / f"{module}_{hashlib.sha256(everything.encode()).hexdigest()[:20]}"
        answer = work / "answer"
        if not answer.exists():
            work.mkdir(parents=True, exist_ok=True)
            answer.write_text(self.compute(work, module, parameters, file, changed))
        return answer.read_text()

    def compute(self, work, module, parameters, file, changed):
        gate = work / pathlib.Path(file).name
        gate.write_text(changed)
        sides = {"gold": self.used[module], "gate": [gate if path == RTL / file else path for path in self.used[module]]}
        script = ""
        for name, files in sides.items():
            script += ELABORATE.format(
                include=RTL / "include",
                files=" ".join(map(str, files)),
                module=module,
                parameters="".join(f" -chparam {key} {value}" for key, value in parameters),
            )
            script += f"write_rtlil {name}.il\n" + FLATTEN.format(name=name)
        (work / "miter.ys").write_text(script + MITER)
        self.run(["yosys", "-q", "-s", "miter.ys"], work, "yosys.log")
        if structure(work / "gold.il") == structure(work / "gate.il"):
            return "absent"
        output = self.run(["berkeley-abc", "-c", f"read_aiger miter.aig; {ENGINE}"], work, "abc.log")
        return "equal" if "Property proved" in output else "different"

    def run(self, command, work, log):
        with open(work / log, "w") as output:
            try:
                done = subprocess.run(
                    command, cwd=work, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, timeout=TIMEOUT_SECONDS, check=False
                )
            except subprocess.TimeoutExpired:
                return ""
        if done.returncode:
            raise MiterError(f"{command[0]} failed; see {work / log}")
        return (work / log).read_text()


def structure(path):
    """The elaborated design without places in source files."""
    return re.sub(r"\S+\.v:[\d.-]+(\$\d+)?|attribute \\src .*|\$\d+", "", path.read_text())
