"""WCAG 2.2 AA: names, roles, contrast (by axe-core), keyboard, motion, target sizes."""

import re
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import expect

from thorough import thorough

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
FOCUSED_NAME = """(() => {
  const focused = document.activeElement;
  return (focused.getAttribute("aria-label") ?? focused.textContent).trim();
})()"""
# Controls that are too small to be pressed.
SMALL = """() => [...document.querySelectorAll("a[href], button, input, summary, [role=option]")]
  .filter((each) => each.checkVisibility({ contentVisibilityAuto: true }))
  .filter((each) => !each.matches(".unseen, .skip"))
  .map((each) => [each.className, each.textContent.slice(0, 20), each.getBoundingClientRect()])
  .filter(([, , box]) => box.width < 24 || box.height < 24)"""
# How the focus is seen.
FOCUS = """() => {
  const focused = document.activeElement;
  // Behind the last control is the browser's own.
  if (focused === document.body) return [true, ""];
  const { outlineStyle, outlineWidth } = getComputedStyle(focused);
  const { top, bottom } = focused.getBoundingClientRect();
  const isSeen = bottom > 0 && top < innerHeight;
  return [outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && isSeen, focused.className];
}"""
SCREENS = ("home", "train", "playground", "labels", "capture", "art", "models", "help")

# Writes down every animation that begins, by what it moves.
ANIMATIONS = """
  window.moved = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    window.moved.push({ of: this.getAttribute('class') ?? '', frames: JSON.stringify(frames) });
    return animate.call(this, frames, options);
  };
"""


def violations(page):
    page.evaluate(AXE)
    result = page.evaluate(
        """async () => (await axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })).violations.map(({ id, nodes }) => {
      const words = ({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`;
      return { id, nodes: nodes.slice(0, 4).map(words) };
    })"""
    )
    return {each["id"]: each["nodes"] for each in result}


def nameless(person):
    """Controls in the accessibility tree that have no name."""
    session = person.page.context.new_cdp_session(person.page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    controls = {
        "button", "link", "textbox", "searchbox", "slider", "radio", "checkbox", "option",
        "listbox", "progressbar", "dialog", "img", "group",
    }
    return [
        node["role"]["value"]
        for node in nodes
        if not node.get("ignored") and node.get("role", {}).get("value") in controls - {"group"}
        and not node.get("name", {}).get("value", "").strip()
    ]


@pytest.mark.parametrize(
    "theme, size",
    [
        ("dark", (390, 844)),
        pytest.param("light", (1024, 768), marks=thorough),
        pytest.param("light", (1024, 1366), marks=thorough),
    ],
    ids=["dark, phone", "light", "light, tablet"],
)
def test_every_screen_passes_axe_and_its_controls_have_names_and_room(taught, visit, theme, size):
    person = visit(taught, "home", color_scheme=theme, reduced_motion="reduce", size=size)
    for screen in SCREENS:
        person.visit(screen)
        filled(person, screen)
        assert violations(person.page) == {}, screen
        assert nameless(person) == [], screen
        assert person.page.locator("h1").count() == 1
        assert person.page.evaluate(SMALL) == [], screen
    # The dialogs too.
    person.visit("train")
    # On a tablet they are beside the sheet.
    more = person.page.get_by_role("button", name="All emojis", exact=True)
    if more.is_visible():
        more.click()
    expect(person.page.get_by_role("option").first).to_be_visible()
    assert violations(person.page) == {}
    person.page.keyboard.press("Escape")
    person.press("Settings")
    assert violations(person.page) == {}
    person.page.keyboard.press("Escape")
    person.visit("models")
    person.press("Delete My first model")
    assert violations(person.page) == {}
    assert nameless(person) == []


def filled(person, screen):
    """Waits until what the server is asked for stands on a screen."""
    part = {
        "train": ".samples .thumb",
        "labels": ".label-name",
        "models": ".model-faces .emoji",
        "help": ".certainty .thumb",
    }.get(screen, "h1")
    person.page.locator(part).first.wait_for(state="attached")


def test_everything_but_drawing_by_keyboard(taught, visit):
    person = visit(taught, "home")
    page = person.page
    press = page.keyboard.press

    def focused():
        return page.evaluate(FOCUSED_NAME)

    def tab_to(name, limit=60):
        for _ in range(limit):
            press("Tab")
            is_seen, element = page.evaluate(FOCUS)
            assert is_seen, element
            if re.fullmatch(name, focused()):
                return
        raise AssertionError(f"Tab does not reach {name}; it stands on {focused()!r}")

    # Skip link, then a door.
    press("Tab")
    assert focused() == "Skip to the screen"
    tab_to("TrainDraw shapes and teach them")
    press("Enter")
    expect(page.locator(".train")).to_be_visible()
    # Draw with the mouse (the one thing that needs a pointer), then everything else by keyboard.
    person.draw("moon", 3)
    page.locator("h1").focus()
    tab_to("All emojis")
    press("Enter")
    expect(page.get_by_role("dialog", name="Pick an emoji")).to_be_visible()
    assert focused() == "Search emojis"
    page.keyboard.type("crescent")
    expect(page.get_by_role("option").first).to_be_visible()
    press("ArrowDown")
    first = focused()
    press("ArrowRight")
    assert focused() != first
    press("ArrowLeft")
    assert focused() == first
    press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name=re.compile("^Picked: "))).to_be_visible()
    tab_to("Add Sample")
    press("Enter")
    person.hears("Saved.")
    # The saved ink fades before the sheet is empty.
    person.expect_ink(0)
    # The toast's Undo brings the ink back, and the focus returns to where it came from. The toast
    # closes after 10 s, so the keys begin after the many drawings and the sheet's own Undo.
    page.locator(".samples .thumb").last.focus()
    tab_to("Undo")
    press("Enter")
    person.expect_ink(1)
    assert focused() != "" and page.evaluate("document.activeElement !== document.body")
    press("Control+z")
    person.expect_ink(0)
    # Models: make one, and delete it.
    tab_to("Models", limit=200)
    press("Enter")
    expect(page.locator(".model-card")).to_have_count(1)
    tab_to("New Model")
    press("Enter")
    page.keyboard.type("By keys")
    press("Enter")
    person.hears("“By keys” is ready and active.")
    # The button that opened the dialog has the focus again.
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert focused() == "New Model"
    tab_to("Delete By keys")
    press("Enter")
    # The safe answer has the focus.
    assert focused() == "Keep it"
    press("Tab")
    press("Enter")
    expect(page.locator(".model-card")).to_have_count(1)
    expect(page.get_by_role("dialog")).to_have_count(0)
    person.until("document.activeElement.tagName === 'H1'")
    # The dial.
    tab_to("Help", limit=200)
    press("Enter")
    expect(page.locator(".certainty .thumb").first).to_be_attached()
    slider = page.get_by_role("slider", name="How sure must I be?")
    for _ in range(200):
        press("Tab")
        if slider.evaluate("(each) => each === document.activeElement"):
            break
    before = slider.get_attribute("aria-valuetext")
    press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") != before


def test_less_motion_means_no_movement(taught, visit):
    person = visit(taught, "playground", script=ANIMATIONS, reduced_motion="reduce")
    person.draw("star", 51, at=(0.3, 0.4))
    person.expect_faces(["⭐"])
    person.draw("spiral", 6, at=(0.75, 0.4))
    # The message is there all the same.
    expect(person.page.locator(".bubble")).to_be_visible()
    moved = person.page.evaluate("window.moved")
    assert [each for each in moved if "transform" in each["frames"]] == []
    # Nor is there an endless animation, such as the bar of a training of unknown length.
    person.go("Train")
    slow = person.hold("**/train")
    person.press("Train Model")
    slow.wait()
    bar = person.page.get_by_role("progressbar", name="Training")
    expect(bar).to_be_visible()
    assert bar.evaluate(
        "(each) => [each.matches(':indeterminate'), getComputedStyle(each).animationName]"
    ) == [True, "none"]
    assert (
        person.page.evaluate(
            "document.getAnimations().map((each) => each.effect.getTiming().iterations)"
            ".filter((each) => each === Infinity).length"
        )
        == 0
    )
    slow.release()
    person.hears("Your model has learned.")
    # The joy about a training is there, and stands still.
    expect(person.page.locator(".training-joy .emoji")).to_have_count(5)
    moved = person.page.evaluate("window.moved")
    assert [each for each in moved if "transform" in each["frames"]] == []


def test_screen_readers_hear_what_happens(taught, visit):
    person = visit(taught, "playground", size=(390, 844))
    page, spoken = person.page, person.page.locator("#spoken")
    person.press("Emojis")
    person.draw("heart", 51)
    expect(spoken).to_contain_text(re.compile(r"heart, .*\d+ % sure"))
    # The names of emojis come behind them.
    placed = page.locator(".placed-list")
    expect(placed).to_contain_text(re.compile("heart.*% sure"))
    assert re.search(r"listitem: heart .*% sure", placed.aria_snapshot())
    assert violations(page) == {}
    person.press("Clear")
    expect(spoken).to_contain_text("The sheet is clear.")
    person.go("Labels")
    person.until("document.activeElement.tagName === 'H1'")
    expect(page).to_have_title("Labels – DrawML")
    # A dialog does not outlive its screen.
    person.go("Models")
    person.press("Delete My first model")
    expect(page.get_by_role("dialog", name="Are you sure?")).to_be_visible()
    page.go_back()
    expect(page.locator(".screen-labels h1")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_the_focus_stays_where_things_are_drawn_anew(taught, visit):
    taught.ask("POST", "/models", {"name": "Second"})
    person = visit(taught, "labels")
    page = person.page
    press = page.keyboard.press

    def expect_focus(name):
        person.until(f"{FOCUSED_NAME} === {name!r}")

    # On the first screen, too: a deletion leaves the focus on the heading.
    page.get_by_role("button", name="Rename ⭐").focus()
    press("Enter")
    page.keyboard.type("Twinkle")
    press("Enter")
    expect(page.locator(".label-card", has_text="Twinkle")).to_have_count(1)
    expect_focus("Rename ⭐")
    # Another tab changes something: what has the focus keeps it.
    taught.ask("PATCH", f"/models/{taught.model['id']}/labels/{'%F0%9F%90%9F'}", {"name": "Fishy"})
    expect(page.locator(".label-card", has_text="Fishy")).to_have_count(1)
    expect_focus("Rename ⭐")
    page.get_by_role("button", name="Delete 🐟").focus()
    press("Enter")
    press("Tab")
    press("Enter")
    expect(page.locator(".label-card.is-leaving")).to_have_count(1)
    expect_focus("Labels")
    # Chips, a button that goes when it has done its work, and a message that goes.
    person.go("Train")
    chip = page.get_by_role("button", name=re.compile("^⭐, "))
    chip.focus()
    press("Enter")
    expect(chip).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".samples .thumb")).to_have_count(8)
    expect_focus("⭐, 8 drawings")
    person.go("Models")
    page.get_by_role("button", name="Set Active: Second").focus()
    press("Enter")
    person.hears("“Second” is active now.")
    expect(page.locator(".model-card.is-active", has_text="Second")).to_have_count(1)
    expect_focus("SecondActive")
    page.evaluate("import('/toasts.js').then(({ toast }) => { toast('Stay.', { seconds: 60 }); })")
    dismiss = page.locator(".toast", has_text="Stay.").get_by_role(
        "button", name="Dismiss this message"
    )
    page.get_by_role("button", name="Rename Second").focus()
    dismiss.focus()
    press("Enter")
    expect_focus("Rename Second")


def test_the_picker_by_keyboard(taught, visit):
    person = visit(taught, "labels")
    page = person.page
    person.press("Rename ⭐")
    page.get_by_role("button", name="Emoji: ⭐. Pick another").click()
    search = page.get_by_role("searchbox", name="Search emojis")
    search.fill("nosuchemoji")
    expect(page.get_by_text("No emoji is called")).to_be_visible()
    # Enter picks, or goes to the word where nothing is found; Escape clears it before it closes.
    search.press("Enter")
    expect(page.get_by_role("dialog", name="Pick an emoji")).to_be_visible()
    search.press("Escape")
    expect(search).to_have_value("")
    expect(page.get_by_role("dialog", name="Pick an emoji")).to_be_visible()
    # Every group can be seen and reached, and the Tab key goes on in it.
    person.resize(390, 844)
    groups = page.locator(".picker-group")
    dialog = page.get_by_role("dialog", name="Pick an emoji").bounding_box()
    for index in range(groups.count()):
        place = groups.nth(index).bounding_box()
        assert (
            place["x"] >= dialog["x"]
            and place["x"] + place["width"] <= dialog["x"] + dialog["width"]
        )
    groups.last.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate(
        "document.activeElement.closest('.picker-section').getAttribute('aria-label')"
    ) == groups.last.get_attribute("aria-label")
    # The picker scrolls once more in the next frame.
    person.frames()
    option, list_box = (
        page.locator(":focus").bounding_box(),
        page.locator(".picker-list").bounding_box(),
    )
    assert list_box["y"] <= option["y"] < list_box["y"] + list_box["height"]
    # Behind the choice is what was renamed.
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(1)
    assert page.evaluate("document.activeElement.className") == "chosen"
