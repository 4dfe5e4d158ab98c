"""What the stubs of models have in common: a server on this machine that answers POST by its mode."""

import argparse
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Stub(BaseHTTPRequestHandler):
    """Answers with what `answer` of a subclass gives: the status and the body, JSON or bytes. The
    `number` of a request counts from 0."""

    def answer(self, body):
        raise NotImplementedError

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with self.server.lock:
            self.number = len(self.server.requests)
            self.server.requests.append((self.path, dict(self.headers), body))
            if self.server.log:
                self.server.log.write(json.dumps(self.server.requests[-1]) + "\n")
                self.server.log.flush()
        status, answer = self.answer(body)
        data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        self.send(status, data, len(data))

    def send(self, status, data, length):
        """Sends an answer that says it has a length."""
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(length))
            self.end_headers()
            self.wfile.write(data)
        except OSError:
            pass

    def log_message(self, *_):
        pass


def start(handler, mode, port=0, log=None):
    """Starts a stub in a thread; its `mode` may change, and it keeps its `requests`."""
    server = ThreadingHTTPServer(("127.0.0.1", port), handler)
    server.mode, server.requests, server.lock = mode, [], threading.Lock()
    server.log = open(log, "w", encoding="utf-8") if log else None
    server.url = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def main(description, start_stub, mode):
    """Runs a stub until it is ended; prints its address."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--mode", default=mode)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--log", help="a file that gets each request as a line of JSON")
    options = parser.parse_args()
    print(start_stub(options.mode, options.port, options.log).url, flush=True)
    threading.Event().wait()
