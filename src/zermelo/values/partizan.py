"""Values of partizan games: the game in canonical form that a position is worth.

A position is a game {left options | right options} under normal play, in which a player who cannot
move has lost (Conway, On Numbers and Games; Siegel, Combinatorial Game Theory, 2013). Left is the
player to move, as values are for the player to move; the same position with the other player to
move is worth the negative.

A code is the number of a canonical form; each solve numbers the forms that occur in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from zermelo.values.combinatorial.canonical_forms import CanonicalForms
from zermelo.values.combinatorial.combinatorial_value import (
    CombinatorialValue,
    form_in,
    value_of,
)
from zermelo.values.kind import Answer, Codes, spread
from zermelo.values.normal_play import NormalPlay
from zermelo.values.option_roles import OptionRole, option_roles
from zermelo.values.outcomes import LOSS, WIN, Value, in_words
from zermelo.values.player_names import player_phrase
from zermelo.values.results import Counts, Option, Probes
from zermelo.values.words import Words

#: The most values and moves that are named in a sentence.
_MOST_NAMED = 6


class PartizanWords(Words):
    """The words for values of partizan games."""

    title = "Positions by the winner"
    axis = "the winner, for the player to move"
    unit = "value of the game, with the player to move as Left"

    def coordinate(self, value: Value) -> int | None:  # noqa: ARG002  # games are not in a line
        """Return None, as games have no axis."""
        return None

    def known_phrase(self, value: Value) -> str:
        """Return the value, and who wins, as words that follow "this is"."""
        return f"{value}, a {value.outcome} for the player to move"

    def _as_noun(self, value: Value, other: Value) -> str:  # noqa: ARG002  # games say too much
        """Return the outcome with an article."""
        return f"a {value.outcome}"

    def owned_phrase(self, value: Value, player: str | None) -> str:
        """Return a value, and who is Left in it."""
        left = f"{player_phrase(player)} (to move)" if player else "the player to move"
        return f"{value}, with {left} as Left"

    def common_values(self, counts: Counts) -> str:
        """Return the commonest values with their numbers in words; "" if there is none."""
        ranked = commonest(counts)
        if not ranked:
            return ""
        named = ", ".join(f"{value} ({count:,})" for value, count in ranked[:_MOST_NAMED])
        if len(ranked) == 1:
            return named
        hidden = " …" if len(ranked) > _MOST_NAMED else ""
        return f"{len(ranked):,} different, the commonest {named}{hidden}"

    def move_notes(self, value: Value, options: Sequence[Option]) -> list[str]:
        """Return the role of each move in the canonical form of its position."""
        if not isinstance(value, CombinatorialValue):
            return super().move_notes(value, options)
        return [role.note for role in option_roles(value, options)]

    def explanations(self, value: Value, options: Sequence[Option]) -> Iterator[str]:
        """Yield sentences on the canonical form, and on the moves that it leaves out."""
        if not isinstance(value, CombinatorialValue):
            return
        yield f"The position is worth {value}, with the player to move as Left."
        groups: dict[OptionRole, list[str]] = {}
        for option, role in zip(options, option_roles(value, options), strict=True):
            groups.setdefault(role, []).append(option.name)
        yield from _canonical_form(value, groups) if options else ()
        for role, names in groups.items():
            if not role.is_canonical:
                noun = "move" if len(names) == 1 else "moves"
                reason = _reason(role, len(names))
                yield f"  Left's {noun} {_names(names)} to {role.value} {reason}."


def commonest(counts: Counts) -> list[tuple[Value, int]]:
    """Return values with their numbers of positions, the most first."""
    return sorted(counts.by_value.items(), key=lambda pair: -pair[1])


def _canonical_form(
    value: CombinatorialValue, groups: Mapping[OptionRole, Sequence[str]]
) -> Iterator[str]:
    """Yield a sentence on the options of the canonical form, and what else the value says."""
    if value.is_zero:
        yield "As 0 it has no option in canonical form: neither player gains by any move."
        return
    if value.number is not None:
        moves = abs(value.number)
        ahead = "ahead" if value.number > 0 else "behind"
        noun = "move" if moves <= 1 else "moves"
        lead = f"{moves} {noun} {ahead}"
        yield f"It is a number: the player to move is {lead}, regardless of who begins."
    moves_of_left = {role.value: names for role, names in groups.items() if role.is_canonical}
    left = [
        f"{each} ({_names(moves_of_left[each])})" if each in moves_of_left else str(each)
        for each in value.left
    ]
    right = list(map(str, value.right))
    sides = [
        f"{player} can move to {_choice(texts)}" if texts else f"{player} has no move"
        for player, texts in (("Left", left), ("Right", right))
    ]
    yield f"In its canonical form, {', and '.join(sides)}."


def _reason(role: OptionRole, count: int) -> str:
    """Return a phrase on why the canonical form has no option for some moves."""
    verb = "is" if count == 1 else "are"
    if role.better is not None:
        return f"{verb} dominated by {role.better.name} to {role.better.value}"
    if role.reply is None:
        return f"{verb} dominated by what takes the place of a reversible move"
    replaced = _choice(list(map(str, role.reply.left)))
    place = f"Left's next moves, to {replaced}, take" if role.reply.left else "nothing takes"
    return (
        f"{verb} reversible: Right's reply to {role.reply} is no better for Left than the position "
        f"was, so that {place} {'its' if count == 1 else 'their'} place"
    )


def _names(names: Sequence[str]) -> str:
    """Return the names of moves, the first of many."""
    if len(names) > _MOST_NAMED:
        return f"{', '.join(names[:_MOST_NAMED])} and {len(names) - _MOST_NAMED:,} more"
    return in_words(names)


def _choice(texts: Sequence[str]) -> str:
    *leading, last = texts or [""]
    return f"{', '.join(leading)} or {last}" if leading else last


class PartizanValues(NormalPlay):
    """Values of partizan games under normal play.

    Attributes:
        forms: the canonical forms whose numbers are the codes.
    """

    words_class = PartizanWords
    name = "partizan"
    method = "partizan"
    answers: ClassVar[tuple[Answer, ...]] = (Answer("value", None),)
    section_types: ClassVar[Mapping[str, Any]] = MappingProxyType(
        dict.fromkeys(
            ("left_starts", "left_options", "right_starts", "right_options"), np.dtype(np.int64)
        )
    )

    @property
    def noun(self) -> str:
        """The words for one of its values."""
        return "value as a partizan game"

    def __init__(self, forms: CanonicalForms | None = None) -> None:
        """Store the canonical forms; by default only 0."""
        self.forms = CanonicalForms() if forms is None else forms
        # Questions about sums add forms, which are not those of the table.
        self._count = len(self.forms)

    def sections(self) -> Mapping[str, npt.NDArray[Any]]:
        """Return the canonical forms as arrays for a file; see ``Kind``."""
        sections = dict(zip(self.section_types, self.forms.arrays(), strict=True))
        for side in ("left", "right"):
            starts = sections[f"{side}_starts"][: self._count + 1]
            options = sections[f"{side}_options"][: starts[-1]]
            sections |= {f"{side}_starts": starts, f"{side}_options": options}
        return sections

    def with_sections(self, arrays: Mapping[str, npt.NDArray[Any]]) -> PartizanValues:
        """Return the kind with the canonical forms of a file; see ``Kind``.

        Raises:
            ValueError: the arrays are not those of canonical forms.
        """
        return PartizanValues(CanonicalForms.of_arrays(**arrays))

    @property
    def has_close_codes(self) -> bool:
        """Whether the codes of a table often fill a range, as numbers of forms do."""
        return True

    def has(self, value: Value) -> bool:
        """Return whether a value is that of a partizan game."""
        return isinstance(value, CombinatorialValue)

    def encode(self, value: Value) -> int:
        """Return the code of a value.

        Raises:
            ValueError: it is not the value of a partizan game.
        """
        if not isinstance(value, CombinatorialValue):
            message = f"{value!r} is not the value of a partizan game"
            raise ValueError(message)  # noqa: TRY004  # the type of Value is its kind
        return form_in(self.forms, value)

    def decode(self, code: int) -> CombinatorialValue:
        """Return the value that a code stands for."""
        return value_of(self.forms, code)

    def of_move(  # other kinds need the other arguments
        self,
        code: int,
        *,
        same_mover: bool,  # noqa: ARG002
        gain: int = 0,  # noqa: ARG002
        endless: int = 0,  # noqa: ARG002
    ) -> int:
        """Return the value after a move for the player who makes it: the negative."""
        return self.forms.negative(code)

    def of_moves(self, worths: Iterable[int]) -> int:
        """Raise ValueError, as a value also follows from the other player's moves."""
        message = f"the moves to {list(worths)!r} of one player do not tell the value"
        raise ValueError(message)

    def sum(self, codes: Iterable[int]) -> int:
        """Return the code of a sum of positions; see ``Kind``."""
        total = 0
        for code in codes:
            total = self.forms.sum(total, code)
        return total

    def move_value(self, code: int) -> Value:
        """Return the value of a move to this value: the value, and the winner after the move."""
        outcome = WIN if self.forms.is_at_most(0, code) else LOSS
        return value_of(self.forms, code, outcome)

    def preference(self, code: int) -> int:
        """Return 1 for a move that wins, that is to a value of at least 0, and -1 for others."""
        return 1 if self.forms.is_at_most(0, code) else -1

    def are_codes(self, numbers: Codes) -> bool:
        """Return whether numbers from a file may be numbers of forms."""
        return bool(((numbers >= 0) & (numbers <= np.iinfo(self.dtype).max)).all())

    def outcomes(self, codes: Codes) -> npt.NDArray[np.int8]:
        """Return WIN or LOSS (1, -1) for each code: a value of at most 0 is a loss for Left."""
        distinct, inverse = np.unique(codes, return_inverse=True)
        signs = [-1 if self.forms.is_at_most(code, 0) else 1 for code in distinct.tolist()]
        outcomes: npt.NDArray[np.int8] = np.array(signs, np.int8)[inverse.reshape(np.shape(codes))]
        return outcomes

    def columns(self, codes: Codes) -> list[tuple[npt.NDArray[Any], npt.NDArray[np.bool_] | None]]:
        """Return the indices of the values among ``texts``."""
        _, inverse = np.unique(codes, return_inverse=True)
        return [(inverse.reshape(np.shape(codes)), None)]

    def texts(self, codes: Codes) -> list[str]:
        """Return the texts of the different values, in the order of their codes."""
        return [str(self.decode(code)) for code in np.unique(codes).tolist()]

    def probes(self, is_found: npt.NDArray[np.bool_], codes: Codes) -> Probes:
        """Return values as arrays."""
        all_codes = spread(is_found, codes, np.int64)
        outcome = np.where(is_found, self.outcomes(all_codes), np.int8(0))
        distinct, inverse = np.unique(all_codes, return_inverse=True)
        values = np.empty(len(distinct), object)
        values[:] = [self.decode(code) for code in distinct.tolist()]
        value = values[inverse.reshape(-1)]
        value[~is_found] = None
        remoteness = np.full(len(is_found), -1, np.int64)
        return Probes(is_found, outcome, remoteness, None, value=value)

    def counts(self, tally: Mapping[int, int]) -> Counts:
        """Return the number of positions of each value."""
        codes = np.array([code for code, count in tally.items() if count], np.int64)
        won = dict(zip(codes.tolist(), (self.outcomes(codes) > 0).tolist(), strict=True))
        by_value: dict[Value, int] = {self.decode(code): tally[code] for code in won}
        wins = sum(tally[code] for code, is_won in won.items() if is_won)
        return Counts(wins, 0, sum(by_value.values()) - wins, by_value=by_value)

    def tally(self, counts: Counts) -> dict[int, int]:
        """Return the number of positions of each code."""
        return {self.encode(value): count for value, count in counts.by_value.items()}

    def sorted_counts(self, counts: Counts) -> list[tuple[Value, int]]:
        """Return the number of positions of each value, the commonest first, as none is best."""
        return commonest(counts)


PARTIZAN = PartizanValues()
