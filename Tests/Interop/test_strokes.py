"""The references of docs/strokes place the points that StrokeSequence places, within 1e-5."""

import json
import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT

PYTHON = ROOT / "docs/strokes/stroke_points.py"
JAVASCRIPT = ROOT / "Sources/Toolkit/Interchange/Web/Page/stroke-points.js"
sys.path.insert(0, str(PYTHON.parent))

EDGE_CASES = [
    [[[5, 5], [5, 6]]],  # hardly any ink
    [[[0, 10], [3, 3]]],  # a straight line
    [[[1, 1, 1, 4, 4], [2, 2, 2, 2, 2]], [[3], [4]]],  # points in one place, a dot
    [[[7, 7], [1, 1]], [[7], [1]], [[0], [0]]],  # strokes without length
    [[[i, i + 5 + i % 7], [i % 5, 3]] for i in range(130)],  # more strokes than steps
    [[[-1e9, 1e9], [0, 1e-9]], [[0, 1e6], [0, 0]]],  # lengths of all sizes
]


@pytest.fixture(scope="module")
def vectors(drawml, model, folder, drawings):
    """The drawings and the program's points of them."""
    path = folder / "edge-strokes.ndjson"
    lines = [json.dumps({"id": f"edge-{i}", "strokes": s}) for i, s in enumerate(EDGE_CASES)]
    path.write_text("\n".join(drawings.read_text().splitlines()[:300] + lines) + "\n")
    output = folder / "strokes.onnx"
    drawml("export", "onnx", "--model", model("base"), "--output", output, "--drawings", path)
    tests = json.loads((folder / "strokes.onnx.vectors.json").read_text())
    (given,) = (item for item in tests["inputs"] if item["name"] == "strokes")
    assert given["shape"] == [6, 1, given["view"]["sequence"]["steps"]]
    assert len(tests["vectors"]) == 300 + len(EDGE_CASES)
    return given["view"]["sequence"]["steps"], tests["vectors"]


def worst(placed, vectors):
    return max(np.abs(np.ravel(points) - vector["inputs"]["strokes"]).max()
               for points, vector in zip(placed, vectors, strict=True))


@pytest.mark.parametrize("file", [PYTHON, JAVASCRIPT])
def test_are_short(file):
    assert len(file.read_text().splitlines()) <= 80


def test_python(vectors):
    from stroke_points import points

    steps, vectors = vectors
    placed = [points(vector["strokes"], steps) for vector in vectors]
    assert {one.shape for one in placed} == {(6, 1, steps)}
    assert worst(placed, vectors) < 1e-5


def test_javascript(vectors):
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node to run JavaScript")
    script = """
      const { points } = require(process.argv[1]);
      const { steps, strokes } = JSON.parse(require("fs").readFileSync(0));
      process.stdout.write(JSON.stringify(strokes.map((one) => points(one, steps))));
    """
    steps, vectors = vectors
    given = {"steps": steps, "strokes": [vector["strokes"] for vector in vectors]}
    result = subprocess.run([node, "-e", script, str(JAVASCRIPT)], input=json.dumps(given),
                            capture_output=True, text=True, check=True)
    assert worst(json.loads(result.stdout), vectors) < 1e-5
