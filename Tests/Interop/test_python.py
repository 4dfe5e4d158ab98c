"""The Python package gives the models, bytes and answers of the program."""

import copy
import ctypes
import json
import pickle
import re
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import ROOT, lines

drawml_python = pytest.importorskip("drawml")
from drawml import Drawings, Error, Model, Update, _library  # noqa: E402

BASE = ROOT / "models/base-slim.drawml"
STAR = [[[0, 0], [10, 0], [2, 8], [5, -4], [8, 8], [0, 0]]]


@pytest.fixture(scope="module")
def shapes(drawml, folder, taught):
    """A model that the program was taught."""
    path = folder / "python-shapes.drawml"
    drawml("train", taught, "--base", BASE, "--output", path)
    return path


def strokes(path):
    """The drawings of a file as arrays, without ids and labels."""
    columns = [line.get("strokes") or line["drawing"] for line in lines(path)]
    return [[np.array(stroke, float).T for stroke in drawing] for drawing in columns]


def test_version_and_functions(drawml):
    assert drawml_python.__version__ == drawml("--version").strip()
    assert f'version = "{drawml_python.__version__}"' in (ROOT / "python/pyproject.toml").read_text()
    header = (ROOT / "Sources/Toolkit/CInterface/include/drawml.h").read_text()
    declared = set(re.findall(r"^[a-z].*[ *](drawml_\w+)\(", header, re.M))
    library = str(ROOT / _library._library._name)
    exported = subprocess.run(["nm", "-D", "--defined-only", library], text=True, check=True,
                              capture_output=True).stdout
    assert {line.split()[-1] for line in exported.splitlines()} == declared
    assert declared == {*_library._FUNCTIONS, "drawml_version", "drawml_free"}
    for name, arguments in _library._FUNCTIONS.items():
        listed = re.search(name + r"\(([^)]*)\)", header)[1].split(",")
        assert len(listed) == len(arguments), name


def test_header_compiles(folder):
    source = folder / "header.c"
    source.write_text('#include "drawml.h"\nint main(void) { drawml_free(drawml_version()); }\n')
    subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I",
                    ROOT / "Sources/Toolkit/CInterface/include", source], check=True)


def test_same_bytes(drawml, folder, taught, shapes):
    by_program, by_python = folder / "by-program.drawml", folder / "by-python.drawml"
    model = Model.load(BASE).untaught()
    assert model.update(Drawings.read(taught)).added == len(taught.read_text().splitlines())
    assert model.adapt() == "accepted"
    model.save(by_python)
    assert by_python.read_bytes() == shapes.read_bytes()

    by_program.write_bytes(shapes.read_bytes())
    stars = ROOT / "datasets/starter/star.ndjson"
    more = folder / "more.ndjson"
    more.write_text("".join(
        json.dumps({"strokes": line["strokes"], "label": "zigzag"}) + "\n"
        for line in lines(stars)[:5]))
    drawml("update", more, "--model", by_program)
    update = model.update([[points[:, :3] for points in drawing] for drawing in strokes(stars)[:5]],
                          ["zigzag"] * 5)
    assert update.new_labels == ("zigzag",) and update.added == 5
    known = dict(model.samples)
    zigzag = next(id for id, label in known.items() if label == "zigzag")
    other = next(id for id, label in known.items() if label != "zigzag")
    for options, forget in [(["--label", "zigzag"], {"label": "zigzag"}),
                            (["--sample", other], {"sample": other})]:
        drawml("forget", "--model", by_program, *options)
        gone = model.forget(**forget)
        assert gone and not set(gone) & set(dict(model.samples))
        assert zigzag not in dict(model.samples)
        model.save(by_python)
        assert by_python.read_bytes() == by_program.read_bytes()


@pytest.mark.parametrize("head, options", [
    ("knn", {"neighbors": 3}), ("knn", {"uniform": True}), ("prototype", {}), ("plda", {})])
def test_heads_are_those_of_the_program(drawml, folder, taught, head, options):
    by_program, by_python = folder / "head-program.drawml", folder / "head-python.drawml"
    flags = [f"--{name}" if value is True else f"--{name}={value}"
             for name, value in options.items()]
    drawml("train", taught, "--base", BASE, "--head", head, *flags, "--output", by_program)
    model = Model.load(BASE).untaught()
    model.set_head(head, **options)
    model.update(Drawings.read(taught))
    model.adapt()
    model.save(by_python)
    assert by_python.read_bytes() == by_program.read_bytes()
    assert model.head == Model.load(by_program).head
    assert model.head["head"] == head and model.head.items() >= options.items()


def test_training_gives_the_program_s_model(drawml, folder, taught, monkeypatch):
    by_program, by_python = folder / "trained-program.drawml", folder / "trained-python.drawml"
    # The program chooses OpenBLAS's kernels by itself, unless it is told which.
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    drawml("train", taught, "--epochs", 2, "--seed", 7, "--threads", 2, "--hold-out", 0.2,
           "--set", "training.learningRate=1e-3", "--output", by_program)
    script = """if True:
        import drawml, sys
        settings = {"seed": 7, "holdOut": 0.2, "training": {"learningRate": 1e-3}}
        model = drawml.train(drawml.Drawings.read(sys.argv[1]), epochs=2, threads=2, settings=settings)
        model.save(sys.argv[2])
    """
    subprocess.run([sys.executable, "-c", script, taught, by_python], check=True)
    assert by_python.read_bytes() == by_program.read_bytes()


def test_training_tells_its_progress(taught):
    events = []
    model = drawml_python.train(Drawings.read(taught), epochs=2, threads=2, progress=events.append,
                                settings={"seed": np.int64(7), "head": "knn"})
    assert len(model.samples) == len(taught.read_text().splitlines())
    assert model.head == {"head": "knn", "neighbors": 5, "uniform": False}
    epochs = [event for event in events if event["event"] == "epoch"]
    assert [event["epoch"] for event in epochs] == [1, 2]
    assert 0 < epochs[1]["trainingLoss"] < epochs[0]["trainingLoss"]
    steps = [event for event in events if event["event"] == "step"]
    assert [event["step"] for event in steps] == list(range(1, steps[-1]["steps"] + 1))
    assert events[-1]["event"] == "progress" and events[-1]["done"] == events[-1]["total"]

    # Lists, and a base.
    shapes = [STAR, [[[0, 0], [5, 5]]], [[[0, 0], [5, 5], [9, 0]]]]
    small = drawml_python.train(shapes, ["star", "line", "roof"], base=BASE, threads=1)
    assert small.labels == ["line", "roof", "star"]
    assert small.classify([STAR])[0].label == "star"


def test_training_can_be_stopped(taught):
    drawn, told = Drawings.read(taught), []

    def second(event):
        told.append(event)
        if len(told) == 2:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        drawml_python.train(drawn, epochs=1000, progress=second)
    assert len(told) == 2


def test_ctrl_c_stops_a_training_and_leaves_nothing(tmp_path, taught):
    # Where tests run in the background of a shell, Ctrl-C is ignored.
    script = """if True:
        import drawml, signal, sys
        signal.signal(signal.SIGINT, signal.default_int_handler)
        def tell(event):
            if event["event"] == "step":
                print(event["step"], flush=True)
        drawml.train(drawml.Drawings.read(sys.argv[1]), epochs=1000, progress=tell)
    """
    with subprocess.Popen([sys.executable, "-c", script, taught], cwd=tmp_path, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline().strip() == "1"
        started = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    assert time.monotonic() - started < 30
    assert "KeyboardInterrupt" in errors and "Exception ignored" not in errors
    assert process.returncode in (-signal.SIGINT, 130)
    assert list(tmp_path.iterdir()) == []


def test_same_evaluation(drawml, taught, shapes, drawings):
    told = json.loads(drawml("evaluate", drawings, "--model", shapes, "--format", "json"))
    model, notes = Model.load(shapes), []
    found = model.evaluate(Drawings.read(drawings), progress=notes.append)
    facts, expected = found.pop("facts"), told.pop("facts")
    assert is_close(found, told) and found["count"] == 1000
    same = {"dataFingerprint", "dataPaths", "head", "knownLeftOut", "modelFingerprint", "seed"}
    assert all(facts[key] == expected[key] for key in same)
    assert "progress" in {note["event"] for note in notes}

    # What it was taught is left out, unless it is asked for.
    mixed = Drawings.from_json(lines(taught)[:5] + lines(ROOT / "datasets/starter/star.ndjson")[40:50])
    assert model.evaluate(mixed, progress=notes.append)["count"] == 10
    assert "note" in {note["event"] for note in notes}
    flattering = model.evaluate(mixed, include_taught=True)
    assert flattering["count"] == 15 and flattering["facts"]["knownJudged"] == 5
    assert model.evaluate([STAR], ["heart"])["accuracy"] == 0


def test_strokes_of_quick_draw(drawings):
    raw = [line.get("drawing") or line["strokes"] for line in lines(drawings)]
    by_hand = Drawings(strokes(drawings))
    for made in (Drawings.quickdraw(raw), Drawings([drawml_python.quickdraw(one) for one in raw])):
        assert np.array_equal(made.rasterize(), by_hand.rasterize())
    # Two points: as rows they are another line than as points.
    line = [[[0, 10], [0, 2]]]
    (stroke,) = drawml_python.quickdraw(line)
    assert stroke.tolist() == [[0, 0], [10, 2]]
    assert not np.array_equal(Drawings.quickdraw([line]).rasterize(), Drawings([line]).rasterize())
    # Times are the third row; a dot is a row of one.
    timed, dot = drawml_python.quickdraw([[[0, 10, 20], [1, 2, 3], [0, 8, 16]], [[4], [5]]])
    assert timed.tolist() == [[0, 1, 0], [10, 2, 8], [20, 3, 16]] and dot.tolist() == [[4, 5]]
    model = Model.load(BASE).untaught()
    model.update(Drawings.quickdraw(raw[:20], [f"label {n}" for n in range(20)], map(str, range(20))))
    assert model.classify(Drawings.quickdraw(raw[:1]))[0].label == "label 0"


def test_a_file_that_another_program_changed_is_not_replaced(folder, shapes):
    path = folder / "shared.drawml"
    path.write_bytes(shapes.read_bytes())
    model, other = Model.load(path), Model.load(path)
    other.update(Drawings([STAR], ["zigzag"], ["theirs"]))
    other.save(path)
    theirs = path.read_bytes()
    model.update(Drawings([STAR], ["zigzag"], ["ours"]))
    with pytest.raises(Error, match="another program has changed it"):
        model.save(path)
    assert path.read_bytes() == theirs
    # What it wrote itself it may write again.
    other.save(path)
    assert path.read_bytes() == theirs


def is_close(a, b):
    """Whether two JSON values are equal but for rounding: each process chooses its kernels."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(is_close(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(is_close, a, b))
    if isinstance(a, float) or isinstance(b, float):
        return abs(a - b) <= 2e-3
    return a == b


def test_same_answers(drawml, drawings, shapes):
    model = Model.load(shapes)
    told = drawml("classify", drawings, "--model", shapes, "--format", "json", "--top", "3")
    read = Drawings.read(drawings)
    assert len(read) == 1000
    expected = [json.loads(line) for line in told.splitlines()]
    # The command also tells the truth of labeled drawings.
    assert all(one.pop("truth") for one in expected)
    told_here = _library.result("model_classify", model._handle, read._handle, 3)
    assert is_close(told_here, expected)
    # From arrays, too: there are the same strokes without ids.
    answers = model.classify(strokes(drawings), top=3)
    for answer, one in zip(answers, expected, strict=True):
        assert answer.recognized == (one["decision"] == "recognized")
        assert (answer.label, answer.reason) == (one["label"], one["reason"])
        assert is_close(
            [answer.confidence, answer.typicality], [one["confidence"], one["typicality"]])
        assert is_close([vars(candidate) for candidate in answer.candidates], one["candidates"])
        assert vars(answer.bounding_box) == one["boundingBox"]
    assert {answer.recognized for answer in answers} == {True, False}
    confidences = model.confidences(read)
    assert confidences.shape == (1000, len(model.labels)) and confidences.dtype == np.float32
    assert np.abs(confidences.sum(axis=1) - 1).max() < 1e-5
    labels, same = model.labeled_confidences(read)
    assert labels == model.labels and np.array_equal(same, confidences)
    best = [labels[index] for index in confidences.argmax(axis=1)]
    assert best == [one["label"] for one in expected]


def test_same_vectors_and_pixels(drawml, folder, drawings, shapes):
    export = folder / "python.onnx"
    some = folder / "some.ndjson"
    some.write_text("\n".join(drawings.read_text().splitlines()[:100]) + "\n")
    drawml("export", "onnx", "--model", shapes, "--output", export, "--drawings", some)
    vectors = json.loads((folder / "python.onnx.vectors.json").read_text())["vectors"]
    drawn = Drawings.read(some)
    found = dict(zip(drawn.ids, Model.load(shapes).embed(drawn)))
    for vector in vectors:
        assert np.array_equal(found[vector["id"]], np.array(vector["embedding"], np.float32))


def test_pixels_are_those_of_pictures(drawml, folder, drawings):
    numbers = [1, 2, 3]
    pixels = Drawings.read(drawings).rasterize(size=40, stroke_width=2, margin=1.5, dtype=np.uint8)
    for number in numbers:
        picture = folder / f"{number}.png"
        drawml("rasterize", drawings, "--number", number, "--size", 40, "--stroke-width", 2,
               "--margin", 1.5, "--white-on-black", "--output", picture)
        assert np.array_equal(pixels[number - 1], gray(picture.read_bytes(), 40))
    coverage = Drawings.read(drawings).rasterize(size=40, stroke_width=2, margin=1.5)
    assert coverage.dtype == np.float32 and 0 <= coverage.min() and coverage.max() <= 1
    assert np.abs(coverage * 255 - pixels).max() <= 0.5


def gray(png, size):
    """The pixels of an 8-bit gray PNG file."""
    import zlib

    data, position = b"", 8
    while position < len(png):
        length = int.from_bytes(png[position:position + 4], "big")
        if png[position + 4:position + 8] == b"IDAT":
            data += png[position + 8:position + 8 + length]
        position += 12 + length
    rows, above = [], np.zeros(size, int)
    for row in np.frombuffer(zlib.decompress(data), np.uint8).reshape(size, size + 1):
        values, out = row[1:].astype(int), np.zeros(size, int)
        for x in range(size):
            left, up = (out[x - 1] if x else 0), above[x]
            corner = above[x - 1] if x else 0
            near = min((left, up, corner), key=lambda one: abs(left + up - corner - one))
            out[x] = values[x] + [0, left, up, (left + up) // 2, near][row[0]] & 255
        rows.append(out)
        above = out
    return np.array(rows, np.uint8)


def test_errors():
    model = Model.load(BASE).untaught()
    model.update([STAR, [[[0, 0], [5, 5]]]], ["star", "line"])
    samples = model.samples
    for call, words in [
        (lambda: model.classify([STAR, [[[0, 0]], [[1, 2], [np.nan, 0]]]]),
         "drawing 1: stroke 1, point 1: x is not a finite number"),
        (lambda: model.classify([[[[0, 0], [0, 1e101]]]]), "y must be from -1e100 to 1e100"),
        (lambda: model.classify([[]]), "drawing 0: the drawing has no points"),
        (lambda: model.classify([[[1, 2, 3]]]), "drawing 0: stroke 0 is not an array of points"),
        (lambda: model.classify([[[[1, 2, 3, 4], [1, 2, 3, 4]]]]), "drawml.quickdraw makes one"),
        (lambda: Drawings.quickdraw([STAR, [[[0, 1], [2]]]]), "drawing 0: stroke 0 is not [[x, …]"),
        (lambda: Drawings.quickdraw([[[[0], [1], [2], [3]]]]), "drawing 0: stroke 0 is not"),
        (lambda: Drawings.quickdraw([[]]), "drawing 0: the drawing has no points"),
        (lambda: model.set_head("tree"), "it can be knn, prototype, linear, plda"),
        (lambda: model.set_head("plda", neighbors=3), "go with the head knn"),
        (lambda: model.set_head("knn", neighbors=0), "neighbors is 0; it must be from 1 to 10000"),
        (lambda: model.set_head("linear", penalty=float("nan")), "the head: "),
        (lambda: drawml_python.train([STAR], ["star"]), "label"),
        (lambda: drawml_python.train([STAR, STAR], ["a", None]), "has no label"),
        (lambda: drawml_python.train([STAR], ["a"], settings={"sed": 1}), "sed is not a setting"),
        (lambda: drawml_python.train([STAR], ["a"], epochs=0), "training.epochs is 0; it must"),
        (lambda: drawml_python.train([STAR], ["a"], threads=0), "threads is 0; it must be from 1"),
        (lambda: drawml_python.train([STAR], ["a"], base=ROOT / "nowhere"), "No such file"),
        (lambda: drawml_python.train([STAR], ["a"], settings={"x": float("inf")}), "settings: "),
        (lambda: model.evaluate([STAR], ["star"]), "was taught or trained on all 1 drawings"),
        (lambda: model.evaluate([STAR]), "no label"),
        (lambda: Model.load(BASE).untaught().evaluate([STAR], ["star"]), "knows no label"),
        (lambda: model.classify([STAR], top=0), "candidates is 0"),
        (lambda: model.update([STAR]), "has no label"),
        (lambda: model.update([STAR], ["a\nb"]), "control character U+000A"),
        (lambda: model.update([STAR], ["a\0b"]), "U+0000"),
        (lambda: model.update([STAR], ["a", "b"]), "2 labels for 1 drawings"),
        (lambda: model.update(Drawings([STAR, STAR], ["a", "b"], ["1", "1"])), "two different"),
        (lambda: model.update(Drawings([STAR], ["a"], ["i" * 2000])), "bytes in the id iii"),
        (lambda: Drawings.read("-"), "./-: No such file"),
        (lambda: model.forget(label="moon"), "no label moon"),
        (lambda: model.forget(sample="moon"), "no sample moon"),
        (lambda: Model.load(ROOT / "README.md"), "not a DrawML model"),
        (lambda: Model.load(ROOT / "nowhere"), "No such file"),
        (lambda: model.save(ROOT / "README.md"), "choose another name"),
        (lambda: Drawings.from_json('{"strokes":[[[0],[1]]]}\n{"strokes":'), "line 2"),
        (lambda: Drawings.from_arrays(np.zeros((2, 2)), [0, 3], [0, 1]), "from 0 to the number"),
        (lambda: Drawings.from_arrays(np.zeros((2, 4)), [0, 2], [0, 1]), "columns is 4"),
        (lambda: Drawings([STAR]).rasterize(size=2**40), "width is"),
        (lambda: setattr(model, "refusal_rate", float("nan")), "refusal rate is nan"),
    ]:
        with pytest.raises(Error, match=re.escape(words)):
            call()
    with pytest.raises(TypeError):
        model.forget()
    assert model.samples == samples


def test_refusal_rate_copies_and_release():
    model = Model.load(BASE).untaught()
    model.update([STAR], ["❤"])
    assert model.labels == ["❤\ufe0f"] == Drawings([STAR], ["❤"]).labels
    model.refusal_rate = 0.25
    twin = copy.deepcopy(model)
    twin.forget(label="❤")
    assert (twin.labels, model.labels, twin.refusal_rate) == ([], ["❤\ufe0f"], 0.25)
    drawings = Drawings([STAR], ["⭐"])
    assert copy.deepcopy(drawings) is drawings is copy.copy(drawings)
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(drawings)
    number = Drawings([STAR])._handle.value
    with pytest.raises(Error, match="was it released"):
        _library.call("release", ctypes.c_uint64(number))


def test_the_same_ink_under_another_label_is_corrected():
    model = Model.load(BASE).untaught()
    line = [[[0, 0], [5, 5]]]
    assert model.update([STAR, line], ["star", "line"]).added == 2
    assert model.update([STAR], ["star"]) == Update(0, 1, 0, ())
    assert model.update([STAR], ["sun"]) == Update(0, 0, 1, ("sun",))
    assert sorted(label for _, label in model.samples) == ["line", "sun"]
    # One ink with two labels at once keeps both.
    assert model.update([[[[1, 9], [7, 5]]]] * 2, ["O", "0"]).added == 2


def test_any_spelling_of_a_type_of_pixels():
    drawings = Drawings([STAR])
    for dtype in ("uint8", np.dtype("uint8"), np.ones(1, np.uint8).dtype):
        pixels = drawings.rasterize(dtype=dtype)
        assert pixels.dtype == np.uint8
        assert np.array_equal(pixels, drawings.rasterize(dtype=np.uint8))
    with pytest.raises(Error, match="float32 or uint8"):
        drawings.rasterize(dtype="float64")


def at_once(threads):
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_threads(drawings, shapes):
    model = Model.load(shapes)
    read = Drawings.from_json(lines(drawings)[:200])
    expected = model.classify(read)
    found, problems = {}, []

    def ask(number):
        try:
            found[number] = [model.classify(read) for _ in range(3)]
        except Exception as problem:  # pylint: disable=broad-except
            problems.append(problem)

    at_once([threading.Thread(target=ask, args=(number,)) for number in range(2)])
    assert not problems
    assert all(answers == expected for both in found.values() for answers in both)

    # Changes wait for each other: none is lost.
    at_once([threading.Thread(
        target=model.update, args=([[[[0, 0], [9, 3 * number]]]], [f"label {number}"]))
        for number in range(8)])
    assert {f"label {number}" for number in range(8)} <= set(model.labels)


def test_loads_without_output(shapes):
    script = "import drawml, sys; drawml.Model.load(sys.argv[1]).labels"
    ran = subprocess.run([sys.executable, "-c", script, shapes], capture_output=True, check=True)
    assert ran.stdout == ran.stderr == b""


def test_guide(tmp_path, monkeypatch, capsys):
    guide = (ROOT / "docs/guide/python.md").read_text()
    pytest.importorskip("sklearn", minversion="1.6")
    code = "".join(re.findall(r"```python\n(.*?)```", guide, re.S))
    monkeypatch.chdir(tmp_path)
    for name in ("models", "datasets"):
        (tmp_path / name).symlink_to(ROOT / name)
    exec(code, {})  # pylint: disable=exec-used
    first, *epochs, accuracy, best = map(str.split, capsys.readouterr().out.splitlines())
    assert first[:2] == ["zigzag", "True"] and float(first[2]) > 0.5
    assert [epoch[:2] for epoch in epochs] == [["epoch", str(number)] for number in range(1, 6)]
    assert accuracy[0] == "accuracy" and 0 <= float(accuracy[1]) <= 1
    assert best[0] == "best" and best[1] in ("plda", "knn") and float(best[2]) > 0.9
    assert "zigzag" not in Model.load("mine.drawml").labels
