"""At every window size: words stay whole, nothing overlaps, and toasts do not cover the sheet."""

from io import BytesIO
from urllib.parse import quote

import pytest
from PIL import Image
from playwright.sync_api import expect

from strokes import STARTER, drawings
from thorough import often, thorough

WIDTHS = (
    320, 344, 360, 375, 390, 430, 600, 667, 759, 760, 820, 900, 960, 1024, 1099, 1100, 1280, 1440,
)

# The wider letters of another font.
WIDE = """addEventListener("DOMContentLoaded", () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".tab, .label-name, .tool, .choice-face { letter-spacing: 0.04em; }");
  document.adoptedStyleSheets = [sheet];
});"""

# Words of the elements that a selector finds which are broken inside, or cut off.
BROKEN = """(selector) => [...document.querySelectorAll(selector)].flatMap((element) => {
  const found = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const { 0: word, index } of node.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map((each) => Math.round(each.top)));
      const box = range.getBoundingClientRect();
      const around = element.getBoundingClientRect();
      const isOutside = box.left < around.left - 1 || box.right > around.right + 1;
      if (lines.size > 1 || isOutside) found.push(word);
    }
  }
  return found;
})"""

# Pairs of elements that lie on each other, and those that are not all in the window.
CLASHES = """(selector) => {
  const all = [...document.querySelectorAll(selector)]
    .filter((each) => each.checkVisibility({ visibilityProperty: true }));
  const boxes = all.map((each) =>
    [each.className.baseVal ?? each.className, each.textContent, each.getBoundingClientRect()]);
  const isOutside = ({ left, right, top, bottom }) =>
    left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1;
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1
    && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const out = boxes.filter(([, , box]) => isOutside(box))
    .map(([name, words]) => `${name} ${words} is outside`);
  boxes.forEach(([name, words, a], index) => {
    for (const [other, otherWords, b] of boxes.slice(index + 1)) {
      if (meet(a, b)) out.push(`${name} ${words} and ${other} ${otherWords}`);
    }
  });
  return out;
}"""

# Controls that something else covers where they would be pressed.
UNREACHED = """(selector) => [...document.querySelectorAll(selector)].filter((each) => {
  const { left, top, width, height } = each.getBoundingClientRect();
  const at = (share) => document.elementFromPoint(left + width / 2, top + height * share);
  return [0.1, 0.5, 0.9].some((share) => !each.contains(at(share)));
}).map((each) => each.textContent)"""

SAY = """async ([text, options]) => {
  const { toast } = await import("/toasts.js");
  toast(text, { ...options, onaction: () => {} });
}"""


def say(person, text="Saved. That makes 3.", **options):
    """Shows a message, as it is after a drawing was saved."""
    person.page.evaluate(SAY, [text, {"kind": "good", "emoji": "⭐", "action": "Undo", **options}])
    person.hears(text)
    person.settle()


@pytest.mark.parametrize("script", often(None, then=[WIDE]), ids=["letters", "wide-letters"])
def test_the_navigation_is_whole_at_every_width(taught, visit, script):
    """X-006."""
    person = visit(taught, "train", script=script)
    for width in WIDTHS:
        for height in (375, 900):
            person.resize(width, height)
            person.frames()
            where = f"{width} × {height}"
            assert person.page.evaluate(BROKEN, ".tab span") == [], where
            assert (
                person.page.evaluate(CLASHES, ".wordmark, .tab, .model-chip, .bar-tools > *") == []
            ), where
            assert person.page.evaluate(UNREACHED, ".tab, .bar-tools > *") == [], where
            # They are all there without scrolling.
            assert person.page.locator(".tabs").evaluate(
                "(each) => each.scrollWidth <= each.clientWidth"
            ), where
            # The model's name may be cut, but something of it is read.
            assert person.page.locator(".model-name").bounding_box()["width"] >= 24, where


@pytest.mark.parametrize("script", often(None, then=[WIDE]), ids=["letters", "wide-letters"])
def test_the_names_of_labels_are_not_broken_inside_a_word(taught, visit, script):
    model = taught.model["id"]
    for label, name in {"⭐": "Skateboard", "🐟": "umbrella", "🏠": "The Great Wall of China"}.items():
        taught.ask("PATCH", f"/models/{model}/labels/{quote(label)}", {"name": name})
    person = visit(taught, "labels", script=script)
    expect(person.page.locator(".label-name", has_text="heart")).to_have_count(1)
    for width in WIDTHS:
        person.resize(width, 800)
        assert person.page.evaluate(BROKEN, ".label-card") == [], width
        assert person.fits(), width
        # In one go, as the list may be filled again meanwhile.
        apart = person.page.locator(".label-card").evaluate_all("""(cards) => cards.map((card) => {
          const [words, tools] = [".label-words", ".label-tools"]
            .map((each) => card.querySelector(each).getBoundingClientRect());
          return words.right <= tools.left + 1 || words.bottom <= tools.top + 1;
        })""")
        assert apart == [True] * 5, width


@pytest.mark.parametrize(
    "size",
    often(
        (375, 667),
        then=[
            (320, 568), (360, 640), (667, 375), (844, 390), (760, 480), (820, 1180), (960, 600),
        ],
    ),
)
@pytest.mark.parametrize("panel", often("open", then=["closed"]))
def test_the_tools_of_the_playground_are_seen_and_can_be_pressed(taught, visit, size, panel):
    script = f"localStorage.setItem('drawml.panel', '{panel}');{WIDE}"
    person = visit(taught, "playground", script=script, size=size)
    person.frames()
    assert person.page.evaluate(UNREACHED, ".screen-playground .tool") == []
    assert person.page.evaluate(BROKEN, ".screen-playground .tool") == []
    # They are one row; in a low window one column, for a taller sheet.
    side = "x" if size[0] >= 560 and size[1] <= 480 else "y"
    tools = person.page.locator(".screen-playground .sheet-tools > .tool:visible").all()
    middles = {
        round(box[side] + box["width" if side == "x" else "height"] / 2)
        for box in (each.bounding_box() for each in tools)
    }
    assert len(tools) >= 4 and len(middles) == 1, middles
    assert person.sheet.bounding_box()["height"] >= 90


@thorough
@pytest.mark.parametrize("size", [(568, 320), (667, 375), (740, 360), (844, 390)])
def test_homes_doors_stand_beside_the_logo_in_landscape(taught, visit, size):
    person = visit(taught, "home", size=size)
    person.settle()
    # All ways in are seen at once.
    doors = ".door, .play-now, .home-title svg"
    assert person.page.evaluate(CLASHES, doors) == []
    assert person.page.evaluate(UNREACHED, ".door, .play-now") == []
    assert person.page.evaluate(BROKEN, ".door-title, .play-now-title") == []
    logo = person.page.locator(".home-title svg").bounding_box()
    for door in person.page.locator(".door").all():
        assert door.bounding_box()["x"] > logo["x"] + logo["width"]


@pytest.mark.parametrize(
    "size",
    often((375, 667), then=[(320, 568), (568, 320), (768, 1024), (1024, 768), (1280, 800)]),
)
def test_a_pause_covers_no_ink(taught, visit, notes, size):
    notes.allow_away()
    person = visit(taught, "playground", size=size)
    before = person.sheet.bounding_box()
    taught.stop()
    person.draw("heart", 45, at=(0.4, 0.75), size=80, milliseconds=200)
    note = person.page.locator(".pause-note")
    expect(note).to_be_visible()
    person.settle()
    assert person.sheet.bounding_box() == before
    selector = ".sheet, .pause-note, .sheet-tools > .tool"
    assert person.page.evaluate(CLASHES, selector) == []
    assert person.page.evaluate(BROKEN, ".pause-note .button") == []
    assert note.evaluate("(each) => each.scrollHeight <= each.clientHeight")
    assert person.page.evaluate(UNREACHED, ".pause-note .button") == []


@pytest.mark.parametrize("script", often(WIDE, then=[None]), ids=["wide-letters", "letters"])
def test_the_settings_are_all_seen_on_a_small_phone(taught, visit, script):
    person = visit(taught, "home", size=(320, 700), script=script)
    assert person.page.evaluate(BROKEN, ".door-title") == []
    person.press("Settings")
    person.settle()
    assert person.page.evaluate(BROKEN, ".choice-face") == []
    dialog = person.page.get_by_role("dialog").bounding_box()
    # The chosen model's name ends within its field, and the way out stays.
    field = person.page.locator("#settings-model")
    assert field.evaluate("(each) => getComputedStyle(each).textOverflow") == "ellipsis"
    person.page.get_by_role("dialog").evaluate("(each) => each.scrollTo(0, 1e6)")
    assert person.page.evaluate(UNREACHED, "dialog .dialog-head .round-button") == []
    assert person.page.evaluate(UNREACHED, "dialog .version a") == []
    for face in person.page.locator(".choice-face").all():
        box = face.bounding_box()
        assert dialog["x"] < box["x"] and box["x"] + box["width"] < dialog["x"] + dialog["width"]


@thorough
def test_no_word_of_a_message_stands_alone_on_a_line(taught, visit):
    person = visit(taught, "train")
    for width in (320, 360, 390, 760, 1024, 1280):
        person.resize(width, 800)
        say(person, f"Saved. That makes {width}.")
        last = person.page.locator(".toast-words p").last.evaluate("""(each) => {
          const range = document.createRange();
          const node = each.firstChild;
          const start = node.data.lastIndexOf(" ");
          const top = (from, to) => {
            range.setStart(node, from);
            range.setEnd(node, to);
            return Math.round(range.getBoundingClientRect().top);
          };
          const before = node.data.lastIndexOf(" ", start - 1);
          return top(start + 1, node.length) === top(before + 1, start);
        }""")
        assert last, width
        person.page.locator(".toast-close").click()
        expect(person.page.locator(".toast")).to_have_count(0)


def test_messages_are_out_of_the_way_of_a_pen_and_not_held_by_it(taught, visit):
    person = visit(taught, "playground", size=(390, 844), has_clock=True)
    say(person, "Wait for me.", seconds=60)
    toast = person.page.locator(".toast")
    box = toast.bounding_box()
    # Under the message, where its button is.
    x, y = box["x"] + box["width"] - 70, box["y"] + box["height"] - 4
    mouse = person.page.mouse
    mouse.move(x, y - 4)
    person.pass_time(70_000)
    # One that only looks holds it, and no longer.
    expect(toast).to_have_count(1)
    mouse.move(40, y + 200)
    person.pass_time(60_000)
    expect(toast).to_have_count(0)
    say(person, "Wait for me.", seconds=60)
    mouse.down()
    mouse.move(60, y + 220)
    person.settle()
    assert float(toast.evaluate("(each) => getComputedStyle(each).opacity")) < 0.2
    assert person.page.evaluate(
        "[...document.querySelectorAll('.toast button')]"
        ".every((each) => getComputedStyle(each).pointerEvents === 'none')"
    )
    mouse.move(x, y)
    mouse.up()
    mouse.move(x - 1, y)
    # It has drawn: it rests there to draw on.
    person.pass_time(60_000)
    expect(toast).to_have_count(0)


@thorough
def test_a_pause_is_seen_once_and_heard(taught, visit, notes):
    notes.allow_away()
    person = visit(taught, "playground", size=(1280, 800))
    taught.stop()
    person.draw("heart", 45, at=(0.6, 0.4), size=140)
    note = person.page.locator(".pause-note")
    expect(note).to_be_visible()
    expect(note).to_contain_text(
        "Live check paused. Try again. The studio does not answer."
    )
    expect(person.page.locator("#alarm")).to_contain_text("Live check paused. Try again.")
    person.settle()
    toast = person.page.locator(".toast", has_text="Live check paused. Try again.")
    box = toast.bounding_box()
    assert box["width"] <= 1 and box["height"] <= 1
    # Who goes to its button with keys sees it.
    toast.get_by_role("button", name="Try again").focus()
    box = toast.bounding_box()
    assert box["width"] > 200 and box["height"] > 40


def test_the_emojis_to_pick_from_are_one_stop_of_the_tab_key(taught, visit):
    taught.teach([drawings(each.stem)[0] for each in sorted(STARTER.glob("*.ndjson"))], train=False)
    person = visit(taught, "train", size=(1280, 800))
    page = person.page
    press = page.keyboard.press
    quick = page.locator(".quick-emoji")
    person.until("document.querySelectorAll('.quick-emoji').length > 40")
    focused = "[...document.querySelectorAll('.quick-emoji')].indexOf(document.activeElement)"
    page.locator(".chosen").focus()
    press("Tab")
    assert page.evaluate(focused) == 0
    for key, index in (
        ("ArrowRight", 1),
        ("ArrowRight", 2),
        ("ArrowLeft", 1),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("End", quick.count() - 1),
        ("ArrowRight", quick.count() - 1),
    ):
        press(key)
        assert page.evaluate(focused) == index, key
    # What has the focus is seen.
    last, strip = quick.last.bounding_box(), page.locator(".quick").bounding_box()
    assert last["x"] + last["width"] <= strip["x"] + strip["width"] + 1
    press("Home")
    press("ArrowRight")
    label = quick.nth(1).get_attribute("aria-label")
    press("Enter")
    expect(page.locator(".chosen")).to_have_attribute(
        "aria-label", f"Picked: {label}. Pick another emoji"
    )
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == label
    assert page.evaluate("document.querySelectorAll('.quick-emoji[tabindex=\"0\"]').length") == 1
    press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "All emojis"
    # It is the picked one that the Tab key comes back to.
    press("Shift+Tab")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == label


@thorough
def test_many_labels_do_not_push_the_drawings_out_of_the_window(taught, visit):
    taught.teach([drawings(each.stem)[0] for each in sorted(STARTER.glob("*.ndjson"))], train=False)
    person = visit(taught, "train", size=(1280, 800))
    page = person.page
    person.until("document.querySelectorAll('.samples .chip').length > 40")
    assert (
        page.evaluate("document.querySelector('.samples .thumb').getBoundingClientRect().bottom")
        < 800
    )
    # All of them are reached: by scrolling, and by keys from one stop.
    page.locator("#samples-title").focus()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "chip"
    page.keyboard.press("End")
    assert page.evaluate("""() => {
      const focused = document.activeElement;
      const [chip, chips] = [focused, document.querySelector(".samples .chips")]
        .map((each) => each.getBoundingClientRect());
      const isInside = chips.top <= chip.top && chip.bottom <= chips.bottom
        && chips.left <= chip.left && chip.right <= chips.right;
      return focused.matches(":last-child") && isInside;
    }""")
    name = page.evaluate("document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Enter")
    expect(page.locator(".samples .chip").last).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == name
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.className") == "chip"
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") != name
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('.samples .thumb')")


@thorough
def test_emojis_within_sentences_are_colored(taught, visit):
    person = visit(taught, "labels", color_scheme="light")
    page = person.page
    # In some fonts for words a cat has a black face.
    page.evaluate("""async () => {
      const { askConfirmation } = await import("/dialogs.js");
      askConfirmation({ body: ["🐱🐱🐱🐱", "🐟🐟🐟🐟", "Words without."] });
    }""")
    person.settle()
    colors = [colored(each.screenshot()) for each in page.locator("dialog p").all()]
    assert colors[0] > 300 and colors[1] > 300, colors
    assert colors[2] == 0, colors


def colored(picture):
    """How many pixels of a picture are of a bright color."""
    pixels = Image.open(BytesIO(picture)).convert("RGB").get_flattened_data()
    return sum(max(pixel) - min(pixel) > 80 for pixel in pixels)
