"""Proofs as files: the game, the position, what was found, and the strategies that prove it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo._engine.file.arrays import check_array
from zermelo._engine.file.format import plan
from zermelo.proving.strategy import Claim, Strategy

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.file.reader import Reader
    from zermelo._engine.file.writer import Writer

#: What the header of such a file calls it.
KIND = "proof"
_PER_BLOCK = 1 << 12
#: What the header says of each strategy, and of which type.
_SAID = {"mover": bool, "least": int, "far": bool, "great": int, "positions": int}


def write(writer: Writer, header: dict[str, Any], strategies: list[Strategy], words: int) -> None:
    """Write strategies, and what a file says of itself.

    Args:
        writer: the file.
        header: what it says of the game and of what was found.
        strategies: the strategies.
        words: words of a packed position.
    """
    arrays: dict[str, Any] = {}
    said = []
    for n, strategy in enumerate(strategies):
        keys = sorted(strategy.moves)
        claim = strategy.claim
        said.append(
            {
                "mover": claim.mover,
                "least": claim.least,
                "far": claim.far,
                "great": claim.great,
                "positions": len(keys),
            }
        )
        arrays[f"positions{n}"] = np.frombuffer(b"".join(keys), np.uint64)
        arrays[f"next{n}"] = np.frombuffer(
            b"".join(strategy.moves[key][1] for key in keys), np.uint64
        )
        arrays[f"least{n}"] = np.array([strategy.moves[key][0] for key in keys], np.int32)
    header = {**header, "table": {"kind": KIND, "words": words, "strategies": said}}
    writer.begin(
        header, plan({name: (each.dtype, len(each), _PER_BLOCK) for name, each in arrays.items()})
    )
    for name, each in arrays.items():
        writer.write_array(name, each)
    writer.finish()


def described(compiled: CompiledRules, facts: dict[str, Any]) -> dict[str, Any]:
    """Return what a file says of a proof, its strategies apart.

    Args:
        compiled: the rules, folded as they were searched.
        facts: what was asked and found, as JSON can hold it.
    """
    from zermelo._store.saving import identity_of

    return {
        **identity_of(compiled),
        "method": KIND,
        **facts,
        "folded": compiled.is_folded,
        "symmetries": len(compiled.elements),
        "fields": compiled.rules.layout.told(),
    }


def read(reader: Reader, compiled: CompiledRules) -> list[Strategy]:
    """Return the strategies of a file.

    Raises:
        CorruptTableError: it is not what it says.
    """
    said = reader.header["table"]
    words = compiled.words
    given = said.get("strategies")
    if said.get("words") != words or not isinstance(given, list):
        raise reader.wrong("header")
    strategies = []
    for n, each in enumerate(given):
        right = isinstance(each, dict)
        if not right or any(type(each.get(key)) is not kind for key, kind in _SAID.items()):
            raise reader.wrong("header")
        count = each["positions"]
        check_array(reader, f"positions{n}", np.dtype(np.uint64), count * words, _PER_BLOCK)
        check_array(reader, f"next{n}", np.dtype(np.uint64), count * words, _PER_BLOCK)
        check_array(reader, f"least{n}", np.dtype(np.int32), count, _PER_BLOCK)
        keys = reader.array(f"positions{n}").tobytes()
        after = reader.array(f"next{n}").tobytes()
        least = reader.array(f"least{n}").tolist()
        size = 8 * words
        moves = {
            keys[at : at + size]: (least[at // size], after[at : at + size])
            for at in range(0, len(keys), size)
        }
        claim = Claim(each["mover"], each["least"], each["far"], each["great"])
        strategies.append(Strategy(compiled, claim, moves))
    return strategies
