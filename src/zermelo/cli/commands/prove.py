"""``zermelo prove``: finds the value of one position by search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from zermelo._engine.file.place import check_place
from zermelo.cli.arguments.game import GameCommand, Named
from zermelo.cli.arguments.parameters import as_typed
from zermelo.cli.ending import NO, Stop
from zermelo.cli.options import DURATION, MEMORY, output_options
from zermelo.cli.output import Output, write_facts
from zermelo.cli.progress_bar import duration
from zermelo.game.contract import parameter_names
from zermelo.game.parameters import plain
from zermelo.proving.prove import ASKS
from zermelo.proving.prove import prove as prove_game
from zermelo.rules.hooks import Rules

if TYPE_CHECKING:
    from zermelo.proving.proof import Proof
    from zermelo.values.answers import Line, Verification

#: Moves of a line that are shown, and characters of a parameter.
_MOST_MOVES, _LONGEST = 60, 60


@click.command(
    cls=GameCommand,
    examples=[
        "zermelo prove tic-tac-toe",
        "zermelo prove connect-four --width 5 --height 4 --verify",
        "zermelo prove take-away --stones 21 --position 20 --ask win",
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
    help="What to find out: the value, or only whether the player to move can win, or get a draw "
    "at least.",
)
@click.option("--remoteness", is_flag=True, help="Also find how many plies a win or a loss takes.")
@click.option("--time", type=DURATION, help="Stop after this time, such as 30s, 10m or 2h.")
@click.option(
    "--nodes", type=click.IntRange(min=1), metavar="N", help="Stop after this many positions."
)
@click.option(
    "--memory",
    type=MEMORY,
    help="The most memory for the table of the search; by default most of the free memory.",
)
@click.option("--verify", is_flag=True, help="Check the proof by the rules; 1 if it fails.")
@click.option("--save", metavar="FILE", help="Save the proof, with its strategies, to a file.")
@click.option("--force", is_flag=True, help="With --save: replace an existing file.")
@output_options("Write only the value, and show no progress.")
@click.pass_context
def prove(
    context: click.Context,
    *,
    game: Named,
    position: str | None,
    ask: str,
    remoteness: bool,
    time: float | None,
    nodes: int | None,
    memory: int | None,
    verify: bool,
    save: str | None,
    force: bool,
    output: Output,
) -> None:
    """Find the value of one position by search, and prove it.

    This is for games far too large for zermelo solve, which finds the value of every position. If
    a limit or Ctrl-C stops the search, what is known by then is shown, and the exit code is 1.

    GAME is a name from zermelo games, or a class of your own: path.py:Class, or path.py if the file
    has only one game. The game's parameters are options; zermelo prove GAME --help shows them.
    """
    if save is not None:
        check_place(save, overwrite=force)
    elif force:
        message = "--force needs --save"
        raise Stop(message)
    where = None if position is None else Rules(game.game).parse(position)
    with output.watch() as watch:
        proof = prove_game(
            game.game,
            position=where,
            ask=ask,
            remoteness=remoteness,
            memory=memory,
            time=time,
            nodes=nodes,
            progress=watch,
        )
        known = bool(proof.strategies_known)
        found = proof.verify(progress=watch) if verify and known else None
        line = proof.line if proof.value is not None else None
        if save is not None and known:
            proof.save(save, overwrite=force, progress=watch)
    answer = _ProofAnswer(game, proof, line, found)
    output.write(answer.document(), lambda: write_facts(answer.facts()), str(proof))
    if found is not None and not found.ok:
        click.echo(f"the proof fails: {found.problem}", err=True)
    if not proof.done or (found is not None and not found.ok):
        context.exit(NO)


@dataclass(frozen=True)
class _ProofAnswer:
    """What there is to say of a proof.

    Attributes:
        game: the game.
        proof: the proof.
        line: a line of best play, where the value is known.
        found: what its check found, or None.
    """

    game: Named
    proof: Proof
    line: Line | None
    found: Verification | None

    def document(self) -> dict[str, Any]:
        """Return what ``--json`` writes."""
        proof, game = self.proof, self.game.game
        value = proof.value
        return {
            "game": self.game.name,
            "parameters": {name: plain(getattr(game, name)) for name in parameter_names(game)},
            "position": plain(proof.position),
            "ask": proof.ask,
            "answer": proof.answer,
            "value": None if value is None else self._told(value),
            "bounds": [self._told(bound) for bound in proof.bounds],
            "remoteness": proof.remoteness,
            "best_move": plain(proof.best),
            "line": None if self.line is None else [plain(move) for move in self.line.moves],
            "done": proof.done,
            "nodes": proof.nodes,
            "seconds": proof.seconds,
            "reason": proof.reason,
            "verified": None if self.found is None else self.found.ok,
        }

    def _told(self, value: Any) -> Any:
        return int(value) if self.proof.scored else str(value)

    def facts(self) -> list[tuple[str, str]]:
        """Return names and texts, one a line, for people."""
        proof, game, rules = self.proof, self.game.game, Rules(self.game.game)
        rate = f" ({proof.nodes / proof.seconds:,.0f} a second)" if proof.seconds else ""
        rows = [
            ("game", self.game.name),
            *(
                (f"  {name}", as_typed(getattr(game, name), _LONGEST))
                for name in parameter_names(game)
            ),
            ("value", f"{proof} for the player to move"),
        ]
        if proof.ask != "value":
            words = {True: "yes", False: "no", None: "not known"}[proof.answer]
            rows.append((f"{proof.ask}?", words))
        if proof.best is not None:
            rows.append(("best move", rules.move_name(proof.best)))
        if self.line is not None and self.line.moves:
            names = [rules.move_name(move) for move in self.line.moves[:_MOST_MOVES]]
            more = len(self.line) - len(names)
            rows.append(("line", " ".join(names) + (f" and {more:,} more" if more else "")))
        rows.append(("positions", f"{proof.nodes:,}{rate}"))
        rows.append(("method", proof.reason))
        rows.append(("time", duration(proof.seconds)))
        if (found := self.found) is not None:
            checked = f"{found.positions:,} positions and {found.moves:,} moves"
            verdict = "holds" if found.ok else "fails"
            rows.append(("proof", f"{verdict}: {checked} in {duration(found.seconds)}"))
        return rows
