"""Makes photos of worksheets on which people drew, and measures what 'drawml capture' finds.

    .venv/interchange/bin/python Tests/Interop/paper.py --drawml BINARY --count 100
    .venv/interchange/bin/python Tests/Interop/paper.py --drawml BINARY --words --count 200
    .venv/interchange/bin/python Tests/Interop/paper.py --drawml BINARY \\
        --example docs/images/worksheet-photo.jpg

It needs rsvg-convert and pdftoppm (librsvg2-bin, poppler-utils, fonts-noto-color-emoji,
fonts-dejavu-core).
A made photo is not a photo: it has perspective, a curl, two lights, a shadow, a lens that blurs, a
sensor with noise, and JPEG's losses, each in a range, but paper and hands do more.
"""

import argparse
import io
import json
import random
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image, ImageFilter

ROOT = Path(__file__).resolve().parents[2]

# Color, width in millimeters and share of the ink that the paper takes.
PENS = {
    "pencil": ("#606060", 0.5),
    "ball pen": ("#20308a", 0.4),
    "felt pen": ("#101010", 1.1),
    "marker": ("#c02020", 1.6),
}
PAPERS = ["#ffffff", "#fbf6e6", "#e8f0fa", "#fae8ec"]


def path(strokes, box, pen):
    """The SVG of strokes, in 0...1 of a box."""
    color, width = PENS[pen]
    lines = " ".join(
        "M" + " L".join(f"{box['x'] + x * box['width']:.2f} {box['y'] + y * box['height']:.2f}"
                        for x, y in stroke + stroke[-1:])
        for stroke in strokes)
    return (f'<path d="{lines}" fill="none" stroke="{color}" stroke-width="{width}" '
            'stroke-linecap="round" stroke-linejoin="round"/>')


def unit_strokes(drawing, margin=0.12):
    """A drawing's strokes in 0...1, its larger side as large as the margins leave."""
    points = np.concatenate([np.array(stroke[:2], float).T for stroke in drawing["strokes"]])
    low, high = points.min(0), points.max(0)
    scale = (1 - 2 * margin) / max(1e-9, (high - low).max())
    shift = 0.5 - scale * (low + high) / 2
    return [[(scale * x + shift[0], scale * y + shift[1]) for x, y in zip(*stroke[:2])]
            for stroke in drawing["strokes"]]


def picture(svg, scale=10):
    """The page, as an array of red, green and blue."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "page.svg").write_text(svg)
        subprocess.run(["rsvg-convert", "--format=pdf", "-o", f"{folder}/page.pdf",
                        f"{folder}/page.svg"], check=True)
        subprocess.run(["pdftoppm", "-png", "-r", str(scale * 25.4), "-singlefile",
                        f"{folder}/page.pdf", f"{folder}/page"], check=True)
        return np.asarray(Image.open(f"{folder}/page.png").convert("RGB"), np.float32)


def sampled(values, x, y):
    """Values between pixels, in proportion."""
    height, width = values.shape[:2]
    x, y = np.clip(x, 0, width - 1.001), np.clip(y, 0, height - 1.001)
    left, top = x.astype(int), y.astype(int)
    across, down = (x - left)[..., None], (y - top)[..., None]
    return ((1 - down) * ((1 - across) * values[top, left] + across * values[top, left + 1])
            + down * ((1 - across) * values[top + 1, left] + across * values[top + 1, left + 1]))


class Camera:
    """A camera above a page that leans and curls."""

    def __init__(self, page, size, generator, most_degrees=25, curl=4,
                 rolls=(0, 0, 0, 1, 2, 3)):
        """page: width and height in millimeters; size: those of the photo in pixels."""
        self.page, self.size = page, size
        angles = [generator.uniform(-most_degrees, most_degrees) * np.pi / 180 for _ in range(2)]
        roll = (generator.choice(list(rolls)) * 90 + generator.uniform(-12, 12)) * np.pi / 180
        self.curl = generator.uniform(-curl, curl)

        def turn(axis, angle):
            matrix = np.eye(3)
            a, b = [i for i in range(3) if i != axis]
            matrix[[a, a, b, b], [a, b, a, b]] = [
                np.cos(angle), -np.sin(angle), np.sin(angle), np.cos(angle)]
            return matrix

        self.rotation = turn(2, roll) @ turn(0, angles[0]) @ turn(1, angles[1])
        self.distance = 420.0
        self.scale, self.shift = 1.0, np.zeros(2)
        corners = self(np.array([[0, 0], [page[0], 0], [page[0], page[1]], [0, page[1]]], float))
        low, high = corners.min(0), corners.max(0)
        room = generator.uniform(0.8, 0.96)
        self.scale = room * min(size[0] / (high[0] - low[0]), size[1] / (high[1] - low[1]))
        free = [(size[i] - self.scale * (high[i] - low[i])) / 2 for i in range(2)]
        self.shift = np.array([
            size[i] / 2 - self.scale * (low[i] + high[i]) / 2
            + generator.uniform(-0.8, 0.8) * free[i] for i in range(2)])

    def __call__(self, places):
        """Where places of the page, in millimeters, are in the photo."""
        width, height = self.page
        x, y = places[..., 0] - width / 2, places[..., 1] - height / 2
        z = self.curl * (1 - (2 * x / width) ** 2)
        x, y, z = np.moveaxis(np.stack([x, y, z], -1) @ self.rotation.T, -1, 0)
        factor = self.distance / (self.distance - z)
        return np.stack([x * factor, y * factor], -1) * self.scale + self.shift

    def back(self):
        """The place on the page of each pixel of the photo."""
        columns, rows = self.size
        pixels = np.stack(np.meshgrid(np.arange(columns) + 0.5, np.arange(rows) + 0.5), -1)
        corners = np.array(
            [[0, 0], [self.page[0], 0], [self.page[0], self.page[1]], [0, self.page[1]]], float)
        matrix = homography(self(corners), corners)
        places = project(matrix, pixels)
        for _ in range(5):
            places += project(matrix, pixels) - project(matrix, self(places))
        return places


def homography(sources, targets):
    rows, sides = [], []
    for (x, y), (u, v) in zip(sources, targets):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        sides += [u, v]
    return np.append(np.linalg.solve(np.array(rows), np.array(sides)), 1).reshape(3, 3)


def project(matrix, places):
    mapped = np.concatenate([places, np.ones_like(places[..., :1])], -1) @ matrix.T
    return mapped[..., :2] / mapped[..., 2:]


def photo(page, millimeters, seed, size=(1800, 2400), camera=None, quality=None):
    """A JPEG file with a photo of a page (red, green, blue); its quality is 60 to 95 by default."""
    generator = random.Random(seed)
    noise = np.random.default_rng(seed)
    camera = camera or Camera(millimeters, size, generator)
    places = camera.back()
    scale = page.shape[1] / millimeters[0]
    paper = np.array([int(generator.choice(PAPERS)[i:i + 2], 16) for i in (1, 3, 5)]) / 255
    seen = sampled(page, places[..., 0] * scale - 0.5, places[..., 1] * scale - 0.5) * paper
    inside = ((places >= 0) & (places <= np.array(millimeters))).all(-1)
    table = np.array([generator.uniform(40, 190) for _ in range(3)])
    grain = noise.normal(0, 8, (size[1] // 40, size[0]))[np.arange(size[1]) // 40 % (size[1] // 40)]
    seen = np.where(inside[..., None], seen, table + grain[..., None])
    # Two lights of different color, each stronger on one side, and the soft shadow of a hand.
    x, y = np.meshgrid(np.linspace(-1, 1, size[0]), np.linspace(-1, 1, size[1]))
    light = np.zeros(seen.shape)
    for color in ([1.0, 0.97, 0.9], [0.92, 0.97, 1.0]):
        angle = generator.uniform(0, 2 * np.pi)
        slope = generator.uniform(0, 0.3)
        light += 0.47 * (1 + slope * (x * np.cos(angle) + y * np.sin(angle)))[..., None] * color
    angle, edge = generator.uniform(0, 2 * np.pi), generator.uniform(-0.6, 0.9)
    side = x * np.cos(angle) + y * np.sin(angle) - edge
    light *= (1 - generator.uniform(0, 0.35) / (1 + np.exp(-side / 0.03)))[..., None]
    image = Image.fromarray(np.clip(seen * light, 0, 255).astype(np.uint8))
    image = image.filter(ImageFilter.GaussianBlur(generator.uniform(0.4, 1.5)))
    values = np.asarray(image, np.float32)
    values = values + noise.normal(0, generator.uniform(1, 6), values.shape)
    file = io.BytesIO()
    Image.fromarray(np.clip(values, 0, 255).astype(np.uint8)).save(
        file, "JPEG", quality=quality or generator.randint(60, 95))
    return file.getvalue()


# Of each label, the first drawings of the set may teach a model that is asked about the others.
TAUGHT = 30


def drawings_of(label_files, labels, generator):
    """Some drawings of each label, as strokes in 0...1."""
    return {label: [unit_strokes(json.loads(line)) for line in
                    generator.sample(label_files[label].read_text().splitlines()[TAUGHT:], 12)]
            for label in labels}


def label_files(folder=ROOT / "datasets/starter"):
    files = {}
    for file in sorted(Path(folder).glob("*.ndjson")):
        with file.open() as lines:
            files[json.loads(next(lines))["label"]] = file
    return files


def distance(strokes, others):
    """The mean distance of the points of strokes to the nearest of others, both sampled densely."""
    a, b = dense(strokes), dense(others)
    return float(np.sqrt(((a[:, None] - b[None]) ** 2).sum(-1)).min(1).mean())


def dense(strokes, spacing=1.0):
    points = []
    for stroke in strokes:
        stroke = np.array(stroke, float)
        for a, b in zip(stroke, np.concatenate([stroke[1:], stroke[-1:]])):
            count = max(1, int(np.hypot(*(b - a)) / spacing))
            points.append(a + (b - a) * (np.arange(count) / count)[:, None])
    return np.concatenate(points)


class Sheet:
    """A worksheet's page with drawings in its boxes, made by a seed."""

    def __init__(self, drawml, folder, seed, labels=None, rows=8, columns=6, share=0.7,
                 size=(1800, 2400)):
        generator = random.Random(seed)
        files = label_files()
        labels = labels or generator.sample(sorted(files), rows)
        output = Path(folder) / f"sheet-{seed}.svg"
        report = drawml("worksheet", "--labels", ",".join(labels), "--rows", rows, "--columns",
                        columns, "--output", output, "--format", "json")
        self.page = json.loads(report)[0]
        shown = drawings_of(files, labels, generator)
        pen = generator.choice(sorted(PENS))
        self.truth, paths = {}, []
        for row, boxes in enumerate(self.page["boxes"]):
            for column, box in enumerate(boxes):
                if generator.random() < share:
                    strokes = generator.choice(shown[self.page["labels"][row]])
                    self.truth[row, column] = strokes
                    paths.append(path(strokes, box, pen))
        svg = output.read_text().replace("</svg>", "\n".join(paths) + "</svg>")
        self.pen = pen
        self.millimeters = (self.page["width"], self.page["height"])
        self.photo = Path(folder) / f"photo-{seed}.jpg"
        self.photo.write_bytes(photo(picture(svg), self.millimeters, seed, size))

    def compared(self, found):
        """found: the drawings of 'drawml capture'. Returns counts and the strokes' distances."""
        result = {"drawn": len(self.truth), "found": 0, "labels": 0, "invented": 0,
                  "distances": []}
        for drawing in found:
            place = drawing["id"].split(", ")
            row, column = int(place[1].split()[1]) - 1, int(place[2].split()[1]) - 1
            if (row, column) not in self.truth:
                result["invented"] += 1
                continue
            result["found"] += 1
            result["labels"] += drawing["label"] == self.page["labels"][row]
            # At 1,500 pixels for the page's width.
            side = self.page["boxes"][row][column]["width"] * 1500 / self.page["width"]
            scale = side / drawing["canvas"]["width"]
            strokes = [[(scale * x, scale * y) for x, y in zip(*stroke[:2])]
                       for stroke in drawing["strokes"]]
            truth = [[(side * x, side * y) for x, y in stroke]
                     for stroke in self.truth[row, column]]
            result["distances"].append(distance(strokes, truth))
        return result


# The two typefaces of pages with text.
TYPEFACES = ["DejaVu Serif", "DejaVu Sans"]


def prose():
    """English sentences of which the text is known: the words of the license."""
    return (ROOT / "LICENSE").read_text().replace("http://www.apache.org/licenses/", "").split()


def text_page(words, typeface, number, millimeters=(148, 210), size=4.2):
    """A page of a book as SVG, with its number at the bottom, and its text."""
    lines = [[]]
    for word in words:
        if len(" ".join([*lines[-1], word])) > 52:
            lines.append([])
        lines[-1].append(word)
    rows = [" ".join(line) for line in lines]
    escaped = [row.replace("&", "&amp;").replace("<", "&lt;") for row in rows]
    texts = [f'<text x="18" y="{22 + 1.6 * size * i:.2f}">{row}</text>'
             for i, row in enumerate(escaped)]
    width, height = millimeters
    texts.append(f'<text x="{width / 2}" y="{height - 10}">{number}</text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
            f'viewBox="0 0 {width} {height}"><rect width="100%" height="100%" fill="#fff"/>'
            f'<g font-family="{typeface}" font-size="{size}" fill="#111">'
            f'{"".join(texts)}</g></svg>'), " ".join(rows)


class TextPhoto:
    """A photo of a page of text, made by a seed; `corners` are the page's in its pixels."""

    def __init__(self, folder, seed, count=200, size=(1500, 2000), curl=2):
        generator = random.Random(seed)
        words = prose()
        start = generator.randrange(len(words) - count)
        millimeters = (148, 210)
        svg, self.text = text_page(words[start:start + count], TYPEFACES[seed % 2],
                                   number=generator.randint(2, 300), millimeters=millimeters)
        camera = Camera(millimeters, size, generator, curl=curl, rolls=[0])
        self.camera, self.millimeters = camera, millimeters
        width, height = millimeters
        self.corners = camera(np.array([[0, 0], [width, 0], [width, height], [0, height]], float))
        self.photo = Path(folder) / f"text-{seed}.jpg"
        self.photo.write_bytes(photo(picture(svg, 12), millimeters, seed, size, camera, quality=70))


    def grid_error(self, corners):
        """
        The farthest that a point of a grid of 9 x 9 on the page lies from its place in the page that
        is straightened by `corners`, in its pixels.
        """
        sides = np.hypot(*(corners - np.roll(corners, -1, 0)).T)
        width, height = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
        straight = np.array([[0, 0], [width, 0], [width, height], [0, height]])
        shares = np.stack(np.meshgrid(np.linspace(0, 1, 9), np.linspace(0, 1, 9)), -1)
        seen = self.camera(shares * np.array(self.millimeters))
        places = project(homography(corners, straight), seen)
        return float(np.hypot(*np.moveaxis(places - shares * [width, height], -1, 0)).max())


def edits(text, truth):
    """The least number of characters to insert, delete or replace (Levenshtein)."""
    codes = np.array([ord(each) for each in truth])
    row = np.arange(len(codes) + 1)
    steps = np.arange(len(codes) + 1)
    for index, character in enumerate(text):
        best = np.minimum(row[1:] + 1, row[:-1] + (codes != ord(character)))
        best = np.concatenate([[index + 1], best])
        row = np.minimum.accumulate(best - steps) + steps
    return int(row[-1])


def measure_words(drawml, folder, seeds, curl):
    """Reads made photos of pages, and prints how many pages were found, and how well read."""
    found, right, wrong, characters, shares, grids = 0, 0, 0, 0, [], []
    for seed in seeds:
        page = TextPhoto(folder, seed, curl=curl)
        try:
            report = json.loads(drawml("capture", "words", page.photo, "--format", "json"))
        except subprocess.CalledProcessError as error:
            print(f"seed {seed}: {error.stderr.strip()}")
            continue
        if report["pages"][0] is None:
            print(f"seed {seed}: no page was found")
            continue
        found += 1
        sides = np.hypot(*(page.corners - np.roll(page.corners, 1, 0)).T)
        off = np.hypot(*(np.array(report["pages"][0]) - page.corners).T).max() / sides.max()
        right += off <= 0.01
        grids.append(page.grid_error(np.array(report["pages"][0])))
        errors = edits(report["text"], page.text)
        wrong, characters = wrong + errors, characters + len(page.text)
        shares.append(errors / len(page.text))
        if off > 0.01 or shares[-1] > 0.01:
            print(f"seed {seed}: corners {off:.4f} off, {shares[-1]:.3f} of the characters wrong")
    print(json.dumps({"photos": len(seeds), "found": found, "corners": int(right),
                      "characters": characters, "wrong": wrong}))
    print(f"wrong characters: {wrong / max(1, characters):.4f}, median {np.median(shares):.4f}")
    print(f"farthest grid point, in pixels: median {np.median(grids):.2f}, 95 % below "
          f"{np.quantile(grids, 0.95):.2f}; {np.mean(np.array(grids) <= 2):.3f} of photos within 2")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--drawml", required=True)
    parser.add_argument("--count", type=int, default=100, help="how many photos")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--model", help="compare its answers to those for the strokes themselves")
    parser.add_argument("--keep", help="a folder for the photos")
    parser.add_argument("--words", action="store_true", help="photos of pages of text")
    parser.add_argument("--curl", type=float, default=2,
                        help="with --words: how far pages bend at most, in millimeters")
    parser.add_argument("--example", help="only write the photo of the guide here")
    options = parser.parse_args()

    def drawml(*arguments):
        return subprocess.run([options.drawml, *map(str, arguments)], check=True,
                              capture_output=True, text=True).stdout

    if options.example:
        with tempfile.TemporaryDirectory() as folder:
            sheet = Sheet(drawml, folder, seed=18, labels=["⭐", "🏠", "🐟", "🌳"], rows=4,
                          share=0.6, size=(780, 1040))
            Path(options.example).write_bytes(sheet.photo.read_bytes())
            print(f"{len(sheet.truth)} drawings, by {sheet.pen}")
        return

    seeds = range(options.first_seed, options.first_seed + options.count)
    if options.words:
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(options.keep or folder)
            folder.mkdir(exist_ok=True)
            measure_words(drawml, folder, seeds, options.curl)
        return

    total = {"photos": 0, "read": 0, "drawn": 0, "found": 0, "labels": 0, "invented": 0,
             "empty": 0}
    distances, right = [], {"strokes": 0, "captured": 0, "asked": 0}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(options.keep or temporary)
        folder.mkdir(exist_ok=True)
        for seed in seeds:
            sheet = Sheet(drawml, folder, seed)
            total["photos"] += 1
            output = folder / f"found-{seed}.ndjson"
            output.unlink(missing_ok=True)
            result = subprocess.run(
                [options.drawml, "capture", sheet.photo, "--output", output],
                capture_output=True, text=True)
            total["drawn"] += len(sheet.truth)
            total["empty"] += sum(map(len, sheet.page["boxes"])) - len(sheet.truth)
            if result.returncode != 0:
                print(f"seed {seed} ({sheet.pen}): {result.stderr.strip()}")
                continue
            total["read"] += 1
            found = [json.loads(line) for line in output.read_text().splitlines()]
            compared = sheet.compared(found)
            for key in ("found", "labels", "invented"):
                total[key] += compared[key]
            distances += compared["distances"]
            if compared["found"] < compared["drawn"] or compared["invented"]:
                print(f"seed {seed} ({sheet.pen}): {compared['found']} of {compared['drawn']}, "
                      f"{compared['invented']} invented")
            if options.model:
                answers(drawml, options.model, sheet, found, folder, right)
    median, most = np.median(distances), np.quantile(distances, 0.99)
    print(json.dumps(total))
    print(f"pixels at 1,500: median {median:.2f}, 99 % below {most:.2f}")
    if options.model:
        print(json.dumps(right))


def answers(drawml, model, sheet, found, folder, right):
    """Counts right answers to the strokes and to what was captured of them."""
    pairs = []
    for drawing in found:
        place = drawing["id"].split(", ")
        key = int(place[1].split()[1]) - 1, int(place[2].split()[1]) - 1
        if key in sheet.truth:
            strokes = [[[1000 * x for x, _ in stroke], [1000 * y for _, y in stroke]]
                       for stroke in sheet.truth[key]]
            pairs.append(({"id": drawing["id"], "strokes": strokes}, drawing))
    for kind, index in (("strokes", 0), ("captured", 1)):
        file = folder / "asked.ndjson"
        file.write_text("".join(json.dumps(pair[index]) + "\n" for pair in pairs))
        lines = drawml("classify", file, "--model", model, "--format", "json").splitlines()
        for line, (_, drawing) in zip(lines, pairs):
            right[kind] += json.loads(line)["candidates"][0]["label"] == drawing["label"]
    right["asked"] += len(pairs)


if __name__ == "__main__":
    main()
