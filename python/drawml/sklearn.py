"""A classifier of drawings for scikit-learn (1.6 or newer)."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import (
    BaseEstimator, ClassifierMixin, ClassNamePrefixFeaturesOutMixin, TransformerMixin)
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets, unique_labels
from sklearn.utils.validation import check_is_fitted, validate_data

from .drawings import Drawing, Drawings
from .model import Model

Drawn: TypeAlias = Sequence[Drawing] | ArrayLike

# Confidences are float32, whose rounding hides smaller ones.
_LEAST = 1e-10


class DrawMLClassifier(ClassNamePrefixFeaturesOutMixin, ClassifierMixin, TransformerMixin,
                       BaseEstimator):
    """A model that is taught drawings with scikit-learn's methods.

    X is a list of drawings, or an array [curves, values] in which each row is a curve: its values at
    0, 1, 2, … Place and size tell nothing, proportions do: drawings are fitted into a square.

    Args:
        base: The path of a model, such as models/base.drawml; its labels are not used.
        head: What turns vectors into classes: "plda", "prototype", "knn" or "linear"; None for what
            suits the base.
        neighbors: How many neighbors vote with the head "knn", 1 to 10000.
        refuse: How often a drawing of a taught class may be refused, 0 to 0.5; None for the rate of
            the base. It changes what `recognizes` says, not what `predict` does.
        adapt: Whether `fit` adapts the model to the drawings, as `drawml train --base` does.

    Attributes:
        classes_: The classes, [classes].
        model_: The taught model; its labels are the classes as text.
    """

    def __init__(self, base: str | os.PathLike[str] | None = None, head: str | None = None,
                 neighbors: int = 5, refuse: float | None = None, adapt: bool = True) -> None:
        self.base = base
        self.head = head
        self.neighbors = neighbors
        self.refuse = refuse
        self.adapt = adapt

    def fit(self, X: Drawn, y: ArrayLike) -> "DrawMLClassifier":
        """Teaches an untaught model the drawings."""
        with self._whole():
            X, y = self._checked(X, y, reset=True)
            self._begin(unique_labels(y))
            self._teach(X, y)
            if self.adapt:
                self.model_.adapt()
        return self

    def partial_fit(self, X: Drawn, y: ArrayLike,
                    classes: ArrayLike | None = None) -> "DrawMLClassifier":
        """Teaches more drawings, also of new classes; does not adapt.

        Args:
            X: The drawings.
            y: Their classes.
            classes: Classes to come, which have the confidence 0 until then.
        """
        with self._whole():
            is_first = not hasattr(self, "model_")
            X, y = self._checked(X, y, reset=is_first)
            found = unique_labels(y) if classes is None else unique_labels(classes, y)
            if is_first:
                self._begin(found)
            self.classes_ = unique_labels(self.classes_, found)
            self._teach(X, y)
        return self

    def predict(self, X: Drawn) -> NDArray[Any]:
        """The likeliest class of each drawing, [drawings], also of those not recognized."""
        confidences = self.predict_proba(X)
        return self.classes_[confidences.argmax(axis=1)]

    def predict_proba(self, X: Drawn) -> NDArray[np.float64]:
        """The confidence of each class, in 0...1: [drawings, classes]."""
        drawings = self._asked(X)
        labels, found = self.model_.labeled_confidences(drawings)
        confidences = np.zeros((len(found), len(self.classes_)))
        columns = [self._class_of[label] for label in labels]
        confidences[:, np.searchsorted(self.classes_, columns)] = found
        return confidences / confidences.sum(axis=1, keepdims=True)

    def decision_function(self, X: Drawn) -> NDArray[np.float64]:
        """The logarithm of each class's confidence, [drawings, classes]; confidences below 1e-10
        count as that. Of two classes, that of the second less that of the first, [drawings]."""
        logarithms = np.log(self.predict_proba(X).clip(_LEAST))
        if logarithms.shape[1] == 2:
            return logarithms[:, 1] - logarithms[:, 0]
        return logarithms

    def recognizes(self, X: Drawn) -> NDArray[np.bool_]:
        """Whether each drawing is like those of a taught class, [drawings]; see `refuse`."""
        drawings = self._asked(X)
        answers = self.model_.classify(drawings, top=1)
        return np.array([answer.recognized for answer in answers], bool)

    def transform(self, X: Drawn) -> NDArray[np.float32]:
        """The embedding's vectors, of length 1: [drawings, dimension]. They depend on the base
        alone, not on what was taught."""
        drawings = self._asked(X)
        return self.model_.embed(drawings)

    @property
    def _n_features_out(self) -> int:
        return self.model_.dimension

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _asked(self, X: Drawn) -> Drawings:
        check_is_fitted(self)
        if _is_rows(X):
            X = validate_data(self, X, reset=False, dtype=np.float64)
        return _drawings(X)

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """Leaves the classifier as it was where something fails."""
        before = dict(vars(self))
        try:
            yield
        except BaseException:
            vars(self).clear()
            vars(self).update(before)
            raise

    def _begin(self, classes: NDArray[Any]) -> None:
        if self.base is None:
            raise ValueError("base is None; give the path of a model, such as models/base.drawml")
        self.classes_ = classes
        self.model_ = Model.load(self.base).untaught()
        if self.head is not None:
            neighbors = self.neighbors if self.head == "knn" else None
            self.model_.set_head(self.head, neighbors=neighbors)
        if self.refuse is not None:
            self.model_.refusal_rate = self.refuse
        self._class_of: dict[str, Any] = {}
        self._count = 0

    def _teach(self, X: Any, y: NDArray[Any]) -> None:
        # The model spells some labels its own way; the samples tell which class a label is.
        ids = [str(self._count + index) for index in range(len(y))]
        self.model_.update(_drawings(X, [str(one) for one in y], ids))
        self._count += len(y)
        labels = dict(self.model_.samples)
        self._class_of = self._class_of | {
            labels[id]: one for one, id in zip(y, ids) if id in labels}

    def _checked(self, X: Any, y: Any, reset: bool) -> tuple[Any, NDArray[Any]]:
        if _is_rows(X):
            X, y = validate_data(self, X, y, reset=reset, dtype=np.float64)
        else:
            y = np.asarray(y)
        check_classification_targets(y)
        return X, y


def _is_rows(X: Any) -> bool:
    """Whether X is, or is meant to be, [curves, values], and not a list of drawings."""
    if hasattr(X, "shape"):
        return not (len(X.shape) == 4 or len(X.shape) == 1 and X.dtype == object)
    lists = (list, tuple, np.ndarray)
    return not (isinstance(X, lists) and len(X) and isinstance(X[0], lists) and len(X[0])
                and isinstance(X[0][0], lists))


def _drawings(X: Any, labels: list[str] | None = None, ids: list[str] | None = None) -> Drawings:
    if not _is_rows(X):
        return Drawings(X, labels, ids)
    count, length = X.shape
    if length < 2:
        raise ValueError("Found array with 1 feature(s) (shape=%s) while a curve has two values "
                         "or more" % (X.shape,))
    # A drawing's y grows downwards.
    points = np.stack([np.broadcast_to(np.arange(length), X.shape), -X], axis=-1)
    starts = np.arange(count + 1)
    return Drawings.from_arrays(points.reshape(-1, 2), starts * length, starts, labels, ids)
