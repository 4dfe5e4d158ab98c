"""Paper: worksheets are printed, photographed, taught and played with; pages become text and posts."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid

import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import expect

from openai_stub import start
from papers import TextPhoto, filled
from strokes import drawings, placed
from test_accessibility import nameless, violations
from thorough import often

# Runs a program where only the loopback device is up.
WITHOUT_ROUTE = """
import fcntl, os, socket, struct, sys
with socket.socket() as device:
    fcntl.ioctl(device, 0x8914, struct.pack("16sH14x", b"lo", 0x41))
os.execv(sys.argv[1], sys.argv[1:])
"""
SHAPES = {"⭐": "star", "🏠": "house", "🐟": "fish", "🌳": "tree"}


def choose(person, files):
    """Chooses photos from the library."""
    with person.page.expect_file_chooser() as chooser:
        person.press("Choose from Library")
    chooser.value.set_files(files)


def worksheet(drawml, output):
    """A worksheet, as the command line makes it."""
    subprocess.run([drawml, "worksheet", "--labels", ",".join(SHAPES), "--output", output],
                   check=True, capture_output=True)


@pytest.fixture(scope="session")
def text_photo(tmp_path_factory):
    return TextPhoto(tmp_path_factory.mktemp("text"), seed=1, count=120)


def test_print_photograph_teach_and_play(fresh, drawml, visit, tmp_path, pictures):
    """CA-020, CA-021, CA-022: from an empty model to a played game, by one photo."""
    person = visit(fresh, "home")
    page = person.page
    person.page.get_by_role("link", name="Paper").click()
    person.press("Print a worksheet")
    page.get_by_label("What to draw").fill(", ".join(SHAPES))
    page.get_by_label("A line above").fill("Class 3b")
    with page.expect_download() as download:
        person.press("Save it")
    pdf = tmp_path / "worksheet.pdf"
    download.value.save_as(pdf)
    photo, count = filled(drawml, pdf, tmp_path, SHAPES, seed=4)
    choose(person, [photo])
    tiles = page.locator(".paper-tile")
    expect(tiles).to_have_count(count)
    # Nothing is added before one says so.
    assert fresh.samples() == []
    page.screenshot(path=pictures / "capture-found.png", full_page=True)
    assert violations(page) == {} and nameless(person) == []
    tiles.nth(0).locator(".thumb").click()
    expect(page.locator(".paper-box.is-left")).to_have_count(1)
    tiles.nth(1).locator(".paper-label").click()
    person.choose("sun")
    person.press(f"Add all ({count - 1})")
    person.hears(f"{count - 1} drawings added")
    samples = fresh.samples()
    assert len(samples) == count - 1
    assert [each["label"] for each in samples].count("☀️") == 1
    person.press("Undo")
    person.wait_for(lambda: fresh.samples() == [], "they are gone")
    # The same photo once more: all as it was read.
    choose(person, [photo])
    person.press(f"Add all ({count})")
    person.hears(f"{count} drawings added")
    person.go("Now train")
    page.locator(".training").get_by_role("button", name="Train Model").click()
    page.locator(".report-headline").wait_for()
    person.visit("playground")
    person.draw("star", 40, milliseconds=300)
    person.expect_faces(["⭐"])


def test_photos_that_cannot_be_read_are_told_and_kept(fresh, drawml, visit, notes, tmp_path):
    """CA-006, CA-022: the reason, another try, and nothing half added."""
    notes.allow(422, "/api/capture/drawings")
    nothing, empty, cut = (tmp_path / name for name in ("note.png", "empty.jpg", "cut.jpg"))
    nothing.write_text("not a picture")
    empty.write_bytes(b"")
    layout = tmp_path / "sheet.pdf"
    worksheet(drawml, layout)
    photo, count = filled(drawml, layout, tmp_path, SHAPES, seed=4)
    whole = Image.open(photo)
    whole.crop((0, 0, whole.width // 2, whole.height)).save(cut)
    person = visit(fresh, "capture")
    choose(person, [nothing, empty, cut, photo])
    state = person.page.locator(".paper-state")
    expect(person.page.locator(".paper-failed")).to_have_count(3)
    expect(state).to_contain_text("It is empty")
    expect(state).to_contain_text("cut off or covered")
    expect(person.page.locator(".paper-tile")).to_have_count(count)
    # They are still there after a look at another screen.
    person.visit("labels").visit("capture")
    expect(person.page.locator(".paper-failed")).to_have_count(3)
    expect(person.page.locator(".paper-tile")).to_have_count(count)
    # Another photo does not drive them out.
    choose(person, [photo])
    expect(person.page.locator(".paper-tile")).to_have_count(count)
    expect(person.page.locator(".paper-failed")).to_have_count(3)
    person.press("Leave out note.png")
    # What looks like a worksheet may be none: the user decides.
    person.press("It is no worksheet")
    expect(person.page.locator(".paper-sheet", has_text="cut.jpg")).to_have_count(1)
    expect(person.page.locator(".paper-failed")).to_have_count(1)
    assert fresh.samples() == []


def test_paper_without_boxes_gets_labels_by_hand(taught, visit, tmp_path):
    """CA-020: drawings are found one by one; the model names those that it knows."""
    paper = Image.new("RGB", (1200, 900), "white")
    pen = ImageDraw.Draw(paper)
    for name, x in (("star", 250), ("spiral", 620), ("house", 950)):
        for stroke in placed(drawings(name)[50]["strokes"], x, 450, 220):
            pen.line([(px, py) for px, py, _ in stroke], fill="black", width=6, joint="curve")
    path = tmp_path / "sketch.png"
    paper.save(path)
    person = visit(taught, "capture")
    before = len(taught.samples())
    choose(person, [path])
    expect(person.page.locator(".paper-tile")).to_have_count(3)
    nameless_tile = person.page.locator(".paper-tile", has_text="Label")
    expect(nameless_tile).to_have_count(1)
    nameless_tile.locator(".paper-label").click()
    person.choose("spiral")
    person.press("Add all (3)")
    person.hears("3 drawings added")
    assert len(taught.samples()) == before + 3
    assert len(taught.samples("🌀")) == 1


def test_a_page_becomes_text_drafts_and_a_history(fresh, visit, notes, text_photo, pictures):
    """CA-002, CA-006, CA-007, CA-008, CA-036, CA-040, CA-041, CA-042: without a key nothing leaves,
    and examples are marked."""
    notes.allow_away()
    person = visit(fresh, "capture", permissions=["clipboard-read", "clipboard-write"])
    page = person.page
    person.page.get_by_role("link", name="Words").click()
    choose(person, [text_photo.photo])
    text = page.get_by_label("The text", exact=True)
    expect(text).to_have_value(re.compile("^" + re.escape(text_photo.text[:60])))
    page.screenshot(path=pictures / "capture-words.png", full_page=True)
    text.fill("Mine now.")
    person.press("Generate Posts")
    expect(page.locator(".draft")).to_have_count(5)
    expect(page.locator(".paper-example")).to_contain_text("not written by a model")
    expect(page.locator(".draft").first).to_contain_text("Mine now.")
    page.get_by_role("button", name="Copy: Punchy").click()
    person.hears("Copied.")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("Example: ")
    history = page.locator(".paper-history li")
    expect(history).to_have_count(1)
    person.press("Dismiss this message")
    expect(page.locator(".toast")).to_have_count(0)
    assert violations(page) == {} and nameless(person) == []
    # The next text stands beside this one.
    choose(person, [text_photo.photo])
    expect(page.locator(".paper-before")).to_contain_text("Mine now.")
    fresh.process.send_signal(signal.SIGKILL)
    fresh.process.wait()
    fresh.start()
    kept = fresh.ask("GET", "/capture")["history"]
    assert [each["variant"]["text"] for each in kept] == [copied]
    person = visit(fresh, "capture/words")
    person.press("Delete from the history")
    expect(person.page.locator(".paper-history li")).to_have_count(0)
    assert fresh.ask("GET", "/capture")["history"] == []


def test_a_history_survives_kills_while_it_is_written(fresh, notes):
    """CA-041: what was kept is there, and at most the last one is missing or more."""
    kept = []
    excerpt = {"id": str(uuid.uuid4()), "text": "Momo listens.", "sourceHint": "",
               "createdAt": "2026-11-30T00:00:00Z"}

    def keep_on():
        for number in range(1000):
            variant = {"id": str(uuid.uuid4()), "tone": "punchy", "text": f"{number} " + "x" * 800}
            try:
                fresh.ask("POST", "/capture/history", {"excerpt": excerpt, "variant": variant})
            except OSError:
                return
            kept.append(variant["id"])

    for milliseconds in (60, 130, 210):
        writer = threading.Thread(target=keep_on)
        writer.start()
        time.sleep(milliseconds / 1000)
        fresh.kill()
        writer.join()
        fresh.start()
        state = fresh.ask("GET", "/capture")
        assert state["brokenHistory"] is None
        found = [each["variant"]["id"].lower() for each in state["history"]]
        newest = [each for each in found if each not in kept]
        assert len(newest) <= 1 and found[:len(newest)] == newest
        rest = found[len(newest):]
        assert rest == kept[::-1][:len(rest)] and len(rest) >= min(19, len(kept))
        kept.extend(newest)


def test_a_broken_history_is_set_aside_and_said(fresh, visit):
    """CA-041."""
    (fresh.workspace / "history.json").write_text("{broken")
    person = visit(fresh, "capture/words")
    history = person.page.locator(".paper-history")
    expect(history).to_contain_text("history.json.broken")
    assert (fresh.workspace / "history.json.broken").read_text() == "{broken"


@pytest.fixture
def model(serve, tmp_path, monkeypatch):
    """A studio that asks a stub for drafts."""
    stub = start()
    monkeypatch.setenv("DRAWML_OPENAI_KEY", "sk-test-key")
    options = ["--allow", "openai", "--openai-server", stub.url]
    yield stub, serve(tmp_path / "drafting", options=options)
    stub.shutdown()


def test_a_text_model_is_asked_only_after_its_text_was_shown(model, visit, notes, text_photo):
    """CA-031 to CA-035, CA-037: consent, the request, every fault's sentence, and retry by hand."""
    stub, server = model
    for status in (502, 503):
        notes.allow(status, "/api/capture/drafts")
    person = visit(server, "capture/words")
    page = person.page
    choose(person, [text_photo.photo])
    page.get_by_label("The text", exact=True).fill("Momo listens.")
    page.get_by_label("Book, if you like").fill("Momo")
    person.press("Generate Posts")
    expect(page.get_by_role("dialog")).to_contain_text("“Momo listens.”")
    expect(page.get_by_role("dialog")).to_contain_text(stub.url)
    person.press("Don’t send")
    assert stub.requests == []
    person.press("Generate Posts")
    person.press("Send it")
    expect(page.locator(".draft")).to_have_count(5)
    expect(page.locator(".paper-example")).to_have_count(0)
    [(path, headers, body)] = stub.requests
    assert path == "/v1/chat/completions" and headers["Authorization"] == "Bearer sk-test-key"
    assert body["messages"][1]["content"].startswith(
        'Source excerpt: "Momo listens."\nBook: Momo\nAuthor: Unknown\n')
    sentences = {
        "401": "AI key invalid. Update in Settings.",
        "408": "took too long",
        "429": "too many requests",
        "500": "answers 500",
        "policy": "Excerpt could not be processed",
        "four": "open-question",
        "noise": "cannot be used",
    }
    for mode, sentence in sentences.items():
        stub.mode = mode
        asked = len(stub.requests)
        person.press("Generate Posts")
        person.hears(sentence)
        # The drafts of before are still there, and nothing was asked twice by itself.
        expect(page.locator(".draft")).to_have_count(5)
        assert len(stub.requests) == asked + 1
        may_retry = mode not in ("401", "policy")
        toast = page.locator(".toast", has_text=sentence)
        expect(toast.get_by_role("button", name="Retry")).to_have_count(1 if may_retry else 0)
        toast.get_by_role("button", name="Dismiss").click()
    stub.mode = "long"
    person.press("Generate Posts")
    expect(page.locator(".draft").first).to_contain_text("Variant trimmed to meet LinkedIn length.")
    stub.shutdown()
    stub.server_close()
    person.press("Generate Posts")
    person.hears("Check network and retry")
    # The key is nowhere in what the page gets or the workspace keeps.
    assert "sk-test" not in json.dumps(server.ask("GET", "/capture"))
    assert all(b"sk-test" not in file.read_bytes()
               for file in server.workspace.rglob("*") if file.is_file())


def test_without_a_network_all_but_drafts_works(drawml, tmp_path, text_photo):
    """CA-009, CA-037: in a network namespace without a route, where only this machine is reached."""

    def run(*arguments, status=0):
        shell = ["unshare", "--net", "--map-root-user", sys.executable, "-c", WITHOUT_ROUTE]
        done = subprocess.run([*shell, drawml, *map(str, arguments)], text=True,
                              capture_output=True, cwd=tmp_path, timeout=120,
                              env={**os.environ, "DRAWML_OPENAI_KEY": "sk-test-key"})
        assert done.returncode == status, done.stderr
        return done

    run("worksheet", "--labels", ",".join(SHAPES), "--output", "sheet.pdf")
    photo, count = filled(drawml, tmp_path / "sheet.pdf", tmp_path, SHAPES, seed=4)
    run("capture", photo, "--output", "samples.ndjson")
    assert len((tmp_path / "samples.ndjson").read_text().splitlines()) == count
    text = run("capture", "words", text_photo.photo).stdout
    assert text.startswith(text_photo.text[:60])
    (tmp_path / "excerpt.txt").write_text(text)
    assert "Example: " in run("capture", "drafts", "excerpt.txt").stdout
    asked = run("capture", "drafts", "excerpt.txt", "--allow", "openai", status=1)
    assert asked.stderr == "Error: Check network and retry\n"


def test_guests_have_no_paper(serve, tmp_path, visit):
    """It teaches, and reads what is the owner's."""
    server = serve(tmp_path / "shared", host="0.0.0.0", token="0123456789abcdef")
    guest = server.ask("GET", "/invitation")["addresses"][0]["url"].split("token=")[1]
    request = urllib.request.Request(
        f"{server.url}/api/capture", headers={"Authorization": f"Bearer {guest}"})
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(request)
    person = visit(server, "home", token=guest)
    expect(person.page.get_by_role("link", name="Paper")).to_have_count(0)
    person.page.goto(f"{person.url}/#capture")
    person.page.wait_for_selector("body[data-screen=playground]")


@pytest.mark.parametrize("size", often((390, 844), (1440, 900), then=[(1024, 1366)]))
def test_pictures_of_paper(taught, drawml, visit, tmp_path, pictures, size, text_photo):
    """CA-040: in three sizes and two themes."""
    layout = tmp_path / "sheet.pdf"
    worksheet(drawml, layout)
    photo, _ = filled(drawml, layout, tmp_path, SHAPES, seed=6, share=2)
    person = visit(taught, "capture", size=size)
    page = person.page

    def picture(name):
        assert person.fits(), f"{name} is wider than the screen"
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            person.settle()
            page.screenshot(path=pictures / f"{name}-{size[0]}-{theme}.png", full_page=True)

    picture("capture")
    choose(person, [photo])
    page.locator(".paper-tile").first.wait_for()
    picture("capture-drawings")
    person.visit("capture/words")
    choose(person, [text_photo.photo])
    page.get_by_label("The text", exact=True).wait_for()
    person.press("Generate Posts")
    page.locator(".draft").first.wait_for()
    picture("capture-drafts")
