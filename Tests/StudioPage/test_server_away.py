"""The server goes away, answers get lost, answers are errors: a toast, and the ink stays."""

import pytest
from playwright.sync_api import expect

from strokes import drawings
from thorough import often, thorough


def try_again(person):
    """Presses the message's button, unless the page has gone on by itself already."""
    person.page.evaluate(
        "document.querySelector('.toast[data-text^=\"Live check\"] .toast-action')?.click()"
    )


def go_to_the_playground(person):
    """The server tells the page of the sheet from then on."""
    with person.page.expect_response(lambda each: "/api/events?playground=" in each.url):
        person.go("Playground")


def playground(person):
    """The sheet's id."""
    return person.page.evaluate(
        "Object.values(JSON.parse(localStorage.getItem('drawml.playgrounds')))[0]"
    )


def move_another_pen(server, person, action="begin"):
    """
    Puts another hand's pen down: nothing is decided on from now on, until it is lifted by
    "cancel", or the server or the page's stream ends.
    """
    now = person.page.evaluate("performance.now()")
    server.ask(
        "POST",
        f"/playgrounds/{playground(person)}/actions",
        {
            "client": "another hand",
            "now": now,
            "actions": [{"action": action, "pen": 9, "milliseconds": now}],
        },
    )


def test_ink_stays_while_the_server_is_away_and_is_saved_once_when_it_is_back(fresh, visit, notes):
    notes.allow_away()
    notes.allow("ERR_FAILED", "/samples")
    person = visit(fresh, "train")
    person.pick("⭐")
    person.draw("star", 1)
    fresh.stop()
    person.press("Add Sample")
    person.hears("Couldn’t save sample.")
    person.expect_ink(1)
    person.press("Guess")
    person.hears("Couldn’t classify. Try again.")
    person.expect_ink(1)
    fresh.start()
    person.press("Add Sample")
    person.hears("That makes 1.")
    person.expect_ink(0)
    assert len(fresh.samples()) == 1
    # The server gets the next sample, but its answer is lost on the way.
    person.draw("star", 2)
    person.page.route("**/samples", lambda route: (route.fetch(), route.abort()), times=1)
    person.press("Add Sample")
    person.hears("Couldn’t save sample.")
    assert len(fresh.samples()) == 2
    person.press("Add Sample")
    person.expect_ink(0)
    assert len(fresh.samples()) == 2


@thorough
def test_the_news_that_the_server_is_back_leaves_undo_where_it_is(fresh, visit, notes):
    """X-008."""
    notes.allow_away()
    # Below Train's sheet of this width there is room for one message.
    person = visit(fresh, "train", size=(800, 900))
    person.pick("⭐")
    person.draw("star", 1)
    fresh.stop()
    person.press("Add Sample")
    person.hears("Couldn’t save sample.")
    stream = person.hold("**/api/events**", method="GET")
    fresh.start()
    person.press("Add Sample")
    person.hears("That makes 1.")
    stream.release()
    person.until("document.querySelector('#spoken').textContent.includes('The studio is back.')")
    saved = person.page.locator(".toast", has_text="That makes 1.")
    expect(saved.get_by_role("button", name="Undo")).to_be_visible()
    expect(person.page.locator(".toast")).to_have_count(1)


def test_the_live_check_pauses_and_goes_on_with_all_ink(taught, visit, notes):
    """F-012."""
    notes.allow_away()
    person = visit(taught, "playground")
    person.draw("star", 45, at=(0.25, 0.4), size=140)
    person.expect_faces(["⭐"])
    taught.stop()
    person.draw("heart", 45, at=(0.7, 0.4), size=140)
    person.hears("Live check paused. Try again.")
    person.expect_ink(len(drawings("heart")[45]["strokes"]))
    person.expect_faces(["⭐"])
    taught.start()
    try_again(person)
    person.hears("The studio is back.")
    person.expect_faces(["⭐", "❤️"])
    person.expect_ink(0)
    expect(person.page.locator(".pause-note")).to_be_hidden()


@pytest.mark.parametrize("is_reloaded", often(False, then=[True]), ids=["tried again", "reloaded"])
def test_a_server_that_is_killed_in_the_middle_of_a_drawing_gets_all_of_it_when_it_is_back(
    taught, visit, notes, is_reloaded
):
    notes.allow_away()
    person = visit(taught, "playground")
    person.draw("heart", 45, at=(0.25, 0.4), size=140)
    person.expect_faces(["❤️"])
    move_another_pen(taught, person)
    person.draw("star", 45, at=(0.7, 0.4), size=140)
    # It has the star's ink, and nothing was decided on yet.
    expect(person.page.locator(".ink .shape.is-pending[data-shape]")).to_have_count(1)
    taught.kill()
    if is_reloaded:
        # Nothing is sent any more, but somebody waits for an answer.
        person.hears("Live check paused.")
        taught.start()
        person.page.reload()
    else:
        taught.start()
        try_again(person)
    person.expect_faces(["❤️", "⭐"])
    person.expect_ink(0)
    # Each stroke is there once.
    for _ in drawings("star")[45]["strokes"]:
        person.press("Undo")
    person.expect_faces(["❤️"])
    person.expect_ink(0)
    person.page.reload()
    person.expect_faces(["❤️"])


@thorough
def test_the_first_stroke_of_a_sheet_outlives_a_server_that_is_killed(taught, visit, notes):
    notes.allow_away()
    person = visit(taught, "home", size=(1000, 760))
    go_to_the_playground(person)
    move_another_pen(taught, person)
    # The first stroke has another size: the server sends the whole sheet before the stroke.
    person.resize(700, 900)
    person.draw("star", 45, size=200)
    expect(person.page.locator(".ink .shape.is-pending[data-shape]")).to_have_count(1)
    taught.kill()
    taught.start()
    try_again(person)
    # It was kept with the sheet's new size, or comes from the page: once in either case.
    person.expect_faces(["⭐"])
    # What is drawn next arrives behind all that the page still had to send.
    person.draw("heart", 45, at=(0.8, 0.15), size=80)
    person.expect_faces(["⭐", "❤️"])
    person.expect_ink(0)


@thorough
def test_what_cannot_be_sent_outlives_a_reload(taught, visit, notes):
    notes.allow("ERR_FAILED", "/actions")
    person = visit(taught, "playground")
    person.page.route("**/actions", lambda route: route.abort())
    person.draw("star", 46)
    person.hears("Live check paused. Try again.")
    count = len(drawings("star")[46]["strokes"])
    person.page.reload()
    person.expect_ink(count)
    person.page.unroute("**/actions")
    person.expect_faces(["⭐"])
    person.expect_ink(0)
    # Each stroke is there once, and only once.
    for _ in range(count):
        person.press("Undo")
    person.expect_faces([])
    person.expect_ink(0)
    person.page.reload()
    person.settle()
    person.expect_ink(0)


@thorough
def test_the_message_of_a_pause_goes_when_all_is_well_again(taught, visit, notes):
    notes.allow_away()
    person = visit(taught, "playground")
    taught.stop()
    person.draw("heart", 45, at=(0.7, 0.4), size=140)
    paused = person.page.locator(".toast", has_text="Live check paused.")
    expect(paused).to_be_visible()
    # It stays while one looks at it, but not longer than the pause.
    person.settle()
    box = paused.bounding_box()
    person.page.mouse.move(box["x"] + 30, box["y"] + 20)
    taught.start()
    person.page.keyboard.press("Shift")
    person.expect_faces(["❤️"])
    expect(paused).to_have_count(0)


def test_two_tabs_agree_and_what_the_server_refuses_is_said_in_its_words(taught, visit, notes):
    notes.allow(409, "/api/models")
    one = visit(taught, "labels")
    other = visit(taught, "models")
    other.press("Rename My first model")
    other.page.get_by_role("textbox", name="Name").fill("Both see it")
    other.page.get_by_role("dialog").get_by_role("button", name="Rename").click()
    expect(one.page.locator(".model-chip")).to_contain_text("Both see it")
    taught.ask("DELETE", f"/models/{taught.model['id']}/labels/%E2%AD%90")
    expect(one.page.locator(".label-card.is-leaving")).to_have_count(1)
    other.press("New Model")
    other.page.get_by_role("textbox", name="Name").fill("Both see it")
    other.press("Create")
    expect(other.page.locator(".field-complaint")).not_to_be_empty()
    expect(other.page.get_by_role("dialog", name="New model")).to_be_visible()
    assert len(taught.ask("GET", "/models")["models"]) == 1
