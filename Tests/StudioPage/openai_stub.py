"""A server on this machine that speaks OpenAI's protocol of chat completions, and has its faults.

    python3 Tests/StudioPage/openai_stub.py --mode slow

Modes: good, fenced, array, slow (20 s), second (1 s), status such as 401, policy, four, noise, long.
"""

import json
import time

import stub_server

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


class Stub(stub_server.Stub):
    def answer(self, body):
        mode = self.server.mode
        if mode in ("slow", "second"):
            time.sleep(20 if mode == "slow" else 1)
        if self.path != "/v1/chat/completions":
            return 404, {"error": {"message": "no such path", "code": None}}
        if mode.isdigit():
            return int(mode), {"error": {"message": "no", "code": None}}
        message = {"role": "assistant", "content": content(mode)}
        if mode == "policy":
            message = {"content": None, "refusal": "I cannot."}
        return 200, {"choices": [{"message": message, "finish_reason": "stop"}]}


def start(mode="good", port=0, log=None):
    """Starts a stub in a thread; its `mode` may change, and it keeps its `requests`."""
    return stub_server.start(Stub, mode, port, log)


if __name__ == "__main__":
    stub_server.main(__doc__, start, "good")
