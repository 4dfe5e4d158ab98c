"""The sheets for one drawing: Train's, Trace's, and Help's."""

import pytest
from playwright.sync_api import expect

from person import box
from thorough import thorough
from tracing import trace

SCREENS = {
    "train": lambda person: person.visit("train"),
    "help": lambda person: person.visit("help"),
    "trace": lambda person: trace(person, template="bundled/star"),
}


@thorough
@pytest.mark.parametrize("screen", SCREENS)
def test_ink_stays_where_it_is_drawn_also_when_the_empty_sheet_had_another_size(
    taught, visit, screen
):
    person = SCREENS[screen](visit(taught, size=(390, 844)))
    person.resize(844, 390)
    person.settle()
    person.sheet.scroll_into_view_if_needed()
    strokes = person.draw("star", 40, size=120)
    person.expect_ink(len(strokes))
    for drawn, seen in zip(box(strokes), person.ink_box()):
        assert abs(drawn - seen) < 8, f"drawn at {box(strokes)}, seen at {person.ink_box()}"


@thorough
@pytest.mark.parametrize("screen", SCREENS)
def test_a_stroke_that_the_system_takes_away_is_told(taught, visit, screen):
    """F-001."""
    person = SCREENS[screen](visit(taught))
    person.sheet.scroll_into_view_if_needed()
    place = person.sheet.bounding_box()
    person.page.mouse.move(place["x"] + 60, place["y"] + 60)
    person.page.mouse.down()
    person.page.mouse.move(place["x"] + 90, place["y"] + 80)
    person.page.evaluate(
        """document.querySelector(".sheet").dispatchEvent(
      new PointerEvent("pointercancel", { pointerId: 1 }))"""
    )
    person.hears("Couldn’t read drawing")
    person.page.mouse.up()
    expect(person.page.locator(".sheet .ink .stroke")).to_have_count(0)
