"""``zermelo heaps``: the nimbers of a heap game, its period, and winning moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from zermelo._engine.file.destination import check_place
from zermelo.cli.errors import Stop
from zermelo.cli.group import Example
from zermelo.cli.options import OptionValue, output_options
from zermelo.cli.output import Output

if TYPE_CHECKING:
    from zermelo.heaps import HeapGame, HeapMove

#: Nimbers that are written for people, before the others are only counted.
_WRITTEN = 200
_USUAL = 40


def _parse_sum(text: str) -> list[int]:
    """Return the heaps between commas, such as ``5,7``."""
    try:
        heaps = [int(part) for part in text.split(",")]
    except ValueError:
        heaps = [-1]
    if min(heaps) < 0:
        message = f"{text!r} is not a list of heaps; write their sizes, such as 5,7"
        raise ValueError(message)
    return heaps


def _parse_game(text: str) -> HeapGame:
    """Return the heap game that a code or a name stands for."""
    from zermelo.heaps.rulesets import parse_game

    return parse_game(text)


@click.command(
    cls=Example,
    examples=[
        "zermelo heaps 0.137 --to 20",
        "zermelo heaps kayles --period --sum 5,9",
        "zermelo heaps kayles --misere 10 --sum 5,9",
        "zermelo heaps all-but:1,2,8 --to 1000 --b-file b.txt --plot all-but.png",
    ],
)
@click.argument("game", metavar="GAME", type=OptionValue("game", _parse_game))
@click.option(
    "--to",
    "largest",
    type=click.IntRange(min=0),
    metavar="N",
    help=f"The largest heap; {_USUAL} by default.",
)
@click.option(
    "--period", "periodic", is_flag=True, help="Look for a period to heap N, and prove it."
)
@click.option("--verify", is_flag=True, help="Find a period, and check its proof over all splits.")
@click.option(
    "--sum",
    "heaps",
    type=OptionValue("heaps", _parse_sum),
    help="Show who wins a sum of heaps, such as 5,7, and the winning moves.",
)
@click.option(
    "--misere",
    type=click.IntRange(min=0),
    metavar="N",
    help="Show the misère quotient of heaps to N instead; a player who cannot move wins.",
)
@click.option("--b-file", metavar="FILE", help="Write the nimbers as a b-file of the OEIS.")
@click.option("--plot", metavar="FILE", help="Draw the nimbers (needs zermelo[plots]).")
@click.option("--force", is_flag=True, help="Replace existing files.")
@output_options("Write only the nimbers, or the winning moves with --sum.")
def heaps(
    *,
    game: HeapGame,
    largest: int | None,
    periodic: bool,
    verify: bool,
    heaps: list[int] | None,
    misere: int | None,
    b_file: str | None,
    plot: str | None,
    force: bool,
    output: Output,
) -> None:
    """Show nimbers, period and winning moves of a heap game.

    GAME is a code such as 0.137 (octal or hexadecimal; 4.333... repeats its last digit),
    subtraction:1,2,3, all-but:1,2, or one of kayles, dawsons-kayles, dawsons-chess, grundys-game,
    laskers-nim and nim. Without --to, --period looks at 100,000 heaps, or at 2,000 where they
    split in three.
    """
    from zermelo.heaps.periods import Period
    from zermelo.heaps.plots import check_drawable, save

    if misere is not None:
        if largest is not None or periodic or b_file is not None or plot is not None:
            message = "--misere goes with --sum and --verify; leave out the other options"
            raise Stop(message)
        _write_misere(game, misere, heaps, output, verify=verify)
        return
    if b_file is not None:  # before any work is done for it
        check_place(b_file, overwrite=force)
    if plot is not None:
        check_drawable(plot, overwrite=force)
    last_heap = _USUAL if largest is None else largest
    document: dict[str, Any] = {
        "game": repr(game), "title": game.title, "code": str(game.code), "to": last_heap
    }  # fmt: skip
    lines = [game.title]
    with output.watch() as watch:
        values = game.nimbers(last_heap, progress=watch).tolist()
        document["nimbers"] = values
        lines.append(_nimber_row(values))
        if periodic or verify:
            period = game.period(largest, progress=watch)
            document["period"] = period.to_json() if isinstance(period, Period) else None
            lines.append(str(period))
            if verify and isinstance(period, Period):
                check = period.verify()
                document["verified"] = check.ok
                lines.append(f"{'verified' if check else 'refuted'}: {check}")
        brief = _nimber_row(values)
        if heaps is not None:
            nimber, best = game.nimber(heaps), game.best(heaps)
            document["sum"] = {
                "heaps": heaps,
                "nimber": nimber,
                "best": [{"heap": move.heap, "left": list(move.left)} for move in best],
            }
            brief = _moves_text(best)
            lines.append(f"{_heaps_text(heaps)} together: nimber {nimber}; {brief}")
        if b_file is not None:
            game.write_b_file(b_file, last_heap, overwrite=force)
            lines.append(f"nimbers written to {b_file}")
        if plot is not None:
            save(game, plot, last_heap, overwrite=force)
            lines.append(f"nimbers drawn in {plot}")
    output.write(document, "\n".join(lines), brief)


def _write_misere(
    game: HeapGame, last_heap: int, heaps: list[int] | None, output: Output, *, verify: bool
) -> None:
    """Write the misère quotient of heaps to some size, and who wins a sum of heaps."""
    from zermelo.heaps.misere.quotient import misere_quotient

    with output.watch():
        quotient = misere_quotient(game, last_heap)
        document = quotient.to_json()
        lines, brief = [str(quotient)], " ".join(document["pretending"][1:])
        if verify:
            proof = quotient.verify()
            document["verified"] = proof.ok
            lines.append("proof     " + ("holds" if proof else f"fails: {proof.problem}"))
        if heaps is not None:
            outcome, best = quotient.outcome(heaps), quotient.winning_moves(heaps)
            document["sum"] = {
                "heaps": heaps,
                "element": quotient.element(heaps),
                "outcome": str(outcome),
                "best": [{"heap": heap, "left": list(left)} for heap, left in best],
            }
            moves = "; ".join(f"{heap} → {_heaps_text(left)}" for heap, left in best)
            terminal_text = (
                "the player to move cannot move, and wins"
                if outcome > 0
                else "the player to move loses"
            )
            brief = f"to win: {moves}" if moves else terminal_text
            lines.append(f"{_heaps_text(heaps)} together: {quotient.element(heaps)}; {brief}")
    output.write(document, "\n".join(lines), brief)


def _nimber_row(values: list[int]) -> str:
    """Return nimbers one after another, the first of many."""
    hidden = len(values) - _WRITTEN
    text = " ".join(map(str, values[:_WRITTEN]))
    return text if hidden <= 0 else f"{text} … and {hidden:,} more"


def _moves_text(best: list[HeapMove]) -> str:
    """Return winning moves in words."""
    if not best:
        return "the player to move loses"
    return "to win: " + "; ".join(f"{move.heap} → {_heaps_text(move.left)}" for move in best)


def _heaps_text(heaps: Sequence[int]) -> str:
    return " + ".join(map(str, heaps)) or "nothing"
