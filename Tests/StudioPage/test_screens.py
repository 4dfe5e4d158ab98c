"""Screenshots of every screen, in both themes and three sizes, in output/studio, and checks:
nothing overflows, related edges are aligned, emojis are where they were drawn.
"""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from test_looks import OUTSIDE
from thorough import often, thorough

SIZES = {"phone": (390, 844), "tablet": (1024, 1366), "desktop": (1440, 900)}


@pytest.mark.parametrize("size", often("phone", then=["tablet", "desktop"]))
def test_pictures_of_every_screen_and_their_measures(taught, visit, pictures, size):
    """X-006, B-003, B-020, B-021."""
    width, height = SIZES[size]
    person = visit(taught, "home", size=(width, height), color_scheme="light")
    page = person.page

    def picture(name):
        assert person.fits(), f"{name} is wider than the screen"
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            person.settle()
            page.screenshot(path=pictures / f"{name}-{size}-{theme}.png")

    def edges(selector):
        return [each.bounding_box() for each in page.locator(selector).all() if each.is_visible()]

    person.settle()
    tops = [round(each["y"]) for each in edges(".door-title")]
    rows = {round(each["y"]) for each in edges(".door")}
    assert len(set(tops)) == len(rows), f"titles of doors stand at {tops}"
    name = page.locator(".model-name")
    person.visit("train")
    assert name.evaluate(
        "(each) => each.scrollWidth <= each.clientWidth"
    ), "the first model's name is cut off"
    (frame,), (row,) = edges(".train-desk > .sheet-frame"), edges(".label-row .button")
    assert (
        abs(frame["x"] + frame["width"] - row["x"] - row["width"]) < 2
    ), "the sheet and the row below end in one line"
    person.visit("home")
    person.settle()
    picture("home")
    person.visit("train")
    person.pick("❤️")
    person.draw("heart", 40, size=min(width, height) * 0.32, milliseconds=250)
    picture("train")
    page.locator(".training").get_by_role("button", name="Train Model").click()
    page.locator(".report-headline").wait_for()
    page.locator(".training").scroll_into_view_if_needed()
    picture("trained")
    person.open_numbers()
    page.locator(".report-row").first.wait_for()
    picture("trained-numbers")
    if size == "tablet":
        page.get_by_role("searchbox", name="Search emojis").fill("heart")
    else:
        page.locator(".chosen").click()
        page.get_by_role("option").first.wait_for()
    picture("picker")
    page.keyboard.press("Escape")
    person.visit("playground")
    side = min(width * 0.3, 190)
    shapes = {
        "⭐": ("star", 40, (0.25, 0.25)),
        "🐟": ("fish", 41, (0.72, 0.27)),
        "☀️": ("sun", 42, (0.3, 0.68)),
    }
    drawn = {}
    for label, (name, index, place) in shapes.items():
        drawn[label] = person.draw(name, index, at=place, size=side, milliseconds=250)
        person.faces().filter(has_text=label).wait_for()
    for label, strokes in drawn.items():
        person.expect_over(person.faces().filter(has_text=label), strokes)
    person.draw("spiral", 3, at=(0.72, 0.62), size=side * 0.9, milliseconds=250)
    page.locator(".bubble").wait_for()
    picture("playground")
    for screen in ("labels", "models"):
        person.visit(screen)
        page.locator(".card").first.wait_for()
        picture(screen)
    head, lead = edges(".screen-tools")[0], edges(".screen-lead")[0]
    upper, lower = sorted((head, lead), key=lambda each: each["y"])
    assert lower["y"] - upper["y"] - upper["height"] >= 8, "the buttons and the words don't touch"
    page.get_by_role("button", name="Delete My first model").click()
    picture("are-you-sure")
    page.keyboard.press("Escape")
    person.visit("help")
    picture("help")
    page.locator(".explain .sheet").scroll_into_view_if_needed()
    person.draw("house", 40, size=130, milliseconds=250)
    person.press("Ask")
    page.locator(".verdict").wait_for()
    page.locator(".explain").evaluate(
        "(each) => each.scrollIntoView({ block: 'start', behavior: 'instant' })"
    )
    picture("why")
    page.locator(".certainty").evaluate(
        "(each) => each.scrollIntoView({ block: 'start', behavior: 'instant' })"
    )
    picture("dial")
    person.press("Settings")
    picture("settings")
    page.keyboard.press("Escape")
    person.press("Show the tips again")
    picture("tips")


def test_home_names_the_active_model_and_leads_to_its_screens(taught, visit):
    """S-001, B-002."""
    person = visit(taught, "help")
    person.page.goto(f"{taught.url}/")
    name = person.page.locator(".home-model-name")
    expect(name).to_have_text("My first model")
    for screen in ("Train", "Playground", "Models", "Help"):
        person.page.locator(".doors").get_by_text(screen, exact=True).click()
        expect(person.page.locator(f".screen-{screen.lower()}")).to_be_visible()
        person.go("Home")
    other = taught.ask("POST", "/models", {"name": "Animals"})
    taught.ask("PATCH", f"/models/{other['id']}", {"isActive": True})
    expect(name).to_have_text("Animals")


def test_the_theme_is_the_systems_until_another_one_is_set(taught, visit):
    """X-004, B-020."""
    person = visit(taught, "home", color_scheme="dark")

    def is_dark():
        person.settle()
        color = person.page.evaluate("getComputedStyle(document.body).backgroundColor")
        return max(int(each) for each in re.findall(r"\d+", color)[:3]) < 128

    assert is_dark()
    person.page.emulate_media(color_scheme="light")
    assert not is_dark()
    for theme, other in (("Dark", "light"), ("Light", "dark")):
        person.press("Settings")
        # A forced click does not wait until the dialog stands still.
        person.settle()
        with person.page.expect_response("**/api/settings"):
            person.page.get_by_role("radio", name=theme).check(force=True)
        person.page.keyboard.press("Escape")
        person.page.emulate_media(color_scheme=other)
        assert is_dark() == (theme == "Dark")


@thorough
def test_labels_that_are_words_take_an_emojis_room(taught, visit):
    model = taught.model["id"]
    labels = {each["label"] for each in taught.ask("GET", f"/models/{model}/labels")["labels"]}
    for old, new in zip(sorted(labels), ["butterfly", "The Great Wall of China"]):
        taught.ask("PATCH", f"/models/{model}/labels/{quote(old)}", {"label": new})
    person = visit(taught, "labels", size=(390, 844))
    for screen, inner, outer in [
        ("Labels", ".label-emoji", ".label-face"),
        ("Train", ".thumb-emoji", ".thumb"),
        ("Train", ".chip .emoji", ".chip"),
    ]:
        person.go(screen)
        expect(person.page.locator(inner, has_text="butterfly").first).to_be_visible()
        person.wait_for(lambda: person.page.evaluate(OUTSIDE, [inner, outer]) == [], inner)


@thorough
def test_a_name_that_is_too_long_is_said_and_not_cut(taught, visit):
    person = visit(taught, "models")
    person.press("New Model")
    name = person.page.get_by_role("textbox", name="Name")
    words = person.page.locator(".field-length")
    name.fill("a" * 40)
    expect(words).to_be_empty()
    # An emoji of many parts is one character, to the server too.
    name.fill("👩‍👩‍👧‍👦" * 2 + "e\u0301" * 70)
    expect(words).to_have_text("8 left")
    name.fill("b" * 83)
    expect(words).to_have_text("3 characters too long: 80 fit.")
    assert name.input_value() == "b" * 83
    person.press("Create")
    expect(person.page.get_by_role("dialog", name="New model")).to_be_visible()
    assert len(taught.ask("GET", "/models")["models"]) == 1
    name.fill(f"  {'b' * 80} ")
    expect(words).to_have_text("0 left")
    person.press("Create")
    expect(person.page.get_by_role("dialog")).to_have_count(0)
    assert "b" * 80 in [model["name"] for model in taught.ask("GET", "/models")["models"]]


@thorough
def test_samples_that_are_added_one_after_another_leave_one_message(fresh, visit):
    person = visit(fresh, "train")
    person.pick("⭐")
    toasts = person.page.locator(".toast")
    for index in range(3):
        person.draw("star", index, milliseconds=100)
        person.press("Add Sample")
        person.hears(f"Saved. That makes {index + 1}.")
        expect(toasts).to_have_count(1)
        # The next one is counted from those that the page knows of.
        expect(
            person.page.get_by_role("heading", name=f"Saved drawings ({index + 1})")
        ).to_be_visible()
    # Its Undo is that of the last one.
    last = max(fresh.samples(), key=lambda each: each["created"])["id"]
    toasts.get_by_role("button", name="Undo").click()
    expect(toasts).to_have_count(0, timeout=5000)
    person.until("document.querySelectorAll('.samples .thumb').length === 2")
    assert last not in [each["id"] for each in fresh.samples()]


@thorough
def test_each_deleted_label_is_named_and_the_messages_do_not_pile_up(taught, visit):
    person = visit(taught, "labels", has_clock=True)
    page, toasts = person.page, person.page.locator(".toast")
    for label in ("⭐", "❤️", "🏠", "🐟"):
        person.press(f"Delete {label}")
        person.press("Delete label")
        person.hears(f"Label {label} deleted.")
    expect(toasts).to_have_count(3)
    expect(toasts.locator("p")).to_have_text(
        [f"Label {label} deleted." for label in ("❤️", "🏠", "🐟")]
    )
    # A focused toast stays and keeps the focus, whatever other toasts appear.
    page.mouse.move(5, 5)  # The pointer holds none.
    undo = toasts.filter(has_text="❤️").get_by_role("button", name="Undo")
    undo.focus()
    page.evaluate(
        """async () => {
          const { toast } = await import("/toasts.js");
          for (const text of ["One.", "Two.", "Three."]) toast(text);
        }"""
    )
    expect(toasts.locator("p")).to_have_text(["Label ❤️ deleted.", "Two.", "Three."])
    expect(undo).to_be_focused()
    page.keyboard.press("Enter")
    person.hears("8 drawings of ❤️ are back.")
    # A keyboard shortcut works, too.
    person.press("Delete ☀️")
    person.press("Delete label")
    person.hears("Label ☀️ deleted.")
    page.keyboard.press("Control+z")
    person.hears("8 drawings of ☀️ are back.")
    # Also the deletions whose messages are gone, the newest first.
    page.locator(".screen-title").click()
    for label in ("🐟", "🏠"):
        person.pass_time(10_000)
        expect(toasts.filter(has=page.locator(".toast-action"))).to_have_count(0)
        page.keyboard.press("Control+z")
        person.hears(f"8 drawings of {label} are back.")
    expect(page.locator(".toast.is-bad")).to_have_count(0, timeout=5000)
    assert len(taught.samples("☀️")) == len(taught.samples("❤️")) == 8
