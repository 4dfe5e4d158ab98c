"""A refusal asks what the drawing is, and one example is not yet much."""

import re

from playwright.sync_api import expect

from thorough import thorough


def bubble(person):
    return person.page.locator(".bubble")


def refused(person, shape="spiral", index=6, at=(0.5, 0.4), size=140):
    person.draw(shape, index, at=at, size=size)
    expect(bubble(person)).to_be_visible()


@thorough
def test_a_refusal_asks_and_a_guess_answers(taught, visit):
    """F-013."""
    person = visit(taught, "playground")
    refused(person)
    guess = bubble(person).get_by_role("button").first
    label = guess.text_content()
    guess.click()
    person.expect_faces([label])
    expect(bubble(person)).to_have_count(0)
    person.wait_for(lambda: len(taught.samples(label)) == 9, "it is a sample")


def test_after_one_correction_it_asks_for_two_more_and_is_never_too_sure(taught, visit):
    person = visit(taught, "playground")
    refused(person)
    bubble(person).get_by_role("button", name="Something else").click()
    # The picker begins with the model's own emojis.
    first = person.page.locator(".picker-section").first
    expect(first.locator(".picker-title")).to_have_text("This model’s")
    expect(first.locator(".picker-emoji")).to_have_count(5)
    person.choose("snail")
    person.expect_faces(["🐌"])
    note = person.page.locator(".sheet-notes", has_text="I have seen only one 🐌.")
    expect(note).to_be_visible(timeout=60_000)
    # What looks like it is recognized, but not surely.
    person.draw("spiral", 7, at=(0.2, 0.3), size=120)
    person.expect_faces(["🐌", "🐌"])
    expect(note).to_be_hidden()
    person.open_menu(person.faces().last)
    texts = person.page.locator(".shape-menu h2, .placed-words, #spoken").all_text_contents()
    shares = [int(each) for text in texts for each in re.findall(r"(\d+)\s%", text)]
    assert shares and max(shares) <= 90, texts
    assert not any("over 99" in text for text in texts), texts
    # The note's button leads to Train, with that emoji.
    person.page.keyboard.press("Escape")
    person.press("Clear")
    refused(person, "cup", 6)
    bubble(person).get_by_role("button", name="Something else").click()
    person.choose("teacup without handle")
    person.page.get_by_role("button", name="Draw two more").click(timeout=60_000)
    person.page.wait_for_selector("body[data-screen=train]")
    expect(person.page.locator(".chosen")).to_contain_text("🍵")


@thorough
def test_the_sign_that_it_was_learned_goes_when_that_is_undone(taught, visit):
    person = visit(taught, "playground")
    person.draw("star", 31)
    person.expect_faces(["⭐"])
    person.open_menu(person.faces())
    person.press("Add as sample")
    sign = person.page.locator(".learned")
    expect(sign).to_be_visible(timeout=60_000)
    person.page.keyboard.press("Control+z")
    expect(sign).to_have_count(0, timeout=1500)
