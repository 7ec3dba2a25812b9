"""The positions of a game as one file, which ``files.js`` reads."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.web.export.columns import Packer
from zermelo.web.export.phrases import endings, losses

if TYPE_CHECKING:
    from array import array

    from zermelo.web.export.collector import CollectedPositions, SameShape
    from zermelo.web.session import ExplorerSession

#: The version of the file, which the page of the same folder reads.
FORMAT = 1

Numbers = npt.NDArray[np.uint64]


def pack_positions(room: ExplorerSession, found: CollectedPositions) -> bytes:
    """Return the file: a gzip stream of the length of a description, the description, and columns.

    Args:
        room: the game.
        found: its positions.
    """
    solution, packer = room.solution, Packer()
    degree, target = _numbers(found.degree), _numbers(found.target)
    every = [_numbers(found.shape), degree, _numbers(found.mover)]
    worth = _worths(found)
    moves = [_numbers(found.move), _steps(target, degree)]
    if worth is None:
        moves.append(_numbers(found.worth))
    described: dict[str, Any] = {
        "format": FORMAT,
        "game": room.game().model_dump() | {"seconds": 0.0},  # the same files each time
        "statistics": room.statistics().model_dump(),
        "gains": solution.kind.gains,
        "positions": len(found),
        "edges": len(target),
        "tokens": found.tokens.things,
        "values": [json.loads(value) for value in found.values.things],
        "moves": found.moves.things,
        "worth": worth,
        "endings": endings(found, solution),
        "losses": losses(found, solution),
        "columns": packer.columns(every),
        "edge": packer.columns(moves),
        "shapes": [_shape(shape, packer) for shape in found.packed],
    }
    head = json.dumps(described, ensure_ascii=False, separators=(",", ":")).encode()
    whole = len(head).to_bytes(4, "little") + head + packer.body
    return gzip.compress(whole, 9, mtime=0)


def _shape(shape: SameShape, packer: Packer) -> dict[str, Any]:
    """Return the storage of a shape's columns: values, parts of texts and pictures, and codes."""
    count = len(shape.worths)
    tokens = _numbers(shape.tokens).reshape(count, -1)
    numbers = np.array([n & (1 << 64) - 1 for n in shape.numbers], np.uint64).reshape(count, -1)
    negative = np.array(shape.numbers, object).reshape(count, -1) < 0
    alphabets, columns = [], []
    for column in tokens.T:
        alphabet, ranks = np.unique(column, return_inverse=True)
        alphabets.append(alphabet.tolist())
        columns.append(ranks.astype(np.uint64))
    return {
        "count": count,
        "text": shape.text,
        "alphabets": alphabets,
        "signed": negative.any(axis=0).tolist(),
        "tokens": packer.columns(columns),
        "code": packer.columns([*numbers.T]),
        "worth": packer.columns([_numbers(shape.worths)])[0],
    }


def _worths(found: CollectedPositions) -> list[int] | None:
    """Return the values of moves by the values of successors, or None if they do not suffice."""
    shape = np.frombuffer(found.shape, np.uint32)
    value = np.zeros(len(found), np.int64)
    for number, each in enumerate(found.packed):
        value[shape == number] = np.frombuffer(each.worths, np.uint32)
    worth = np.frombuffer(found.worth, np.uint32).astype(np.int64)
    led = value[np.frombuffer(found.target, np.uint32)]
    table = np.zeros(len(found.values), np.int64)
    table[led] = worth
    return table.tolist() if (table[led] == worth).all() else None


def _steps(target: Numbers, degree: Numbers) -> Numbers:
    """Return the distance of each successor back from the next new position; 0 if it is that."""
    source = np.repeat(np.arange(len(degree), dtype=np.uint64), degree.astype(np.int64))
    earlier = np.concatenate([[0], np.maximum.accumulate(target)])[:-1].astype(np.uint64)
    return np.maximum(earlier, source) + np.uint64(1) - target


def _numbers(numbers: array[int]) -> Numbers:
    return np.frombuffer(numbers, np.uint32).astype(np.uint64)
