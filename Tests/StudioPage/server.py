"""The real server, on a workspace of its own."""

import json
import os
import shutil
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid


class Server:
    """
    `drawml studio` on a free port of this machine; with a token, also for other machines. `trust`
    is the `ssl.SSLContext` that knows its certificate.
    """

    def __init__(
        self, drawml, workspace, port=0, host="127.0.0.1", token=None, options=(), trust=None
    ):
        self.trust = trust
        self.drawml, self.workspace, self.port = str(drawml), workspace, port
        self.host, self.token, self.options = host, token, options
        self.process = None
        self.start()

    def start(self):
        command = [
            self.drawml,
            "studio",
            "--port",
            str(self.port),
            "--workspace",
            str(self.workspace),
            "--host",
            self.host,
            *self.options,
        ]
        variables = {"DRAWML_TOKEN": self.token} if self.token else {}
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **variables},
        )
        self.errors = []
        threading.Thread(
            target=self._drain, args=(self.process.stderr, self.errors), daemon=True
        ).start()
        line = self.process.stdout.readline()
        assert line.startswith(
            "DrawML Studio: https://" if self.trust else "DrawML Studio: http://"
        ), f"the server said {line!r} {''.join(self.errors)}"
        self.url = line.split(": ", 1)[1].split("/?")[0].strip().rstrip("/")
        self.port = urllib.parse.urlsplit(self.url).port
        threading.Thread(target=self._drain, args=(self.process.stdout, []), daemon=True).start()

    @staticmethod
    def _drain(pipe, lines):
        for line in pipe:
            lines.append(line)

    def kill(self):
        """Ends it in the middle of whatever it does. Such a test needs `notes.allow_away()`."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                # It has a limit of 5 s itself; do not kill it before it has saved everything.
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def ask(self, method, path, body=None):
        """A request beside the page, as another program would make it."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/api{path}", data=data, method=method)
        if data is not None:
            request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        with urllib.request.urlopen(request, timeout=60, context=self.trust) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    @property
    def model(self):
        return self.ask("GET", "/state")["activeModel"]

    def teach(self, drawings, train=True):
        """Adds drawings as samples, and trains."""
        model = self.model["id"]
        for drawing in drawings:
            sample = {
                "id": str(uuid.uuid4()),
                **{key: drawing[key] for key in ("label", "canvas", "strokes")},
            }
            self.ask("POST", f"/models/{model}/samples", sample)
        if train:
            self.ask("POST", f"/models/{model}/train", {})
            self.wait_for_training()
            assert self.model["lastTrained"] is not None

    def wait_for_training(self):
        deadline = time.monotonic() + 120
        while self.ask("GET", "/state")["training"] is not None:
            assert time.monotonic() < deadline, "training does not end"
            time.sleep(0.05)

    def samples(self, label=None):
        query = "?limit=500" + (f"&label={urllib.parse.quote(label)}" if label else "")
        return self.ask("GET", f"/models/{self.model['id']}/samples{query}")["samples"]

    def see_tips(self):
        """The tips were seen, so that they don't stand in the way of what is tested."""
        self.ask("PATCH", "/settings", {"onboardingSeen": True})


def copy_workspace(source, target):
    shutil.copytree(source, target)
    return target
