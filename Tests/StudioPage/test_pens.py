"""Fingers, pens and the hand that rests beside the pen."""

import re

from playwright.sync_api import expect

from thorough import thorough


class Hands:
    """Touch and pen as the browser's own input, beside what Playwright offers."""

    def __init__(self, person):
        self.session = person.page.context.new_cdp_session(person.page)
        box = person.sheet.bounding_box()
        self.x, self.y = box["x"], box["y"]

    def touch(self, kind, *points, radius=8):
        self.session.send(
            "Input.dispatchTouchEvent",
            {
                "type": kind,
                "touchPoints": [
                    {
                        "x": self.x + x,
                        "y": self.y + y,
                        "id": number,
                        "radiusX": radius,
                        "radiusY": radius,
                    }
                    for number, x, y in points
                ],
            },
        )

    def pen(self, kind, x, y, force=0.5):
        self.session.send(
            "Input.dispatchMouseEvent",
            {
                "type": kind,
                "x": self.x + x,
                "y": self.y + y,
                "button": "left" if kind != "mouseMoved" or force else "none",
                "buttons": 1 if force else 0,
                "clickCount": 1 if kind != "mouseMoved" else 0,
                "pointerType": "pen",
                "force": force,
            },
        )

    def draw_with_finger(self, number, points, radius=8):
        self.touch("touchStart", (number, *points[0]), radius=radius)
        for point in points[1:]:
            self.touch("touchMove", (number, *point), radius=radius)
        self.touch("touchEnd")

    def draw_with_pen(self, points, forces=None):
        forces = forces or [0.5] * len(points)
        self.pen("mousePressed", *points[0], force=forces[0])
        for point, force in zip(points[1:], forces[1:]):
            self.pen("mouseMoved", *point, force=force)
        self.pen("mouseReleased", *points[-1], force=0)


LINE = [(60 + 8 * step, 80 + 3 * step) for step in range(20)]


def test_a_finger_draws_and_the_page_does_not_scroll(fresh, visit):
    """F-001."""
    person = visit(fresh, "train", size=(390, 844), has_touch=True, is_mobile=True)
    hands = Hands(person)
    hands.draw_with_finger(1, [(150, 60 + 8 * step) for step in range(22)])
    person.expect_ink(1)
    assert person.page.evaluate("scrollY") == 0
    # A second finger that comes while the first draws is no stroke of its own.
    hands.touch("touchStart", (1, 60, 60))
    hands.touch("touchStart", (1, 60, 60), (2, 200, 200))
    hands.touch("touchMove", (1, 120, 120), (2, 240, 200))
    hands.touch("touchEnd")
    person.expect_ink(2)
    # A stroke that the system takes away leaves no ink, and that is said.
    hands.touch("touchStart", (1, 60, 60))
    hands.touch("touchMove", (1, 120, 120))
    hands.touch("touchCancel")
    person.hears("Couldn’t read drawing. Please try again.")
    person.expect_ink(2)


def test_a_hand_beside_a_pen_leaves_no_ink(fresh, visit):
    person = visit(fresh, "train", has_touch=True)
    hands = Hands(person)
    hands.draw_with_pen(LINE)
    person.expect_ink(1)
    hands.draw_with_finger(1, LINE)
    person.expect_ink(1)
    # A palm is wide, with or without a pen.
    fresh_person = visit(fresh, "train", has_touch=True)
    palm = Hands(fresh_person)
    palm.draw_with_finger(1, LINE, radius=60)
    fresh_person.expect_ink(0)
    palm.draw_with_finger(1, LINE)
    fresh_person.expect_ink(1)


@thorough
def test_a_pen_that_presses_harder_draws_wider(fresh, visit):
    person = visit(fresh, "train")
    hands = Hands(person)
    hands.draw_with_pen(
        [(60 + 10 * step, 100) for step in range(30)], [0.1 + 0.03 * step for step in range(30)]
    )
    person.expect_ink(1)
    widths = person.page.evaluate("""() => {
      const path = document.querySelector(".sheet .stroke").getAttribute("d");
      const numbers = path.match(/-?[\\d.]+ -?[\\d.]+/g)
        .map((pair) => pair.split(" ").map(Number));
      const at = (from, to) => {
        const ys = numbers.filter(([x]) => x > from && x < to).map(([, y]) => y);
        return Math.max(...ys) - Math.min(...ys);
      };
      return [at(90, 130), at(290, 330)];
    }""")
    assert widths[1] > widths[0] * 1.4, widths


def test_a_canceled_stroke_leaves_the_playground_as_it_was(taught, visit):
    person = visit(taught, "playground", has_touch=True)
    person.draw("star", 50)
    person.expect_faces(["⭐"])
    person.settle()
    hands = Hands(person)
    hands.touch("touchStart", (1, 600, 400))
    hands.touch("touchMove", (1, 640, 440))
    hands.touch("touchMove", (1, 660, 420))
    hands.touch("touchCancel")
    person.hears("Couldn’t read drawing. Please try again.")
    person.expect_ink(0)
    person.expect_faces(["⭐"])
    # It is no step of undo, and the line goes nowhere.
    sent = []
    person.page.on(
        "request",
        lambda request: (
            sent.extend(request.post_data_json["actions"]) if "/actions" in request.url else None
        ),
    )
    hands.touch("touchStart", (1, 600, 400))
    hands.touch("touchMove", (1, 640, 440))
    hands.touch("touchCancel")
    person.wait_for(lambda: len(sent) >= 2, "the pen goes down and comes up")
    person.press("Undo")
    person.expect_faces([])
    assert [each["action"] for each in sent] == ["begin", "cancel", "undo"]
    person.draw("star", 50)
    person.expect_faces(["⭐"])
    # The pen is up for the server too: what is drawn next is decided on.
    person.draw("heart", 50, at=(0.75, 0.6), size=140)
    person.expect_faces(["⭐", "❤️"])


def test_an_emoji_comes_while_the_next_shape_is_being_drawn_elsewhere(taught, visit):
    """F-012, F-014."""
    person = visit(taught, "playground")
    person.draw("star", 30, at=(0.25, 0.3), size=140)
    mouse, sheet = person.page.mouse, person.sheet.bounding_box()
    x, y = sheet["x"] + 0.75 * sheet["width"], sheet["y"] + 0.75 * sheet["height"]
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 60, y + 10, steps=5)
    person.expect_faces(["⭐"])
    mouse.move(x + 120, y - 40, steps=5)
    mouse.up()
    # The line is whole, from where it began.
    person.expect_ink(1)
    drawn = person.page.locator(".sheet .is-pending .stroke").bounding_box()
    assert drawn["width"] > 115 and abs(drawn["x"] - x) < 10, (drawn, x)


@thorough
def test_the_pen_size_is_a_setting(fresh, visit):
    person = visit(fresh, "train")
    person.draw("check", 1)
    thin = person.page.locator(".stroke").first.evaluate("(path) => path.getBBox().height")
    person.press("Clear")
    person.press("Settings")
    slider = person.page.get_by_role("slider", name="Pen")
    slider.focus()
    for _ in range(8):
        slider.press("ArrowRight")
    with person.page.expect_response(
        lambda each: each.url.endswith("/settings")
        and '"penSize":15' in (each.request.post_data or "")
    ):
        slider.press("ArrowRight")
    expect(person.page.get_by_text(re.compile("15 px"))).to_be_visible()
    person.page.keyboard.press("Escape")
    person.draw("check", 1)
    thick = person.page.locator(".stroke").first.evaluate("(path) => path.getBBox().height")
    assert thick > thin + 4
    assert fresh.ask("GET", "/settings")["penSize"] == 15


@thorough
def test_a_drawing_has_the_strokes_and_points_that_the_server_takes(fresh, visit):
    def few(route):
        answer = route.fetch()
        state = answer.json()
        state["limits"].update(strokes=3, points=40)
        route.fulfill(response=answer, json=state)

    person = visit(fresh, "train")
    person.page.route("**/api/state", few)
    person.page.reload()
    person.settle()
    hands = Hands(person)
    line = [(40 + 4 * step, 60) for step in range(18)]
    for _ in range(2):
        hands.draw_with_pen(line)
    person.expect_ink(2)
    hands.draw_with_pen(line)
    person.hears("Those are too many points for one drawing.")
    hands.draw_with_pen(line[:3])
    person.expect_ink(3)
    hands.draw_with_pen(line[:3])
    person.hears("Those are too many strokes for one drawing.")
    person.expect_ink(3)
