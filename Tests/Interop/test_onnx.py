"""Exported ONNX graphs, run by ONNX Runtime, decide as the program does on drawings; the other
heads are in test_decisions.py."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")


def run(path, vectors):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, session.run(None, vectors.inputs)))


@pytest.mark.parametrize("name", ["ink", "base"])
def test_decisions_are_equal(export, name):
    path, vectors = export("onnx", name)
    model = onnx.load(path)
    onnx.checker.check_model(model, full_check=True)
    assert [item.version for item in model.opset_import] == [17]
    found = run(path, vectors)
    assert len(found["embedding"]) > 900
    assert np.abs(found["embedding"] - vectors.embedding).max() < 1e-5
    labels = [vectors.labels[index] for index in found["label"]]
    assert labels == vectors.label
    assert (found["recognized"] == vectors.recognized).all()
    assert 0 < vectors.recognized.sum() < len(labels), "both decisions are tested"
    away = np.abs(found["typicality"] - vectors.typicality)
    # Typicality counts taught samples: rounding may move a drawing past one of some 250.
    assert (away > 1e-3).mean() < 0.01
    assert away.max() < 0.005
    assert np.abs(found["confidences"].max(1) - vectors.confidence).max() < 1e-3


def test_batches_of_any_size(export):
    path, vectors = export("onnx", "base")
    whole = run(path, vectors)["embedding"]
    one = SimpleNamespace(inputs={name: values[:1] for name, values in vectors.inputs.items()})
    assert np.abs(run(path, one)["embedding"] - whole[:1]).max() < 1e-6


def test_embedding_only(export):
    path, vectors = export("onnx", "base", "--embedding-only")
    found = run(path, vectors)
    assert list(found) == ["embedding"]
    assert np.abs(found["embedding"] - vectors.embedding).max() < 1e-5


def test_metadata(export):
    path, vectors = export("onnx", "base")
    facts = {item.key: item.value for item in onnx.load(path).metadata_props}
    assert json.loads(facts["drawml.labels"]) == vectors.labels
    assert facts["drawml.fingerprint"] == vectors.raw["fingerprint"]
    views = {item["name"]: item["view"] for item in vectors.raw["inputs"]}
    assert json.loads(facts["drawml.views"]) == views
    assert views["picture"]["rasterizer"]["channels"] == "inkAndFlow"
    assert float(facts["drawml.refusalRate"]) == 0.1
