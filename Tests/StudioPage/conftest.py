"""Fixtures: the program, a workspace, the browser, and a page whose every request and complaint is written down."""

import os
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import sync_playwright

from person import Person
from server import Server, copy_workspace
from strokes import drawings

OUTPUT = Path(__file__).resolve().parents[2] / "output" / "studio"

# What the taught workspace knows, and from how many drawings. Spirals and cups are strangers.
TAUGHT = {"star": 8, "heart": 8, "house": 8, "fish": 8, "sun": 8}


def pytest_addoption(parser):
    parser.addoption("--drawml", required=True, help="the program to test")
    parser.addoption("--chromium", default="/usr/bin/chromium", help="the browser")


@pytest.fixture(scope="session")
def drawml(request):
    return request.config.getoption("--drawml")


@pytest.fixture(scope="session")
def browser(request):
    with sync_playwright() as playwright:
        arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = playwright.chromium.launch(
            executable_path=request.config.getoption("--chromium"), args=arguments
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def taught_workspace(drawml, tmp_path_factory):
    """A workspace whose model was taught a few shapes; each test gets a copy."""
    folder = tmp_path_factory.mktemp("taught") / "workspace"
    server = Server(drawml, folder)
    try:
        server.see_tips()
        server.teach([each for name, count in TAUGHT.items() for each in drawings(name)[10 : 10 + count]])
    finally:
        server.stop()
    return folder


@pytest.fixture
def fresh(drawml, tmp_path):
    """A server on a workspace that nobody has used, but for the tips, which were seen."""
    server = Server(drawml, tmp_path / "workspace")
    server.see_tips()
    yield server
    server.stop()


@pytest.fixture
def untouched(drawml, tmp_path):
    """A server on a workspace that nobody has used at all."""
    server = Server(drawml, tmp_path / "workspace")
    yield server
    server.stop()


@pytest.fixture
def taught(drawml, tmp_path, taught_workspace):
    """A server whose model knows the shapes of `TAUGHT`."""
    server = Server(drawml, copy_workspace(taught_workspace, tmp_path / "workspace"))
    yield server
    server.stop()


class Notes:
    """What a page did that nobody sees."""

    def __init__(self):
        self.requests, self.complaints, self.allowed = [], [], ()

    def follow(self, page):
        page.on("request", lambda request: self.requests.append((request.method, request.url)))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._console)

    def _console(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def allow(self, *parts):
        """Complaints of the browser that the test brings about itself."""
        self.allowed += parts

    def check(self, hosts):
        foreign = [url for _, url in self.requests if urlsplit(url).scheme in ("http", "https", "ws", "wss") and urlsplit(url).netloc not in hosts]
        assert foreign == [], "the page asked somebody else than its server"
        assert [text for text in self.complaints if not any(part in text for part in self.allowed)] == []


@pytest.fixture
def notes():
    return Notes()


@pytest.fixture
def visit(browser, notes):
    """Opens pages: `visit(server, screen, width=…, height=…, …)` gives a `Person`; checks what they did at the end."""
    contexts, hosts = [], []

    def open_page(server, screen="home", script=None, **options):
        options.setdefault("viewport", {"width": 1024, "height": 768})
        context = browser.new_context(**options)
        context.set_default_timeout(8000)
        contexts.append(context)
        hosts.append(urlsplit(server.url).netloc)
        if script:
            context.add_init_script(script)
        page = context.new_page()
        notes.follow(page)
        return Person(page, server.url).visit(screen)

    yield open_page
    for context in contexts:
        context.close()
    notes.check(hosts)


@pytest.fixture(scope="session")
def pictures():
    OUTPUT.mkdir(parents=True, exist_ok=True)
    return OUTPUT
