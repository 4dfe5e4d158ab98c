"""The references of docs/pixels draw what the rasterizer draws, within 1/255; those of docs/strokes
place the points that StrokeSequence places, within 1e-5."""

import functools
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import ROOT

PAGE = ROOT / "Sources/Toolkit/Interchange/Web/Page"
PIXELS = [ROOT / "docs/pixels/draw_pixels.py", PAGE / "draw-pixels.js"]
POINTS = [ROOT / "docs/strokes/stroke_points.py", PAGE / "stroke-points.js"]
sys.path[:0] = [str(PIXELS[0].parent), str(POINTS[0].parent)]

EDGES_OF_PIXELS = [
    [[[5], [5]]],  # a dot
    [[[0, 10], [3, 3]]],  # a straight line
    [[[0, 0, 10, 10, 0], [0, 10, 10, 0, 0]]],  # ink on the centers of pixels
    [[[0, 1e-9], [0, 0]], [[7], [0]]],  # a stroke too short for a direction
    [[[0, 9, 0, 9], [0, 9, 0, 9]]],  # there and back
]
EDGES_OF_POINTS = [
    [[[5, 5], [5, 6]]],  # hardly any ink
    [[[0, 10], [3, 3]]],  # a straight line
    [[[1, 1, 1, 4, 4], [2, 2, 2, 2, 2]], [[3], [4]]],  # points in one place, a dot
    [[[7, 7], [1, 1]], [[7], [1]], [[0], [0]]],  # strokes without length
    [[[i, i + 5 + i % 7], [i % 5, 3]] for i in range(130)],  # more strokes than steps
    [[[-1e9, 1e9], [0, 1e-9]], [[0, 1e6], [0, 0]]],  # lengths of all sizes
]


@pytest.fixture(scope="module")
def exported(drawml, model, folder, drawings):
    """Gives a model's inputs, and the program's numbers of drawings and edge cases."""

    @functools.cache
    def make(name, kind):
        edges = EDGES_OF_PIXELS if kind == "pixels" else EDGES_OF_POINTS
        path, output = folder / f"{kind}-edges.ndjson", folder / f"{kind}-{name}.onnx"
        lines = [json.dumps({"id": f"edge-{i}", "strokes": s}) for i, s in enumerate(edges)]
        path.write_text("\n".join(drawings.read_text().splitlines()[:300] + lines) + "\n")
        drawml("export", "onnx", "--model", model(name), "--output", output, "--drawings", path)
        tests = json.loads(Path(f"{output}.vectors.json").read_text())
        assert 300 < len(tests["vectors"]) <= 300 + len(edges)
        return tests["inputs"], tests["vectors"]

    return make


def by_javascript(file, function, vectors, settings):
    """What a function of a file in JavaScript gives for each drawing."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node to run JavaScript")
    script = f"""
      const {{ {function} }} = require(process.argv[1]);
      const {{ settings, strokes }} = JSON.parse(require("fs").readFileSync(0));
      process.stdout.write(JSON.stringify(strokes.map((one) => {function}(one, settings))));
    """
    given = {"settings": settings, "strokes": [vector["strokes"] for vector in vectors]}
    result = subprocess.run([node, "-e", script, str(file)], input=json.dumps(given),
                            capture_output=True, text=True, check=True)
    return json.loads(result.stdout)


def worst(found, vectors, name):
    return max(np.abs(np.ravel(numbers) - vector["inputs"][name]).max()
               for numbers, vector in zip(found, vectors, strict=True))


@pytest.mark.parametrize("file, most", [(file, 100) for file in PIXELS]
                         + [(file, 80) for file in POINTS])
def test_are_short(file, most):
    assert len(file.read_text().splitlines()) <= most


@pytest.mark.parametrize("language", ["python", "javascript"])
@pytest.mark.parametrize("name", ["ink", "base"])
def test_pixels(exported, name, language):
    """Of one channel and of four."""
    from draw_pixels import draw

    inputs, vectors = exported(name, "pixels")
    settings = inputs[0]["view"]["rasterizer"]
    values = [settings[key] for key in ("width", "height", "strokeWidth", "margin", "channels")]
    if language == "python":
        found = [draw(vector["strokes"], *values) for vector in vectors]
    else:
        found = by_javascript(PIXELS[1], "draw", vectors, settings)
    assert worst(found, vectors, "picture") < 1 / 255


@pytest.mark.parametrize("language", ["python", "javascript"])
def test_points(exported, language):
    from stroke_points import points

    inputs, vectors = exported("base", "points")
    (given,) = (item for item in inputs if item["name"] == "strokes")
    steps = given["view"]["sequence"]["steps"]
    assert given["shape"] == [6, 1, steps] and len(vectors) == 300 + len(EDGES_OF_POINTS)
    if language == "python":
        found = [points(vector["strokes"], steps) for vector in vectors]
        assert {one.shape for one in found} == {(6, 1, steps)}
    else:
        found = by_javascript(POINTS[1], "points", vectors, steps)
    assert worst(found, vectors, "strokes") < 1e-5
