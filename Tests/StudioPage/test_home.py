"""Home's first button: one plays with everyday things before anything is taught."""

import pytest
from playwright.sync_api import expect

from thorough import often, thorough

PHONE = (375, 667)


@pytest.mark.parametrize("size", often(PHONE, then=[(1280, 800)]), ids=["phone", "desktop"])
def test_play_now_is_homes_first_button_and_opens_everyday_things(fresh, visit, size):
    person = visit(fresh, "home", size=size)
    first = person.page.locator("main :is(a, button)").first
    expect(first).to_contain_text("Play now")
    first.click()
    expect(person.page.locator(".sheet-hint")).to_contain_text("Draw an everyday thing")
    # Nobody is asked or told anything before.
    expect(person.page.locator(".toast, .train-note:visible")).to_have_count(0)
    person.draw("star", 40, at=(0.4, 0.4), size=120)
    person.expect_faces(["⭐"])
    assert fresh.model["isEveryday"] is True
    # The second time it is the same model.
    person.go("Home")
    first.click()
    person.expect_faces(["⭐"])
    assert [each["isEveryday"] for each in fresh.ask("GET", "/models")["models"]] == [False, True]


@thorough
def test_play_now_leads_back_to_the_model_that_was_left(taught, visit):
    mine = taught.model
    person = visit(taught, "home")
    person.page.locator(".play-now").click()
    person.hears("“Everyday things” is active now.")
    assert taught.model["id"] != mine["id"]
    person.press("Go back")
    person.hears(f"“{mine['name']}” is active again.")
    assert taught.model["id"] == mine["id"]
    person.draw("fish", 40, at=(0.4, 0.4), size=120)
    person.expect_faces(["🐟"])


@thorough
def test_play_now_says_when_it_cannot(fresh, visit, notes):
    notes.allow(503, "/models")
    person = visit(fresh, "home")
    person.page.route(
        "**/api/models",
        lambda route: route.fulfill(
            status=503, json={"error": {"code": "test", "message": "Not now."}}
        ),
    )
    person.page.locator(".play-now").click()
    person.hears("Not now.")
    # It can be pressed again.
    person.page.unroute("**/api/models")
    person.page.locator(".play-now").click()
    expect(person.page.locator(".play")).to_be_visible()


@thorough
def test_the_guide_begins_with_a_way_to_play(untouched, visit):
    person = visit(untouched, "home")
    tips = person.page.get_by_role("dialog", name="How DrawML learns")
    tips.get_by_role("button", name="Play now").click()
    expect(tips).to_have_count(0)
    expect(person.page.locator(".sheet-hint")).to_contain_text("Draw an everyday thing")
    person.wait_for(lambda: untouched.ask("GET", "/settings")["onboardingSeen"], "the tips' end")
