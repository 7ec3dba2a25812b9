"""Chess endings of two to four men."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from zermelo.errors import ParameterError, PositionError
from zermelo.game.facts import Fact
from zermelo.games.chess._board import ChessBoard
from zermelo.games.chess._men import (
    HOMES,
    LETTERS,
    NONE,
    OFF,
    PAWN,
    QUEEN,
    WHITE,
    Men,
)
from zermelo.games.chess._text import COLOURS, draw, move_name, picture, placed, read, stand_of
from zermelo.symmetry import Symmetry, grid
from zermelo.values.outcomes import DRAW, LOSS, Outcome

_TABLES = "maxima of the Nalimov tables, kirill-kryukov.com, topic 920"
_KARRER = "statistics by Peter Karrer, in the same forum"
_MACE = "macechess.blogspot.com, Chess endgame table base KQKR"
_MOVES = "mate in 10 moves is a win in 19"
_GREEN = "greenchess.net, rules of the chancellor: 11 moves at most"
_SLOW = "plain retrograde analysis with slow rules of their own, by us"
_MEN = re.compile(r"K([{0}]{{0,2}})K([{0}]{{0,2}})".format(LETTERS[1:].replace("K", "")))


@dataclass(frozen=True)
class ChessEnding(ChessBoard):
    """Chess with two to four men on the board: mate wins, and stalemate is a draw.

    The rules are those of chess without castling, repetition and the fifty-move rule: where
    neither side can force an end, the game is an endless draw. Pawns are promoted to a queen, a
    rook, a bishop or a knight, and take in passing. Some men of fairy chess are known, too: amazon
    (M), chancellor (C), archbishop (A), nightrider (H), camel (L) and zebra (Z).

    Attributes:
        men: white's men and then black's, each beginning with the king, as in ``KQKR``; fairy men
            stand behind the others, as in ``KRKA``.
        fen: the position to begin in, in Forsyth-Edwards notation; without it, the men stand where
            they do at the start of a game, as far as there is room, and white is to move.
    """

    men: str = "KQK"
    fen: str | None = None

    players = COLOURS
    plies_per_move = 2

    facts: ClassVar[tuple[Fact, ...]] = (
        Fact({"men": "KQK"}, longest_win=19, longest_loss=20, note=_MOVES, source=_TABLES),
        Fact({"men": "KRK"}, longest_win=31, longest_loss=32, source=_TABLES),
        Fact({"men": "KPK"}, longest_win=55, longest_loss=56, source=_TABLES),
        Fact({"men": "KBNK"}, longest_win=65, longest_loss=66, source=_KARRER),
        Fact(
            {"men": "KQKR"},
            positions=20508124,
            longest_win=69,
            longest_loss=70,
            note="the positions are counted by a C program of ours",
            source=_MACE,
        ),
        Fact({"men": "KCK"}, longest_win=21, longest_loss=22, source=_GREEN),
        *(
            Fact(
                {"men": men},
                positions=positions,
                win=wins,
                loss=losses,
                longest_win=longest,
                longest_loss=longest + 1,
                source=_SLOW,
            )
            for men, positions, wins, losses, longest in (
                ("KMK", 357228, 126060, 201064, 7),
                ("KCK", 387888, 156720, 200892, 21),
                ("KAK", 406004, 174836, 201576, 33),
            )
        ),
    )

    def start(self) -> Men:
        """Return the position that ``fen`` gives, or the one with all men at home."""
        return self._home if self.fen is None else self.parse(self.fen)

    def turn(self, p: Men) -> int:
        """Return the player to move."""
        return p.side

    def outcome(self, p: Men) -> Outcome | None:
        """Return LOSS for mate, DRAW for stalemate, None while there is a legal move."""
        if self.king_targets(p):
            return None
        if self.first_side == p.side and p.first < OFF and self.first_targets(p):
            return None
        if self.second_side == p.side and p.second < OFF and self.second_targets(p):
            return None
        return LOSS if self.in_check(p, p.side) else DRAW

    def moves(self, p: Men) -> Iterator[tuple[int, int, int]]:
        """Yield each legal move: two squares, and the kind that a pawn is promoted to or 0."""
        king = p.black_king if p.side else p.white_king
        targets = self.king_targets(p)
        while targets:
            target = (targets & -targets).bit_length() - 1
            targets ^= self.bits[target]
            yield king, target, NONE
        if self.first_side == p.side and p.first < OFF:
            yield from self.man_moves(p.first, p.first_kind, self.first_targets(p))
        if self.second_side == p.side and p.second < OFF:
            yield from self.man_moves(p.second, p.second_kind, self.second_targets(p))

    def man_moves(self, here: int, kind: int, targets: int) -> Iterator[tuple[int, int, int]]:
        """Yield a move to each target; for a pawn on the last rank, one for each promotion."""
        while targets:
            target = (targets & -targets).bit_length() - 1
            targets ^= self.bits[target]
            if kind == PAWN and not 8 <= target < 56:
                for becomes in range(QUEEN, PAWN):
                    yield here, target, becomes
            else:
                yield here, target, NONE

    def play(self, p: Men, move: tuple[int, int, int]) -> Men:
        """Return the position after a move."""
        source, target, becomes = move
        victim = self.taken(p, source, target)
        first, first_kind = self.moved(
            p.first, p.first_kind, self.first_man, source, target, becomes, victim
        )
        second, second_kind = self.moved(
            p.second, p.second_kind, self.second_man, source, target, becomes, victim
        )
        return self.tidy(
            Men(
                target if source == p.white_king else p.white_king,
                target if source == p.black_king else p.black_king,
                first,
                second,
                first_kind,
                second_kind,
                1 - p.side,
                self.passes(p, source, target),
            )
        )

    def moved(
        self, square: int, kind: int, man: int, here: int, there: int, becomes: int, taken: int
    ) -> tuple[int, int]:
        """Return a man's square and kind after a move; ``man`` is his kind at the start."""
        if square == here:
            return there, becomes or kind
        if square == taken:
            return OFF, man
        return square, kind

    def taken(self, p: Men, here: int, there: int) -> int:
        """Return the square whose man a move takes, if there is one."""
        pawn = p.second if p.side else p.first
        if p.passing and here == pawn and (there & 7) != (here & 7):
            return there + (8 if p.side else -8)
        return there

    def passes(self, p: Men, here: int, there: int) -> int:
        """Return 1 if a move takes a pawn two squares beside a pawn of the other side, else 0."""
        if not self.both_pawns or p.first_kind != PAWN or p.second_kind != PAWN:
            return 0
        pawn, enemy_pawn = (p.second, p.first) if p.side else (p.first, p.second)
        if here != pawn or (there - here != 16 and here - there != 16):
            return 0
        is_beside = enemy_pawn - there == 1 or there - enemy_pawn == 1
        return 1 if is_beside and enemy_pawn >> 3 == there >> 3 else 0

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the symmetries: turns of the board, and exchanges of like men or of the sides.

        With pawns the board has only one reflection, and a second together with the exchange of
        sides.
        """
        squares = ("white_king", "black_king", "first", "second")
        men = (("first", "second"), ("first_kind", "second_kind"))
        pawns = PAWN in (self.first_man, self.second_man)
        symmetries = [Symmetry(grid(8, 8, "columns" if pawns else "all"), squares=squares)]
        if self.first_man != self.second_man:
            return tuple(symmetries)
        if self.first_side == self.second_side and self.first_man:
            symmetries.append(Symmetry(swap=men))
        elif pawns:
            upturned, sides = grid(8, 8, "rows"), (squares[:2], *men)
            symmetries.append(
                Symmetry(upturned, squares=squares, swap=sides, flip=("side",), together=True)
            )
        elif self.first_man:
            symmetries.append(Symmetry(swap=(squares[:2], *men), flip=("side",)))
        else:
            symmetries.append(Symmetry(swap=(squares[:2],), flip=("side",)))
        return tuple(symmetries)

    def space(self) -> Men:
        """Return the range of each field, a single number for a man that the ending lacks."""
        board: Any = range(OFF)
        men = []
        for man in (self.first_man, self.second_man):
            kinds = range(QUEEN, PAWN + 1) if man == PAWN else range(man, man + 1)
            men.append((range(OFF + 1) if man else range(OFF, OFF + 1), kinds))
        (first, first_kind), (second, second_kind) = men
        passing = range(2 if self.both_pawns else 1)
        rest: tuple[Any, ...] = (first, second, first_kind, second_kind, range(2), passing)
        return Men(board, board, *rest)

    def validate(self) -> None:
        """Raise ParameterError unless ``men`` is an ending and ``fen`` a position of it."""
        _check_men(self.men)
        if self.fen is None:
            return
        try:
            self.parse(self.fen)
        except PositionError as error:
            message = f"fen: {error}"
            raise ParameterError(message) from None

    @property
    def _home(self) -> Men:
        """All men on their squares at the start of a game, as far as these are free."""
        places: dict[int, int] = {}
        for number, (man, side) in enumerate(self.extra):
            if man:
                homes = (square + (side * (56 if man != PAWN else 40)) for square in HOMES[man])
                places[number] = next(at for at in homes if at not in places.values())
        (first_kind, _), (second_kind, _) = self.extra
        squares = sorted(places.values()) if len(set(self.extra)) == 1 else [*places.values()]
        squares += [OFF] * (2 - len(squares))
        return Men(4, 60, squares[0], squares[1], first_kind, second_kind, WHITE, 0)

    def name(self, move: tuple[int, int, int]) -> str:
        """Return a move as chess engines write it: ``e1e2``, or ``e7e8q`` for a promotion."""
        return move_name(move)

    def show(self, p: Men) -> str:
        """Return the board in letters, white's large, and the side to move."""
        return draw(stand_of(p, self.extra))

    def title(self) -> str:
        """Return the men of both sides, such as ``Chess: K+Q against K``."""
        match = _MEN.fullmatch(self.men)
        assert match is not None  # noqa: S101  # they were checked when it was made
        white, black = ("+".join(f"K{men}") for men in match.groups())
        return f"Chess: {white} against {black}"

    def svg(self, p: Men) -> str:
        """Draw the board."""
        return picture(stand_of(p, self.extra))

    def parse(self, text: str) -> Men:
        """Read a position in Forsyth-Edwards notation, or as ``show`` writes it.

        A square that may be taken in passing counts only if a pawn can take there.

        Raises:
            PositionError: it is neither, has other men than this ending, or is not legal.
        """
        p = placed(text, read(text), self.extra)
        p = self.tidy(p)
        if not self.legal(p):
            message = f"{text!r} is not a legal position; {self._fault(p)}"
            raise PositionError(message)
        return p

    def _fault(self, p: Men) -> str:
        """Return why a position is illegal that has the right men on different squares."""
        if any(
            kind == PAWN and square < OFF and not 8 <= square < 56
            for square, kind in ((p.first, p.first_kind), (p.second, p.second_kind))
        ):
            return "move the pawn off the first or the last rank"
        if self.in_check(p, 1 - p.side):
            return f"{self.players[p.side]} is to move and could take the king"
        return "no pawn can just have come two squares; write - for the square it passed"


def _check_men(men: Any) -> None:
    match = _MEN.fullmatch(men) if isinstance(men, str) else None
    if match is None or len(match[1] + match[2]) > 2:
        message = (
            f"men {men!r} are not an ending of two to four men; write white's and then black's, "
            "each from the king down, such as 'KQKR'"
        )
        raise ParameterError(message)
    tidy = "".join("K" + "".join(sorted(side, key=LETTERS.index)) for side in match.groups())
    if tidy != men:
        message = f"men {men!r} are not in the usual order; write {tidy!r}"
        raise ParameterError(message)
