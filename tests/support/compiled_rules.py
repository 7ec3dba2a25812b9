"""The compiled form of a game's rules: what it does at a position, and which code serves a game.

A solution shows neither: it has values, not the children in their order, and none says what was
compiled for it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from unittest import mock

import numpy as np

from zermelo._compile.rules import CompiledRules, compile_rules
from zermelo._compile.run.cache import COMPILED, MOST_INLINED
from zermelo._engine.expand.expander import FULL, OK, Buffers

__all__ = [
    "COMPILED",
    "MOST_INLINED",
    "CompiledGame",
    "Expansion",
    "compile_rules",
    "kernel_of",
    "without_move_numbers",
]


@dataclass(frozen=True)
class Expansion:
    """What compiled rules say of a position.

    Attributes:
        children: the positions that its moves lead to.
        value: the code of its value, if the rules give it one.
        owner: whose turn it is, or None where players alternate.
        gains: the points of each move, if the game has points.
    """

    children: list[Any]
    value: int
    owner: int | None
    gains: list[int]


class CompiledGame:
    """The compiled rules of a game."""

    def __init__(self, game: Any) -> None:
        """Compile the rules."""
        self.rules = compile_rules(game)
        self.kind = self.rules.kind

    def expand(self, positions: Iterable[Any]) -> list[Expansion]:
        """Return the children of positions and their values by the compiled rules.

        Raises:
            CompileError: the rules cannot be compiled.
            RulesError: a rule raised an error.
            AssertionError: a child is outside the declared space.
        """
        rules, layout = self.rules, self.rules.rules.layout
        keys = np.array([layout.pack(p) for p in positions], np.uint64).reshape(-1)
        count, capacity = len(keys) // rules.words, 1 + 4 * len(keys)
        while True:
            buffers = Buffers.for_rules(rules, count, capacity)
            expanded, child_count, status = rules(keys, 0, count, buffers)
            if status != FULL:
                break
            capacity *= 4
        assert (status, expanded) == (OK, count), (status, expanded)
        rows = buffers.children[: child_count * rules.words].reshape(-1, rules.words).tolist()
        ends = [0, *buffers.ends.tolist()]
        return [
            Expansion(
                children=[layout.unpack(words) for words in rows[begin:end]],
                value=int(buffers.values[n]),
                owner=None if rules.alternate else int(buffers.owners[n]),
                gains=buffers.gains[begin:end].tolist(),
            )
            for n, (begin, end) in enumerate(pairwise(ends))
        ]


def kernel_of(game: Any) -> Any:
    """Return the compiled code that serves a game; games that share it compile nothing."""
    return compile_rules(game)._entry


def without_move_numbers() -> Any:
    """Name moves in Python, as those of rules without source are named."""
    return mock.patch.object(CompiledRules, "with_move_numbers", return_value=None)
