"""The Playground's sheet in windows of other sizes than it was drawn in."""

import pytest
from playwright.sync_api import expect

from person import box, near
from strokes import drawings
from test_playground import PHONE, face
from thorough import thorough

# Whether the paper fills its sheet.
WHOLE = """(() => {
  const [sheet, paper] = [".sheet", ".world"]
    .map((each) => document.querySelector(each).getBoundingClientRect());
  const isWide = Math.abs(sheet.width - paper.width) < 1;
  return isWide && Math.abs(sheet.height - paper.height) < 1;
})()"""


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
    person.hears("That was outside the sheet.")
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
