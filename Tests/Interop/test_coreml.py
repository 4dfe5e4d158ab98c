"""Exported Core ML models: valid, updatable, and the same numbers as the program's."""

import json

import numpy as np
import pytest
from conftest import lines
from coreml_run import run_neighbors, run_network

coremltools = pytest.importorskip("coremltools")


def parts(path):
    spec = coremltools.utils.load_spec(str(path))
    return spec, *spec.pipelineClassifier.pipeline.models


def run(path, vectors):
    """The embeddings and labels of all drawings."""
    _, network, neighbors = parts(path)
    values = run_network(network, inputs_of(network, vectors))
    (feature,) = neighbors.description.input
    count = len(vectors.label)
    labels = run_neighbors(neighbors, values[feature.name].reshape(count, -1))
    return values["embedding"].reshape(count, -1), labels


def inputs_of(network, vectors):
    """The inputs as Core ML takes them: images as 0...255."""
    kinds = {item.name: item.type.WhichOneof("Type") for item in network.description.input}
    return {name: values * np.float32(255) if kinds[name] == "imageType" else values
            for name, values in vectors.inputs.items()}


@pytest.mark.parametrize("name", ["ink", "ink-knn", "base", "base-knn", "base-means"])
def test_is_valid_and_updatable(export, name):
    path, vectors = export("coreml", name)
    spec, network, neighbors = parts(path)
    coremltools.models.MLModel(spec, skip_model_load=True)
    assert spec.isUpdatable and neighbors.isUpdatable and not network.isUpdatable
    assert spec.specificationVersion == 4
    unknown = [field for message in (spec, network, neighbors)
               for field in unknown_fields(message)]
    assert unknown == []
    # Every value that a layer or model takes is made before.
    known = {item.name for item in spec.description.input}
    for layer in network.neuralNetwork.layers:
        assert set(layer.input) <= known
        known |= set(layer.output)
    assert {item.name for item in network.description.output} <= known
    assert {item.name for item in neighbors.description.input} <= known
    # Inputs of training: what the networks see, and the label.
    training = [item.name for item in spec.description.trainingInput]
    assert training == [item.name for item in spec.description.input] + ["label"]
    assert [item.name for item in spec.description.output] == ["label", "labelProbs"]
    assert spec.description.predictedFeatureName == "label"
    assert spec.description.predictedProbabilitiesName == "labelProbs"
    classifier = neighbors.kNearestNeighborsClassifier
    assert classifier.defaultStringLabel == "unknown"
    assert set(classifier.stringClassLabels.vector) == set(vectors.labels)
    index = classifier.nearestNeighborsIndex
    assert index.WhichOneof("IndexType") == "linearIndex"
    samples = len(index.floatSamples)
    assert samples == len(classifier.stringClassLabels.vector) == 12 * len(vectors.labels)
    assert {len(sample.vector) for sample in index.floatSamples} == {index.numberOfDimensions}


def unknown_fields(message):
    from google.protobuf.unknown_fields import UnknownFieldSet

    found = list(UnknownFieldSet(message))
    for field, value in message.ListFields():
        if field.message_type and not field.message_type.GetOptions().map_entry:
            for item in value if field.is_repeated else [value]:
                found += unknown_fields(item)
    return found


def test_image_of_ink_declares_its_scale(export):
    spec, network, _ = parts(export("coreml", "ink")[0])
    (picture,) = spec.description.input
    image = picture.type.imageType
    assert (image.width, image.height) == (28, 28)
    assert image.colorSpace == image.GRAYSCALE
    (step,) = network.neuralNetwork.preprocessing
    assert step.featureName == picture.name
    assert step.scaler.channelScale == np.float32(1 / 255)
    assert "White ink on black" in picture.shortDescription


def test_two_inputs(export):
    spec, network, _ = parts(export("coreml", "base")[0])
    shapes = {item.name: list(item.type.multiArrayType.shape) for item in spec.description.input}
    assert shapes == {"picture": [4, 28, 28], "strokes": [6, 1, 96]}
    assert not network.neuralNetwork.preprocessing


@pytest.mark.parametrize("name", ["ink-knn", "base-knn"])
def test_embeddings_and_labels_are_equal(export, name):
    path, vectors = export("coreml", name)
    embedding, labels = run(path, vectors)
    assert len(labels) > 900
    assert np.abs(embedding - vectors.embedding).max() < 1e-5
    assert labels == vectors.label


@pytest.mark.parametrize("name", ["base", "base-means", "base-linear"])
def test_labels_agree_where_the_head_does_not_vote(export, drawings, name):
    path, vectors = export("coreml", name)
    _, labels = run(path, vectors)
    # Of drawings of other labels, any label is as good.
    given = [line.get("label") for line in lines(drawings)]
    known = [i for i, label in enumerate(given) if label in vectors.labels]
    assert len(known) > 100
    assert sum(labels[i] != vectors.label[i] for i in known) <= 0.02 * len(known)


def test_bytes_of_an_image_are_enough(export):
    """Core ML gets 8-bit images: labels must hardly depend on the rounding."""
    path, vectors = export("coreml", "ink-knn")
    _, network, neighbors = parts(path)
    image = np.round(vectors.inputs["picture"] * 255).astype(np.float32)
    vector = run_network(network, {"picture": image[:200]})["embedding"]
    found = run_neighbors(neighbors, vector.reshape(200, -1))
    assert sum(a != b for a, b in zip(found, vectors.label)) <= 4


def test_an_image_must_be_enough(drawml, model, folder):
    path = folder / "image.mlmodel"
    errors = drawml("export", "coreml", "--model", model("base"), "--image-only", "--output", path,
                    fails=True)
    assert "an image is not enough for this model" in errors
    assert not path.exists()
    drawml("export", "coreml", "--model", model("ink"), "--image-only", "--output", path)
    assert path.exists()


def test_metadata(export):
    path, vectors = export("coreml", "base")
    metadata = parts(path)[0].description.metadata
    assert metadata.versionString == vectors.raw["fingerprint"]
    facts = metadata.userDefined
    assert json.loads(facts["drawml.labels"]) == vectors.labels
    views = {item["name"]: item["view"] for item in vectors.raw["inputs"]}
    assert json.loads(facts["drawml.views"]) == views
