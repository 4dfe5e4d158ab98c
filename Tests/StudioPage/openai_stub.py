"""A server on this machine that speaks OpenAI's protocol of chat completions, and has its faults.

    python3 Tests/StudioPage/openai_stub.py --mode slow

Modes: good, fenced, array, slow (20 s), second (1 s), status such as 401, policy, four, noise, long.
"""

import argparse
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TONES = ["punchy", "contrarian", "personal", "analytical", "open-question"]


def content(mode):
    """What the model says in a mode."""
    text = "word " * 400 if mode == "long" else "A strong hook.\n\nWhat do you think?"
    posts = [{"tone": tone, "text": f"{tone}: {text}"} for tone in TONES]
    if mode == "four":
        posts.pop()
    if mode == "noise":
        return "I am sorry, here is no JSON."
    said = json.dumps(posts if mode == "array" else {"variants": posts})
    return f"```json\n{said}\n```" if mode == "fenced" else said


class Stub(BaseHTTPRequestHandler):
    def do_POST(self):
        server = self.server
        body = self.rfile.read(int(self.headers["Content-Length"]))
        server.requests.append((self.path, dict(self.headers), json.loads(body)))
        mode = server.mode
        if mode in ("slow", "second"):
            time.sleep(20 if mode == "slow" else 1)
        status, answer = 200, {
            "choices": [{"message": {"role": "assistant", "content": content(mode)},
                         "finish_reason": "stop"}]
        }
        if mode == "policy":
            answer["choices"][0] = {"message": {"content": None, "refusal": "I cannot."},
                                    "finish_reason": "stop"}
        if mode.isdigit():
            status, answer = int(mode), {"error": {"message": "no", "code": None}}
        if self.path != "/v1/chat/completions":
            status, answer = 404, {"error": {"message": "no such path", "code": None}}
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        try:
            self.wfile.write(data)
        except OSError:
            pass

    def log_message(self, *_):
        pass


def start(mode="good", port=0):
    """Starts a stub in a thread; its `mode` may change, and it keeps its `requests`."""
    server = ThreadingHTTPServer(("127.0.0.1", port), Stub)
    server.mode, server.requests = mode, []
    server.url = f"http://127.0.0.1:{server.server_address[1]}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mode", default="good")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    running = start(options.mode, options.port)
    print(running.url, flush=True)
    threading.Event().wait()
