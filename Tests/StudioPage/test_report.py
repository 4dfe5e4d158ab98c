"""What a training brought: in words, worst first, and there whenever one asks for it."""

import re
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from person import label, tell
from strokes import drawings
from test_accessibility import ANIMATIONS
from thorough import often, thorough


LABELS = [
    label("☀️", 8, 1, (8, 1, 1)),
    label("⭐", 8, 0.875, (5, 0.6, 0.8), (3, 1), "better"),
    label("❤️", 8, 0.5, (6, 0.5, 0.5), (2, 0.5)),
    label("🏠", 8, 0.75, None, (8, 0.75), "new"),
    label("🐟", 8, 0.625, (8, 0.875, 0.625), None, "worse", name="Nemo"),
    label("The Great Wall", 0, None, change="unknown", samples=1),
]


def test_a_training_leads_to_the_playground(fresh, visit):
    fresh.teach(drawings("star")[:3] + drawings("heart")[:3], train=False)
    person = visit(fresh, "train", script=ANIMATIONS)
    way = person.page.get_by_role("link", name="Try it!")
    # Nothing was learned yet.
    expect(person.page.get_by_role("button", name="Train Model")).to_be_visible()
    expect(way).to_be_hidden()
    person.press("Train Model")
    person.hears("Your model got smarter.")
    # What it learned jumps for joy.
    joy = person.page.locator(".training-joy .emoji")
    expect(joy).to_have_text(["❤️", "⭐"])
    person.until("window.moved.filter(({ frames }) => frames.includes('rotate')).length >= 2")
    expect(way).to_be_visible()
    # It is over when there is more to learn.
    fresh.teach(drawings("sun")[:1], train=False)
    expect(joy).to_have_count(0)
    way.click()
    expect(person.page.locator(".play")).to_be_visible()


@pytest.mark.parametrize("size", often((390, 844), then=[(1440, 900)]), ids=["phone", "desktop"])
def test_the_report_says_in_words_what_needs_a_look_first(taught, visit, size):
    person = visit(taught, "train", size=size)
    fish, house = taught.samples("🐟")[0], taught.samples("🏠")[1]
    asked = []

    def answer(route):
        asked.append(route.request.url)
        mistaken = [
            {"sample": fish["id"], "label": "🐟", "takenFor": "⭐"},
            {"sample": house["id"], "label": "🏠", "takenFor": None},
        ]
        route.fulfill(json={"samples": 41, "seconds": 1.5, "labels": LABELS, "mistaken": mistaken})

    person.page.route(f"**/models/{taught.model['id']}/report", answer)
    button = person.page.get_by_role("button", name="What it learned")
    expect(button).to_have_attribute("aria-expanded", "false")
    # The report is not requested before it is opened.
    assert asked == []
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")
    # First what a child reads, then what to do, and the numbers behind a word.
    expect(person.page.locator(".report > :first-child")).to_have_text(
        "I know 4 of 6. I mix up ⭐ and 🐟. I am not sure of ❤️ yet. "
        "I have seen only one The Great Wall."
    )
    expect(person.page.locator(".report-summary")).to_be_hidden()
    person.open_numbers()
    expect(person.page.locator(".report-summary")).to_be_visible()
    expect(person.page.locator(".report-summary")).to_have_text(
        "It gets 30 of 40 drawings right. 🐟 got worse, ⭐ got better, 🏠 is new."
    )
    rows = person.page.locator(".report-row")
    expect(rows.locator(".report-name")).to_have_text(
        ["Nemo", "heart", "house", "star", "sun", "The Great Wall"]
    )
    expect(rows.locator(".report-share")).to_have_text(
        ["63 %", "50 %", "75 %", "88 %", "100 %", "–"]
    )
    expect(rows.locator(".tag")).to_have_text(
        ["worse", "as before", "new", "better", "as before", "too few"]
    )
    words = [
        [each.inner_text() for each in row.locator(".report-words span").all()]
        for row in rows.all()
    ]
    assert words == [
        ["5 of 8 right", "those it knew: 7 → 5 of 8"],
        ["4 of 8 right", "those it knew: 3 of 6", "new ones: 1 of 2"],
        ["6 of 8 right"],
        ["7 of 8 right", "those it knew: 3 → 4 of 5", "new ones: 3 of 3"],
        ["8 of 8 right"],
        ["1 drawing: add another to test it"],
    ]
    # The drawings that look wrong come before the numbers, and can be opened.
    wrong = person.page.locator(".mistaken .thumb")
    expect(wrong).to_have_count(2)
    assert wrong.first.bounding_box()["y"] < rows.first.bounding_box()["y"]
    assert person.fits()
    person.page.get_by_role("button", name="A 🏠 that looks like nothing it knows. Open it.").click()
    expect(person.page.get_by_role("dialog", name="A saved drawing")).to_be_visible()
    person.page.keyboard.press("Escape")
    button.click()
    expect(rows).to_have_count(0)
    expect(button).to_be_focused()
    button.click()
    expect(rows).to_have_count(6)
    assert len(asked) == 1
    # What to draw next, and with one press the sheet waits for it.
    expect(person.page.locator(".report-next p").first).to_have_text(
        "⭐ and Nemo look alike to me. Draw what tells them apart, some of each."
    )
    person.press("Draw ⭐")
    expect(person.page.get_by_role("button", name="Picked: ⭐. Pick another emoji")).to_be_visible()


def test_the_report_is_there_after_a_reload_and_for_every_training(taught, visit):
    person = visit(taught, "train")
    rows = person.page.locator(".report-row")
    button = person.page.get_by_role("button", name="What it learned")
    # That one was trained before the page was opened, by another program.
    button.click()
    expect(rows).to_have_count(5)
    expect(person.page.locator(".report-summary")).to_contain_text("5 emojis are new.")
    expect(person.page.locator(".report-prospect")).to_contain_text("Of new drawings of these")
    # Another one, while the report is open: it follows.
    taught.teach([{**each, "label": "🌙"} for each in drawings("moon")[:3]])
    expect(rows).to_have_count(6)
    expect(rows.filter(has_text="moon").locator(".tag")).to_have_text("new")
    person.page.reload()
    person.page.wait_for_selector("body[data-ready]")
    expect(rows).to_have_count(0)
    button.click()
    expect(rows).to_have_count(6)
    # From another screen the message leads to it.
    person.go("Labels")
    taught.teach([])
    toast = person.page.locator(".toast", has_text=re.compile("Your model"))
    toast.get_by_role("button", name="Show it").click()
    expect(rows).to_have_count(6)


@thorough
def test_what_another_model_learned_is_said_by_its_name(taught, visit):
    person = visit(taught, "train")
    first = taught.model
    taught.teach(drawings("moon")[:1], train=False)
    held = person.hold("**/train")
    person.press("Train Model")
    held.wait()
    other = taught.ask("POST", "/models", {"name": "Other"})
    taught.ask("PATCH", f"/models/{other['id']}", {"isActive": True})
    expect(person.page.locator(".bar")).to_contain_text("Other")
    person.go("Labels")
    held.release()
    toast = person.page.locator(
        ".toast", has_text=re.compile(f"“{re.escape(first['name'])}” (has learned|got smarter).")
    )
    expect(toast).to_be_visible()
    # No screen shows its report.
    person.frames()
    expect(toast.get_by_role("button", name="Show it")).to_have_count(0, timeout=3000)


@thorough
def test_where_there_is_no_report_there_is_no_button(fresh, visit, notes):
    notes.allow(404, "/report")
    person = visit(fresh, "train")
    button = person.page.get_by_role("button", name="What it learned")
    expect(person.page.get_by_role("button", name="Train Model")).to_be_visible()
    expect(button).to_be_hidden()
    fresh.teach(drawings("star")[:3] + drawings("heart")[:3])
    expect(button).to_be_visible()
    # A report that was not kept leads to a message.
    person.page.route(
        "**/report",
        lambda route: route.fulfill(
            status=404, json={"error": {"code": "noReport", "message": "No."}}
        ),
    )
    person.page.reload()
    button.click()
    person.hears("The report was not kept.")
    # The button is hidden until the next training.
    expect(button).to_be_hidden()
    expect(person.page.get_by_role("button", name="Train Model")).to_be_focused()
    person.go("Labels")
    person.go("Train")
    expect(person.page.get_by_role("button", name="Train Model")).to_be_visible()
    expect(button).to_be_hidden()
    fresh.teach(drawings("star")[3:5])
    expect(button).to_be_visible()


@thorough
def test_more_drawings_that_look_wrong_are_counted_without_the_deleted_ones(taught, visit):
    person = visit(taught, "train")
    wrong = [each for name in ("🐟", "⭐") for each in taught.samples(name)][:14]
    assert len(wrong) == 14
    tell(
        person,
        LABELS,
        [{"sample": each["id"], "label": each["label"], "takenFor": None} for each in wrong],
    )
    taught.ask("DELETE", f"/models/{taught.model['id']}/samples/{wrong[0]['id']}")
    person.press("What it learned")
    expect(person.page.locator(".mistaken .thumb")).to_have_count(11)
    expect(person.page.get_by_text("And 2 more.")).to_be_visible()


def second_model(server, shapes):
    """Another model that learned shapes; the first one is active."""
    first = server.model["id"]
    other = server.ask("POST", "/models", {"name": "Second"})["id"]
    server.ask("PATCH", f"/models/{other}", {"isActive": True})
    server.teach([each for shape in shapes for each in drawings(shape)[:3]])
    server.ask("PATCH", f"/models/{first}", {"isActive": True})
    assert server.model["id"] == first
    return first, other


@thorough
def test_the_report_of_a_model_that_is_not_active_is_asked_for_when_it_is(taught, visit, notes):
    _, other = second_model(taught, ["star", "heart"])
    person = visit(taught, "train")
    button = person.page.get_by_role("button", name="What it learned")
    expect(button).to_be_visible()
    # It is trained from here while the page shows the first one; later trainings are not announced.
    taught.ask("POST", f"/models/{other}/train", {})
    taught.wait_for_training()
    person.settle()
    assert notes.asked("GET", f"/models/{other}/report") == 0
    taught.ask("PATCH", f"/models/{other}", {"isActive": True})
    expect(person.page.locator(".report-row")).to_have_count(2)
    assert notes.asked("GET", f"/models/{other}/report") == 1


@thorough
def test_a_report_that_cannot_be_had_closes_no_other_models(taught, visit, notes):
    notes.allow(500, "/report")
    first, other = second_model(taught, ["star", "heart"])
    person = visit(taught, "train")
    button = person.page.get_by_role("button", name="What it learned")
    held = []
    person.page.route(f"**/models/{first}/report", lambda route: held.append(route))
    button.click()
    person.wait_for(lambda: held, "a request for the report")
    # The other one's is opened before the answer.
    taught.ask("PATCH", f"/models/{other}", {"isActive": True})
    expect(button).to_have_attribute("aria-expanded", "false")
    button.click()
    with person.page.expect_response(lambda answer: answer.status == 500):
        held[0].fulfill(status=500, json={"error": {"code": "test", "message": "No."}})
    person.settle()
    expect(person.page.locator(".report-row")).to_have_count(2)
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(person.page.locator(".toast")).to_have_count(0, timeout=5000)


@thorough
def test_the_report_calls_labels_what_they_are_called_now(taught, visit):
    person = visit(taught, "train")
    house = taught.samples("🏠")[0]
    tell(
        person,
        [label("🏠", 8, 0.75, (8, 0.75, 0.75)), label("🐟", 8, 1, (8, 1, 1), name="Nemo")],
        [{"sample": house["id"], "label": "🏠", "takenFor": None}],
    )
    person.press("What it learned")
    names = person.page.locator(".report-name")
    expect(names).to_have_text(["house", "Nemo"])
    taught.ask(
        "PATCH",
        f"/models/{taught.model['id']}/labels/{quote('🏠')}",
        {"name": "My very beautiful house"},
    )
    expect(names).to_have_text(["My very beautiful house", "Nemo"])
    expect(
        person.page.get_by_role(
            "button", name="A My very beautiful house that looks like nothing it knows. Open it."
        )
    ).to_be_visible()
    person.go("Labels")
    person.go("Train")
    expect(names).to_have_text(["My very beautiful house", "Nemo"])


@thorough
def test_a_label_that_was_only_renamed_is_no_news_that_it_learned(taught, visit):
    person = visit(taught, "labels")
    taught.ask("PATCH", f"/models/{taught.model['id']}/labels/{quote('⭐')}", {"label": "🌟"})
    taught.teach([])
    person.hears("Your model has learned.")
    person.go("Train")
    words = person.page.locator(".report-summary")
    expect(words).to_contain_text("8 drawings were relabeled. It gets")
    expect(words).not_to_contain_text("new")
