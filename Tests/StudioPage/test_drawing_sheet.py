"""The sheets for one drawing: Train's, Trace's, and Help's."""

import pytest

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
