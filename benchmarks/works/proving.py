"""Positions proved by search."""

from __future__ import annotations

from typing import Any

from benchmarks.works.common import Answer, Prepared


def connect_four(width: int, height: int, lines: list[str]) -> Prepared:
    """Prove positions of Connect Four, given as moves by column from 1."""
    import zermelo
    from zermelo.games import ConnectFour

    game = ConnectFour(width=width, height=height)
    boards = []
    for line in lines:
        board = game.start()
        for column in line.replace("-", ""):
            board = game.play(board, int(column) - 1)
        boards.append(board)
    zermelo.prove(game, nodes=20_000)  # until its table has grown

    def tell(proofs: list[Any]) -> Answer:
        visited = sum(proof.nodes for proof in proofs)
        return {"values": [int(proof.value) for proof in proofs], "extra": {"nodes": visited}}

    def run() -> list[Any]:
        # One thread, so that what the others take for themselves counts for nothing.
        return [zermelo.prove(game, position=board, memory="4GB", threads=1) for board in boards]

    return run, tell


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
