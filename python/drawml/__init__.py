"""Teach a computer the shapes you draw, and ask it what others are.

    >>> import drawml
    >>> model = drawml.Model.load("base.drawml").untaught()
    >>> model.update(drawings, labels)
    >>> model.classify([strokes])[0].label

A drawing is a list of strokes in the order in which they were drawn, a stroke an array of points,
float64 [points, 2 or 3]: x, y (growing downwards) and, where known, milliseconds since the
drawing's first point. `quickdraw` makes one of the rows [[x, …], [y, …]] of Quick, Draw!.
"""

from ._library import Error, Progress, version
from .drawings import Drawing, Drawings, Stroke, quickdraw
from .model import Answer, BoundingBox, Candidate, Model, Update
from .training import train

__all__ = ["Answer", "BoundingBox", "Candidate", "Drawing", "Drawings", "Error", "Model",
           "Progress", "Stroke", "Update", "quickdraw", "train", "version"]
__version__ = version()
