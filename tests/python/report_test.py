# SPDX-License-Identifier: Apache-2.0
"""Reports, timelines and pages are those of the command."""

import json
import re

import numpy as np
import pytest

import tpu
from conftest import DIGITS

TIMES = ("sim_seconds", "sim_cycles_per_second")


@pytest.fixture(scope="module")
def result():
    model = tpu.load(DIGITS)
    return model.run(np.zeros((1, 8, 8, 1), np.int8), backend="rtl")


def test_the_same_as_the_command(result, command, tmp_path):
    np.save(tmp_path / "x.npy", np.zeros((1, 8, 8, 1), np.int8))
    text = command("run", DIGITS, "--input", "x.npy", "--report", "r.json", "--timeline", "t.json", "--html", "r.html")
    expected = json.loads((tmp_path / "r.json").read_text())
    assert expected.pop("passed")
    report = dict(result.report)
    for time in TIMES:
        assert report.pop(time) > 0 and expected.pop(time) > 0
    assert report == expected and list(report) == list(expected)
    assert str(result.report) == text
    assert result.timeline() == (tmp_path / "t.json").read_text()

    def timeless(page):
        return re.sub(r'"sim_seconds".*?\}', "}", page, count=1)

    assert timeless(result.html()) == timeless((tmp_path / "r.html").read_text())


def test_tables(result):
    table = result.report.table()
    assert [row["op"] for row in table] == ["CONV_2D", "CONV_2D", "MAX_POOL_2D", "FULLY_CONNECTED"]
    assert sum(row["cycles"] for row in table) == result.report["cycles"] > 0
    assert all(sum(value for key, value in row.items() if key.startswith("array_")) == row["cycles"] for row in table)
    frame = result.report.to_frame()
    assert frame["macs"].sum() == result.report["macs"]
    assert list(frame.columns) == list(table[0])


def test_what_notebooks_show(result):
    page = result._repr_html_()
    assert page.startswith("<iframe srcdoc=") and page.count("<") == 2
    html = result.report._repr_html_()
    assert html.count("<tr>") == 6 and "CONV_2D" in html


def test_the_golden_model_has_no_time():
    result = tpu.load(DIGITS).run(np.zeros((1, 8, 8, 1), np.int8))
    assert result.report["cycles"] == 0 and result.report["macs"] == 309248
    with pytest.raises(tpu.Error, match="html: the device golden has no trace of instructions; these have: rtl"):
        result.html()
    assert result._repr_html_().startswith("<table>")
