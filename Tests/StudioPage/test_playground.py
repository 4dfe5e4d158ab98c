"""The Playground's sheet: emojis in their places at any size, no lost ink, two tabs that agree."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from person import box, near
from strokes import drawings
from test_lost_answers import strokes_on
from thorough import often, thorough

PHONE = (390, 844)
CORNERS = {"star": (0.2, 0.12), "heart": (0.8, 0.12), "house": (0.2, 0.88), "sun": (0.8, 0.88)}
# Whether the paper fills its sheet.
WHOLE = """(() => {
  const [sheet, paper] = [".sheet", ".world"]
    .map((each) => document.querySelector(each).getBoundingClientRect());
  const isWide = Math.abs(sheet.width - paper.width) < 1;
  return isWide && Math.abs(sheet.height - paper.height) < 1;
})()"""
LABELS = {"star": "⭐", "heart": "❤️", "house": "🏠", "sun": "☀️"}


def face(person, name):
    return person.faces().filter(has_text=LABELS[name])


@pytest.mark.parametrize("size", often(PHONE, then=[(1440, 900)]), ids=["phone", "desktop"])
def test_emojis_stand_where_they_were_drawn_near_the_edges_too(taught, visit, size):
    person = visit(taught, "playground", size=size)
    # A sheet that is still empty follows its window.
    person.press("Emojis")
    person.press("Emojis")
    drawn = {}
    for name, place in CORNERS.items():
        drawn[name] = person.draw(name, 30, at=place, size=90)
        expect(face(person, name)).to_have_count(1)
    for name, strokes in drawn.items():
        person.expect_over(face(person, name), strokes)


@thorough
def test_an_empty_sheet_takes_the_windows_size_after_every_change(taught, visit):
    person = visit(taught, "playground", size=(1280, 800))
    for size in ((900, 700), PHONE, (1000, 900)):
        person.resize(*size)
        person.until(f"innerWidth === {size[0]} && innerHeight === {size[1]}")
        person.until(WHOLE)
    drawn = person.draw("star", 31, at=(0.85, 0.9), size=100)
    person.expect_faces(["⭐"])
    person.expect_over(person.faces(), drawn)


@thorough
def test_a_kept_sheet_is_shown_whole_in_a_smaller_window(taught, visit):
    person = visit(taught, "playground", size=(1280, 800))
    person.draw("star", 32, at=(0.9, 0.85), size=120)
    person.expect_faces(["⭐"])
    person.resize(*PHONE)
    person.page.reload()
    person.expect_faces(["⭐"])
    sheet, star = person.sheet.bounding_box(), person.faces().bounding_box()
    assert star["x"] > sheet["x"] and star["x"] + star["width"] < sheet["x"] + sheet["width"]
    # What is drawn lands under the pen, and undo still knows what was drawn in the larger window.
    drawn = person.draw("heart", 32, at=(0.4, 0.5), size=90)
    person.expect_faces(["⭐", "❤️"])
    person.expect_over(face(person, "heart"), drawn)
    for _ in range(len(drawings("heart")[32]["strokes"]) + len(drawings("star")[32]["strokes"])):
        person.press("Undo")
    person.expect_faces([])
    expect(person.page.locator(".toast", has_text="Nothing to undo.")).to_have_count(0)


@thorough
def test_undo_brings_a_cleared_sheet_back_also_in_a_turned_window(taught, visit):
    person = visit(taught, "playground", size=(1000, 760))
    strokes = person.draw("house", 32, at=(0.5, 0.5), size=200)
    person.expect_faces(["🏠"])
    person.press("Clear")
    person.expect_faces([])
    person.resize(760, 1000)
    person.press("Emojis")
    person.press("Emojis")
    person.resize(1000, 760)
    person.press("Undo")
    person.expect_faces(["🏠"])
    person.expect_over(person.faces(), strokes)


def test_behind_a_clear_the_next_drawing_has_all_of_the_window(taught, visit):
    person = visit(taught, "playground", size=(1280, 720))
    wide = person.draw("star", 33, at=(0.8, 0.5), size=200)
    person.expect_faces(["⭐"])
    person.resize(*PHONE)
    person.until(f"!{WHOLE}")
    # The strip below is as high without emojis as with them.
    before = person.sheet.bounding_box()
    person.press("Clear")
    person.until(WHOLE)
    assert person.sheet.bounding_box() == before
    person.press("Emojis")
    # Undo brings the old sheet back in its shape.
    person.press("Undo")
    person.expect_faces(["⭐"])
    person.until(f"!{WHOLE}")
    person.press("Clear")
    person.until(WHOLE)
    # Where the margin was is paper now; the emoji is where it was drawn, and the size stays.
    drawn = person.draw("heart", 33, at=(0.5, 0.12), size=90)
    person.expect_faces(["❤️"])
    person.expect_over(person.faces(), drawn)
    person.page.reload()
    person.expect_faces(["❤️"])
    person.until(WHOLE)
    person.expect_over(person.faces(), drawn)
    assert box(wide)[2] > PHONE[0]


@thorough
def test_a_window_that_is_turned_back_behind_a_clear_has_its_sheet_and_undo_again(taught, visit):
    person = visit(taught, "playground", size=(1280, 720))
    paper = """(() => {
      const { width, height } = document.querySelector(".world").getBoundingClientRect();
      return [width, height];
    })()"""
    person.draw("star", 33, at=(0.3, 0.5), size=200)
    person.expect_faces(["⭐"])
    before = person.page.evaluate(paper)
    person.resize(*PHONE)
    person.until("document.querySelector('.sheet').matches('.is-letterboxed')")
    person.press("Clear")
    person.until(f"{paper}[0] < {paper}[1]")
    person.resize(1280, 720)
    person.until(f"{paper}[0] > {paper}[1]")
    assert person.page.evaluate(paper) == pytest.approx(before, abs=1)
    # Beside where the narrow sheet was.
    drawn = person.draw("heart", 33, at=(0.85, 0.5), size=140)
    person.expect_faces(["❤️"])
    person.expect_over(person.faces(), drawn)
    expect(person.page.locator(".toast", has_text="beside the sheet")).to_have_count(0)
    for _ in drawn:
        person.press("Undo")
    person.expect_faces([])
    person.press("Undo")
    person.expect_faces(["⭐"])


@thorough
def test_a_stroke_beside_an_empty_sheet_gives_it_the_window(taught, visit):
    person = visit(taught, "playground", size=(1000, 760))
    person.draw("star", 33, at=(0.3, 0.5), size=160)
    person.expect_faces(["⭐"])
    person.press("Clear")
    person.expect_faces([])
    # It keeps its size for undo, as it fills this window well.
    person.resize(1000, 600)
    person.until("document.querySelector('.sheet').matches('.is-letterboxed')")
    drawn = person.draw("heart", 33, at=(0.08, 0.5), size=100)
    person.until(WHOLE)
    person.expect_faces(["❤️"])
    person.expect_over(person.faces(), drawn)


@thorough
def test_panels_and_small_changes_cost_no_undo(taught, visit):
    person = visit(taught, "playground", size=(1000, 760))
    person.draw("star", 34, at=(0.3, 0.4), size=160)
    person.expect_faces(["⭐"])
    person.press("Clear")
    person.expect_faces([])
    person.press("Emojis")
    person.resize(1000, 740)
    person.draw("heart", 34, at=(0.6, 0.5), size=140)
    person.expect_faces(["❤️"])
    for _ in drawings("heart")[34]["strokes"]:
        person.press("Undo")
    person.expect_faces([])
    person.press("Undo")
    person.expect_faces(["⭐"])


@thorough
def test_ink_that_was_not_sent_waits_for_the_server_while_one_looks_elsewhere(taught, visit, notes):
    notes.allow_away()
    person = visit(taught, "playground")
    person.draw("star", 33, at=(0.25, 0.4), size=140)
    person.expect_faces(["⭐"])
    taught.stop()
    strokes = person.draw("heart", 33, at=(0.7, 0.4), size=140)
    person.hears("Live check paused. Try again.")
    person.go("Home")
    person.go("Playground")
    person.expect_ink(len(strokes))
    assert near(person.ink_box(), box(strokes), 8)
    taught.start()
    # It goes on by itself, or at the next touch.
    person.page.mouse.click(5, 5)
    # A touch during an attempt has no effect; then the next attempt may take a while.
    person.expect_faces(["⭐", "❤️"], timeout=30_000)
    person.expect_over(face(person, "heart"), strokes)
    expect(person.page.locator(".pause-note")).to_be_hidden()


@thorough
def test_what_waits_behind_a_slow_request_is_sent_after_leaving(taught, visit):
    person = visit(taught, "playground")
    slow = person.hold("**/actions")
    person.draw("star", 34)
    slow.wait()
    person.go("Home")
    slow.release()
    person.wait_for(
        lambda: strokes_on(taught, person)[0] == len(drawings("star")[34]["strokes"]), "it is sent"
    )
    person.go("Playground")
    person.expect_faces(["⭐"])
    person.expect_ink(0)


@thorough
def test_refused_ink_is_the_same_after_the_server_was_started_again(taught, visit, notes):
    notes.allow_away()
    person = visit(taught, "playground")
    person.draw("star", 35, at=(0.25, 0.4), size=140)
    person.expect_faces(["⭐"])
    strokes = person.draw("spiral", 7, at=(0.7, 0.5), size=180)
    expect(person.page.locator(".shape.is-unrecognized, .shape.is-confused")).to_have_count(1)
    person.settle()
    assert near(person.ink_box(), box(strokes), 8)
    taught.stop()
    taught.start()
    person.page.keyboard.press("Shift")
    person.hears("The studio is back.")
    expect(person.page.locator(".shape.is-unrecognized")).to_have_count(1)
    assert near(person.ink_box(), box(strokes), 8)
    person.expect_faces(["⭐"])


@thorough
def test_one_stroke_that_is_refused_costs_no_other(taught, visit, notes):
    notes.allow(401, "/actions")
    notes.allow(400, "/actions")
    person = visit(taught, "playground")
    pass_on = []

    def refuse(route):
        actions = route.request.post_data_json["actions"]
        error = {"error": {"code": "test", "message": "It cannot be read."}}
        if not pass_on:
            # A server that wants another token does not reject ink.
            route.fulfill(status=401, json=error)
        elif any(
            action["action"] == "stroke" and action["strokes"][0][0][0] < 300 for action in actions
        ):
            route.fulfill(status=400, json=error)
        else:
            route.continue_()

    person.page.route("**/actions", refuse)
    person.draw("check", 3, at=(0.2, 0.4), size=100)
    person.hears("Live check paused. Try again.")
    person.draw("star", 36, at=(0.7, 0.5), size=160)
    person.expect_ink(len(drawings("check")[3]["strokes"]) + len(drawings("star")[36]["strokes"]))
    pass_on.append(True)
    # Whether it is seen or the sheet has gone on by itself already.
    person.page.locator(".pause-note button").dispatch_event("click")
    person.hears("It cannot be read.")
    person.expect_faces(["⭐"])
    person.expect_ink(0)


@thorough
@pytest.mark.parametrize("status", [413, 422])
def test_a_stroke_that_is_refused_leaves_no_pen_down(taught, visit, notes, status):
    notes.allow(status, "/actions")
    person = visit(taught, "playground")
    sent = []

    def refuse(route):
        body = route.request.post_data_json
        if any(
            action["action"] == "stroke" and action["strokes"][0][0][0] < 300
            for action in body["actions"]
        ):
            route.fulfill(
                status=status, json={"error": {"code": "test", "message": "It cannot be taken."}}
            )
        else:
            sent.extend(
                (body["first"] + index, action["action"])
                for index, action in enumerate(body["actions"])
            )
            route.continue_()

    person.page.route("**/actions", refuse)
    # The star still waits for its time when the next pen goes down.
    star = person.strokes("star", 36, at=(0.7, 0.5), size=160, milliseconds=200)
    (check,) = person.strokes("check", 3, at=(0.15, 0.4), size=100, milliseconds=100)
    person.move(star)
    person.move([check])
    person.hears("It cannot be taken.")
    person.expect_faces(["⭐"])
    person.expect_ink(0)
    # A cancel replaced the stroke, and nothing else was lost. On a slow machine the star may be
    # decided by then.
    person.wait_for(lambda: len(sent) == 2 * len(star) + 2, "the pen comes up")
    assert [action for _, action in sent] == ["begin", "stroke"] * len(star) + ["begin", "cancel"]
    assert [number for number, _ in sent] == list(range(len(sent)))


def test_the_paused_note_moves_nothing_under_the_pen(taught, visit, notes):
    notes.allow_away()
    person = visit(taught, "playground", size=PHONE)
    before = person.sheet.bounding_box()
    (stroke,) = person.strokes("circle", 2, at=(0.5, 0.4), size=200)
    taught.stop()
    half = len(stroke) // 2
    mouse = person.page.mouse
    mouse.move(*stroke[0][:2])
    mouse.down()
    for x, y, _ in stroke[1:half]:
        mouse.move(x, y)
    # The pen is still down when the page learns that the server is away.
    expect(person.page.locator(".pause-note")).to_be_visible()
    assert person.sheet.bounding_box() == before
    person.frames()
    wet = """(() => {
      const c = document.querySelector(".wet");
      const { data } = c.getContext("2d").getImageData(0, 0, c.width, c.height);
      return data.some((each) => each > 0);
    })()"""
    assert person.page.evaluate(wet), "the begun line is still seen"
    for x, y, _ in stroke[half:]:
        mouse.move(x, y)
    mouse.up()
    person.expect_ink(1)
    assert near(person.ink_box(), box([stroke]), 8)


@thorough
def test_a_window_that_turns_under_the_pen_changes_no_line(taught, visit):
    person = visit(taught, "playground", size=(1000, 700))
    person.draw("star", 37, at=(0.2, 0.3), size=120)
    person.expect_faces(["⭐"])
    mouse = person.page.mouse
    mouse.move(300, 300)
    mouse.down()
    mouse.move(400, 310, steps=6)
    person.resize(700, 1000)
    person.until("innerWidth === 700")
    person.frames()
    mouse.move(500, 320, steps=6)
    person.resize(1000, 700)
    person.until("innerWidth === 1000")
    person.frames()
    mouse.move(600, 330, steps=6)
    mouse.up()
    person.expect_ink(1)
    person.frames()
    # A straight line is straight.
    assert near(person.ink_box(), [300, 300, 600, 330], 8)


@thorough
def test_a_pen_that_is_down_when_one_leaves_is_up_afterwards(taught, visit):
    person = visit(taught, "playground")
    (stroke,) = person.strokes("circle", 1, at=(0.2, 0.3), size=90)
    mouse = person.page.mouse
    mouse.move(*stroke[0][:2])
    mouse.down()
    for x, y, _ in stroke[1:]:
        mouse.move(x, y)
    person.page.evaluate("location.hash = '#home'")
    mouse.up()
    person.go("Playground")
    # The line is there, the pen is up for the server too: it decides on this one and on the next.
    person.draw("star", 38, at=(0.7, 0.5), size=160)
    person.expect_faces(["⭐"])
    expect(person.page.locator(".shape.is-unrecognized, .shape.is-confused")).to_have_count(1)
    # A pointer that is gone before it was there leaves the sheet usable.
    person.sheet.evaluate(
        """(each) => each.dispatchEvent(new PointerEvent("pointerdown", {
          pointerId: 77, pointerType: "pen", button: 0, bubbles: true, clientX: 300, clientY: 300,
        }))"""
    )
    person.draw("heart", 38, at=(0.4, 0.75), size=120)
    person.expect_faces(["⭐", "❤️"])


@thorough
def test_a_playground_that_could_not_be_opened_opens_when_the_server_is_back(taught, visit, notes):
    notes.allow_away()
    person = visit(taught, "home")
    taught.stop()
    person.go("Playground")
    person.hears("Live check paused. Try again.")
    strokes = person.draw("star", 39, at=(0.8, 0.8), size=120)
    for _ in range(2):
        person.page.locator(".pause-note").get_by_role("button", name="Try again").click()
    taught.start()
    person.page.keyboard.press("Shift")
    person.hears("The studio is back.")
    person.expect_faces(["⭐"])
    person.expect_over(person.faces(), strokes)
    expect(person.page.locator(".pause-note")).to_be_hidden()
    expect(person.page.locator(".placed-item")).to_have_count(1)


def test_two_tabs_on_one_sheet_show_the_same_ink(taught, visit):
    def expect_refused_ink(person, strokes):
        """Ink that shakes its head is measured when it has done so."""
        person.expect_ink(len(strokes))
        expect(person.page.locator(".shape.is-unrecognized, .shape.is-confused")).to_have_count(1)
        person.settle()
        assert near(person.ink_box(), box(strokes), 8)

    one = visit(taught, "playground", size=(1000, 760))
    other = visit(taught, "playground", beside=one)
    one.page.bring_to_front()
    first = one.draw("cup", 4, at=(0.3, 0.3), size=160)
    expect_refused_ink(other, first)
    for _ in first:
        one.page.keyboard.press("Control+z")
    other.expect_ink(0)
    # The next strokes get the same numbers; the ink is another.
    second = one.draw("spiral", 8, at=(0.7, 0.6), size=200)
    expect_refused_ink(other, second)
    # Only the window that acts shows the message.
    for _ in second:
        one.page.keyboard.press("Control+z")
    one.expect_ink(0)
    one.page.keyboard.press("Control+z")
    one.hears("Nothing to undo.")
    other.expect_ink(0)
    expect(other.page.locator(".toast")).to_have_count(0)
    assert "Undone" not in other.page.locator("#spoken").inner_text()


@thorough
def test_a_smaller_second_tab_draws_in_the_same_units(taught, visit):
    one = visit(taught, "playground", size=(1200, 800))
    one.draw("house", 39, at=(0.8, 0.7), size=160)
    one.expect_faces(["🏠"])
    other = visit(taught, "home", beside=one)
    other.resize(*PHONE)
    other.go("Playground")
    other.expect_faces(["🏠"])
    drawn = other.draw("heart", 39, at=(0.3, 0.5), size=80)
    other.expect_faces(["🏠", "❤️"])
    other.expect_over(face(other, "heart"), drawn)
    one.expect_faces(["🏠", "❤️"])
    # The first window has lost nothing by it.
    one.settle()
    house, heart, sheet = (
        face(one, "house").bounding_box(),
        face(one, "heart").bounding_box(),
        one.sheet.bounding_box(),
    )
    assert (
        house["x"] > sheet["x"] + sheet["width"] / 2
        and heart["x"] < sheet["x"] + sheet["width"] / 2
    )
    assert heart["width"] > 150


def test_beside_a_sheet_of_another_shape_nothing_is_drawn(taught, visit):
    person = visit(taught, "playground", size=(1280, 720))
    person.draw("star", 40, at=(0.5, 0.5), size=160)
    person.expect_faces(["⭐"])
    person.resize(*PHONE)
    person.until("document.querySelector('.sheet').matches('.is-letterboxed')")
    person.settle()
    sheet, paper = person.sheet.bounding_box(), person.page.locator(".world").bounding_box()
    assert paper["y"] - sheet["y"] > 60, "there is a margin above the sheet"
    # The cursor and an edge say where the sheet is.
    cursor = "([x, y]) => getComputedStyle(document.elementFromPoint(x, y)).cursor"
    middle, above = (sheet["x"] + 150, paper["y"] + 20), (sheet["x"] + 150, paper["y"] - 30)
    assert person.page.evaluate(cursor, list(middle)) == "crosshair"
    assert person.page.evaluate(cursor, list(above)) == "not-allowed"
    assert (
        person.page.locator(".world").evaluate("(each) => getComputedStyle(each).outlineStyle")
        == "solid"
    )
    # A stroke in the margin leaves no ink and sends nothing; one from there begins at the sheet's
    # edge, and one from the sheet ends there.
    sent = []
    person.page.on(
        "request", lambda request: sent.append(request.url) if "/actions" in request.url else None
    )
    mouse = person.page.mouse
    mouse.move(*above)
    mouse.down()
    mouse.move(above[0] + 30, above[1] - 10, steps=5)
    mouse.up()
    person.hears("That is beside the sheet.")
    person.expect_ink(0)
    assert sent == []
    mouse.move(*above)
    mouse.down()
    mouse.move(*middle, steps=5)
    mouse.up()
    person.expect_ink(1)
    assert person.ink_box()[1] > paper["y"] - 6
    person.press("Undo")
    person.expect_ink(0)
    mouse.move(*middle)
    mouse.down()
    mouse.move(middle[0], paper["y"] - 40, steps=8)
    wet = """(y) => {
      const c = document.querySelector(".wet");
      const height = Math.floor((y * c.height) / c.getBoundingClientRect().height);
      const { data } = c.getContext("2d").getImageData(0, 0, c.width, height);
      return data.some((each) => each > 0);
    }"""
    person.frames()
    assert not person.page.evaluate(wet, paper["y"] - sheet["y"] - 3)
    mouse.up()
    person.expect_ink(1)
    assert person.page.evaluate(cursor, [middle[0], paper["y"] - 40]) == "not-allowed"


@pytest.mark.parametrize("size", often(PHONE, then=[(1440, 900)]), ids=["phone", "desktop"])
def test_words_on_the_sheet_can_be_read_and_move_no_box(taught, visit, size):
    model = taught.model["id"]
    words = {
        "star": "The Great Wall of China",
        "heart": "ti" * 14,
        "house": "cat",
        "sun": "Donaudampfschifffahrtsgesellschaft",
    }
    for name, label in words.items():
        taught.ask("PATCH", f"/models/{model}/labels/{quote(LABELS[name])}", {"label": label})
    taught.teach([])
    person = visit(taught, "playground", size=size)
    drawn = {}
    for name, (at, side) in {
        "star": ((0.3, 0.2), 150),
        "heart": ((0.75, 0.2), 150),
        "house": ((0.5, 0.5), 90),
        "sun": ((0.1, 0.8), 44),
    }.items():
        drawn[name] = person.draw(name, 30, at=at, size=side)
        expect(person.faces().filter(has_text=words[name])).to_have_count(1)
    for name, strokes in drawn.items():
        face = person.faces().filter(has_text=words[name])
        person.expect_over(face, strokes)
        assert face.get_attribute("title") == words[name]
        expect(face).to_have_attribute("aria-label", words[name])

    def readable():
        """Each plate's letters on the screen, and whether it lies on the paper."""
        return person.page.evaluate("""() => {
          const paper = document.querySelector('.world').getBoundingClientRect();
          return [...document.querySelectorAll('.face-words')].map((each) => {
            const box = each.getBoundingClientRect();
            const size = parseFloat(getComputedStyle(each).fontSize) * box.width / each.offsetWidth;
            return [size, box.left >= paper.left - 1 && box.right <= paper.right + 1];
          });
        }""")

    assert all(letters > 11.5 and is_seen for letters, is_seen in readable()), readable()
    # A plate is as wide as its word where there is room: whole pixels would widen these letters.
    assert (
        person.faces()
        .filter(has_text="ti" * 14)
        .locator(".face-words")
        .evaluate("(each) => each.scrollWidth <= each.clientWidth")
    )
    # Two lines where that is larger, and an ellipsis where a word is too long for a small drawing.
    assert (
        person.faces()
        .filter(has_text="Great Wall")
        .locator(".face-words")
        .evaluate("(each) => each.textContent.includes('\\n')")
    )
    assert (
        person.faces()
        .filter(has_text="Donau")
        .locator(".face-words")
        .evaluate("(each) => each.scrollWidth > each.clientWidth")
    )
    # In a smaller window, too.
    person.resize(size[0], size[1] // 2)
    person.until("document.querySelector('.sheet').matches('.is-letterboxed')")
    assert all(letters > 11.5 and is_seen for letters, is_seen in readable()), readable()


@pytest.mark.parametrize("size", often(PHONE, then=[(1440, 900)]), ids=["phone", "desktop"])
def test_a_model_that_was_never_trained_is_trained_first(fresh, visit, size):
    person = visit(fresh, "playground", size=size)
    note = person.page.locator(".train-note")
    expect(note).to_contain_text("Train the model first.")
    before = person.sheet.bounding_box()
    person.draw("star", 40, at=(0.5, 0.4))
    expect(person.page.locator(".shape.is-unrecognized, .shape.is-confused")).to_have_count(1)
    # The drawing is not to blame.
    expect(person.page.locator("#alarm")).to_contain_text("Train the model first.")
    expect(person.page.locator(".bubble")).to_have_count(0)
    ink, pen = person.page.evaluate(
        """(() => {
          const style = (selector) => getComputedStyle(document.querySelector(selector));
          return [style(".shape .stroke").fill, style(".sheet").color];
        })()"""
    )
    assert ink == pen and person.sheet.bounding_box() == before
    expect(note.get_by_role("button", name="Try 174 everyday things")).to_be_visible()
    note.get_by_role("link", name="Train").click()
    expect(person.page.locator(".train")).to_be_visible()
    fresh.teach(drawings("star")[:4] + drawings("heart")[:4])
    person.go("Playground")
    expect(note).to_be_hidden()


@thorough
@pytest.mark.parametrize("size", [PHONE, (1440, 900)], ids=["phone", "desktop"])
def test_who_has_taught_nothing_plays_with_everyday_things(fresh, visit, pictures, size):
    person = visit(fresh, "playground", size=size)
    note = person.page.locator(".train-note")
    person.settle()
    person.page.screenshot(path=pictures / f"everyday-offer-{size[0]}.png")
    offer = note.get_by_role("button", name="Try 174 everyday things")
    assert near_edges(note.bounding_box(), person.sheet.bounding_box()) >= 0
    offer.click()
    person.hears("“Everyday things” is active now.")
    expect(note).to_be_hidden()
    expect(person.page.locator(".sheet-hint")).to_contain_text("Draw an everyday thing")
    person.settle()
    person.page.screenshot(path=pictures / f"everyday-{size[0]}.png")
    person.draw("star", 40, at=(0.3, 0.4), size=120)
    person.expect_faces(["⭐"])
    # The user's own labels are added.
    fresh.teach(drawings("heart")[:6])
    person.draw("heart", 40, at=(0.7, 0.4), size=120)
    person.expect_faces(["⭐", "❤️"])
    # A second request activates the same model.
    person.go("Models")
    card = person.page.locator(".model-card").filter(has_text="Everyday things")
    expect(card).to_contain_text("knows everyday things · 1 emoji · 6 drawings")
    person.press("Everyday Things")
    person.hears("“Everyday things” is active now.")
    expect(card).to_have_count(1)
    person.go("Home")
    expect(person.page.locator(".home-model")).to_contain_text("knows everyday things")


def near_edges(inner, outer):
    """By how much one box is within another one at its narrowest side."""
    return min(
        inner["x"] - outer["x"],
        inner["y"] - outer["y"],
        outer["x"] + outer["width"] - inner["x"] - inner["width"],
        outer["y"] + outer["height"] - inner["y"] - inner["height"],
    )


@thorough
def test_a_model_whose_labels_are_all_deleted_knows_them_until_it_is_trained(taught, visit):
    model = taught.model["id"]
    for label in ("⭐", "❤️", "🏠", "🐟", "☀️"):
        taught.ask("DELETE", f"/models/{model}/labels/{quote(label)}")
    person = visit(taught, "playground")
    note = person.page.locator(".train-note")
    person.draw("star", 40, at=(0.25, 0.4))
    person.expect_faces(["⭐"])
    expect(note).to_be_hidden()
    person.go("Labels")
    expect(
        person.page.locator(".label-card").filter(has_text="forgotten with the next training")
    ).to_have_count(5)
    person.go("Train")
    learned = person.page.get_by_role("button", name="What it learned")
    expect(person.page.get_by_text("40 changes since it last learned.")).to_be_visible()
    expect(learned).to_be_visible()
    person.press("Train Model")
    person.hears(re.compile("Your model forgot 40 drawings.*It knows nothing now", re.DOTALL))
    expect(learned).to_be_hidden()
    expect(
        person.page.get_by_text("Draw a shape, pick its emoji, and add a few samples.")
    ).to_be_visible()
    assert taught.model["lastTrained"] is None and taught.model["untrainedCount"] == 0
    person.go("Labels")
    expect(person.page.get_by_text("No labels yet")).to_be_visible()
    # As before its first training; what was placed stays.
    person.go("Playground")
    expect(note).to_contain_text("Train the model first.")
    person.expect_faces(["⭐"])
    person.draw("heart", 40, at=(0.7, 0.4))
    expect(person.page.locator(".shape.is-unrecognized, .shape.is-confused")).to_have_count(1)
    expect(person.page.locator("#alarm")).to_contain_text("Train the model first.")
    expect(person.page.locator(".bubble")).to_have_count(0)


@thorough
@pytest.mark.parametrize("at", [(0.5, 0.3), (0.85, 0.85)], ids=["middle", "corner"])
def test_a_message_stays_beside_its_shape_when_the_panel_opens(taught, visit, at):
    # The message goes after 8 s; here it stays until all is measured.
    stays = """const wait = setTimeout;
      window.setTimeout = (call, time, ...rest) =>
        wait(call, time === 8000 ? 60000 : time, ...rest);"""
    person = visit(taught, "playground", size=PHONE, script=stays)
    person.draw("spiral", 3, at=at, size=90)
    bubble = person.page.locator(".bubble")
    expect(bubble).to_be_visible()

    def apart():
        """The message's vertical distance from its shape, and how far it leaves the paper."""
        person.settle()
        return person.page.evaluate(
            """() => {
          const box = (selector) => document.querySelector(selector).getBoundingClientRect();
          const words = box(".bubble");
          const ink = box(".shape.is-unrecognized, .shape.is-confused");
          const paper = box(".sheet");
          const outside = Math.max(
            paper.left - words.left, words.right - paper.right,
            paper.top - words.top, words.bottom - paper.bottom,
          );
          return [Math.max(words.top - ink.bottom, ink.top - words.bottom), outside]; }"""
        )

    before = apart()
    person.press("Emojis")
    expect(person.page.locator(".placed-panel")).to_be_visible()
    gap, beyond = apart()
    assert 0 < gap < 24 and beyond <= 0, (before, gap, beyond)


@thorough
def test_a_panel_with_many_emojis_leaves_the_sheet_in_the_window(taught, visit):
    person = visit(taught, "playground", size=PHONE)
    person.press("Emojis")
    for index in range(9):
        person.draw(
            "star",
            30 + index,
            at=(0.2 + 0.3 * (index % 3), 0.15 + 0.3 * (index // 3)),
            size=60,
            milliseconds=200,
        )
        expect(person.faces()).to_have_count(index + 1)
    sheet, panel = (
        person.sheet.bounding_box(),
        person.page.locator(".placed-panel").bounding_box(),
    )
    assert sheet["x"] >= 0 and sheet["x"] + sheet["width"] <= PHONE[0]
    # The panel is below.
    assert sheet["y"] >= 0 and sheet["y"] + sheet["height"] <= panel["y"] < PHONE[1]
