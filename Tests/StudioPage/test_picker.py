"""The picker: emojis are found by what people type, in their language; words are labels, too."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from thorough import thorough

FOUND = {
    "dinosaur": "🦕",
    "smiley": "😀",
    "kitty": "🐱",
    "oval": "⭕",
    "plane": "✈️",
    "happy": "😀",
    "cats": "🐈",
    "headphones": "🎧",
    "heart": "❤️",
    # Unicode's names are found as well as those of our own.
    "red heart": "❤️",
    "deciduous tree": "🌳",
    "snowman without snow": "⛄",
    "house": "🏠",
    "ship": "🚢",
    "puppy": "🐶",
}
# The browser's language, a word of it, and what it means. English is found as well.
LANGUAGES = [
    ("de-AT", "Schmetterling", "🦋"),
    ("de-DE", "dinosaurier", "🦕"),
    ("es-MX", "corazon", "❤️"),
    ("fr-FR", "étoile", "⭐"),
    ("pt-BR", "gato", "🐈"),
    ("id-ID", "rumah", "🏠"),
    ("ru-RU", "кошка", "🐈"),
    ("ar-EG", "قلب", "❤️"),
    ("ur-PK", "مچھلی", "🐟"),
    ("hi-IN", "बिल्ली", "🐈"),
    ("bn-BD", "মাছ", "🐟"),
    ("zh-CN", "飞机", "✈️"),
    ("ja-JP", "家", "🏠"),
    # As people type it: without ß, in Hiragana, with vowel marks.
    ("de-CH", "fussball", "⚽"),
    ("ja-JP", "ねこ", "🐈"),
    ("ar-EG", "قَلْب", "❤️"),
]


def open_picker(person):
    person.page.locator(".chosen").click()
    person.page.get_by_role("option").first.wait_for()
    return person.page.get_by_role("searchbox", name="Search emojis")


def found(person, field, words):
    field.fill(words)
    person.until("document.querySelector('.picker-title')?.textContent === 'Found'")
    return person.page.get_by_role("option").all_text_contents()


def test_emojis_are_found_by_what_people_type(fresh, visit, notes):
    """F-002."""
    person = visit(fresh, "train", locale="en-US")
    field = open_picker(person)
    for words, emoji in FOUND.items():
        assert emoji in found(person, field, words)[:3], words
    # Whole words come before others: no pillar before a pill.
    names = {"pear": "🍐", "ring": "💍", "cat": "🐱", "bus": "🚌", "ant": "🐜", "ear": "👂"}
    for name, emoji in names.items():
        assert found(person, field, name)[0] == emoji, name
    # Only the English words were loaded.
    assert notes.asked("GET", ".txt.gz") == notes.asked("GET", "/emoji-en.txt.gz") == 1


# Everyday things whose own word is worse than the emoji's name, or is another form of it.
OTHER_NAMES = {
    "The Eiffel Tower": "Eiffel Tower", "school bus": "bus", "campfire": "fire",
    "coffee cup": "cup", "drums": "drum", "eyeglasses": "glasses", "firetruck": "fire truck",
    "rollerskates": "roller skate", "sea turtle": "turtle", "teddy-bear": "teddy bear",
    "tennis racquet": "tennis racket", "waterslide": "slide", "wine bottle": "bottle",
    "wristwatch": "watch",
}


def test_everyday_things_are_called_what_people_call_them(fresh, visit):
    everyday = json.loads(
        (Path(__file__).parents[2] / "models/everyday-labels.json").read_text(encoding="utf-8")
    )
    assert len(set(everyday.values())) == 174
    person = visit(fresh, "train", locale="de-DE")
    names = person.page.evaluate(
        """async (labels) => {
      const { nameOf } = await import("/picker.js");
      return Promise.all(labels.map(nameOf));
    }""",
        list(everyday.values()),
    )
    assert dict(zip(everyday, names)) == {
        word: OTHER_NAMES.get(word, word) for word in everyday
    }
    # A name is one emoji's.
    assert len(set(names)) == 174
    field = open_picker(person)
    for name, emoji in {"tree": "🌳", "snowman": "⛄", "moon": "🌙", "laubbaum": "🌳"}.items():
        assert found(person, field, name)[0] == emoji, name
    option = person.page.get_by_role("option", name="tree", exact=True)
    expect(option).to_have_attribute("title", "tree")


@pytest.mark.parametrize(("locale", "words", "emoji"), LANGUAGES)
def test_emojis_are_found_in_the_browsers_language(fresh, visit, notes, locale, words, emoji):
    person = visit(fresh, "train", locale=locale)
    field = open_picker(person)
    assert emoji in found(person, field, words)[:4]
    assert emoji in found(person, field, words.upper())[:4]
    assert "🦕" in found(person, field, "dinosaur")[:2]
    assert notes.asked("GET", f"/emoji-{locale[:2]}.txt.gz") == 1


def test_without_the_words_of_a_language_there_are_the_english_ones(fresh, visit, notes):
    notes.allow("404", "/emoji-de.txt.gz")
    notes.allow("ERR_FAILED", "/emoji-de.txt.gz")
    person = visit(fresh, "home", locale="de-DE")
    person.page.route("**/emoji-de.txt.gz", lambda route: route.abort())
    person.visit("train")
    assert "🐈" in found(person, open_picker(person), "cat")[:2]
    # Finnish has none.
    other = visit(fresh, "train", locale="fi-FI")
    assert "🐈" in found(other, open_picker(other), "cat")[:2]


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
        person.draw("sun", index, milliseconds=200)
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
    person.draw("sun", 1, milliseconds=200)
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
