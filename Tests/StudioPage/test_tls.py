"""The studio with `--tls`: encrypted, so that browsers of other machines let it use the camera."""

import http.client
import json
import shlex
import socket
import ssl
import subprocess
import time
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest
import trustme
from playwright.sync_api import expect

from conftest import FROM_OUTSIDE
from thorough import thorough

TOKEN = "0123456789abcdef"


@pytest.fixture(scope="module")
def issued(tmp_path_factory):
    """A certificate for this machine, its key, those of somebody else, and who trusts the first."""
    folder = tmp_path_factory.mktemp("tls")
    authority = trustme.CA()
    for name in ("own", "other"):
        found = authority.issue_cert("127.0.0.1", "localhost")
        found.private_key_pem.write_to_path(folder / f"{name}-key.pem")
        for pem in found.cert_chain_pems:
            pem.write_to_path(folder / f"{name}.pem", append=True)
    trust = ssl.create_default_context()
    authority.configure_trust(trust)
    return folder, trust


@pytest.fixture
def encrypted(serve, tmp_path, issued):
    folder, trust = issued
    return serve(
        tmp_path / "tls",
        host="0.0.0.0",
        token=TOKEN,
        options=["--tls", f"{folder}/own.pem,{folder}/own-key.pem", "--camera"],
        trust=trust,
    )


def from_outside(server):
    """The studio as a browser on another machine has it."""
    parts = urlsplit(server.url)
    return SimpleNamespace(url=f"{parts.scheme}://{FROM_OUTSIDE}:{parts.port}")


@thorough
def test_a_class_is_invited_with_the_same_certificate(serve, issued, tmp_path):
    folder, trust = issued
    files = f"{folder}/own.pem,{folder}/own-key.pem"
    server = serve(tmp_path / "w", options=["--tls", files], trust=trust)
    words = shlex.split(server.ask("GET", "/invitation")["command"])
    assert words[words.index("--tls") + 1] == files


def test_a_browser_of_another_machine_may_use_the_camera(
    encrypted, visit, browser, serve, tmp_path
):
    """TR-022: browsers offer it to encrypted pages, and to no others."""
    offers = "isSecureContext && 'mediaDevices' in navigator"
    plain = serve(tmp_path / "plain", host="0.0.0.0", token=TOKEN, options=["--camera"])
    # Beside the test's other pages: the browser complains about what it ignores there.
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"{from_outside(plain).url}/?token={TOKEN}")
        assert not page.evaluate(offers)
    person = visit(from_outside(encrypted), token=TOKEN, ignore_https_errors=True)
    page = person.page
    [cookie] = page.context.cookies(page.url)
    assert cookie["secure"] and cookie["httpOnly"]
    assert page.evaluate(offers)
    # Requests and the stream of events come from the page itself.
    encrypted.ask("PATCH", "/settings", {"theme": "dark"})
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.goto(f"{person.url}/trace#choose/bundled%2Fstar")
    page.wait_for_selector("body[data-ready][data-step=choose]")
    expect(page.locator(".is-closed")).to_have_count(0)


def test_a_connection_that_asks_for_ever_new_keys_is_closed(encrypted):
    """TLS 1.3: each update costs the server more than the client."""
    client = subprocess.Popen(
        ["openssl", "s_client", "-tls1_3", "-connect", urlsplit(encrypted.url).netloc],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )

    def update(times):
        # A line that is read with another one is sent as text.
        for _ in range(times):
            client.stdin.write(b"K\n")
            client.stdin.flush()
            time.sleep(0.02)

    try:
        update(20)
        assert client.poll() is None
        with pytest.raises(BrokenPipeError):
            update(500)
        assert client.wait(10) is not None
    finally:
        client.kill()
        client.wait()
    assert encrypted.ask("GET", "/state")["isGuest"] is False


def test_requests_of_any_length_pass_and_a_connection_stays(encrypted, issued):
    """Also several in one connection, with bodies of many records."""
    address = urlsplit(encrypted.url).netloc
    line = http.client.HTTPSConnection(address, timeout=20, context=issued[1])
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}
    model = encrypted.model["id"]
    points = list(range(2000))
    canvas = {"width": 2000, "height": 2000}
    strokes = [[points, points[::-1]]] * 8
    body = json.dumps({"strokes": strokes, "canvas": canvas, "label": "⭐"})
    assert len(body) > 8 << 14
    for number in range(3):
        sample = json.dumps({**json.loads(body), "id": f"s{number}"})
        line.request("POST", f"/api/models/{model}/samples", sample, headers)
        answer = line.getresponse()
        assert answer.status == 201
        assert len(json.loads(answer.read())["strokes"]) == 8
    line.request("GET", f"/api/models/{model}/samples", headers=headers)
    answer = line.getresponse()
    assert (answer.status, len(json.loads(answer.read())["samples"])) == (200, 3)
    line.request("GET", "/api/state", headers={**headers, "Origin": f"http://{address}"})
    assert line.getresponse().status == 403
    line.close()


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion")
def test_others_than_tls_are_let_go_and_the_studio_goes_on(encrypted, issued):
    parts = urlsplit(encrypted.url)
    address = (parts.hostname, parts.port)
    plain = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for sent in (plain, b"\x16\x03\x01\xff\xff", b"\0" * 9999):
        with socket.create_connection(address, timeout=20) as line:
            line.sendall(sent)
            try:
                # An alert at most.
                assert len(line.recv(4096)) < 100
            except ConnectionResetError:
                pass
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    old.minimum_version = ssl.TLSVersion.TLSv1
    old.maximum_version = ssl.TLSVersion.TLSv1_1
    old.set_ciphers("ALL:@SECLEVEL=0")
    with socket.create_connection(address, timeout=20) as line:
        with pytest.raises((ssl.SSLError, ConnectionResetError)):
            old.wrap_socket(line)
    # A record that was changed on its way ends its connection alone.
    with socket.create_connection(address, timeout=20) as line:
        incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        talk = issued[1].wrap_bio(incoming, outgoing, server_hostname="127.0.0.1")
        while True:
            try:
                talk.do_handshake()
                break
            except ssl.SSLWantReadError:
                line.sendall(outgoing.read())
                incoming.write(line.recv(1 << 16))
        line.sendall(outgoing.read())
        talk.write(b"GET /api/state HTTP/1.1\r\n")
        record = bytearray(outgoing.read())
        record[-1] ^= 1
        line.sendall(record)
        while line.recv(1 << 16):
            pass
    assert encrypted.ask("GET", "/state")["hasCamera"]


def test_wrong_files_are_named(drawml, issued, tmp_path):
    for files, words in (
        ("none.pem,own-key.pem", "none.pem: No such file or directory"),
        ("own-key.pem,own-key.pem", "own-key.pem: it has no certificate in PEM"),
        ("own.pem,own.pem", "own.pem: it has no private key in PEM without a passphrase"),
        ("own.pem,other-key.pem", "that fits own.pem"),
        ("own.pem", "--tls"),
        ("own.pem,own-key.pem,own.pem", "--tls"),
    ):
        found = subprocess.run(
            [drawml, "studio", "--port", "0", "--workspace", tmp_path / "w", "--tls", files],
            cwd=issued[0],
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert found.returncode != 0 and words in found.stderr, found.stderr
