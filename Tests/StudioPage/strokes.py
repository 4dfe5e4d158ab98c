"""Real-looking strokes: the starter drawings, as a hand would draw them on a sheet."""

import json
from pathlib import Path

STARTER = Path(__file__).resolve().parents[2] / "datasets" / "starter"


def drawings(name):
    """All starter drawings of a shape, in the file's order."""
    lines = (STARTER / f"{name}.ndjson").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def placed(strokes, x, y, size, milliseconds=None):
    """Strokes as lists of (x, y, t), scaled to a longer side of `size` around a center."""
    xs = [value for stroke in strokes for value in stroke[0]]
    ys = [value for stroke in strokes for value in stroke[1]]
    ts = [value for stroke in strokes for value in stroke[2]]
    scale = size / max(max(xs) - min(xs), max(ys) - min(ys), 1)
    middle_x, middle_y = (max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2
    pace = 1 if milliseconds is None else milliseconds / max(ts[-1] - ts[0], 1)
    return [
        [
            (x + (px - middle_x) * scale, y + (py - middle_y) * scale, (pt - ts[0]) * pace)
            for px, py, pt in zip(*stroke)
        ]
        for stroke in strokes
    ]
