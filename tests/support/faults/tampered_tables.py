"""Tables as somebody would write them who can make checksums.

It takes what writes and reads tables, as no public call makes a wrong one.
"""

from __future__ import annotations

import copy
import json
import math
import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import networkx as nx
import numpy as np
import zstandard

import zermelo
from support.games.dense import Ring
from support.games.strategies import OwnedScoreGame
from zermelo._compile.read import rules_digest
from zermelo._engine.file.format import ENTRY, checksum, digest, first_line
from zermelo._engine.file.reader import Reader
from zermelo.errors import CorruptTableError, PositionError, ZermeloError
from zermelo.games import CatAndMouse, ConnectFour, StoneGame, TakeAway
from zermelo.pursuits.definition import PursuitDefinition

#: A header and the blocks of each array, to be changed.
Change = Callable[[dict[str, Any], dict[str, list[bytearray]]], object]


@dataclass
class Table:
    """A table taken to pieces.

    Attributes:
        header: what it says, where blocks are left out.
        arrays: of each array its type, its length and the elements in a block.
        parts: of each array its blocks, not compressed.
    """

    header: dict[str, Any]
    arrays: dict[str, dict[str, Any]]
    parts: dict[str, list[bytearray]]

    @classmethod
    def of(cls, path: Path) -> Table:
        """Take a table to pieces."""
        with Reader(path) as reader:
            header = copy.deepcopy(reader.header)
            parts = {
                name: [bytearray(data) for _, data in reader.blocks(entry.first, entry.blocks)]
                for name, entry in reader.arrays.items()
            }
        header.pop("directory")
        return cls(header, header.pop("arrays"), parts)

    def copy(self) -> Table:
        """Return the same once more, to be changed."""
        parts = {
            name: [bytearray(block) for block in blocks] for name, blocks in self.parts.items()
        }
        return Table(*map(_copied, (self.header, self.arrays)), parts)

    def data(
        self,
        retold: Callable[[dict[str, Any]], object] = lambda header: None,
        relisted: Callable[[Any], Any] = lambda entries: entries,
    ) -> bytes:
        """Return the bytes of the table, with right checksums.

        Args:
            retold: may change all of the header, where blocks are among it.
            relisted: may change the directory, or return another.
        """
        arrays, frames, first = {}, [], 0
        for name, blocks in self.parts.items():
            arrays[name] = {**self.arrays[name], "first": first, "blocks": len(blocks)}
            first += len(blocks)
            frames += [(_compressed(bytes(block)), len(block)) for block in blocks]
        entries = np.array([(len(f), raw, checksum(f)) for f, raw in frames], ENTRY)
        entries = relisted(entries)
        body = b"".join(frame for frame, _ in frames)
        directory_checksum = digest(entries.tobytes())
        header = {**self.header, "arrays": arrays}
        # Numbers of the header are as long as they will be, before they are known.
        placeholder = 10**9
        header["directory"] = {
            "at": placeholder,
            "blocks": len(entries),
            "checksum": directory_checksum,
        }
        retold(header)
        size = len(json.dumps(header)) + 1
        if (
            isinstance(header.get("directory"), dict)
            and header["directory"].get("at") == placeholder
        ):
            header["directory"]["at"] = len(first_line(b"")) + size + len(body)
        text = json.dumps(header).encode().ljust(size - 1) + b"\n"
        return first_line(text) + text + body + entries.tobytes()


def _copied(tree: Any) -> Any:
    """Return a copy of what JSON has; many times as quick as ``copy.deepcopy``."""
    if isinstance(tree, dict):
        return {key: _copied(item) for key, item in tree.items()}
    return [_copied(item) for item in tree] if isinstance(tree, list) else tree


@cache
def _compressed(block: bytes) -> bytes:
    return zstandard.ZstdCompressor(level=1).compress(block)


def check_checksums(path: Path) -> None:
    """Compare all of a file with its checksums, and nothing of it with the rules."""
    with Reader(path) as reader:
        reader.check()


def headed(text: bytes) -> bytes:
    """Return a file of which the header is a text, and nothing else."""
    return first_line(text) + text


@contextmanager
def rules_read_once() -> Iterator[None]:
    """Compute the checksum of rules once, as it takes most of the time to open a table."""
    with mock.patch.object(rules_digest, "_compute_digest", cache(rules_digest._compute_digest)):
        yield


def forged(table: Path, change: Change) -> Path:
    """Write a table anew after somebody who can make checksums has changed its parts.

    ``change`` is given the header, and the blocks of each array as bytes.
    """
    pieces = Table.of(table)
    change(pieces.header, pieces.parts)
    path = table.with_name("forged")
    path.write_bytes(pieces.data())
    return path


# -- layouts --------------------------------------------------------------------------------------

PILES = tuple((7 * n * n + 3 * n) % 11 + 1 for n in range(50))
WHEEL = [[(v + 1) % 25, (v - 1) % 25, (v * v) % 25] for v in range(25)]


@dataclass(frozen=True)
class Layout:
    """A way in which tables are written, and a small solution that is.

    Attributes:
        solve: solves something.
        has_game: whether a class says what it is of.
    """

    solve: Callable[[], Any]
    has_game: bool = True


def _graph() -> Any:
    """Solve a graph whose nodes have names of several kinds."""
    edges = [(f"v{n}", f"v{(n * k + k) % 60}") for n in range(60) for k in (2, 3, 5)]
    graph = nx.DiGraph((a, b) for a, b in edges if a not in ("v3", "v7"))
    return zermelo.graph.solve_networkx(nx.relabel_nodes(graph, {"v4": ("v", 4), "v5": 5}))


def _chase() -> Any:
    """Solve a pursuit that is given by its graph."""
    return zermelo.pursuit(WHEEL, safe=[3], forbidden=[7], start=(1, (9,), 0))


LAYOUTS = {
    "listed": Layout(lambda: zermelo.solve(CatAndMouse(WHEEL, directed=True), method="retrograde")),
    "scores": Layout(lambda: zermelo.solve(StoneGame(PILES), method="score")),
    "plies": Layout(lambda: zermelo.solve(ROUND, value="score-and-plies")),
    "nimbers": Layout(lambda: zermelo.solve(TakeAway(60), value="nimber")),
    "slots": Layout(lambda: zermelo.solve(Ring(9, 2), method="dense")),
    "tiers": Layout(lambda: zermelo.solve(ConnectFour(3, 3, 3), method="placement")),
    "pursuit": Layout(lambda: zermelo.solve(CatAndMouse(WHEEL, directed=True), method="pursuit")),
    "graph": Layout(_graph, has_game=False),
    "chase": Layout(_chase, has_game=False),
    "proof": Layout(lambda: zermelo.prove(ConnectFour(3, 3, 3))),
}

#: A game with points and cycles.
ROUND = OwnedScoreGame(
    ((0, 1), (2,), (1, 3), (2, 4, 1), ()),
    ((0, 2), (0,), (0, 0), (0, -3, 0), ()),
    (0, 0, 0, 0, 4),
    (0, 1, 0, 1, 0),
    (0,),
)


class Proved:
    """What a proof says. Another one that says less is right as well."""

    def __init__(self, proof: zermelo.Proof) -> None:
        self.said = repr(proof.position)  # what was asked may be less, as what is told may
        low, high = proof.value.bounds
        self.bounds = -math.inf if low is None else low, math.inf if high is None else high
        self.best = proof.best_move

    def __eq__(self, other: object) -> bool:
        """Whether another proof says nothing that this one does not bear out."""
        assert isinstance(other, Proved)
        (low, high), (other_low, other_high) = self.bounds, other.bounds
        return (
            self.said == other.said
            and other_low <= low <= high <= other_high
            and (other_low < low or self.best == other.best)
        )

    __hash__ = None


def answers(solution: Any) -> Any:
    """Return all that a solution says of its positions, whichever way it is asked."""
    if isinstance(solution, zermelo.Proof):
        return Proved(solution)
    items = list(solution.items())
    positions = [position for position, _ in items]
    singly = [solution.get(position) for position in positions]
    return (
        items,
        singly,
        [solution[position] for position in positions[::17]],
        _listed(solution.get_many(positions)),
        [_or_none(lambda p=p: solution.options(p)) for p in positions[::29]],
        _or_none(lambda: (solution.start, solution.value)),
        solution.starts,
        solution.counts(),
        len(solution),
        repr(solution.rules.description),
        _listed(solution.arrays),
    )


def _listed(arrays: Any) -> Any:
    """Return what arrays hold, be they of positions, of vertices or of a pursuit."""
    if hasattr(arrays, "rounds"):
        turns = range(arrays.turns)
        return [
            arrays.rounds,
            *([arrays.winner(t).tolist(), arrays.remoteness(t).tolist()] for t in turns),
        ]
    names = getattr(arrays, "__dataclass_fields__", None) or ("outcome", "remoteness", "best")
    arrays_of_solution = [getattr(arrays, name) for name in names]
    return [
        array.tolist() if isinstance(array, np.ndarray) else None for array in arrays_of_solution
    ]


def _or_none(ask: Callable[[], Any]) -> Any:
    try:
        return ask()
    except PositionError:
        return None


WAITS: dict[Any, Any] = {
    (False, False): False,
    (True, True): True,
    (True, False): "evader",
    (False, True): "pursuers",
}


def again(opened: Any) -> Any:
    """Return what is said of a graph or a pursuit by one that is solved anew.

    It is what the file says it is. Who forges its edges, names or starts makes another one.
    """
    if isinstance(opened.rules, PursuitDefinition):
        graphs, definition = opened.rules.graphs, opened.rules
        return answers(
            zermelo.pursuit(
                graphs[0],
                graphs[1],
                pursuers=definition.pursuers,
                safe=np.flatnonzero(definition.safe).tolist(),
                forbidden=np.flatnonzero(definition.forbidden).tolist(),
                together=definition.together,
                may_stay=WAITS[definition.waits],
                stuck="stay" if definition.stays else "lose",
                endless=definition.endless,
                start=_or_none(lambda: opened.start),
            )
        )
    solution = zermelo.graph.solve(*opened.arrays.graph)
    solution.rules.nodes = opened.rules.nodes
    solution._solved.table.starts = opened._solved.table.starts
    return answers(solution)


def noticed(path: Path, game: Any, truth: Any) -> str:
    """Return what becomes of a forged file: ``refused``, ``false`` (verify) or ``right``.

    Where it is refused in a sentence that does not name it, return that.

    Raises:
        AssertionError: it verifies, and answers otherwise than the one that was solved.
        Exception: one that is none of ours.
    """
    try:
        solution = zermelo.open(path, game)
    except ZermeloError as error:
        sentence = str(error)
        return "refused" if str(path) in sentence else sentence
    try:
        try:
            if not solution.verify():
                return "false"
        except CorruptTableError:
            return "false"
        assert (again(solution) if game is None else truth) == answers(solution)
        return "right"
    finally:
        if not isinstance(solution, zermelo.Proof):
            solution.close()


# -- changes --------------------------------------------------------------------------------------

#: What may stand anywhere in a header instead of what is there.
STRANGE = [
    *(
        None,
        True,
        False,
        0,
        1,
        2,
        -1,
        7,
        255,
        256,
        65_536,
        1 << 31,
        1 << 40,
        1 << 62,
        1 << 70,
        -(1 << 40),
    ),
    *(
        "",
        "no",
        "win",
        "second",
        0.5,
        1e300,
        [],
        {},
        [0],
        [[]],
        {"a": 1},
        [None],
        ["no", "yes"],
        "\x00",
    ),
]


def leaves(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where everything stands in a header, of long lists only some."""
    if path:
        yield path
    if isinstance(tree, dict):
        for key, each in tree.items():
            yield from leaves(each, (*path, key))
    elif isinstance(tree, list):
        for n in sorted({0, 1, len(tree) // 2, len(tree) - 1} & set(range(len(tree)))):
            yield from leaves(tree[n], (*path, n))


def change_header(header: dict[str, Any], draw: random.Random) -> None:
    """Change one thing in a header: what stands there, or whether something does."""
    *path, last = draw.choice(list(leaves(header)))
    parent = header
    for key in path:
        parent = parent[key]
    here = parent[last]
    how = draw.randrange(6)
    if how == 0:
        del parent[last]
    elif how == 1 and isinstance(here, int) and not isinstance(here, bool):
        parent[last] = here + draw.choice((-1, 1, 2, -here, 256, -2 * here))
    elif how == 2 and isinstance(here, str):
        parent[last] = draw.choice((here[:-1], here + "x", here.upper(), here[::-1]))
    elif how == 3 and isinstance(here, list) and here:
        draw.choice((here.pop, here.reverse, lambda: here.append(here[0]), here.clear))()
    elif how == 4 and isinstance(here, dict):
        here[draw.choice(("positions", "value", "kind", "more", "remoteness"))] = draw.choice(
            STRANGE
        )
    else:
        parent[last] = draw.choice(STRANGE)


def change_blocks(table: Table, draw: random.Random) -> None:
    """Change what stands in the arrays, and perhaps how long they say they are."""
    name = draw.choice([name for name, blocks in table.parts.items() if blocks])
    blocks, each = table.parts[name], table.arrays[name]
    block = blocks[draw.randrange(len(blocks))]
    size = np.dtype(each["dtype"]).itemsize
    how = draw.randrange(12)
    if how < 4 and len(block) >= size:
        at = draw.randrange(len(block) // size) * size
        number = int.from_bytes(block[at : at + size], "little") + draw.choice((-1, 1, 2, -3, 256))
        block[at : at + size] = (number % (1 << 8 * size)).to_bytes(size, "little")
    elif how < 6:
        for _ in range(draw.choice((1, 1, 3, 20))):
            block[draw.randrange(len(block))] = draw.randrange(256)
    elif how < 7 and len(block) >= 2 * size:  # two change places
        a, b = (draw.randrange(len(block) // size) * size for _ in range(2))
        block[a : a + size], block[b : b + size] = block[b : b + size], block[a : a + size]
    elif how < 8:
        del block[draw.randrange(len(block)) :]
        each["length"] -= draw.choice((0, 1))
    elif how < 9:
        block.extend(draw.randbytes(draw.choice((1, size, 8, 4096))))
        each["length"] += draw.choice((0, 1))
    elif how < 10 and len(blocks) > 1:
        a, b = draw.sample(range(len(blocks)), 2)
        blocks[a], blocks[b] = blocks[b], blocks[a]
    elif how < 11:
        blocks.insert(draw.randrange(len(blocks)), bytearray(block))
    else:
        blocks.pop(draw.randrange(len(blocks)))
    if not block:
        block.append(0)


def change_directory(entries: Any, draw: random.Random) -> Any:
    """Change one number of the directory, or how many entries there are."""
    how = draw.randrange(6)
    if how == 0 and len(entries) > 1:
        return entries[:-1]
    if how == 1:
        return np.concatenate([entries, entries[-1:]])
    name, at = draw.choice(["stored", "raw", "checksum"]), draw.randrange(len(entries))
    number = int(entries[name][at])
    entries[name][at] = draw.choice(
        (0, number + 1, number - 1, number * 2, 1 << 24, (1 << 32) - 1)
    ) % (1 << 32)
    return entries


def forged_results(path: Path, other: Path, game: Any, count: int) -> Counter[str]:
    """Return how often forged copies of a small file end in what; see ``noticed``.

    Half of the copies have a changed header, half changed blocks.
    """
    table, truth, found = Table.of(path), answers(zermelo.open(path, game)), Counter[str]()
    for seed in range(count):
        draw, wrong = random.Random(seed), table.copy()
        if seed % 2:
            change_blocks(wrong, draw)
        else:
            change_header(wrong.header, draw)
        other.write_bytes(wrong.data())
        found[noticed(other, game, truth)] += 1
    return found
