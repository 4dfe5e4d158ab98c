"""Out of the playground's sheet: pictures, paper, and a log that `drawml replay` reads."""

import json
import subprocess
import xml.etree.ElementTree as ET
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import expect

from person import Person
from server import Server, copy_workspace
from thorough import often, thorough

SVG = "{http://www.w3.org/2000/svg}"
SHAPES = [("star", 40, (0.25, 0.3)), ("fish", 41, (0.7, 0.3))]


def draw_shapes(person):
    """Two emojis and a refused drawing."""
    for count, (name, index, at) in enumerate(SHAPES, 1):
        person.draw(name, index, at=at, size=150, milliseconds=250)
        person.page.locator(".face").nth(count - 1).wait_for()
    person.draw("spiral", 3, at=(0.5, 0.7), size=130, milliseconds=250)
    person.page.locator(".refused-mark").wait_for()


@pytest.fixture(scope="module")
def drawn_workspace(drawml, browser, taught_workspace, tmp_path_factory):
    """A workspace with these on a sheet, and how a browser knows the sheet."""
    folder = copy_workspace(taught_workspace, tmp_path_factory.mktemp("drawn") / "workspace")
    server = Server(drawml, folder)
    # The size of `visit`.
    with browser.new_context(viewport={"width": 1024, "height": 768}) as context:
        person = Person(context.new_page(), server.url).visit("playground")
        draw_shapes(person)
        known = person.page.evaluate("localStorage.getItem('drawml.playgrounds')")
    server.stop()
    return folder, known


@pytest.fixture
def drawn_server(serve, tmp_path, drawn_workspace):
    """A server on a copy of that workspace."""
    return serve(copy_workspace(drawn_workspace[0], tmp_path / "workspace"))


@pytest.fixture
def drawn(drawn_server, visit, drawn_workspace):
    """The page with that sheet."""
    script = f"localStorage.setItem('drawml.playgrounds', {json.dumps(drawn_workspace[1])})"
    person = visit(drawn_server, "playground", script=script)
    person.expect_faces(["⭐", "🐟"])
    person.page.locator(".refused-mark").wait_for()
    person.settle()
    return person


def save(person, name):
    person.press("Save")
    with person.page.expect_download() as download:
        dialog = person.page.get_by_role("dialog", name="Save the sheet")
        dialog.get_by_text(name, exact=True).click()
    expect(person.page.get_by_role("dialog")).to_have_count(0)
    return download.value


def pixels(data, places):
    """Size of a PNG, and the share of not nearly white pixels in boxes of it."""
    picture = Image.open(BytesIO(data)).convert("RGB")
    inked = []
    for x, y, side in places:
        box = picture.crop((x, y, x + side, y + side))
        inked.append(sum(min(pixel) < 230 for pixel in box.get_flattened_data()) / side**2)
    return *picture.size, inked


def places_of(person):
    """Where the shapes are on a picture of two pixels per unit, and a place without ink."""
    sheet = person.sheet.bounding_box()
    boxes = [each.bounding_box() for each in person.faces().all()]
    left, top, right, bottom = person.ink_box()
    boxes.append({"x": left, "y": top, "width": right - left, "height": bottom - top})
    places = [
        [round(2 * (box["x"] - sheet["x"])), round(2 * (box["y"] - sheet["y"])),
         round(2 * box["width"])]
        for box in boxes
    ]
    return sheet, places + [[4, 4, 60]]


def check_picture(person, data):
    sheet, places = places_of(person)
    width, height, inked = pixels(data, places)
    assert abs(width - 2 * sheet["width"]) <= 2 and abs(height - 2 * sheet["height"]) <= 2
    assert all(share > 0.15 for share in inked[:3]) and inked[3] == 0, inked


@pytest.mark.parametrize("scheme", often("light", then=["dark"]))
def test_the_sheet_is_saved_as_a_picture_and_printed(drawn, tmp_path, scheme):
    drawn.page.emulate_media(color_scheme=scheme)
    download = save(drawn, "Picture (PNG)")
    assert download.suggested_filename == "drawml-sheet.png"
    download.save_as(tmp_path / "sheet.png")
    check_picture(drawn, (tmp_path / "sheet.png").read_bytes())
    download = save(drawn, "Drawing (SVG)")
    assert download.suggested_filename == "drawml-sheet.svg"
    download.save_as(tmp_path / "sheet.svg")
    check_drawing(drawn, ET.parse(tmp_path / "sheet.svg").getroot())
    check_paper(drawn)


def check_drawing(drawn, root):
    assert root.tag == f"{SVG}svg"
    sheet = drawn.sheet.bounding_box()
    _, _, width, height = map(float, root.get("viewBox").split())
    assert abs(width - sheet["width"]) < 2 and abs(height - sheet["height"]) < 2
    texts = {each.text: each for each in root.iter(f"{SVG}text")}
    assert set(texts) == {"⭐", "🐟"}
    for face in drawn.faces().all():
        box, text = face.bounding_box(), texts[face.text_content()]
        assert abs(float(text.get("x")) - (box["x"] - sheet["x"] + box["width"] / 2)) < 2
    # The refused drawing is there as ink, the others are not.
    assert len(list(root.iter(f"{SVG}path"))) == drawn.ink()


def check_paper(drawn):
    """It has the sheet and nothing else."""
    page = drawn.page
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    seen = page.evaluate("""[...document.body.children]
      .filter((each) => each.checkVisibility()).map((each) => each.className)""")
    assert seen == ["print-sheet"]
    expect(page.locator(".print-sheet text")).to_have_text(["⭐", "🐟"])
    box = page.locator(".print-sheet svg").bounding_box()
    assert box["width"] >= 700
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".print-sheet")).to_have_count(0)
    expect(drawn.sheet).to_be_visible()
    # Other screens print without what is pressed, dark on white in the dark theme, too.
    page.emulate_media(media="print", color_scheme="dark")
    drawn.visit("labels")
    expect(page.locator(".label-card")).to_have_count(5)
    assert not page.locator(".bar").is_visible()
    expect(page.locator(".label-name").first).to_have_css("color", "rgb(0, 0, 0)")


@thorough
def test_the_sheet_is_copied(drawn):
    drawn.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    drawn.press("Save")
    drawn.press("Copy the picture")
    drawn.hears("The picture is copied.")
    data = drawn.page.evaluate("""async () => {
      const [item] = await navigator.clipboard.read();
      const bytes = new Uint8Array(await (await item.getType("image/png")).arrayBuffer());
      return [...bytes];
    }""")
    check_picture(drawn, bytes(data))


def test_the_log_of_the_sheet_can_be_replayed(taught, visit, drawml, tmp_path):
    person = visit(taught, "playground")
    draw_shapes(person)
    download = save(person, "How it was drawn")
    assert download.suggested_filename == "drawml-sheet.log"
    download.save_as(tmp_path / "sheet.log")
    person.page.close()
    taught.stop()
    (model,) = (taught.workspace / "models").glob("*.drawml")
    replay = subprocess.run(
        [drawml, "replay", tmp_path / "sheet.log", "--model", model, "--finish"],
        capture_output=True, text=True, timeout=120,
    )
    assert replay.returncode == 0 and replay.stderr == "", replay.stderr
    events = [json.loads(line) for line in replay.stdout.splitlines()]
    last = {each["shape"]: each for each in events if "shape" in each}
    shapes = [each for _, each in sorted(last.items())]
    assert [each["state"] == "recognized" and each["label"] for each in shapes[:2]] == ["⭐", "🐟"]
    assert shapes[2]["state"] in ("unrecognized", "confused")


@thorough
def test_words_on_the_sheet_are_in_its_pictures(drawn, drawn_server, tmp_path):
    model = drawn_server.model["id"]
    drawn_server.ask("PATCH", f"/models/{model}/labels/%E2%AD%90", {"label": "The North Star"})
    drawn_server.ask("POST", f"/models/{model}/train", {})
    drawn_server.wait_for_training()
    drawn.press("Clear")
    drawn.draw("star", 42, at=(0.5, 0.4), size=200, milliseconds=250)
    drawn.page.locator(".face-words").wait_for()
    drawn.settle()
    save(drawn, "Drawing (SVG)").save_as(tmp_path / "sheet.svg")
    root = ET.parse(tmp_path / "sheet.svg").getroot()
    words = " ".join(each.text for each in root.iter(f"{SVG}text"))
    assert words == "The North Star"
    sheet, plate = drawn.sheet.bounding_box(), drawn.page.locator(".face-words").bounding_box()
    rect = [each for each in root.iter(f"{SVG}rect")][1]
    assert abs(float(rect.get("x")) - (plate["x"] - sheet["x"])) < 2
    assert abs(float(rect.get("width")) - plate["width"]) < 2
