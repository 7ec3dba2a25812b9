"""Tic-tac-toe solved with a dictionary, as a program of its own."""

from __future__ import annotations

import json

WIN, DRAW, LOSS = 1, 0, -1
LINES = (0o700, 0o070, 0o007, 0o111, 0o222, 0o444, 0o124, 0o421)
FULL = 0o777

#: Outcome for the player to move, and plies to the end.
Value = tuple[int, int]


def solve() -> dict[tuple[int, int], Value]:
    """Return the value of every board that can arise, by (own marks, the other's marks)."""
    table: dict[tuple[int, int], Value] = {}

    def value(mine: int, theirs: int) -> Value:
        board = mine, theirs
        if board in table:
            return table[board]
        if any(theirs & line == line for line in LINES):
            table[board] = LOSS, 0
        elif mine | theirs == FULL:
            table[board] = DRAW, 0
        else:
            replies = [
                value(theirs, mine | 1 << cell)
                for cell in range(9)
                if not (mine | theirs) >> cell & 1
            ]
            table[board] = max(((-outcome, plies + 1) for outcome, plies in replies), key=rank)
        return table[board]

    value(0, 0)
    return table


def rank(value: Value) -> tuple[int, int]:
    """Return a key that puts a quick win first, and of losses the slowest."""
    outcome, plies = value
    return outcome, plies if outcome == LOSS else -plies


def main() -> None:
    """Solve and print the value of the empty board and the counts."""
    table = solve()
    outcomes = [outcome for outcome, _ in table.values()]
    names = {WIN: "win", DRAW: "draw", LOSS: "loss"}
    outcome, plies = table[0, 0]
    answer = {
        "value": {"outcome": names[outcome], "remoteness": plies},
        "positions": len(table),
        "counts": {name: outcomes.count(number) for number, name in names.items()},
    }
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
