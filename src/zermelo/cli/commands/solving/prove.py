"""``zermelo prove``: finds the value of one position by search."""

from __future__ import annotations

import click

from zermelo._engine.file.destination import check_place
from zermelo.cli.arguments.game import GameCommand, NamedGame
from zermelo.cli.errors import NO, Stop, finish_after_interrupt
from zermelo.cli.options import DURATION, MEMORY, output_options
from zermelo.cli.output import Output
from zermelo.cli.text.proof import ProofText
from zermelo.proving.question import ASKS, SEARCHES


@click.command(
    cls=GameCommand,
    examples=[
        "zermelo prove tic-tac-toe",
        "zermelo prove connect-four --width 5 --height 4 --verify",
        "zermelo prove take-away --stones 21 --position 20 --ask win",
        "zermelo prove cram --rows 5 --columns 6 --ask nimber",
    ],
)
@click.option(
    "--position",
    metavar="POSITION",
    help="The position, as the game reads it, or as JSON; by default the start.",
)
@click.option(
    "--ask",
    type=click.Choice(ASKS),
    default="value",
    help="What to find out: the value; only whether the player to move can win, or get a draw at "
    "least; or the nimber of an impartial game with split().",
)
@click.option(
    "--remoteness", is_flag=True, help="Also find how many plies a win, a loss or a tie takes."
)
@click.option(
    "--search",
    type=click.Choice(SEARCHES),
    help="The search; by default components where split() applies, else alpha-beta, "
    "and proof-number once a position repeats.",
)
@click.option("--time", type=DURATION, help="Stop after this time, such as 30s, 10m or 2h.")
@click.option(
    "--nodes", type=click.IntRange(min=1), metavar="N", help="Stop after this many positions."
)
@click.option(
    "--memory",
    type=MEMORY,
    help="The most memory for the table of the search; by default most of the free memory.",
)
@click.option(
    "--threads",
    type=click.IntRange(min=1),
    metavar="N",
    help="The number of threads; by default one per core.",
)
@click.option(
    "--with-table",
    "tables",
    metavar="FILE",
    multiple=True,
    help="A table of the same game, with these parameters or others; the search uses the values "
    "of its positions. Can be given more than once.",
)
@click.option(
    "--checkpoint",
    metavar="FOLDER",
    help="Keep the search's own table in a folder. If interrupted, run the same command again to "
    "resume.",
)
@click.option(
    "--verify", is_flag=True, help="Check the proof by the rules; exit code 1 if it fails."
)
@click.option("--save", metavar="FILE", help="Save the proof, with its strategies, to a file.")
@click.option("--force", is_flag=True, help="With --save: replace an existing file.")
@output_options("Write only the value, and show no progress.")
@click.pass_context
def prove(
    context: click.Context,
    *,
    game: NamedGame,
    position: str | None,
    ask: str,
    remoteness: bool,
    search: str | None,
    time: float | None,
    nodes: int | None,
    memory: int | None,
    threads: int | None,
    tables: tuple[str, ...],
    checkpoint: str | None,
    verify: bool,
    save: str | None,
    force: bool,
    output: Output,
) -> None:
    """Find the value of one position by search, and prove it.

    This is for games far too large for zermelo solve, which finds the value of every position. If
    a limit or Ctrl-C stops the search, the bounds found so far are shown, and the exit code is 1.

    GAME is a name from zermelo games, or a class of your own: path.py:Class, or path.py if the file
    has only one game. The game's parameters are options; zermelo prove GAME --help shows them.
    """
    from zermelo.proving.prove import prove as prove_game

    if save is not None:
        check_place(save, overwrite=force)
    elif force:
        message = "--force needs --save"
        raise Stop(message)
    first_position = None
    if position is not None:
        from zermelo.rules.hooks import Rules

        first_position = Rules(game.game).parse(position)
    with output.watch() as watch, finish_after_interrupt():
        proof = prove_game(
            game.game,
            position=first_position,
            ask=ask,
            remoteness=remoteness,
            search=search,
            memory=memory,
            time=time,
            nodes=nodes,
            threads=threads,
            tables=tables,
            checkpoint=checkpoint,
            progress=watch,
        )
        has_bounds = bool(proof.sides)
        verification = proof.verify(progress=watch) if verify and has_bounds else None
        line = proof.line()
        if save is not None and has_bounds:
            proof.save(save, overwrite=force, progress=watch)
    text = ProofText(game, proof, line, verification, save if has_bounds else None, checkpoint)
    output.write(text.document(), text.show, str(proof))
    if verification is not None and not verification.ok:
        click.echo(f"the proof fails: {verification.problem}", err=True)
    if not proof.is_complete or (verification is not None and not verification.ok):
        context.exit(NO)
