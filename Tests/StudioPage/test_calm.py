"""Calm: the surface for small children, the gate, and the adult's sheet behind it."""

import json
import random
import stat
import subprocess
import time
import urllib.error
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from calm_frames import drift, flashes, sampled
from strokes import drawings, placed
from test_accessibility import SMALL, nameless, violations
from thorough import thorough

SCENES = ("snow", "ripples", "colors", "bubbles", "dust", "aurora", "still", "bloom")
# Phone, tablet and desktop, upright and wide.
SIZES = ((390, 844), (844, 390), (820, 1180), (1180, 820), (1440, 900), (900, 1440))
PHRASE = "a quiet word"

FOCUSABLE = """[...document.querySelectorAll("*")].filter((each) =>
  each.tabIndex >= 0 || each.matches("a, button, input, select, textarea, [contenteditable]"))
  .length"""
LETTERS = r"""(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) texts.push(walker.currentNode.textContent);
  return texts.filter((text) => /[\p{L}\p{N}]/u.test(text)).length;
})()"""

# Writes down what a page asks of the browser.
ASKED = """
  globalThis.asked = [];
  const note = (name) => globalThis.asked.push(name);
  Element.prototype.requestFullscreen = async () => note("full screen");
  Object.defineProperty(navigator, "wakeLock", {
    value: { request: async () => (note("wake lock"), { release() {} }) },
  });
  const { DeviceMotionEvent } = globalThis;
  if (DeviceMotionEvent) DeviceMotionEvent.requestPermission = async () => note("motion");
  const Own = AudioContext;
  globalThis.AudioContext = class extends Own {
    constructor() { super(); note("sound"); }
    get state() { return "running"; }
  };
  const Tone = OscillatorNode;
  globalThis.OscillatorNode = class extends Tone {
    constructor(...all) { super(...all); note("tone"); }
  };
"""


@pytest.fixture
def calm(visit, fresh):
    """Opens `/calm` or another path on a server with these settings: returns a person."""

    def open_page(path="/calm", server=None, settings=None, **options):
        server = server or fresh
        if settings:
            server.ask("PATCH", "/calm", settings)
        person = visit(server, None, **options)
        person.page.goto(person.url + path)
        person.page.wait_for_selector("body[data-ready]")
        return person

    return open_page


@pytest.fixture
def calm_command(drawml, fresh):
    """Runs `drawml calm …` in the workspace of `fresh`."""

    def run(*words, entered=""):
        command = [drawml, "calm", *words, "--workspace", fresh.workspace]
        return subprocess.run(command, input=entered, text=True, capture_output=True)

    return run


@pytest.fixture
def set_passphrase(calm_command):
    def set_to(text):
        done = calm_command("passphrase", entered=text + "\n")
        assert done.returncode == 0, done.stderr

    return set_to


def refused(server, method, path, body):
    """The error with which a server refuses a request."""
    with pytest.raises(urllib.error.HTTPError) as refusal:
        server.ask(method, path, body)
    return json.load(refusal.value)["error"]


def touch(person, kind, *points):
    if not hasattr(person, "session"):
        person.session = person.page.context.new_cdp_session(person.page)
    points = [{"x": x, "y": y, "id": number} for number, x, y in points]
    person.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


def play(person, seed, count=12):
    """Touches at random, with two fingers now and then."""
    chance = random.Random(seed)
    size = person.page.viewport_size
    for _ in range(count):
        points = [
            (number, chance.uniform(0, size["width"] - 120), chance.uniform(120, size["height"]))
            for number in range(chance.choice((1, 1, 2, 4)))
        ]
        touch(person, "touchStart", *points)
        for step in range(3):
            touch(person, "touchMove", *((n, x + 9 * step, y - 7 * step) for n, x, y in points))
        touch(person, "touchEnd")


def pixels(person, x, y, half):
    """A square of the picture, as RGBA."""
    script = """([x, y, half]) => {
      const surface = document.getElementById("surface");
      const scale = surface.width / innerWidth;
      const canvas = new OffscreenCanvas(2 * half, 2 * half);
      const context = canvas.getContext("2d", { willReadFrequently: true });
      const side = 2 * half * scale;
      const from = [(x - half) * scale, (y - half) * scale];
      context.drawImage(surface, ...from, side, side, 0, 0, 2 * half, 2 * half);
      return [...context.getImageData(0, 0, 2 * half, 2 * half).data];
    }"""
    return person.page.evaluate(script, [x, y, half])


def is_at(person, path):
    return urlsplit(person.page.url).path == path


@pytest.mark.parametrize("scene", SCENES)
def test_every_scene_fills_every_window_and_has_nothing_to_read_or_press(
    calm, notes, pictures, scene
):
    """CL-001, CL-002, CL-005, CL-006, CL-032, CL-050: at six sizes, under touches."""
    # Without full screen, which has one size.
    options = {"has_touch": True, "size": SIZES[0], "script": ASKED}
    person = calm(settings={"scene": scene}, **options)
    page = person.page
    for size in SIZES:
        person.resize(*size)
        play(person, seed=sum(size), count=3)
        person.frames()
        box = page.locator("canvas").bounding_box()
        assert (box["width"], box["height"]) == size
        assert page.evaluate(LETTERS) == 0
        assert page.evaluate(FOCUSABLE) == 0
        assert person.fits() and is_at(person, "/calm")
    assert nameless(person) == []
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement === document.body")
    page.screenshot(path=pictures / f"calm-{scene}.png")
    # Its own files, its settings, and for drawings the model's answer.
    paths = {urlsplit(url).path for _, url in notes.requests}
    asked = {path for path in paths if path.startswith("/api/")} - {"/api/calm"}
    if scene == "bloom":
        asked = {path for path in asked if path != "/api/state" and "/classify" not in path}
    assert asked == set()
    assert notes.asked("PATCH", "/api/calm") == 0
    # Nothing is counted from one time to the next.
    assert page.evaluate("localStorage.length + sessionStorage.length") == 0


def test_without_settings_the_first_scene_opens_and_the_adult_reads_why(calm, fresh, notes):
    """CL-001, CL-032: the child sees no message, whatever fails."""
    notes.allow(500, "/api/calm")
    (fresh.workspace / "calm.json").write_text("{")
    person = calm()
    assert person.page.evaluate(LETTERS) == 0
    assert person.page.evaluate(FOCUSABLE) == 0
    person.page.goto(f"{person.url}/calm/adult")
    expect(person.page.get_by_role("heading", level=1)).to_have_text("Calm cannot be opened")
    person.press("Back")
    person.page.wait_for_selector("body[data-screen=calm][data-ready]")


# Pointers and keys at random, as fast as the page takes them; none holds for six seconds.
RANDOM_EVENTS = """async ({ count, seed }) => {
  const { between, makeRandom, next } = await import("/calm-random.js");
  const random = makeRandom(seed);
  const target = document.getElementById("surface");
  const keys = ["ArrowRight", "ArrowLeft", "Enter", " ", "Escape", "Tab", "a", "1", "F1", "Home"];
  const send = (kind, id, x, y) => target.dispatchEvent(new PointerEvent(kind, {
    bubbles: true, pointerId: id, isPrimary: id === 1, clientX: x, clientY: y,
  }));
  for (let number = 0; number < count; number += 1) {
    const id = 1 + Math.floor(4 * next(random));
    const isCorner = next(random) < 0.3;
    const x = between(random, isCorner ? innerWidth - 80 : 0, innerWidth);
    const y = between(random, 0, isCorner ? 80 : innerHeight);
    send("pointerdown", id, x, y);
    for (let step = Math.floor(6 * next(random)); step > 0; step -= 1) {
      send("pointermove", id, x + 40 * step * (next(random) - 0.5), y + 30 * step);
    }
    const options = { bubbles: true, cancelable: true, ctrlKey: next(random) < 0.2 };
    const key = keys[Math.floor(keys.length * next(random))];
    target.dispatchEvent(new KeyboardEvent("keydown", { ...options, key }));
    if (next(random) < 0.9) send("pointerup", id, x, y);
    if (number % 100 === 0) await new Promise((done) => requestAnimationFrame(done));
  }
}"""


def test_ten_thousand_taps_swipes_and_keys_change_no_scene_and_open_no_gate(calm, fresh, notes):
    """CL-002, CL-020, CL-050."""
    person = calm(settings={"scene": "bubbles"}, size=(390, 844), script=ASKED)
    seed = random.randrange(2**32)
    print(f"seed {seed}")
    person.page.evaluate(RANDOM_EVENTS, {"count": 10_000, "seed": seed})
    assert is_at(person, "/calm")
    assert fresh.ask("GET", "/calm")["scene"] == "bubbles"
    assert notes.asked("GET", "/calm.js") == 1 and notes.asked("PATCH", "/") == 0
    # It still answers: the gate opens for whoever holds it.
    person.page.mouse.move(360, 30)
    person.page.mouse.down()
    person.page.wait_for_url("**/calm/adult")


def test_what_the_browser_does_with_touches_and_keys_is_stopped(calm):
    """CL-007."""
    person = calm(settings={"scene": "still"}, has_touch=True)
    page = person.page
    stopped = """(all) => all.map(([kind, name, more]) => {
      const event = new globalThis[kind](name, { bubbles: true, cancelable: true, ...more });
      document.getElementById("surface").dispatchEvent(event);
      return [name, event.defaultPrevented];
    }).filter(([, isStopped]) => !isStopped)"""
    events = [
        ["MouseEvent", "contextmenu", {}], ["Event", "selectstart", {}],
        ["DragEvent", "dragstart", {}], ["DragEvent", "drop", {}],
        ["Event", "gesturestart", {}], ["Event", "touchstart", {}], ["Event", "touchmove", {}],
        ["WheelEvent", "wheel", {"ctrlKey": True, "deltaY": 9}],
        *(["KeyboardEvent", "keydown", {"key": key, "ctrlKey": True}] for key in "psfdou+-0"),
        ["KeyboardEvent", "keydown", {"key": "F5"}], ["KeyboardEvent", "keydown", {"key": "F1"}],
    ]
    assert page.evaluate(stopped, events) == []
    style = page.evaluate(
        """(() => {
      const { touchAction, userSelect, overscrollBehaviorX } = getComputedStyle(document.body);
      return [touchAction, userSelect, overscrollBehaviorX];
    })()"""
    )
    assert style == ["none", "none", "none"]
    viewport = page.locator("meta[name=viewport]").get_attribute("content")
    assert "user-scalable=no" in viewport and "maximum-scale=1" in viewport
    # Back leads to the surface again.
    touch(person, "touchStart", (1, 300, 300))
    touch(person, "touchEnd")
    page.evaluate("history.back()")
    page.wait_for_timeout(300)
    page.evaluate("history.back()")
    page.wait_for_timeout(300)
    assert is_at(person, "/calm")


def test_full_screen_and_wake_lock_come_with_the_first_touch_and_no_question(calm):
    """CL-003, CL-007: without a touch nothing is asked of the browser, and sound is off."""
    person = calm(settings={"scene": "dust"}, has_touch=True, script=ASKED)
    person.frames()
    assert person.page.evaluate("globalThis.asked") == []
    play(person, seed=1)
    person.until("globalThis.asked.includes('wake lock')")
    asked = set(person.page.evaluate("globalThis.asked"))
    assert asked == {"full screen", "wake lock"}


def test_sound_that_an_adult_turned_on_waits_for_a_touch(calm):
    """CL-003."""
    person = calm(settings={"scene": "ripples", "isSoundOn": True}, has_touch=True, script=ASKED)
    person.page.wait_for_timeout(400)
    assert person.page.evaluate("globalThis.asked") == []
    play(person, seed=2)
    person.until("globalThis.asked.includes('tone')")
    assert person.page.evaluate("globalThis.asked.filter((each) => each === 'sound')") == ["sound"]
    # A hand full of touches is not louder than six tones, which last for seconds.
    person.page.evaluate("globalThis.asked.length = 0")
    tones = "globalThis.asked.filter((each) => each === 'tone').length"
    touch(person, "touchStart", *((number, 40 * number, 400) for number in range(1, 11)))
    person.frames()
    touch(person, "touchEnd")
    assert person.page.evaluate(tones) <= 6


def test_a_hidden_page_rests(calm):
    person = calm(settings={"scene": "snow"})
    person.page.wait_for_timeout(1800)
    turn = """(state) => {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    person.page.evaluate(turn, "hidden")
    person.frames()
    before = person.page.screenshot()
    person.page.wait_for_timeout(300)
    assert person.page.screenshot() == before
    person.page.evaluate(turn, "visible")
    person.wait_for(lambda: person.page.screenshot() != before, "it snows again")


# Holds in the corner by the page's own timers; says for how long it was held.
HOLD = """async (milliseconds) => {
  const at = { bubbles: true, pointerId: 5, clientX: innerWidth - 30, clientY: 30 };
  const down = new PointerEvent("pointerdown", at);
  document.body.dispatchEvent(down);
  await new Promise((done) => setTimeout(done, milliseconds));
  const up = new PointerEvent("pointerup", at);
  document.body.dispatchEvent(up);
  return up.timeStamp - down.timeStamp;
}"""


def test_the_gate_opens_after_six_seconds_and_not_before(calm):
    """CL-020: 5.9 s does nothing; a real hold of 6.1 s opens."""
    person = calm(settings={"scene": "still"}, size=(390, 400))
    page = person.page
    held = 9000
    while held >= 5990:
        # A busy machine's timers are late.
        held = page.evaluate(HOLD, 5890)
    assert held > 5880
    page.wait_for_timeout(400)
    assert is_at(person, "/calm")
    start = time.monotonic()
    page.mouse.move(page.viewport_size["width"] - 40, 40)
    page.mouse.down()
    page.wait_for_url("**/calm/adult")
    assert time.monotonic() - start > 5.9
    expect(page.get_by_role("heading", level=1)).to_have_text("Calm")


def test_the_ring_is_thin_and_faint_and_there_only_while_held(calm):
    """CL-020: at most 60 of 255 brighter than without."""
    person = calm(settings={"scene": "still"}, size=(390, 844), has_touch=True)
    person.page.wait_for_timeout(2000)
    without = pixels(person, 350, 40, 40)
    touch(person, "touchStart", (1, 385, 5))
    person.page.wait_for_timeout(1500)
    held = pixels(person, 350, 40, 40)
    touch(person, "touchEnd")
    changes = [abs(one - other) for one, other in zip(without, held)]
    assert 8 < max(changes) <= 60
    assert sum(change > 8 for change in changes) < 0.12 * len(changes)
    # The finger's faint glow stays a while; the ring does not.
    person.page.wait_for_timeout(200)
    after = pixels(person, 350, 40, 40)
    assert max(abs(one - other) for one, other in zip(without, after)) < 14


def check_light(page, scene, seconds, seed, size=(400, 300)):
    """Samples a scene under random touches, and checks it for flashes; returns its means."""
    found = sampled(page, scene, seed, seconds, size=size)
    most = max(flashes(tile, 12) for tile in zip(*found["tiles"]))
    assert most <= 3, f"{most} changes in a second in {scene}, seed {seed}"
    return found["means"]


def test_no_scene_flashes_aurora_is_slow_and_still_is_the_calmest(calm):
    """
    CL-004, CL-046, CL-047: frames at 12 a second, in tiles of 100 × 100. Aurora changes by less
    than 2 % a second, also under ten fingers. Still changes by less than a tenth of any other scene
    on its own, and the least under the same touches.
    """
    page = calm("/calm/adult").page
    alone, touched = {}, {}
    for scene in SCENES:
        means = sampled(page, scene, 5, seconds=3, is_touched=False)["means"]
        alone[scene], slow = drift(means, 12)
        touched[scene], share = drift(check_light(page, scene, seconds=6, seed=5), 12)
        if scene == "aurora":
            assert max(slow, share) < 0.02
    still = alone.pop("still")
    assert still < min(alone.values()) / 10, f"{still} of {alone}"
    assert min(touched, key=touched.get) == "still", touched


@thorough
@pytest.mark.parametrize("scene", SCENES)
def test_no_scene_flashes_in_ten_minutes(calm, scene):
    """CL-004."""
    seed = random.randrange(2**32)
    means = check_light(calm("/calm/adult").page, scene, seconds=600, seed=seed, size=(300, 200))
    assert scene != "aurora" or drift(means, 12)[1] < 0.02


@thorough
@pytest.mark.parametrize("scene", SCENES)
def test_ten_minutes_do_not_grow_the_memory(calm, scene):
    """36,000 steps of each scene; less than 1 MB more afterward."""
    person = calm("/calm/adult")
    session = person.page.context.new_cdp_session(person.page)
    steps = """async ({ name, count }) => {
      const { makeInput, scenes, stepSeconds } = await import("/calm-scenes.js");
      globalThis.kept ??= { state: scenes[name].make(1, 820, 1180), input: makeInput() };
      const { state, input } = globalThis.kept;
      for (let turn = 0; turn < count; turn += 1) {
        const at = { id: Math.floor(turn / 50), x: turn % 800, y: (7 * turn) % 1100 };
        input.pointers.length = 0;
        input.pointers.push({ ...at, isNew: turn % 50 === 0 });
        scenes[name].step(state, input, stepSeconds);
      }
    }"""

    def used():
        session.send("HeapProfiler.collectGarbage")
        return session.send("Runtime.getHeapUsage")["usedSize"]

    person.page.evaluate(steps, {"name": scene, "count": 600})
    before = used()
    person.page.evaluate(steps, {"name": scene, "count": 36_000})
    assert used() - before < 1_000_000


def brightness(person, x, y, half=45):
    """The mean of a square of the picture, as 0…255."""
    values = [each for index, each in enumerate(pixels(person, x, y, half)) if index % 4 < 3]
    return sum(values) / len(values)


def test_a_taught_drawing_blooms_and_another_fades_without_a_word(calm, taught, notes):
    """CL-006, CL-049: for three seconds, and nothing is kept."""
    person = calm(server=taught, settings={"scene": "bloom"}, size=(600, 700))
    person.page.wait_for_timeout(300)
    dark = brightness(person, 300, 350)
    # Of the same shape as was taught, but another drawing.
    person.move(placed(drawings("star")[0]["strokes"], 300, 350, 260, 500))
    person.wait_for(lambda: notes.asked("POST", "/classify") == 1, "the model is asked")
    person.wait_for(lambda: brightness(person, 300, 350) > dark + 60, "it blooms")
    assert person.page.evaluate(LETTERS) == 0
    person.wait_for(lambda: brightness(person, 300, 350) < dark + 4, "it fades")
    person.move(placed(drawings("spiral")[0]["strokes"], 300, 350, 260, 500))
    person.wait_for(lambda: notes.asked("POST", "/classify") == 2, "the model is asked")
    ink = brightness(person, 300, 350)
    person.wait_for(lambda: brightness(person, 300, 350) < dark + 4, "it fades")
    assert ink < dark + 60
    assert person.page.evaluate(LETTERS) == 0
    assert notes.asked("POST", "/samples") == 0 and notes.asked("GET", "/api/state") == 1


def test_a_label_of_words_does_not_bloom(calm, fresh):
    """CL-001, CL-049: words would be something to read."""
    words = {"star": "a star", "heart": "a heart"}
    fresh.teach([{**each, "label": label} for name, label in words.items()
                 for each in drawings(name)[10:16]])
    person = calm(settings={"scene": "bloom"})
    dark = brightness(person, 500, 400, half=12)
    with person.page.expect_response("**/classify") as response:
        person.move(placed(drawings("star")[0]["strokes"], 500, 400, 220, 400))
    said = response.value.json()
    assert (said["decision"], said["label"]) == ("recognized", "a star")
    person.page.wait_for_timeout(900)
    assert brightness(person, 500, 400, half=12) < dark + 40
    assert person.page.evaluate(LETTERS) == 0


@pytest.mark.parametrize(
    "theme, size",
    [("light", (375, 667)), ("dark", (820, 1180))]
    + [pytest.param("dark", (375, 667), marks=thorough)]
    + [pytest.param(theme, size, marks=thorough)
       for theme in ("light", "dark") for size in ((844, 390), (1440, 900))],
)
def test_the_adults_sheet_fits_and_is_accessible(calm, pictures, theme, size):
    """CL-030, CL-031: no scrolling at 375 × 667; axe; names; 24 px; focus."""
    options = {"color_scheme": theme, "reduced_motion": "reduce", "size": size}
    person = calm("/calm/adult", **options)
    page = person.page
    label = f"{theme}-{size[0]}x{size[1]}"
    for step in ("sheet", "choosing", "help"):
        if step == "choosing":
            person.press("Choose offered")
        elif step == "help":
            person.press("Done")
            person.press("How to lock this device")
        person.settle()
        page.screenshot(path=pictures / f"calm-adult-{step}-{label}.png")
        assert violations(page) == {}, step
        assert nameless(person) == []
        assert page.evaluate(SMALL) == []
        assert person.fits()
        if size == (375, 667):
            assert page.evaluate("document.documentElement.scrollHeight") == 667, step
    assert page.evaluate("document.activeElement.tagName") == "H1"


def test_the_adult_chooses_scene_offer_and_sound_and_locks_again(calm, fresh):
    """CL-030, CL-031, CL-032: left only by Lock, and kept."""
    person = calm("/calm/adult")
    page = person.page
    expect(page.get_by_role("radio")).to_have_count(8)
    expect(page.get_by_role("radio", name="Snow globe")).to_be_checked()
    page.get_by_role("radio", name="Ripples").check(force=True)

    def kept():
        return fresh.ask("GET", "/calm")

    person.wait_for(lambda: kept()["scene"] == "ripples", "the scene is kept")
    expect(page.get_by_role("radio", name="Ripples")).to_be_checked()
    expect(page.get_by_role("radio", name="Ripples")).to_be_focused()
    page.get_by_role("switch").check()
    person.wait_for(lambda: kept()["isSoundOn"], "sound is on")
    person.press("Choose offered")
    # What is shown is offered.
    expect(page.get_by_role("checkbox", name="Ripples")).to_be_disabled()
    page.get_by_role("checkbox", name="Bubbles").uncheck(force=True)
    person.wait_for(lambda: "bubbles" not in kept()["offered"], "it is not offered")
    person.press("Done")
    expect(page.get_by_role("radio")).to_have_count(7)
    expect(page.get_by_role("radio", name="Bubbles")).to_have_count(0)
    expect(page.locator(".calm-facts")).to_contain_text("not detectable")
    expect(page.get_by_role("link")).to_have_count(0)
    person.press("How to lock this device")
    for words in ("drawml calm --kiosk", "chromium --kiosk", "gnome-kiosk-script",
                  "Guided Access", "App pinning", "What a page cannot stop"):
        expect(page.locator(".calm-help")).to_contain_text(words)
    person.press("Back")
    person.press("Lock")
    page.wait_for_selector("body[data-screen=calm][data-ready]")
    assert page.evaluate(LETTERS) == 0


def test_a_passphrase_comes_before_anything_else(calm, fresh, set_passphrase, notes):
    """CL-021, CL-022: the server checks it; wrong, waiting and cancelled stay locked."""
    notes.allow(403, "/api/calm")
    notes.allow(429, "/api/calm")
    set_passphrase(PHRASE)
    person = calm("/calm/adult", size=(375, 667))
    page = person.page
    field = page.get_by_label("Passphrase", exact=True)
    alert = page.get_by_role("alert")
    expect(field).to_be_focused()
    assert field.get_attribute("type") == "password"
    expect(page.get_by_role("radio")).to_have_count(0)
    expect(page.get_by_role("link")).to_have_count(0)
    assert violations(page) == {}
    for number in range(1, 6):
        field.fill("another word")
        field.press("Enter")
        person.wait_for(lambda: notes.asked("POST", "/calm/unlock") == number, "it is checked")
        expect(page.get_by_role("button", name="Unlock")).to_be_enabled()
        if number < 5:
            expect(alert).to_have_text("That is not it.")
    expect(alert).to_have_text("Wait 30 seconds.")
    # The right one, too.
    field.fill(PHRASE)
    person.press("Unlock")
    expect(alert).to_contain_text("Wait ")
    expect(page.get_by_role("radio")).to_have_count(0)
    person.press("Back")
    page.wait_for_selector("body[data-screen=calm][data-ready]")
    set_passphrase(PHRASE)
    page.goto(f"{person.url}/calm/adult")
    field.fill(PHRASE)
    person.press("Unlock")
    expect(page.get_by_role("radio")).to_have_count(8)
    # Nobody else may change things meanwhile: they don't know the key of this page.
    assert refused(fresh, "PATCH", "/calm", {"scene": "dust"})["code"] == "locked"
    page.get_by_role("radio", name="Aurora").check(force=True)
    person.wait_for(lambda: fresh.ask("GET", "/calm")["scene"] == "aurora", "it is changed")
    # A server that was started again knows nothing of the page.
    fresh.stop()
    fresh.start()
    page.get_by_role("radio", name="Still").check(force=True)
    expect(field).to_be_focused()
    assert fresh.ask("GET", "/calm")["scene"] == "aurora"


def test_the_server_keeps_settings_and_counts_wrong_entries(fresh, calm_command, set_passphrase):
    """CL-021, CL-032: set on the command line, checked by the server, kept over a restart."""
    assert fresh.ask("GET", "/calm")["hasPassphrase"] is False
    assert fresh.ask("PATCH", "/calm", {"scene": "aurora"})["scene"] == "aurora"
    assert calm_command("passphrase", entered="abc\n").returncode == 1
    set_passphrase(PHRASE)
    file = fresh.workspace / "calm.json"
    assert PHRASE not in file.read_text() and stat.S_IMODE(file.stat().st_mode) == 0o600
    assert refused(fresh, "PATCH", "/calm", {"isSoundOn": True, "key": ""})["code"] == "locked"
    # What cannot be a passphrase costs no time, and is not counted.
    for huge in ("x" * 201, "e" + 2_000 * "\u0301"):
        body = {"passphrase": huge}
        assert refused(fresh, "POST", "/calm/unlock", body)["code"] == "wrongPassphrase"
    for body in ({}, [], {"passphrase": 7}, {"passphrase": None}):
        refusal = refused(fresh, "POST", "/calm/unlock", body)
        assert refusal["code"] not in ("wrongPassphrase", "wait")
    for _ in range(4):
        wrong = refused(fresh, "POST", "/calm/unlock", {"passphrase": "x"})
        assert wrong["code"] == "wrongPassphrase"
    assert refused(fresh, "POST", "/calm/unlock", {"passphrase": "x"})["detail"] == "30"
    fresh.stop()
    fresh.start()
    assert refused(fresh, "POST", "/calm/unlock", {"passphrase": PHRASE})["code"] == "wait"
    set_passphrase(PHRASE)
    key = fresh.ask("POST", "/calm/unlock", {"passphrase": PHRASE})["key"]
    no_scene = {"offered": ["still"], "key": key}
    assert refused(fresh, "PATCH", "/calm", no_scene)["code"] == "notOffered"
    for change in ({"scene": "disco"}, {"isSoundOn": "yes"}, {"offered": "still"}):
        assert refused(fresh, "PATCH", "/calm", {**change, "key": key})["code"] != "locked"
    changed = fresh.ask("PATCH", "/calm", {"offered": ["still", "aurora"], "key": key})
    assert changed["offered"] == ["aurora", "still"] and not changed["isSoundOn"]
    assert calm_command("passphrase", "--remove").returncode == 0
    assert fresh.ask("GET", "/calm")["hasPassphrase"] is False
