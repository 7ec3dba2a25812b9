"""The words for values: names, phrases and the labels of charts, for texts, pages and plots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Protocol

from zermelo.forms.quantities import count_phrase
from zermelo.values.measure import Measure
from zermelo.values.outcomes import DRAW, LOSS, WIN, Outcome, Value
from zermelo.values.player_names import wins
from zermelo.values.results import Counts, Option


class ValueComparison(Protocol):
    """The comparison of values that words need, which ``Kind`` has."""

    def is_equally_good(self, value: Value, other: Value) -> bool:
        """Return whether two moves with these values are equally good."""

    def lost_part(self, best: Value, value: Value) -> str | None:
        """Return the part of a value that a move loses; or None; see ``Kind``."""


class Words:
    """The words for the values of a kind: names, phrases, and the texts of charts.

    Attributes:
        kind: the kind of value, which compares values.
        measure: the value of a position under random play.
        outcomes: the words for positions of an outcome.
        title: the title of a chart of all values.
        axis: the label of the axis of such a chart.
        unit: the meaning of a number beside an outcome.
        only_moves: in what sense one move alone may be good: a heading, and the kind of positions;
            won ones first, then drawn ones.
        traps: the definition of a trap.
    """

    measure: ClassVar[Measure] = Measure(
        "expected score under random play: a win is 100 %, a draw 50 %", 0.5, "expected score {}"
    )
    outcomes: ClassVar[Mapping[Outcome, str]] = {WIN: "won", DRAW: "tied", LOSS: "lost"}
    title: ClassVar[str] = "Positions by the distance to their end"
    axis: ClassVar[str] = "plies to the end, by the outcome for the player to move"
    unit: ClassVar[str] = "plies to the end, for the player to move"
    only_moves: ClassVar[tuple[tuple[str, str], ...]] = (
        ("one winning move", "won "),
        ("one saving move", "drawn "),
    )
    traps: ClassVar[str] = (
        "A trap is a move that loses although the position was not lost, and that looks good: the "
        "player who makes it has an expected score of at least 50 % under random play. It is "
        "tempting if no move that does not lose looks better."
    )

    def __init__(self, kind: ValueComparison) -> None:
        """Store the kind of value."""
        self.kind = kind

    def labelled_counts(self, counts: Counts) -> list[tuple[str, int]]:
        """Return the number of positions of each outcome, with labels."""
        return [("win", counts.win), ("loss", counts.loss)]

    def coordinate(self, value: Value) -> int | None:
        """Return the coordinate of a value on the axis of a chart, or None without one."""
        return value.remoteness

    def final_margin(self, value: Value, points: int) -> int:  # noqa: ARG002  # points are of scores
        """Return the winner in the end: more than 0 for the player to move, 0 for a draw.

        Args:
            value: the value of the position.
            points: the margin of the player to move so far.
        """
        return int(value.outcome or 0)

    def margin_phrase(self, value: Value, margin: int, plies_per_move: int = 1) -> str:  # noqa: ARG002  # for scores
        """Return the plies or the margin of a win as a phrase that begins with a space; or "".

        Args:
            value: the value of the position.
            margin: the winner, or the margin; see ``final_margin``.
            plies_per_move: the number of plies that the game counts as one move: 2 in chess.
        """
        if not value.remoteness:  # the game is over, or it is not known
            return ""
        plies = count_phrase(value.remoteness, "plies")
        if plies_per_move == 1:
            return f" in {plies}"
        moves = -(-value.remoteness // plies_per_move)
        return f" in {count_phrase(moves, 'moves')} ({plies})"

    def draw_phrase(self, value: Value) -> str:
        """Return a phrase for a draw."""
        if value.remoteness is None:
            return "a draw, as neither side can force an end"
        return f"a tie{self.margin_phrase(value, 0)}"

    def known_phrase(self, value: Value) -> str:
        """Return the known part of a value, as words that follow "this is"."""
        return str(value)

    def owned_phrase(self, value: Value, player: str | None) -> str:  # noqa: ARG002  # for games
        """Return a value in words, with its player unless the value is the same for both.

        Args:
            value: the value of a position.
            player: the name of the player to move there; None if the position does not show it.
        """
        return str(value) if value.outcome is DRAW else f"{value} for the player to move"

    def ending(
        self, value: Value, winner: str | None, points: int = 0, plies_per_move: int = 1
    ) -> str:
        """Return a short phrase on how a game ends under perfect play.

        Args:
            value: the value of the position.
            winner: the winner, or None.
            points: the margin of the player to move so far.
            plies_per_move: the number of plies that the game counts as one move: 2 in chess.
        """
        if winner is None:
            return self.draw_phrase(value)
        margin = self.final_margin(value, points)
        return f"{wins(winner)}{self.margin_phrase(value, margin, plies_per_move)}"

    def mistake(self, best: Value, value: Value) -> str:
        """Return the effect of a move that is not best, such as ``turned a draw into a loss in 8``.

        Args:
            best: the value of a best move.
            value: the value of the move.

        Returns:
            The phrase, which follows the name of the player or the move; "" for a best move.
        """
        if self.kind.is_equally_good(best, value):
            return ""
        if best.outcome is not value.outcome or None in (best.remoteness, value.remoteness):
            return f"turned {self._as_noun(best, value)} into {self._as_noun(value, best)}"
        plies = abs((best.remoteness or 0) - (value.remoteness or 0))
        delay = count_phrase(plies, "plies")
        if best.outcome is WIN:
            return f"won {delay} later than necessary"
        if best.outcome is LOSS:
            return f"lost {delay} sooner than necessary"
        return f"put the tie off by {delay}"

    def _as_noun(self, value: Value, other: Value) -> str:
        """Return a value with an article; a draw without its kind, unless the other is one too."""
        if value.outcome is DRAW and other.outcome is not DRAW:
            return "a draw"
        return f"{'an' if value.is_endless else 'a'} {value}"

    def move_notes(self, value: Value, options: Sequence[Option]) -> list[str]:  # noqa: ARG002
        """Return a short phrase on each move, besides its value; "" for one without.

        Args:
            value: the value of the position.
            options: its moves.
        """
        return [""] * len(options)

    def common_values(self, counts: Counts) -> str:  # noqa: ARG002  # for partizan games
        """Return the commonest values in words, where outcomes say little of them; otherwise ""."""
        return ""

    def explanations(self, value: Value, options: Sequence[Option]) -> Iterator[str]:  # noqa: ARG002
        """Yield sentences that explain a value further, besides the winner."""
        yield from ()
