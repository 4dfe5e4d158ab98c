"""A class on one server: the owner invites it, and guests do what they may, and see only that."""

import os
import pty
import re
import shlex
import subprocess
from urllib.parse import urlsplit

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect

from server import copy_workspace
from strokes import drawings
from test_accessibility import nameless, violations
from thorough import often, thorough

TOKEN = "0123456789abcdef0123"
# The first 32 digits of HMAC-SHA256(TOKEN, "drawml guest").
GUEST_TOKEN = "2d4a02af2c92094c94a146a4a96c6555"
PHONE = {"size": (390, 844), "has_touch": True, "is_mobile": True}


@pytest.fixture
def classroom(serve, tmp_path, taught_workspace):
    """A server that other machines reach, with the model of `taught`."""
    folder = copy_workspace(taught_workspace, tmp_path / "workspace")
    return serve(folder, host="0.0.0.0", token=TOKEN)


def guest(visit, server, screen="playground", **options):
    return visit(server, screen, token=GUEST_TOKEN, **options)


def owner(visit, server, screen="home", **options):
    return visit(server, screen, token=TOKEN, **options)


def invite(person):
    person.press("Settings")
    person.press("Invite a class")
    return person.page.get_by_role("dialog", name="Invite a class")


def shown_tabs(person):
    return person.page.locator(".tabs .tab:visible").all_text_contents()


def test_the_invitation_is_read_back_from_its_picture(classroom, visit, pictures, tmp_path):
    for theme in ("light", "dark"):
        one = owner(visit, classroom, color_scheme=theme)
        dialog = invite(one)
        words = dialog.get_by_label("Address for guests", exact=True)
        url = words.input_value()
        assert url.endswith(f"/?token={GUEST_TOKEN}")
        assert not urlsplit(url).netloc.startswith("127.")
        one.settle()
        one.page.screenshot(path=pictures / f"invitation-{theme}.png")
        assert violations(one.page) == {} and nameless(one) == []
        path = tmp_path / "code.png"
        dialog.locator(".qr-code").screenshot(path=path)
        assert [each.text for each in zxingcpp.read_barcodes(Image.open(path))] == [url]
        one.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        dialog.get_by_role("button", name="Copy", exact=True).click()
        one.hears("The address is copied.")


def test_the_terminal_shows_the_code(drawml, tmp_path):
    main, terminal = pty.openpty()
    command = [str(drawml), "studio", "--port", "0", "--host", "0.0.0.0"]
    process = subprocess.Popen(
        command + ["--workspace", str(tmp_path / "w")],
        stdout=terminal,
        env={**os.environ, "DRAWML_TOKEN": TOKEN, "TERM": "xterm"},
    )
    os.close(terminal)
    text = b""
    # The last line of the code ends what is printed.
    while text.count(b"\x1b[0m") < 20 and len(text) < 100_000:
        text += os.read(main, 4096)
    process.terminate()
    process.wait()
    os.close(main)
    lines = text.decode().splitlines()
    url = next(line for line in lines if line.startswith("For guests: ")).split(": ", 1)[1]
    rows = []
    for line in lines:
        code = re.fullmatch("\x1b\\[38;5;16;48;5;231m([ ▀▄█]+)\x1b\\[0m", line)
        if code:
            rows.append([each in "▀█" for each in code[1]])
            rows.append([each in "▄█" for each in code[1]])
    picture = Image.new("L", (len(rows[0]), len(rows)), 255)
    for y, row in enumerate(rows):
        for x, is_dark in enumerate(row):
            if is_dark:
                picture.putpixel((x, y), 0)
    picture = picture.resize((picture.width * 6, picture.height * 6), Image.Resampling.NEAREST)
    assert [each.text for each in zxingcpp.read_barcodes(picture)] == [url]


@pytest.mark.parametrize("size", often((320, 568), then=[(1024, 768)]), ids=["phone", "tablet"])
def test_a_studio_for_this_machine_says_how_to_start_it_for_a_class(
    serve, visit, drawml, pictures, tmp_path, size
):
    # A shell would take this name apart.
    folder = tmp_path / "Ana's class; $HOME"
    server = serve(folder, options=["--camera"])
    one = visit(server, size=size)
    dialog = invite(one)
    line = dialog.get_by_label("Start it again with this line:").input_value()
    words = shlex.split(line)
    assert words == [
        str(drawml), "studio", "--host", "0.0.0.0", "--port", str(server.port),
        "--workspace", str(folder), "--camera",
    ]
    # What happens then, and what the class will see.
    expect(dialog).to_contain_text("What guests see")
    expect(dialog).to_contain_text("each guest on their own sheet")
    expect(dialog.locator(".qr-code, input")).to_have_count(0)
    one.settle()
    assert one.fits() and violations(one.page) == {} and nameless(one) == []
    one.page.screenshot(path=pictures / f"class-command-{size[0]}.png")
    one.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    dialog.get_by_role("button", name="Copy", exact=True).click()
    one.hears("The line is copied.")
    assert one.page.evaluate("navigator.clipboard.readText()") == line
    # The shell does what the line says: the same studio, now for others.
    one.page.goto("about:blank")
    server.stop()
    process = subprocess.Popen(
        ["sh", "-c", f"exec {line}"], stdout=subprocess.PIPE, text=True, cwd=tmp_path
    )
    try:
        said = [process.stdout.readline()]
        while not said[-1].startswith("For guests: "):
            assert said[-1], said
            said.append(process.stdout.readline())
        assert f":{server.port}/?token=" in said[-1]
    finally:
        process.terminate()
        process.wait()
    assert sorted(each.name for each in tmp_path.iterdir()) == [folder.name]


def test_a_guest_teaches_when_the_owner_lets_them_and_sees_what_is_learned(
    classroom, visit, notes, pictures
):
    one = owner(visit, classroom, "train")
    child = guest(visit, classroom, "home", **PHONE)
    assert shown_tabs(child) == ["Home", "Playground", "Trace", "Labels", "Models"]
    dialog = invite(one)
    dialog.get_by_label("Let guests teach “My first model”").check()
    # The open page follows.
    child.hears("You can teach “My first model” now.")
    assert shown_tabs(child) == ["Home", "Teach", "Playground", "Trace", "Labels", "Models"]
    child.go("Teach")
    expect(child.page.get_by_role("heading", level=1)).to_have_text("Teach")
    expect(child.page.get_by_role("button", name="Train Model")).to_have_count(0)
    before = len(classroom.samples())
    for index in range(4):
        child.page.evaluate("location.hash = '#train/✔️'")
        expect(child.page.locator(".chosen")).to_have_text("✔️")
        child.draw("check", index, size=140)
        child.press("Add Sample")
        child.hears(f"Saved. That makes {index + 1}.")
    assert len(classroom.samples()) == before + 4
    child.settle()
    child.page.screenshot(path=pictures / "guest-teach-phone.png")
    # What a guest added they may take back.
    child.page.locator(".toast .toast-action").last.click()
    child.wait_for(lambda: len(classroom.samples()) == before + 3, "it is taken back")
    # The owner trains.
    dialog.get_by_role("button", name="Close").click()
    one.page.locator(".dialog[open]").get_by_role("button", name="Close").click()
    one.press("Train Model")
    child.hears("“My first model” has learned.")
    child.go("Playground")
    child.draw("check", 9, size=140)
    child.expect_faces(["✔️"])
    # The owner ends it.
    dialog = invite(one)
    dialog.get_by_label("Let guests teach").uncheck()
    child.hears("takes no drawings from guests now")
    assert shown_tabs(child) == ["Home", "Playground", "Trace", "Labels", "Models"]


@pytest.mark.parametrize("theme", often("light", then=["dark"]))
def test_a_guest_sees_nothing_of_what_is_not_theirs(classroom, visit, pictures, theme):
    # There is something to learn.
    classroom.teach(drawings("moon")[:1], train=False)
    child = guest(visit, classroom, "home", color_scheme=theme, **PHONE)
    page = child.page
    for screen in ("home", "playground", "labels", "models", "help"):
        child.visit(screen)
        child.settle()
        page.screenshot(path=pictures / f"guest-{screen}-{theme}.png")
        assert violations(page) == {}, screen
    for screen, part, names in [
        ("home", ".home-model-name", ["Learn them", "Draw the first one"]),
        ("labels", ".label-card", ["Rename", "Delete", "Draw more"]),
        ("models", "main option",
         ["New Model", "Import", "Export", "Everyday Things", "Rename", "Delete"]),
        ("help", ".step", ["Show the tips again", "Use this"]),
    ]:
        child.visit(screen)
        expect(page.locator(part).first).to_be_attached()
        child.settle()
        for name in names:
            for role in ("button", "link"):
                expect(page.get_by_role(role, name=name)).to_have_count(0)
    # Train is not there, whatever the address says.
    page.goto(f"{child.url}/#train")
    page.wait_for_selector("body[data-screen=playground]")
    child.press("Settings")
    dialog = page.get_by_role("dialog", name="Settings")
    expect(dialog.get_by_text("Invite a class")).to_have_count(0)
    expect(dialog.get_by_text("Export everything")).to_have_count(0)
    expect(dialog.get_by_label("This browser uses")).to_be_visible()
    child.settle()
    page.screenshot(path=pictures / f"guest-settings-{theme}.png")


def correct(person):
    person.open_menu(person.faces().first)
    person.press("It is a …")
    person.choose("snail")
    person.expect_faces(["🐌"])


def test_a_guests_correction_is_of_the_sheet_alone_until_they_may_teach(
    classroom, visit, notes, pictures
):
    child = guest(visit, classroom)
    before = len(classroom.samples())
    child.draw("star", 31)
    child.expect_faces(["⭐"])
    child.open_menu(child.faces().first)
    expect(child.page.get_by_role("button", name="Not this")).to_be_visible()
    expect(child.page.get_by_role("button", name="Add as sample")).to_have_count(0)
    child.page.keyboard.press("Escape")
    correct(child)
    child.press("Undo")
    child.expect_faces(["⭐"])
    assert len(classroom.samples()) == before
    assert notes.asked("POST", "/samples") + notes.asked("DELETE", "/samples") == 0
    # With the right the same is a sample, and undone none.
    classroom.ask("PATCH", "/settings", {"guestsMayTeach": True})
    child.hears("You can teach")
    correct(child)
    child.wait_for(lambda: len(classroom.samples()) == before + 1, "it is a sample")
    child.page.locator(".sheet-tools").get_by_role("button", name="Undo").click()
    child.expect_faces(["⭐"])
    child.wait_for(lambda: len(classroom.samples()) == before, "it is none")
    assert notes.asked("POST", "/train") == 0


@thorough
def test_a_lost_stream_of_the_page_for_tracing_asks_for_the_rights_again(
    classroom, visit, notes
):
    child = guest(visit, classroom)
    child.page.goto(f"{child.url}/trace#under/bundled%2Fstar")
    child.page.wait_for_selector("body[data-ready][data-step=under]")
    add = child.page.get_by_role("button", name="Add Sample")
    expect(add).to_be_hidden()
    notes.allow("ERR_FAILED", "")
    reconnect = "import('/events.js').then(({ reconnect }) => reconnect())"
    child.page.route("**/api/events**", lambda route: route.abort())
    with child.page.expect_event("requestfailed"):
        child.page.evaluate(reconnect)
    classroom.ask("PATCH", "/settings", {"guestsMayTeach": True})
    child.page.unroute("**/api/events**")
    child.page.evaluate(reconnect)
    expect(add).to_be_visible()


@thorough
def test_what_only_the_owner_may_do_is_said_in_one_sentence(classroom, visit, notes):
    classroom.ask("PATCH", "/settings", {"guestsMayTeach": True})
    child = guest(visit, classroom, "train")
    # No answer is on its way any more.
    with child.page.expect_response("**/api/state"):
        child.page.evaluate("import('/events.js').then(({ reconnect }) => reconnect())")
    # The page has not heard that the switch is off again.
    notes.allow(403)
    child.page.route("**/api/state", lambda route: route.abort())
    notes.allow("ERR_FAILED")
    classroom.ask("PATCH", "/settings", {"guestsMayTeach": False})
    child.pick("⭐")
    child.draw("star", 31)
    child.press("Add Sample")
    words = "Only the owner of this studio can teach this model."
    toast = child.page.locator(".toast", has_text=words)
    expect(toast.locator(".toast-words")).to_have_text(words)
    assert child.ink() > 0, "the drawing stays"
