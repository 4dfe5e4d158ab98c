"""Lost answers, also before a restart of the server: nothing is drawn twice (more: PageLogic)."""

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
    person.expect_faces(["⭐"])
    person.expect_ink(0)
    # Anything that the page sends again has arrived by now.
    expect(person.page.locator(".pause-note")).to_be_hidden()
    assert strokes_on(taught, person)[1] == ["⭐"]
    assert len(taught.ask("GET", "/models/" + taught.model["id"] + "/history")["predictions"]) == 1


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
