"""Somebody at the page: draws, picks, presses, and looks at what happens."""

import time

from playwright.sync_api import expect

from strokes import drawings, placed


class Person:
    def __init__(self, page, url):
        self.page, self.url = page, url

    def visit(self, screen="home"):
        self.page.goto(f"{self.url}/#{screen}")
        # Where the page is open already, only its screen changes, and not at once.
        self.page.wait_for_selector(f"body[data-ready][data-screen={screen.split('/')[0]}]")
        return self

    def go(self, name):
        """Follows a link to another screen, and waits until it is open."""
        link = self.page.get_by_role("link", name=name, exact=True).first
        screen = link.get_attribute("href").removeprefix("#").split("/")[0]
        link.click()
        self.page.wait_for_selector(f"body[data-screen={screen}]")

    def resize(self, width, height):
        """Gives the window another size."""
        self.page.set_viewport_size({"width": width, "height": height})

    def pass_time(self, milliseconds):
        """Lets time pass for the page, but not for the server; needs `visit(…, has_clock=True)`."""
        self.page.clock.fast_forward(milliseconds)

    @property
    def sheet(self):
        return self.page.locator(".sheet").first

    def strokes(self, shape, index=0, at=(0.5, 0.5), size=160, milliseconds=500):
        """A starter drawing on the sheet, in the page's pixels; `at` is a share of the sheet."""
        expect(self.sheet).to_be_visible()
        box = self.sheet.bounding_box()
        x, y = box["x"] + at[0] * box["width"], box["y"] + at[1] * box["height"]
        return placed(drawings(shape)[index]["strokes"], x, y, size, milliseconds)

    def draw(self, shape, index=0, at=(0.5, 0.5), size=160, milliseconds=500, pause=0):
        """Draws with the mouse, at the pace of the drawing. Returns the strokes."""
        strokes = self.strokes(shape, index, at, size, milliseconds)
        self.move(strokes)
        time.sleep(pause / 1000)
        return strokes

    def open_menu(self, place):
        """Presses on the middle of something on the sheet and holds, which opens its menu."""
        box = place.bounding_box()
        self.rest_at(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def rest_at(self, x, y, steps=()):
        """Holds, which opens a menu, unless the pen goes on with `steps`."""
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        # The page's own timer, which began before this one, is over then.
        self.page.evaluate("new Promise((done) => setTimeout(done, 820))")
        for step in steps:
            self.page.mouse.move(*step, steps=4)
        self.page.mouse.up()
        if not steps:
            self.page.wait_for_selector(".shape-menu")

    def move(self, strokes):
        mouse = self.page.mouse
        start = time.monotonic()
        for stroke in strokes:
            self._wait(start, stroke[0][2])
            mouse.move(stroke[0][0], stroke[0][1])
            mouse.down()
            for x, y, t in stroke[1:]:
                self._wait(start, t)
                mouse.move(x, y)
            mouse.up()

    @staticmethod
    def _wait(start, milliseconds):
        pause = start + milliseconds / 1000 - time.monotonic()
        if pause > 0:
            time.sleep(pause)

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def open_numbers(self):
        """Opens what a report says to grown-ups."""
        self.page.locator("summary", has_text="For grown-ups").click()

    def pick(self, label):
        """Picks an emoji from the ones that are offered."""
        self.page.locator(".quick").get_by_role("button", name=label, exact=True).click()

    def choose(self, name):
        """Picks an emoji from all, by its name."""
        self.page.get_by_role("searchbox", name="Search emojis").fill(name)
        self.page.get_by_role("option", name=name, exact=True).click()

    def fits(self):
        """Whether the page is no wider than the window."""
        return self.page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )

    def frames(self):
        """Waits until the page has drawn what it has heard of."""
        self.page.evaluate(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    def settle(self):
        """Waits until nothing moves any more, also of what moves from the next frame on."""
        self.frames()
        self.until("document.getAnimations().every((each) => each.playState !== 'running')")

    def until(self, condition, seconds=60):
        """Waits until an expression is true; the page's policy forbids `wait_for_function`."""
        self.wait_for(lambda: self.page.evaluate(condition), condition, seconds)

    def wait_for(self, is_so, what, seconds=60):
        """Waits until a function returns true while the page runs; `what` is for the failure."""
        deadline = time.monotonic() + seconds
        while not is_so():
            assert time.monotonic() < deadline, what
            self.page.wait_for_timeout(30)

    def expect_over(self, face, strokes, tolerance=3):
        """The emoji stands where the strokes were drawn, and is as large."""
        self.settle()
        left, top, right, bottom = box(strokes)
        wanted = ((left + right) / 2, (top + bottom) / 2, max(right - left, bottom - top))
        seen = face.bounding_box()
        seen = (seen["x"] + seen["width"] / 2, seen["y"] + seen["height"] / 2, seen["width"])
        assert all(
            abs(a - b) < tolerance for a, b in zip(wanted, seen)
        ), f"drawn at {wanted}, the emoji is at {seen}"

    def ink_box(self, within=".sheet .ink .stroke"):
        """The box around ink that is seen: left, top, right, bottom."""
        return self.page.evaluate(
            """(within) => {
          const isVisible = (each) => each.checkVisibility({ visibilityProperty: true });
          const boxes = [...document.querySelectorAll(within)].filter(isVisible)
            .map((each) => each.getBoundingClientRect());
          const all = (side) => boxes.map((box) => box[side]);
          return [
            Math.min(...all("left")), Math.min(...all("top")),
            Math.max(...all("right")), Math.max(...all("bottom")),
          ];
        }""",
            within,
        )

    def hold(self, pattern, method="POST"):
        """Holds the next such request until `release()`; the ones behind it go through."""
        return Held(self, pattern, method)

    def hears(self, text, timeout=30_000):
        """A toast with these words is there."""
        expect(self.page.locator(".toast", has_text=text).first).to_be_visible(timeout=timeout)

    def ink(self):
        """How many strokes are seen on the sheet."""
        return self.page.locator(".sheet .ink .stroke:visible").count()

    def expect_ink(self, count):
        expect(self.page.locator(".sheet .ink .stroke:visible")).to_have_count(count)

    def faces(self):
        return self.page.locator(".sheet .face")

    def expect_faces(self, labels, timeout=60_000):
        expect(self.faces()).to_have_text(labels, timeout=timeout)


class Held:
    """A request that is on its way for as long as the test wants."""

    def __init__(self, person, pattern, method):
        self.person, self.pattern, self.method, self.route = person, pattern, method, None
        person.page.route(pattern, self._take)

    def _take(self, route):
        if self.route is None and route.request.method == self.method:
            self.route = route
        else:
            route.continue_()

    def wait(self):
        self.person.wait_for(lambda: self.route is not None, f"a {self.method} of {self.pattern}")
        return self

    def release(self):
        self.wait().route.continue_()


def box(strokes):
    """The box around strokes: left, top, right, bottom."""
    xs, ys = [x for stroke in strokes for x, _, _ in stroke], [
        y for stroke in strokes for _, y, _ in stroke
    ]
    return [min(xs), min(ys), max(xs), max(ys)]


def near(one, other, tolerance):
    """Whether two boxes are the same but for a few pixels."""
    return all(abs(a - b) <= tolerance for a, b in zip(one, other))


def label(text, judged, recognized, known=None, added=None, change="same", name=None, samples=None):
    """A row of a report; `known` is (judged, before, after), `added` (judged, recognized)."""
    return {
        "label": text,
        "name": name,
        "samples": samples or judged,
        "judged": judged,
        "recognizedShare": recognized,
        "change": change,
        "known": known and dict(zip(("judged", "shareBefore", "shareAfter"), known)),
        "added": added and dict(zip(("judged", "recognizedShare"), added)),
    }


def tell(person, labels, mistaken=()):
    """The server's next reports are these, whatever it has."""
    report = {
        "samples": 41,
        "seconds": 1.5,
        "labels": labels,
        "mistaken": list(mistaken),
        "changes": {"added": 9, "relabelled": 1, "removed": 0},
    }
    person.page.route("**/report", lambda route: route.fulfill(json=report))
