"""The files that both sides work on, made by DrawML itself: drawings and a small model."""
import json
import pathlib
import subprocess

SHAPES_EACH = 100


def make(arguments, needs_model):
    folder = pathlib.Path(arguments.output)
    drawings = arguments.drawings or quick_draw(arguments.drawml, folder)
    small = folder / "small.drawml"
    if needs_model and not small.exists():
        subprocess.run(
            [
                arguments.drawml,
                "train",
                "datasets/starter",
                "--head",
                "knn",
                "--neighbors",
                "3",
                "--epochs",
                "6",
                "--output",
                small,
            ],
            check=True,
            stdout=subprocess.DEVNULL,
        )
    return {"drawings": str(drawings), "small": str(small)}


def quick_draw(drawml, folder):
    """Synthetic drawings like Quick, Draw!'s simplified ones: 0...255, strokes simplified."""
    path = folder / "drawings.ndjson"
    if path.exists():
        return path
    shapes = folder / "shapes"
    subprocess.run(
        [
            drawml,
            "dataset",
            "synthesize",
            "--output",
            shapes,
            "--count",
            str(SHAPES_EACH),
            "--seed",
            "1",
        ],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    files = [file.read_text().splitlines() for file in sorted(shapes.glob("*.ndjson"))]
    lines = []
    for index in range(SHAPES_EACH):
        for word, file in zip(sorted(shapes.glob("*.ndjson")), files):
            strokes = simplified(json.loads(file[index])["strokes"])
            lines.append(
                json.dumps(
                    {
                        "word": word.stem,
                        "countrycode": "XX",
                        "timestamp": "2026-01-01 00:00:00.00000 UTC",
                        "recognized": True,
                        "key_id": str(4500000000000000 + len(lines)),
                        "drawing": strokes,
                    },
                    separators=(",", ":"),
                )
            )
    path.write_text("\n".join(lines) + "\n")
    return path


def simplified(strokes):
    left = min(min(stroke[0]) for stroke in strokes)
    top = min(min(stroke[1]) for stroke in strokes)
    side = max(max(max(stroke[0]) - left, max(stroke[1]) - top) for stroke in strokes) or 1
    result = []
    for stroke in strokes:
        points = [
            ((x - left) * 255 / side, (y - top) * 255 / side) for x, y in zip(stroke[0], stroke[1])
        ]
        kept = [(round(x), round(y)) for x, y in thinned(points, 2.0)]
        result.append([[x for x, _ in kept], [y for _, y in kept]])
    return result


def thinned(points, tolerance):
    """Ramer, Douglas and Peucker, as Quick, Draw! did with a tolerance of 2."""
    if len(points) < 3:
        return points
    (x0, y0), (x1, y1) = points[0], points[-1]
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5

    def distance(point):
        x, y = point
        if length == 0:
            return ((x - x0) ** 2 + (y - y0) ** 2) ** 0.5
        return abs((x1 - x0) * (y0 - y) - (x0 - x) * (y1 - y0)) / length

    far = max(range(1, len(points) - 1), key=lambda index: distance(points[index]))
    if distance(points[far]) <= tolerance:
        return [points[0], points[-1]]
    return thinned(points[:far + 1], tolerance)[:-1] + thinned(points[far:], tolerance)
