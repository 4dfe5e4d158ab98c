"""Photos of paper for the studio: worksheets with drawings, and pages of text."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Interop"))
from paper import TextPhoto, photo, unit_strokes  # noqa: E402

from strokes import drawings  # noqa: E402

SCALE = 8
TextPhoto = TextPhoto


def filled(drawml, pdf, folder, shapes, seed, share=3):
    """
    A photo of a printed worksheet with drawings in the first `share` boxes of each row: `shapes`
    are labels with the names of starter drawings. Returns its path, and how many drawings it has.
    """
    command = [drawml, "worksheet", "--labels", ",".join(shapes), "--format", "json",
               "--output", str(folder / "layout.svg"), "--force"]
    page = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)[0]
    subprocess.run(["pdftoppm", "-png", "-r", str(SCALE * 25.4), "-singlefile", pdf,
                    folder / "printed"], check=True)
    paper = Image.open(folder / "printed.png").convert("RGB")
    pen = ImageDraw.Draw(paper)
    count = 0
    for row, boxes in enumerate(page["boxes"]):
        name = shapes[page["labels"][row]]
        for column, box in enumerate(boxes[:share]):
            drawn = unit_strokes(drawings(name)[30 + 6 * row % 24 + column])
            for stroke in drawn:
                places = [(SCALE * (box["x"] + x * box["width"]),
                           SCALE * (box["y"] + y * box["height"])) for x, y in stroke]
                pen.line(places, fill="#20308a", width=5, joint="curve")
            count += 1
    path = folder / f"class-{seed}.jpg"
    path.write_bytes(photo(np.asarray(paper, np.float32), (page["width"], page["height"]), seed,
                           (1500, 2000)))
    return path, count
