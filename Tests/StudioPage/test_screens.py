"""Pictures of every screen, in both themes and three sizes, kept in output/studio for people to look at; and that nothing
sticks out of any of them."""

import pytest

SIZES = {"phone": (390, 844), "tablet": (1024, 1366), "desktop": (1440, 900)}


@pytest.mark.parametrize("size", SIZES)
def test_screens_look_as_they_should(taught, visit, pictures, size):
    width, height = SIZES[size]
    person = visit(taught, "home", viewport={"width": width, "height": height}, color_scheme="light")
    page = person.page

    def picture(name):
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, f"{name} is wider than the screen"
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)
            page.wait_for_timeout(180)
            page.screenshot(path=pictures / f"{name}-{size}-{theme}.png")

    page.wait_for_timeout(1200)
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
    for name, index, place in (("star", 40, (0.25, 0.25)), ("fish", 41, (0.72, 0.27)), ("sun", 42, (0.3, 0.68))):
        person.draw(name, index, at=place, size=side, milliseconds=250)
        page.wait_for_timeout(500)
    page.locator(".face").nth(2).wait_for()
    person.draw("spiral", 3, at=(0.72, 0.62), size=side * 0.9, milliseconds=250)
    page.locator(".bubble").wait_for()
    page.wait_for_timeout(600)
    picture("playground")
    for screen in ("labels", "models"):
        person.visit(screen)
        page.locator(".card").first.wait_for()
        picture(screen)
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
    page.wait_for_timeout(900)
    picture("tips")
