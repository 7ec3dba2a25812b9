"""Proof files: the game, the position, the result, and the strategies that prove it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.file.arrays import check_array
from zermelo._engine.file.format import plan
from zermelo.proving.components import unsuited_reason
from zermelo.proving.strategies.component_strategy import ComponentStrategy
from zermelo.proving.strategies.replies import Claim, Keys, nimber_claim
from zermelo.proving.strategies.strategy import Strategy

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.file.reader import Reader
    from zermelo._engine.file.writer import Blocks, Writer

#: The kind of file in the header.
KIND = "proof"
#: Positions in a block.
_PER_BLOCK = 1 << 12
#: A number greater than any value of a search, and any number of positions in a file.
_MOST_NUMBER = 1 << 40
#: The keys of a strategy in the header, with their types.
_STRATEGY_KEYS = {
    "mover": bool,
    "least": int,
    "far": bool,
    "great": int,
    "positions": int,
    "ranks": int,
}
#: The arrays with an element for each position of a strategy.
_COLUMNS = {"moves": np.uint16, "least": np.int32, "ranks": np.uint32}


def write(writer: Writer, header: dict[str, Any], strategies: list[Strategy], words: int) -> None:
    """Write the header and the strategies of a proof.

    Args:
        writer: the file.
        header: its facts about the game and the result.
        strategies: the strategies.
        words: words of a packed position.
    """
    sizes: dict[str, tuple[Any, ...]] = {}
    strategy_headers = []
    for n, strategy in enumerate(strategies):
        claim, count = strategy.claim, len(strategy.moves)
        strategy_headers.append(
            {
                "mover": claim.mover,
                "least": claim.least,
                "far": claim.with_distance,
                "great": claim.win_value,
                "positions": count,
                "ranks": len(strategy.ranks),
                "components": strategy.in_components,
                "nimber": claim.nimber,
            }
        )
        first = strategy.rows[::_PER_BLOCK].size
        sizes[f"first{n}"] = (np.uint64, first, _PER_BLOCK)
        sizes[f"positions{n}"] = (np.uint8, 0, 0, -(-count // _PER_BLOCK))
        for name, dtype in _COLUMNS.items():
            sizes[f"{name}{n}"] = (dtype, len(getattr(strategy, name)), _PER_BLOCK)
    header = {**header, "table": {"kind": KIND, "words": words, "strategies": strategy_headers}}
    writer.begin(header, plan(sizes))
    for n, strategy in enumerate(strategies):
        writer.write_array(f"first{n}", strategy.rows[::_PER_BLOCK].reshape(-1))
        _write_positions(writer, f"positions{n}", strategy.keys, words)
        for name in _COLUMNS:
            writer.write_array(f"{name}{n}", getattr(strategy, name))
    writer.finish()


def _write_positions(writer: Writer, name: str, keys: Keys, words: int) -> None:
    """Write ascending positions as steps; see ``sorted_blocks``."""
    from zermelo._engine.index.sorted_blocks import WORD, encode

    def part(begin: int, end: int) -> Blocks:
        block_words = _PER_BLOCK * words
        block_keys = np.ascontiguousarray(keys[begin * block_words : end * block_words])
        data = np.empty(WORD * len(block_keys), np.uint8)
        ends = np.empty(end - begin, np.int64)
        encode(block_keys, words, _PER_BLOCK, data, ends)
        return data[: ends[-1]], ends

    writer.write_parts(name, part, 16)


def proof_header(compiled: CompiledRules, facts: dict[str, Any]) -> dict[str, Any]:
    """Return the header of a proof file, without its strategies.

    Args:
        compiled: the rules, canonicalising as they were searched.
        facts: the question and the result, as JSON values.
    """
    from zermelo._store.save_table import identity_of

    return {
        **identity_of(compiled),
        "method": KIND,
        **facts,
        "folded": compiled.is_folded,
        "symmetries": len(compiled.elements),
        "fields": compiled.rules.layout.to_header(),
    }


def read(reader: Reader, compiled: CompiledRules) -> list[Strategy]:
    """Return the strategies of a file.

    Raises:
        CorruptTableError: its header or its arrays are invalid.
    """
    table_header = reader.header["table"]
    words = compiled.words
    strategy_headers = table_header.get("strategies")
    if table_header.get("words") != words or not isinstance(strategy_headers, list):
        raise reader.part_error("header")
    strategies: list[Strategy] = []
    for n, strategy_header in enumerate(strategy_headers):
        is_dict = isinstance(strategy_header, dict)
        if not is_dict or any(
            type(strategy_header.get(key)) is not kind for key, kind in _STRATEGY_KEYS.items()
        ):
            raise reader.part_error("header")
        if not all(
            abs(strategy_header[key]) < _MOST_NUMBER for key in ("least", "great", "positions")
        ):
            raise reader.part_error("header")
        count = strategy_header["positions"]
        keys = _read_positions(reader, n, count, words)
        if strategy_header["ranks"] not in (0, count):
            raise reader.part_error("header")
        # As many as the positions, which were just read; equal elements take almost no space.
        lengths = {
            name: strategy_header["ranks"] if name == "ranks" else count for name in _COLUMNS
        }
        for name, dtype in _COLUMNS.items():
            check_array(reader, f"{name}{n}", np.dtype(dtype), lengths[name], _PER_BLOCK)
        columns = (reader.array(f"{name}{n}", lengths[name]) for name in _COLUMNS)
        nimber, in_components = strategy_header.get("nimber"), strategy_header.get("components")
        claim = Claim(
            strategy_header["mover"],
            strategy_header["least"],
            strategy_header["far"],
            strategy_header["great"],
            nimber,
        )
        is_nimber = type(nimber) is int and 0 <= nimber < _MOST_NUMBER and in_components is True
        if nimber is not None and not (is_nimber and claim == nimber_claim(nimber)):
            raise reader.part_error("header")
        if in_components is True:
            strategies.append(
                _read_component_strategy(reader, compiled, claim, keys, list(columns))
            )
        else:
            strategies.append(Strategy(compiled, claim, keys, *columns))
    return strategies


def _read_component_strategy(
    reader: Reader, compiled: CompiledRules, claim: Claim, keys: Keys, columns: list[Any]
) -> ComponentStrategy:
    """Return a strategy by components.

    Raises:
        CorruptTableError: the game does not allow one, or an array is too short.
    """
    _, least, ranks = columns
    if unsuited_reason(compiled.rules) is not None or len(ranks) != len(least):
        raise reader.part_error("header")
    return ComponentStrategy(compiled, claim, keys, least, ranks)


def _read_positions(reader: Reader, n: int, count: int, words: int) -> Keys:
    """Return the positions of a strategy.

    Raises:
        CorruptTableError: their number is wrong, or they do not ascend.
    """
    from zermelo._engine.index.sorted_blocks import decode

    name, blocks = f"positions{n}", -(-count // _PER_BLOCK)
    stored = reader.array_entry(name)
    check_array(reader, f"first{n}", np.dtype(np.uint64), blocks * words, _PER_BLOCK)
    if count < 0 or stored.blocks != blocks or stored.dtype != np.uint8:
        raise reader.part_error(f"array {name!r}")
    first = reader.array(f"first{n}")
    keys = np.empty(count * words, np.uint64)
    for block, data in reader.blocks(stored.first, stored.blocks):
        index = block - stored.first
        block_keys = keys[index * _PER_BLOCK * words : (index + 1) * _PER_BLOCK * words]
        steps = np.frombuffer(data, np.uint8)
        begin = first[index * words : (index + 1) * words].copy()
        if not decode(steps, 0, len(steps), begin, words, block_keys):
            raise reader.part_error(f"array {name!r}")
    if not _ascending(keys.reshape(-1, words)):
        raise reader.part_error(f"array {name!r}")
    return keys


def _ascending(rows: Keys) -> bool:
    """Whether each position is greater than the one before."""
    greater = np.zeros(max(len(rows) - 1, 0), np.bool_)
    for word in reversed(range(rows.shape[1])):
        later, earlier = rows[1:, word], rows[:-1, word]
        greater = (later > earlier) | ((later == earlier) & greater)
    return bool(greater.all())
