"""Somebody at the page: draws, picks, presses, and looks at what happens."""

import time

from playwright.sync_api import expect

from strokes import drawings, placed


class Person:
    def __init__(self, page, url):
        self.page, self.url = page, url

    def visit(self, screen="home"):
        self.page.goto(f"{self.url}/#{screen}")
        self.page.wait_for_selector("body[data-ready]")
        return self

    def go(self, name):
        self.page.get_by_role("link", name=name, exact=True).first.click()

    @property
    def sheet(self):
        return self.page.locator(".sheet").first

    def strokes(self, shape, index=0, at=(0.5, 0.5), size=160, milliseconds=500):
        """A starter drawing on the sheet, in the page's pixels; `at` is a share of the sheet."""
        box = self.sheet.bounding_box()
        x, y = box["x"] + at[0] * box["width"], box["y"] + at[1] * box["height"]
        return placed(drawings(shape)[index]["strokes"], x, y, size, milliseconds)

    def draw(self, shape, index=0, at=(0.5, 0.5), size=160, milliseconds=500):
        """Draws with the mouse, at the pace of the drawing."""
        self.move(self.strokes(shape, index, at, size, milliseconds))

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

    def pick(self, label):
        """Picks an emoji from the ones that are offered."""
        self.page.locator(".quick").get_by_role("button", name=label, exact=True).click()

    def hears(self, text, timeout=6000):
        """A toast with these words is there."""
        expect(self.page.locator(".toast", has_text=text).first).to_be_visible(timeout=timeout)

    def ink(self):
        """How many strokes are seen on the sheet."""
        return self.page.locator(".sheet .ink .stroke:visible").count()

    def expect_ink(self, count):
        expect(self.page.locator(".sheet .ink .stroke:visible")).to_have_count(count)

    def faces(self):
        return self.page.locator(".sheet .face")

    def expect_faces(self, labels, timeout=8000):
        expect(self.faces()).to_have_text(labels, timeout=timeout)
