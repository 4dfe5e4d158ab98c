"""The projector view: the sheet alone, for a class to see."""

import pytest
from playwright.sync_api import expect

from thorough import often, thorough

CHROME = ".bar, .tabs, .screen-playground .tool, .projector-button, .placed-panel"

# Records the element that asks for full screen; the window stays as it is.
FULL_SCREEN = """
Object.defineProperty(Document.prototype, "fullscreenEnabled", { value: true });
Element.prototype.requestFullscreen = async function () { window.asked = this; };
"""


def is_alone(person):
    expect(person.page.locator(CHROME).locator("visible=true")).to_have_count(0)
    size = person.page.evaluate("[innerWidth, innerHeight]")
    box = person.sheet.bounding_box()
    assert [box["x"], box["y"], box["width"], box["height"]] == [0, 0, *size]


@pytest.mark.parametrize("scheme", often("light", then=["dark"]))
def test_the_projector_view_shows_the_sheet_and_the_last_guess(taught, visit, pictures, scheme):
    person = visit(taught, "playground", size=(1280, 720), color_scheme=scheme, script=FULL_SCREEN)
    page = person.page
    person.press("Project")
    person.settle()
    is_alone(person)
    assert person.page.evaluate("asked === document.documentElement")
    person.draw("star", 31, at=(0.35, 0.4), size=240)
    person.expect_faces(["⭐"])
    guess = page.locator(".projector-guess")
    expect(guess).to_contain_text("star")
    expect(guess).to_contain_text("sure")
    assert float(guess.evaluate("(each) => parseFloat(getComputedStyle(each).fontSize)")) >= 40
    person.draw("heart", 31, at=(0.7, 0.4), size=240)
    person.expect_faces(["⭐", "❤️"])
    expect(guess).to_contain_text("heart")
    person.settle()
    page.screenshot(path=pictures / f"projector-{scheme}.png")
    # Undo is there by its key, and the corner leaves.
    page.keyboard.press("Control+z")
    person.expect_faces(["⭐"])
    person.press("Leave the projector view")
    expect(page.locator(".bar")).to_be_visible()
    expect(guess).to_be_hidden()
    person.until("document.activeElement.ariaLabel === 'Project'")
    # Keys do the same.
    page.keyboard.press("F9")
    person.settle()
    is_alone(person)
    page.keyboard.press("Escape")
    expect(page.locator(".bar")).to_be_visible()


@thorough
def test_keys_open_and_leave_the_projector_view_without_full_screen(taught, visit):
    person = visit(
        taught, "playground", size=(390, 844),
        script="Object.defineProperty(Document.prototype, 'fullscreenEnabled', { value: false });",
    )
    press = person.page.keyboard.press
    for leave in ("Escape", "F9"):
        press("F9")
        person.settle()
        is_alone(person)
        press(leave)
        expect(person.page.locator(".bar")).to_be_visible()
    # An open menu takes the first Escape, and another screen ends the view.
    press("F9")
    person.settle()
    person.draw("star", 31)
    person.expect_faces(["⭐"])
    person.settle()
    person.open_menu(person.faces())
    menu = person.page.get_by_role("dialog").or_(person.page.locator(".shape-menu"))
    expect(menu.first).to_be_visible()
    press("Escape")
    expect(menu.first).to_be_hidden()
    is_alone(person)
    person.visit("help")
    expect(person.page.locator(".bar")).to_be_visible()
    expect(person.page.get_by_text("How do I show it to a class?")).to_be_visible()
