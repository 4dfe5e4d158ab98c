"""Exports of the models of Tests/Decisions/decisions.json decide as the table says: the graph in
ONNX Runtime, the page's script in Node. The model files are written here, by docs/model-format.md.
"""

import hashlib
import io
import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

h5py = pytest.importorskip("h5py")

MODELS = json.loads((ROOT / "Tests/Decisions/decisions.json").read_text())["models"]
PAGE_ANSWERS = Path(__file__).with_name("page_answers.mjs")
OUTPUTS = ["confidences", "label", "typicality", "recognized"]


def write_model(path, model, rate):
    """Writes a model whose network gives vectors of two numbers; which ones is not asked."""
    labels = sorted(model["samples"])
    rows = [(label, f"{index + 1:02}") for label in labels
            for index in range(len(model["samples"][label]))]
    vectors = sum((model["samples"][label] for label in labels), [])
    layers = [{"kind": "globalAveragePool"}, {"kind": "dense", "features": 2, "bias": False}]
    about = {
        "head": model["head"], "policy": {"refusalRate": rate},
        "members": [{"architecture": {"inputShape": [1, 2, 6], "layers": layers},
                     "view": {"sequence": {"steps": 2}}, "weight": 1}],
        "provenance": {"software": "test", "seed": 1, "threads": 1, "dataFingerprint": "",
                       "trainingDrawings": 0, "validationDrawings": 0, "recipes": []}}
    image = io.BytesIO()
    with h5py.File(image, "w") as file:

        def texts(name, values):
            data = [value.encode() for value in values]
            kind = h5py.string_dtype("utf-8", max([1, *map(len, data)]))
            file.create_dataset(name, data=np.array(data, kind), dtype=kind)

        def floats(name, values, shape, kind="f4"):
            file[name] = np.array(values, kind).reshape(shape)

        texts("about", [json.dumps(about)])
        floats("embedding/0/1.weight", np.eye(6, 2), (6, 2))
        texts("trained/labels", [])
        floats("trained/vectors", [], (0, 2))
        texts("trained/digest", [])
        floats("trained/label", [], 0, "i8")
        texts("labels", labels)
        texts("samples/id", [f"{label}-{number}" for label, number in rows])
        texts("samples/digest", [f"{label}-{number}" for label, number in rows])
        floats("samples/label", [labels.index(label) for label, _ in rows], len(rows), "i8")
        floats("samples/vector", vectors, (len(rows), 2))
        head = model.get("terms", {}).get("head", {})
        for name, shape in {"means": (-1, 2), "scale": 1, "weights": (-1, 2), "biases": -1}.items():
            if name in head:
                floats(f"head/{name}", head[name], shape)
        if "adaptation" in model:
            floats("adaptation/weight", model["adaptation"], 1, "f8")
            floats("adaptation/samples", range(len(rows)), len(rows), "i8")
        if "priors" in model:
            texts("backgrounds/name", [prior["name"] for prior in model["priors"]])
        for number, prior in enumerate(model.get("priors", [])):
            place = f"backgrounds/{number}"
            floats(f"{place}/mean", prior["mean"], 2)
            floats(f"{place}/projection", prior["projection"], (-1, 2))
            floats(f"{place}/between", prior["between"], -1)
            if "calibration" in prior:
                write_calibration(prior["calibration"], f"{place}/calibration", floats)
    payload = image.getvalue()
    header = (f"DrawML model\nversion 3\nlength {len(payload)}\n"
              f"sha256 {hashlib.sha256(payload).hexdigest()}\n")
    path.write_bytes(header.encode().ljust(512, b"\0") + payload)


def write_calibration(calibration, place, floats):
    i, j = np.mgrid[:6, :6]
    per_labels, per_shots = calibration["raises"]
    raises = (per_labels * i + per_shots * j)[..., None]
    quantiles = np.interp(range(101), *zip(*calibration["quantiles"]))
    floats(f"{place}/marginWeight", calibration["marginWeight"], 1)
    floats(f"{place}/evidence", raises + quantiles, (6, 6, 101))
    least, per_labels, per_shots = calibration["temperatures"]
    floats(f"{place}/temperatures", least + per_labels * i + per_shots * j, (6, 6))


def exports(drawml, folder, model, kind):
    """An export of the model for each of its cases' refusal rates, with these cases."""
    for rate in sorted({case["refusalRate"] for case in model["cases"]}):
        path, output = folder / "decision.drawml", folder / f"decision.{kind}"
        write_model(path, model, rate)
        drawml("export", kind, "--model", path, "--output", output)
        yield output, [case for case in model["cases"] if case["refusalRate"] == rate]


@pytest.mark.parametrize("model", MODELS[1:], ids=[model["name"] for model in MODELS[1:]])
def test_graphs(drawml, folder, model):
    onnx, runtime = (pytest.importorskip(name) for name in ("onnx", "onnxruntime"))
    labels = sorted(model["samples"])
    for file, cases in exports(drawml, folder, model, "onnx"):
        # What follows the networks is a graph of its own, because no drawing has these vectors.
        decision = onnx.utils.Extractor(onnx.load(file)).extract_model(["embedding"], OUTPUTS)
        session = runtime.InferenceSession(
            decision.SerializeToString(), providers=["CPUExecutionProvider"])
        vectors = np.array([case["vector"] for case in cases], np.float32)
        found = dict(zip(OUTPUTS, session.run(OUTPUTS, {"embedding": vectors})))
        for row, case in enumerate(cases):
            why = case["why"]
            assert labels[found["label"][row]] == case["label"], why
            assert found["recognized"][row] == (case["decision"] == "recognized"), why
            assert found["confidences"][row] == pytest.approx(case["confidences"], abs=1e-4), why
            assert found["typicality"][row] == pytest.approx(case["typicality"], abs=1e-4), why


@pytest.mark.parametrize("name", [
    "three votes by distance", "two equal votes", "means", "weights",
    "calibrated, 4, 2 and 1 samples", "adapted"])
def test_pages(drawml, folder, name):
    """Tests/PageLogic asks the script about every case; here the exported terms are in it, of each
    kind."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node to run JavaScript")
    (model,) = (model for model in MODELS if model["name"] == name)
    file, cases = next(exports(drawml, folder, model, "web"))
    vectors = json.dumps([case["vector"] for case in cases])
    result = subprocess.run([node, PAGE_ANSWERS, file, vectors], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    for found, case in zip(json.loads(result.stdout), cases, strict=True):
        why = case["why"]
        for key in ("decision", "reason", "between", "label"):
            assert found.get(key) == case.get(key), why
        confidences = {each["label"]: each["confidence"] for each in found["candidates"]}
        assert [confidences[label] for label in sorted(confidences)] == pytest.approx(
            case["confidences"], abs=1e-4), why
        assert found["typicality"] == pytest.approx(case["typicality"], abs=1e-4), why


@pytest.mark.parametrize("kind", ["onnx", "web"])
def test_no_samples_no_export(drawml, folder, kind):
    assert MODELS[0]["samples"] == {}
    path, output = folder / "untaught.drawml", folder / f"untaught.{kind}"
    write_model(path, MODELS[0], 0.1)
    drawml("export", kind, "--model", path, "--output", output, fails=True)
    assert not output.exists()
