"""Tracing with a camera above the paper, which is asked for only on a press."""

import pytest
from playwright.sync_api import expect

from thorough import thorough
from tracing import matrix, placing, trace


@pytest.fixture
def with_camera(serve, tmp_path):
    return serve(tmp_path / "camera", options=["--camera"])


# A camera that the test makes: a canvas's stream with a light.
CAMERA = """(() => {
  globalThis.lights = [];
  navigator.mediaDevices.getUserMedia = async (wanted) => {
    globalThis.asked = (globalThis.asked ?? 0) + 1;
    const canvas = document.createElement("canvas");
    canvas.getContext("2d").fillRect(0, 0, 10, 10);
    const stream = canvas.captureStream(5);
    const [track] = stream.getVideoTracks();
    globalThis.track = track;
    track.getCapabilities = () => ({ torch: true });
    track.applyConstraints = async ({ advanced: [{ torch }] }) => {
      globalThis.lights.push(torch);
    };
    return stream;
  };
})();"""


def test_the_camera_is_asked_for_only_on_a_press_and_stops_when_left(with_camera, visit):
    """TR-001, TR-013, TR-022, TR-023."""
    person = trace(visit(with_camera, script=CAMERA), "choose")
    assert person.page.evaluate("globalThis.asked") is None
    person.page.get_by_role("link", name="Above paper").click()
    person.page.wait_for_selector("body[data-step=above]")
    person.until("document.querySelector('video').srcObject?.active === true")
    assert person.page.evaluate("globalThis.asked") == 1
    assert person.page.evaluate("document.querySelector('video').paused") is False
    person.press("Light")
    person.wait_for(lambda: person.page.evaluate("globalThis.lights") == [True], "the light is on")
    # The camera's picture has a place of its own.
    placing(person)
    person.press("Camera")
    person.page.locator(".trace-stage").focus()
    person.page.keyboard.press("Shift+ArrowRight")
    person.frames()
    assert matrix(person) == [1, 0, 0, 1, 0, 0]
    ground = "getComputedStyle(document.querySelector('.trace-ground')).transform"
    assert person.page.evaluate(ground) == "matrix(1, 0, 0, 1, 10, 0)"
    person.page.get_by_role("link", name="Paper").click()
    person.page.wait_for_selector("body[data-step=choose]")
    person.until("globalThis.track.readyState === 'ended'")


@thorough
def test_a_hidden_page_lets_go_of_the_camera_and_a_reload_asks_before_it_takes_it(
    with_camera, visit
):
    """TR-022."""
    person = trace(visit(with_camera, script=CAMERA), "choose")
    person.page.get_by_role("link", name="Above paper").click()
    person.until("document.querySelector('video')?.srcObject?.active === true")
    hide = """(state) => {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }"""
    person.page.evaluate(hide, "hidden")
    person.until("globalThis.track.readyState === 'ended'")
    person.page.evaluate(hide, "visible")
    person.until("document.querySelector('video').srcObject?.active === true")
    assert person.page.evaluate("globalThis.asked") == 2
    person.page.reload()
    person.page.wait_for_selector("body[data-ready][data-step=above]")
    assert person.page.evaluate("globalThis.asked") is None
    person.press("Use the camera")
    person.until("document.querySelector('video').srcObject?.active === true")


@thorough
def test_without_the_switch_that_way_leads_to_the_choice(fresh, visit):
    """TR-022."""
    person = visit(fresh)
    person.page.goto(f"{person.url}/trace#above/bundled%2Fstar")
    person.page.wait_for_selector("body[data-ready][data-step=choose]")
    expect(person.page.locator(".is-closed")).to_contain_text("drawml studio --camera")


def test_a_refused_camera_leads_to_the_light_table(with_camera, visit):
    """TR-022."""
    refused = """navigator.mediaDevices.getUserMedia = async () => {
      throw new DOMException("no", "NotAllowedError");
    };"""
    person = trace(visit(with_camera, script=refused), "choose")
    person.page.get_by_role("link", name="Above paper").click()
    person.hears("The browser does not let this page use the camera.")
    person.page.wait_for_selector("body[data-step=under]")


def test_the_screen_stays_on_while_drawing(with_camera, visit):
    """TR-023: the lock is given back on leaving; without the interface nothing breaks."""
    script = """globalThis.locks = [];
      Object.defineProperty(navigator, "wakeLock", { value: { request: async () => {
        globalThis.locks.push("on");
        return { release: () => globalThis.locks.push("off") };
      } } });"""
    person = trace(visit(with_camera, script=script))
    person.wait_for(lambda: person.page.evaluate("globalThis.locks") == ["on"], "it is on")
    placing(person)
    person.page.get_by_role("link", name="Paper").click()
    person.wait_for(lambda: person.page.evaluate("globalThis.locks") == ["on", "off"], "it is off")
    without = "Object.defineProperty(navigator, 'wakeLock', { value: undefined });"
    trace(visit(with_camera, script=without))
