"""Exported arrays are those of the model file, which h5py reads."""

import json

import numpy as np
import pytest

h5py = pytest.importorskip("h5py")
safetensors = pytest.importorskip("safetensors")


@pytest.fixture(scope="module")
def exported(drawml, model, folder):
    def make(name):
        path = folder / f"{name}.safetensors"
        drawml("export", "safetensors", "--model", model(name), "--output", path)
        with safetensors.safe_open(path, "numpy") as file:
            return {key: file.get_tensor(key) for key in file.keys()}, file.metadata()

    return make


def stored(path, groups):
    """The arrays of numbers below the groups of a model file, by their names."""
    arrays = {}

    def note(name, item):
        if isinstance(item, h5py.Dataset) and item.dtype.kind in "fi":
            arrays[name] = item[()]

    with h5py.File(path) as file:
        for group in groups:
            if group in file:
                file[group].visititems(lambda name, item: note(f"{group}/{name}", item))
    return arrays


@pytest.mark.parametrize("name", ["ink", "ink-knn", "base", "base-means"])
def test_arrays_are_those_of_the_model(exported, model, name):
    arrays, _ = exported(name)
    expected = stored(model(name), ["embedding", "head", "samples"])
    assert arrays.keys() == expected.keys()
    learned = {"ink": {"weights", "biases"}, "base-means": {"means", "scale"}}.get(name, set())
    assert {key[5:] for key in arrays if key.startswith("head/")} == learned
    for key, array in expected.items():
        assert arrays[key].dtype == array.dtype, key
        assert arrays[key].shape == array.shape, key
        assert arrays[key].tobytes() == array.tobytes(), key


def test_metadata_leads_from_a_sample_to_its_label(exported, model):
    arrays, facts = exported("base")
    with h5py.File(model("base")) as file:
        labels = [label.decode() for label in file["labels"][()]]
        about = json.loads(file["about"][0])
    assert json.loads(facts["drawml.labels"]) == labels
    assert len(arrays["samples/label"]) == len(arrays["samples/vector"]) == 12 * len(labels)
    assert set(arrays["samples/label"]) == set(range(len(labels)))
    assert json.loads(facts["drawml.networks"]) == [
        member["architecture"] for member in about["members"]]
    assert json.loads(facts["drawml.weights"]) == [member["weight"] for member in about["members"]]
    views = list(json.loads(facts["drawml.views"]).values())
    assert views == [member["view"] for member in about["members"]]
    assert len(facts["drawml.fingerprint"]) == 64
    assert np.abs(np.linalg.norm(arrays["samples/vector"], axis=1) - 1).max() < 1e-5


def test_a_model_without_labels_has_weights(drawml, folder):
    from conftest import ROOT

    path = folder / "untaught.safetensors"
    drawml("export", "safetensors", "--model", ROOT / "models/base-slim.drawml", "--output", path)
    with safetensors.safe_open(path, "numpy") as file:
        assert {key.split("/")[0] for key in file.keys()} == {"embedding"}
