"""The picker: emojis are found by what people type, in their language; words are labels, too."""

from playwright.sync_api import expect

from thorough import thorough


def open_picker(person):
    person.page.locator(".chosen").click()
    person.page.get_by_role("option").first.wait_for()
    return person.page.get_by_role("searchbox", name="Search emojis")


def found(person, field, words):
    field.fill(words)
    person.until("document.querySelector('.picker-title')?.textContent === 'Found'")
    return person.page.get_by_role("option").all_text_contents()


def test_emojis_are_found_by_what_people_type(fresh, visit, notes):
    """F-002; Tests/PageLogic tries many more words, in all languages."""
    person = visit(fresh, "train", locale="de-AT")
    field = open_picker(person)
    for words, emoji in {"Schmetterling": "🦋", "dinosaur": "🦕", "tree": "🌳"}.items():
        assert found(person, field, words)[0] == emoji, words
    expect(person.page.get_by_role("option", name="tree", exact=True)).to_have_attribute(
        "title", "tree"
    )
    # Only the words of English and of the browser's language were loaded.
    for language in ("en", "de"):
        assert notes.asked("GET", f"/emoji-{language}.txt.gz") == 1
    assert notes.asked("GET", ".txt.gz") == 2


@thorough
def test_a_word_is_picked_before_the_emojis_are_there(fresh, visit):
    person = visit(fresh, "train", size=(390, 844))
    held = []
    person.page.route("**/emoji-en.txt.gz", lambda route: held.append(route))
    person.page.locator(".chosen").click()
    person.page.get_by_role("searchbox", name="Search emojis").fill("cat")
    person.press("Use the word “cat”")
    expect(person.page.locator(".chosen")).to_have_text("cat")
    for route in held:
        route.continue_()


def test_a_word_is_a_label(fresh, visit):
    """F-002: labels are of 1 to 64 characters."""
    person = visit(fresh, "train", size=(390, 844))
    page = person.page
    for index, (typed, label) in enumerate([("circle", "circle"), ("  A ", "A"), ("Ω", "Ω")]):
        open_picker(person).fill(typed)
        page.get_by_role("button", name=f"Use the word “{label}”").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.locator(".chosen")).to_have_text(label)
        person.draw("check", index, milliseconds=200)
        person.press("Add Sample")
        person.hears("Saved. That makes 1.")
        person.wait_for(lambda: len(fresh.samples()) == index + 1, f"{label} is saved")
    assert {each["label"] for each in fresh.samples()} == {"circle", "A", "Ω"}
    # It is among those to pick from; Enter goes to a word that no emoji is called, then picks it.
    person.pick("circle")
    field = open_picker(person)
    field.fill("zyx")
    expect(page.get_by_text("No emoji is called “zyx”.")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Use the word “zyx”")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".chosen")).to_have_text("zyx")
    # A pasted emoji is no word.
    field = open_picker(person)
    field.fill("🐸")
    expect(page.get_by_role("option")).to_have_text(["🐸"])
    expect(page.get_by_role("button", name="Use the word")).to_have_count(0)


@thorough
def test_a_word_that_is_no_label_is_said_by_the_server_and_costs_no_ink(fresh, visit, notes):
    notes.allow(400)
    notes.allow(422)
    person = visit(fresh, "train", size=(390, 844))
    page = person.page
    open_picker(person).fill("w" * 65)
    page.locator(".picker-word").click()
    person.settle()
    assert person.fits()
    assert 64 <= page.locator(".chosen").bounding_box()["width"] <= 128
    person.draw("check", 1, milliseconds=200)
    ink = person.ink()
    person.press("Add Sample")
    person.hears("64")
    person.expect_ink(ink)
    assert fresh.samples() == []
    open_picker(person).fill("w" * 64)
    page.locator(".picker-word").click()
    person.press("Add Sample")
    person.hears("Saved. That makes 1.")
    assert [each["label"] for each in fresh.samples()] == ["w" * 64]


@thorough
def test_without_its_list_the_picker_says_so_and_takes_words(fresh, visit, notes):
    notes.allow("ERR_FAILED", "emoji")
    person = visit(fresh, "train")
    emojis = "**/emoji-*"
    person.page.route(emojis, lambda route: route.abort())
    person.page.reload()
    person.page.wait_for_selector("body[data-ready]")
    person.press("All emojis")
    expect(person.page.locator(".picker-none")).to_be_visible()
    person.page.get_by_role("searchbox", name="Search emojis").fill("gizmo")
    expect(person.page.locator(".picker-word")).to_have_text("Use the word “gizmo”")
    person.page.locator(".picker-word").click()
    expect(person.page.locator(".chosen")).to_contain_text("gizmo")
    person.press("All emojis")
    expect(person.page.locator(".picker-none")).to_be_visible()
    person.page.unroute(emojis)
    person.page.locator(".picker-none").get_by_role("button", name="Try again").click()
    expect(person.page.get_by_role("option").first).to_be_visible()
