"""What a training writes while it runs is read by TensorBoard's own reader; its printed settings are
read by PyYAML."""

import json

import pytest
from conftest import lines


@pytest.fixture(scope="module")
def run(drawml, folder, taught):
    """A short training that is resumed, with all that follows it."""
    log = folder / "run.jsonl"
    events = folder / "runs"
    options = ["train", taught, "--output", folder / "followed.drawml", "--log", log,
               "--tensorboard", events, "--format", "json"]
    report = json.loads(drawml(*options, "--epochs", "2"))
    drawml(*options, "--epochs", "1", "--seed", "9")
    return report, lines(log), events


def test_tensorboard_reads_the_events(run):
    reader = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    report, lines, folder = run
    # Both runs are in the folder. The second starts at step 0, so that the first no longer counts.
    accumulator = reader.EventAccumulator(str(folder))
    accumulator.Reload()
    start = max(index for index, line in enumerate(lines) if line["event"] == "start")
    check(accumulator, lines[start:])
    for file in folder.iterdir():
        if file != max(folder.iterdir()):
            alone = reader.EventAccumulator(str(file))
            alone.Reload()
            check(alone, lines[:start])
            epochs = report["curve"]["epochs"]
            found = [item.value for item in alone.Scalars("epoch/validation_loss")]
            assert found == pytest.approx([epoch["validationLoss"] for epoch in epochs], rel=1e-6)


def check(accumulator, lines):
    """The charts have the numbers of the log."""
    for event, tag, key in [("step", "train/loss", "loss"),
                            ("step", "train/learning_rate", "learningRate"),
                            ("epoch", "epoch/train_loss", "trainingLoss"),
                            ("epoch", "epoch/train_accuracy", "trainingAccuracy"),
                            ("epoch", "epoch/validation_accuracy", "validationAccuracy")]:
        expected = [line for line in lines if line["event"] == event]
        found = accumulator.Scalars(tag)
        assert len(found) > 0
        assert [item.step for item in found] == [line["step"] for line in expected]
        assert [item.value for item in found] == pytest.approx(
            [line[key] for line in expected], rel=1e-6)


def test_a_damaged_event_file_is_noticed(run, tmp_path):
    """The checksums are what TensorBoard compares: with one bit changed, it reads no further."""
    loader = pytest.importorskip("tensorboard.backend.event_processing.event_file_loader")
    file = min(run[2].iterdir())
    sound = list(loader.LegacyEventFileLoader(str(file)).Load())
    assert sound[0].file_version == "brain.Event:2"
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 1
    damaged = tmp_path / file.name
    damaged.write_bytes(data)
    assert len(list(loader.LegacyEventFileLoader(str(damaged)).Load())) < len(sound)


def test_pyyaml_reads_the_settings(drawml, folder, taught):
    yaml = pytest.importorskip("yaml")
    settings = folder / "some.yaml"
    settings.write_text("training: {learningRate: 1.0e-5, epochs: 2}\npenalty: 1.0e-7\n"
                        "network: {channels: [8, 16]}\nhead: knn\n")
    command = ["train", taught, "--output", folder / "x.drawml", "--print-config", "--config"]
    printed = drawml(*command, settings)
    found = yaml.safe_load(printed)
    assert found["training"]["learningRate"] == 1e-5
    assert found["penalty"] == 1e-7
    assert found["network"]["channels"] == [8, 16]
    assert (found["head"], found["uniform"], found["seed"]) == ("knn", False, 1)
    # What PyYAML writes is read, in both of its styles, to the same settings.
    for style in [None, False, True]:
        settings.write_text(yaml.safe_dump(found, default_flow_style=style))
        assert drawml(*command, settings) == printed
