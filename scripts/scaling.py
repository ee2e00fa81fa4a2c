#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the suites on machines of N = 8, 16, 32 and 64 and prints what each gains and what limits it.

scaling.py TPU_SCALING JSON [SUITE...]: the suites of bench/ (by default all whose models are there); JSON gets the same figures.
The machines differ in N and in the bus, which is one row wide; outputs are compared with the golden model.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SIZES = [8, 16, 32, 64]
ROOT = pathlib.Path(__file__).resolve().parent.parent
SUITES = ["matmul", "mobilenetv2", "resnet50"] + (["mlperf-tiny"] if "TPU_MODELS_DIR" in os.environ else [])


def run(tpu, suite, n):
    """The workloads' reports, as `tpu bench --json` writes them."""
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        subprocess.run([tpu, "bench", ROOT / "bench" / suite, "--config", f"N{n}", "--json", report.name], check=True)
        return json.load(report)["workloads"]


def total(workloads, value):
    return sum(w["count"] * value(w) for w in workloads)


def summarise(suite, n, workloads):
    """Shares of the suite's cycles: what the units did. The largest is what limits it."""
    cycles = total(workloads, lambda w: w["cycles"])
    count = lambda *names: total(workloads, lambda w: sum(w["counters"][name] for name in names))
    shares = {
        "array": count("array_active") / cycles,
        "vector": count("vector_active") / cycles,
        "bus": count("fetch_beats", "load_beats", "weights_beats") / cycles,
        "store": count("store_beats") / cycles,
    }
    return {
        "suite": suite,
        "n": n,
        "macs": total(workloads, lambda w: w["macs"]),
        "cycles": cycles,
        "utilization": total(workloads, lambda w: w["macs"]) / (cycles * n * n),
        "busy": shares,
        "limit": max(shares, key=shares.get),
    }


def main():
    tpu, output, suites = sys.argv[1], sys.argv[2], sys.argv[3:] or SUITES
    rows = []
    for suite in suites:
        for n in SIZES:
            rows.append(summarise(suite, n, run(tpu, suite, n)))
    pathlib.Path(output).write_text(json.dumps(rows, indent=2) + "\n")

    print("\nBusy: cycles with a row of activations (array), with a tap (vector), with a read beat (bus), with a write beat (store).\n")
    print("| suite | N | cycles | of the array's peak | times N = 16 | array | vector | bus | store |")
    print("|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        sixteen = next(r for r in rows if r["suite"] == row["suite"] and r["n"] == 16)
        busy = " | ".join(f"{100 * share:.0f} %" for share in row["busy"].values())
        print(f"| {row['suite']} | {row['n']} | {row['cycles']:,} | {100 * row['utilization']:.1f} % | "
              f"{sixteen['cycles'] / row['cycles']:.2f} | {busy} |")


if __name__ == "__main__":
    main()
