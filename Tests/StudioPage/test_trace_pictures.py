"""Templates of one's own: pictures from files, from the clipboard, and from the web."""

import functools
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import expect

from test_accessibility import nameless, violations
from thorough import thorough
from tracing import draw_template, placing


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
    expect(complaint).to_contain_text("on the local network")
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
