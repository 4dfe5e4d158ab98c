"""Pictures of every screen, in both themes and three sizes, kept in output/studio for people to look at; and what can be
measured of them: nothing sticks out, edges that belong together are in line, emojis stand where they were drawn."""

from urllib.parse import quote

import pytest
from playwright.sync_api import expect

SIZES = {"phone": (390, 844), "tablet": (1024, 1366), "desktop": (1440, 900)}


@pytest.mark.parametrize("size", SIZES)
def test_pictures_of_every_screen_and_their_measures(taught, visit, pictures, size):
    width, height = SIZES[size]
    person = visit(taught, "home", viewport={"width": width, "height": height}, color_scheme="light")
    page = person.page

    def picture(name):
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, f"{name} is wider than the screen"
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            person.settle()
            page.screenshot(path=pictures / f"{name}-{size}-{theme}.png")

    def edges(selector):
        return [each.bounding_box() for each in page.locator(selector).all() if each.is_visible()]

    person.settle()
    tops = [round(each["y"]) for each in edges(".door-title")]
    assert len(set(tops)) == (2 if len({round(each["y"]) for each in edges(".door")}) == 2 else 1), f"titles of doors stand at {tops}"
    name = page.locator(".model-name")
    person.visit("train")
    assert name.evaluate("(each) => each.scrollWidth <= each.clientWidth"), "the first model's name is cut off"
    (frame,), (row,) = edges(".train-desk > .sheet-frame"), edges(".label-row .button")
    assert abs(frame["x"] + frame["width"] - row["x"] - row["width"]) < 2, "the sheet and the row below end in one line"
    person.visit("home")
    person.settle()
    picture("home")
    person.visit("train")
    person.pick("❤️")
    person.draw("heart", 40, size=min(width, height) * 0.32, milliseconds=250)
    picture("train")
    page.locator(".training").get_by_role("button", name="Train Model").click()
    page.locator(".report-row").first.wait_for()
    page.locator(".training").scroll_into_view_if_needed()
    picture("trained")
    if size == "tablet":
        page.get_by_role("searchbox", name="Search emojis").fill("heart")
    else:
        page.locator(".chosen").click()
        page.get_by_role("option").first.wait_for()
    picture("picker")
    page.keyboard.press("Escape")
    person.visit("playground")
    side = min(width * 0.3, 190)
    shapes = {"⭐": ("star", 40, (0.25, 0.25)), "🐟": ("fish", 41, (0.72, 0.27)), "☀️": ("sun", 42, (0.3, 0.68))}
    for name, index, place in shapes.values():
        person.draw(name, index, at=place, size=side, milliseconds=250)
        page.wait_for_timeout(500)
    page.locator(".face").nth(2).wait_for()
    for label, (name, index, place) in shapes.items():
        person.expect_over(person.faces().filter(has_text=label), person.strokes(name, index, at=place, size=side))
    person.draw("spiral", 3, at=(0.72, 0.62), size=side * 0.9, milliseconds=250)
    page.locator(".bubble").wait_for()
    picture("playground")
    for screen in ("labels", "models"):
        person.visit(screen)
        page.locator(".card").first.wait_for()
        picture(screen)
    head, lead = edges(".screen-tools")[0], edges(".screen-lead")[0]
    assert lead["y"] - head["y"] - head["height"] >= 8, "the buttons and the words below them don't touch"
    page.get_by_role("button", name="Delete My first model").click()
    picture("are-you-sure")
    page.keyboard.press("Escape")
    person.visit("help")
    picture("help")
    page.locator(".explain .sheet").scroll_into_view_if_needed()
    person.draw("house", 40, size=130, milliseconds=250)
    person.press("Ask")
    page.locator(".verdict").wait_for()
    page.locator(".explain").evaluate("(each) => each.scrollIntoView({ block: 'start', behavior: 'instant' })")
    picture("why")
    page.locator(".certainty").evaluate("(each) => each.scrollIntoView({ block: 'start', behavior: 'instant' })")
    picture("dial")
    person.press("Settings")
    picture("settings")
    page.keyboard.press("Escape")
    person.press("Show the tips again")
    picture("tips")


def test_labels_that_are_words_take_an_emojis_room(taught, visit):
    model = taught.model["id"]
    labels = {each["label"] for each in taught.ask("GET", f"/models/{model}/labels")["labels"]}
    for old, new in zip(sorted(labels), ["butterfly", "The Great Wall of China"]):
        taught.ask("PATCH", f"/models/{model}/labels/{quote(old)}", {"label": new})
    person = visit(taught, "labels", viewport={"width": 390, "height": 844})
    for screen, inner, outer in [("Labels", ".label-emoji", ".label-face"), ("Train", ".thumb-emoji", ".thumb"), ("Train", ".chip .emoji", ".chip")]:
        person.go(screen)
        expect(person.page.locator(inner, has_text="butterfly").first).to_be_attached()
        person.until(f"""[...document.querySelectorAll('{inner}')].every((each) => {{
          const [a, b] = [each.getBoundingClientRect(), each.closest('{outer}').getBoundingClientRect()];
          return a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1; }})""")
