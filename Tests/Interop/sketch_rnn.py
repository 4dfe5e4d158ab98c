"""Writes drawings as files of sketch-rnn, as numpy writes them today and as Python 2 did, whose
pickles have bytes as strings: the published files are such."""

import io
import pickle
import struct
import zipfile

import numpy as np


class Python2Pickler(pickle._Pickler):
    """Writes what Python 2 wrote with protocol 2."""

    dispatch = dict(pickle._Pickler.dispatch)

    def save_string(self, text):
        data = text if isinstance(text, bytes) else text.encode("ascii")
        short = len(data) < 256
        self.write((b"U" + bytes([len(data)]) if short else b"T" + struct.pack("<i", len(data)))
                   + data)
        self.memoize(text)

    dispatch[bytes] = save_string
    dispatch[str] = save_string


def objects(drawings):
    array = np.empty(len(drawings), object)
    array[:] = drawings
    return array


def npy(drawings, protocol):
    """The bytes of a .npy file; `protocol` is one of pickle, or "python2"."""
    array = objects(drawings)
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, np.lib.format.header_data_from_array_1_0(array))
    if protocol == "python2":
        body = io.BytesIO()
        Python2Pickler(body, 2).dump(array)
        file.write(body.getvalue().replace(b"numpy._core.", b"numpy.core."))
    else:
        pickle.dump(array, file, protocol=protocol)
    return file.getvalue()


def npz(path, parts, protocol, compressed=True):
    """Writes a .npz file of parts such as "train"; the same bytes each time."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED) as z:
        for name, drawings in parts.items():
            z.writestr(zipfile.ZipInfo(f"{name}.npy"), npy(drawings, protocol),
                       z.compression)
