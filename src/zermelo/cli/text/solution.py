"""A solution as text for a terminal: the board, the winner, the best moves, and counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from zermelo._engine.core.compiling.versions import untested_numba
from zermelo.cli.arguments.command_text import command_words
from zermelo.cli.output import write, write_facts, write_line
from zermelo.cli.progress_bar import duration_text
from zermelo.cli.text.board import board
from zermelo.cli.text.values import expectation_sentence, owned_value_text, value_document
from zermelo.forms.quantities import count_phrase, every_phrase
from zermelo.game.chance import Face
from zermelo.game.contract import parameter_names
from zermelo.game.parameters import as_json
from zermelo.values.outcomes import WIN, ExpectedValue

if TYPE_CHECKING:
    from rich.text import Text

    from zermelo.cli.arguments.game import NamedGame
    from zermelo.solution.solution import Solution
    from zermelo.values.results import Counts, Line, Option, Options, Verification

#: Classes from which on their positions are counted only where that is asked for: it can take
#: longer than the solve.
MANY_CLASSES = 100_000
#: Best moves and moves of a line that are named before the rest are only counted.
_MOST_MOVES, _MOST_PLIES = 8, 12
#: Characters of a parameter; of the longest bar.
_LONGEST, _BAR = 60, 30
#: The text after the moves of a line, by its end.
_ENDS = {"terminal": "", "cut": ", …", "repeats": ", and so on without end", "unknown": ", …"}
#: The text beside the memory of a solve for which code was compiled.
_COMPILING = ", and what compiling took besides, this once: up to 150 MB"
#: The text on a version of Numba that Zermelo was not tested with.
_UNTESTED = "Numba {}, with which Zermelo is not tested: slower, and in each process anew"
#: The colours of counts, by the first word of their label.
_COLOURS = {
    "win": "green",
    "ahead": "green",
    "loss": "red",
    "behind": "red",
    "tie": "yellow",
    "even": "yellow",
}


@dataclass(frozen=True)
class SolveText:
    """The text of a solution.

    Attributes:
        game: the game.
        solution: its solution.
        counts: positions by value, or classes of equivalent ones.
        verification: the result of the certificate's check, or None.
        misere: whether a player who cannot move wins.
        from_cache: whether it comes from the cache.
        by_class: whether ``counts`` are of classes of equivalent positions.
        value: the kind of value that was requested, or None.
    """

    game: NamedGame
    solution: Solution
    counts: Counts
    verification: Verification | None
    misere: bool
    from_cache: bool
    by_class: bool = False
    value: str | None = None

    @cached_property
    def options(self) -> Options:
        """The moves, the best first; or the results of chance."""
        return self.solution.options()

    @cached_property
    def best(self) -> list[Option]:
        """The best moves."""
        return self.options.best_options

    @cached_property
    def slower(self) -> list[Option]:
        """The moves that win, too, but not as soon as the best; none in a score game."""
        if self.solution.kind.gains:
            return []
        best = set(map(id, self.best))
        return [o for o in self.options if o.value.outcome is WIN and id(o) not in best]

    @cached_property
    def line(self) -> Line:
        """The first moves of a line of perfect play."""
        return self.solution.line(longest=_MOST_PLIES)

    def document(self) -> dict[str, Any]:
        """Return the document that ``--json`` writes."""
        solution, counts, game = self.solution, self.counts, self.game.game
        return {
            "game": self.game.name,
            "parameters": {name: as_json(getattr(game, name)) for name in parameter_names(game)},
            "misere": self.misere,
            "method": solution.method,
            "choice": solution.choice,
            "start": as_json(solution.start),
            "value": value_document(solution.value),
            "winner": solution.winner,
            "best_moves": [
                {"move": as_json(option.move), "name": option.name} for option in self.best
            ],
            "slower_wins": [
                {"move": as_json(option.move), "name": option.name} for option in self.slower
            ],
            "positions": counts.positions,
            "classes": len(solution),
            "counts": {
                name: getattr(counts, name) for name in ("win", "loss", "draw", "tie", "endless")
            },
            **self._counted_values(),
            "verified": None if self.verification is None else self.verification.ok,
            "resumed": solution.resumed or None,
            "recalled": self.from_cache,
            "seconds": solution.seconds,
            "phases": [{"name": name, "seconds": seconds} for name, seconds in solution.phases],
            "threads": solution.threads,
            "peak_bytes": solution.peak_bytes,
        }

    def _counted_values(self) -> dict[str, Any]:
        """Return the number of positions of each value, for values of partizan games."""
        pairs = self.counts.by_value.items()
        values = [{"game": value.game_text, "positions": count} for value, count in pairs]
        return {"values": values} if values else {}

    # -- for people -------------------------------------------------------------------------------

    def show(self, *, verbose: bool) -> None:
        """Write the board, the result, the best moves, the counts, and further commands.

        Args:
            verbose: whether to add the method, and its time and memory.
        """
        from rich.text import Text

        solution = self.solution
        write(Text(solution.rules.title, "bold"))
        write_line(f"\n{board(solution.rules, solution.start, solution.start)}\n")
        write(Text(self.sentence, "bold"))
        write_facts(self._moves())
        write_line("")
        self._write_counts()
        rows = [*self._details(verbose=verbose), *self._certificate_text()]
        if rows:
            write_line("")
            write_facts(rows)
        write_line("")
        write_facts(self._next_commands(verbose=verbose), wrap=False)

    @property
    def sentence(self) -> str:
        """Who wins and how soon, in the game's own words."""
        solution, kind = self.solution, self.solution.kind
        if isinstance(solution.value, ExpectedValue):
            player = solution.rules.players[solution.rules.owner(solution.start)]
            return expectation_sentence(solution.value, player, self.counts)
        if solution.winner is None:
            return f"With perfect play it is {kind.words.draw_phrase(solution.value)}."
        ending = kind.words.ending(
            solution.value, solution.winner, 0, solution.rules.plies_per_move
        )
        return f"With perfect play {ending}."

    def _moves(self) -> list[tuple[str, str]]:
        """Return the value, the best moves and a line of perfect play."""
        solution = self.solution
        rows = [("value", owned_value_text(solution.value, solution, solution.start))]
        if self.options.by_chance:
            results = count_phrase(len(self.options), "results")
            rows.append(("by chance", f"{results}: {_move_names(self.options)}"))
        elif not self.best:
            return [
                *rows,
                ("best moves", f"none: the game is over at its start, {self._end_rule()}"),
            ]
        else:
            label = "best moves" if len(self.best) > 1 else "best move"
            if self.options.undecided:
                label = "best, or near"
            rows.append((label, _move_names(self.best)))
        if self.slower:
            label = "also win" if len(self.slower) > 1 else "also wins"
            rows.append((label, f"{_move_names(self.slower)}, but not as soon"))
        if len(self.line) > 1:
            played = ", ".join(map(self.solution.rules.move_name, self.line.moves))
            has_chance = any(isinstance(move, Face) for move in self.line.moves)
            label = "likeliest line" if has_chance else "best line"
            rows.append((label, played + _ENDS[self.line.ends]))
        return rows

    def _end_rule(self) -> str:
        """Return the rule that ends the game at its start."""
        rules, start = self.solution.rules, self.solution.start
        if rules.terminal(start) is None:
            return "where moves() yields none"
        from zermelo.rules.hooks import hooks_of

        hook = "outcome" if "outcome" in hooks_of(type(self.game.game)) else "winner"
        return f"where {hook}() gives a result"

    def _write_counts(self) -> None:
        """Write the number of positions of each outcome, with a bar for each."""
        from rich.table import Table
        from rich.text import Text

        counts, total = self.counts, self.counts.positions
        what = "classes of equivalent positions" if self.by_class else "positions"
        write_line(f"{count_phrase(total, what)}, by value for the player to move:")
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(no_wrap=True)
        table.add_column(justify="right", no_wrap=True)
        table.add_column(justify="right", no_wrap=True)
        table.add_column(no_wrap=True)
        for what, count in self.solution.kind.words.labelled_counts(counts):
            if count:
                colour = _COLOURS.get(what.split(",")[0].split()[-1], "yellow")
                share = f"{100 * count / total:.1f} %"
                row = (f"  {what}", f"{count:,}", share)
                table.add_row(*map(Text, row), _bar(count / total, colour))
        write(table)
        if common := self.solution.kind.words.common_values(counts):
            write_line("")
            write_facts([("values", common)])
        if len(self.solution) != total:
            write_line(f"in {count_phrase(len(self.solution), 'classes of equivalent positions')}")

    def _details(self, *, verbose: bool) -> list[tuple[str, str]]:
        """Return the rows on the method, its cost and the table."""
        from rich.filesize import decimal

        solution, rows = self.solution, []
        if verbose:
            times = ", ".join(
                f"{name} {duration_text(seconds)}" for name, seconds in solution.phases
            )
            rows.append(("method", f"{solution.method}: {solution.choice}"))
            rows.append(("time", f"{duration_text(solution.seconds)} ({times})"))
            if solution.peak_bytes and not self.from_cache:
                compiling = _COMPILING if solution.compile_seconds else ""
                rows.append(("memory", decimal(solution.peak_bytes) + compiling))
            if solution.compile_seconds and (version := untested_numba()):
                rows.append(("compiler", _UNTESTED.format(version)))
        if solution.resumed:
            rows.append(("resumed", f"as {solution.resumed}"))
        if self.from_cache:
            rows.append(("table", "read from the cache; --fresh solves the game again"))
        return rows

    def _certificate_text(self) -> list[tuple[str, str]]:
        """Return the row on the findings of the certificate, if it was requested."""
        verification = self.verification
        if verification is None:
            return []
        verdict = "holds" if verification.ok else "fails"
        positions = every_phrase(verification.positions, "positions")
        checked = f"{positions} and {count_phrase(verification.moves, 'moves')} checked"
        return [("certificate", f"{verdict}: {checked} in {duration_text(verification.seconds)}")]

    def _next_commands(self, *, verbose: bool) -> list[tuple[str, str]]:
        """Return commands to try next."""
        words = command_words(self.game) + (" --misere" if self.misere else "")
        checked, words = words, words + (f" --value {self.value}" if self.value else "")
        rows = [("play it", f"zermelo play {words}"), ("explore it", f"zermelo explore {words}")]
        if not type(self.game.game).__module__.startswith("zermelo."):
            rows.append(("check it", f"zermelo check {checked}"))
        return rows if verbose else [*rows, ("details", f"zermelo solve {words} -v")]


def _move_names(options: Sequence[Option]) -> str:
    """Return the names of the first moves, and the number of the others."""
    hidden = len(options) - _MOST_MOVES
    names = ", ".join(option.name for option in options[:_MOST_MOVES])
    return f"{names} and {hidden:,} more" if hidden > 0 else names


def _bar(share: float, colour: str) -> Text:
    """Return a bar as long as a share of the longest, at least one eighth of a character."""
    from rich.text import Text

    eighths = max(1, round(share * _BAR * 8))
    whole, remaining_eighths = divmod(eighths, 8)
    return Text("█" * whole + " ▏▎▍▌▋▊▉"[remaining_eighths].strip(), colour)
