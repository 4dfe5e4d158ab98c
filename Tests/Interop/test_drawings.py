"""Drawings that other programs wrote, and ours in other programs: HDF5 by h5py, sketch-rnn and
bitmaps by numpy, JPEG by Pillow, SVG by svgelements, InkML and gestures by ElementTree, tables by
csv, binary by struct, gzip by gzip."""

import csv
import gzip
import io
import json
import struct
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from conftest import lines

import sketch_rnn


def converted(drawml, path):
    """The drawings of a file as our program reads them."""
    output = path.with_suffix(".ndjson")
    drawml("dataset", "convert", path, "--output", output)
    return lines(output)


@pytest.fixture(scope="module")
def some(drawings, tmp_path_factory):
    """200 drawings with ids of their own, as our program writes them."""
    path = tmp_path_factory.mktemp("drawings") / "some.ndjson"
    chosen = lines(drawings)[:200]
    for number, drawing in enumerate(chosen):
        drawing["id"] = drawing.get("id") or f"d{number}"
    path.write_text("\n".join(map(json.dumps, chosen)) + "\n")
    return path


@pytest.fixture(scope="module")
def expected(drawml, some):
    """The same in the form that our program writes."""
    path = some.with_name("expected.ndjson")
    drawml("dataset", "convert", some, "--output", path)
    return lines(path)


def strokes_equal(ours, others, tolerance=0.0):
    assert len(ours) == len(others)
    for one, other in zip(ours, others):
        for axis in (0, 1):
            assert np.allclose(one[axis], other[axis], atol=tolerance, rtol=0)


def test_hdf5_as_h5py_writes_it(drawml, tmp_path, expected):
    """By the table in docs/FORMATS.md, without a header of ours."""
    h5py = pytest.importorskip("h5py")
    some = expected[:40]
    labels = sorted({drawing["label"] for drawing in some})
    strokes = [stroke for drawing in some for stroke in drawing["strokes"]]

    def offsets(counts):
        return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])

    path = tmp_path / "plain.h5"
    with h5py.File(path, "w") as file:
        file["ids"] = np.array([each["id"].encode() for each in some])
        file["classes"] = np.array([label.encode() for label in labels])
        file["labels"] = np.array([labels.index(each["label"]) for each in some])
        file["guessed"] = np.full(len(some), -1)
        file["canvas"] = np.full((len(some), 2), np.nan)
        file["offsets/strokes"] = offsets([len(each["strokes"]) for each in some])
        file["offsets/points"] = offsets([len(stroke[0]) for stroke in strokes])
        file["points/x"] = np.concatenate([stroke[0] for stroke in strokes]).astype(float)
        file["points/y"] = np.concatenate([stroke[1] for stroke in strokes]).astype(float)
        file["points/t"] = np.full(sum(len(stroke[0]) for stroke in strokes), np.nan)
        for name in ("drawings", "labels", "strokes"):
            file[f"shapes/{name}"] = np.zeros(0, np.int64)
        file["shapes/offsets"] = np.zeros(1, np.int64)
    back = converted(drawml, path)
    assert [each["id"] for each in back] == [each["id"] for each in some]
    assert [each["label"] for each in back] == [each["label"] for each in some]
    for one, other in zip(back, some):
        strokes_equal(one["strokes"], other["strokes"])

    with h5py.File(path, "a") as file:
        x = file["points/x"][:]
        del file["points/x"]
        file.create_dataset("points/x", data=x, chunks=(64,), compression="gzip", shuffle=True)
    for one, other in zip(converted(drawml, path), some, strict=True):
        strokes_equal(one["strokes"], other["strokes"])
    with h5py.File(path, "a") as file:
        del file["points/x"]
        file.create_dataset("points/x", data=x, chunks=(64,), compression="lzf")
    assert "compression='gzip'" in drawml("dataset", "info", path, fails=True)


@pytest.mark.parametrize("form", ["python2", "savez", 2, 3, 4, 5])
@pytest.mark.parametrize("kind", [np.int16, np.float32])
def test_sketch_rnn_as_numpy_writes_it(drawml, tmp_path, expected, form, kind):
    """As the published files are, and as numpy saves an array of objects today."""
    def rows(drawing):
        places = np.concatenate([np.array(stroke[:2]).T.round() for stroke in drawing["strokes"]])
        lifted = np.zeros(len(places))
        lifted[np.cumsum([len(stroke[0]) for stroke in drawing["strokes"]]) - 1] = 1
        return np.column_stack([np.diff(places, axis=0, prepend=0), lifted]).astype(kind)

    arrays = [rows(drawing) for drawing in expected]
    parts = {"test": arrays[150:], "train": arrays[:100], "valid": arrays[100:150]}
    path = tmp_path / "sloth.full.npz"
    if form == "savez":
        np.savez_compressed(
            path, **{name: sketch_rnn.objects(part) for name, part in parts.items()})
    else:
        sketch_rnn.npz(path, parts, form)
    with np.load(path, allow_pickle=True, encoding="latin1") as archive:
        assert np.array_equal(archive["train"][0], arrays[0])
    back = converted(drawml, path)
    assert [each["id"] for each in back] == [f"sloth.full.npz:{n + 1}" for n in range(len(arrays))]
    assert {each["label"] for each in back} == {"sloth"}
    for one, other in zip(back, expected):
        strokes_equal(one["strokes"], other["strokes"], tolerance=0.5)
    assert "200 drawings of 1 label" in drawml("dataset", "info", path)


def test_numpy_archives_of_other_things_are_refused(drawml, tmp_path):
    class Trap:
        def __reduce__(self):
            return print, ("run",)

    np.savez(tmp_path / "trap.npz", train=sketch_rnn.objects([Trap()]))
    message = drawml("dataset", "info", tmp_path / "trap.npz", fails=True)
    assert "it names builtins.print" in message and "nothing was run" in message
    np.savez(tmp_path / "other.npz", pictures=np.zeros((2, 28, 28)))
    assert "but pictures.npy" in drawml("dataset", "info", tmp_path / "other.npz", fails=True)


def test_jpeg_as_a_camera_saves_it(drawml, tmp_path, some):
    """In each of Exif's orientations the strokes are those of the upright PNG, give or take what
    compression moves."""
    image = pytest.importorskip("PIL.Image")
    drawml("rasterize", some, "--size", 160, "--stroke-width", 6, "--output", tmp_path / "a.png")
    png = image.open(tmp_path / "a.png").convert("L")
    wide = image.new("L", (200, 160), 255)
    wide.paste(png, (20, 0))
    wide.save(tmp_path / "a.png")
    found = json.loads(drawml("vectorize", tmp_path / "a.png"))
    saved = {1: None, 2: "FLIP_LEFT_RIGHT", 3: "ROTATE_180", 4: "FLIP_TOP_BOTTOM", 5: "TRANSPOSE",
             6: "ROTATE_90", 7: "TRANSVERSE", 8: "ROTATE_270"}
    for orientation, change in saved.items():
        exif = image.Exif()
        exif[274] = orientation
        picture = wide if change is None else wide.transpose(image.Transpose[change])
        picture.convert("RGB").save(tmp_path / "a.jpg", quality=97, exif=exif, subsampling=0)
        seen = json.loads(drawml("vectorize", tmp_path / "a.jpg"))
        assert seen["canvas"] == {"width": 200, "height": 160}
        assert len(seen["strokes"]) == len(found["strokes"]), orientation
        for one, other in zip(seen["strokes"], found["strokes"]):
            for axis in (0, 1):
                ends = [one[axis][0], one[axis][-1]], [other[axis][0], other[axis][-1]]
                assert np.allclose(*ends, atol=3), orientation


def test_svg_as_svgelements_reads_it(drawml, tmp_path, some, expected):
    svgelements = pytest.importorskip("svgelements")
    drawml("dataset", "convert", some, "--to", "svg", "--animate", "--output", tmp_path / "svg")
    files = list((tmp_path / "svg").rglob("*.svg"))
    assert len(files) == len(expected)
    by_id = {each["id"]: each for each in expected}
    for file in files[:60]:
        root = ET.parse(file).getroot()
        drawing = by_id[root.get("data-id")]
        assert root.get("data-label") == drawing["label"]
        text = file.read_text()
        paths = [path for path in svgelements.SVG.parse(io.StringIO(text)).elements()
                 if isinstance(path, svgelements.Path)]
        box = [float(number) for number in root.get("viewBox").split()]
        assert len(paths) == len(drawing["strokes"])
        for path, stroke in zip(paths, drawing["strokes"]):
            path.reify()
            first, last = path.first_point, path.current_point
            # svgelements moves the view box to the origin.
            assert np.allclose([first.x + box[0], last.x + box[0]], [stroke[0][0], stroke[0][-1]])
            assert np.allclose([first.y + box[1], last.y + box[1]], [stroke[1][0], stroke[1][-1]])


SHAPES = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 200">
<g transform="translate(20 30) rotate(25) scale(1.5 .8)">
<path d="M10 10c10-20 40 20 50 0s20 30-10 40q-20 10-30-5t-10-30z"/>
<path d="M70 70a30 15 40 1 0 12-8A20 30 0 0 1 90 60"/>
<ellipse cx="30" cy="90" rx="20" ry="8"/><rect x="60" y="5" width="30" height="20" rx="5" ry="9"/>
<circle cx="90" cy="40" r="9" transform="skewX(20)"/><polygon points="1,2 30,4 5,26"/></g></svg>"""


def test_curves_are_where_svgelements_has_them(drawml, tmp_path):
    svgelements = pytest.importorskip("svgelements")
    (tmp_path / "a.svg").write_text(SHAPES)
    (ours,) = converted(drawml, tmp_path / "a.svg")
    shapes = [shape for shape in svgelements.SVG.parse(io.StringIO(SHAPES), reify=False).elements()
              if isinstance(shape, svgelements.Shape)]
    assert len(shapes) == len(ours["strokes"])
    for shape, stroke in zip(shapes, ours["strokes"]):
        # It does not transform turned ellipses exactly, but points.
        places = np.array([
            shape.transform.point_in_matrix_space(segment.point(part))
            for segment in svgelements.Path(shape.segments(transformed=False))
            if not isinstance(segment, svgelements.Move) for part in np.linspace(0, 1, 400)
        ])
        found = [min(stroke[0]), min(stroke[1]), max(stroke[0]), max(stroke[1])]
        # A thousandth of the picture.
        assert np.allclose(found, [*places.min(axis=0), *places.max(axis=0)], atol=0.2), shape
        length = np.hypot(np.diff(stroke[0]), np.diff(stroke[1])).sum()
        theirs = np.hypot(*np.diff(places, axis=0).T).sum()
        assert abs(length - theirs) < 0.01 * length, shape


@pytest.mark.parametrize("form", ["excel", "excel-tab", "semicolons", "savetxt"])
def test_tables_as_csv_and_numpy_write_them(drawml, tmp_path, expected, form):
    path = tmp_path / "points.csv"
    names = ["drawing", "label", "stroke", "pressure", "x", "y", "t"]
    rows = [[drawing["id"], drawing["label"], number, 0.5, *point, 10 * place]
            for drawing in expected for number, stroke in enumerate(drawing["strokes"])
            for place, point in enumerate(zip(*stroke[:2]))]
    if form == "savetxt":
        np.savetxt(path, np.array(rows, object), "%s,%s,%d,%.3f,%.17g,%.17g,%d",
                   header=",".join(names), comments="")
    else:
        with path.open("w", newline="", encoding="utf-8-sig") as file:
            delimiter = {"excel": ",", "excel-tab": "\t", "semicolons": ";"}[form]
            csv.writer(file, delimiter=delimiter).writerows([names, *rows])
    back = converted(drawml, path)
    assert [(each["id"], each["label"]) for each in back] == [
        (each["id"], each["label"]) for each in expected]
    for one, other in zip(back, expected):
        strokes_equal(one["strokes"], other["strokes"])
        for stroke in one["strokes"]:
            assert stroke[2] == [10 * place for place in range(len(stroke[0]))]


def test_quickdraw_binary_as_struct_packs_it(drawml, tmp_path, expected):
    """By the layout that is published with the set: key, country, recognized, time, strokes."""
    parts, whole = [], []
    for number, drawing in enumerate(expected):
        strokes = [np.array(stroke[:2]) for stroke in drawing["strokes"]]
        low, high = (each(np.hstack(strokes)) for each in (np.min, np.max))
        whole.append([np.round((stroke - low) * 255 / max(high - low, 1)).astype(np.uint8)
                      for stroke in strokes])
        parts.append(
            struct.pack("<Q2sbIH", number + 1, b"CH", number % 2, 1_500_000_000, len(strokes)))
        parts += [struct.pack(f"<H{2 * stroke.shape[1]}B", stroke.shape[1], *stroke.ravel())
                  for stroke in whole[-1]]
    path = tmp_path / "full_binary_cat.bin"
    path.write_bytes(b"".join(parts))
    back = converted(drawml, path)
    assert [(each["id"], each["label"], each["recognized"]) for each in back] == [
        (str(n + 1), "cat", n % 2 == 1) for n in range(len(expected))]
    for one, strokes in zip(back, whole):
        strokes_equal(one["strokes"], strokes)


def test_gestures_as_elementtree_writes_them(drawml, tmp_path, expected):
    """As the $1 set has them (points without strokes) and as that of $N (points in strokes)."""
    for number, drawing in enumerate(expected[:20]):
        root = ET.Element("Gesture", Name=f"long arrow~{number:02}", Subject="s1", Speed="MEDIUM")
        for stroke in drawing["strokes"]:
            single = len(drawing["strokes"]) == 1
            parent = root if single else ET.SubElement(root, "Stroke", index="1")
            for place, (x, y) in enumerate(zip(*stroke[:2])):
                ET.SubElement(
                    parent, "Point", X=repr(x), Y=repr(y), T=str(20 * place), Pressure="9")
        path = tmp_path / f"arrow{number:02}.xml"
        ET.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)
        (back,) = converted(drawml, path)
        assert back["label"] == "long arrow" and back["id"] == f"{path.name}:1"
        strokes_equal(back["strokes"], drawing["strokes"])
    assert {len(drawing["strokes"]) == 1 for drawing in expected[:20]} == {True, False}


@pytest.mark.parametrize("flat", [True, False])
def test_bitmaps_as_numpy_saves_them(drawml, tmp_path, some, flat):
    """Their strokes are those of the same picture, dark on light, from Pillow."""
    image = pytest.importorskip("PIL.Image")
    drawml("dataset", "convert", some, "--to", "png", "--size", 28, "--output", tmp_path / "png")
    files = sorted((tmp_path / "png").rglob("*.png"))[:30]
    ink = np.array([255 - np.array(image.open(file).convert("L")) for file in files])
    path = tmp_path / "full_numpy_bitmap_cat.npy"
    np.save(path, ink.reshape(len(ink), -1) if flat else ink)
    back = converted(drawml, path)
    assert {each["label"] for each in back} == {"cat"} and len(back) == len(files)
    for one, file in zip(back, files):
        strokes_equal(one["strokes"], json.loads(drawml("vectorize", file))["strokes"])


def test_gzip_as_python_packs_it(drawml, tmp_path, some, expected):
    packed = tmp_path / "some.ndjson.gz"
    packed.write_bytes(gzip.compress(some.read_bytes()))
    assert converted(drawml, packed) == expected


def test_inkml_as_an_xml_parser_reads_it(drawml, tmp_path, some, expected):
    path = tmp_path / "some.inkml"
    drawml("dataset", "convert", some, "--output", path)
    ink = "{http://www.w3.org/2003/InkML}"
    groups = ET.parse(path).getroot().findall(f"{ink}traceGroup")
    assert len(groups) == len(expected)
    for group, drawing in zip(groups, expected):
        texts = {each.get("type"): each.text for each in group.findall(f"{ink}annotation")}
        assert texts["truth"] == drawing["label"] and texts["id"] == drawing["id"]
        traces = group.findall(f"{ink}trace")
        places = [np.array([[float(value) for value in point.replace("?", "nan").split()]
                            for point in trace.text.split(",")]) for trace in traces]
        strokes_equal([place.T[:2] for place in places], drawing["strokes"])
    for one, other in zip(converted(drawml, path), expected):
        other = {key: value for key, value in other.items() if key != "recognized"}
        assert one == other


def test_png_folders_as_pillow_reads_them(drawml, tmp_path, some, expected):
    image = pytest.importorskip("PIL.Image")
    drawml("dataset", "convert", some, "--to", "png", "--size", 48, "--output", tmp_path / "png")
    files = list((tmp_path / "png").rglob("*.png"))
    assert len(files) == len(expected)
    for file in files[:20]:
        picture = image.open(file)
        assert picture.size == (48, 48) and picture.getextrema()[0] < 128
