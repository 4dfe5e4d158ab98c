"""The Playground without its server, with one that refuses, and in two tabs: no ink is lost."""

from playwright.sync_api import expect

from person import box, near
from test_playground import PHONE
from thorough import thorough


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
    person.press("Undo")
    person.hears("This must wait until the studio is back.")


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
