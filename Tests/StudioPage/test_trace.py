"""Tracing: gallery, ways, gestures, layers, score, camera; in phones, tablets and on desktops."""

import functools
import math
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import quote

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import expect

from strokes import drawings
from test_accessibility import nameless, violations
from test_looks import OUTSIDE
from test_pens import Hands
from thorough import often, thorough

STAR = "bundled/star"
SIZES = {
    "phone": (390, 844), "phone-wide": (844, 390), "tablet": (820, 1180), "desktop": (1440, 900),
}
WIDTH = "document.querySelector('.trace-line').getBoundingClientRect().width"

# The page's policy forbids text as script, but not this.
MATRIX = "getComputedStyle(document.querySelector('.trace-template')).transform"


def trace(person, step="under", template=STAR):
    """Opens a step of the page for tracing."""
    person.page.goto(f"{person.url}/trace#{step}/{quote(template, safe='')}")
    person.page.wait_for_selector(f"body[data-ready][data-step={step}]")
    return person


def matrix(person):
    """The template's matrix as the browser shows it."""
    person.frames()
    text = person.page.evaluate(MATRIX)
    if text == "none":
        return [1, 0, 0, 1, 0, 0]
    return [float(each) for each in text.removeprefix("matrix(").rstrip(")").split(",")]


def outline(person):
    """The template's lines in the window's pixels, as strokes for `Person.move`."""
    lines = person.page.evaluate(
        """() => [...document.querySelectorAll(".trace-line")].map((line) => {
      const length = line.getTotalLength();
      const map = line.getScreenCTM();
      return Array.from({ length: 41 }, (_, step) => {
        const { x, y } = line.getPointAtLength((length * step) / 40).matrixTransform(map);
        return [x, y, step * 4];
      });
    })"""
    )
    passed = 0
    for line in lines:
        for point in line:
            point[2] += passed
        passed = line[-1][2] + 20
    return lines


def draw_template(person):
    draw = person.page.get_by_role("button", name="Draw", exact=True)
    if draw.count():
        draw.click()
    person.move(outline(person))


def placing(person):
    """Lets fingers, mouse and keys place the template."""
    person.press("Adjust")
    return person


def test_the_gallery_leads_to_a_template_and_back_again(taught, visit):
    """TR-002, TR-030, TR-042."""
    person = visit(taught)
    person.page.get_by_role("link", name="Trace", exact=True).click()
    person.page.wait_for_selector("body[data-screen=templates]")
    shapes = person.page.locator(".template-group", has_text="Shapes")
    expect(shapes.locator(".template")).to_have_count(52)
    labels = person.page.locator(".template-group", has_text="Your labels")
    expect(labels.locator(".template")).to_have_count(5)
    search = person.page.get_by_label("Search the templates")
    search.fill("ice")
    expect(person.page.locator(".template")).to_have_text(["🍦 ice cream"])
    search.fill("nothing of that kind")
    expect(person.page.get_by_text("No template has that name")).to_be_visible()
    person.press("Show all")
    search.fill("ice")
    person.page.locator(".template").click()
    person.page.wait_for_selector("body[data-step=under]")
    expect(person.page.get_by_role("heading", level=1)).to_contain_text("ice cream")
    # It is drawn at once; the paper is behind "Adjust".
    person.draw("star")
    assert person.ink() == len(drawings("star")[0]["strokes"])
    placing(person)
    person.page.get_by_role("link", name="Paper").click()
    person.page.wait_for_selector("body[data-step=choose]")
    # Without --camera that way is closed, and says how to open it.
    expect(person.page.locator(".is-closed")).to_contain_text("drawml studio --camera")
    person.page.get_by_role("link", name="Under paper").click()
    person.page.wait_for_selector("body[data-step=under]")
    person.page.reload()
    person.page.wait_for_selector("body[data-ready][data-step=under]")
    person.page.get_by_role("link", name="Back").click()
    person.page.wait_for_selector("body[data-screen=templates]")
    # What was traced last comes first.
    recent = person.page.locator(".template-group").first
    expect(recent.locator("h2")).to_have_text("Recent")
    expect(recent.locator(".template")).to_have_text(["🍦 ice cream"])
    person.page.go_back()
    person.page.wait_for_selector("body[data-step=under]")


@thorough
def test_a_template_that_is_gone_leads_to_the_gallery(fresh, visit):
    """TR-002."""
    person = trace(visit(fresh), "choose", "label/🦄")
    expect(person.page.get_by_role("heading")).to_have_text("This template is gone")
    person.page.get_by_role("link", name="Pick another one").click()
    person.page.wait_for_selector("body[data-screen=templates]")


def test_wheel_mouse_and_keys_place_the_template(fresh, visit):
    """TR-012, TR-013, TR-020."""
    person = placing(trace(visit(fresh)))
    page = person.page
    stage = page.locator(".trace-stage")
    box = stage.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    frame = page.locator(".trace-box")
    assert matrix(person) == [1, 0, 0, 1, 0, 0]
    expect(frame).to_be_hidden()
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y - 20)
    expect(frame).to_be_visible()
    page.mouse.up()
    expect(frame).to_be_hidden()
    a, b, _, _, e, f = matrix(person)
    assert (a, b) == (1, 0) and (round(e), round(f)) == (30, -20)
    # The wheel scales about the pointer; with Alt it turns.
    before = page.evaluate(WIDTH)
    page.mouse.move(x, y)
    page.mouse.wheel(0, -200)
    person.wait_for(lambda: matrix(person)[0] > 1.4, "it grows")
    after = page.evaluate(WIDTH)
    assert abs(after / before - math.exp(0.4)) < 0.02
    page.keyboard.down("Alt")
    page.mouse.wheel(0, 100)
    page.keyboard.up("Alt")
    person.wait_for(lambda: matrix(person)[1] > 0.1, "it turns")
    # Locked, gestures do nothing but draw.
    person.press("Draw")
    locked = matrix(person)
    page.mouse.wheel(0, 100)
    person.draw("star")
    assert matrix(person) == locked
    assert person.ink() > 0
    placing(person)
    person.press("Reset")
    assert matrix(person) == [1, 0, 0, 1, 0, 0]
    stage.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    assert [round(each) for each in matrix(person)[4:]] == [2, 1]
    page.keyboard.press("]")
    assert abs(math.atan2(matrix(person)[1], matrix(person)[0]) - math.pi / 180) < 1e-4
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("-")
    a, b = matrix(person)[:2]
    assert abs(math.hypot(a, b) - 1 / 1.02) < 1e-4


def test_two_fingers_pinch_and_what_they_hold_stays_under_them(fresh, visit):
    """TR-012: within 1 px; Tests/PageLogic makes a thousand gestures."""
    person = placing(trace(visit(fresh, size=(820, 1180), has_touch=True)))
    hands = Hands(person)

    def touch(kind, *points):
        hands.touch(kind, *((index, *point) for index, point in enumerate(points)))

    touch("touchStart", (300, 400))
    touch("touchStart", (300, 400), (500, 400))
    touch("touchMove", (300, 400), (500, 600))
    touch("touchEnd")
    a, b = matrix(person)[:2]
    assert abs(math.hypot(a, b) - math.sqrt(2)) < 0.02
    assert abs(math.atan2(b, a) - math.pi / 4) < 0.02
    start = matrix(person)
    touch("touchStart", (300, 400))
    touch("touchStart", (300, 400), (500, 600))
    for step in range(100):
        angle = step * 0.4
        touch("touchMove", (300 + 9 * math.cos(angle), 400), (500, 600 + 9 * math.sin(angle)))
    touch("touchMove", (300, 400), (500, 600))
    touch("touchEnd")
    assert all(abs(x - y) < 1 for x, y in zip(start, matrix(person)))


def test_a_trace_has_a_score_and_becomes_a_sample_that_says_so(fresh, visit):
    """TR-041: the template traced well, and a scribble; Add Sample, and Undo."""
    person = trace(visit(fresh))
    draw_template(person)
    score = person.page.locator(".trace-score")
    expect(score).to_contain_text("of 100")
    person.settle()
    assert int(score.inner_text().split()[0]) >= 90
    strokes = person.ink()
    person.press("Add Sample")
    person.hears("Saved.")
    person.expect_ink(0)
    [sample] = fresh.samples()
    assert (sample["label"], sample["template"]) == ("⭐", STAR)
    person.page.get_by_role("button", name="Undo").last.click()
    person.expect_ink(strokes)
    assert fresh.samples() == []
    person.press("Clear")
    person.expect_ink(0)
    person.draw("spiral", size=300)
    expect(score).to_contain_text("of 100")
    person.settle()
    assert int(score.inner_text().split()[0]) < 60
    person.press("Undo")
    person.expect_ink(0)
    person.press("Add Sample")
    person.hears("Draw over the template first.")
    # Messages are above the sheet's middle, where a hand that draws does not cover them.
    person.settle()
    message, sheet = person.page.locator(".toast").first.bounding_box(), person.sheet.bounding_box()
    assert message["y"] + message["height"] < sheet["y"] + sheet["height"] / 3


@thorough
def test_a_lost_answer_saves_a_trace_once(fresh, visit, notes):
    """TR-041."""
    notes.allow("ERR_FAILED")
    person = trace(visit(fresh))
    draw_template(person)
    person.page.route("**/samples", lambda route: (route.fetch(), route.abort()), times=1)
    person.press("Add Sample")
    person.hears("Couldn’t save sample.")
    person.press("Add Sample")
    person.hears("Saved.")
    assert len(fresh.samples()) == 1


@thorough
def test_what_is_drawn_while_a_trace_is_saved_is_the_next_one(fresh, visit):
    """TR-041: pressed twice, saved once; the stroke drawn meanwhile stays."""
    person = trace(visit(fresh))
    draw_template(person)
    saving = person.hold("**/samples")
    person.press("Add Sample")
    saving.wait()
    person.press("Add Sample")
    person.draw("circle", size=80)
    saving.release()
    person.hears("Saved.")
    person.expect_ink(1)
    person.press("Add Sample")
    person.expect_ink(0)
    person.wait_for(lambda: len(fresh.samples()) == 2, "both are saved")


@thorough
def test_a_screen_that_was_left_does_not_bring_a_saved_trace_back(fresh, visit):
    """TR-041."""
    person = trace(visit(fresh))
    draw_template(person)
    saving = person.hold("**/samples")
    person.press("Add Sample")
    saving.wait()
    placing(person)
    person.page.get_by_role("link", name="Paper").click()
    person.page.wait_for_selector("body[data-step=choose]")
    saving.release()
    person.hears("Saved.")
    person.page.get_by_role("link", name="Under paper").click()
    person.page.wait_for_selector("body[data-step=under]")
    person.frames()
    person.expect_ink(0)
    assert len(fresh.samples()) == 1


@thorough
def test_a_drawing_keeps_its_canvas_when_the_window_changes_in_between(fresh, visit):
    """TR-041: cleared, the window turned, and brought back."""
    person = trace(visit(fresh, size=(390, 844)))
    draw_template(person)
    canvas = person.page.evaluate("JSON.parse(sessionStorage['drawml.trace']).canvas")
    person.press("Clear")
    person.resize(844, 390)
    person.frames()
    person.press("Undo")
    person.press("Add Sample")
    person.hears("Saved.")
    [sample] = fresh.samples()
    assert sample["canvas"] == canvas


@thorough
def test_the_score_follows_the_template(fresh, visit):
    """TR-041: moved away after the drawing, it is traced no more."""
    person = trace(visit(fresh))
    draw_template(person)
    score = person.page.locator(".trace-score")
    expect(score).to_contain_text("of 100")
    placing(person)
    person.page.locator(".trace-stage").focus()
    for _ in range(12):
        person.page.keyboard.press("Shift+ArrowRight")
    person.wait_for(lambda: int(score.inner_text().split()[0]) < 60, "the score falls")


def test_a_reload_keeps_the_drawing_and_where_the_template_lies(fresh, visit):
    """TR-002, TR-010, TR-011, TR-020, TR-024: and how bright the page shines."""
    person = trace(visit(fresh))
    ground = "getComputedStyle(document.querySelector('.trace-ground')).backgroundColor"
    assert person.page.evaluate(ground) == "rgb(217, 217, 217)"
    expect(person.page.locator(".trace-template")).to_have_css("opacity", "0.5")
    # From below: the ground, the template, the ink.
    layers = """[...document.querySelector(".trace .world").children]
      .map((each) => each.getAttribute("class"))"""
    assert person.page.evaluate(layers)[:3] == ["trace-ground", "trace-template", "ink"]
    placing(person)
    person.page.get_by_label("Page", exact=True).fill("100")
    assert person.page.evaluate(ground) == "rgb(255, 255, 255)"
    person.page.locator(".trace-stage").focus()
    person.page.keyboard.press("Shift+ArrowRight")
    person.page.get_by_label("Template", exact=True).fill("80")
    draw_template(person)
    ink, place = person.ink(), matrix(person)
    person.page.reload()
    person.page.wait_for_selector("body[data-ready][data-step=under]")
    person.expect_ink(ink)
    assert matrix(person) == place
    opacity = "getComputedStyle(document.querySelector('.trace-template')).opacity"
    assert person.page.evaluate(opacity) == "0.8"
    assert person.page.evaluate(ground) == "rgb(255, 255, 255)"
    expect(person.page.get_by_role("button", name="Adjust")).to_have_attribute(
        "aria-expanded", "false"
    )


@thorough
def test_a_reload_keeps_a_drawing_with_the_model_that_it_was_begun_for(
    fresh, visit, notes
):
    """TR-002: another model is in use by then, whose samples are no templates of it."""
    fresh.teach(drawings("star")[:3], train=False)
    first = fresh.model["id"]
    person = trace(visit(fresh), template="label/⭐")
    draw_template(person)
    ink = person.ink()
    second = fresh.ask("POST", "/models", {"name": "Second"})["id"]
    fresh.ask("PATCH", f"/models/{second}", {"isActive": True})
    person.page.reload()
    person.page.wait_for_selector("body[data-ready][data-step=under]")
    person.expect_ink(ink)
    person.press("Add Sample")
    person.hears("Saved.")
    assert len(fresh.ask("GET", f"/models/{first}/samples")["samples"]) == 4
    # A model that is deleted takes its templates with it.
    notes.allow(404, "/templates")
    draw_template(person)
    fresh.ask("DELETE", f"/models/{first}")
    person.page.reload()
    expect(person.page.get_by_role("heading")).to_have_text("This template is gone")


def test_at_the_daily_limit_a_calm_sentence_and_no_more_ink(fresh, visit, notes):
    """TR-040."""
    notes.allow(409, "/api/traces")
    fresh.ask("PATCH", "/settings", {"tracingLimit": 1})
    person = trace(visit(fresh))
    left = person.page.locator(".trace-left")
    expect(left).to_have_text("1 left today")
    draw_template(person)
    expect(left).to_have_text("0 left today")
    drawn = person.ink()
    person.draw("heart")
    # What was begun is finished.
    assert person.ink() > drawn
    person.press("Clear")
    person.draw("heart")
    person.hears("That is all for today. Tomorrow you can trace again.")
    person.expect_ink(0)
    settings = visit(fresh)
    settings.press("Settings")
    field = settings.page.get_by_label("Tracing limit")
    expect(field).to_have_value("1")
    field.fill("0")
    field.blur()
    settings.wait_for(lambda: fresh.ask("GET", "/traces")["left"] is None, "it is kept")



@pytest.fixture(scope="session")
def cat(tmp_path_factory):
    """A picture: two thick lines on white."""
    picture = Image.new("RGB", (400, 200), "white")
    pen = ImageDraw.Draw(picture)
    pen.line((40, 100, 360, 100), fill="black", width=8)
    pen.line((200, 20, 200, 180), fill="black", width=8)
    path = tmp_path_factory.mktemp("pictures") / "my cat.png"
    picture.save(path)
    return path


def test_a_picture_is_added_traced_made_lines_and_deleted(fresh, visit, cat, pictures):
    """TR-003, TR-031, TR-033, TR-043: on a phone, in the dark theme."""
    fresh.ask("PATCH", "/settings", {"theme": "dark"})
    person = visit(fresh, "templates", size=(390, 844))
    page = person.page
    own = page.locator(".template-group", has_text="Your pictures")
    with page.expect_file_chooser() as chooser:
        person.press("Add a picture")
    chooser.value.set_files(cat)
    person.hears("“my cat” is added.")
    tile = own.locator("a.template", has_text="my cat")
    expect(tile).to_be_focused()
    picture = own.locator("img")
    person.wait_for(lambda: picture.evaluate("(each) => each.naturalWidth") == 400, "it is shown")
    person.press("Dismiss this message")
    expect(page.locator(".toast")).to_have_count(0)
    assert violations(page) == {}
    assert nameless(person) == []
    page.screenshot(path=pictures / "templates-imported.png")
    tile.click()
    page.wait_for_selector("body[data-step=under]")
    placing(person)
    # The picture lies where strokes would: same layer, same transform, same box.
    image = page.locator(".trace-template > image")
    before = image.bounding_box()
    frame = page.locator(".trace-box").bounding_box()
    assert abs(frame["width"] - before["width"] - 24) < 3
    page.locator(".trace-stage").focus()
    page.keyboard.press("Shift+ArrowRight")
    person.frames()
    assert round(image.bounding_box()["x"] - before["x"]) == 10
    expect(page.locator(".trace-score")).to_have_text("No score: a picture has no lines.")
    person.press("Draw")
    person.draw("star")
    page.screenshot(path=pictures / "trace-imported.png")
    # Its traces have no emoji yet.
    person.press("Add Sample")
    page.get_by_label("Search emojis").fill("star")
    page.keyboard.press("Enter")
    person.hears("Saved.")
    person.expect_ink(0)
    [sample] = fresh.samples()
    assert sample["label"] == "⭐" and sample["template"].startswith("imported/")
    page.goto(f"{person.url}/#templates")
    person.press("Make it lines: my cat")
    person.hears("“my cat, lines” is added")
    lines = own.locator("a.template", has_text="my cat, lines")
    expect(lines).to_be_focused()
    address = lines.get_attribute("href")
    person.press("Delete my cat")
    person.press("Keep it")
    person.press("Delete my cat")
    person.press("Delete template")
    person.hears("“my cat” is deleted.")
    expect(own.locator("li")).to_have_count(1)
    page.goto(person.url + address)
    page.wait_for_selector("body[data-ready][data-step=under]")
    draw_template(person)
    expect(page.locator(".trace-score")).to_contain_text("of 100")


@thorough
def test_a_bad_picture_is_refused_and_a_dropped_or_pasted_one_is_taken(fresh, visit, notes, cat):
    """TR-031."""
    notes.allow(400, "/api/templates")
    person = visit(fresh, "templates")
    page = person.page
    page.locator("input[type=file]").set_input_files(
        {"name": "bad.png", "mimeType": "image/png", "buffer": b"no picture"}
    )
    person.hears("It is not a PNG, JPEG or SVG picture; save it as one of these.")
    give = """([kind, bytes]) => {
      const files = new DataTransfer();
      files.items.add(new File([new Uint8Array(bytes)], "a.png", { type: "image/png" }));
      const all = { bubbles: true, cancelable: true };
      document.querySelector("main .templates").dispatchEvent(kind === "drop"
        ? new DragEvent("drop", { ...all, dataTransfer: files })
        : new ClipboardEvent("paste", { ...all, clipboardData: files }));
    }"""
    for kind, name in (("drop", "a"), ("paste", "a 2")):
        page.evaluate(give, [kind, list(cat.read_bytes())])
        person.hears(f"“{name}” is added.")
    expect(page.locator(".template-grid.is-own > li")).to_have_count(2)


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def with_web(serve, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return serve(tmp_path / "web", options=["--allow", "templates"])


def test_a_picture_on_the_web_is_added_where_that_is_allowed(
    fresh, with_web, visit, notes, cat, pictures
):
    """TR-003, TR-032."""
    notes.allow(502, "/api/templates/remote")
    # Without a permit nothing leads there.
    person = visit(fresh, "templates")
    expect(person.page.get_by_role("button", name="Add a picture")).to_be_visible()
    expect(person.page.get_by_role("button", name="From the web")).to_have_count(0)
    person = visit(with_web, "templates", size=(390, 844))
    page = person.page
    person.press("From the web")
    field = page.get_by_label("Its address")
    field.fill("http://127.0.0.1:1/a.png")
    person.press("Add it")
    complaint = page.locator(".field-complaint")
    expect(complaint).to_contain_text("Couldn’t fetch the picture. Cannot reach the server of")
    field.fill("https://10.0.0.1/a.png")
    person.press("Add it")
    expect(complaint).to_contain_text("in the local network")
    page.screenshot(path=pictures / "templates-web.png")
    handler = functools.partial(QuietHandler, directory=cat.parent)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as web:
        threading.Thread(target=web.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{web.server_port}/my%20cat.png"
        field.fill(address)
        person.press("Add it")
        person.hears("“my cat” is added.")
        web.shutdown()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("a.template", has_text="my cat")).to_be_focused()
    # Pasted, it is asked for again; it comes from the cache.
    page.evaluate(
        """(text) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text", text);
          document.dispatchEvent(new ClipboardEvent("paste", { bubbles: true, clipboardData }));
        }""",
        address,
    )
    expect(page.get_by_label("Its address")).to_have_value(address)
    person.press("Add it")
    person.hears("“my cat 2” is added.")


@pytest.fixture
def with_camera(serve, tmp_path):
    return serve(tmp_path / "camera", options=["--camera"])


# A camera that the test makes: a canvas's stream with a light.
CAMERA = """(() => {
  globalThis.lights = [];
  navigator.mediaDevices.getUserMedia = async (wanted) => {
    globalThis.asked = (globalThis.asked ?? 0) + 1;
    const canvas = document.createElement("canvas");
    canvas.getContext("2d").fillRect(0, 0, 10, 10);
    const stream = canvas.captureStream(5);
    const [track] = stream.getVideoTracks();
    globalThis.track = track;
    track.getCapabilities = () => ({ torch: true });
    track.applyConstraints = async ({ advanced: [{ torch }] }) => {
      globalThis.lights.push(torch);
    };
    return stream;
  };
})();"""


def test_the_camera_is_asked_for_only_on_a_press_and_stops_when_left(with_camera, visit):
    """TR-001, TR-013, TR-022, TR-023."""
    person = trace(visit(with_camera, script=CAMERA), "choose")
    assert person.page.evaluate("globalThis.asked") is None
    person.page.get_by_role("link", name="Above paper").click()
    person.page.wait_for_selector("body[data-step=above]")
    person.until("document.querySelector('video').srcObject?.active === true")
    assert person.page.evaluate("globalThis.asked") == 1
    assert person.page.evaluate("document.querySelector('video').paused") is False
    person.press("Light")
    person.wait_for(lambda: person.page.evaluate("globalThis.lights") == [True], "the light is on")
    # The camera's picture has a place of its own.
    placing(person)
    person.press("Camera")
    person.page.locator(".trace-stage").focus()
    person.page.keyboard.press("Shift+ArrowRight")
    person.frames()
    assert matrix(person) == [1, 0, 0, 1, 0, 0]
    ground = "getComputedStyle(document.querySelector('.trace-ground')).transform"
    assert person.page.evaluate(ground) == "matrix(1, 0, 0, 1, 10, 0)"
    person.page.get_by_role("link", name="Paper").click()
    person.page.wait_for_selector("body[data-step=choose]")
    person.until("globalThis.track.readyState === 'ended'")


@thorough
def test_a_hidden_page_lets_go_of_the_camera_and_a_reload_asks_before_it_takes_it(
    with_camera, visit
):
    """TR-022."""
    person = trace(visit(with_camera, script=CAMERA), "choose")
    person.page.get_by_role("link", name="Above paper").click()
    person.until("document.querySelector('video')?.srcObject?.active === true")
    hide = """(state) => {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    person.page.evaluate(hide, "hidden")
    person.until("globalThis.track.readyState === 'ended'")
    person.page.evaluate(hide, "visible")
    person.until("document.querySelector('video').srcObject?.active === true")
    assert person.page.evaluate("globalThis.asked") == 2
    person.page.reload()
    person.page.wait_for_selector("body[data-ready][data-step=above]")
    assert person.page.evaluate("globalThis.asked") is None
    person.press("Use the camera")
    person.until("document.querySelector('video').srcObject?.active === true")


@thorough
def test_without_the_switch_that_way_leads_to_the_choice(fresh, visit):
    """TR-022."""
    person = visit(fresh)
    person.page.goto(f"{person.url}/trace#above/bundled%2Fstar")
    person.page.wait_for_selector("body[data-ready][data-step=choose]")
    expect(person.page.locator(".is-closed")).to_contain_text("drawml studio --camera")


def test_a_refused_camera_leads_to_the_light_table(with_camera, visit):
    """TR-022."""
    refused = """navigator.mediaDevices.getUserMedia = async () => {
      throw new DOMException("no", "NotAllowedError");
    };"""
    person = trace(visit(with_camera, script=refused), "choose")
    person.page.get_by_role("link", name="Above paper").click()
    person.hears("The browser does not let this page use the camera.")
    person.page.wait_for_selector("body[data-step=under]")


def test_the_screen_stays_on_while_drawing(with_camera, visit):
    """TR-023: the lock is given back on leaving; without the interface nothing breaks."""
    script = """globalThis.locks = [];
      Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
        globalThis.locks.push("on");
        return { release: () => globalThis.locks.push("off") };
      } } });"""
    person = trace(visit(with_camera, script=script))
    person.wait_for(lambda: person.page.evaluate("globalThis.locks") == ["on"], "it is on")
    placing(person)
    person.page.get_by_role("link", name="Paper").click()
    person.wait_for(lambda: person.page.evaluate("globalThis.locks") == ["on", "off"], "it is off")
    without = "Object.defineProperty(navigator, 'wakeLock', { value: undefined });"
    trace(visit(with_camera, script=without))


def test_frames_while_transforming(fresh, visit):
    """TR-021: what the page does for a gesture fits twice into a frame."""
    person = placing(trace(visit(fresh, size=(820, 1180))))
    session = person.page.context.new_cdp_session(person.page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def worked():
        """The processor time of the page's main thread, in milliseconds."""
        metrics = session.send("Performance.getMetrics")["metrics"]
        return 1000 * next(each["value"] for each in metrics if each["name"] == "TaskDuration")

    before = worked()
    person.page.evaluate(
        """async () => {
          const stage = document.querySelector(".trace-stage");
          for (let step = 0; step < 120; step += 1) {
            const wheel = { deltaY: Math.sin(step / 5) * 20, clientX: 400, clientY: 600,
              bubbles: true, cancelable: true };
            stage.dispatchEvent(new WheelEvent("wheel", wheel));
            await new Promise(requestAnimationFrame);
          }
        }"""
    )
    assert (worked() - before) / 120 < 8.3
    assert matrix(person) != [1, 0, 0, 1, 0, 0]


def test_its_steps_pass_axe_and_name_their_controls(taught, visit):
    """TR-043."""
    person = visit(taught, "templates", reduced_motion="reduce")
    expect(person.page.locator(".template").first).to_be_visible()
    for step in ("templates", "choose", "under"):
        if step != "templates":
            trace(person, step)
        assert violations(person.page) == {}, step
        assert nameless(person) == [], step
    # To the drawing by keyboard alone: what gestures do, too.
    placing(person)
    assert violations(person.page) == {}
    person.page.locator(".trace-stage").focus()
    person.page.keyboard.press("ArrowUp")
    assert matrix(person)[5] == -1


@pytest.mark.parametrize("size", often("phone", then=["desktop"]))
@pytest.mark.parametrize("scheme", often("light", then=["dark"]))
def test_forced_colors_show_lines_ink_and_what_is_pressed(taught, visit, pictures, size, scheme):
    """TR-020: Windows' contrast themes."""
    person = visit(
        taught,
        "templates",
        size=SIZES[size],
        forced_colors="active",
        color_scheme=scheme,
    )
    page = person.page
    border = """(all) => all.filter((each) => {
      return parseFloat(getComputedStyle(each).borderTopWidth) < 1;
    }).length"""
    expect(page.locator(".template").first).to_be_visible()
    assert page.locator(".card.template, .button").evaluate_all(border) == 0
    trace(person)
    draw_template(person)
    colors = page.evaluate(
        """() => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = "CanvasText";
      const text = getComputedStyle(probe).color;
      probe.remove();
      const color = (name, part) => getComputedStyle(document.querySelector(name))[part];
      return [text, color(".trace-line", "stroke"), color(".ink .stroke", "fill")];
    }"""
    )
    assert len(set(colors)) == 1, colors
    # What is pressed has the system's highlight, with words that are seen on it.
    placing(person)
    pressed = page.locator('.trace-controls .tool[aria-expanded="true"]')
    expect(pressed.first).to_be_visible()
    words, ground, adjusts = pressed.first.evaluate(
        """(each) => {
      const { color, backgroundColor, forcedColorAdjust } = getComputedStyle(each);
      return [color, backgroundColor, forcedColorAdjust];
    }"""
    )
    assert words != ground and adjusts == "none"
    page.screenshot(path=pictures / f"trace-forced-{size}-{scheme}.png")


@pytest.mark.parametrize("theme", often("light", then=["dark"]))
@pytest.mark.parametrize("window", often("phone", then=["desktop", "phone-wide", "tablet"]))
def test_it_fits_every_window_in_both_themes(taught, visit, pictures, theme, window):
    """TR-020, TR-042, TR-043."""
    taught.ask("PATCH", "/settings", {"theme": theme})
    size = SIZES[window]
    person = visit(taught, "templates", size=size)
    expect(person.page.locator(".template").first).to_be_visible()
    name = f"{theme}-{size[0]}x{size[1]}"
    person.page.screenshot(path=pictures / f"templates-{name}.png")
    trace(person, "choose")
    person.page.screenshot(path=pictures / f"trace-choose-{name}.png")
    trace(person)
    draw_template(person)
    expect(person.page.locator(".trace-score")).to_contain_text("of 100")
    person.page.screenshot(path=pictures / f"trace-{name}.png")
    controls = ".trace button, .trace input, .trace a"
    assert person.page.evaluate(OUTSIDE, [controls, None]) == []
    assert person.page.evaluate("document.documentElement.scrollHeight <= innerHeight + 1")
