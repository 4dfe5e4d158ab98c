"""The Playground without its server, with one that refuses, and in two tabs: no ink is lost."""

from playwright.sync_api import expect

from person import box, near
from test_playground import PHONE, face
from thorough import thorough


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
    person.expect_faces(["⭐", "❤️"])
    person.expect_over(face(person, "heart"), strokes)
    expect(person.page.locator(".pause-note")).to_be_hidden()


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
