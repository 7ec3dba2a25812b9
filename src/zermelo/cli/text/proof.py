"""A proof as text for a terminal: the board, the winner, the best move, and further commands."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.cli.arguments.command_text import command_words
from zermelo.cli.output import write, write_facts, write_line
from zermelo.cli.progress_bar import duration_text
from zermelo.cli.shell_terms import in_shell_terms
from zermelo.cli.text.board import board
from zermelo.cli.text.values import owned_value_text
from zermelo.forms.quantities import count_phrase
from zermelo.game.contract import parameter_names
from zermelo.game.parameters import as_json
from zermelo.values.outcomes import WIN

if TYPE_CHECKING:
    from zermelo.cli.arguments.game import NamedGame
    from zermelo.proving.proof import Proof
    from zermelo.values.results import Line, Verification

#: Moves of a line that are named before the rest are only counted.
_MOST_PLIES = 12


@dataclass(frozen=True)
class ProofText:
    """The text of a proof.

    Attributes:
        game: the game.
        proof: the proof.
        line: a line of best play, or the best line so far.
        verification: the result of its check, or None.
        file: the file that it was saved to, or None.
        checkpoint: the folder with the search's table, or None.
    """

    game: NamedGame
    proof: Proof
    line: Line
    verification: Verification | None
    file: str | None
    checkpoint: str | None = None

    def document(self) -> dict[str, Any]:
        """Return the document that ``--json`` writes."""
        proof, game = self.proof, self.game.game
        return {
            "game": self.game.name,
            "parameters": {name: as_json(getattr(game, name)) for name in parameter_names(game)},
            "position": as_json(proof.position),
            "ask": proof.ask,
            "answer": proof.answer,
            "value": proof.value.to_json(),
            "best_move": as_json(proof.best_move),
            "line": [as_json(move) for move in self.line.moves],
            "line_proved": self.is_proved,
            "complete": proof.is_complete,
            "nodes": proof.nodes,
            "seconds": proof.seconds,
            "choice": proof.choice,
            "verified": None if self.verification is None else self.verification.ok,
        }

    @property
    def is_proved(self) -> bool:
        """Whether each move of the line is known to be a best one."""
        return self.line.ends != "unproved"

    # -- for people -------------------------------------------------------------------------------

    def show(self) -> None:
        """Write the board, the result, the best move, the search, and further commands."""
        from rich.text import Text

        rules = self.proof.solution.rules
        start, position = self.proof.game.start(), self.proof.position
        write(Text(rules.title, "bold"))
        write_line(f"\n{board(rules, start, position)}\n")
        write(Text(self.sentence, "bold"))
        write_facts(self._moves())
        write_line("")
        write_facts(self._search())
        write_line("")
        write_facts(self._next_commands(), wrap=False)

    @property
    def sentence(self) -> str:
        """The winner in the game's own words; or the bounds so far."""
        solution = self.proof.solution
        value, kind, rules = solution.value, solution.kind, solution.rules
        if value.is_unknown:
            return "What it is worth is not known yet."
        if value.outcome is None:
            phrase = kind.words.known_phrase(value)
            return f"As far as is known, it is {phrase} for the player to move."
        if not value.outcome:
            return f"With perfect play it is {kind.words.draw_phrase(value)}."
        winner = solution.winner or ""
        if rules.alternate and self.proof.position != self.proof.game.start():
            winner = f"the {'player to move' if value.outcome is WIN else 'other player'}"
        return f"With perfect play {kind.words.ending(value, winner, 0, rules.plies_per_move)}."

    def _moves(self) -> list[tuple[str, str]]:
        """Return rows with the value, the answer to the question, the best move and a line."""
        proof, rules = self.proof, self.proof.solution.rules
        solution = proof.solution
        value = solution.value
        text = str(value) if value.is_unknown else owned_value_text(value, solution, solution.start)
        rows = [("value", text)]
        if proof.ask in ("win", "draw"):
            words = {True: "yes", False: "no", None: "not known"}[proof.answer]
            rows.append((f"{proof.ask}?", words))
        if proof.best_move is not None:
            rows.append(("best move", rules.move_name(proof.best_move)))
        if len(self.line) > self.is_proved:  # the best move has been named
            names = [rules.move_name(move) for move in self.line.moves[:_MOST_PLIES]]
            hidden = len(self.line) - len(names)
            text = ", ".join(names) + (f" and {hidden:,} more" if hidden else "")
            rows.append(("best line" if self.is_proved else "best so far", text))
            if not self.is_proved:
                rows.append(("", "which is not proved"))
        return rows

    def _search(self) -> list[tuple[str, str]]:
        """Return the rows on the cost of the search, and on the check of the proof."""
        proof = self.proof
        rate = f" ({proof.nodes / proof.seconds:,.0f} a second)" if proof.seconds else ""
        rows = [
            (
                "searched",
                f"{count_phrase(proof.nodes, 'positions')} in {duration_text(proof.seconds)}{rate}",
            ),
            ("method", in_shell_terms(proof.choice)),
        ]
        if (verification := self.verification) is not None:
            positions = count_phrase(verification.positions, "positions")
            checked = f"{positions} and {count_phrase(verification.moves, 'moves')}"
            verdict = "holds" if verification.ok else "fails"
            rows.append(("proof", f"{verdict}: {checked} in {duration_text(verification.seconds)}"))
        return rows

    def _next_commands(self) -> list[tuple[str, str]]:
        """Return commands to try next."""
        words = command_words(self.game)
        if not self.proof.is_complete and self.checkpoint is not None:
            return [("go on", f"zermelo prove {words} --checkpoint {shlex.quote(self.checkpoint)}")]
        if not self.proof.is_complete:
            return [("take longer", f"zermelo prove {words} --time 1h")]
        if self.file is None:
            name = f"{self.game.name.rpartition(':')[2]}.proof".lower()
            return [("keep it", f"zermelo prove {words} --save {shlex.quote(name)}")]
        file = shlex.quote(self.file)
        return [
            ("play it", f"zermelo play {file}"),
            ("explore it", f"zermelo explore {file}"),
            ("check it", f"zermelo verify {file}"),
        ]
