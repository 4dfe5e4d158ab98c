"""Lost answers, also before a restart of the server: nothing is done twice or undone by mistake."""

import json

import pytest
from playwright.sync_api import expect

from strokes import drawings
from test_server_away import go_to_the_playground, playground, try_again
from thorough import thorough


def lose(person, word):
    """
    Loses the answer to the first request with `word` in it, then blocks all requests until they
    are let through again.
    """
    lost = []

    def take(route):
        if not lost and word in (route.request.post_data or ""):
            lost.append(route.fetch().status)
        if lost:
            route.abort()
        else:
            route.continue_()

    person.page.route("**/actions", take)
    return lost


def strokes_on(server, person):
    """How many strokes the server has on the sheet, and its emojis."""
    shapes = server.ask("GET", f"/playgrounds/{playground(person)}")["shapes"]
    return sum(len(shape["strokes"]) for shape in shapes), [
        shape["label"] for shape in shapes if shape["state"] == "recognized"
    ]


@thorough
def test_a_lost_answer_does_not_draw_twice(taught, visit, notes):
    notes.allow("ERR_FAILED", "/actions")
    person = visit(taught, "playground")
    lost = lose(person, "strokes")
    person.draw("star", 46)
    person.hears("Live check paused. Try again.")
    assert lost == [200]
    person.page.unroute("**/actions")
    try_again(person)
    person.expect_faces(["⭐"])
    # Each stroke is there once: as many undos empty the sheet, and the next finds nothing.
    for _ in drawings("star")[46]["strokes"]:
        person.press("Undo")
    person.expect_faces([])
    person.expect_ink(0)
    person.press("Undo")
    person.hears("Nothing to undo.")


@thorough
@pytest.mark.parametrize("hears", [True, False], ids=["told", "not told"])
def test_a_stroke_whose_answer_was_lost_is_there_once_after_a_restart(taught, visit, notes, hears):
    notes.allow_away()
    notes.allow("ERR_FAILED", "")
    person = visit(taught, "playground")
    if not hears:
        # The page does not even get the events of its stroke.
        person.page.route("**/api/events**", lambda route: route.abort())
        person.page.evaluate("import('/events.js').then(({ reconnect }) => reconnect())")
        person.frames()
    lost = lose(person, "strokes")
    person.draw("star", 45)
    person.hears("Live check paused. Try again.")
    assert lost == [200]
    if not hears:
        person.wait_for(lambda: strokes_on(taught, person)[1] == ["⭐"], "the star")
    taught.stop()
    taught.start()
    person.page.unroute("**/actions")
    person.page.unroute("**/api/events**")
    person.page.keyboard.press("Shift")
    person.expect_faces(["⭐"], timeout=30000)
    person.expect_ink(0)
    # Anything that the page sends again has arrived by now.
    expect(person.page.locator(".pause-note")).to_be_hidden(timeout=30000)
    assert strokes_on(taught, person)[1] == ["⭐"]
    assert len(taught.ask("GET", "/models/" + taught.model["id"] + "/history")["predictions"]) == 1


@thorough
def test_an_undo_whose_answer_was_lost_is_not_done_twice_after_a_restart(taught, visit, notes):
    notes.allow_away()
    notes.allow("ERR_FAILED", "/actions")
    person = visit(taught, "playground")
    strokes = person.strokes("house", 33, size=180)
    assert len(strokes) > 2
    person.move(strokes)
    expect(person.page.locator(".ink .stroke[data-stroke], .face").first).to_be_visible()
    lost = lose(person, "undo")
    person.press("Undo")
    person.hears("Live check paused. Try again.")
    assert lost == [200]
    person.wait_for(lambda: strokes_on(taught, person)[0] == len(strokes) - 1, "the undo")
    taught.stop()
    taught.start()
    person.page.unroute("**/actions")
    person.page.keyboard.press("Shift")
    expect(person.page.locator(".pause-note")).to_be_hidden(timeout=30000)
    person.until(
        "document.querySelectorAll('.sheet .ink .stroke:not(.is-gone *), .face').length > 0"
    )
    # What is drawn next arrives behind all that the page still had to send.
    [check] = person.draw("check", 3, at=(0.9, 0.85), size=60)
    person.wait_for(lambda: strokes_on(taught, person)[0] >= len(strokes), "the check")
    assert strokes_on(taught, person)[0] == len(strokes)


@thorough
def test_what_waits_is_sent_whichever_screen_a_reload_opens(taught, visit, notes):
    notes.allow("ERR_FAILED", "/actions")
    person = visit(taught, "playground")
    person.page.route("**/actions", lambda route: route.abort())
    person.draw("star", 46)
    person.hears("Live check paused. Try again.")
    person.go("Labels")
    person.page.unroute("**/actions")
    person.page.reload()
    expect(person.page.get_by_role("heading", name="Labels", level=1)).to_be_visible()
    person.wait_for(lambda: strokes_on(taught, person)[1] == ["⭐"], "the star")
    # What could be sent is not kept any longer.
    assert person.page.evaluate("Object.keys(sessionStorage)") == []


@thorough
def test_ink_of_a_screen_that_was_left_outlives_a_kill(taught, visit, notes):
    notes.allow_away()
    person = visit(taught, "home")
    go_to_the_playground(person)
    person.draw("star", 45)
    person.until("document.querySelectorAll('.ink .shape.is-pending[data-shape]').length === 1")
    person.go("Labels")
    taught.kill()
    taught.start()
    person.page.keyboard.press("Shift")
    person.wait_for(lambda: strokes_on(taught, person)[1] == ["⭐"], "the star")
    person.go("Playground")
    person.expect_faces(["⭐"])
    person.expect_ink(0)


@thorough
def test_what_was_asked_for_long_ago_takes_nothing_off(taught, visit, notes):
    notes.allow("ERR_FAILED", "/actions")
    notes.allow(404, "/favicon.ico")
    person = visit(taught, "playground")
    person.draw("heart", 45, at=(0.25, 0.4), size=140)
    person.expect_faces(["❤️"])
    person.page.route("**/actions", lambda route: route.abort())
    person.draw("star", 45, at=(0.7, 0.4), size=140)
    person.press("Clear")
    person.hears("That waits until the studio is back.")
    # A tab that is opened again the next day has what it kept when it was closed.
    old = """() => { for (const key of Object.keys(sessionStorage)) {
      const kept = JSON.parse(sessionStorage.getItem(key));
      sessionStorage.setItem(key, JSON.stringify({ ...kept, at: kept.at - 86400000 }));
      } return Object.keys(sessionStorage).length; }"""
    person.page.goto(f"{person.url}/api/state")
    person.page.unroute("**/actions")
    assert person.page.evaluate(old) == 1
    person.visit("playground")
    # The drawing that waited comes, and the clearing is forgotten.
    person.wait_for(lambda: sorted(strokes_on(taught, person)[1]) == ["❤️", "⭐"], "both drawings")


@thorough
@pytest.mark.parametrize(
    "stores",
    [["sessionStorage"], ["sessionStorage", "localStorage"]],
    ids=["no session", "nothing"],
)
def test_a_browser_that_keeps_little_draws_all_the_same(taught, visit, stores):
    getter = "{ get() { throw new DOMException('no', 'SecurityError'); } }"
    forbidden = f"""for (const name of {json.dumps(stores)}) {{
      Object.defineProperty(window, name, {getter});
    }}"""
    person = visit(taught, "playground", script=forbidden)
    person.draw("star", 45)
    person.expect_faces(["⭐"])
    # A page that knows of a playground looks for what an earlier load kept.
    person.page.reload()
    person.page.wait_for_selector("body[data-ready]")
    person.expect_faces(["⭐"] if "localStorage" not in stores else [])


@thorough
def test_settings_are_sent_in_their_order(taught, visit):
    person = visit(taught, "train")
    sent = []
    person.page.on(
        "request",
        lambda request: (
            sent.append(json.loads(request.post_data)) if request.method == "PATCH" else None
        ),
    )
    slow = person.hold("**/api/settings", method="PATCH")
    change = """(size) => {
      import("/store.js").then(({ changeSettings }) => changeSettings({ penSize: size }));
    }"""
    person.page.evaluate(change, 9)
    slow.wait()
    person.page.evaluate(change, 12)
    # Another program's change makes the page ask for all: what is on its way is newer.
    with person.page.expect_response("**/api/state"):
        taught.ask("PATCH", f"/models/{taught.model['id']}", {"name": "Changed meanwhile"})
    person.frames()
    seen = "import('/store.js').then(({ store }) => store.settings.penSize)"
    assert person.page.evaluate(seen) == 12 and sent == [{"penSize": 9}]
    with person.page.expect_response(
        lambda answer: answer.request.method == "PATCH" and "12" in answer.request.post_data
    ):
        slow.release()
    person.wait_for(lambda: taught.ask("GET", "/settings")["penSize"] == 12, "the setting")
    assert person.page.evaluate(seen) == 12 and sent == [{"penSize": 9}, {"penSize": 12}]
