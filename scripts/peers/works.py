"""What the peers do: each work is set up, checked against what DrawML recorded, and then run when asked.

A work gives `variants`, settings by name, of which the fastest is kept; `agreement`, how far both sides are apart
(difference, tolerance, what was compared); and `units`, how many units a run does.
"""
import contextlib
import itertools
import json
import warnings
from dataclasses import dataclass, field

import h5py
import numpy as np

import networks

warnings.filterwarnings("ignore", message=".*TF32.*")


@dataclass
class Work:
    units: int
    variants: dict
    agreement: tuple
    notes: list = field(default_factory=list)


def record(folder, step):
    return h5py.File(f"{folder}/{step}.h5")


def far(one, other):
    return float(np.max(np.abs(np.asarray(one, np.float64) - np.asarray(other, np.float64))))


# MARK: Training


def train(options, step):
    import torch
    from torch import nn

    torch.set_num_threads(options.threads)
    with record(options.record, step) as file:
        architecture = json.loads(file["architecture"][0])
        method = json.loads(file["optimizer"][0])
        before = read_tree(file["before"])
        after = read_tree(file["after"])
        losses = file["losses"][...]
        pixels = np.ascontiguousarray(file["input"][...].transpose(0, 3, 1, 2))
        labels = torch.from_numpy(file["labels"][...])
    pixels = torch.from_numpy(pixels)
    loss_function = nn.CrossEntropyLoss()
    adam = "adamW" in method["method"]

    def prepared(rate, channels_last, compiled, onednn):
        network, slots = networks.torch_network(
            architecture["layers"], architecture["inputShape"], before)
        network.train()
        images = pixels
        if channels_last:
            network = network.to(memory_format=torch.channels_last)
            images = pixels.contiguous(memory_format=torch.channels_last)
        decayed = [p for n, (p, _) in slots.items() if n.endswith("weight") and p.dim() > 1]
        chosen = {id(p) for p in decayed}
        if any(layer["kind"] == "cosineClassifier" for layer in architecture["layers"]):
            chosen.discard(id(decayed.pop()))
        rest = [p for p in network.parameters() if id(p) not in chosen]
        groups = [
            {"params": decayed, "weight_decay": method["weightDecay"]},
            {"params": rest, "weight_decay": 0.0},
        ]
        if adam:
            rule = method["method"]["adamW"]
            optimizer = torch.optim.AdamW(
                groups, lr=rate, betas=(rule["beta1"], rule["beta2"]), eps=rule["epsilon"], fused=True)
        else:
            rule = method["method"]["sgd"]
            optimizer = torch.optim.SGD(groups, lr=rate, momentum=rule["momentum"], fused=True)
        forward = torch.compile(network) if compiled else network

        def one_step():
            with contextlib.nullcontext() if onednn else torch.backends.mkldnn.flags(enabled=False):
                optimizer.zero_grad(set_to_none=True)
                loss = loss_function(forward(images), labels)
                loss.backward()
                optimizer.step()
            return loss

        return one_step, slots

    one_step, slots = prepared(1e-3, False, False, True)
    theirs = [one_step().item() for _ in losses]
    apart = max(abs(a - b) / abs(b) for a, b in zip(theirs, losses))
    moved = sum(float(np.sum((after[n] - before[n]) ** 2)) for n in slots)
    missed = sum(
        float(np.sum((back(p.detach().numpy()) - after[n]) ** 2)) for n, (p, back) in slots.items())
    share = (missed / moved) ** 0.5
    agreement = (max(apart, share), 1e-3, f"3 steps: losses (relative {apart:.1e}), "
                 f"way of the parameters (relative {share:.1e})")
    variants, notes = {}, []
    for name, settings in {
        "eager": (False, False, True),
        "eager, channels last": (True, False, True),
        "eager, channels last, oneDNN off": (True, False, False),
        "compiled": (False, True, True),
        "compiled, channels last": (True, True, True),
    }.items():
        try:
            run, _ = prepared(1e-4, *settings)
            for _ in range(3):
                run()
            variants[name] = run
        except Exception as error:
            notes.append(f"{name}: {str(error).strip().splitlines()[0][:120]}")
    return Work(len(labels), variants, agreement, notes)


def read_tree(group):
    return {name: value[...] for name, value in group.items()}


# MARK: Embedding


def network(options, step):
    members = networks.read_members(options.model)
    sessions, inputs, outputs = [], [], []
    with record(options.record, step) as file:
        for number, (layers, shape, values, _) in enumerate(members):
            data = networks.onnx_network(layers, shape, values)
            sessions.append(networks.onnx_session(data, options.threads))
            images = file[f"input{number}"][...].transpose(0, 3, 1, 2)
            inputs.append(np.ascontiguousarray(images))
            outputs.append(file[f"output{number}"][...])
    count = len(inputs[0])

    def portions(size):
        parts = [
            [np.ascontiguousarray(images[start:start + size]) for start in range(0, count, size)]
            for images in inputs
        ]

        def run():
            return [
                [session.run(None, {"input": part})[0] for part in portion]
                for session, portion in zip(sessions, parts)
            ]

        return run

    found = [np.concatenate(parts) for parts in portions(count)()]
    apart = max(far(a, b) for a, b in zip(found, outputs))
    sizes = [1] if step == "network-1" else [256, 64, 32, 16]
    return Work(
        count, {f"portions of {size}": portions(size) for size in sizes}, (apart, 1e-4, "largest difference of a vector's numbers"))


# MARK: Search


def search(options, step):
    import faiss

    faiss.omp_set_num_threads(options.threads)
    with record(options.record, step) as file:
        samples, queries = file["samples"][...], file["queries"][...]
        rows, distances = file["rows"][...], file["distances"][...]
    index = faiss.IndexFlatL2(samples.shape[1])
    index.add(samples)
    squared, found = index.search(queries, 3)
    apart = far(np.sqrt(np.maximum(squared, 0)), distances)
    same = float(np.mean(found == rows))
    single = step.endswith("-1")
    parts = [queries[i:i + 1] for i in range(len(queries))] if single else [queries]

    def with_threshold(threshold):
        def run():
            faiss.cvar.distance_compute_blas_threshold = threshold
            for part in parts:
                index.search(part, 3)

        return run

    variants = {
        "BLAS from 20 queries": with_threshold(20), "always BLAS": with_threshold(1),
        "never BLAS": with_threshold(1 << 30),
    }
    return Work(
        len(queries), variants,
        (apart if same > 0.999 else 1.0, 2e-3, f"distances; {100 * same:.2f} % of the rows are the same"))


# MARK: Ink


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
    """The strokes centred in a square, as large as can be with their ink `margin` or more from its edges."""
    points = np.concatenate(strokes, axis=1)
    low, high = points.min(axis=1), points.max(axis=1)
    extent = max(high[0] - low[0], high[1] - low[1])
    scale = (side - 2 * margin - width) / extent if extent > 0 else 1.0
    shift = side / 2 - (low + high) / 2 * scale
    return [(stroke * scale + shift[:, None]).T for stroke in strokes]


def fine_picture(strokes, canvas, scale=16, width=1.5):
    """Drawn 16 times as large and averaged: OpenCV at the quality of exact coverage."""
    import cv2

    canvas.fill(0)
    lines = [((line * scale - 0.5) * 16).round().astype(np.int32) for line in fitted(strokes)]
    cv2.polylines(canvas, lines, False, 255, int(width * scale), cv2.LINE_8, 4)
    return cv2.resize(canvas, (28, 28), interpolation=cv2.INTER_AREA)


def rasterize_equal(options, step):
    import cv2

    cv2.setNumThreads(options.threads)
    drawings = read_drawings(options.drawings, 1000)
    with record(options.record, "rasterize") as file:
        ours = file["pixels"][...][..., 0]
    canvas = np.zeros((448, 448), np.uint8)
    apart = [
        np.abs(fine_picture(strokes, canvas) / 255.0 - picture).sum() / picture.sum()
        for strokes, picture in zip(drawings[:200], ours)
    ]

    def run():
        for strokes in drawings:
            fine_picture(strokes, canvas)

    return Work(
        len(drawings), {"polylines at 16 times the size, area resize": run},
        (float(np.mean(apart)), 0.05, "mean difference as a share of the ink"))


def rasterize_fast(options, step):
    """Only the C++ core: the points are made before the clock starts."""
    import cv2

    cv2.setNumThreads(options.threads)
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

    apart = [
        np.abs(drawn(line, 1, cv2.LINE_AA) / 255.0 - other).sum() / other.sum()
        for line, other in zip(lines[:200], ours)
    ]
    return Work(
        len(drawings),
        {"smooth, 1 pixel wide": variant(1, cv2.LINE_AA), "smooth, 2 pixels wide": variant(2, cv2.LINE_AA)},
        (float(np.mean(apart)), 1.0, "mean difference as a share of the ink (not of equal quality: only speed is compared)"))


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
                drawings.append((found["key_id"], found["word"], points, [len(s[0]) for s in strokes]))
        return drawings

    theirs = by_stroke()
    sums = {
        "strokes": [len(d[2]) for d in theirs],
        "points": [sum(s.shape[1] for s in d[2]) for d in theirs],
        "x": [int(sum(s[0].sum() for s in d[2])) for d in theirs],
        "y": [int(sum(s[1].sum() for s in d[2])) for d in theirs],
    }
    with record(options.record, step) as file:
        apart = max(
            far(values, file[name][...]) if len(values) == len(file[name]) else float("inf")
            for name, values in sums.items())
    return Work(
        len(theirs),
        {"an array a stroke": by_stroke, "an array an axis": by_drawing, "an array a drawing": by_whole_list},
        (apart, 0.0, "strokes, points and sums of coordinates of each drawing"))


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
    same = np.mean([ids[row] == name for (rows, _), name in zip(fine(), nearest[::3]) for row in rows[:1]])
    variants = {"pixels at 16 times the size": fine}
    if step == "classify-fast":
        variants = {"pixels straight at 28": fast}
    return Work(
        len(drawings), variants,
        (float(wrong), 0.05, f"share of other answers; the nearest sample is the same for {100 * same:.0f} %"))


# MARK: Matrices


def multiply(options, step):
    import torch

    torch.set_num_threads(options.threads)
    matrix = torch.randn(2048, 2048)
    return Work(1, {"matmul": lambda: torch.mm(matrix, matrix)}, (0.0, 0.0, "nothing"))


WORKS = {
    "multiply": multiply,
    "train-reference-sgd": train, "train-reference-adamw": train,
    "train-embedding-1": train, "train-embedding-2": train,
    "network-256": network, "network-1": network,
    "rasterize": rasterize_equal, "rasterize-fast": rasterize_fast, "read": read,
    "classify": classify, "classify-fast": classify,
}
for name in ("1k", "10k", "100k"):
    WORKS[f"search-{name}-1"] = WORKS[f"search-{name}-256"] = search
