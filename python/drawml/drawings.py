"""Drawings for a model."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from . import _library
from ._library import Error

Stroke: TypeAlias = ArrayLike
"""The points of a stroke, [points, 2 or 3]: x, y and, where known, milliseconds."""

Drawing: TypeAlias = Sequence[Stroke]
"""The strokes of a drawing."""


def quickdraw(strokes: Iterable[Sequence[ArrayLike]]) -> list[NDArray[np.float64]]:
    """A drawing of Quick, Draw!, simplified or raw, as a drawing for a model.

    The shapes of both kinds of strokes can be the same: two points are a stroke of two rows in
    either. So this function is asked for, and never guessed to be needed.

    Args:
        strokes: The member "drawing" of a line of Quick, Draw!: each stroke [[x, …], [y, …]] or,
            with milliseconds, [[x, …], [y, …], [t, …]].

    Returns:
        The strokes, float64 [points, 2 or 3].

    Raises:
        Error: Names the stroke whose rows are not two or three of equal length.
    """
    return [_columns(stroke, number) for number, stroke in enumerate(strokes)]


class Drawings:
    """Drawings as the library holds them; cannot be changed.

    Models take lists, too; making this once saves time where drawings are used several times.

    Args:
        drawings: The strokes of each drawing.
        labels: What each is; None where it is not known.
        ids: A unique name of each. A drawing without one is taught under that of its ink.

    Raises:
        Error: Names drawing, stroke and point of a coordinate that is not finite or is beyond
            1e100, and a drawing without points.
    """

    def __init__(self, drawings: Iterable[Drawing], labels: Iterable[str | None] | None = None,
                 ids: Iterable[str | None] | None = None) -> None:
        strokes: list[NDArray[np.float64]] = []
        drawing_starts = [0]
        for index, drawing in enumerate(drawings):
            strokes += (_points(stroke, index, number) for number, stroke in enumerate(drawing))
            drawing_starts.append(len(strokes))
        columns = 3 if any(stroke.shape[1] == 3 for stroke in strokes) else 2
        lengths = [len(stroke) for stroke in strokes]
        points = np.full((sum(lengths), columns), np.nan)
        stroke_starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        for start, stroke in zip(stroke_starts, strokes):
            points[start:start + len(stroke), :stroke.shape[1]] = stroke
        starts = np.array(drawing_starts, np.int64)
        self._make(points, stroke_starts, starts, _listed(labels, len(starts) - 1, "labels"),
                   _listed(ids, len(starts) - 1, "ids"))

    def _make(self, points: NDArray[np.float64], stroke_starts: NDArray[np.int64],
              drawing_starts: NDArray[np.int64], labels: list[str | None] | None,
              ids: list[str | None] | None) -> None:
        self._handle = _library.Handle(
            "drawings_make", _library.address(points), len(points), points.shape[1],
            _library.address(stroke_starts), len(stroke_starts) - 1, _library.address(drawing_starts),
            len(drawing_starts) - 1, _library.texts(ids, "id"), _library.texts(labels, "label"))
        self._count = len(drawing_starts) - 1

    @classmethod
    def from_arrays(cls, points: NDArray[np.float64], stroke_starts: NDArray[np.int64],
                    drawing_starts: NDArray[np.int64], labels: Iterable[str | None] | None = None,
                    ids: Iterable[str | None] | None = None) -> "Drawings":
        """Drawings in flat arrays: the fastest way.

        Args:
            points: [points, 2 or 3], float64; a stroke whose times are all NaN has no times.
            stroke_starts: [strokes + 1], int64: the first point of each stroke, and the number of
                points.
            drawing_starts: [drawings + 1], int64: the first stroke of each drawing, and the number
                of strokes.
            labels: What each drawing is; None where it is not known.
            ids: A unique name of each drawing.

        Raises:
            Error: As for lists.
        """
        made = cls.__new__(cls)
        # Copies: other threads may change the arrays while the library, which gives up the
        # interpreter's lock, checks and reads them.
        points = np.array(points, np.float64, order="C")
        if points.ndim != 2:
            raise Error(f"points have the shape {points.shape}; it must be [points, 2 or 3]")
        starts = []
        for name, values in (("stroke_starts", stroke_starts), ("drawing_starts", drawing_starts)):
            array = np.asarray(values)
            if array.ndim != 1 or not len(array) or not np.issubdtype(array.dtype, np.integer):
                raise Error(f"{name} must be one row of whole numbers, the first of them 0")
            starts.append(np.array(array, np.int64, order="C"))
        count = len(starts[1]) - 1
        made._make(points, *starts, _listed(labels, count, "labels"), _listed(ids, count, "ids"))
        return made

    @classmethod
    def quickdraw(cls, drawings: Iterable[Iterable[Sequence[ArrayLike]]],
                  labels: Iterable[str | None] | None = None,
                  ids: Iterable[str | None] | None = None) -> "Drawings":
        """Drawings whose strokes are rows, [[x, …], [y, …]] or [[x, …], [y, …], [t, …]].

        Args:
            drawings: As for the function `quickdraw`.
            labels: What each is; None where it is not known.
            ids: A unique name of each.

        Raises:
            Error: Names drawing and stroke.
        """
        made = []
        for index, drawing in enumerate(drawings):
            try:
                made.append(quickdraw(drawing))
            except Error as problem:
                raise Error(f"drawing {index}: {problem}") from None
        return cls(made, labels, ids)

    @classmethod
    def from_json(cls, drawings: str | Iterable[Mapping[str, Any]]) -> "Drawings":
        """Drawings in stroke JSON: a text with one a line, or objects like those of json.loads.

        Raises:
            Error: Names line, stroke and point.
        """
        if not isinstance(drawings, str):
            drawings = "\n".join(json.dumps(drawing) for drawing in drawings)
        data = drawings.encode(errors="surrogatepass")
        return cls._from("drawings_parse", data, len(data))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> "Drawings":
        """The drawings of a file or folder, in any of the forms that `drawml train` reads.

        Raises:
            Error: Names file, line, stroke and point.
        """
        return cls._from("drawings_read", _library.text(os.fspath(path), "the path"))

    @classmethod
    def _from(cls, name: str, *arguments: Any) -> "Drawings":
        made = cls.__new__(cls)
        made._handle = _library.Handle(name, *arguments)
        made._count = len(made._described())
        return made

    @classmethod
    def of(cls, drawings: "Drawings | Iterable[Drawing]",
           labels: Iterable[str | None] | None = None) -> "Drawings":
        """These drawings, made if they are not yet."""
        if not isinstance(drawings, Drawings):
            return cls(drawings, labels)
        if labels is not None:
            raise Error("these drawings have their own labels")
        return drawings

    # A copy is as good as the original, which cannot be changed. Pickles are refused, for a handle
    # means nothing to another process.

    def __copy__(self) -> "Drawings":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "Drawings":
        return self

    def __reduce__(self) -> str:
        raise TypeError("Drawings cannot be pickled; send what they were made of instead")

    def __len__(self) -> int:
        """The number of drawings."""
        return self._count

    @property
    def ids(self) -> list[str]:
        """The id of each drawing; empty where it has none."""
        return [drawing["id"] for drawing in self._described()]

    @property
    def labels(self) -> list[str | None]:
        """The label of each drawing; None where it has none."""
        return [drawing["label"] for drawing in self._described()]

    def _described(self) -> list[dict[str, Any]]:
        return _library.result("drawings_describe", self._handle)["drawings"]

    def rasterize(self, size: int = 28, stroke_width: float = 1.5, margin: float = 1,
                  dtype: DTypeLike = np.float32) -> NDArray[Any]:
        """The pixels of each drawing, fitted into a square with its aspect ratio kept.

        Args:
            size: Rows and columns, 1 to 4096.
            stroke_width: In pixels, above 0.
            margin: The least distance of ink from the edge, in pixels.
            dtype: float32 for ink coverage in 0...1, uint8 for 0...255.

        Returns:
            [drawings, size, size], row-major; 0 is no ink.
        """
        dtype = np.dtype(dtype)
        if dtype not in (np.float32, np.uint8):
            raise Error("dtype must be float32 or uint8")
        # An impossible size is for the library to tell.
        side = size if 1 <= size <= 4096 else 0
        pixels = np.empty((len(self), side, side), dtype)
        places = [_library.address(pixels), None]
        if dtype == np.uint8:
            places.reverse()
        _library.call("drawings_rasterize", self._handle, size, stroke_width, margin, *places,
                      pixels.size)
        return pixels


def _columns(stroke: Sequence[ArrayLike], number: int) -> NDArray[np.float64]:
    try:
        rows = np.asarray(stroke, np.float64)
    except (TypeError, ValueError):
        rows = None
    if rows is None or rows.ndim != 2 or rows.shape[0] not in (2, 3):
        raise Error(f"stroke {number} is not [[x, …], [y, …]] or [[x, …], [y, …], [t, …]] with "
                    "rows of equal length")
    return rows.T


def _points(stroke: Stroke, drawing: int, number: int) -> NDArray[np.float64]:
    try:
        points = np.asarray(stroke, np.float64)
    except (TypeError, ValueError):
        points = None
    if points is not None and points.size == 0:
        return np.empty((0, 2))
    if points is None or points.ndim != 2 or points.shape[1] not in (2, 3):
        raise Error(f"drawing {drawing}: stroke {number} is not an array of points of two or three "
                    "numbers, [points, 2 or 3]; drawml.quickdraw makes one of rows")
    return points


def _listed(values: Iterable[str | None] | None, count: int, name: str) -> list[str | None] | None:
    if values is None:
        return None
    listed = [str(value) if isinstance(value, np.str_) else value for value in values]
    if len(listed) != count:
        raise Error(f"there are {len(listed)} {name} for {count} drawings")
    return listed
