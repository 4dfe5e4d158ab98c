"""What is true of every export, made by two runs of the program."""

import pytest


@pytest.mark.parametrize("kind", ["coreml", "onnx", "safetensors", "web"])
def test_same_model_same_bytes(drawml, model, folder, kind):
    one, other = folder / f"one-{kind}", folder / f"other-{kind}"
    for file in (one, other):
        drawml("export", kind, "--model", model("base"), "--output", file)
    assert one.read_bytes() == other.read_bytes()
