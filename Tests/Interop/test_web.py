"""The exported web page, opened from a file in Chromium, answers as the program does."""

import json
import os
import random
import shutil
from collections import Counter
from pathlib import Path

import pytest
from conftest import ROOT, STARTER

sync_api = pytest.importorskip("playwright.sync_api")
expect = sync_api.expect
expect.set_options(timeout=15_000)

# "ink" has linear weights without a prior, the others two networks and a prior, "base" an adapted
# one; "released" and "everyday" are of models/, "tiny" and "strokes" are small; "strokes" sees no
# pixels. Other heads are in test_decisions.py. With --all-drawings, which takes minutes, every model
# is asked about all 1,000 drawings.
COUNTS = {"base": 200, "ink": 40, "released": 40, "everyday": 40, "tiny": 1000, "strokes": 200}
HOSTILE = ["</script><script>hacked = 1</script>", "<!--<script>", "<img src=x onerror=hacked=1>",
           "[[numbers]]]]>&lt;b&gt;", "x" * 64]


@pytest.fixture(scope="session")
def browser():
    chromium = shutil.which("chromium-headless-shell")
    if chromium is None:
        pytest.skip("there is no chromium-headless-shell to open pages")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium, args=["--no-sandbox"] if os.geteuid() == 0 else [])
        yield browser
        browser.close()


@pytest.fixture
def visit(browser):
    """Opens a page's file; at the end there must have been no request, and no complaint."""
    contexts, requests, complaints = [], [], []

    def open_page(path, **options):
        contexts.append(browser.new_context(offline=True, **options))
        page = contexts[-1].new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(path.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []
    own = ("file:", "data:")
    assert [url for url in requests if not url.startswith(own)] == []
    assert sum(url.startswith("file:") for url in requests) == len(contexts)


@pytest.fixture(scope="session")
def web_model(drawml, folder, model, taught):
    """Gives the path of a model by its name in COUNTS."""

    def make(name):
        path = folder / f"web-{name}.drawml"
        if name == "everyday":
            return ROOT / "models/everyday.drawml"
        if name == "released" and not path.exists():
            lines = taught.read_text().splitlines()
            few = folder / "few.ndjson"
            few.write_text("\n".join(lines[: 12 * 6]) + "\n")
            drawml("train", few, "--base", ROOT / "models/base.drawml", "--output", path)
        elif name in ("tiny", "strokes") and not path.exists():
            base = tiny_base(drawml, folder, name, hasPixels=name == "tiny")
            drawml("train", taught, "--base", base, "--output", path)
        return path if path.exists() else model(name)

    return make


def tiny_base(drawml, folder, name, hasPixels):
    """A base of small networks, which end in means, for points and perhaps for pixels."""
    recipe = json.loads((ROOT / "models/base-slim-recipe.json").read_text())
    members = recipe["members"] if hasPixels else recipe["members"][1:]
    members[0]["view"].get("rasterizer", {}).update(width=14, height=12)
    members[-1]["view"]["sequence"]["steps"] = 24
    for member in members:
        member["network"].update(channels=[8, 12], blocks=[1, 1], kernels=[3, 3], pooling="mean",
                                 dimension=16)
        member["training"].update(epochs=2, examplesPerEpoch=192, batchSize=48, shardSize=12,
                                  checkpointInterval=4)
    recipe.update(members=members, distillation=None,
                  heldOut={**recipe["heldOut"], "validation": 0.3, "test": 0},
                  tasks={"count": 5, "ways": 2, "shots": 2, "queries": 3})
    (folder / f"{name}.json").write_text(json.dumps(recipe))
    for source, files in (("everyday", slice(0, 20)), ("characters", slice(20, 26))):
        (folder / source).mkdir(exist_ok=True)
        for file in sorted(STARTER.glob("*.ndjson"))[files]:
            (folder / source / file.name).write_text(
                "\n".join(file.read_text().splitlines()[:10]) + "\n")
    path = folder / f"{name}-base.drawml"
    drawml("train-base", f"everyday={folder / 'everyday'}", f"characters={folder / 'characters'}",
           "--recipe", folder / f"{name}.json", "--seed", "3", "--output", path)
    return path


@pytest.fixture(scope="session")
def page_file(drawml, folder, web_model):
    """Exports a model as a page; gives its path."""

    def make(name, *options):
        path = folder / f"{name}.html"
        drawml("export", "web", "--model", web_model(name), "--output", path, *options)
        return path

    return make


def classified(pages, drawings):
    """The pages' answers; each page, in a process of its own, takes a part of the drawings."""
    parts = [drawings[start :: len(pages)] for start in range(len(pages))]
    script = """(drawings) => {
      globalThis.answers = (async () => {
        const found = [];
        for (const drawing of drawings) {
          const answer = await drawml.classify(drawing);
          found.push({ ...answer, candidates: answer.candidates.slice(0, 5) });
        }
        return found;
      })();
    }"""
    for page, part in zip(pages, parts):
        page.evaluate(script, part)
    found = [None] * len(drawings)
    for start, page in enumerate(pages):
        found[start :: len(pages)] = page.evaluate("answers")
    return found


def as_given(line):
    """A line of stroke JSON as the page takes drawings."""
    drawing = json.loads(line)
    strokes = drawing.get("drawing") or drawing["strokes"]
    return {"strokes": [stroke[:2] for stroke in strokes], "canvas": drawing.get("canvas")}


EDGE_CASES = [
    {"strokes": [[[5], [5]]]},  # a dot
    {"strokes": [[[0, 10], [3, 3]]]},  # a straight line
    {"strokes": [[[0, 1], [0, 1]]], "canvas": {"width": 900, "height": 700}},  # a slip of the pen
    {"strokes": [[[0, 1e-9], [0, 0]], [[7], [0]]]},  # a stroke too short for a direction
    {"strokes": [[[x, x + 3], [x * x % 97, x]] for x in range(120)]},  # more strokes than points
    {"strokes": [[[1e9, 1e9 + 1e-7], [0, 0]]]},  # an extent of rounding errors
]


@pytest.mark.parametrize("name", COUNTS)
def test_answers_are_equal(drawml, visit, page_file, web_model, folder, drawings, request, name):
    count = 1000 if request.config.getoption("--all-drawings") else COUNTS[name]
    lines = drawings.read_text().splitlines()[:count]
    lines += [json.dumps({"id": f"edge-{k}", **case}) for k, case in enumerate(EDGE_CASES)]
    path = folder / "asked.ndjson"
    path.write_text("\n".join(lines) + "\n")
    output = drawml("classify", path, "--model", web_model(name), "--format", "json")
    answers = [json.loads(line) for line in output.splitlines()]
    assert len(answers) == len(lines)
    file = page_file(name)
    assert file.stat().st_size <= 12_000_000
    pages = [visit(file) for _ in range(2 if count > 100 else 1)]
    found = classified(pages, [as_given(line) for line in lines])
    for key in ("label", "decision", "reason"):
        assert [answer[key] for answer in found] == [answer[key] for answer in answers]
    for theirs, ours in zip(found, answers):
        assert abs(theirs["confidence"] - ours["confidence"]) < 1e-4, ours["id"]
        assert abs((theirs["typicality"] or 0) - (ours["typicality"] or 0)) < 1e-3, ours["id"]
        for a, b in zip(theirs["candidates"], ours["candidates"]):
            assert abs(a["confidence"] - b["confidence"]) < 1e-4, ours["id"]
    decisions = Counter(answer["decision"] for answer in answers)
    assert min(decisions["recognized"], decisions["unrecognized"]) > 3, "both are tested"


def test_it_can_request_nothing(browser, page_file):
    page = browser.new_page()
    page.goto(page_file("base").as_uri())
    assert page.title() == "Draw something"
    blocked = page.evaluate("""async () => {
      const blocked = [];
      const kind = "securitypolicyviolation";
      addEventListener(kind, ({ effectiveDirective }) => blocked.push(effectiveDirective));
      await fetch("https://example.org/").catch(() => {});
      document.body.append(Object.assign(new Image(), { src: "https://example.org/i.png" }));
      const script = document.createElement("script");
      script.textContent = "globalThis.hacked = 1";
      document.body.append(script);
      await new Promise((resolve) => setTimeout(resolve, 100));
      return [blocked, globalThis.hacked];
    }""")
    page.close()
    assert set(blocked[0]) == {"connect-src", "img-src", "script-src-elem"}
    assert blocked[1] is None


def starter(shape, index=50):
    return json.loads((STARTER / f"{shape}.ndjson").read_text().splitlines()[index])


def draw(page, strokes):
    """Draws strokes with the mouse, in the middle of the sheet."""
    box = page.locator(".sheet").bounding_box()
    xs, ys = (sum((stroke[axis] for stroke in strokes), []) for axis in (0, 1))
    scale = 160 / max(max(xs) - min(xs), max(ys) - min(ys))
    x0 = box["x"] + box["width"] / 2 - scale * (max(xs) + min(xs)) / 2
    y0 = box["y"] + box["height"] / 2 - scale * (max(ys) + min(ys)) / 2
    for stroke in strokes:
        points = [(x0 + x * scale, y0 + y * scale) for x, y in zip(*stroke[:2])]
        page.mouse.move(*points[0])
        page.mouse.down()
        for point in points[1:]:
            page.mouse.move(*point)
        page.mouse.up()


def fits(page):
    """Whether nothing is beside the window."""
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("options", [
    {"viewport": {"width": 1200, "height": 800}},
    {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"},
    {"viewport": {"width": 320, "height": 600}, "forced_colors": "active"},
], ids=["desk", "dark phone", "forced colors"])
def test_one_draws_and_is_answered(visit, page_file, options):
    page = visit(page_file("base", "--title", "Mia’s shapes"), **options)
    assert page.title() == "Mia’s shapes"
    expect(page.get_by_role("heading", level=1)).to_have_text("Mia’s shapes")
    expect(page.locator(".page-head p")).to_contain_text("It knows 52 shapes")
    assert page.locator(".labels li").count() == 52
    answer, face = page.get_by_role("status"), page.locator(".answer-face")
    draw(page, starter("star")["strokes"])
    expect(face).to_have_text("⭐")
    expect(answer).to_contain_text("% sure")
    expect(page.locator(".candidates li")).to_have_count(4)
    page.get_by_role("button", name="Clear").click()
    expect(answer).to_contain_text("The answer appears here.")
    expect(page.locator(".ink path")).to_have_count(0)
    # Undo takes back, by the keyboard, too.
    page.keyboard.press("Control+z")
    expect(face).to_have_text("⭐")
    page.get_by_role("button", name="Undo").focus()
    for _ in starter("star")["strokes"]:
        page.keyboard.press("Enter")
    expect(page.locator(".ink path")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "true")
    # A scribble is none of these.
    pen = random.Random(1)
    draw(page, [[[pen.uniform(-side, side) for _ in range(60)] for side in (90, 60)]])
    expect(answer).to_contain_text("I don’t know.")
    expect(face).to_have_text("?")
    assert fits(page)


def test_names_and_roles(visit, page_file):
    page = visit(page_file("base"))
    draw(page, starter("star")["strokes"])
    expect(page.locator(".answer-face")).to_have_text("⭐")
    axe = pytest.importorskip("axe_playwright_python")
    page.evaluate((Path(axe.__path__[0]) / "axe.min.js").read_text())
    found = page.evaluate("axe.run(document).then((result) => result.violations)")
    assert [(each["id"], each["nodes"][0]["html"]) for each in found] == []


def test_labels_are_text(drawml, visit, folder):
    path, lines = folder / "hostile.ndjson", []
    for label, shape in zip(HOSTILE, ("star", "house", "sun", "key", "tree")):
        lines += [json.dumps({**starter(shape, k), "id": f"{shape}-{k}", "label": label})
                  for k in range(8)]
    path.write_text("\n".join(lines) + "\n")
    model, file = folder / "hostile.drawml", folder / "hostile.html"
    drawml("train", path, "--base", ROOT / "models/base-slim.drawml", "--output", model)
    drawml("export", "web", "--model", model, "--title", HOSTILE[0], "--output", file)
    page = visit(file, viewport={"width": 320, "height": 600})
    assert page.title() == HOSTILE[0]
    assert sorted(page.locator(".labels li").all_inner_texts()) == sorted(HOSTILE)
    draw(page, starter("star")["strokes"])
    expect(page.locator(".answer-face")).to_have_text(HOSTILE[0])
    assert fits(page), "long labels are wrapped"
    assert page.locator("script").count() == 4
    assert page.locator("img, iframe, b").count() == 0
    assert page.evaluate("globalThis.hacked") is None
