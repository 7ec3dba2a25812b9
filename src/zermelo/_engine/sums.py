"""Checksums of many pieces of one array at once: CRC-32, as zlib has it.

To hand each piece to zlib takes longer than what it does there, where pieces are as short as the
blocks of a table. Sixteen bytes are taken at a time, and what each does to the checksum is looked
up (M. Kounavis and F. Berry, "Novel table lookup-based algorithms for high-performance CRC
generation", 2008).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from zermelo._engine.core.jit import kernel
from zermelo._engine.core.memory import eight_bytes

#: The polynomial, its lowest power in the highest bit.
_POLYNOMIAL = np.uint32(0xEDB88320)
_TOGETHER = 16
_BYTE = np.uint64(255)


def _effects() -> npt.NDArray[np.uint32]:
    """Return what each byte does to a checksum, by how many bytes follow before it is looked at."""
    out = np.empty((_TOGETHER, 256), np.uint32)
    out[0] = np.arange(256)
    for _ in range(8):
        out[0] = out[0] >> 1 ^ np.where(out[0] & 1, _POLYNOMIAL, np.uint32(0))
    for further in range(1, _TOGETHER):
        before = out[further - 1]
        out[further] = before >> 8 ^ out[0][before & 255]
    return out


_EFFECTS = _effects()


@kernel
def checksums(data: Any, begins: Any, ends: Any, out: Any) -> None:
    """Write the checksum of each piece of some bytes.

    Args:
        data: the bytes.
        begins: where each piece begins.
        ends: where each ends.
        out: receives the checksums.
    """
    for n in range(begins.size):
        sum_ = np.uint64(0xFFFFFFFF)
        at = begins[n]
        while at + _TOGETHER <= ends[n]:
            low, high = eight_bytes(data, at) ^ sum_, eight_bytes(data, at + 8)
            sum_ = np.uint64(0)
            for byte in range(8):
                shift = np.uint64(8 * byte)
                sum_ ^= np.uint64(_EFFECTS[15 - byte, low >> shift & _BYTE])
                sum_ ^= np.uint64(_EFFECTS[7 - byte, high >> shift & _BYTE])
            at += _TOGETHER
        while at < ends[n]:
            last = (sum_ ^ np.uint64(data[at])) & _BYTE
            sum_ = sum_ >> np.uint64(8) ^ np.uint64(_EFFECTS[0, last])
            at += 1
        out[n] = np.uint32(sum_ ^ np.uint64(0xFFFFFFFF))
