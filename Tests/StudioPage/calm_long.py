"""
Ten minutes of each of Calm's scenes in a browser, touched at random: how late frames come, and how
the page's memory grows. A measurement, not a test:

    .venv/studio/bin/python Tests/StudioPage/calm_long.py URL [SCENE …] [--minutes 10]

URL is that of a studio whose calm surface has no passphrase. One line of JSON a scene.
"""

import argparse
import json
import os
import random
import time
import urllib.request

from playwright.sync_api import sync_playwright

SCENES = ("snow", "ripples", "colors", "bubbles", "dust", "aurora", "still", "bloom")

# Counts the milliseconds between frames, so that the measurement itself needs no more memory.
COUNT = """() => {
  globalThis.intervals = new Uint32Array(1000);
  let last = performance.now();
  const count = (now) => {
    globalThis.intervals[Math.min(999, Math.round(now - last))] += 1;
    last = now;
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
}"""


def measure(browser, url, scene, minutes, size):
    change = urllib.request.Request(
        f"{url}/api/calm", json.dumps({"scene": scene}).encode(), method="PATCH",
        headers={"Content-Type": "application/json"})
    urllib.request.urlopen(change).read()
    width, height = size
    page = browser.new_page(viewport={"width": width, "height": height}, has_touch=True)
    session = page.context.new_cdp_session(page)

    def touch(kind, *points):
        points = [{"id": number, "x": x, "y": y} for number, x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def play(seconds, chance=random.Random(7)):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            points = [
                (number, chance.uniform(0, width - 120), chance.uniform(120, height))
                for number in range(chance.choice((1, 1, 2, 5)))
            ]
            touch("touchStart", *points)
            for step in range(chance.randrange(20)):
                touch("touchMove", *((n, x + 6 * step, y - 5 * step) for n, x, y in points))
                page.wait_for_timeout(50)
            touch("touchEnd")
            page.wait_for_timeout(chance.choice((100, 400, 2000)))

    def heap():
        session.send("HeapProfiler.collectGarbage")
        return session.send("Runtime.getHeapUsage")["usedSize"]

    page.goto(f"{url}/calm")
    page.wait_for_selector("body[data-ready]")
    play(10)
    page.evaluate(COUNT)
    before = heap()
    play(60 * minutes)
    grown = heap() - before
    counts = page.evaluate("[...globalThis.intervals]")
    pixels = page.evaluate("[surface.width, surface.height]")
    page.close()
    frames = sum(counts)

    def interval(share):
        seen = 0
        for milliseconds, count in enumerate(counts):
            seen += count
            if seen >= share * frames:
                return milliseconds

    return {
        "scene": scene, "frames": frames, "median": interval(0.5), "p95": interval(0.95),
        "in34": round(sum(counts[:35]) / frames, 4), "grownBytes": grown, "canvas": pixels,
        "load": round(os.getloadavg()[1], 1),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("scenes", nargs="*", default=SCENES)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--size", default="820x1180")
    parser.add_argument("--chromium", default="/usr/bin/chromium-headless-shell")
    options = parser.parse_args()
    size = [int(side) for side in options.size.split("x")]
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=options.chromium, args=arguments)
        for scene in options.scenes or SCENES:
            row = measure(browser, options.url.rstrip("/"), scene, options.minutes, size)
            print(json.dumps(row), flush=True)
        browser.close()


if __name__ == "__main__":
    main()
