"""Ink on the Playground is never swallowed: late dots, and strokes over or beside what is open."""

import json
import os
from itertools import islice, zip_longest
from pathlib import Path

import pytest
from playwright.sync_api import expect

from strokes import placed
from test_pens import Hands
from test_server_away import move_another_pen
from thorough import often, thorough

# How many real drawings with a late dot are drawn; by hand, more.
LATE_DOTS = int(os.environ.get("DRAWML_LATE_DOTS", "20"))
# How long the person waits before the dot; what is longer is shortened to the longest.
SHORTEST, LONGEST = 520, 2600
# A dot stays within this share of the drawing's longer side.
DOT = 10 / 220


def menu(person):
    return person.page.locator(".shape-menu")


def handle(person):
    return person.page.locator(".shape-handle")


def middle(place):
    box = place.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def strokes_sent(person):
    """Counts the strokes that the page sends from now on."""
    sent = []

    def note(request):
        if "/actions" in request.url:
            actions = request.post_data_json["actions"]
            sent.extend(each for each in actions if each["action"] == "stroke")

    person.page.on("request", note)
    return sent


def drawn_star(person, at=(0.5, 0.5), size=160):
    person.draw("star", 31, at=at, size=size)
    person.expect_faces(["⭐"])


def test_a_tap_on_a_fresh_emoji_is_ink_and_a_later_one_opens_its_menu(taught, visit):
    person = visit(taught, "playground", has_clock=True)
    drawn_star(person)
    sent = strokes_sent(person)
    person.page.mouse.click(*middle(person.faces()))
    person.wait_for(lambda: len(sent) == 1, "the dot is sent")
    expect(menu(person)).to_be_hidden()
    # The canvas joins it with the star, which is one shape again.
    person.expect_faces(["⭐"])
    person.expect_ink(0)
    expect(person.page.locator(".shape")).to_have_count(1 + 1)
    person.pass_time(3200)
    person.page.mouse.click(*middle(person.faces()))
    expect(menu(person)).to_be_visible()
    # Another tap on it closes it; beside it, a tap is a dot.
    person.page.mouse.click(*middle(person.faces()))
    expect(menu(person)).to_be_hidden()
    assert len(sent) == 1


@thorough
def test_a_tap_on_a_fresh_refused_drawing_is_ink(taught, visit):
    person = visit(taught, "playground")
    strokes = person.draw("spiral", 6)
    expect(person.page.locator(".shape:is(.is-unrecognized, .is-confused)")).to_have_count(1)
    sent = strokes_sent(person)
    x, y, _ = strokes[0][0]
    person.page.mouse.click(x, y)
    person.wait_for(lambda: len(sent) == 1, "the dot is sent")
    expect(menu(person)).to_be_hidden()


def test_the_handle_and_a_hold_open_the_menu_of_a_fresh_emoji(taught, visit):
    person = visit(taught, "playground", has_touch=True)
    drawn_star(person)
    person.settle()
    face, box = person.faces().bounding_box(), handle(person).bounding_box()
    # It lies outside of the emoji.
    assert box["x"] >= face["x"] + face["width"] and box["y"] + box["height"] <= face["y"] + 1
    sent = strokes_sent(person)
    person.page.mouse.click(*middle(handle(person)))
    expect(menu(person)).to_be_visible()
    person.page.keyboard.press("Escape")
    person.page.touchscreen.tap(*middle(handle(person)))
    expect(menu(person)).to_be_visible()
    person.page.keyboard.press("Escape")
    person.open_menu(person.faces())
    expect(menu(person)).to_be_visible()
    # A pen that held and moves on draws.
    x, y = middle(person.faces())
    person.rest_at(x, y, steps=[(x + 40, y + 90), (x + 60, y + 120)])
    expect(menu(person)).to_be_hidden()
    person.wait_for(lambda: len(sent) == 1, "the stroke is sent")
    assert sent[0]["strokes"][0][1][-1] - sent[0]["strokes"][0][1][0] > 100


@pytest.mark.parametrize("size", often((375, 667), then=[(1280, 800)]), ids=["phone", "desktop"])
def test_strokes_over_what_is_open_are_drawn_and_close_it(taught, visit, size):
    """Over the emoji's frame, its menu, a message's button, the guesses' button and a dialog."""
    person = visit(taught, "playground", size=size)
    drawn_star(person, at=(0.5, 0.3), size=90)
    sent = strokes_sent(person)
    sheet = person.sheet.bounding_box()

    def line_from(place, count):
        x, y = middle(place)
        person.page.mouse.move(x, y)
        person.page.mouse.down()
        up = -1 if y > sheet["y"] + sheet["height"] / 2 else 1
        person.page.mouse.move(x + 4, y + 20 * up, steps=4)
        person.page.mouse.move(x - 6, y + 60 * up, steps=4)
        person.page.mouse.up()
        person.wait_for(lambda: len(sent) == count, f"stroke {count} is sent")
        xs, ys = sent[-1]["strokes"][0][:2]
        # From where it began, unless that is beside the sheet.
        assert abs(ys[0] - ys[-1]) > 15
        expect(menu(person)).to_be_hidden()

    person.open_menu(person.faces())
    line_from(person.faces(), 1)
    person.press("Undo")
    person.expect_faces(["⭐"])
    person.open_menu(person.faces())
    expect(menu(person).locator(".shape-guess")).to_have_count(3)
    person.settle()
    before = len(taught.samples())
    # The guesses stay as long as nothing is decided on.
    move_another_pen(taught, person)
    line_from(menu(person).locator(".shape-guess").first, 2)
    expect(person.page.locator(".live-guesses button")).to_be_visible()
    line_from(person.page.locator(".live-guesses button"), 3)
    move_another_pen(taught, person, "cancel")
    # It was no click.
    person.page.keyboard.press("Control+z")
    person.page.keyboard.press("Control+z")
    person.expect_faces(["⭐"])
    assert len(taught.samples()) == before
    person.open_menu(person.faces())
    menu(person).get_by_role("button", name="It is a …").click()
    dialog = person.page.locator("dialog .dialog-inside").bounding_box()
    if dialog["y"] - sheet["y"] > 40:
        person.page.mouse.move(sheet["x"] + 30, sheet["y"] + 10)
        person.page.mouse.down()
        person.page.mouse.move(sheet["x"] + 60, sheet["y"] + 30, steps=6)
        person.page.mouse.up()
        person.wait_for(lambda: len(sent) == 4, "stroke 4 is sent")
        expect(person.page.locator("dialog")).to_have_count(0)


def test_a_stroke_from_beside_the_sheet_begins_where_it_enters(taught, visit):
    person = visit(taught, "playground", has_touch=True)
    sheet, mouse = person.sheet.bounding_box(), person.page.mouse
    sent = strokes_sent(person)
    bottom = sheet["y"] + sheet["height"]
    x = sheet["x"] + 0.6 * sheet["width"]
    mouse.move(x, bottom + 30)
    mouse.down()
    mouse.move(x, bottom - 50, steps=2)
    mouse.move(x, bottom - 150, steps=5)
    mouse.up()
    person.wait_for(lambda: len(sent) == 1, "the stroke is sent")
    ys = sent[0]["strokes"][0][1]
    assert abs(ys[0] - sheet["height"]) < 2 and abs(ys[-1] - sheet["height"] + 150) < 2
    # A finger from the sheet's tools, and from the page's margin.
    hands = Hands(person)
    high = sheet["height"]
    hands.draw_with_finger(1, [(400, high + 30 - 12 * step) for step in range(12)])
    hands.draw_with_finger(1, [(-8 + 12 * step, 60) for step in range(12)])
    person.wait_for(lambda: len(sent) == 3, "the finger's strokes are sent")


@thorough
def test_a_stroke_is_drawn_while_text_is_selected(taught, visit):
    person = visit(taught, "playground", has_clock=True)
    drawn_star(person, at=(0.3, 0.3), size=100)
    person.pass_time(3100)
    sent = strokes_sent(person)
    for count in (1, 2):
        person.page.evaluate("getSelection().selectAllChildren(document.body)")
        x, y = middle(person.faces())
        person.move([[(x + 9 * step, y + 6 * step, 12 * step) for step in range(20)]])
        person.wait_for(lambda: len(sent) == count, f"stroke {count} is sent")
        assert len(sent[-1]["strokes"][0][0]) > 15
    # Text beside the sheet is not dragged away either.
    title = person.page.locator("#placed-title")
    title.evaluate("(each) => getSelection().selectAllChildren(each)")
    x, y = middle(title)
    person.move([[(x - 16 * step, y + 5 * step, 12 * step) for step in range(20)]])
    person.wait_for(lambda: len(sent) == 3, "stroke 3 is sent")
    assert len(sent[-1]["strokes"][0][0]) > 5


def shared_data():
    folder = os.environ.get("DRAWML_SHARED_DATA")
    root = Path(folder) if folder else Path(__file__).resolve().parents[3] / "shared" / "data"
    return root / "quickdraw-raw"


def late_dots():
    """Real drawings that end with a late dot, one of each word in turn, at their own pace."""

    def of(path):
        for line in path.read_text(encoding="utf-8").splitlines():
            strokes = json.loads(line)["drawing"]
            ends = [max(max(s[axis]) for s in strokes) for axis in (0, 1)]
            starts = [min(min(s[axis]) for s in strokes) for axis in (0, 1)]
            side = max(ends[0] - starts[0], ends[1] - starts[1], 1)
            for index in range(1, len(strokes)):
                xs, ys, ts = strokes[index]
                pause = ts[0] - strokes[index - 1][2][-1]
                far = max(((x - xs[0]) ** 2 + (y - ys[0]) ** 2) ** 0.5 for x, y in zip(xs, ys))
                if pause >= SHORTEST and far <= DOT * side and len(strokes) <= 12:
                    yield strokes[: index + 1]
                    break

    files = [of(path) for path in sorted(shared_data().glob("*.ndjson"))]
    for turn in zip_longest(*files):
        yield from (each for each in turn if each)


def at_pace(strokes, x, y):
    """The strokes on the page, each within a second, with their own pauses up to the longest."""
    drawn, now = [], 0
    for number, stroke in enumerate(placed(strokes, x, y, 220)):
        if number:
            pause = strokes[number][2][0] - strokes[number - 1][2][-1]
            is_last = number == len(strokes) - 1
            now += min(LONGEST if is_last else 300, pause)
        start, length = stroke[0][2], max(stroke[-1][2] - stroke[0][2], 1)
        pace = 1 if number == len(strokes) - 1 else min(1, 400 / length)
        drawn.append([(px, py, now + (t - start) * pace) for px, py, t in stroke])
        now = drawn[-1][-1][2]
    return drawn


@thorough
@pytest.mark.skipif(not shared_data().is_dir(), reason="without the shared drawings")
def test_late_dots_of_real_drawings_open_no_menu_and_none_is_lost(taught, visit):
    model = taught.ask("POST", "/models", {"name": "Everyday", "isEveryday": True})["id"]
    taught.ask("PATCH", f"/models/{model}", {"isActive": True})
    person = visit(taught, "playground")
    opened = "window.opened = 0; new MutationObserver(() => { window.opened += 1; })"
    person.page.evaluate(
        f"() => {{ {opened}.observe(document.querySelector('.shape-menu'), "
        "{ attributes: true, attributeFilter: ['hidden'] }); }"
    )
    sent = strokes_sent(person)
    sheet, number, on_emojis = person.sheet.bounding_box(), 0, 0
    for strokes in islice(late_dots(), LATE_DOTS):
        number += 1
        before = len(sent)
        x, y = sheet["x"] + sheet["width"] / 2, sheet["y"] + sheet["height"] / 2
        *first, dot = at_pace(strokes, x, y)
        person.move(first)
        person.page.wait_for_timeout(dot[0][2] - first[-1][-1][2])
        on_emojis += person.faces().count()
        person.move([[(px, py, t - dot[0][2]) for px, py, t in dot]])
        person.wait_for(lambda: len(sent) - before == len(strokes), f"drawing {number} is sent")
        assert person.page.evaluate("window.opened") == 0, f"drawing {number} opens a menu"
        person.press("Clear")
        person.expect_ink(0)
    assert number == LATE_DOTS
    print(f"{number} drawings, {on_emojis} dots where emojis were")
