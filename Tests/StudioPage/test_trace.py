"""Tracing: gallery, ways, gestures and layers; in phones, tablets and on desktops."""

import math

import pytest
from playwright.sync_api import expect

from strokes import drawings
from test_accessibility import nameless, violations
from test_looks import OUTSIDE
from test_pens import Hands
from thorough import often
from tracing import draw_template, matrix, placing, trace

SIZES = {
    "phone": (390, 844), "phone-wide": (844, 390), "tablet": (820, 1180), "desktop": (1440, 900),
}
WIDTH = "document.querySelector('.trace-line').getBoundingClientRect().width"


def test_the_gallery_leads_to_a_template_and_back_again(taught, visit):
    """TR-002, TR-030, TR-042."""
    person = visit(taught)
    person.page.get_by_role("link", name="Trace", exact=True).click()
    person.page.wait_for_selector("body[data-screen=templates]")
    shapes = person.page.locator(".template-group", has_text="Shapes")
    expect(shapes.locator(".template")).to_have_count(52)
    labels = person.page.locator(".template-group", has_text="Your labels")
    expect(labels.locator(".template")).to_have_count(5)
    search = person.page.get_by_label("Search the templates")
    search.fill("ice")
    expect(person.page.locator(".template")).to_have_text(["🍦 ice cream"])
    search.fill("nothing of that kind")
    expect(person.page.get_by_text("No template has that name")).to_be_visible()
    person.press("Show all")
    search.fill("ice")
    person.page.locator(".template").click()
    person.page.wait_for_selector("body[data-step=under]")
    expect(person.page.get_by_role("heading", level=1)).to_contain_text("ice cream")
    # It is drawn at once; the paper is behind "Adjust".
    person.draw("star")
    assert person.ink() == len(drawings("star")[0]["strokes"])
    placing(person)
    person.page.get_by_role("link", name="Paper").click()
    person.page.wait_for_selector("body[data-step=choose]")
    # Without --camera that way is closed, and says how to open it.
    expect(person.page.locator(".is-closed")).to_contain_text("drawml studio --camera")
    person.page.get_by_role("link", name="Under paper").click()
    person.page.wait_for_selector("body[data-step=under]")
    person.page.reload()
    person.page.wait_for_selector("body[data-ready][data-step=under]")
    person.page.get_by_role("link", name="Back").click()
    person.page.wait_for_selector("body[data-screen=templates]")
    # What was traced last comes first.
    recent = person.page.locator(".template-group").first
    expect(recent.locator("h2")).to_have_text("Recent")
    expect(recent.locator(".template")).to_have_text(["🍦 ice cream"])
    person.page.go_back()
    person.page.wait_for_selector("body[data-step=under]")


def test_wheel_mouse_and_keys_place_the_template(fresh, visit):
    """TR-012, TR-013, TR-020."""
    person = placing(trace(visit(fresh)))
    page = person.page
    stage = page.locator(".trace-stage")
    box = stage.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    frame = page.locator(".trace-box")
    assert matrix(person) == [1, 0, 0, 1, 0, 0]
    expect(frame).to_be_hidden()
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y - 20)
    expect(frame).to_be_visible()
    page.mouse.up()
    expect(frame).to_be_hidden()
    a, b, _, _, e, f = matrix(person)
    assert (a, b) == (1, 0) and (round(e), round(f)) == (30, -20)
    # The wheel scales about the pointer; with Alt it turns.
    before = page.evaluate(WIDTH)
    page.mouse.move(x, y)
    page.mouse.wheel(0, -200)
    person.wait_for(lambda: matrix(person)[0] > 1.4, "it grows")
    after = page.evaluate(WIDTH)
    assert abs(after / before - math.exp(0.4)) < 0.02
    page.keyboard.down("Alt")
    page.mouse.wheel(0, 100)
    page.keyboard.up("Alt")
    person.wait_for(lambda: matrix(person)[1] > 0.1, "it turns")
    # Locked, gestures do nothing but draw.
    person.press("Draw")
    locked = matrix(person)
    page.mouse.wheel(0, 100)
    person.draw("star")
    assert matrix(person) == locked
    assert person.ink() > 0
    placing(person)
    person.press("Reset")
    assert matrix(person) == [1, 0, 0, 1, 0, 0]
    stage.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    assert [round(each) for each in matrix(person)[4:]] == [2, 1]
    page.keyboard.press("]")
    assert abs(math.atan2(matrix(person)[1], matrix(person)[0]) - math.pi / 180) < 1e-4
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("-")
    a, b = matrix(person)[:2]
    assert abs(math.hypot(a, b) - 1 / 1.02) < 1e-4


def test_two_fingers_pinch_and_what_they_hold_stays_under_them(fresh, visit):
    """TR-012: within 1 px; Tests/PageLogic makes a thousand gestures."""
    person = placing(trace(visit(fresh, size=(820, 1180), has_touch=True)))
    hands = Hands(person)

    def touch(kind, *points):
        hands.touch(kind, *((index, *point) for index, point in enumerate(points)))

    touch("touchStart", (300, 400))
    touch("touchStart", (300, 400), (500, 400))
    touch("touchMove", (300, 400), (500, 600))
    touch("touchEnd")
    a, b = matrix(person)[:2]
    assert abs(math.hypot(a, b) - math.sqrt(2)) < 0.02
    assert abs(math.atan2(b, a) - math.pi / 4) < 0.02
    start = matrix(person)
    touch("touchStart", (300, 400))
    touch("touchStart", (300, 400), (500, 600))
    for step in range(100):
        angle = step * 0.4
        touch("touchMove", (300 + 9 * math.cos(angle), 400), (500, 600 + 9 * math.sin(angle)))
    touch("touchMove", (300, 400), (500, 600))
    touch("touchEnd")
    assert all(abs(x - y) < 1 for x, y in zip(start, matrix(person)))


def test_frames_while_transforming(fresh, visit):
    """TR-021: what the page does for a gesture fits twice into a frame."""
    person = placing(trace(visit(fresh, size=(820, 1180))))
    session = person.page.context.new_cdp_session(person.page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def worked():
        """The processor time of the page's main thread, in milliseconds."""
        metrics = session.send("Performance.getMetrics")["metrics"]
        return 1000 * next(each["value"] for each in metrics if each["name"] == "TaskDuration")

    before = worked()
    person.page.evaluate(
        """async () => {
          const stage = document.querySelector(".trace-stage");
          for (let step = 0; step < 120; step += 1) {
            const wheel = { deltaY: Math.sin(step / 5) * 20, clientX: 400, clientY: 600,
              bubbles: true, cancelable: true };
            stage.dispatchEvent(new WheelEvent("wheel", wheel));
            await new Promise(requestAnimationFrame);
          }
        }"""
    )
    assert (worked() - before) / 120 < 8.3
    assert matrix(person) != [1, 0, 0, 1, 0, 0]


def test_its_steps_pass_axe_and_name_their_controls(taught, visit):
    """TR-043."""
    person = visit(taught, "templates", reduced_motion="reduce")
    expect(person.page.locator(".template").first).to_be_visible()
    for step in ("templates", "choose", "under"):
        if step != "templates":
            trace(person, step)
        assert violations(person.page) == {}, step
        assert nameless(person) == [], step
    # To the drawing by keyboard alone: what gestures do, too.
    placing(person)
    assert violations(person.page) == {}
    person.page.locator(".trace-stage").focus()
    person.page.keyboard.press("ArrowUp")
    assert matrix(person)[5] == -1


@pytest.mark.parametrize("size", often("phone", then=["desktop"]))
@pytest.mark.parametrize("scheme", often("light", then=["dark"]))
def test_forced_colors_show_lines_ink_and_what_is_pressed(taught, visit, pictures, size, scheme):
    """TR-020: Windows' contrast themes."""
    person = visit(
        taught,
        "templates",
        size=SIZES[size],
        forced_colors="active",
        color_scheme=scheme,
    )
    page = person.page
    border = """(all) => all.filter((each) => {
      return parseFloat(getComputedStyle(each).borderTopWidth) < 1;
    }).length"""
    expect(page.locator(".template").first).to_be_visible()
    assert page.locator(".card.template, .button").evaluate_all(border) == 0
    trace(person)
    draw_template(person)
    colors = page.evaluate(
        """() => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = "CanvasText";
      const text = getComputedStyle(probe).color;
      probe.remove();
      const color = (name, part) => getComputedStyle(document.querySelector(name))[part];
      return [text, color(".trace-line", "stroke"), color(".ink .stroke", "fill")];
    }"""
    )
    assert len(set(colors)) == 1, colors
    # What is pressed has the system's highlight, with words that are seen on it.
    placing(person)
    pressed = page.locator('.trace-controls .tool[aria-expanded="true"]')
    expect(pressed.first).to_be_visible()
    words, ground, adjusts = pressed.first.evaluate(
        """(each) => {
      const { color, backgroundColor, forcedColorAdjust } = getComputedStyle(each);
      return [color, backgroundColor, forcedColorAdjust];
    }"""
    )
    assert words != ground and adjusts == "none"
    page.screenshot(path=pictures / f"trace-forced-{size}-{scheme}.png")


@pytest.mark.parametrize("theme", often("light", then=["dark"]))
@pytest.mark.parametrize("window", often("phone", then=["desktop", "phone-wide", "tablet"]))
def test_it_fits_every_window_in_both_themes(taught, visit, pictures, theme, window):
    """TR-020, TR-042, TR-043."""
    taught.ask("PATCH", "/settings", {"theme": theme})
    size = SIZES[window]
    person = visit(taught, "templates", size=size)
    expect(person.page.locator(".template").first).to_be_visible()
    name = f"{theme}-{size[0]}x{size[1]}"
    person.page.screenshot(path=pictures / f"templates-{name}.png")
    trace(person, "choose")
    person.page.screenshot(path=pictures / f"trace-choose-{name}.png")
    trace(person)
    draw_template(person)
    expect(person.page.locator(".trace-score")).to_contain_text("of 100")
    person.page.screenshot(path=pictures / f"trace-{name}.png")
    controls = ".trace button, .trace input, .trace a"
    assert person.page.evaluate(OUTSIDE, [controls, None]) == []
    assert person.page.evaluate("document.documentElement.scrollHeight <= innerHeight + 1")
