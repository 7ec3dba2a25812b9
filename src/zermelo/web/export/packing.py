"""The positions of a game as one file, which ``files.js`` reads."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.values.player_names import wins
from zermelo.web.chance import is_scored
from zermelo.web.export.columns import Packer
from zermelo.web.export.phrases import endings, losses

if TYPE_CHECKING:
    from array import array

    from zermelo.web.export.collector import CollectedPositions, SameShape
    from zermelo.web.session import ExplorerSession

#: The version of the file, which the page of the same folder reads.
FORMAT = 1

Numbers = npt.NDArray[np.uint64]


def pack_positions(room: ExplorerSession, collected: CollectedPositions) -> bytes:
    """Return the file: a gzip stream of the length of a description, the description, and columns.

    Args:
        room: the game.
        collected: its positions.
    """
    solution, packer = room.solution, Packer()
    degree, target = _numbers(collected.degree), _numbers(collected.target)
    per_position = [_numbers(collected.shape), degree, _numbers(collected.mover)]
    value_mapping = _worths(collected)
    moves = [_numbers(collected.move), _steps(target, degree)]
    if value_mapping is None:
        moves.append(_numbers(collected.move_value))
    description: dict[str, Any] = {
        "format": FORMAT,
        "game": room.game().model_dump() | {"seconds": 0.0},  # the same files each time
        "statistics": room.statistics().model_dump(),
        "gains": is_scored(solution),
        "positions": len(collected),
        "edges": len(target),
        "tokens": collected.tokens.things,
        "values": [_value(value) for value in collected.values.things],
        "partizan": collected.partizan,
        "moves": collected.moves.things,
        "worth": value_mapping,
        "wins": [wins(player) for player in solution.rules.players],
        "endings": endings(collected, solution),
        "losses": losses(collected, solution),
        "columns": packer.columns(per_position),
        "edge": packer.columns(moves),
        "shapes": [_shape(shape, packer) for shape in collected.packed],
    }
    head = json.dumps(description, ensure_ascii=False, separators=(",", ":")).encode()
    whole = len(head).to_bytes(4, "little") + head + packer.body
    return gzip.compress(whole, 9, mtime=0)


def _value(document: str) -> Any:
    """Return a value; of an expectation only its bounds and its text."""
    value = json.loads(document)
    return value if value["bounds"] is None else [*value["bounds"], value["text"]]


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


def _worths(collected: CollectedPositions) -> list[int] | None:
    """Return the values of moves by the values of successors, or None if they do not suffice."""
    shape = np.frombuffer(collected.shape, np.uint32)
    value = np.zeros(len(collected), np.int64)
    for number, shape_group in enumerate(collected.packed):
        value[shape == number] = np.frombuffer(shape_group.worths, np.uint32)
    move_values = np.frombuffer(collected.move_value, np.uint32).astype(np.int64)
    target_values = value[np.frombuffer(collected.target, np.uint32)]
    table = np.zeros(len(collected.values), np.int64)
    table[target_values] = move_values
    return table.tolist() if (table[target_values] == move_values).all() else None


def _steps(target: Numbers, degree: Numbers) -> Numbers:
    """Return the distance of each successor back from the next new position; 0 if it is that."""
    source = np.repeat(np.arange(len(degree), dtype=np.uint64), degree.astype(np.int64))
    earlier = np.concatenate([[0], np.maximum.accumulate(target)])[:-1].astype(np.uint64)
    return np.maximum(earlier, source) + np.uint64(1) - target


def _numbers(numbers: array[int]) -> Numbers:
    return np.frombuffer(numbers, np.uint32).astype(np.uint64)
