"""Positions proved by search."""

from __future__ import annotations

from typing import Any

from benchmarks.works.common import Answer, Prepared


def connect_four(
    width: int,
    height: int,
    lines: list[str],
    *,
    plain: bool = False,
    remoteness: bool = False,
    threads: int = 1,
) -> Prepared:
    """Prove positions of Connect Four, given as moves by column from 1.

    Args:
        width: columns of the board.
        height: its rows.
        lines: the moves to each position.
        plain: whether the class is to be one without hooks and symmetries.
        remoteness: whether to find in how many plies, too.
        threads: how many search; with one, what others take for themselves counts for nothing.
    """
    import zermelo
    from benchmarks.works.plain_four import PlainFour
    from zermelo.games import ConnectFour

    kind = PlainFour if plain else ConnectFour
    game = kind(width=width, height=height)
    boards = []
    for line in lines:
        board = game.start()
        for column in line.replace("-", ""):
            board = game.play(board, int(column) - 1)
        boards.append(board)
    zermelo.prove(game, nodes=20_000)  # until its table has grown

    def tell(proofs: list[Any]) -> Answer:
        visited = sum(proof.nodes for proof in proofs)
        told = {"nodes": visited, "plies": sum(proof.value.remoteness or 0 for proof in proofs)}
        return {"values": [int(proof.value.outcome) for proof in proofs], "extra": told}

    def run() -> list[Any]:
        how: dict[str, Any] = {"remoteness": remoteness, "threads": threads}
        how["memory"] = "6GB" if remoteness else "4GB"  # which then takes a second table
        return [zermelo.prove(game, position=board, **how) for board in boards]

    return run, tell


def boxes(rows: int, columns: int, *, every: bool = False) -> Prepared:
    """Prove the margin of Dots and Boxes from the start.

    Args:
        rows: the boxes in a column.
        columns: the boxes in a row.
        every: whether all moves are searched, and not those alone that the class says suffice.
    """
    import zermelo
    from zermelo.games import DotsAndBoxes

    class AllLines(DotsAndBoxes):
        enough = None  # type: ignore[assignment]

    game = (AllLines if every else DotsAndBoxes)(rows, columns)
    zermelo.prove(game, nodes=20_000)  # until its table has grown

    def tell(proof: Any) -> Answer:
        return {"value": int(proof.value.score), "extra": {"nodes": proof.nodes}}

    return lambda: zermelo.prove(game, threads=1, memory="4GB"), tell


def cram(rows: int, columns: int, search: str) -> Prepared:
    """Find who wins Cram from the empty board, with nothing known but the rules.

    Args:
        rows: the rows of the board.
        columns: its columns.
        search: by ``"components"``, or by ``"alpha-beta"`` over whole positions.
    """
    import zermelo
    from zermelo.games import Cram

    class BoundlessCram(Cram):
        bounds = None  # type: ignore[assignment]

    game = BoundlessCram(rows, columns)
    how: dict[str, Any] = {"search": search, "threads": 1, "memory": "4GB"}
    zermelo.prove(game, nodes=10, **how)

    def tell(proof: Any) -> Answer:
        return {"value": int(proof.value.outcome), "extra": {"nodes": proof.nodes}}

    return lambda: zermelo.prove(game, **how), tell


def by_dictionary() -> Prepared:
    """Find the value of Connect Four on four by four squares with a dictionary, in Python."""
    from zermelo.games import ConnectFour

    game = ConnectFour(width=4, height=4)

    def value(board: Any, known: dict[Any, int]) -> int:
        if board not in known:
            over = game.outcome(board)
            known[board] = (
                max(-value(game.play(board, move), known) for move in game.moves(board))
                if over is None
                else int(over)
            )
        return known[board]

    def run() -> dict[Any, int]:
        known: dict[Any, int] = {}
        value(game.start(), known)
        return known

    return run, lambda known: {"extra": {"nodes": len(known)}}
