"""Core ML classifiers that are taken in answer as the file does, run in NumPy."""

import json

import numpy as np
import pytest
from conftest import read_vectors
from coreml_run import run_neighbors, run_network
from test_coreml import parts, run

coremltools = pytest.importorskip("coremltools")
h5py = pytest.importorskip("h5py")


def answers(drawml, model, drawings):
    """The label of highest confidence of each drawing with enough ink, reported or not."""
    lines = drawml("classify", drawings, "--model", model, "--format", "json").splitlines()
    found = [json.loads(line) for line in lines]
    return [item["candidates"][0]["label"] for item in found if item["candidates"]]


@pytest.mark.parametrize("name", ["ink-knn", "base-knn", "ink"])
def test_what_comes_back_is_the_file(drawml, export, folder, drawings, name):
    path, vectors = export("coreml", name)
    back = folder / f"{name}-back.drawml"
    drawml("import", "coreml", "--model", path, "--output", back)
    assert answers(drawml, back, drawings) == run(path, vectors)[1]
    spec, network, neighbors = parts(path)
    index = neighbors.kNearestNeighborsClassifier.nearestNeighborsIndex
    with h5py.File(back) as file:
        samples = np.array([sample.vector for sample in index.floatSamples], np.float32)
        assert file["samples/vector"][()].tobytes() == samples.tobytes()
        labels = [label.decode() for label in file["labels"][()]]
        assert [labels[i] for i in file["samples/label"]] == list(
            neighbors.kNearestNeighborsClassifier.stringClassLabels.vector)
        views = [member["view"] for member in json.loads(file["about"][0])["members"]]
    assert views == list(json.loads(spec.description.metadata.userDefined["drawml.views"]).values())
    # Exported again, every layer and sample has the same bits.
    again = folder / f"{name}-again.mlmodel"
    drawml("export", "coreml", "--model", back, "--output", again)
    assert parts(again)[1:] == (network, neighbors)


def test_a_prior_does_not_come_back(drawml, export, model, taught, folder):
    path, _ = export("coreml", "base")
    back = folder / "plda-back.drawml"
    errors = drawml("import", "coreml", "--model", path, "--output", back, fails=True)
    assert str(path) in errors and "take the networks alone with --networks-only" in errors
    assert not back.exists()
    drawml("import", "coreml", "--model", path, "--output", back, "--networks-only")
    again = folder / "taught-again.drawml"
    drawml("train", taught, "--base", back, "--head", "knn", "--output", again)
    with h5py.File(again) as file, h5py.File(model("base-knn")) as before:
        assert file["samples/vector"][()].tobytes() == before["samples/vector"][()].tobytes()


def others(folder, vectors):
    """A classifier made with coremltools, taught the first drawings of the test vectors."""
    from coremltools.models import datatypes
    from coremltools.models.nearest_neighbors import KNearestNeighborsClassifierBuilder
    from coremltools.models.neural_network import NeuralNetworkBuilder

    random = np.random.default_rng(3)
    builder = NeuralNetworkBuilder(
        [("drawing", datatypes.Array(1, 28, 28))], [("vector", datatypes.Array(16))])
    value, channels = "drawing", 1
    for number, outputs in enumerate((6, 8)):
        w = random.normal(0, 0.4, (3, 3, channels, outputs)).astype(np.float32)
        b = random.normal(0, 0.1, outputs).astype(np.float32)
        builder.add_convolution(f"c{number}", channels, outputs, 3, 3, 1, 1, "same", 1, w, b, True,
                                input_name=value, output_name=f"c{number}")
        builder.add_activation(f"r{number}", "RELU", f"c{number}", f"r{number}")
        builder.add_pooling(f"p{number}", 2, 2, 2, 2, "MAX", "VALID", f"r{number}", f"p{number}")
        value, channels = f"p{number}", outputs
    builder.add_flatten("f", 0, value, "f")
    w = random.normal(0, 0.1, (16, 7 * 7 * channels)).astype(np.float32)
    builder.add_inner_product("d", w, None, 7 * 7 * channels, 16, False, "f", "d")
    builder.add_l2_normalize("vector", "d", "vector")
    network = builder.spec
    image = network.description.input[0].type.imageType
    image.width = image.height = 28
    image.colorSpace = image.GRAYSCALE
    pixels = vectors.inputs["picture"][:60] * np.float32(255)
    values = run_network(network, {"drawing": pixels})
    neighbors = KNearestNeighborsClassifierBuilder(
        "vector", "label", 16, "?", k=3, weighting_scheme="inverse_distance")
    neighbors.add_samples(values["vector"].reshape(60, 16).tolist(), vectors.label[:60])
    spec = coremltools.proto.Model_pb2.Model(specificationVersion=4, isUpdatable=True)
    spec.description.CopyFrom(neighbors.spec.description)
    models = spec.pipelineClassifier.pipeline.models
    models.add().CopyFrom(network)
    models.add().CopyFrom(neighbors.spec)
    path = folder / "others.mlmodel"
    path.write_bytes(spec.SerializeToString())
    return path, network, neighbors.spec


def test_classifiers_of_coremltools(drawml, export, folder, drawings):
    _, vectors = export("coreml", "ink-knn")
    path, network, neighbors = others(folder, vectors)
    back = folder / "others.drawml"
    errors = drawml("import", "coreml", "--model", path, "--output", back, fails=True)
    assert "it does not declare the scale of its picture" in errors
    drawml("import", "coreml", "--model", path, "--output", back, "--white", "255")
    # Pixels of our own pen: a file of others does not say how wide its is.
    graph = folder / "others-vectors.onnx"
    drawml("export", "onnx", "--model", back, "--output", graph, "--drawings", drawings)
    tests = read_vectors(folder / "others-vectors.onnx.vectors.json")
    pixels = tests.inputs["picture"].reshape(-1, 1, 28, 28)
    values = run_network(network, {"drawing": pixels * np.float32(255)})
    found = values["vector"].reshape(len(pixels), -1)
    assert len(found) > 900 and np.abs(found - tests.embedding).max() < 1e-5
    labels = run_neighbors(neighbors, found)
    assert answers(drawml, back, drawings) == labels
