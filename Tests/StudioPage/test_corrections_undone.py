"""Corrections that are made again, taken back, or for another model by then."""

import re

import pytest
from playwright.sync_api import expect

from strokes import drawings
from test_corrections import corrected_to_a_guess, menu, picked_guess, refused
from thorough import thorough


@thorough
def test_corrected_twice_a_drawing_is_one_sample(taught, visit):
    person = visit(taught, "playground")
    person.draw("star", 31)
    person.expect_faces(["⭐"])
    person.open_menu(person.faces())
    menu(person).get_by_role("button", name="Add as sample").click()
    person.wait_for(lambda: len(taught.samples("⭐")) == 9, "it is a sample")
    person.open_menu(person.faces())
    expect(menu(person)).to_contain_text("star, as you said")
    picked_guess(person, taught)
    assert len(taught.samples("⭐")) == 8
    # The message's Undo takes back the second correction only.
    person.page.locator(".toast").get_by_role("button", name="Undo").click()
    person.expect_faces(["⭐"])
    person.wait_for(lambda: len(taught.samples("⭐")) == 9, "it is a star again")
    person.wait_for(lambda: taught.model["untrainedCount"] == 0, "and the model knows", 60)


@thorough
def test_undo_brings_a_correction_back_that_its_message_took_back_with_its_lesson(taught, visit):
    person = visit(taught, "playground")
    message = person.page.locator(".toast", has_text="That is")

    def expect_heart_and(label):
        faces = sorted([label, "❤️"])
        person.wait_for(
            lambda: sorted(person.faces().all_text_contents()) == faces, f"{label} and the heart"
        )

    person.draw("star", 31, at=(0.3, 0.4))
    person.expect_faces(["⭐"])
    label = corrected_to_a_guess(person, taught)
    expect(message).to_contain_text("Learned.", timeout=60_000)
    message.get_by_role("button", name="Undo").focus()
    person.draw("heart", 31, at=(0.75, 0.4), size=120)
    expect_heart_and(label)
    # What was drawn since stays.
    message.get_by_role("button", name="Undo").click()
    expect_heart_and("⭐")
    person.wait_for(lambda: len(taught.samples(label)) == 8, "the sample is gone")
    expect(message).to_have_count(0)
    # What the sheet's own undo brings back is learned again, and its message takes it back again.
    person.press("Undo")
    expect_heart_and(label)
    person.wait_for(lambda: len(taught.samples(label)) == 9, "it is a sample again")
    message.get_by_role("button", name="Undo").click()
    expect_heart_and("⭐")
    person.wait_for(lambda: len(taught.samples()) == 40, "and no sample", 60)
    person.wait_for(lambda: taught.model["untrainedCount"] == 0, "it is forgotten", 60)


@thorough
def test_a_messages_undo_is_for_the_sheet_that_it_was_made_on(taught, visit):
    first = taught.model["id"]
    other = taught.ask("POST", "/models", {"name": "Other"})["id"]
    person = visit(taught, "playground")
    person.draw("star", 31)
    person.expect_faces(["⭐"])
    label = corrected_to_a_guess(person, taught)
    taught.ask("PATCH", f"/models/{other}", {"isActive": True})
    person.expect_faces([])
    person.draw("heart", 31)
    person.expect_ink(len(drawings("heart")[31]["strokes"]))
    person.page.locator(".toast", has_text="That is").get_by_role("button", name="Undo").click()
    taught.ask("PATCH", f"/models/{first}", {"isActive": True})
    person.wait_for(lambda: len(taught.samples(label)) == 8, "the sample is gone")
    person.expect_faces(["⭐"])
    taught.ask("PATCH", f"/models/{other}", {"isActive": True})
    person.expect_ink(len(drawings("heart")[31]["strokes"]))
    person.expect_faces([])


@thorough
def test_a_label_picked_after_the_model_changed_teaches_neither(taught, visit):
    first = taught.model["id"]
    other = taught.ask("POST", "/models", {"name": "Other"})["id"]
    person = visit(taught, "playground")
    person.draw("star", 31)
    person.expect_faces(["⭐"])
    person.open_menu(person.faces())
    person.press("It is a …")
    taught.ask("PATCH", f"/models/{other}", {"isActive": True})
    expect(person.page.locator(".model-name")).to_have_text("Other")
    person.choose("snail")
    person.hears("Another model is active now.")
    assert len(taught.samples()) == 0
    taught.ask("PATCH", f"/models/{first}", {"isActive": True})
    assert len(taught.samples()) == 40
    person.expect_faces(["⭐"])


@thorough
@pytest.mark.parametrize("corrections", [1, 2])
def test_undo_takes_back_a_correction_and_its_sample_after_a_reload(taught, visit, corrections):
    person = visit(taught, "playground")
    person.draw("star", 31)
    person.expect_faces(["⭐"])
    labels = ["⭐"]
    for _ in range(corrections):
        labels.append(corrected_to_a_guess(person, taught))
    person.wait_for(lambda: taught.model["untrainedCount"] == 0, "the model knows it", 60)
    assert len(taught.samples()) == 41
    person.page.reload()
    person.expect_faces([labels[-1]])
    for count in range(corrections, 0, -1):
        person.press("Undo")
        person.expect_faces([labels[count - 1]])
        total = 40 if count == 1 else 41
        person.wait_for(lambda: len(taught.samples()) == total, f"{total} samples", 60)
        person.wait_for(
            lambda: len(taught.samples(labels[count])) == 8, "it is no sample of that", 60
        )
    person.wait_for(lambda: taught.model["untrainedCount"] == 0, "it is forgotten", 60)
    # The sheet goes on as ever.
    person.press("Undo")
    person.expect_faces([])
    assert len(taught.samples()) == 40


@thorough
def test_what_undo_no_longer_knows_can_be_taken_away(taught, visit, notes):
    notes.allow_away()
    person = visit(taught, "playground")
    person.draw("star", 31)
    person.expect_faces(["⭐"])
    taught.stop()
    taught.start()
    person.page.reload()
    person.expect_faces(["⭐"])
    person.press("Undo")
    person.hears("Tap a shape to take it away.")
    person.open_menu(person.faces())
    menu(person).get_by_role("button", name="Take away").click()
    person.expect_faces([])
    person.press("Undo")
    person.expect_faces(["⭐"])


@thorough
def test_a_past_drawing_is_corrected_where_it_is_explained(taught, visit, notes):
    person = visit(taught, "playground")
    refused(person)
    person.visit("help/why")
    person.page.get_by_role("button", name=re.compile("not recognized. Ask about it")).click()
    answer = person.page.locator(".explain-answer")
    # What was not recognized has no label to agree with.
    expect(answer.get_by_role("button", name="It is a …")).to_be_visible()
    expect(answer.get_by_role("button", name="Add as sample")).to_have_count(0)
    answer.get_by_role("button", name="It is a …").click()
    person.choose("snail")
    person.hears("That is 🐌.")
    assert len(taught.samples("🐌")) == 1
    person.page.locator(".toast").get_by_role("button", name="Undo").click()
    person.wait_for(lambda: taught.samples("🐌") == [], "undone")
    person.wait_for(lambda: taught.model["untrainedCount"] == 0, "and forgotten", 90)


@thorough
def test_a_correction_undone_before_its_sample_is_saved_leaves_none(taught, visit):
    person = visit(taught, "playground")
    before = len(taught.samples())
    person.draw("star", 31)
    person.expect_faces(["⭐"])
    saving = person.hold("**/samples")
    person.open_menu(person.faces().first)
    person.press("It is a …")
    person.choose("snail")
    person.expect_faces(["🐌"])
    saving.wait()
    person.press("Undo")
    person.expect_faces(["⭐"])
    with person.page.expect_response(lambda each: each.request.method == "DELETE"):
        saving.release()
    assert len(taught.samples()) == before
