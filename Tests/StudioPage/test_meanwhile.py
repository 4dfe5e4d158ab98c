"""Changes while a request is running or another screen is open; and unreadable answers."""

import pytest
from playwright.sync_api import expect

from strokes import drawings
from test_quiet import WATCH
from thorough import thorough


def test_a_stroke_that_is_drawn_while_a_sample_is_saved_stays(fresh, visit):
    person = visit(fresh, "train")
    person.pick("⭐")
    person.draw("star", 1, at=(0.3, 0.5), size=120)
    slow = person.hold("**/samples")
    person.press("Add Sample")
    slow.wait()
    person.draw("circle", 3, at=(0.7, 0.5), size=120)
    slow.release()
    person.hears("That makes 1.")
    person.expect_ink(1)
    # The next one is counted from those that the page knows of.
    expect(person.page.get_by_role("heading", name="Saved drawings (1)")).to_be_visible()
    person.press("Add Sample")
    person.hears("That makes 2.")
    assert sorted(len(sample["strokes"]) for sample in fresh.samples()) == sorted(
        [len(drawings("star")[1]["strokes"]), 1]
    )


@thorough
def test_a_sample_that_is_saved_after_one_left_leaves_no_ghost(fresh, visit):
    person = visit(fresh, "train")
    person.pick("⭐")
    person.draw("star", 1)
    slow = person.hold("**/samples")
    person.press("Add Sample")
    slow.wait()
    person.go("Labels")
    person.go("Train")
    person.expect_ink(len(drawings("star")[1]["strokes"]))
    slow.release()
    person.hears("That makes 1.")
    person.expect_ink(0)
    # What is taken back is seen on the screen that is open.
    person.page.locator(".toast", has_text="Saved.").get_by_role("button", name="Undo").click()
    person.expect_ink(len(drawings("star")[1]["strokes"]))
    assert fresh.samples() == []


@thorough
def test_undo_of_a_saved_drawing_can_be_undone_while_the_next_one_is_drawn(fresh, visit):
    person = visit(fresh, "train")
    person.pick("⭐")
    person.draw("star", 1, at=(0.3, 0.5), size=120)
    person.press("Add Sample")
    person.hears("That makes 1.")
    person.draw("circle", 3, at=(0.7, 0.5), size=120)
    toast = person.page.locator(".toast")
    toast.filter(has_text="Saved.").get_by_role("button", name="Undo").click()
    person.hears("Drawing deleted.")
    assert fresh.samples() == []
    person.expect_ink(1)
    # With an empty sheet the key brings back what the message offers.
    person.press("Clear")
    person.page.keyboard.press("Control+z")
    person.expect_ink(1)
    person.page.keyboard.press("Control+z")
    person.expect_ink(0)
    person.page.keyboard.press("Control+z")
    person.wait_for(lambda: len(fresh.samples()) == 1, "the drawing is back")


def test_a_drawing_on_train_outlives_a_reload(fresh, visit):
    person = visit(fresh, "train")
    person.pick("⭐")
    person.draw("house", 1, at=(0.4, 0.5), size=150)
    strokes = len(drawings("house")[1]["strokes"])
    person.expect_ink(strokes)
    before = person.ink_box()
    person.page.reload()
    person.expect_ink(strokes)
    assert person.ink_box() == pytest.approx(before, abs=1)
    person.draw("circle", 3, at=(0.7, 0.5), size=60)
    person.press("Add Sample")
    person.hears("That makes 1.")
    [sample] = fresh.samples()
    assert sample["label"] == "⭐" and len(sample["strokes"]) == strokes + 1
    times = [t for stroke in sample["strokes"] for t in stroke[2]]
    assert times[0] == 0 and times == sorted(times)
    person.page.reload()
    person.expect_ink(0)


@thorough
def test_what_is_renamed_is_of_the_model_that_was_shown(taught, visit):
    first = taught.model["id"]
    other = taught.ask("POST", "/models", {"name": "Other"})["id"]
    person = visit(taught, "labels")
    card = person.page.locator(".label-card", has_text="star")
    card.get_by_role("button", name="Rename").click()
    person.page.get_by_label("Name (if you like)").fill("Starlet")
    taught.ask("PATCH", f"/models/{other}", {"isActive": True})
    expect(person.page.locator(".model-name")).to_have_text("Other")
    person.page.get_by_role("dialog").get_by_role("button", name="Rename", exact=True).click()
    person.hears("Label renamed.")
    names = [each["name"] for each in taught.ask("GET", f"/models/{first}/labels")["labels"]]
    assert "Starlet" in names


@thorough
def test_a_late_guess_is_not_of_another_drawing(taught, visit):
    person = visit(taught, "train")
    slow = person.hold("**/classify")
    person.draw("heart", 41)
    person.press("Guess")
    slow.wait()
    person.press("Clear")
    with person.page.expect_response("**/classify"):
        slow.release()
    person.draw("star", 41)
    with person.page.expect_response("**/classify"):
        person.press("Guess")
    expect(person.page.locator(".guess")).to_contain_text("⭐")
    # In Help the last request counts, whichever response arrives last.
    person.go("Help")
    person.page.locator(".explain .sheet").scroll_into_view_if_needed()
    slow = person.hold("**/classify")
    person.draw("fish", 41, size=130)
    person.press("Ask")
    slow.wait()
    person.page.locator(".explain").get_by_role("button", name="Clear").click()
    person.draw("sun", 41, size=130)
    person.press("Ask")
    expect(person.page.locator(".verdict")).to_contain_text("☀️")
    with person.page.expect_response("**/classify"):
        slow.release()
    person.frames()
    expect(person.page.locator(".verdict")).to_contain_text("☀️")


@thorough
def test_a_training_that_ends_elsewhere_is_told_and_its_report_kept(taught, visit):
    person = visit(taught, "train")
    person.press("Train Model")
    person.go("Labels")
    person.hears("Your model has learned.")
    person.go("Train")
    expect(person.page.locator(".report-row")).to_have_count(5)
    expect(person.page.get_by_role("button", name="Train Model")).to_be_enabled()


@thorough
def test_a_training_that_ends_while_nobody_listens_is_told_afterwards(taught, visit):
    person = visit(taught, "train", script=WATCH)
    held = person.hold("**/train")
    person.press("Train Model")
    expect(person.page.get_by_role("button", name="Training …")).to_be_visible()
    person.page.evaluate("hidePage(true)")
    with person.page.expect_response("**/train"):
        held.release()
    taught.wait_for_training()
    person.page.evaluate("hidePage(false)")
    person.hears("Your model has learned.")
    expect(person.page.get_by_role("button", name="Train Model")).to_be_enabled()
    # One that fails meanwhile is told as well: the model is as it was.
    person.page.evaluate("hidePage(true)")
    taught.ask(
        "PATCH",
        f"/models/{taught.model['id']}/samples/{taught.samples()[0]['id']}",
        {"label": "🌙"},
    )
    person.page.evaluate("hidePage(false)")
    expect(person.page.get_by_text("1 change since it last learned.")).to_be_visible()
    person.page.route("**/train", lambda route: route.fulfill(status=202, json={"training": {}}))
    with person.page.expect_response("**/train"):
        person.press("Train Model")
    person.page.evaluate("hidePage(true)")
    person.page.evaluate("hidePage(false)")
    person.hears("Training failed. Please try again.")
    expect(person.page.get_by_role("button", name="Train Model")).to_be_enabled()


def test_screens_that_cannot_be_filled_say_so_and_can_be_tried_again(taught, visit, notes):
    notes.allow("ERR_FAILED")
    person = visit(taught, "home")
    away = []

    def answer(route):
        route.continue_() if away else route.abort()

    person.page.route("**/api/models**", answer)
    person.page.route("**/api/models/**", answer)
    for screen, card in (
        ("Labels", ".label-card"),
        ("Models", ".model-card"),
        ("Train", ".samples .thumb"),
    ):
        away.clear()
        person.go(screen)
        expect(
            person.page.get_by_text(
                "The studio does not answer. Is it still running?"
            ).first
        ).to_be_visible()
        away.append(True)
        person.page.locator("main").get_by_role("button", name="Try again").click()
        expect(person.page.locator(card).first).to_be_visible()
    away.clear()
    person.go("Help")
    expect(
        person.page.locator(".explain").get_by_text("The studio does not answer.")
    ).to_be_visible()


def test_answers_that_are_none_cost_no_ink(taught, visit):
    """F-003, F-005, F-012; Tests/PageLogic has more such answers."""
    body = '{"decision":"recognized","label":"⭐"}'
    person = visit(taught, "train")
    person.pick("⭐")
    person.draw("star", 43)
    strokes = len(drawings("star")[43]["strokes"])
    for path in ("samples", "classify"):
        person.page.route(
            f"**/{path}",
            lambda route: (
                route.fulfill(status=200, content_type="application/json", body=body)
                if route.request.method == "POST"
                else route.continue_()
            ),
        )
    person.press("Guess")
    person.hears("Couldn’t classify. Try again.")
    person.press("Add Sample")
    person.hears("Couldn’t save sample.")
    person.expect_ink(strokes)
    # The Playground waits for an answer that it understands.
    for path in ("playgrounds", "actions"):
        person.page.route(
            f"**/{path}",
            lambda route: route.fulfill(status=200, content_type="application/json", body=body),
        )
    person.go("Playground")
    person.hears("Live check paused. Try again.")
    person.draw("heart", 43)
    person.expect_ink(len(drawings("heart")[43]["strokes"]))
    person.page.unroute("**/playgrounds")
    person.page.unroute("**/actions")
    # Whether it is seen or the sheet has gone on by itself already.
    person.page.locator(".pause-note button").dispatch_event("click")
    person.expect_faces(["❤️"])


@thorough
def test_more_drawings_than_one_answer_takes_are_still_asked_for_anew(taught, visit):
    person = visit(taught, "home")
    limits = []
    sample = taught.samples()[0]

    def many(route):
        query = dict(part.split("=") for part in route.request.url.split("?")[1].split("&"))
        limits.append(int(query["limit"]))
        route.fulfill(
            json={
                "samples": [
                    {**sample, "id": f"{len(limits)}-{index}"}
                    for index in range(int(query["limit"]))
                ],
                "next": "more",
            }
        )

    person.page.route("**/samples?**", many)
    # The page is reloaded, and requests them once more when its stream is open.
    person.page.goto("about:blank")
    person.visit("train")
    expect(person.page.locator(".samples .thumb[data-key^='2-']")).to_have_count(60)
    thumbs = person.page.locator(".samples .thumb")
    for count in range(2, 11):
        person.press("Show more")
        expect(thumbs).to_have_count(60 * count)
    taught.ask("PATCH", f"/models/{taught.model['id']}", {"name": "Another"})
    expect(thumbs).to_have_count(500)
    assert max(limits) == 500


@thorough
def test_more_drawings_asked_for_twice_come_once(fresh, visit):
    fresh.teach((drawings("star") + drawings("heart"))[:70], train=False)
    person = visit(fresh, "train")
    thumbs = person.page.locator(".samples .thumb[data-key]")
    expect(thumbs).to_have_count(60)
    more = person.page.get_by_role("button", name="Show more")
    more.evaluate("(each) => { each.click(); each.click(); }")
    expect(more).to_be_hidden()
    person.frames()
    keys = thumbs.evaluate_all("(all) => all.map((each) => each.dataset.key)")
    assert len(keys) == len(set(keys)) == 70
