"""Types of arrays by the type of their elements, for the arguments of kernels and their callers."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

BoolArray: TypeAlias = npt.NDArray[np.bool_]
Int8Array: TypeAlias = npt.NDArray[np.int8]
Int16Array: TypeAlias = npt.NDArray[np.int16]
Int32Array: TypeAlias = npt.NDArray[np.int32]
Int64Array: TypeAlias = npt.NDArray[np.int64]
Uint8Array: TypeAlias = npt.NDArray[np.uint8]
Uint16Array: TypeAlias = npt.NDArray[np.uint16]
Uint32Array: TypeAlias = npt.NDArray[np.uint32]
Uint64Array: TypeAlias = npt.NDArray[np.uint64]
Float64Array: TypeAlias = npt.NDArray[np.float64]
#: An array of integers of several sizes, for which a kernel is compiled one by one.
IntArray: TypeAlias = npt.NDArray[np.integer[Any]]
#: An integer of Python or of NumPy, for kernels that are called with both.
Integer: TypeAlias = int | np.integer[Any]
