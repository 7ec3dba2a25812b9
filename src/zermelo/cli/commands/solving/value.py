"""``zermelo value``: shows the value of a partizan game, of a sum of games, or of a written one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.arguments.game import GameSum, NamedGame
from zermelo.cli.arguments.game_class import GameClass
from zermelo.cli.arguments.sums import SumCommand
from zermelo.cli.arguments.table import SolutionSource
from zermelo.cli.errors import Stop
from zermelo.cli.options import limit_options, output_options
from zermelo.cli.output import Output, write, write_columns, write_facts, write_line
from zermelo.cli.text.board import board, bold_text
from zermelo.cli.text.combinatorial import (
    hottest_first,
    spelling,
    value_facts,
    value_rows,
)
from zermelo.errors import ParameterError, RulesError
from zermelo.forms.quantities import count_phrase
from zermelo.game.parameters import as_json
from zermelo.values.outcomes import WIN
from zermelo.values.player_names import player_phrase

if TYPE_CHECKING:
    from zermelo.progress import Listener
    from zermelo.solution.solution import Solution
    from zermelo.values.combinatorial.combinatorial_value import CombinatorialValue
    from zermelo.values.results import Option

#: The name of the kind of value.
_PARTIZAN = "partizan"
#: Names in written values; all other letters are of games and files.
_NAMES = re.compile(r"\b(?:tiny|miny|v+)\b|v", re.IGNORECASE)
#: The last clause of a message that advises to ask for no value of a partizan game.
_ADVICE = re.compile(r"[;,] (?:or |so )?leave (?:it|value(?:='partizan')?) out$")
#: The most winning moves that are named.
_MOST_MOVES = 12


def is_written_value(text: str) -> bool:
    """Return whether a word is a written value such as ``{2|0} + ^``, not a game or file."""
    has_letters = re.search(r"[A-Za-z]", _NAMES.sub("", text)) is not None
    return bool(text.strip()) and not has_letters and not Path(text).is_file()


class ValueCommand(SumCommand):
    """A command about a game, a table, a sum of these, or a written value.

    For a written value, the command is called with ``game``, its text.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Make the command; all is as for a command about a game."""
        super().__init__(*args, **kwargs)
        self.params[0].metavar = "GAME_OR_VALUE"

    def _resolve_game(self, ctx: click.Context, args: list[str]) -> GameClass | None:
        text = self._game_word(ctx, args)
        if text is not None and is_written_value(text):
            return None
        return super()._resolve_game(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the command line; a written value may begin with a minus sign."""
        if args and args[0].startswith("-") and is_written_value(args[0]):
            args = [f"0 {args[0]}", *args[1:]]
        return super().parse_args(ctx, args)

    def _reads_sum(self, text: str) -> bool:
        return not is_written_value(text) and super()._reads_sum(text)

    def collect_usage_pieces(self, ctx: click.Context) -> list[str]:
        """Return the words after the command's name in the usage line."""
        pieces = super().collect_usage_pieces(ctx)
        return ["GAME_OR_VALUE" if piece == "TABLE_OR_GAME" else piece for piece in pieces]


@click.command(
    cls=ValueCommand,
    examples=[
        "zermelo value clobber --rows 2 --columns 5",
        "zermelo value domineering --rows 3 --columns 3 --json",
        "zermelo value 'domineering --rows 2 --columns 2 + domineering --rows 2 --columns 3'",
        "zermelo value '{2|0} + ^ - 1/2'",
    ],
)
@click.option(
    "--position",
    metavar="POSITION",
    help="The position, written as the game reads it; by default the start.",
)
@click.option(
    "--game",
    "kind",
    metavar="GAME",
    help="The class (path.py:Class) of a table's game, if it is not a built-in game.",
)
@click.option(
    "--ascii", "in_ascii", is_flag=True, help="Write values in ASCII, as CGSuite does: ^ for ↑."
)
@limit_options
@output_options("Write only the value.")
def value(
    *,
    game: NamedGame | GameSum | str,
    position: str | None,
    kind: str | None,
    in_ascii: bool,
    memory: int | None,
    threads: int | None,
    output: Output,
) -> None:
    """Show the value of a partizan game: canonical form and thermograph.

    GAME_OR_VALUE is a game with its parameters, in which a player who cannot move has lost and play
    must end; a table of such values, made by zermelo solve GAME --value partizan --table TABLE; a
    sum of several games or tables with + between them, in one pair of quotation marks; or a value
    as it is written, such as '{2|0} + ^ - 1/2'.

    The player to move is Left. Of a sum you also see the value of each part, the hottest first, and
    the moves that win.
    """
    if isinstance(game, str) and is_written_value(game):
        if position is not None:
            message = f"--position is for a game, and {game!r} is a written value; leave it out"
            raise Stop(message)
        _write_written(game, output, in_ascii=in_ascii)
        return
    limits = (memory, threads)
    with output.watch() as watch:
        parts = [_solved(part, kind, limits, watch) for part in _parts_of(game)]
        solution = parts[0]
        if isinstance(game, GameSum):
            from zermelo.sums import sum_of

            solution = sum_of(*parts, value=_PARTIZAN, memory=memory, threads=threads)
        place = solution.start if position is None else solution.parse(position)
    answer = _Answer(game, solution, parts if isinstance(game, GameSum) else [], place, in_ascii)
    output.write(answer.document(), answer.show, spelling(answer.value, in_ascii=in_ascii))


def _parts_of(game: NamedGame | GameSum | str) -> list[NamedGame | str]:
    return game.parts if isinstance(game, GameSum) else [game]


def _solved(
    part: NamedGame | str,
    kind: str | None,
    limits: tuple[int | None, int | None],
    progress: Listener,
) -> Solution:
    """Return a solution with values of partizan games.

    Raises:
        Stop: it is a table of other values.
        ParameterError: the game has no such values.
    """
    asked = _PARTIZAN if isinstance(part, NamedGame) else None
    source = SolutionSource(part, kind, False, asked, False, *limits)  # noqa: FBT003  # as listed
    try:
        solution = source.open(progress)
    except (ParameterError, RulesError) as error:
        text = _ADVICE.sub("", str(error)).replace("value='partizan' is for", "such values are of")
        if text == str(error):
            raise
        message = f"{text}; zermelo solve finds who wins without them"
        raise Stop(message) from None
    if solution.kind.algebra != _PARTIZAN:
        message = (
            f"{source.name!r} has no values of partizan games, but those of "
            f"{solution.kind.name!r}; make a table with zermelo solve GAME --value partizan"
        )
        raise Stop(message)
    return solution


def _write_written(text: str, output: Output, *, in_ascii: bool) -> None:
    """Write what is known of a written value."""
    from zermelo.values.combinatorial.combinatorial_value import CombinatorialValue

    value = CombinatorialValue.parse(text)

    def show() -> None:
        write_line(bold_text(spelling(value, in_ascii=in_ascii)) + "\n")
        write_facts(list(value_rows(value, "Left", "Right", in_ascii=in_ascii)))
        _write_sketch(value, in_ascii=in_ascii)

    output.write(value_facts(value), show, spelling(value, in_ascii=in_ascii))


def _write_sketch(value: CombinatorialValue, *, in_ascii: bool) -> None:
    """Write the thermograph, whose characters are not in ASCII."""
    if not in_ascii:
        write_line(f"\n{value.thermograph.sketch()}")


class _Answer:
    """The value of a position of a game, or of a sum of games."""

    def __init__(
        self,
        game: NamedGame | GameSum | str,
        solution: Solution,
        parts: list[Solution],
        position: Any,
        in_ascii: bool,  # noqa: FBT001  # of one command
    ) -> None:
        self.game = game
        self.solution = solution
        self.parts = parts
        self.position = position
        self.in_ascii = in_ascii
        found: Any = solution[position]
        self.value: CombinatorialValue = found
        part_values: list[Any] = [
            part[part_position]
            for part, part_position in zip(parts, position if parts else (), strict=True)
        ]
        self.part_values: list[CombinatorialValue] = part_values

    @property
    def left(self) -> str:
        """Left in a sentence."""
        return self._player(0) or "the player to move"

    @property
    def right(self) -> str:
        """Right in a sentence."""
        return self._player(1) or "the other player"

    def _player(self, shift: int) -> str | None:
        rules = self.solution.rules
        if rules.alternate:
            return None
        return player_phrase(rules.players[(rules.owner(self.position) + shift) % 2])

    @property
    def winning(self) -> list[Option]:
        """The moves that win."""
        options = self.solution.options(self.position)
        return [option for option in options if option.value.outcome is WIN]

    def document(self) -> dict[str, Any]:
        """Return the document that ``--json`` writes."""
        from zermelo.sums.layout import labels

        game = self.game
        document = {
            "game": game if isinstance(game, str) else game.name,
            "position": as_json(self.position),
            "left": self.left,
            "value": value_facts(self.value),
            "winning_moves": [
                {"move": as_json(option.move), "name": option.name} for option in self.winning
            ],
            "positions": self._positions,
        }
        if self.parts:
            names = labels(len(self.parts))
            document["parts"] = [
                {
                    "label": names[place],
                    "game": self.parts[place].rules.description,
                    "position": as_json(self.position[place]),
                    "value": value_facts(self.part_values[place]),
                }
                for place in hottest_first(self.part_values)
            ]
        return document

    def show(self) -> None:
        """Write the board, the value, all that is known of it, and the thermograph."""
        from rich.text import Text

        solution = self.solution
        start = solution.start
        write(Text(solution.rules.title, "bold"))
        write_line(f"\n{board(solution.rules, start, self.position)}\n")
        text = spelling(self.value, in_ascii=self.in_ascii)
        write_line(bold_text(f"{text}, with {self.left} (to move) as Left") + "\n")
        rows = list(value_rows(self.value, self.left, self.right, in_ascii=self.in_ascii))
        if self.parts:
            rows.append(("winning moves", self._winning_text()))
        rows.append(("solved", count_phrase(self._positions, "positions")))
        write_facts(rows)
        if self.parts:
            self._show_parts()
        _write_sketch(self.value, in_ascii=self.in_ascii)

    @property
    def _positions(self) -> int:
        """The number of positions that were solved; a sum is not listed, only its parts."""
        return sum(map(len, {id(part): part for part in self.parts or [self.solution]}.values()))

    def _winning_text(self) -> str:
        winning = self.winning
        names = [option.name for option in winning[:_MOST_MOVES]]
        hidden = len(winning) - len(names)
        text = ", ".join(names) or "none: every move loses"
        return f"{text} and {hidden:,} more" if hidden else text

    def _show_parts(self) -> None:
        """Write the value and the temperature of each part, the hottest first."""
        from zermelo.sums.layout import labels

        names = labels(len(self.parts))
        rows = []
        for place in hottest_first(self.part_values):
            each = self.part_values[place]
            text = spelling(each, in_ascii=self.in_ascii)
            rows.append((names[place], text, str(each.temperature), str(each.mean)))
        write_line("")
        write_columns(("part", "value", "temperature", "mean"), rows, right=("temperature", "mean"))
