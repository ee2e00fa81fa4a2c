#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what `make sim` says about the network that it trains: on the golden model all of it, on the RTL two steps.

    sim_training_test.py PROGRAM
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""
NAME = "training on digits"
STEPS = 126


def run(*options):
    """What the program prints, and its entry of the JSON."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "sim.json"
        done = subprocess.run([PROGRAM, "--only", NAME, "--json", file, *options], capture_output=True, text=True, timeout=240)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        (entry,) = json.loads(file.read_text())
    return done.stdout, entry


class OnTheGoldenModel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.text, cls.entry = run("--backend", "golden")
        cls.training = cls.entry["training"]

    def test_reads_95_percent_of_new_images(self):
        self.assertGreaterEqual(self.training["accuracy"], 0.95)
        self.assertEqual((self.training["examples"], self.training["test_examples"]), (1347, 450))
        right = round(450 * self.training["accuracy"])
        self.assertIn(f"{right} of 450 handwritten digits read correctly after {STEPS} steps from random weights\n", self.text)

    def test_begins_with_guesses_and_learns(self):
        losses = self.training["loss"]
        self.assertGreater(losses[0], 2.0)  # ln 10 = 2.3 for ten equal guesses
        self.assertLess(sum(losses[-10:]) / 10, 0.2)

    def test_json_has_a_loss_and_a_crc_of_each_step_and_a_test_of_each_epoch(self):
        self.assertEqual(self.entry["name"], NAME)
        self.assertTrue(self.entry["passed"])
        self.assertEqual(len(self.training["loss"]), STEPS)
        self.assertEqual(len(set(self.training["weights_crc32"])), STEPS)
        self.assertEqual([e["step"] for e in self.training["evaluations"]], [21, 42, 63, 84, 105, 126])
        self.assertEqual(self.training["evaluations"][-1]["accuracy"], self.training["accuracy"])

    def test_prints_curve_table_and_digits(self):
        self.assertRegex(self.text, r"N = 16, .*, bf16, int16\n")
        self.assertRegex(self.text, rf"\n{NAME} .* ok\n")
        self.assertRegex(self.text, rf"\nloss of {STEPS} steps, 64 images each\n *2\.\d+ │█")
        self.assertRegex(self.text, rf"\n +0\.000 └─+\n +1 +{STEPS}\n")
        self.assertIn("read correctly after step 21: ", self.text)
        self.assertEqual(self.text.count("read 2, is 2"), 1)
        self.assertTrue(self.text.endswith("\nEvery result is the golden model's.\n"))

    def test_the_seed_chooses_weights_and_order(self):
        _, same = run("--backend", "golden", "--steps", "2", "--seed", "7")
        _, again = run("--backend", "golden", "--steps", "2", "--seed", "7")
        _, other = run("--backend", "golden", "--steps", "2", "--seed", "8")
        for key in ("loss", "weights_crc32"):
            self.assertEqual(same["training"][key], again["training"][key])
            self.assertNotEqual(same["training"][key], other["training"][key])


class OnTheRtl(unittest.TestCase):
    def test_two_steps_are_those_of_the_golden_model(self):
        text, rtl = run("--steps", "2")
        _, golden = run("--steps", "2", "--backend", "golden")
        self.assertRegex(text, r"^\nrtl machine: N = 16, ")
        for key in ("loss", "weights_crc32", "evaluations", "macs"):
            self.assertEqual(rtl["training"][key], golden["training"][key], key)
        self.assertEqual(rtl["cycles"], rtl["training"]["cycles"] + rtl["training"]["evaluation_cycles"])
        self.assertLess(rtl["training"]["cycles"], 80_000)
        # So that all steps and tests are done within 40 seconds.
        epoch = STEPS // 6
        whole = rtl["training"]["cycles"] // 2 * STEPS + rtl["training"]["evaluation_cycles"] * (STEPS // epoch)
        self.assertLess(whole, 6_000_000)


class TheJob(unittest.TestCase):
    def test_is_listed_and_chosen_by_its_name(self):
        listed = subprocess.run([PROGRAM, "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertEqual(listed[-1], NAME)
        text, _ = run("--steps", "1", "--backend", "golden")
        self.assertNotIn("matmul", text)

    def test_needs_its_images(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([PROGRAM, "--only", NAME, "--digits", folder], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("trainset.json", done.stderr)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
