"""The functions of libdrawml.so: see drawml.h. Nothing else here knows of pointers."""

import ctypes
import json
import os
import queue
import threading
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from ctypes import POINTER, byref, c_char_p, c_double, c_int, c_int64, c_uint64, c_void_p
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray


class Error(ValueError):
    """What is wrong with an argument or a file, where, and what to do."""


Progress: TypeAlias = Callable[[dict[str, Any]], object]
"""A function that is told what a long call does, such as {"event": "progress", "part": "Teaching",
"done": 3, "total": 10}: see drawml_progress in drawml.h. It runs on the caller's thread; what it
raises stops the call, as Ctrl-C does."""


# A text that the library made arrives as a c_void_p, because ctypes would lose the address of a
# c_char_p.
_HANDLE, _TEXT = POINTER(c_uint64), POINTER(c_void_p)
_TEXTS = POINTER(c_char_p)
_PROGRESS = ctypes.CFUNCTYPE(c_int, c_char_p, c_void_p)
_FUNCTIONS: dict[str, list[Any]] = {
    "drawml_release": [c_uint64],
    "drawml_drawings_make": [
        c_void_p, c_int64, c_int64, c_void_p, c_int64, c_void_p, c_int64, _TEXTS, _TEXTS, _HANDLE],
    "drawml_drawings_parse": [c_char_p, c_int64, _HANDLE],
    "drawml_drawings_read": [c_char_p, _HANDLE],
    "drawml_drawings_describe": [c_uint64, _TEXT],
    "drawml_drawings_rasterize": [
        c_uint64, c_int64, c_double, c_double, c_void_p, c_void_p, c_int64],
    "drawml_model_load": [c_char_p, _HANDLE],
    "drawml_model_save": [c_uint64, c_char_p],
    "drawml_model_untaught": [c_uint64, _HANDLE],
    "drawml_model_copy": [c_uint64, _HANDLE],
    "drawml_model_describe": [c_uint64, _TEXT],
    "drawml_model_set_head": [c_uint64, c_char_p],
    "drawml_model_set_refusal_rate": [c_uint64, c_double],
    "drawml_model_update": [c_uint64, c_uint64, _TEXT],
    "drawml_model_forget_label": [c_uint64, c_char_p, _TEXT],
    "drawml_model_forget_sample": [c_uint64, c_char_p, _TEXT],
    "drawml_model_adapt": [c_uint64, _TEXT],
    "drawml_model_classify": [c_uint64, c_uint64, c_int64, _TEXT],
    "drawml_model_confidences": [c_uint64, c_uint64, c_void_p, c_int64],
    "drawml_model_embed": [c_uint64, c_uint64, c_void_p, c_int64],
    "drawml_train": [
        c_uint64, c_char_p, c_char_p, c_int64, _PROGRESS, c_void_p, _HANDLE],
    "drawml_model_evaluate": [
        c_uint64, c_uint64, c_int, c_int64, _PROGRESS, c_void_p, _TEXT],
}

_library = ctypes.CDLL(str(Path(__file__).with_name("libdrawml.so")))
for _name, _arguments in _FUNCTIONS.items():
    _function = getattr(_library, _name)
    _function.argtypes, _function.restype = _arguments, c_void_p
_library.drawml_version.argtypes, _library.drawml_version.restype = [], c_void_p
_library.drawml_free.argtypes, _library.drawml_free.restype = [c_void_p], None


def taken(address: int | None) -> str:
    """The text at an address, which is released."""
    if not address:
        return ""
    try:
        return ctypes.string_at(address).decode()
    finally:
        _library.drawml_free(address)


def version() -> str:
    """The version of DrawML."""
    return taken(_library.drawml_version())


def call(name: str, *arguments: Any) -> None:
    """Calls a function.

    Raises:
        Error: With the function's text.
    """
    problem = getattr(_library, f"drawml_{name}")(*arguments)
    if problem:
        raise Error(taken(problem))


def result(name: str, *arguments: Any) -> Any:
    """Calls a function that gives JSON; returns its value."""
    text = c_void_p()
    call(name, *arguments, byref(text))
    return json.loads(taken(text.value))


def followed(progress: Progress | None, name: str, *arguments: Any, result: Any) -> None:
    """Calls a function that takes long and tells what it does.

    The call has a thread of its own, because Python handles Ctrl-C only on the main one.

    Args:
        progress: Told the events; or None.
        name: The function, whose last arguments are the progress, its context and the result.
        arguments: Those before.
        result: The place for the result.

    Raises:
        Error: With the function's text.
        BaseException: What progress raised, or KeyboardInterrupt, once the call has stopped.
    """
    events: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    stops = threading.Event()

    @_PROGRESS
    def told(event: bytes | None, _: Any) -> bool:
        if event is not None:
            events.put(event)
        return stops.is_set()

    with ThreadPoolExecutor(1) as pool:
        try:
            working = pool.submit(call, name, *arguments, told, None, byref(result))
            working.add_done_callback(lambda _: events.put(None))
            while (event := events.get()) is not None:
                if progress is not None:
                    progress(json.loads(event))
            working.result()
        finally:
            stops.set()


def thread_count(threads: int | None) -> int:
    """The number of threads; of None, that of the processors, as the program has it."""
    return min(os.cpu_count() or 1, 256) if threads is None else threads


def numbers(name: str, *arguments: Any, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Calls a function that fills an array of the given shape."""
    values = np.empty(shape, np.float32)
    call(name, *arguments, address(values), values.size)
    return values


def address(array: NDArray[Any]) -> c_void_p:
    """Where the numbers of a contiguous array are."""
    return array.ctypes.data_as(c_void_p)


def text(value: str, name: str) -> bytes:
    """A text as the library takes it."""
    if not isinstance(value, str):
        raise TypeError(f"{name} is a {type(value).__name__}; it must be a str")
    if "\0" in value:
        raise Error(f"{name} has the character U+0000; take it out")
    try:
        return value.encode()
    except UnicodeEncodeError:
        raise Error(f"{name} is not valid Unicode") from None


def json_text(value: Any, name: str) -> bytes:
    """A value as JSON.

    Raises:
        Error: It has something that JSON has not, such as NaN.
    """
    try:
        return json.dumps(value, allow_nan=False, default=_plain).encode()
    except (TypeError, ValueError) as problem:
        raise Error(f"{name}: {problem}") from None


def _plain(value: Any) -> Any:
    """A scalar of NumPy as Python's own."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a {type(value).__name__} is no setting")


def texts(values: list[str | None] | None, name: str) -> Any:
    """Texts, some of them missing, as the library takes them."""
    if values is None:
        return None
    return (c_char_p * len(values))(
        *(None if value is None else text(value, f"the {name} of drawing {index}")
          for index, value in enumerate(values)))


class Handle:
    """Something that the library keeps until this is collected."""

    def __init__(self, name: str, *arguments: Any) -> None:
        value = c_uint64()
        call(name, *arguments, byref(value))
        self._keep(value)

    @classmethod
    def followed(cls, progress: Progress | None, name: str, *arguments: Any) -> "Handle":
        """What a function that takes long makes; see the function `followed`."""
        made, value = cls.__new__(cls), c_uint64()
        try:
            followed(progress, name, *arguments, result=value)
        except BaseException:
            # A stop that came too late.
            if value.value:
                call("release", value.value)
            raise
        made._keep(value)
        return made

    def _keep(self, value: c_uint64) -> None:
        self.value = value.value
        weakref.finalize(self, call, "release", self.value)

    @property
    def _as_parameter_(self) -> c_uint64:
        return c_uint64(self.value)


