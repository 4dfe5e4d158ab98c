"""Corrections on the Playground: a held press opens a menu, and the model learns at once."""

import re

import pytest
from playwright.sync_api import expect

from strokes import drawings
from test_accessibility import nameless, violations
from thorough import often, thorough

PHONE = (390, 844)
SIZES = [PHONE, (768, 1024), (1280, 800)]


def menu(person):
    return person.page.locator(".shape-menu")


def hold_ink(person):
    """Holds on the ink of the refused shape: where its first stroke begins."""
    x, y = person.page.evaluate(
        """(() => {
          const refused = ".shape:is(.is-unrecognized, .is-confused) path";
          const path = document.querySelector(refused);
          const { x, y } = path.getPointAtLength(0);
          const at = new DOMPoint(x, y).matrixTransform(path.getScreenCTM());
          return [at.x, at.y];
        })()"""
    )
    person.rest_at(x, y)


def picked_guess(person, server):
    """Corrects the only emoji to the first guess of its menu, which becomes a sample. Its label."""
    guess = menu(person).locator(".shape-guess").first
    label = guess.locator(".emoji").text_content()
    guess.click()
    person.expect_faces([label])
    person.wait_for(lambda: len(server.samples(label)) == 9, "it is a sample")
    return label


def corrected_to_a_guess(person, server):
    person.open_menu(person.faces())
    return picked_guess(person, server)


def refused(person, shape="spiral", index=6, at=(0.5, 0.4)):
    person.draw(shape, index, at=at)
    drawing = person.page.get_by_role("button", name="A drawing that was not recognized")
    expect(drawing).to_have_count(1)


def test_a_refused_drawing_is_named_and_learned_at_once(taught, visit, notes):
    person = visit(taught, "playground")
    refused(person)
    # It asks at once; the menu has more to say.
    bubble = person.page.locator(".bubble")
    expect(bubble).to_contain_text("I don’t know this yet. Tell me!")
    expect(bubble.get_by_role("button")).to_have_count(4)
    person.settle()
    assert violations(person.page) == {}
    assert nameless(person) == []
    hold_ink(person)
    expect(menu(person)).to_contain_text("Couldn’t classify that drawing.")
    # Three guesses of the one rule, on the shape's own strokes.
    expect(menu(person).locator(".shape-guess")).to_have_count(3)
    menu(person).get_by_role("button", name="It is a …").click()
    person.choose("snail")
    person.expect_faces(["🐌"])
    expect(person.page.locator("#spoken")).to_contain_text("Learned: snail.", timeout=60_000)
    expect(person.page.locator(".toast")).to_have_text(re.compile("That is 🐌. Learned."))
    expect(menu(person)).to_be_hidden()
    assert notes.asked("POST", "/train") == 1
    # The sample is the drawing, with its times from the start.
    [sample] = taught.samples("🐌")
    assert sample["isTaught"] and taught.model["untrainedCount"] == 0
    assert len(sample["strokes"]) == len(drawings("spiral")[6]["strokes"])
    assert sample["strokes"][0][2][0] == 0
    # What it was taught, it now knows.
    person.draw("spiral", 7, at=(0.2, 0.3), size=120)
    person.expect_faces(["🐌", "🐌"])
    # The correction outlives the server.
    taught.stop()
    taught.start()
    notes.allow_away()
    person.page.reload()
    person.expect_faces(["🐌", "🐌"])


def test_an_emoji_is_corrected_to_a_guess_and_undo_forgets_it(taught, visit):
    person = visit(taught, "playground")
    person.draw("star", 31)
    person.expect_faces(["⭐"])
    person.open_menu(person.faces())
    expect(menu(person)).to_contain_text(re.compile(r"star, .*\d+ % sure"))
    label = picked_guess(person, taught)
    assert label != "⭐"
    person.hears(f"That is {label}.")
    assert len(taught.samples()) == 41
    person.wait_for(lambda: taught.samples()[0]["isTaught"], "it is learned", 60)
    # The sheet's own undo takes the lesson back, too.
    person.page.keyboard.press("Control+z")
    person.expect_faces(["⭐"])
    person.wait_for(lambda: len(taught.samples()) == 40, "the sample is gone", 60)
    person.wait_for(lambda: taught.model["untrainedCount"] == 0, "it is forgotten", 60)


def test_shapes_are_joined_and_undo_parts_them(taught, visit, pictures):
    person = visit(taught, "playground")
    page = person.page
    star = person.draw("star", 31, at=(0.35, 0.5), size=100)
    person.expect_faces(["⭐"])
    heart = person.draw("heart", 31, at=(0.65, 0.5), size=100)
    person.expect_faces(["⭐", "❤️"])
    # Whatever ends the sheet's state ends the question.
    person.open_menu(person.faces().first)
    menu(person).get_by_role("button", name="Belongs with …").click()
    person.press("Clear")
    expect(person.faces()).to_have_count(0)
    person.press("Undo")
    person.expect_faces(["⭐", "❤️"])
    person.open_menu(person.faces().nth(1))
    expect(menu(person)).to_be_visible()
    page.keyboard.press("Escape")
    person.open_menu(person.faces().first)
    menu(person).get_by_role("button", name="Belongs with …").click()
    expect(page.locator(".bubble")).to_contain_text("Tap what belongs to it.")
    expect(page.locator(".face.is-chosen")).to_have_count(1)
    page.screenshot(path=pictures / "join.png")
    box = person.faces().nth(1).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(person.faces()).to_have_count(1)
    expect(page.locator(".is-chosen")).to_have_count(0)
    person.expect_over(person.faces().first, star + heart, tolerance=6)
    page.keyboard.press("Control+z")
    person.expect_faces(["⭐", "❤️"])


def test_lines_of_an_emoji_become_a_shape_of_their_own(taught, visit, pictures):
    person = visit(taught, "playground")
    page = person.page
    person.draw("house", 31)
    person.expect_faces(["🏠"])
    person.open_menu(person.faces())
    menu(person).get_by_role("button", name="Add as sample").click()
    person.wait_for(lambda: len(taught.samples("🏠")) == 9, "it is a sample")
    person.open_menu(person.faces())
    menu(person).get_by_role("button", name="Two things …").click()
    dialog = page.get_by_role("dialog", name="Two things")
    lines = dialog.get_by_role("button", name=re.compile("Line"))
    go = dialog.get_by_role("button", name="Make it two")
    expect(lines).to_have_count(3)
    expect(go).to_be_disabled()
    lines.first.press("Enter")
    page.screenshot(path=pictures / "split.png")
    expect(go).to_be_enabled()
    go.click()
    expect(page.locator(".sheet .shape[data-shape]")).to_have_count(2)
    person.settle()
    # What is left is another drawing than the sample.
    hold_ink(person)
    menu(person).get_by_role("button", name="It is a …").click()
    person.choose("snail")
    person.wait_for(lambda: len(taught.samples("🐌")) == 1, "it is a sample")
    assert len(taught.samples("🏠")) == 9
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    person.expect_faces(["🏠"])


def test_not_this_and_take_away_can_be_undone(taught, visit):
    person = visit(taught, "playground")
    person.draw("heart", 31)
    person.expect_faces(["❤️"])
    person.open_menu(person.faces())
    menu(person).get_by_role("button", name="Not this").click()
    person.expect_faces([])
    person.expect_ink(len(drawings("heart")[31]["strokes"]))
    # It says nothing, and nothing is learned.
    expect(person.page.locator(".bubble")).to_have_count(0)
    hold_ink(person)
    menu(person).get_by_role("button", name="Take away").click()
    person.expect_ink(0)
    expect(menu(person)).to_be_hidden()
    person.press("Undo")
    person.expect_ink(len(drawings("heart")[31]["strokes"]))
    person.press("Undo")
    person.expect_faces(["❤️"])
    assert len(taught.samples()) == 40


@pytest.mark.parametrize("size", often(PHONE, then=SIZES[1:]), ids=["phone", "tablet", "desktop"])
def test_an_emoji_is_moved_resized_and_put_back(taught, visit, size):
    person = visit(taught, "playground", size=size)
    drawn = person.draw("house", 31, at=(0.5, 0.3), size=110)
    person.expect_faces(["🏠"])
    person.open_menu(person.faces())
    frame = person.page.locator(".shape-frame")
    expect(frame).to_be_visible()
    person.settle()
    before = person.faces().bounding_box()
    mouse = person.page.mouse
    mover = person.page.locator(".shape-corner.is-mover").bounding_box()
    x, y = mover["x"] + mover["width"] / 2, mover["y"] + mover["height"] / 2
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 30, y + 40, steps=3)
    mouse.up()
    person.wait_for(
        lambda: abs(person.faces().bounding_box()["x"] - before["x"] - 30) < 2, "it is moved"
    )
    corner = person.page.locator(".shape-corner:not(.is-mover)").bounding_box()
    x, y = corner["x"] + corner["width"] / 2, corner["y"] + corner["height"] / 2
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 40, y + 40, steps=3)
    mouse.up()
    person.wait_for(
        lambda: abs(person.faces().bounding_box()["width"] - before["width"] - 40) < 2, "is larger"
    )
    # Nothing was drawn, and the server has it so.
    person.expect_ink(0)
    after = person.faces().bounding_box()
    person.page.reload()
    person.expect_faces(["🏠"])
    person.settle()
    assert person.faces().bounding_box() == pytest.approx(after, abs=2)
    person.open_menu(person.faces())
    menu(person).get_by_role("button", name="Put back").click()
    person.wait_for(lambda: person.faces().bounding_box()["width"] < after["width"] - 20, "back")
    person.expect_over(person.faces(), drawn)


def test_a_tap_is_a_dot_while_a_shape_is_drawn_and_beside_shapes(taught, visit):
    person = visit(taught, "playground")
    person.draw("star", 31, at=(0.3, 0.4))
    person.expect_faces(["⭐"])
    star = person.faces().bounding_box()
    # While the heart is still drawn, a tap on the star is ink.
    person.draw("heart", 31, at=(0.75, 0.4))
    person.page.mouse.click(star["x"] + star["width"] / 2, star["y"] + star["height"] / 2)
    expect(menu(person)).to_be_hidden()
    expect(person.page.locator(".sheet .ink .stroke:visible")).not_to_have_count(0)
    person.page.keyboard.press("Control+z")
    person.expect_faces(["⭐", "❤️"])
    # On blank paper a tap is a dot, and an open menu closes.
    sheet = person.sheet.bounding_box()
    corner = (sheet["x"] + 0.5 * sheet["width"], sheet["y"] + 0.85 * sheet["height"])
    person.open_menu(person.faces().first)
    expect(menu(person)).to_be_visible()
    person.page.mouse.click(*corner)
    expect(menu(person)).to_be_hidden()
    person.expect_ink(1)


@pytest.mark.parametrize(
    "theme, size", [("light", SIZES[2]), pytest.param("dark", PHONE, marks=thorough)]
)
def test_the_menu_by_keyboard_and_for_screen_readers(taught, visit, theme, size):
    person = visit(taught, "playground", color_scheme=theme, reduced_motion="reduce", size=size)
    page = person.page
    person.draw("star", 31, at=(0.3, 0.3), size=110)
    person.expect_faces(["⭐"])
    refused(person, at=(0.7, 0.3))
    assert violations(page) == {}
    # The shapes are one tab stop, and arrows go on.
    page.locator("h1").focus()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('.sheet [role=button][data-shape]')"):
            break
    first = page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("ArrowLeft" if "not recognized" in first else "ArrowRight")
    second = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert {first, second} == {"star", "A drawing that was not recognized"}
    page.locator(".face").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name=re.compile("star"))).to_be_visible()
    expect(menu(person).locator(".shape-guess")).to_have_count(3)
    assert violations(page) == {}
    assert nameless(person) == []
    # The frame moves and resizes by keys.
    before = person.faces().bounding_box()
    page.locator(".shape-frame").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("+")
    person.wait_for(lambda: person.faces().bounding_box()["width"] > before["width"] + 5, "larger")
    page.keyboard.press("Escape")
    expect(menu(person)).to_be_hidden()
    assert page.evaluate("document.activeElement.matches('.face')")
    page.keyboard.press(" ")
    page.get_by_role("button", name="Take away").focus()
    page.keyboard.press("Enter")
    person.expect_faces([])
    person.until("document.activeElement !== document.body")


@thorough
@pytest.mark.parametrize(
    "size", [(320, 568), (390, 844), (844, 390), (768, 1024), (1280, 800)]
)
def test_the_menu_is_seen_whole_and_beside_its_shape(taught, visit, size):
    person = visit(taught, "playground", size=size)
    for place in [(0.2, 0.25), (0.8, 0.75)]:
        person.draw("star", 31, at=place, size=60)
        expect(person.faces()).not_to_have_count(0)
    person.expect_faces(["⭐", "⭐"])
    for index in range(2):
        person.open_menu(person.faces().nth(index))
        expect(menu(person).locator(".shape-guess")).to_have_count(3)
        person.settle()
        box, star = menu(person).bounding_box(), person.faces().nth(index).bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= size[0]
        assert box["y"] >= 0 and box["y"] + box["height"] <= size[1]
        apart = (
            star["x"] + star["width"] <= box["x"] or box["x"] + box["width"] <= star["x"]
            or star["y"] + star["height"] <= box["y"] or box["y"] + box["height"] <= star["y"]
        )
        assert apart, "the menu covers its emoji"
        person.page.keyboard.press("Escape")


def test_bars_show_what_a_shape_may_become_and_can_be_hidden(taught, visit, notes):
    person = visit(taught, "playground")
    guesses = person.page.locator(".live-guesses")
    house = person.strokes("house", 31, at=(0.4, 0.4))
    person.move(house[:1])
    # What the pen may go on with is not decided while it is down.
    mouse = person.page.mouse
    mouse.move(*house[1][0][:2])
    mouse.down()
    expect(guesses.locator("li")).to_have_count(3)
    # They lie in the other half of the sheet.
    assert guesses.bounding_box()["y"] > person.ink_box()[3]
    requests = len(notes.requests)
    bars = "[...document.querySelectorAll('.live-guesses .meter-after')]"
    widths = f"{bars}.map((each) => each.style.width)"
    before = person.page.evaluate(widths)
    for x, y, _ in house[1][1:]:
        mouse.move(x, y)
    mouse.up()
    mouse.move(*house[2][0][:2])
    mouse.down()
    person.wait_for(lambda: person.page.evaluate(widths) != before, "the bars move")
    expect(guesses.locator("li")).to_have_count(3)
    # They come with the events: nothing but the strokes is sent, and nothing is asked for later.
    for x, y, _ in house[2][1:]:
        mouse.move(x, y)
    mouse.up()
    person.expect_faces(["🏠"])
    expect(guesses).to_be_hidden()
    sent = [url for _, url in notes.requests[requests:] if "/api/" in url]
    assert all(url.endswith("/actions") for url in sent), sent
    star = person.draw("star", 31, at=(0.7, 0.4))
    mouse.move(*star[0][0][:2])
    mouse.down()
    expect(guesses).to_be_visible()
    # The pen that is down does not keep the button from keys.
    guesses.get_by_role("button", name="Hide guesses").focus()
    person.page.keyboard.press("Enter")
    mouse.up()
    person.page.keyboard.press("Control+z")
    expect(guesses).to_be_hidden()
    person.expect_faces(["🏠", "⭐"])
    person.page.reload()
    person.draw("heart", 31, at=(0.2, 0.75), size=100)
    person.expect_faces(["🏠", "⭐", "❤️"])
    expect(guesses).to_be_hidden()
    person.press("Settings")
    person.page.get_by_role("checkbox", name="Guesses while you draw").check()
    person.page.keyboard.press("Escape")
    person.draw("fish", 31, at=(0.75, 0.8), size=100)
    mouse.down()
    expect(guesses).to_be_visible()
    mouse.up()
