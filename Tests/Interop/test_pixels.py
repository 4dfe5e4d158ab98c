"""The references of docs/pixels draw what the rasterizer draws, within 1/255."""

import json
import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import ROOT

PYTHON = ROOT / "docs/pixels/draw_pixels.py"
JAVASCRIPT = ROOT / "Sources/Toolkit/Interchange/Web/Page/draw-pixels.js"
sys.path.insert(0, str(PYTHON.parent))

EDGE_CASES = [
    [[[5], [5]]],  # a dot
    [[[0, 10], [3, 3]]],  # a straight line
    [[[0, 0, 10, 10, 0], [0, 10, 10, 0, 0]]],  # ink on the centers of pixels
    [[[0, 1e-9], [0, 0]], [[7], [0]]],  # a stroke too short for a direction
    [[[0, 9, 0, 9], [0, 9, 0, 9]]],  # there and back
]


@pytest.fixture(scope="module")
def references(drawml, model, folder, drawings):
    """The drawings' pixels by the program, for a model of one channel and one of four."""
    path = folder / "edges.ndjson"
    lines = [json.dumps({"id": f"edge-{i}", "strokes": s}) for i, s in enumerate(EDGE_CASES)]
    path.write_text("\n".join(drawings.read_text().splitlines()[:300] + lines) + "\n")
    found = []
    for name in ("ink", "base"):
        output = folder / f"pixels-{name}.onnx"
        drawml("export", "onnx", "--model", model(name), "--output", output, "--drawings", path)
        tests = json.loads((folder / f"pixels-{name}.onnx.vectors.json").read_text())
        settings = tests["inputs"][0]["view"]["rasterizer"]
        found.append((settings, tests["vectors"]))
    return found


def worst(drawn, vectors):
    return max(np.abs(np.ravel(pixels) - vector["inputs"]["picture"]).max()
               for pixels, vector in zip(drawn, vectors, strict=True))


@pytest.mark.parametrize("file", [PYTHON, JAVASCRIPT])
def test_are_short(file):
    assert len(file.read_text().splitlines()) <= 100


def test_python(references):
    from draw_pixels import draw

    for settings, vectors in references:
        assert len(vectors) > 300
        drawn = [
            draw(vector["strokes"], settings["width"], settings["height"], settings["strokeWidth"],
                 settings["margin"], settings["channels"]) for vector in vectors
        ]
        assert worst(drawn, vectors) < 1 / 255


def test_javascript(references, folder):
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node to run JavaScript")
    script = """
      const { draw } = require(process.argv[1]);
      const { settings, strokes } = JSON.parse(require("fs").readFileSync(0));
      process.stdout.write(JSON.stringify(strokes.map((one) => draw(one, settings))));
    """
    for settings, vectors in references:
        given = {"settings": settings, "strokes": [vector["strokes"] for vector in vectors]}
        result = subprocess.run([node, "-e", script, str(JAVASCRIPT)],
                                input=json.dumps(given), capture_output=True, text=True, check=True)
        assert worst(json.loads(result.stdout), vectors) < 1 / 255
