"""What a work of the peers is."""
from dataclasses import dataclass, field

import h5py
import numpy as np


@dataclass
class Work:
    units: int
    variants: dict
    agreement: tuple
    notes: list = field(default_factory=list)


def record(folder, step):
    return h5py.File(f"{folder}/{step}.h5")


def far(one, other):
    return float(np.max(np.abs(np.asarray(one, np.float64) - np.asarray(other, np.float64))))
