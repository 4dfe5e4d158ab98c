"""The Playground's sheet: emojis and words in their places, and models that know little."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from strokes import drawings
from thorough import often, thorough

PHONE = (390, 844)
CORNERS = {"star": (0.2, 0.12), "heart": (0.8, 0.12), "house": (0.2, 0.88), "sun": (0.8, 0.88)}
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
        person.page.locator(".label-card").filter(has_text="forgotten at the next training")
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
