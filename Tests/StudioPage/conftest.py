"""Fixtures: the program, workspaces, and a browser whose requests and errors are recorded."""

import mimetypes
import os
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Error, expect, sync_playwright

from person import Person
from server import Server, copy_workspace
from strokes import drawings

OUTPUT = Path(__file__).resolve().parents[2] / "output" / "studio"

# How many drawings of each shape the taught workspace has. Spirals and cups are unknown.
TAUGHT = {"star": 8, "heart": 8, "house": 8, "fish": 8, "sun": 8}

# The page's documents by their paths.
DOCUMENTS = {
    "": "index.html", "trace": "trace.html", "calm": "calm.html", "calm/adult": "calm-adult.html",
}

# This machine's address for a browser on another one.
FROM_OUTSIDE = "203.0.113.7"

# A busy machine is slow. Tests of how soon something happens have limits of their own.
expect.set_options(timeout=30_000)


def pytest_addoption(parser):
    parser.addoption("--drawml", required=True, help="the program to test")
    parser.addoption("--chromium", default="/usr/bin/chromium-headless-shell", help="the browser")
    parser.addoption(
        "--page",
        help="a folder that the page's files are taken from, instead of those in the program",
    )
    parser.addoption("--all", action="store_true", help="also the tests that are `thorough`")


def pytest_configure(config):
    config.addinivalue_line("markers", "thorough: a variant that runs with --all alone")


def pytest_collection_modifyitems(config, items):
    if config.getoption("--all"):
        return
    left_out = [each for each in items if each.get_closest_marker("thorough")]
    config.hook.pytest_deselected(items=left_out)
    items[:] = [each for each in items if each not in left_out]


@pytest.fixture(scope="session")
def drawml(request):
    return request.config.getoption("--drawml")


@pytest.fixture(scope="session")
def browser(request):
    with sync_playwright() as playwright:
        # Without a network: no name is looked up, no other machine is reached. One address of
        # documentation leads here, as this machine's own does for others.
        rules = f"MAP {FROM_OUTSIDE} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
        arguments = [f"--host-resolver-rules={rules}"]
        arguments += ["--no-sandbox"] if os.geteuid() == 0 else []
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
        server.teach(
            [each for name, count in TAUGHT.items() for each in drawings(name)[10 : 10 + count]]
        )
    finally:
        server.stop()
    return folder


@pytest.fixture
def serve(drawml):
    """Starts servers whose tips were seen: `serve(folder, …)`. They stop at the end of the test."""
    servers = []

    def start(folder, **options):
        servers.append(Server(drawml, folder, **options))
        servers[-1].see_tips()
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def fresh(serve, tmp_path):
    """A server on an empty workspace whose tips were seen."""
    return serve(tmp_path / "fresh")


@pytest.fixture
def untouched(drawml, tmp_path):
    """A server on a new workspace."""
    server = Server(drawml, tmp_path / "workspace")
    yield server
    server.stop()


@pytest.fixture
def taught(serve, tmp_path, taught_workspace):
    """A server whose model knows the shapes of `TAUGHT`."""
    return serve(copy_workspace(taught_workspace, tmp_path / "workspace"))


class Notes:
    """The requests and errors of the pages."""

    def __init__(self):
        self.requests, self.complaints, self.allowed = [], [], []

    def follow(self, page):
        page.on("request", lambda request: self.requests.append((request.method, request.url)))
        page.on("pageerror", lambda error: self.complaints.append((str(error), "")))
        page.on("console", self._console)

    def _console(self, message):
        if message.type in ("error", "warning"):
            self.complaints.append((message.text, message.location.get("url", "")))

    def allow(self, what, path="/api/"):
        """Allows an error that the test causes: a status or an error's name, and the path."""
        self.allowed.append((f"status of {what}" if isinstance(what, int) else what, path))

    def allow_away(self):
        """The server goes away in this test."""
        for name in (
            "ERR_CONNECTION_REFUSED",
            "ERR_CONNECTION_RESET",
            "ERR_EMPTY_RESPONSE",
            "ERR_INCOMPLETE_CHUNKED_ENCODING",
        ):
            self.allow(name, "")

    def asked(self, method, part):
        """How often something was asked for."""
        return sum(each == method and part in url for each, url in self.requests)

    def check(self, hosts):
        foreign = [
            url
            for _, url in self.requests
            if urlsplit(url).scheme in ("http", "https", "ws", "wss")
            and urlsplit(url).netloc not in hosts
        ]
        assert foreign == [], "the page asked somebody else than its server"
        assert [
            each
            for each in self.complaints
            if not any(what in each[0] and path in each[1] for what, path in self.allowed)
        ] == []


@pytest.fixture
def notes():
    return Notes()


@pytest.fixture
def visit(browser, notes, request):
    """
    Opens pages: `visit(server, screen, size=…, …)` returns a `Person`; with `beside=person` it
    is one in another tab of that browser, with a `token` one who has it, with `has_clock` one who
    can `pass_time`, and without a screen one whose page is empty. Checks their requests and errors
    at the end.
    """
    contexts, hosts, folder = [], [], request.config.getoption("--page")

    def take(route):
        """A file of the page as it is in the folder, with the server's headers."""
        name = urlsplit(route.request.url).path.lstrip("/")
        name = DOCUMENTS.get(name, name)
        try:
            # Only the browser finds this machine under that address.
            answer = route.fetch(url=route.request.url.replace(FROM_OUTSIDE, "127.0.0.1"))
            # A file that is new is not in the program yet.
            kind = None if answer.ok else mimetypes.guess_type(name)[0]
            route.fulfill(
                response=answer,
                status=200,
                content_type=kind,
                body=(Path(folder) / name).read_bytes(),
            )
        except Error:
            route.continue_()

    def open_page(
        server,
        screen="home",
        size=(1024, 768),
        script=None,
        beside=None,
        token=None,
        has_clock=False,
        **options,
    ):
        if beside:
            page = beside.page.context.new_page()
            notes.follow(page)
            return Person(page, server.url).visit(screen)
        viewport = {"width": size[0], "height": size[1]}
        context = browser.new_context(viewport=viewport, **options)
        context.set_default_timeout(60_000)
        contexts.append(context)
        hosts.append(urlsplit(server.url).netloc)
        if has_clock:
            context.clock.install()
        if script:
            context.add_init_script(script)
        if folder:
            context.route(lambda url: not urlsplit(url).path.startswith("/api/"), take)
        page = context.new_page()
        notes.follow(page)
        if token:
            page.goto(f"{server.url}/?token={token}")
            page.wait_for_selector("body[data-ready]")
        person = Person(page, server.url)
        return person.visit(screen) if screen else person

    yield open_page
    for context in contexts:
        context.close()
    notes.check(hosts)


@pytest.fixture(scope="session")
def pictures():
    OUTPUT.mkdir(parents=True, exist_ok=True)
    return OUTPUT
