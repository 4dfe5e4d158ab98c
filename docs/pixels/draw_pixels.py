"""Draws strokes as pixels as DrawML does, to within 1/255: see README.md.

draw(strokes) gives float32 [channels, height, width]. A stroke is [[x, ...], [y, ...]].
"""

import numpy as np
from numpy import float32, maximum, minimum


def placed(strokes, width, height, inset):
    """The strokes' points in pixels: centered, in proportion, `inset` from the edges."""
    points = [np.array(stroke[:2], float).T for stroke in strokes]
    low, high = np.min(np.vstack(points), 0), np.max(np.vstack(points), 0)
    half, middle = (high - low) / 2, np.array([width, height]) / 2
    scale = min([(m - inset) / h for m, h in zip(middle, half) if h > 0], default=0)
    return [(middle + (p - low - half) * scale).astype(float32) for p in points]


def segments(points):
    """x, y, dx, dy, squared length, bend at the start and the end of a stroke's pieces. A bend says
    how round the ink is: 1 at ends and sharp corners, 2 for a dot, below 0 for blunt corners."""
    found, start = [], points[0]
    for end in points[1:]:
        dx, dy = end - start
        if dx * dx + dy * dy > 1e-4:
            found.append([*start, dx, dy, dx * dx + dy * dy, 1, 1])
            start = end
    for a, b in zip(found, found[1:]):
        bend = min(1, 1 - (a[2] * b[2] + a[3] * b[3]) / np.sqrt(a[4] * b[4]))
        a[6] = b[5] = bend if bend > 0.5 else min(-bend, -1e-6)
    return found or [[*start, 0, 0, 0, 2, 2]]


def ways(pieces, width, height):
    """The vectors from all segments' nearest points to all pixels' centers, their squares, and the
    bends there, each [pixels, segments]. In float32, because rounding decides between equals."""
    x, y, dx, dy, square, start, end = np.array(pieces, float32).T
    inverse = np.divide(1, square, out=np.zeros_like(square), where=square > 0)
    py, px = (np.indices((height, width)).reshape(2, -1, 1) + 0.5).astype(float32)
    px, py = px - x, py - y
    along = (px * dx + py * dy) * inverse
    t = along.clip(0, 1)
    wx, wy = px - t * dx, py - t * dy
    bend = np.where(along <= 0, start, np.where(along >= 1, end, float32(0)))
    on_line = (0 < along) & (along < 1) & (wx * wx + wy * wy < 1e-8)  # keep the direction there
    short = 1e-4 / np.sqrt(maximum(square, 1e-9))
    wx, wy = np.where(on_line, dy * short, wx), np.where(on_line, -dx * short, wy)
    return wx, wy, wx * wx + wy * wy, bend


def area(offset, a, b):
    """The part of a pixel beyond an edge with the normal (a, b), `offset` from its center."""
    distance = minimum((a + b) / 2, abs(offset))
    ramp = ((a + b) / 2 - distance) ** 2 / (2 * a * maximum(1e-6, b))
    beyond = np.where(distance <= (a - b) / 2, 0.5 - distance / a, ramp)
    return np.where(offset < 0, beyond, 1 - beyond)


def coverage(x, y, square, bend, radius):
    """The part of a pixel that the nearest ink covers."""
    distance, length = np.sqrt(square), maximum(1e-12, np.sqrt(square))
    a = maximum(0.5, maximum(abs(x), abs(y)) / length)
    b = minimum(abs(x), abs(y)) / length
    roundness = minimum(1, abs(bend))
    room = maximum(0, (a + b) / 2 - abs(radius - distance)) / (a * maximum(1e-6, b))
    chord = minimum(room, 1 / a)
    aside = (1 - chord * a) * (a - b) / 2
    disc = max(0, min(1, (radius - 0.4) / 0.3)) / (24 * max(0.4, radius))
    shift = roundness * (chord * chord + 12 * aside * aside) * disc
    strip = area(radius - distance - shift, a, b) - area(-radius - distance, a, b)
    share = minimum(1, maximum(bend - 1, distance + 0.5)) * roundness
    return (strip * (1 - share * (1 - min(1, np.pi / 2 * radius)))).clip(0, 1)


def draw(strokes, width=28, height=28, stroke_width=1.5, margin=1.0, channels="ink"):
    radius, rows = stroke_width / 2, np.arange(width * height)
    pieces = sum(map(segments, placed(strokes, width, height, margin + radius)), [])
    way = ways(pieces, width, height)
    nearest = way[2].argmin(1)
    x, y, square, bend = (part[rows, nearest] for part in way)
    reach = (radius + 0.7071068) ** 2
    value = np.where(square < reach, coverage(x, y, square, bend, radius), 0)
    dot = way[0] * x[:, None] + way[1] * y[:, None]  # ink in another direction
    is_other = (dot <= 0) | (dot * dot < way[2] * square[:, None] * float32(0.883))
    distances = np.where(is_other & (way[3] >= 0), way[2], np.inf)
    second = distances.argmin(1)
    x2, y2, square2, bend2 = (part[rows, second] for part in way)
    other = coverage(x2, y2, square2, bend2, radius)
    cosine = ((x * x2 + y * y2) / maximum(1e-12, np.sqrt(square * square2))).clip(-1, 1)
    size, both = abs(cosine), value * other  # what two edges cover, by the angle between them
    series = ((0.074261 - size * 0.0187293) * size - 0.2121144) * size + 1.5707288
    bound = np.where(cosine > 0, minimum(value, other), maximum(0, value + other - 1))
    union = value + other - both - (bound - both) * (1 - np.sqrt(1 - size) * series * 2 / np.pi)
    value = np.where((value < 1) & (distances[rows, second] < reach), union, value)
    length = np.array([np.hypot(piece[2], piece[3]) for piece in pieces])
    order = (2 * length.cumsum() - length) / max(length.sum(), 1e-38) - 1
    dx, dy = np.array(pieces, float).T[2:4] / maximum(length, 1e-38)
    flows = np.array([np.ones_like(dx), dx * dx - dy * dy, 2 * dx * dy, order])[:, nearest]
    count = 4 if channels == "inkAndFlow" else 1
    return (flows[:count] * value).reshape(count, height, width).astype(float32)
