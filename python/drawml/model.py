"""Models: taught drawings, and answers to others."""

import json
import os
import tempfile
from collections.abc import Iterable
from ctypes import c_void_p
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _library
from ._library import Progress
from .drawings import Drawing, Drawings


@dataclass(frozen=True)
class Candidate:
    """A label and its confidence, in 0...1; those of all labels add up to 1."""

    label: str
    confidence: float


@dataclass(frozen=True)
class BoundingBox:
    """The smallest box around a drawing, in its own units."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Answer:
    """What a drawing is.

    Attributes:
        id: The drawing's id, empty if it has none.
        recognized: Whether it is like the drawings of a taught label.
        label: The best label, also if it is not recognized; None if nothing was taught.
        confidence: The label's confidence, in 0...1.
        candidates: The labels with the highest confidences, in descending order.
        bounding_box: Where it is.
        typicality: The share of the drawings of taught labels that fit worse, in 0...1.
        reason: None if recognized, else "nothingTaught", "tooLittleInk", "likeNothingTaught" or
            "betweenLabels".
    """

    id: str
    recognized: bool
    label: str | None
    confidence: float
    candidates: tuple[Candidate, ...]
    bounding_box: BoundingBox
    typicality: float | None
    reason: str | None


@dataclass(frozen=True)
class Update:
    """What teaching changed.

    Attributes:
        added: Samples that were not there before.
        repeated: Samples that were there already under the same label.
        relabeled: Samples that were there under another label.
        new_labels: Labels that were not there before.
    """

    added: int
    repeated: int
    relabeled: int
    new_labels: tuple[str, ...]


class Model:
    """A model in memory, which `save` writes.

    Threads can use a model together: answers are those before or after a change, and changes wait
    for each other. Calls give up the interpreter's lock.
    """

    _handle: _library.Handle

    def __init__(self) -> None:
        raise TypeError("use Model.load")

    @classmethod
    def _from(cls, name: str, *arguments: Any) -> "Model":
        return cls._of(_library.Handle(name, *arguments))

    @classmethod
    def _of(cls, handle: _library.Handle) -> "Model":
        made = cls.__new__(cls)
        made._handle = handle
        return made

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Model":
        """Reads a model file.

        Raises:
            Error: The file is missing, damaged or of another kind.
        """
        return cls._from("model_load", _path(path))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file, whole or not at all; the same model gives the same bytes.

        Raises:
            Error: It cannot be written, there is a file of another kind, or another program has
                changed the file since this model was read from it or last written to it.
        """
        _library.call("model_save", self._handle, _path(path))

    def untaught(self) -> "Model":
        """A new model with the same embedding and without labels, for drawings of your own."""
        return self._from("model_untaught", self._handle)

    @property
    def labels(self) -> list[str]:
        """The labels that it can give, in ascending order."""
        return self._described()["labels"]

    @property
    def samples(self) -> list[tuple[str, str]]:
        """The id and label of each taught drawing."""
        return [(sample["id"], sample["label"]) for sample in self._described()["samples"]]

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return self._described()["dimension"]

    @property
    def refusal_rate(self) -> float:
        """How often a drawing of a taught label may be refused, in 0...0.5."""
        return self._described()["refusalRate"]

    @refusal_rate.setter
    def refusal_rate(self, rate: float) -> None:
        _library.call("model_set_refusal_rate", self._handle, rate)

    @property
    def head(self) -> dict[str, Any]:
        """What turns vectors into labels, with its settings, which `set_head` sets.

        It is {"head": "plda"}, {"head": "prototype"}, {"head": "knn", "neighbors": 5, "uniform":
        False} or {"head": "linear", "penalty": 0.001, "balance": 0.0}.
        """
        return self._described()["head"]

    def set_head(self, head: str, *, neighbors: int | None = None, uniform: bool | None = None,
                 penalty: float | None = None, balance: float | None = None) -> None:
        """Replaces what turns vectors into labels; it learns from the same samples.

        Args:
            head: "plda" (probabilistic LDA), "prototype" (the nearest mean),
                "knn" (the nearest neighbors) or "linear" (logistic regression).
            neighbors: For knn, how many vote, 1 to 10000; 5 if None.
            uniform: For knn, whether all votes count the same, and not one over the distance.
            penalty: For linear, what holds the weights near the means, 0 to 1e6; 0.001 if None.
            balance: For linear, the exponent of class frequency, 0 to 1; 0, which is every label
                alike, if None.

        Raises:
            Error: There is no such head, or it has no such setting. Nothing has changed.
        """
        settings = {"head": head, "neighbors": neighbors, "uniform": uniform, "penalty": penalty,
                    "balance": balance}
        given = {name: value for name, value in settings.items() if value is not None}
        _library.call("model_set_head", self._handle, _library.json_text(given, "the head"))

    def _described(self) -> dict[str, Any]:
        return _library.result("model_describe", self._handle)

    def update(self, drawings: Drawings | Iterable[Drawing],
               labels: Iterable[str | None] | None = None) -> Update:
        """Teaches more examples of known labels, or new labels.

        Teaching a drawing again changes nothing; under another label, it corrects the first. Both
        have the same id, or none.

        Args:
            drawings: The drawings.
            labels: What each is, unless the drawings say so.

        Raises:
            Error: Nothing has changed.
        """
        told = _library.result("model_update", self._handle, Drawings.of(drawings, labels)._handle)
        return Update(told["added"], told["repeated"], told["relabeled"],
                      tuple(told["newLabels"]))

    def forget(self, *, label: str | None = None, sample: str | None = None) -> list[str]:
        """Forgets a label, or the sample with an id or ink, as if it had never been taught.

        Args:
            label: The label, with all its samples.
            sample: The id, or the digest of the ink.

        Returns:
            The ids of the forgotten samples.

        Raises:
            Error: There is no such label or sample, or several have the id: the message names
                their inks. Nothing has changed.
        """
        if (label is None) == (sample is None):
            raise TypeError("say what to forget: either label or sample")
        if label is not None:
            told = _library.result("model_forget_label", self._handle,
                                   _library.text(label, "the label"))
        else:
            told = _library.result("model_forget_sample", self._handle,
                                   _library.text(sample, "the sample"))
        return told["forgotten"]

    def adapt(self) -> str:
        """Adapts what the model knows of how drawings of one label differ to the taught samples.

        Returns:
            "accepted" if that is better for samples left out in turn; else the model stays as it
            is, because of "noGain", "tooFewSamples", "noPrior" or "otherHead".
        """
        return _library.result("model_adapt", self._handle)["outcome"]

    def classify(self, drawings: Drawings | Iterable[Drawing], top: int = 5) -> list[Answer]:
        """Says what drawings are.

        Args:
            drawings: The drawings.
            top: The maximum number of candidates of each.

        Returns:
            One answer a drawing, in their order.
        """
        told = _library.result("model_classify", self._handle, Drawings.of(drawings)._handle, top)
        return [_answer(one) for one in told]

    def confidences(self, drawings: Drawings | Iterable[Drawing]) -> NDArray[np.float32]:
        """The confidence of each label, in 0...1: [drawings, labels] in the order of `labels`."""
        return self.labeled_confidences(drawings)[1]

    def labeled_confidences(
            self, drawings: Drawings | Iterable[Drawing]) -> tuple[list[str], NDArray[np.float32]]:
        """The labels in ascending order, and the confidence of each: [drawings, labels].

        Both are of the model at one time, whatever another thread teaches it meanwhile.
        """
        drawings = Drawings.of(drawings)
        now = self._from("model_copy", self._handle)
        labels = now.labels
        return labels, _library.numbers("model_confidences", now._handle, drawings._handle,
                                        shape=(len(drawings), len(labels)))

    def embed(self, drawings: Drawings | Iterable[Drawing]) -> NDArray[np.float32]:
        """The drawings' vectors, of length 1 for all models of ours: [drawings, dimension]."""
        drawings = Drawings.of(drawings)
        return _library.numbers("model_embed", self._handle, drawings._handle,
                                shape=(len(drawings), self.dimension))

    def evaluate(self, drawings: Drawings | Iterable[Drawing],
                 labels: Iterable[str | None] | None = None, *, include_taught: bool = False,
                 threads: int | None = None, progress: Progress | None = None) -> dict[str, Any]:
        """Measures the model on labeled drawings, as `drawml evaluate` does.

        Args:
            drawings: The drawings. Those that the model was taught or trained on, as far as it
                names them, are left out.
            labels: What each is, unless the drawings say so.
            include_taught: Whether these are judged, too; the result is then too optimistic.
            threads: How many threads work, 1 to 256; all processors if None.
            progress: Told what happens.

        Returns:
            What `drawml evaluate --format json` prints: "accuracy", "confidenceInterval95",
            "recognizedShare", "perClass", "confusions" and others; shares are in 0...1.

        Raises:
            Error: A drawing has no label, none is left to judge by, or the model knows no label.
        """
        found = c_void_p()
        _library.followed(
            progress, "model_evaluate", self._handle, Drawings.of(drawings, labels)._handle,
            include_taught, _library.thread_count(threads), result=found)
        return json.loads(_library.taken(found.value))

    # Copies and pickles go by way of a file, which holds all that there is.

    def __getstate__(self) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.drawml")
            self.save(path)
            with open(path, "rb") as file:
                return file.read()

    def __setstate__(self, data: bytes) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "model.drawml")
            with open(path, "wb") as file:
                file.write(data)
            self._handle = _library.Handle("model_load", _path(path))


def _path(path: str | os.PathLike[str]) -> bytes:
    return _library.text(os.fspath(path), "the path")


def _answer(told: dict[str, Any]) -> Answer:
    return Answer(
        id=told["id"], recognized=told["decision"] == "recognized", label=told["label"],
        confidence=told["confidence"],
        candidates=tuple(Candidate(**candidate) for candidate in told["candidates"]),
        bounding_box=BoundingBox(**told["boundingBox"]), typicality=told["typicality"],
        reason=told["reason"])
