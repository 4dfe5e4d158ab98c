"""A server on this machine that speaks Google's protocol of image models, and has its faults.

    python3 Tests/StudioPage/gemini_stub.py --mode blocked

Modes:
- ok, camel (`inlineData`), jpeg: a picture, of as many pixels as `SIDE`;
- none, none-then-ok: no picture, or none in the first answer;
- blocked (`promptFeedback`), safety (`finishReason`): refusals;
- a status, such as 400 (the key is not valid), 403, 429, 500;
- slow (40 s), slow-2 (2 s): a picture, late;
- cut (says more than it sends), huge (33 MB), wide (5,000 pixels a side), text (no picture), noise
  (no JSON);
- mixed, mixed-7 (seed 7): of each 20 answers one is one of `FAULTS`, the others are ok.
"""

import base64
import random
import struct
import time
import zlib

import stub_server

SIDE = 64
FAULTS = ["none", "500", "429", "cut", "text", "safety"]


def chunk(name, data):
    return (struct.pack(">I", len(data)) + name + data
            + struct.pack(">I", zlib.crc32(name + data)))


def png(width=SIDE, height=SIDE):
    """A PNG file with a gradient, and a text that says who made it."""
    rows = b"".join(
        b"\0" + bytes(value for x in range(width) for value in (x * 255 // width, y % 256, 128))
        for y in range(height))
    return (b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"tEXt", b"Software\0gemini_stub.py")
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


# A JPEG file of 16 × 16 gray pixels.
JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4"
    "UG1RV19iZ2hnPk1xeXBkeFxlZ2P/wAALCAAQABABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAAb/xAAUEAEAAAAAAAAA"
    "AAAAAAAAAAAA/9oACAEBAAA/AKQB/9k=")


def answer(picture, kind="image/png", is_camel=False):
    """An answer of the protocol, with a picture between texts."""
    data = base64.b64encode(picture).decode()
    part = ({"inlineData": {"mimeType": kind, "data": data}} if is_camel
            else {"inline_data": {"mime_type": kind, "data": data}})
    return {"candidates": [{
        "content": {"role": "model", "parts": [{"text": "Here it is."}, part, {"text": "Enjoy."}]},
        "finishReason": "STOP",
    }]}


class Stub(stub_server.Stub):
    def answer(self, body):
        mode, _, number = self.server.mode.partition("-")
        if mode == "mixed":
            mode, number = self.mixed(int(number or 0)), ""
        self.mode = mode
        if not self.path.split("?")[0].endswith(":generateContent"):
            return 404, {"error": {"code": 404, "message": "no such path"}}
        if mode == "slow":
            time.sleep(float(number or 40))
        if mode.isdigit():
            message = "API key not valid. Please pass a valid API key." if mode == "400" else "no"
            return int(mode), {"error": {"code": int(mode), "message": message}}
        if mode == "none" and not (number and self.number > 0):
            return 200, {"candidates": [{"content": {"parts": [{"text": "I cannot draw."}]},
                                         "finishReason": "STOP"}]}
        if mode == "blocked":
            return 200, {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}
        if mode == "safety":
            return 200, {"candidates": [{"finishReason": "IMAGE_SAFETY"}]}
        if mode == "noise":
            return 200, b"<html>"
        if mode == "jpeg":
            return 200, answer(JPEG, "image/jpeg")
        if mode == "wide":
            return 200, answer(png(5000, 1))
        if mode == "huge":
            return 200, answer(bytes(33 << 20))
        if mode == "text":
            return 200, answer(b"I am no picture.")
        return 200, answer(png(), is_camel=mode == "camel")

    def mixed(self, seed):
        """The mode of this request in a mixed run."""
        block = self.number // 20
        generator = random.Random(f"{seed} {block}")
        is_fault = self.number % 20 == generator.randrange(20)
        return FAULTS[(seed + block) % len(FAULTS)] if is_fault else "ok"

    def send(self, status, data, length):
        super().send(status, data, length + 1000 if self.mode == "cut" else length)


def start(mode="ok", port=0, log=None):
    """Starts a stub in a thread; its `mode` may change, and it keeps its `requests`."""
    return stub_server.start(Stub, mode, port, log)


if __name__ == "__main__":
    stub_server.main(__doc__, start, "ok")
