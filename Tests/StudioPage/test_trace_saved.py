"""What is traced is scored, kept over reloads, and saved once."""

from playwright.sync_api import expect

from strokes import drawings
from thorough import thorough
from tracing import STAR, draw_template, matrix, placing, trace


def test_a_trace_has_a_score_and_becomes_a_sample_that_says_so(fresh, visit):
    """TR-041: the template traced well, and a scribble; Add Sample, and Undo."""
    person = trace(visit(fresh))
    draw_template(person)
    score = person.page.locator(".trace-score")
    expect(score).to_contain_text("of 100")
    person.settle()
    assert int(score.inner_text().split()[0]) >= 90
    strokes = person.ink()
    person.press("Add Sample")
    person.hears("Saved.")
    person.expect_ink(0)
    [sample] = fresh.samples()
    assert (sample["label"], sample["template"]) == ("⭐", STAR)
    person.page.get_by_role("button", name="Undo").last.click()
    person.expect_ink(strokes)
    assert fresh.samples() == []
    person.press("Clear")
    person.expect_ink(0)
    person.draw("spiral", size=300)
    expect(score).to_contain_text("of 100")
    person.settle()
    assert int(score.inner_text().split()[0]) < 60
    person.press("Undo")
    person.expect_ink(0)
    person.press("Add Sample")
    person.hears("Draw over the template first.")
    # Messages are above the sheet's middle, where a hand that draws does not cover them.
    person.settle()
    message, sheet = person.page.locator(".toast").first.bounding_box(), person.sheet.bounding_box()
    assert message["y"] + message["height"] < sheet["y"] + sheet["height"] / 3


@thorough
def test_a_lost_answer_saves_a_trace_once(fresh, visit, notes):
    """TR-041."""
    notes.allow("ERR_FAILED")
    person = trace(visit(fresh))
    draw_template(person)
    person.page.route("**/samples", lambda route: (route.fetch(), route.abort()), times=1)
    person.press("Add Sample")
    person.hears("Couldn’t save sample.")
    person.press("Add Sample")
    person.hears("Saved.")
    assert len(fresh.samples()) == 1


@thorough
def test_what_is_drawn_while_a_trace_is_saved_is_the_next_one(fresh, visit):
    """TR-041: pressed twice, saved once; the stroke drawn meanwhile stays."""
    person = trace(visit(fresh))
    draw_template(person)
    saving = person.hold("**/samples")
    person.press("Add Sample")
    saving.wait()
    person.press("Add Sample")
    person.draw("circle", size=80)
    saving.release()
    person.hears("Saved.")
    person.expect_ink(1)
    person.press("Add Sample")
    person.expect_ink(0)
    person.wait_for(lambda: len(fresh.samples()) == 2, "both are saved")


@thorough
def test_a_screen_that_was_left_does_not_bring_a_saved_trace_back(fresh, visit):
    """TR-041."""
    person = trace(visit(fresh))
    draw_template(person)
    saving = person.hold("**/samples")
    person.press("Add Sample")
    saving.wait()
    placing(person)
    person.page.get_by_role("link", name="Paper").click()
    person.page.wait_for_selector("body[data-step=choose]")
    saving.release()
    person.hears("Saved.")
    person.page.get_by_role("link", name="Under paper").click()
    person.page.wait_for_selector("body[data-step=under]")
    person.frames()
    person.expect_ink(0)
    assert len(fresh.samples()) == 1


@thorough
def test_a_drawing_keeps_its_canvas_when_the_window_changes_in_between(fresh, visit):
    """TR-041: cleared, the window turned, and brought back."""
    person = trace(visit(fresh, size=(390, 844)))
    draw_template(person)
    canvas = person.page.evaluate("JSON.parse(sessionStorage['drawml.trace']).canvas")
    person.press("Clear")
    person.resize(844, 390)
    person.frames()
    person.press("Undo")
    person.press("Add Sample")
    person.hears("Saved.")
    [sample] = fresh.samples()
    assert sample["canvas"] == canvas


@thorough
def test_the_score_follows_the_template(fresh, visit):
    """TR-041: moved away after the drawing, it is traced no more."""
    person = trace(visit(fresh))
    draw_template(person)
    score = person.page.locator(".trace-score")
    expect(score).to_contain_text("of 100")
    placing(person)
    person.page.locator(".trace-stage").focus()
    for _ in range(12):
        person.page.keyboard.press("Shift+ArrowRight")
    person.wait_for(lambda: int(score.inner_text().split()[0]) < 60, "the score falls")


def test_a_reload_keeps_the_drawing_and_where_the_template_lies(fresh, visit):
    """TR-002, TR-010, TR-011, TR-020, TR-024: and how bright the page shines."""
    person = trace(visit(fresh))
    ground = "getComputedStyle(document.querySelector('.trace-ground')).backgroundColor"
    assert person.page.evaluate(ground) == "rgb(217, 217, 217)"
    expect(person.page.locator(".trace-template")).to_have_css("opacity", "0.5")
    # From below: the ground, the template, the ink.
    layers = """[...document.querySelector(".trace .world").children]
      .map((each) => each.getAttribute("class"))"""
    assert person.page.evaluate(layers)[:3] == ["trace-ground", "trace-template", "ink"]
    placing(person)
    person.page.get_by_label("Page", exact=True).fill("100")
    assert person.page.evaluate(ground) == "rgb(255, 255, 255)"
    person.page.locator(".trace-stage").focus()
    person.page.keyboard.press("Shift+ArrowRight")
    person.page.get_by_label("Template", exact=True).fill("80")
    draw_template(person)
    ink, place = person.ink(), matrix(person)
    person.page.reload()
    person.page.wait_for_selector("body[data-ready][data-step=under]")
    person.expect_ink(ink)
    assert matrix(person) == place
    opacity = "getComputedStyle(document.querySelector('.trace-template')).opacity"
    assert person.page.evaluate(opacity) == "0.8"
    assert person.page.evaluate(ground) == "rgb(255, 255, 255)"
    expect(person.page.get_by_role("button", name="Adjust")).to_have_attribute(
        "aria-expanded", "false"
    )


@thorough
def test_a_reload_keeps_a_drawing_with_the_model_that_it_was_begun_for(
    fresh, visit, notes
):
    """TR-002: another model is in use by then, whose samples are no templates of it."""
    fresh.teach(drawings("star")[:3], train=False)
    first = fresh.model["id"]
    person = trace(visit(fresh), template="label/⭐")
    draw_template(person)
    ink = person.ink()
    second = fresh.ask("POST", "/models", {"name": "Second"})["id"]
    fresh.ask("PATCH", f"/models/{second}", {"isActive": True})
    person.page.reload()
    person.page.wait_for_selector("body[data-ready][data-step=under]")
    person.expect_ink(ink)
    person.press("Add Sample")
    person.hears("Saved.")
    assert len(fresh.ask("GET", f"/models/{first}/samples")["samples"]) == 4
    # A model that is deleted takes its templates with it.
    notes.allow(404, "/templates")
    draw_template(person)
    fresh.ask("DELETE", f"/models/{first}")
    person.page.reload()
    expect(person.page.get_by_role("heading")).to_have_text("This template was deleted")
    person.page.get_by_role("link", name="Pick another template").click()
    person.page.wait_for_selector("body[data-screen=templates]")


def test_at_the_daily_limit_a_calm_sentence_and_no_more_ink(fresh, visit, notes):
    """TR-040."""
    notes.allow(409, "/api/traces")
    fresh.ask("PATCH", "/settings", {"tracingLimit": 1})
    person = trace(visit(fresh))
    left = person.page.locator(".trace-left")
    expect(left).to_have_text("1 left today")
    draw_template(person)
    expect(left).to_have_text("0 left today")
    drawn = person.ink()
    person.draw("heart")
    # What was begun is finished.
    assert person.ink() > drawn
    person.press("Clear")
    person.draw("heart")
    person.hears("That is all for today. Tomorrow you can trace again.")
    person.expect_ink(0)
    settings = visit(fresh)
    settings.press("Settings")
    field = settings.page.get_by_label("Tracing limit")
    expect(field).to_have_value("1")
    field.fill("0")
    field.blur()
    settings.wait_for(lambda: fresh.ask("GET", "/traces")["left"] is None, "it is kept")
