"""The classifier for scikit-learn keeps scikit-learn's contract."""

import json

import numpy as np
import pytest
from conftest import ROOT

pytest.importorskip("drawml")
sklearn = pytest.importorskip("sklearn", minversion="1.6")
from drawml.sklearn import DrawMLClassifier  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.exceptions import NotFittedError  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402
from sklearn.model_selection import GridSearchCV, cross_val_score  # noqa: E402
from sklearn.pipeline import make_pipeline  # noqa: E402
from sklearn.utils.estimator_checks import check_estimator  # noqa: E402

BASE = str(ROOT / "models/base-slim.drawml")
EXPECTED_FAILURES = {
    "check_classifiers_train": "it tells blobs of two features apart by their place; a curve of "
    "two values is a line, of which the model sees only the slope",
}


@pytest.fixture(scope="module")
def shapes():
    """Drawings of four labels, 12 of each."""
    X, y = [], []
    for label in ("star", "heart", "fish", "house"):
        lines = (ROOT / f"datasets/starter/{label}.ndjson").read_text().splitlines()[:12]
        X += [[np.array(stroke).T for stroke in json.loads(line)["strokes"]] for line in lines]
        y += [label] * len(lines)
    return X, np.array(y)


@pytest.mark.filterwarnings("ignore")
def test_checks():
    results = check_estimator(DrawMLClassifier(base=BASE), on_fail=None, on_skip=None,
                              expected_failed_checks=EXPECTED_FAILURES)
    status = {}
    for result in results:
        status.setdefault(result["status"], set()).add(result["check_name"])
    assert not status.get("failed")
    # Nothing on the list passes.
    assert status["xfail"] == set(EXPECTED_FAILURES)
    assert len(status["passed"]) > 35


def test_drawings(shapes):
    X, y = shapes
    assert cross_val_score(DrawMLClassifier(base=BASE), X, y, cv=3).min() > 0.9


def test_parameters(shapes):
    X, y = shapes
    model = DrawMLClassifier(base=BASE, head="knn", neighbors=3, refuse=0.25, adapt=False)
    assert model.get_params() == {
        "base": BASE, "head": "knn", "neighbors": 3, "refuse": 0.25, "adapt": False}
    assert clone(model).get_params() == model.get_params()
    model.fit(X, y)
    assert model.model_.head == {"head": "knn", "neighbors": 3, "uniform": False}
    assert model.model_.refusal_rate == 0.25
    # The head decides, and without one, the base does.
    assert DrawMLClassifier(base=BASE, neighbors=1).fit(X, y).model_.head == {"head": "plda"}
    for wrong in ({"head": "tree"}, {"head": "knn", "neighbors": 0}, {"refuse": 0.7}):
        with pytest.raises(ValueError, match="it can be|it must be"):
            DrawMLClassifier(base=BASE, **wrong).fit(X, y)


def test_grid_search(shapes):
    X, y = shapes

    def right_or_refused(model, X, y):
        return np.mean((model.predict(X) == y) & model.recognizes(X))

    grid = [{"head": ["plda", "prototype"], "refuse": [0.0, 0.5]},
            {"head": ["knn"], "neighbors": [1, 5], "refuse": [0.0, 0.5]}]
    search = GridSearchCV(DrawMLClassifier(base=BASE, adapt=False), grid, cv=3,
                          scoring=right_or_refused, error_score="raise").fit(X, y)
    scores = search.cv_results_["mean_test_score"]
    assert len(scores) == 8
    # Whoever refuses half of what was taught is right less often.
    often = np.array([params["refuse"] == 0.5 for params in search.cv_results_["params"]])
    assert (scores[~often] > scores[often]).all()
    assert search.best_params_["refuse"] == 0.0 and search.predict(X[:1]) == y[:1]


def test_decision_function_and_transform(shapes):
    X, y = shapes
    model = DrawMLClassifier(base=BASE)
    for ask in (model.decision_function, model.transform, model.recognizes):
        with pytest.raises(NotFittedError):
            ask(X[:1])
    model.fit(X, y)
    scores = model.decision_function(X)
    assert scores.shape == (48, 4) and np.isfinite(scores).all()
    assert (model.classes_[scores.argmax(axis=1)] == model.predict(X)).all()
    two = DrawMLClassifier(base=BASE).fit(X[:24], y[:24])
    scores = two.decision_function(X[:24])
    assert scores.shape == (24,)
    assert (two.classes_[(scores > 0).astype(int)] == two.predict(X[:24])).all()
    vectors = model.transform(X)
    assert vectors.shape == (48, model.model_.dimension)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.array_equal(vectors, model.model_.embed(X))
    assert len(model.get_feature_names_out()) == vectors.shape[1]
    assert model.recognizes(X).mean() > 0.8
    pipeline = make_pipeline(DrawMLClassifier(base=BASE), LogisticRegression(C=100))
    assert cross_val_score(pipeline, X, y, cv=3).min() > 0.9


def test_partial_fit_adds_classes(shapes):
    X, y = shapes
    model = DrawMLClassifier(base=BASE)
    numbers = np.unique(y, return_inverse=True)[1]
    model.partial_fit(X[:20], numbers[:20], classes=[0, 1, 2, 3])
    probabilities = model.predict_proba(X[40:])
    assert probabilities.shape == (8, 4)
    assert (probabilities[:, sorted(set(range(4)) - set(numbers[:20]))] == 0).all()
    model.partial_fit(X[20:36] + X[36:40], np.concatenate([numbers[20:36], [7] * 4]))
    assert list(model.classes_) == [0, 1, 2, 3, 7]
    assert set(model.predict(X[40:])) == {7}


def test_needs_a_base(shapes):
    with pytest.raises(ValueError, match="base is None"):
        DrawMLClassifier().fit(*shapes)


def test_a_fit_that_fails_leaves_the_classifier_as_it_was(shapes):
    X, y = shapes
    broken = [[np.full((3, 2), np.nan)]] * 2
    model = DrawMLClassifier(base=BASE, adapt=False)
    with pytest.raises(ValueError):
        model.fit(broken, ["a", "b"])
    with pytest.raises(NotFittedError):
        model.predict(X[:1])
    model.fit(X, y)
    before = model.predict_proba(X)
    for fails in (model.fit, model.partial_fit):
        with pytest.raises(ValueError):
            fails(broken, ["a", "b"])
        assert np.array_equal(model.predict_proba(X), before)
        assert set(model.classes_) == set(y)
    curves = np.random.default_rng(1).random((6, 10))
    model.fit(curves, list("aabbcc"))
    with pytest.raises(ValueError):
        model.fit(np.ones((2, 20)), ["a", "\n"])
    assert model.predict(curves).shape == (6,)
