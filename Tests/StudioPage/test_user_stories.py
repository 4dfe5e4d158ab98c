"""What a person wants of the app, story by story: see docs/REQUIREMENTS.md."""

import re
import time

from playwright.sync_api import expect

from person import box
from strokes import drawings
from test_accessibility import ANIMATIONS

NOT_RECOGNIZED = "Couldn’t classify that drawing."


def test_a_shape_that_was_drawn_labelled_and_trained_becomes_its_emoji(fresh, visit):
    """O-003, O-004."""
    person = visit(fresh, "train")
    saved = 0
    for shape, label in (("star", "⭐"), ("heart", "❤️")):
        person.pick(label)
        for index in range(4):
            person.draw(shape, index, milliseconds=250)
            person.press("Add Sample")
            saved += 1
            expect(
                person.page.get_by_role("heading", name=f"Saved drawings ({saved})")
            ).to_be_visible()
    person.press("Train Model")
    expect(person.page.get_by_text("It knows all your drawings.")).to_be_visible()
    person.go("Playground")
    for shape, label, place in (("heart", "❤️", (0.3, 0.4)), ("star", "⭐", (0.7, 0.6))):
        drawn = person.draw(shape, 40, at=place, size=150)
        face = person.faces().filter(has_text=label)
        expect(face).to_have_count(1)
        person.expect_over(face, drawn)


def test_us_001_draw_on_a_canvas_to_teach_a_shape(fresh, visit):
    """US-001, G-003."""
    person = visit(fresh, "train")
    begun = time.monotonic()
    strokes = person.draw("house", milliseconds=700)
    lasted = (time.monotonic() - begun) * 1000
    person.expect_ink(len(strokes))
    person.pick("🏠")
    person.press("Add Sample")
    person.hears("Saved.")
    person.expect_ink(0)
    (saved,) = fresh.samples()
    assert saved["label"] == "🏠"
    assert len(saved["strokes"]) == len(strokes)
    assert all(len(stroke[0]) >= 2 for stroke in saved["strokes"])
    # The times are the hand's: they begin at 0, grow, and last as long as the drawing took.
    times = [t for stroke in saved["strokes"] for t in stroke[2]]
    assert times[0] == 0 and times == sorted(times) and 400 < times[-1] <= lasted + 50
    # What was drawn is what was saved: the same box, to a pixel.
    left, _, right, _ = box(strokes)
    xs = [x for stroke in saved["strokes"] for x in stroke[0]]
    assert abs((max(xs) - min(xs)) - (right - left)) < 1.5


def test_us_002_pick_an_emoji_label(fresh, visit):
    """US-002, G-004, F-002, B-004."""
    person = visit(fresh, "train")
    person.draw("star")
    person.press("Add Sample")
    person.hears("Please pick an emoji first.")
    person.expect_ink(1)
    person.press("All emojis")
    person.choose("shooting star")
    expect(person.page.get_by_role("button", name="Picked: 🌠. Pick another emoji")).to_be_visible()
    person.press("Add Sample")
    person.hears("Saved.")
    assert [sample["label"] for sample in fresh.samples()] == ["🌠"]


def test_us_003_save_many_examples_of_an_emoji(fresh, visit):
    """US-003, S-002."""
    person = visit(fresh, "train")
    person.pick("⭐")
    for index in range(4):
        person.draw("star", index, milliseconds=250)
        person.press("Add Sample")
        person.hears(f"That makes {index + 1}.")
        # The next one is counted from those that the page knows of.
        expect(
            person.page.get_by_role("heading", name=f"Saved drawings ({index + 1})")
        ).to_be_visible()
    expect(person.page.locator(".samples .thumb")).to_have_count(4)
    assert len(fresh.samples("⭐")) == 4
    # One of them is relabeled, one deleted, and the deletion is taken back.
    person.page.locator(".samples .thumb").first.click()
    person.press("Change emoji")
    person.choose("sparkles")
    person.hears("Now it is ✨.")
    expect(person.page.get_by_role("button", name="✨, 1 drawing")).to_be_visible()
    person.page.locator(".samples .thumb").last.click()
    person.press("Delete")
    person.hears("Drawing deleted.")
    expect(person.page.get_by_role("heading", name="Saved drawings (3)")).to_be_visible()
    person.page.locator(".toast", has_text="Drawing deleted.").get_by_role(
        "button", name="Undo"
    ).click()
    expect(person.page.get_by_role("heading", name="Saved drawings (4)")).to_be_visible()
    assert sorted(sample["label"] for sample in fresh.samples()) == sorted(["⭐", "⭐", "⭐", "✨"])


def test_us_004_train_the_model(fresh, visit):
    """US-004, F-004, B-006."""
    fresh.teach(drawings("star")[:4] + drawings("heart")[:4] + drawings("moon")[:1], train=False)
    person = visit(fresh, "train")
    person.press("Train Model")
    person.hears("Your model got smarter.")
    rows = person.page.locator(".report-row")
    expect(rows).to_have_count(3)
    expect(rows.filter(has_text=re.compile(r"\d of 4 right"))).to_have_count(2)
    # An emoji with one drawing cannot be tested, and no number is made up for it.
    expect(rows.last).to_contain_text("1 drawing: add another to test it")
    expect(rows.last.locator(".report-share")).to_have_text("–")
    expect(rows.last.locator(".meter")).to_have_count(0)
    expect(rows.locator(".tag").first).to_have_text("new")
    # The model says it first, in words for a child; the numbers are for grown-ups.
    expect(person.page.locator(".report-headline")).to_contain_text("I have seen only one 🌙.")
    expect(rows.first).to_be_hidden()
    expect(person.page.get_by_text("It knows all your drawings.")).to_be_visible()
    assert fresh.model["untrainedCount"] == 0 and fresh.model["lastTrained"]


def test_us_004_training_without_samples_fails_with_the_message(fresh, visit, notes):
    """US-004, F-004."""
    notes.allow(409, "/train")

    def one_sample(route):
        """The page has not heard yet that its only sample is gone."""
        answer = route.fetch()
        state = answer.json()
        state["activeModel"]["sampleCount"] = 1
        route.fulfill(response=answer, json=state)

    person = visit(fresh, "train")
    person.press("Train Model")
    person.hears("There is nothing to learn yet.")
    person.hears("Draw a shape, pick its emoji, and add a few samples.")
    assert notes.asked("POST", "/train") == 0
    person.page.route("**/api/state", one_sample)
    person.page.reload()
    person.press("Train Model")
    person.hears("Training failed. Try with more samples.")
    expect(person.page.get_by_role("button", name="Train Model")).to_be_enabled()
    # It is of that screen, and goes with it.
    person.go("Labels")
    expect(person.page.locator(".toast")).to_have_count(0, timeout=5000)


def test_us_005_test_the_model_by_having_it_guess(taught, visit):
    """US-005, G-006, F-005."""
    person = visit(taught, "train")
    person.draw("heart", 40)
    person.press("Guess")
    expect(person.page.locator(".guess")).to_contain_text("Looks like ❤️")
    expect(person.page.locator(".guess")).to_contain_text(re.compile(r"\d+ % sure"))
    person.expect_ink(len(drawings("heart")[40]["strokes"]))
    # The guess is of that drawing only.
    person.press("Clear")
    expect(person.page.locator(".guess")).to_be_empty()
    person.draw("spiral", 3)
    person.press("Guess")
    expect(person.page.locator(".guess")).to_have_text(NOT_RECOGNIZED)


def test_us_006_see_all_emojis_that_the_model_has_learned(taught, visit):
    """US-006, G-007, F-007, S-004, B-007."""
    person = visit(taught, "home")
    person.go("Labels")
    cards = person.page.locator(".label-card")
    expect(cards).to_have_count(5)
    expect(person.page.get_by_text("8 samples")).to_have_count(5)
    for name in ("star", "heart", "house", "fish", "sun"):
        expect(cards.filter(has_text=name)).to_have_count(1)
    # A label is renamed, and one is deleted after a question.
    person.press("Rename ⭐")
    person.page.get_by_role("textbox", name="Name (if you like)").fill("Twinkle")
    person.press("Rename")
    expect(cards.filter(has_text="Twinkle")).to_have_count(1)
    person.press("Delete 🐟")
    dialog = person.page.get_by_role("dialog", name="Are you sure?")
    expect(dialog).to_contain_text("8 samples")
    dialog.get_by_role("button", name="Keep it").click()
    expect(cards).to_have_count(5)
    person.press("Delete 🐟")
    person.press("Delete label")
    # The model knows it until it learns again.
    expect(cards.filter(has_text="forgotten at the next training")).to_have_count(1)
    assert taught.samples("🐟") == []
    # It can be taken back, with its drawings and its name.
    person.press("Rename ☀️")
    person.page.get_by_role("textbox", name="Name (if you like)").fill("Sunny")
    person.press("Rename")
    expect(cards.filter(has_text="Sunny")).to_have_count(1)
    before = taught.samples("☀️")
    person.press("Delete ☀️")
    person.press("Delete label")
    expect(cards.filter(has_text="forgotten at the next training")).to_have_count(2)
    person.page.locator(".toast", has_text="Label ☀️ deleted.").get_by_role(
        "button", name="Undo"
    ).click()
    person.hears("8 drawings of ☀️ are back.")
    expect(cards.filter(has_text="Sunny")).to_contain_text("8 samples")
    assert [(each["id"], each["strokes"]) for each in taught.samples("☀️")] == [
        (each["id"], each["strokes"]) for each in before
    ]
    assert taught.model["untrainedCount"] == 8, "what is back is known already"
    taught.teach([])
    expect(cards).to_have_count(4)


def test_us_007_clear_the_canvas(taught, visit):
    """US-007, G-008, F-008, B-015."""
    person = visit(taught, "train")
    person.draw("house", 2)
    person.press("Clear")
    person.expect_ink(0)
    person.press("Undo")
    person.expect_ink(len(drawings("house")[2]["strokes"]))
    person.press("Clear")
    person.draw("circle", 0)
    person.press("Undo")
    person.expect_ink(0)
    person.press("Undo")
    person.hears("Nothing to undo.")
    # And on the Playground, where the server takes things back.
    person.go("Playground")
    person.draw("star", 40)
    person.expect_faces(["⭐"])
    person.press("Clear")
    person.expect_faces([])
    person.press("Undo")
    person.expect_faces(["⭐"])
    person.press("Undo")
    person.expect_faces([])
    person.expect_ink(0)
    person.press("Undo")
    person.hears("Nothing to undo.")


def test_us_008_a_playground_to_test_the_model(taught, visit):
    """US-008, G-009, S-003."""
    person = visit(taught, "home")
    person.page.locator(".door-playground").click()
    expect(person.page.get_by_role("group", name=re.compile("Playground"))).to_be_visible()
    person.draw("sun", 41)
    person.expect_faces(["☀️"])
    # What was placed is listed, and still there after a reload.
    expect(person.page.locator(".placed-item")).to_have_count(1)
    expect(person.page.locator(".placed-item")).to_contain_text("sun")
    person.settle()
    box = person.faces().first.bounding_box()
    person.page.reload()
    person.expect_faces(["☀️"])
    person.settle()
    again = person.faces().first.bounding_box()
    assert abs(box["x"] - again["x"]) < 1 and abs(box["width"] - again["width"]) < 1


def test_us_009_manage_many_models(taught, visit):
    """US-009, F-009, S-005, X-009, B-008."""
    person = visit(taught, "models")
    cards = person.page.locator(".model-card")
    expect(cards).to_have_count(1)
    person.press("New Model")
    person.page.get_by_role("textbox", name="Name").fill("Sea animals")
    person.press("Create")
    person.hears("“Sea animals” is ready and active.")
    expect(cards).to_have_count(2)
    assert taught.model["name"] == "Sea animals"
    person.press("Rename Sea animals")
    person.page.get_by_role("textbox", name="Name").fill("Fishes")
    person.page.get_by_role("dialog").get_by_role("button", name="Rename").click()
    expect(cards.filter(has_text="Fishes")).to_have_count(1)
    person.press("Set Active: My first model")
    person.hears("“My first model” is active now.")
    expect(person.page.locator(".model-chip")).to_contain_text("My first model")
    person.press("Delete Fishes")
    expect(person.page.get_by_role("dialog", name="Are you sure?")).to_contain_text("0 drawings")
    person.page.keyboard.press("Escape")
    expect(cards).to_have_count(2)
    person.press("Delete Fishes")
    person.press("Delete model")
    expect(cards).to_have_count(1)
    assert [model["name"] for model in taught.ask("GET", "/models")["models"]] == ["My first model"]


def test_us_010_everything_is_kept_and_works_offline(taught, visit, notes):
    """US-010, F-010, X-001; `notes.check` sees that no other machine is asked for anything."""
    person = visit(taught, "train")
    person.pick("🌙")
    person.draw("moon", 1)
    person.press("Add Sample")
    person.hears("Saved.")
    person.page.get_by_role("button", name="Settings").click()
    with person.page.expect_response("**/api/settings"):
        person.page.get_by_role("radio", name="Dark").check(force=True)
    expect(person.page.locator("html")).to_have_attribute("data-theme", "dark")
    person.page.keyboard.press("Escape")
    # Everything is still there after a restart of the program.
    notes.allow_away()
    taught.stop()
    taught.start()
    person.visit("train")
    expect(person.page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(person.page.get_by_role("heading", name="Saved drawings (41)")).to_be_visible()


def test_us_011_the_app_fits_a_phone_and_a_tablet(taught, visit):
    """US-011, O-005, G-010, F-016, B-017."""
    phone = visit(taught, "train", size=(390, 844), has_touch=True, is_mobile=True)
    tablet = visit(taught, "train", size=(1024, 1366))
    for person in (phone, tablet):
        expect(person.page.locator(".samples .thumb").first).to_be_attached()
        assert person.fits(), "the page is wider than the screen"

    # On a phone one part is below the other; on a tablet they are side by side, the sheet larger.
    def boxes(person):
        return person.sheet.bounding_box(), person.page.locator(".samples").bounding_box()

    sheet, grid = boxes(phone)
    assert grid["y"] > sheet["y"] + sheet["height"] and sheet["width"] > 330
    sheet, grid = boxes(tablet)
    assert (
        grid["x"] > sheet["x"] + sheet["width"] and sheet["width"] > 560 and sheet["height"] > 500
    )
    tablet.go("Playground")
    expect(tablet.page.get_by_role("complementary", name="Just placed")).to_be_visible()
    tablet.press("Emojis")
    expect(tablet.page.get_by_role("complementary", name="Just placed")).to_be_hidden()


def test_us_011_a_turned_tablet_keeps_the_sheet(taught, visit):
    """US-011, X-005."""
    person = visit(taught, "playground", size=(1024, 768))
    person.draw("star", 52, at=(0.8, 0.7), size=150)
    person.expect_faces(["⭐"])
    person.resize(768, 1024)
    person.settle()
    sheet, star = person.sheet.bounding_box(), person.faces().first.bounding_box()
    assert star["x"] > sheet["x"] and star["x"] + star["width"] < sheet["x"] + sheet["width"]
    # What is drawn now lands under the pen, though the paper is shown smaller.
    drawn = person.draw("heart", 52, at=(0.3, 0.5), size=120)
    expect(person.faces()).to_have_count(2)
    person.expect_over(person.page.get_by_role("button", name="heart"), drawn)


def test_us_012_sketch_turns_into_an_emoji(taught, visit):
    """US-012, G-011, F-006, F-012, B-011, B-014."""
    person = visit(taught, "playground")
    drawn = person.draw("star", 42, at=(0.4, 0.45), size=180)
    person.expect_faces(["⭐"])
    person.expect_ink(0)
    # The emoji stands where the drawing stood, and is as large; near the edges: test_playground.py.
    person.expect_over(person.faces().first, drawn)
    expect(person.page.get_by_role("button", name="star")).to_be_visible()


def test_us_013_sketch_shakes_with_a_message(taught, visit):
    """US-013, G-012, F-013, B-012."""
    person = visit(taught, "playground", script=ANIMATIONS)
    person.draw("spiral", 5, at=(0.5, 0.4))
    expect(person.page.locator(".bubble")).to_contain_text(NOT_RECOGNIZED)
    expect(person.page.locator("#alarm")).to_contain_text(NOT_RECOGNIZED)
    person.expect_ink(1)
    shakes = person.page.evaluate(
        "window.moved.filter(({ frames }) => frames.includes('translateX(-9px)'))"
        ".map(({ of }) => of)"
    )
    assert len(shakes) == 1 and shakes[0].startswith("shape is-")
    person.expect_faces([])


def test_us_014_many_shapes_in_a_row(taught, visit):
    """US-014, G-013, F-014, B-013."""
    person = visit(taught, "playground", size=(1280, 800))
    places = {"star": (0.15, 0.3), "heart": (0.4, 0.3), "house": (0.65, 0.3), "sun": (0.3, 0.72)}
    labels = {"star": "⭐", "heart": "❤️", "house": "🏠", "sun": "☀️"}
    drawn = {}
    for name, place in places.items():
        # The hand moves on to the next place without waiting for the emoji.
        drawn[name] = person.draw(name, 43, at=place, size=130, milliseconds=700, pause=600)
    expect(person.faces()).to_have_count(4)
    for name, strokes in drawn.items():
        person.expect_over(person.faces().filter(has_text=labels[name]), strokes)
    expect(person.page.locator(".placed-item")).to_have_count(4)
    person.expect_ink(0)


def test_us_015_draw_on_top_of_emojis(taught, visit):
    """US-015, G-014, F-015, B-013."""
    person = visit(taught, "playground")
    person.draw("house", 44, at=(0.45, 0.5), size=280, milliseconds=900)
    person.expect_faces(["🏠"])
    # The shape is closed five seconds after its last ink; ink over it is a new shape then.
    person.page.wait_for_timeout(5200)
    person.draw("heart", 44, at=(0.45, 0.5), size=110)
    person.expect_faces(["🏠", "❤️"])
    below, above = (person.faces().nth(index).bounding_box() for index in (0, 1))
    assert below["x"] < above["x"] and above["x"] + above["width"] < below["x"] + below["width"]
    person.press("Undo")
    person.expect_faces(["🏠"])
    # What is drawn over an emoji and not recognized could have been meant for it.
    person.draw("spiral", 9, at=(0.45, 0.5), size=110)
    expect(person.page.locator(".bubble")).to_contain_text("Try a simpler outline.")
    expect(person.page.locator(".shape.is-confused")).to_have_count(1)
    person.expect_faces(["🏠"])


def test_us_009_a_model_travels_as_a_file(taught, fresh, visit, notes, tmp_path):
    """US-009."""
    notes.allow(400, "/api/import")
    person = visit(taught, "models")
    with person.page.expect_download() as download:
        person.page.get_by_role("link", name="Export My first model").click()
    # The file has the name that the server gives it.
    disposition = person.page.request.get(
        f"{taught.url}/api/export?model={taught.model['id']}"
    ).headers["content-disposition"]
    assert download.value.suggested_filename in disposition and "My-first-model" in disposition
    file = tmp_path / "model.file"
    download.value.save_as(file)
    assert file.stat().st_size > 10_000
    other = visit(fresh, "models")
    other.page.locator("input[type=file]").set_input_files(file)
    other.hears("“My first model” added.")
    # It replaces the unused first model.
    expect(other.page.locator(".model-card")).to_have_count(1)
    expect(other.page.locator(".model-card")).to_contain_text("5 emojis · 40 drawings")
    assert sorted(sample["id"] for sample in fresh.samples()) == sorted(
        sample["id"] for sample in taught.samples()
    )
    # What is here already is not imported again.
    other.page.locator("input[type=file]").set_input_files(file)
    other.hears("Nothing new: “My first model” is already here.")
    # A file of another kind is refused in words.
    picture = tmp_path / "cat.jpg"
    picture.write_bytes(b"not an export" * 100)
    other.page.locator("input[type=file]").set_input_files(picture)
    expect(other.page.locator(".toast.is-bad")).to_be_visible()
    expect(other.page.locator(".model-card")).to_have_count(1)
