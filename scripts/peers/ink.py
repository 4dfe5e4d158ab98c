"""What the peers do with strokes: read them, draw them, and say what they are."""
import itertools

import numpy as np

import networks
from work import Work, far, record



def read_drawings(path, count=None):
    """Strokes of the drawings in a file, each an array [2, points]."""
    import orjson

    drawings = []
    with open(path, "rb") as file:
        for line in file:
            found = orjson.loads(line)
            strokes = found.get("drawing") or found["strokes"]
            drawings.append([np.array(stroke[:2], np.float64) for stroke in strokes])
            if count and len(drawings) == count:
                break
    return drawings


def fitted(strokes, side=28, width=1.5, margin=1.0):
    """The strokes centered in a square, as large as possible with a `margin` around their ink."""
    points = np.concatenate(strokes, axis=1)
    low, high = points.min(axis=1), points.max(axis=1)
    extent = max(high[0] - low[0], high[1] - low[1])
    scale = (side - 2 * margin - width) / extent if extent > 0 else 1.0
    shift = side / 2 - (low + high) / 2 * scale
    return [(stroke * scale + shift[:, None]).T for stroke in strokes]


def fine_picture(strokes, canvas, scale=16, width=1.5):
    """Drawn `scale` times as large and averaged; a larger scale is closer to exact coverage."""
    import cv2

    canvas.fill(0)
    lines = [((line * scale - 0.5) * 16).round().astype(np.int32) for line in fitted(strokes)]
    cv2.polylines(canvas, lines, False, 255, int(width * scale), cv2.LINE_8, 4)
    return cv2.resize(canvas, (28, 28), interpolation=cv2.INTER_AREA)


def apart(one, other):
    """The sum of absolute differences of two pictures as a share of the second one's ink."""
    return np.abs(one / 255.0 - other).sum() / other.sum()


def rasterize_equal(options, step):
    """OpenCV at the least size at which its pictures are as close to exact coverage as ours are."""
    import cv2

    cv2.setNumThreads(options.threads)
    drawings = read_drawings(options.drawings, 1000)
    with record(options.record, "rasterize") as file:
        ours = file["pixels"][...][..., 0]
    judged = list(zip(drawings[:200], ours))
    # Practically exact: rendered 64 times as large.
    large = np.zeros((28 * 64, 28 * 64), np.uint8)
    exact = [fine_picture(strokes, large, 64) / 255.0 for strokes, _ in judged]
    own = float(
        np.mean([apart(picture * 255.0, truth) for (_, picture), truth in zip(judged, exact)])
    )
    notes = [
        "rasterize: DrawML's pictures differ from OpenCV's at 64 times the size "
        f"by {own:.4f} of the ink"
    ]
    variants, equal = {}, False
    for scale in (2, 4, 8, 16):
        canvas = np.zeros((28 * scale, 28 * scale), np.uint8)
        theirs = float(
            np.mean(
                [
                    apart(fine_picture(s, canvas, scale), truth)
                    for (s, _), truth in zip(judged, exact)
                ]
            )
        )
        notes.append(
            f"rasterize: OpenCV's at {scale} times the size differ from them by {theirs:.4f}"
        )
        if not equal:
            variants = {
                f"polylines at {scale} times the size, area resize": drawn_at(scale, drawings)
            }
        equal = equal or theirs <= own
    canvas = np.zeros((448, 448), np.uint8)
    difference = float(np.mean([apart(fine_picture(s, canvas), picture) for s, picture in judged]))
    return Work(
        len(drawings), variants, (difference, 0.05, "mean difference as a share of the ink"), notes
    )


def rasterize_sixteen(options, step):
    """OpenCV 16 times as large, whatever that is better than."""
    work = rasterize_equal(options, step)
    drawings = read_drawings(options.drawings, 1000)
    work.variants = {"polylines at 16 times the size, area resize": drawn_at(16, drawings)}
    work.notes = []
    return work


def drawn_at(scale, drawings):
    canvas = np.zeros((28 * scale, 28 * scale), np.uint8)

    def run():
        for strokes in drawings:
            fine_picture(strokes, canvas, scale)

    return run


def rasterize_fast(options, step):
    """Only the C++ core: the points are made before the clock starts."""
    import cv2

    cv2.setNumThreads(options.threads)
    kind = cv2.LINE_8 if step == "rasterize-stepped" else cv2.LINE_AA
    drawings = read_drawings(options.drawings, 1000)
    with record(options.record, "rasterize") as file:
        ours = file["pixels"][...][..., 0]
    lines = [
        [((line - 0.5) * 256).round().astype(np.int32) for line in fitted(strokes)]
        for strokes in drawings
    ]
    picture = np.zeros((28, 28), np.uint8)

    def drawn(line, thickness, kind):
        picture.fill(0)
        cv2.polylines(picture, line, False, 255, thickness, kind, 8)
        return picture

    def variant(thickness, kind):
        def run():
            for line in lines:
                drawn(line, thickness, kind)

        return run

    differences = [apart(drawn(line, 1, kind), other) for line, other in zip(lines[:200], ours)]
    return Work(
        len(drawings),
        {f"{width} pixels wide": variant(width, kind) for width in (1, 2)},
        (
            float(np.mean(differences)),
            1.0,
            "mean difference as a share of the ink (of another quality: only speed is compared)",
        ),
    )


def read(options, step):
    import orjson

    path = options.drawings

    def by_stroke():
        drawings = []
        with open(path, "rb") as file:
            for line in file:
                found = orjson.loads(line)
                strokes = [np.array(stroke[:2], np.float32) for stroke in found["drawing"]]
                drawings.append((found["key_id"], found["word"], strokes))
        return drawings

    def by_drawing():
        drawings = []
        chain = itertools.chain.from_iterable
        with open(path, "rb") as file:
            for line in file:
                found = orjson.loads(line)
                strokes = found["drawing"]
                counts = [len(stroke[0]) for stroke in strokes]
                xs = np.fromiter(chain(s[0] for s in strokes), np.float32, sum(counts))
                ys = np.fromiter(chain(s[1] for s in strokes), np.float32, sum(counts))
                drawings.append((found["key_id"], found["word"], xs, ys, counts))
        return drawings

    def by_whole_list():
        drawings = []
        with open(path, "rb") as file:
            for line in file:
                found = orjson.loads(line)
                strokes = found["drawing"]
                xs, ys = [], []
                for stroke in strokes:
                    xs += stroke[0]
                    ys += stroke[1]
                points = np.array((xs, ys), np.float32)
                drawings.append(
                    (found["key_id"], found["word"], points, [len(s[0]) for s in strokes])
                )
        return drawings

    theirs = by_stroke()
    sums = {
        "strokes": [len(d[2]) for d in theirs],
        "points": [sum(s.shape[1] for s in d[2]) for d in theirs],
        "x": [int(sum(s[0].sum() for s in d[2])) for d in theirs],
        "y": [int(sum(s[1].sum() for s in d[2])) for d in theirs],
    }
    with record(options.record, step) as file:
        difference = max(
            far(values, file[name][...]) if len(values) == len(file[name]) else float("inf")
            for name, values in sums.items())
    return Work(
        len(theirs),
        {
            "an array a stroke": by_stroke,
            "an array an axis": by_drawing,
            "an array a drawing": by_whole_list,
        },
        (difference, 0.0, "strokes, points and sums of coordinates of each drawing"),
    )


# MARK: Strokes to decision


def classify(options, step):
    import cv2
    import faiss

    cv2.setNumThreads(1)
    faiss.omp_set_num_threads(1)
    layers, shape, values, _ = networks.read_members(options.model)[0]
    session = networks.onnx_session(networks.onnx_network(layers, shape, values), 1)
    with record(options.record, "classify") as file:
        text = lambda name: [value.decode() for value in file[name][...]]
        vectors, ids, labels = file["vectors"][...], text("ids"), text("labels")
        nearest, best = text("nearest"), text("best")
    index = faiss.IndexFlatL2(vectors.shape[1])
    index.add(vectors)
    drawings = read_drawings(options.drawings)[1000:1064]
    canvas = np.zeros((448, 448), np.uint8)

    def fast_picture(strokes):
        picture = np.zeros((28, 28), np.uint8)
        lines = [((line - 0.5) * 256).round().astype(np.int32) for line in fitted(strokes)]
        cv2.polylines(picture, lines, False, 255, 2, cv2.LINE_AA, 8)
        return picture

    def decide(picture):
        pixels = (picture.astype(np.float32) * (1 / 255)).reshape(1, 1, 28, 28)
        vector = session.run(None, {"input": pixels})[0]
        squared, found = index.search(vector, 3)
        votes = {}
        for row, distance in zip(found[0], squared[0]):
            vote = 1 / (max(distance, 0) ** 0.5 + 1e-6)
            votes[labels[row]] = votes.get(labels[row], 0) + vote
        return found[0], max(sorted(votes), key=votes.get)

    def fine():
        return [decide(fine_picture(strokes, canvas)) for strokes in drawings]

    def fast():
        return [decide(fast_picture(strokes)) for strokes in drawings]

    wrong = np.mean([a != b for (_, a), b in zip(fine(), best)])
    same = np.mean(
        [ids[row] == name for (rows, _), name in zip(fine(), nearest[::3]) for row in rows[:1]]
    )
    variants = {"pixels at 16 times the size": fine}
    if step == "classify-fast":
        variants = {"pixels straight at 28": fast}
    return Work(
        len(drawings),
        variants,
        (
            float(wrong),
            0.05,
            f"share of other answers; the nearest sample is the same for {100 * same:.0f} %",
        ),
    )
