# SPDX-License-Identifier: Apache-2.0
"""Training."""

import json

import numpy as np
import pytest

import tpu
from conftest import FLOAT, ROOT


@pytest.fixture(scope="module")
def examples():
    rng = np.random.default_rng(1)
    inputs = rng.normal(size=(32, 70)).astype(np.float32)
    return inputs, np.tanh(inputs[:, :33])


def test_the_same_as_the_command(examples, command, tmp_path):
    inputs, targets = examples
    np.save(tmp_path / "x.npy", inputs)
    np.save(tmp_path / "t.npy", targets)
    steps = []
    ours = tpu.train(FLOAT, inputs, targets, loss="mse", batch=8, steps=6, learning_rate=0.05, backend="golden", test_inputs=inputs, test_labels=targets,
                     progress=lambda step, of, loss: steps.append((step, of, loss)))
    command("train", FLOAT, "--inputs", "x.npy", "--labels", "t.npy", "--test-inputs", "x.npy", "--test-labels", "t.npy", "--loss", "mse", "--batch", 8,
            "--steps", 6, "--lr", 0.05, "--backend", "golden", "--report", "r.json", "-o", "o.tflite")
    theirs = json.loads((tmp_path / "r.json").read_text())
    for key in ("loss", "weights_crc32", "evaluations", "mean_squared_error"):
        assert ours.report[key] == theirs[key], key
    assert ours.model == (tmp_path / "o.tflite").read_bytes()
    assert [(step, of) for step, of, _ in steps] == [(i + 1, 6) for i in range(6)]
    assert [loss for _, _, loss in steps] == ours.report["loss"]
    assert ours._repr_html_().startswith("<iframe") and "6 steps of 8 examples" in repr(ours)


def test_the_trained_model_runs(examples, tmp_path):
    trained = tpu.train(FLOAT, *examples, loss="mse", batch=8, steps=2, backend="golden")
    trained.save(tmp_path / "trained.tflite")
    model = tpu.load(tmp_path / "trained.tflite", config="N16-bf16")
    x = np.ones(model.inputs[0].shape, np.float32)
    assert not np.array_equal(model(x), tpu.load(FLOAT, config="N16-bf16")(x))
    assert np.array_equal(model(x), tpu.load(trained.model, config="N16-bf16")(x))


def test_training_on_the_rtl_counts_cycles(examples):
    golden, rtl = (tpu.train(FLOAT, *examples, loss="mse", batch=8, steps=1, backend=backend).report for backend in ("golden", "rtl"))
    assert rtl["weights_crc32"] == golden["weights_crc32"] and rtl["cycles"] > golden["cycles"] == 0


def test_a_checkpoint_continues(examples, tmp_path):
    how = dict(loss="mse", batch=8, optimizer="momentum", backend="golden")
    whole = tpu.train(FLOAT, *examples, steps=4, **how)
    tpu.train(FLOAT, *examples, steps=2, checkpoint=tmp_path / "c", **how)
    rest = tpu.train(FLOAT, *examples, steps=4, resume=tmp_path / "c", **how)
    assert rest.report["weights_crc32"] == whole.report["weights_crc32"]


@pytest.mark.parametrize("names", ["t1", ("t1",)])
def test_constants_besides_weights(names):
    """The model's one constant is added to all channels, so that it is no weight by itself."""
    model = ROOT / "models/float_vectors/add_constant.tflite"
    inputs = np.random.default_rng(1).normal(size=(8, 3, 4, 21)).astype(np.float32)
    how = dict(loss="mse", batch=4, steps=4, learning_rate=0.5, backend="golden")
    with pytest.raises(tpu.Error, match="nothing to train"):
        tpu.train(model, inputs, inputs + 1, **how)
    with pytest.raises(tpu.Error, match="t7: no operator takes"):
        tpu.train(model, inputs, inputs + 1, also_trained="t7", **how)
    trained = tpu.train(model, inputs, inputs + 1, also_trained=names, **how)
    assert trained.report["options"]["also_trained"] == ["t1"] and trained.report["loss"][-1] < trained.report["loss"][0]


@pytest.mark.parametrize("options, words", [
    (dict(optimizer="rprop"), "optimizer: rprop is none of sgd, momentum, adam"),
    (dict(batch=0), "batch: 0 is no whole number of at least 1"),
    (dict(learning_rate=0), "learning_rate: 0 is no number above 0"),
    (dict(epochs=1, steps=1), "epochs and steps: give one of them"),
    (dict(test_inputs=np.zeros((1, 70), np.float32)), "give both or none"),
    (dict(batch=64), "32 examples do not fill a step"),
])
def test_what_is_refused(examples, options, words):
    with pytest.raises(tpu.Error, match=words):
        tpu.train(FLOAT, *examples, **{"loss": "mse", "backend": "golden", **options})


def test_unknown_options(examples):
    with pytest.raises(TypeError, match="colour"):
        tpu.train(FLOAT, *examples, colour="red")


def test_divergence_is_a_failure(examples):
    with pytest.raises(tpu.Failure, match="step"):
        tpu.train(FLOAT, *examples, loss="mse", batch=8, steps=40, learning_rate=1e30, backend="golden")
