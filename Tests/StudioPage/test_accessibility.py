"""WCAG 2.2 AA: names, roles, contrast (axe-core and our own sums), keyboard, motion, size of targets."""

import re
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import expect

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
SCREENS = ("home", "train", "playground", "labels", "models", "help")


def violations(page):
    page.evaluate(AXE)
    result = page.evaluate("""async () => (await axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    })).violations.map(({ id, nodes }) => ({ id, nodes: nodes.slice(0, 4).map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`) }))""")
    return {each["id"]: each["nodes"] for each in result}


def nameless(person):
    """Controls in the accessibility tree that have no name."""
    session = person.page.context.new_cdp_session(person.page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    controls = {"button", "link", "textbox", "searchbox", "slider", "radio", "checkbox", "option", "listbox", "progressbar", "dialog", "img", "group"}
    return [
        node["role"]["value"]
        for node in nodes
        if not node.get("ignored") and node.get("role", {}).get("value") in controls - {"group"}
        and not node.get("name", {}).get("value", "").strip()
    ]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_screen_passes_axe_and_names_its_controls(taught, visit, theme):
    person = visit(taught, "home", color_scheme=theme, reduced_motion="reduce")
    for screen in SCREENS:
        person.visit(screen)
        person.page.wait_for_timeout(350)
        assert violations(person.page) == {}, screen
        assert nameless(person) == [], screen
        assert person.page.locator("h1").count() == 1
    # The dialogs too.
    person.visit("train")
    person.press("All emojis")
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


def luminance(colour):
    channels = [int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_palette_has_enough_contrast(taught, visit, theme):
    person = visit(taught, "home", color_scheme=theme)
    names = ("desk", "paper", "paper-low", "ink", "ink-soft", "accent", "accent-wash", "on-accent", "good", "good-wash", "bad", "bad-wash", "toast", "on-toast", "line-strong", "focus", "refused")
    colours = person.page.evaluate(
        "(names) => Object.fromEntries(names.map((name) => [name, getComputedStyle(document.documentElement).getPropertyValue('--' + name).trim()]))", list(names)
    )
    text = [(a, b) for a in ("ink", "ink-soft") for b in ("desk", "paper", "paper-low")]
    text += [("on-accent", "accent"), ("ink", "accent-wash"), ("good", "good-wash"), ("bad", "bad-wash"), ("bad", "paper"), ("on-toast", "toast"), ("paper", "bad"), ("paper", "ink")]
    for a, b in text:
        assert contrast(colours[a], colours[b]) >= 4.5, (a, b, contrast(colours[a], colours[b]))
    # Edges of fields, the ring around what has the focus, and refused ink are graphics: 3 to 1.
    for a, b in [("line-strong", "paper"), ("focus", "paper"), ("focus", "desk"), ("refused", "paper")]:
        assert contrast(colours[a], colours[b]) >= 3, (a, b, contrast(colours[a], colours[b]))


def test_targets_are_large_enough(taught, visit):
    person = visit(taught, "home", viewport={"width": 390, "height": 844})
    for screen in SCREENS:
        person.visit(screen)
        person.page.wait_for_timeout(250)
        small = person.page.evaluate("""() => [...document.querySelectorAll('a[href], button, input, summary, [role=option]')]
          .filter((each) => each.checkVisibility() && !each.classList.contains('unseen') && !each.classList.contains('skip'))
          .map((each) => [each.className, each.textContent.slice(0, 20), each.getBoundingClientRect()])
          .filter(([, , box]) => box.width < 24 || box.height < 24)""")
        assert small == [], screen


def test_everything_but_drawing_by_keyboard(taught, visit):
    person = visit(taught, "home")
    page = person.page
    press = page.keyboard.press

    def focused():
        return page.evaluate("""() => { const e = document.activeElement; return (e.getAttribute('aria-label') ?? e.textContent).trim(); }""")

    def tab_to(name, limit=60):
        for _ in range(limit):
            press("Tab")
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
    # The undo of the sample brings the ink back.
    page.locator(".toast", has_text="Saved.").get_by_role("button", name="Undo").focus()
    press("Enter")
    person.expect_ink(1)
    press("Control+z")
    person.expect_ink(0)
    # Models: make one, and delete it.
    page.locator(".tabs").get_by_role("link", name="Models").focus()
    press("Enter")
    tab_to("New Model")
    press("Enter")
    page.keyboard.type("By keys")
    press("Enter")
    person.hears("“By keys” is ready and active.")
    page.get_by_role("button", name="Delete By keys").focus()
    press("Enter")
    # The safe answer has the focus.
    assert focused() == "Keep it"
    press("Tab")
    press("Enter")
    expect(page.locator(".model-card")).to_have_count(1)
    # The dial.
    page.get_by_role("link", name="Help").focus()
    press("Enter")
    slider = page.get_by_role("slider", name="How sure must I be?")
    slider.focus()
    before = slider.get_attribute("aria-valuetext")
    press("ArrowRight")
    assert slider.get_attribute("aria-valuetext") != before


def test_focus_is_always_seen(taught, visit):
    person = visit(taught, "train")
    person.page.locator("h1").focus()
    for _ in range(25):
        person.page.keyboard.press("Tab")
        style = person.page.evaluate("""() => { const e = document.activeElement; const s = getComputedStyle(e); const b = e.getBoundingClientRect();
          return { width: parseFloat(s.outlineWidth), style: s.outlineStyle, seen: b.bottom > 0 && b.top < innerHeight, name: e.className }; }""")
        assert style["style"] != "none" and style["width"] >= 2 and style["seen"], style


def test_less_motion_means_no_movement(taught, visit):
    script = """
      window.moved = [];
      const animate = Element.prototype.animate;
      Element.prototype.animate = function (frames, options) { window.moved.push(JSON.stringify(frames)); return animate.call(this, frames, options); };
    """
    person = visit(taught, "playground", script=script, reduced_motion="reduce")
    person.draw("star", 51, at=(0.3, 0.4))
    person.expect_faces(["⭐"])
    person.draw("spiral", 6, at=(0.75, 0.4))
    # The message is there all the same.
    expect(person.page.locator(".bubble")).to_be_visible(timeout=8000)
    assert [frames for frames in person.page.evaluate("window.moved") if "transform" in frames] == []


def test_screen_readers_hear_what_happens(taught, visit):
    person = visit(taught, "playground")
    spoken = person.page.locator("#spoken")
    person.draw("heart", 51)
    expect(spoken).to_contain_text(re.compile(r"red heart, .*\d+ % sure"), timeout=8000)
    person.press("Clear")
    expect(spoken).to_contain_text("The sheet is clear.")
    person.go("Labels")
    assert person.page.evaluate("document.activeElement.tagName") == "H1"
    assert person.page.title() == "Labels – DrawML"
