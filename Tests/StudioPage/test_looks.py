"""Looks: the typeface, forced colors, room on small windows, and messages that cover nothing."""

import pytest
from playwright.sync_api import expect

from test_accessibility import SCREENS, filled
from test_layout import UNREACHED, say
from thorough import often, thorough

# Phones in both directions, tablets, desktops.
SIZES = often(
    (390, 844), (1280, 800),
    then=[
        (320, 568), (375, 667), (844, 390), (760, 900), (768, 1024), (820, 1180), (1024, 768),
        (1024, 1366), (1440, 900), (1900, 1000),
    ],
)
# The longest that screens, and the Playground, have to say.
LONG = {
    "text": "Couldn’t save that.",
    "kind": "bad",
    "emoji": None,
    "detail": "The studio does not answer. Is it still running?",
    "action": None,
}
LONGER = LONG | {
    "text": "Live check paused. Try again.",
    "detail": "The sheet was made in a window of another shape. Clear it to use the whole window.",
    "action": "Try again",
}

# Whatever of a screen is read, pressed or looked at and meets the toast: titles and tools as the
# screen opens, the rest also after it was scrolled out from behind the strip of toasts.
COVERED = """(beside) => {
  const place = document.getElementById("toasts");
  const isStrip = getComputedStyle(place).backgroundColor !== "rgba(0, 0, 0, 0)";
  const toast = (isStrip ? place : place.firstChild).getBoundingClientRect();
  const stays = "h1, .screen-tools, .sheet-tools, .label-row, .train .sheet";
  const meets = (box, each) => {
    // What is scrolled away in a list is not seen.
    const list = each.closest(".picker-list, .quick, .chips, .placed-list");
    const clip = (list ?? document.documentElement).getBoundingClientRect();
    const [left, top] = [Math.max(box.left, clip.left), Math.max(box.top, clip.top)];
    const [right, bottom] = [Math.min(box.right, clip.right), Math.min(box.bottom, clip.bottom)];
    return left < right && top < bottom && left < toast.right - 1 && right > toast.left + 1
      && top < toast.bottom - 1 && bottom > toast.top + 1;
  };
  const isForEars = (each) => getComputedStyle(each).clipPath === "inset(50%)";
  const isSeen = (each) => !isForEars(each) && !isForEars(each.parentElement)
    && each.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const isCovered = (each, boxes) => {
    if (!isSeen(each) || !boxes().some((box) => meets(box, each))) return false;
    if (!isStrip || each.closest(stays)) return true;
    each.scrollIntoView({ block: "nearest", behavior: "instant" });
    const isBehind = boxes().some((box) => meets(box, each));
    scrollTo({ top: 0, behavior: "instant" });
    return isBehind;
  };
  const found = [];
  const main = document.getElementById("main");
  const things = ["a[href]", "button", "input", ".sheet", ".sheet-tools", ".thumb", ".emoji", "svg"]
    .map((each) => `main ${each}`);
  for (const each of document.querySelectorAll(`${things}, .bar a, .bar button, .tabs a`)) {
    if (beside && each.closest(beside)) continue;
    if (isCovered(each, () => [each.getBoundingClientRect()])) {
      found.push(each.outerHTML.slice(0, 60));
    }
  }
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.data.trim() || (beside && node.parentElement.closest(beside))) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    if (isCovered(node.parentElement, () => [...range.getClientRects()])) found.push(node.data);
  }
  return found;
}"""

# Whether a click on a message's words goes through, and one on its buttons does not.
CLICKS = """(toast) => {
  const hit = (each) => {
    const { left, top, width, height } = each.getBoundingClientRect();
    return document.elementFromPoint(left + width / 2, top + height / 2);
  };
  const words = hit(toast.querySelector(".toast-words p"));
  const buttons = [...toast.querySelectorAll("button")];
  const isFree = !toast.contains(words) && words !== null;
  return [isFree, buttons.every((each) => each.contains(hit(each)))];
}"""

# Elements of a selector that are not all within another element, or the window.
OUTSIDE = """([selector, around]) => [...document.querySelectorAll(selector)].filter((each) => {
  if (!each.checkVisibility({ visibilityProperty: true })) return false;
  const { left, right, top, bottom } = each.getBoundingClientRect();
  const box = around ? each.closest(around).getBoundingClientRect()
    : { left: 0, right: innerWidth, top: 0, bottom: innerHeight };
  return left < box.left - 1 || right > box.right + 1
    || top < box.top - 1 || bottom > box.bottom + 1;
}).map((each) => each.outerHTML.slice(0, 80))"""


def fonts_of(page, selector):
    """The fonts that an element's text is drawn with, and whether the page brought them."""
    session = page.context.new_cdp_session(page)
    session.send("DOM.enable")
    session.send("CSS.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    node = session.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
    fonts = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    return {(each["familyName"], each["isCustomFont"]) for each in fonts}


def test_the_typeface_is_the_pages_own(taught, visit, notes):
    """B-020; `notes.check` sees that no other machine is asked for it."""
    person = visit(taught, "labels")
    expect(person.page.locator(".label-name", has_text="heart")).to_have_count(1)
    for selector in (".screen-title", ".screen-lead", ".label-name", ".tab span"):
        assert fonts_of(person.page, selector) == {("DrawML Sans", True)}, selector
    files = {url for _, url in notes.requests if url.endswith(".woff2")}
    assert len(files) == 2
    sizes = [len(person.page.request.get(url).body()) for url in files]
    assert sum(sizes) <= 120_000
    for name, words in (("typeface", "Reserved Font Name"), ("unicode", "Unicode, Inc.")):
        assert words in person.page.request.get(f"{taught.url}/license-{name}.txt").text()


@thorough
@pytest.mark.parametrize(("scheme", "theme"), [("light", "Dark"), ("dark", "Light")])
def test_pictures_lie_on_the_systems_canvas_whatever_the_theme(fresh, visit, scheme, theme):
    """B-020: Windows' contrast themes."""
    person = visit(fresh, "home", forced_colors="active", color_scheme=scheme)
    person.press("Settings")
    person.page.get_by_role("radio", name=theme).check()
    expect(person.page.locator(f"html[data-theme={theme.lower()}]")).to_have_count(1)
    assert person.page.evaluate(
        """() => {
      const color = (each) => getComputedStyle(each).backgroundColor;
      const probe = document.body.appendChild(document.createElement("p"));
      probe.style.backgroundColor = "Canvas";
      return color(document.querySelector(".pen-preview")) === color(probe);
    }"""
    )


@pytest.mark.parametrize("scheme", often("light", then=["dark"]))
def test_forced_colors_keep_borders_and_mark_what_is_chosen(taught, visit, pictures, scheme):
    """B-020: Windows' contrast themes."""
    person = visit(taught, "home", size=(390, 844), forced_colors="active", color_scheme=scheme)
    page = person.page
    for screen in SCREENS:
        person.visit(screen)
        if screen == "playground":
            person.draw("star", 40, size=120, milliseconds=250)
            page.locator(".face").first.wait_for()
        if screen == "train":
            person.draw("star", 40, size=100, milliseconds=250)
            person.pick("⭐")
        person.settle()
        bare = page.evaluate("""() => {
          const all = ".card, .sheet-frame, .button, .chip, .thumb, .door, .chosen, .quick-more";
          return [...document.querySelectorAll(all)].filter((each) => {
            const { borderTopWidth, borderTopStyle } = getComputedStyle(each);
            return each.checkVisibility() && (parseFloat(borderTopWidth) < 1
              || borderTopStyle === "none");
          }).map((each) => each.className);
        }""")
        assert bare == [], screen
        ink, text, paper = page.evaluate("""() => {
          const stroke = document.querySelector(".sheet .ink .stroke, .thumb .ink-picture path");
          const probe = document.body.appendChild(document.createElement("i"));
          probe.style.color = "CanvasText";
          probe.style.backgroundColor = "Canvas";
          const { color, backgroundColor } = getComputedStyle(probe);
          probe.remove();
          return [stroke ? getComputedStyle(stroke).fill : color, color, backgroundColor];
        }""")
        assert ink == text != paper, screen
        if screen not in ("capture", "art", "help"):
            tabs = page.locator(".tab")
            colors = tabs.evaluate_all(
                "(all) => all.map((each) => getComputedStyle(each).backgroundColor)"
            )
            current = tabs.evaluate_all(
                "(all) => all.findIndex((each) => each.getAttribute('aria-current') === 'page')"
            )
            assert colors.count(colors[current]) == 1, screen
        # A button's words differ from what is behind them.
        same = page.evaluate("""() => [...document.querySelectorAll(".button, .tab")]
          .filter((each) => each.checkVisibility())
          .filter((each) => {
            const { color, backgroundColor } = getComputedStyle(each);
            return color === backgroundColor;
          }).map((each) => each.textContent)""")
        assert same == [], screen
        page.screenshot(path=pictures / f"{screen}-forced-{scheme}.png")


@pytest.mark.parametrize(
    "size",
    often(
        (667, 375), (375, 667),
        then=[(568, 320), (844, 390), (932, 430), (320, 568), (360, 640), (390, 844)],
    ),
)
def test_a_phone_shows_the_sheet_and_add_sample_at_once(taught, visit, size):
    person = visit(taught, "train", size=size)
    person.settle()
    for selector in (".train .sheet", ".train .tool", ".label-row .button", ".chosen"):
        assert person.page.evaluate(OUTSIDE, [selector, None]) == [], selector
    assert person.page.evaluate(UNREACHED, ".screen-train .tool, .label-row .button") == []
    assert person.sheet.bounding_box()["height"] >= 140
    if size[0] > size[1]:
        # In landscape the sheet takes the height, and Train Model is seen beside it.
        assert person.sheet.bounding_box()["height"] >= 0.75 * size[1]
        assert person.page.evaluate(OUTSIDE, [".training-tools > :first-child", None]) == []
        assert person.page.evaluate(UNREACHED, ".training-tools > :first-child") == []
    # All of the sheet can be drawn on, and the drawing is saved, without scrolling.
    person.pick("⭐")
    person.draw("star", 41, size=110, milliseconds=250)
    assert person.ink() > 0
    person.press("Add Sample")
    person.hears("Saved. That makes 9.")
    assert person.page.evaluate("scrollY") == 0


@pytest.mark.parametrize("size", SIZES)
def test_messages_cover_nothing(taught, visit, size):
    """X-008; they take no click but their own."""
    person = visit(taught, "home", size=size)
    page, toast = person.page, person.page.locator(".toast")
    for screen in SCREENS:
        person.visit(screen)
        filled(person, screen)
        # The Playground of a phone is all sheet: they fade there while someone draws.
        beside = ".sheet" if screen == "playground" and size[0] < 760 else None
        messages = [{"text": "Saved. That makes 12."}]
        messages.append(LONGER if screen == "playground" else LONG)
        for message in messages:
            say(person, **message)
            assert page.evaluate(COVERED, beside) == [], screen
            assert toast.evaluate(CLICKS) == [True, True], screen
            box = toast.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= size[0], screen
            assert box["y"] >= 0 and box["y"] + box["height"] <= size[1], screen
            if screen == "train" and message == messages[0]:
                assert box["height"] <= (52 if size[0] < 760 else 96)
            page.get_by_role("button", name="Dismiss this message").click()
            expect(toast).to_have_count(0)


@thorough
@pytest.mark.parametrize("size", [(768, 1024), (820, 1180), (1024, 1366)])
def test_filters_and_emojis_are_whole_on_a_tablet_in_portrait(taught, visit, size):
    person = visit(taught, "train", size=size)
    expect(person.page.locator(".samples .chip")).to_have_count(6)
    person.settle()
    assert person.page.locator(".quick-emoji").count() == 12
    assert person.page.evaluate(OUTSIDE, [".quick-emoji", ".quick"]) == []
    # The filters are one row, which scrolls sideways to the last one.
    person.page.locator(".samples .chips").evaluate("(each) => each.scrollTo(1e6, 0)")
    assert person.page.evaluate(OUTSIDE, [".samples .chip:last-child", ".chips"]) == []
    tops = person.page.locator(".samples .chip").evaluate_all(
        "(all) => all.map((each) => each.getBoundingClientRect().top)"
    )
    assert len(set(tops)) == 1
    for selector in (".label-row .button", ".chosen", ".quick-emoji", ".picker-list"):
        assert person.page.evaluate(OUTSIDE, [selector, None]) == [], selector


@thorough
def test_the_sheet_stays_while_the_saved_drawings_scroll(taught, visit):
    person = visit(taught, "train", size=(1440, 900))
    page = person.page
    expect(page.locator(".samples .thumb")).to_have_count(40)
    before = person.sheet.bounding_box()
    page.mouse.move(1300, 700)
    page.mouse.wheel(0, 400)
    person.until("scrollY > 100")
    person.settle()
    assert abs(person.sheet.bounding_box()["y"] - before["y"]) < 40
    assert page.evaluate(OUTSIDE, [".label-row .button", None]) == []
    # Below the row is room for a message only.
    row = page.locator(".label-row").bounding_box()
    assert 900 - row["y"] - row["height"] < 90


def test_a_refused_shape_keeps_a_question_mark(taught, visit):
    person = visit(taught, "playground", has_clock=True)
    strokes = person.draw("spiral", 3, at=(0.5, 0.5), size=150)
    mark = person.page.locator(".refused-mark")
    expect(mark).to_have_text("?")
    expect(person.page.locator(".bubble")).to_have_count(1)
    person.pass_time(8000)
    # It is there when the message is gone, and after a reload.
    expect(person.page.locator(".bubble")).to_have_count(0)
    person.page.reload()
    person.expect_ink(len(strokes))
    expect(mark).to_have_count(1)
    person.settle()
    box = mark.bounding_box()
    left, top, right, bottom = person.ink_box()
    assert left < box["x"] < right and abs(box["y"] + box["height"] / 2 - top) < 12
    person.press("Clear")
    expect(mark).to_have_count(0)
    person.press("Undo")
    expect(mark).to_have_count(1)
    # Emojis have none.
    person.press("Clear")
    person.draw("star", 40, size=150)
    person.expect_faces(["⭐"])
    expect(mark).to_have_count(0)


@thorough
def test_a_labels_emoji_is_not_hidden_by_its_drawing(taught, visit):
    person = visit(taught, "labels")
    page = person.page
    for width in (320, 390, 768, 1440):
        person.resize(width, 800)
        expect(page.locator(".label-card")).to_have_count(5)
        person.settle()
        faces = page.evaluate("""[...document.querySelectorAll(".label-face")].map((face) => {
          const [emoji, drawing] = [...face.children].map((each) => each.getBoundingClientRect());
          return [emoji.width, drawing.left - emoji.right];
        })""")
        assert len(faces) == 5
        assert all(size >= 36 and room >= -1 for size, room in faces), f"{width}: {faces}"


@thorough
def test_an_empty_sheet_is_said_in_one_sentence(taught, visit):
    person = visit(taught, "train")
    for press in ("Add Sample", "Guess", "Add Sample"):
        person.press(press)
        expect(person.page.locator(".toast p")).to_have_text(["Draw a shape first."])
    assert person.page.evaluate("document.getElementById('alarm').textContent").strip() == (
        "Draw a shape first."
    )
    assert len(taught.samples()) == 40
