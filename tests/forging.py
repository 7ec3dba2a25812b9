"""Tables as somebody would write them who can make checksums."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np

from zermelo._engine.file.format import Stored
from zermelo._engine.file.reader import Reader
from zermelo._engine.file.writer import Writer


def forged(table: Path, change) -> Path:
    """Write a table anew after somebody who can make checksums has changed its parts.

    ``change`` is given the header, and the blocks of each array as bytes.
    """
    with Reader(table) as reader:
        header = copy.deepcopy(reader.header)
        arrays = dict(reader.arrays)
        parts = {
            name: [bytearray(data) for _, data in reader.blocks(each.first, each.blocks)]
            for name, each in arrays.items()
        }
    change(header, parts)
    header.pop("arrays")
    header.pop("directory")
    first = 0
    path = table.with_name("forged")
    with Writer(path, overwrite=True) as writer:
        made = {}
        for name, blocks in parts.items():
            was = arrays[name]
            made[name] = Stored(was.dtype, was.length, was.per_block, first, len(blocks))
            first += len(blocks)
        writer.begin(header, made)
        for blocks in parts.values():
            writer.write_several(
                lambda n, _, blocks=blocks: (
                    (np.frombuffer(blocks[n], np.uint8), np.array([len(blocks[n])])),
                ),
                range(len(blocks)),
                1,
                (3,),
            )
        writer.finish()
    return path
