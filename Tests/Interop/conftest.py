"""What the tests of other programs share: models, exports and their test vectors.

The vectors are the program's own: strokes, inputs, embedding and answer of each drawing.
"""

import json
import os
import random
import subprocess
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
STARTER = ROOT / "datasets/starter"


def lines(path):
    """The values of a file with JSON on each line."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def pytest_addoption(parser):
    parser.addoption("--drawml", required=True, help="the program to test")
    parser.addoption("--all-drawings", action="store_true",
                     help="ask the web page of every model about all drawings")


@pytest.fixture(scope="session")
def drawml(request):
    program = request.config.getoption("--drawml")

    def run(*arguments, fails=False):
        result = subprocess.run([program, *map(str, arguments)], capture_output=True, text=True)
        assert (result.returncode != 0) == fails, result.stderr
        return result.stderr if fails else result.stdout

    return run


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("interchange")


@pytest.fixture(scope="session")
def drawings(folder):
    """1,000 drawings that no model here was taught: real ones where they are, and of the starter
    set all but those taught."""
    shared = Path(os.environ.get("DRAWML_SHARED_DATA", ROOT.parent / "shared/data"))
    chosen, generator = [], random.Random(7)
    for file in sorted((shared / "quickdraw").glob("*.ndjson"))[::5]:
        chosen += generator.sample(file.read_text().splitlines(), 15)
    if not chosen:
        warnings.warn("real drawings are missing: only synthetic ones are tested")
    for file in sorted(STARTER.glob("*.ndjson")):
        chosen += file.read_text().splitlines()[30:60]
    generator.shuffle(chosen)
    path = folder / "drawings.ndjson"
    path.write_text("\n".join(chosen[:1000]) + "\n")
    return path


@pytest.fixture(scope="session")
def taught(folder):
    """The first 12 drawings of each label of the starter set."""
    path = folder / "taught.ndjson"
    lines = [file.read_text().splitlines()[:12] for file in sorted(STARTER.glob("*.ndjson"))]
    path.write_text("\n".join(sum(lines, [])) + "\n")
    return path


MODELS = {
    # One network that sees ink; trained for so short a time only because it need not be good.
    "ink": ["--epochs", "2"],
    "ink-knn": ["--epochs", "2", "--head", "knn"],
    # Two networks, of pictures with four channels and of strokes, and their prior.
    "base": ["--base", ROOT / "models/base-slim.drawml"],
    "base-knn": ["--base", ROOT / "models/base-slim.drawml", "--head", "knn", "--neighbors", "3"],
    "base-means": ["--base", ROOT / "models/base-slim.drawml", "--head", "prototype"],
    "base-linear": ["--base", ROOT / "models/base-slim.drawml", "--head", "linear"],
}


@pytest.fixture(scope="session")
def model(drawml, folder, taught):
    """Gives the path of one of MODELS, made when it is first asked for."""

    def make(name):
        path = folder / f"{name}.drawml"
        if not path.exists():
            drawml("train", taught, "--output", path, *MODELS[name])
        return path

    return make


@pytest.fixture(scope="session")
def export(drawml, folder, model, drawings):
    """Exports a model; gives its path and test vectors as arrays."""
    known = {}

    def make(kind, name, *options):
        key = (kind, name, *options)
        if key not in known:
            ending = {"coreml": "mlmodel", "onnx": "onnx"}[kind]
            path = folder / f"{len(known)}.{ending}"
            drawml("export", kind, "--model", model(name), "--output", path,
                   "--drawings", drawings, *options)
            known[key] = path, read_vectors(Path(f"{path}.vectors.json"))
        return known[key]

    return make


def read_vectors(path):
    tests = json.loads(path.read_text())
    vectors = tests["vectors"]
    answers = [vector["answer"] for vector in vectors]
    return SimpleNamespace(
        raw=tests,
        labels=tests["labels"],
        inputs={
            item["name"]: np.array(
                [vector["inputs"][item["name"]] for vector in vectors], np.float32
            ).reshape(-1, *item["shape"])
            for item in tests["inputs"]
        },
        embedding=np.array([vector["embedding"] for vector in vectors], np.float32),
        label=[answer["label"] for answer in answers],
        recognized=np.array([answer["decision"] == "recognized" for answer in answers]),
        confidence=np.array([answer["confidence"] for answer in answers]),
        typicality=np.array([answer["typicality"] for answer in answers]),
    )
