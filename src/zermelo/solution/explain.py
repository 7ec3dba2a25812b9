"""Explanations of a position's value, in sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.game.chance import Face
from zermelo.values.outcomes import DRAW, LOSS, WIN, ExpectedValue, Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from zermelo.rules.view import Answering
    from zermelo.values.results import Line, Option, Options

#: The most moves that are listed one by one; the rest are only counted.
_MOST_MOVES = 12
#: The most moves of the line of best play that are written out.
_LONGEST_LINE = 40


@dataclass(frozen=True, slots=True, repr=False)
class Explanation:
    """The reasons for a position's value. Its text is its sentences, one a line.

    Attributes:
        position: the position.
        value: its value for the player to move.
        sentences: the reasons; those about one move of several begin with two spaces.
        line: a line of best play from here.
    """

    position: Any
    value: Value
    sentences: tuple[str, ...]
    line: Line

    def __str__(self) -> str:
        """Return the sentences, one a line."""
        return "\n".join(self.sentences)

    def __repr__(self) -> str:
        """Return the first of the sentences."""
        return f"<Explanation: {self.sentences[0]}>"

    def _repr_html_(self) -> str:
        """Return the board beside the reasons, for notebooks."""
        from zermelo.forms import notebook_html as answers

        return answers.explanation(self)


def explain(solution: Answering, position: Any = None, reasons: Iterable[str] = ()) -> Explanation:
    """Explain the value of a position.

    Where chance decides, or may decide later, each move or result has its expectation.

    A win is explained by one move and the answer to every reply; a loss by the answer to every
    move; a draw by a move that holds it and by what every attempt to win comes to. Each step goes
    to a position nearer the end, whose value can be explained in its turn.

    Args:
        solution: the solved game.
        position: the position; by default the start.
        reasons: further reasons, before the line of best play.

    Raises:
        PositionError: the solution does not contain it.
    """
    position = solution.start if position is None else position
    value = solution[position]
    line = solution.line(position, longest=_LONGEST_LINE)
    sentences = tuple(_Explainer(solution).about(position, value, line, reasons))
    return Explanation(position, value, sentences, line)


class _Explainer:
    def __init__(self, solution: Answering) -> None:
        self.solution = solution
        self.rules = solution.rules
        self.kind = solution.kind

    def about(
        self, position: Any, value: Value, line: Line, reasons: Iterable[str]
    ) -> Iterator[str]:
        options = self.solution.options(position)
        if not options:
            yield self._terminal_sentence(position, value)
            return
        if isinstance(value, ExpectedValue):
            yield from self._expectation_sentences(value, options)
        elif self.kind.partial:
            yield from self._bound_sentences(value, options)
        elif self.kind.gains:
            yield from self._score_sentences(position, options)
        elif value.outcome is WIN:
            yield from self._win_sentences(position, options)
        elif value.outcome is LOSS:
            yield from self._loss_sentences(position, options)
        else:
            yield from self._draw_sentences(position, options)
        yield from self.kind.words.explanations(value, options)
        yield from reasons
        yield self._best_play(line)

    def _terminal_sentence(self, position: Any, value: Value) -> str:
        if isinstance(value, ExpectedValue) and value.is_scored:
            margin = int(value.expectation)
            return f"The game is over; the final margin for the player to move is {margin:+d}."
        if self.kind.gains and not isinstance(value, ExpectedValue):
            return f"The game is over; the final margin for the player to move is {value.score:+d}."
        result = {"win": "has won", "draw": "has neither won nor lost", "loss": "has lost"}[
            value.word
        ]
        if self.rules.terminal(position) is None:
            return f"The player to move has no move and so {result}."
        return f"The game is over: the rules say that the player to move {result}."

    def _win_sentences(self, position: Any, options: list[Option]) -> Iterator[str]:
        best = options[0]
        yield f"The player to move wins{self._in(best.value)} with {best.name}."
        yield from self._reply_sentences(position, best)
        winning = [o for o in options[1:] if o.value.outcome is WIN]
        if winning:
            verb_too = "also wins" if len(winning) == 1 else "also win"
            yield f"{_names(winning)} {verb_too}{self._delay_phrase(best, winning)}."
        worse = [o for o in options if o.value.outcome is not WIN]
        if worse:
            verb = "throws" if len(worse) == 1 else "throw"
            yield f"{_option_list(worse)} {verb} the win away."

    def _loss_sentences(self, position: Any, options: list[Option]) -> Iterator[str]:
        subject = "The only move" if len(options) == 1 else "Every move"
        yield f"The player to move loses{self._in(options[0].value)}. {subject} loses:"
        yield from self._refutation_lines(position, options)

    def _draw_sentences(self, position: Any, options: list[Option]) -> Iterator[str]:
        best = options[0]
        yield f"With best play it is {self.kind.words.draw_phrase(best.value)}."
        holding = self.kind.best(options)
        verb = "keeps" if len(holding) == 1 else "keep"
        yield f"{_names(holding)} {verb} the draw."
        slower = [o for o in options if o.value.outcome is DRAW and o.value != best.value]
        if slower:
            verb = "also draws, but is" if len(slower) == 1 else "also draw, but are"
            yield f"{_option_list(slower)} {verb} worth less."
        losing = [o for o in options if o.value.outcome is LOSS]
        if losing:
            yield "No move wins, and some lose:"
            yield from self._refutation_lines(position, losing)
        else:
            yield "No move wins."

    def _bound_sentences(self, value: Value, options: list[Option]) -> Iterator[str]:
        """Yield sentences on what is known along a proof, and what is not."""
        yield f"For the player to move this is {self.kind.words.known_phrase(value)}."
        groups: dict[str, list[Option]] = {}
        for option in options:
            groups.setdefault(self.kind.words.known_phrase(option.value), []).append(option)
        for phrase, group in groups.items():
            verb = "is" if len(group) == 1 else "are"
            yield f"  {_names(group)} {verb} {phrase}."

    def _score_sentences(self, position: Any, options: list[Option]) -> Iterator[str]:
        best = options[0]
        margin = f"a margin of {best.value.score:+d}"
        yield f"The player to move makes {margin} from here with {best.name}."
        for option in options[:_MOST_MOVES]:
            gain = self.rules.gain(position, option.move)
            score = option.value.score or 0
            yield f"  {option.name}: {gain:+d} now, {score - gain:+d} later, {score:+d} in all."
        yield from _hidden_count(options)

    def _expectation_sentences(self, value: ExpectedValue, options: Options) -> Iterator[str]:
        """Yield sentences on a value of a game with chance."""
        what = "expects a margin of" if value.is_scored else "wins with probability"
        claim = f"{what} {value.number_text}"
        if options.by_chance:
            yield f"Chance decides. The player whose turn it is {claim}, the mean of:"
        elif len(options) == 1:
            yield f"The player to move {claim}, with the only move {options[0].name}."
            return
        else:
            yield f"The player to move {claim}, with {options[0].name}."
        for option in options[0 if options.by_chance else 1 : _MOST_MOVES]:
            lost = self.kind.words.mistake(options[0].value, option.value)
            is_worse = lost and not options.by_chance
            loss_clause = f", and {lost.replace('gave', 'gives')}" if is_worse else ""
            yield f"  {option.name}: {option.value}{loss_clause}."
        yield from _hidden_count(options)
        if options.undecided:
            yield (
                f"{_names(options.best_options)} may each be best: their bounds overlap, and a "
                "smaller precision= may tell them apart."
            )

    def _reply_sentences(self, position: Any, option: Option) -> Iterator[str]:
        """Yield sentences on why a move wins, with the answer to each reply."""
        replies = self.solution.options(option.position)
        if not replies:
            yield f"  After {option.name} the game is over."
        elif self._same_mover(position, option):
            continuation = f"and plays {replies[0].name}"
            yield f"  After {option.name} the same player moves again, {continuation}."
        elif len(replies) == 1:
            yield f"  After {option.name} there is one reply, and it loses:"
            yield from self._refutation_lines(option.position, replies)
        else:
            yield f"  After {option.name} every reply loses:"
            yield from self._refutation_lines(option.position, replies)

    def _refutation_lines(self, position: Any, options: list[Option]) -> Iterator[str]:
        """Yield for each losing move the answer to it, the longest defence first."""
        for option in options[:_MOST_MOVES]:
            answers = self.solution.options(option.position)
            if not answers:
                yield f"  {option.name} ends the game and loses."
            elif self._same_mover(position, option):
                yield f"  {option.name} keeps the turn and still loses{self._in(option.value)}."
            else:
                loses = f"loses{self._in(option.value)}"
                yield f"  {option.name} is answered by {answers[0].name}, and {loses}."
        yield from _hidden_count(options)

    def _in(self, value: Value) -> str:
        return self.kind.words.margin_phrase(value, 0)

    def _delay_phrase(self, best: Option, slower: list[Option]) -> str:
        slow = sum(not self.kind.is_equally_good(option.value, best.value) for option in slower)
        if not slow:
            return ""
        return ", more slowly" if slow == len(slower) else ", some more slowly"

    def _same_mover(self, position: Any, option: Option) -> bool:
        return self.rules.keeps_turn(position, option.move, option.position)

    def _best_play(self, line: Line) -> str:
        names = [self.rules.move_name(move) for move in line.moves]
        if not names:
            return "What comes next is not in the proof."
        ends = {
            "terminal": ".",
            "repeats": ", and so on for ever.",
            "cut": ", and so on.",
            "unknown": "; what comes then is not in the proof.",
        }
        label = "Best play, with the likeliest results" if self._has_chance(line) else "Best play"
        return f"{label}: {', '.join(names)}{ends[line.ends]}"

    def _has_chance(self, line: Line) -> bool:
        return any(isinstance(move, Face) for move in line.moves)


def _names(options: list[Option]) -> str:
    names = [option.name for option in options[:_MOST_MOVES]]
    if len(options) > _MOST_MOVES:
        return f"{', '.join(names)} and {len(options) - _MOST_MOVES:,} more"
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _option_list(options: list[Option]) -> str:
    texts = [f"{option.name} ({option.value})" for option in options[:_MOST_MOVES]]
    if len(options) > _MOST_MOVES:
        return f"{', '.join(texts)} and {len(options) - _MOST_MOVES:,} more"
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def _hidden_count(options: list[Option]) -> Iterator[str]:
    if len(options) > _MOST_MOVES:
        yield f"  … and likewise {len(options) - _MOST_MOVES:,} more."
