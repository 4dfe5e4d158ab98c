"""Puts points along strokes as DrawML does, to within 1e-5: see README.md.

points(strokes) gives float32 [6, 1, steps]. A stroke is [[x, ...], [y, ...]].
"""

import numpy as np
from numpy import float32


def placed(strokes):
    """The strokes' points, float32 [points, 2] each: centered, the larger side from -1 to 1."""
    points = [np.array(stroke[:2], float).T for stroke in strokes if len(stroke[0])]
    low, high = np.min(np.vstack(points), 0), np.max(np.vstack(points), 0)
    half = (high - low) / 2
    # 1 + … - 1 rounds as DrawML does.
    return [(1 + (p - low - half) / (half.max() or 1) - 1).astype(float32) for p in points]


def lengths(points):
    """The distance from each point to the next, float32 [points - 1]."""
    x, y = np.diff(points, axis=0).T
    return np.sqrt(x * x + y * y)


def total(values):
    """The sum in order, in float32: rounding decides how many points a stroke gets."""
    return np.add.accumulate(np.append(float32(0), values), dtype=float32)[-1]


def walk(points, count):
    """`count` points at equal distances along a stroke, [count, 6]."""
    pieces = np.append(lengths(points), float32(0)) if len(points) == 1 else lengths(points)
    ways = np.zeros((1, 2), float32) if len(points) == 1 else np.diff(points, axis=0)
    length, index, before, found = total(pieces), 0, float32(0), []
    for step in range(count):
        progress = float32(step / (count - 1)) if count > 1 else float32(0)
        target = length * progress
        while index + 1 < len(pieces) and (pieces[index] == 0 or before + pieces[index] < target):
            before += pieces[index]  # a piece of length 0 has no direction
            index += 1
        long, way = pieces[index], ways[index]
        share = min(max((target - before) / long, 0), 1) if long > 0 else 0
        direction = way / long if long > 0 else way
        found.append([*(points[index] + share * way), *direction, step == 0, 2 * progress - 1])
    return found


def points(strokes, steps=96):
    lines = placed(strokes)
    size = [total(lengths(line)) for line in lines]
    kept = sorted(sorted(range(len(lines)), key=lambda i: (-size[i], i))[:steps])
    ends = np.add.accumulate(np.array([size[i] for i in kept], float32), dtype=float32)
    found = []
    for number, (index, end) in enumerate(zip(kept, ends), 1):
        share = end / ends[-1] if ends[-1] > 0 else float32(number / len(kept))
        extra = int(float((steps - len(kept)) * share) + 0.5)  # halves are rounded up
        last = number + extra if number < len(kept) else steps
        found += walk(lines[index], last - len(found))
    return np.array(found, float32).T.reshape(6, 1, steps)
