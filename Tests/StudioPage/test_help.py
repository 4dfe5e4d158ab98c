"""Tips, what the model sees, and the dial."""

import re

from playwright.sync_api import expect

from thorough import thorough


def test_tips_on_first_launch_and_under_help(untouched, visit):
    """G-001, F-011, B-016."""
    person = visit(untouched, "home")
    tips = person.page.get_by_role("dialog", name="How DrawML learns")
    for step in ("1. Draw", "2. Label", "3. Train"):
        expect(tips.get_by_role("heading", name=step)).to_be_visible()
        tips.get_by_role("button", name="Next").click()
    expect(tips.get_by_role("heading", name="4. Test")).to_be_visible()
    with person.page.expect_response("**/api/settings"):
        tips.get_by_role("button", name="Let’s draw").click()
    expect(tips).to_have_count(0)
    expect(person.page.locator(".train")).to_be_visible()
    # Once is enough.
    person.visit("home")
    person.page.reload()
    person.page.wait_for_selector("body[data-ready]")
    expect(person.page.locator(".home-model-name")).to_be_visible()
    expect(tips).to_have_count(0)
    assert untouched.ask("GET", "/settings")["onboardingSeen"] is True
    person.visit("help")
    for step in ("1. Draw", "2. Label", "3. Train", "4. Test"):
        expect(person.page.get_by_role("heading", name=step)).to_be_visible()
    person.press("Show the tips again")
    expect(tips).to_be_visible()
    tips.get_by_role("button", name="Close").click()
    expect(tips).to_have_count(0)


def test_why_this_emoji(taught, visit):
    """O-002, S-006."""
    person = visit(taught, "help")
    person.page.locator(".explain .sheet").scroll_into_view_if_needed()
    person.draw("fish", 40, size=140)
    person.press("Ask")
    answer = person.page.locator(".explain-answer")
    expect(answer.locator(".verdict")).to_contain_text("🐟")
    expect(answer).to_contain_text("28 × 28")
    squares = answer.locator(".raster rect")
    assert 30 < squares.count() < 500
    near = answer.locator(".explain-near li")
    assert near.count() >= 3
    assert "🐟" in near.first.inner_text()


@thorough
def test_an_answer_teaches_the_model_that_gave_it_or_none(taught, visit):
    first = taught.model["id"]
    person = visit(taught, "help")
    person.page.locator(".explain .sheet").scroll_into_view_if_needed()
    person.draw("fish", 40, size=140)
    person.press("Ask")
    expect(person.page.locator(".verdict")).to_contain_text("🐟")
    person.press("It is a …")
    second = taught.ask("POST", "/models", {"name": "Second"})["id"]
    taught.ask("PATCH", f"/models/{second}", {"isActive": True})
    # The answer goes with the model; what was being said is still for that one.
    expect(person.page.locator(".explain-answer")).to_contain_text("Here you see")
    before = len(taught.ask("GET", f"/models/{first}/samples?limit=500")["samples"])
    person.choose("star")
    person.hears("That is ⭐.")
    assert len(taught.ask("GET", f"/models/{first}/samples?limit=500")["samples"]) == before + 1
    assert taught.ask("GET", f"/models/{second}/samples")["samples"] == []
    person.press("Ask")
    expect(person.page.locator(".verdict")).to_be_visible()


@thorough
def test_a_drawing_of_the_past_can_be_asked_about(taught, visit):
    person = visit(taught, "playground")
    person.draw("house", 45, milliseconds=900)
    person.expect_faces(["🏠"])
    person.visit("help/why")
    person.page.get_by_role(
        "button", name="A past drawing, taken for 🏠. Ask about it."
    ).first.click()
    expect(person.page.locator(".verdict")).to_contain_text("🏠")


def test_the_dial_previews_and_changes_only_when_used(taught, visit):
    person = visit(taught, "help")
    slider = person.page.get_by_role("slider", name="How sure must I be?")
    result = person.page.locator(".certainty-result")
    expect(result).to_contain_text("would shake")
    before = taught.model["refusalRate"]

    def shaking(rate):
        return taught.ask("GET", f"/models/{taught.model['id']}/certainty?refusalRate={rate}")[
            "shaking"
        ]

    slider.focus()
    slider.press("Home")
    expect(person.page.locator(".certainty-words")).to_have_text("A wild guess is fine")
    few = shaking(0.005)
    expect(result).to_have_text(re.compile(rf"^{few} of \d+ past drawings would shake\.$"))
    slider.press("End")
    expect(person.page.locator(".certainty-words")).to_have_text("Only when completely sure")
    many = shaking(0.5)
    assert many > few
    expect(result).to_have_text(re.compile(rf"^{many} of \d+ past drawings would shake\.$"))
    expect(person.page.locator(".certainty .is-shaking")).to_have_count(many)
    assert taught.model["refusalRate"] == before
    person.press("Use this")
    person.hears("From now on: only when completely sure.")
    assert taught.model["refusalRate"] == 0.5
