"""The page for tracing: its steps, where its template lies, and somebody who follows its lines."""

from urllib.parse import quote

STAR = "bundled/star"
# The page's policy forbids text as script, but not this.
MATRIX = "getComputedStyle(document.querySelector('.trace-template')).transform"


def trace(person, step="under", template=STAR):
    """Opens a step of the page for tracing."""
    person.page.goto(f"{person.url}/trace#{step}/{quote(template, safe='')}")
    person.page.wait_for_selector(f"body[data-ready][data-step={step}]")
    return person


def matrix(person):
    """The template's matrix as the browser shows it."""
    person.frames()
    text = person.page.evaluate(MATRIX)
    if text == "none":
        return [1, 0, 0, 1, 0, 0]
    return [float(each) for each in text.removeprefix("matrix(").rstrip(")").split(",")]


def outline(person):
    """The template's lines in the window's pixels, as strokes for `Person.move`."""
    lines = person.page.evaluate(
        """() => [...document.querySelectorAll(".trace-line")].map((line) => {
      const length = line.getTotalLength();
      const map = line.getScreenCTM();
      return Array.from({ length: 41 }, (_, step) => {
        const { x, y } = line.getPointAtLength((length * step) / 40).matrixTransform(map);
        return [x, y, step * 4];
      });
    })"""
    )
    passed = 0
    for line in lines:
        for point in line:
            point[2] += passed
        passed = line[-1][2] + 20
    return lines


def draw_template(person):
    draw = person.page.get_by_role("button", name="Draw", exact=True)
    if draw.count():
        draw.click()
    person.move(outline(person))


def placing(person):
    """Lets fingers, mouse and keys place the template."""
    person.press("Adjust")
    return person
