"""Training a model from drawings, as the program's command `train` does."""

import os
from collections.abc import Iterable, Mapping
from typing import Any

from . import _library
from ._library import Progress
from .drawings import Drawing, Drawings
from .model import Model


def train(drawings: Drawings | Iterable[Drawing], labels: Iterable[str | None] | None = None, *,
          base: str | os.PathLike[str] | None = None, epochs: int | None = None,
          settings: Mapping[str, Any] | None = None, threads: int | None = None,
          progress: Progress | None = None) -> Model:
    """Trains a model, in minutes for thousands of drawings, in seconds with a base.

    The same drawings, settings and threads give the model of `drawml train`. No file is written; a
    training that is stopped, as by Ctrl-C, leaves nothing.

    Args:
        drawings: Two labels at least where an embedding is trained.
        labels: What each is, unless the drawings say so.
        base: The path of a model whose embedding is used; None to train one.
        epochs: How often every drawing is seen; the standard number if None.
        settings: Those of `drawml train --print-config`, by their names:
            {"seed": 7, "holdOut": 0.2, "head": "knn", "training": {"learningRate": 0.001}}.
        threads: How many threads work, 1 to 256; all processors if None.
        progress: Told each step and epoch: {"event": "epoch", "epoch": 1, "trainingLoss": 1.9,
            "trainingAccuracy": 0.4, …}.

    Returns:
        The model, which `save` writes.

    Raises:
        Error: Names the setting that is unknown or out of its range, the drawing without a label,
            or what else is wrong.
    """
    chosen = dict(settings or {})
    if epochs is not None:
        chosen["training"] = {**chosen.get("training", {}), "epochs": epochs}
    path = None if base is None else _library.text(os.fspath(base), "the path of the base")
    return Model._of(_library.Handle.followed(
        progress, "train", Drawings.of(drawings, labels)._handle, path,
        _library.json_text(chosen, "the settings"), _library.thread_count(threads)))
