"""A game to solve by compiled rules: checks, the run of a method, and checks of its result."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo._compile.rules import TurnKeptError
from zermelo._engine.core.kernel import compile_seconds
from zermelo._methods.choice import chosen_method, method_of
from zermelo._methods.task import Result, Task
from zermelo._store.save_table import identity_of
from zermelo._store.table_forms import open_table
from zermelo.conformance import sample_check
from zermelo.conformance.solved_checks import check_solved
from zermelo.progress import Reporter
from zermelo.rules.impartiality import check_impartial
from zermelo.rules.misere import describe_misere
from zermelo.rules.symmetry_clause import describe_folding
from zermelo.solution.solve_job import Resources, SolveJob
from zermelo.solution.split import solved_game
from zermelo.values.nimbers import NIMBERS
from zermelo.values.partizan import PARTIZAN
from zermelo.values.registry import requested_kind
from zermelo.values.win_draw_loss import OUTCOME_ALONE

if TYPE_CHECKING:
    from zermelo._cluster.pool import WorkerPool
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.core.checkpoint import Checkpoint
    from zermelo._engine.file.reader import Reader
    from zermelo.solution.game import SolvedGame

#: The stage of a checkpoint that marks that a player may move twice, which excludes symmetries.
_KEEPS_TURN = "keeps-turn"


@dataclass(frozen=True)
class GameOptions:
    """The options of a solve that decide what is computed, and how; see ``zermelo.solve``."""

    method: str | None
    value: str | None
    horizon: int | None
    symmetry: bool
    precision: float | None = None


@dataclass
class GameJob(SolveJob):
    """A game to solve.

    Attributes:
        compiled: the compiled rules; after the solve, as the table has been made with them.
        options: the options of the solve.
        resources: see ``SolveJob``.
        method: the name of the method.
        checked_sample: the result of ``check_sample``.
    """

    compiled: CompiledRules
    options: GameOptions
    resources: Resources
    method: str = ""
    checked_sample: Any = None

    @classmethod
    def prepared(
        cls, compiled: CompiledRules, options: GameOptions, resources: Resources
    ) -> GameJob:
        """Return the job once its method is chosen and its rules are checked.

        Raises:
            BudgetError: the solve would take far too long.
            CompileError: the rules cannot be compiled.
            ParameterError: an option is not known, or does not suit the game.
            RulesError: the rules break the contract.
        """
        rules, value = compiled.rules, options.value
        clustered = resources.cluster is not None
        name = chosen_method(rules, options.method, value, options.horizon, clustered=clustered)
        method = method_of(name)
        folded = options.symmetry and rules.foldable and not method.declared
        checked_sample = (
            None if method.declared else sample_check.check_sample(compiled, folded=folded)
        )
        kind_name = name if name in (NIMBERS.name, PARTIZAN.name) else value
        compiled = compiled.with_kind(requested_kind(rules.kind, kind_name))
        if compiled.kind.impartial:
            check_impartial(rules)
        if folded:
            compiled = compiled.with_symmetries()
        if folded and rules.favours_a_player:  # an image favours the other player
            compiled = compiled.keeping_players()
        return cls(compiled, options, resources, name, checked_sample)

    def identity(self) -> dict[str, Any]:
        """Return the facts on which checkpoints depend; see ``SolveJob``."""
        rules_identity = identity_of(self.compiled)
        return {
            **rules_identity,
            # Rules without source cannot be compared with others, so they are never resumed.
            "rules": rules_identity["rules"] or secrets.token_hex(),
            "method": self.method,
            "asked": self.options.method is not None,
            "horizon": self.options.horizon,
            "value": self.options.value,
            "misere": self.compiled.rules.misere,
            "symmetry": self.options.symmetry,
            "precision": self.options.precision,
        }

    def solve(
        self, workers: WorkerPool | None, checkpoint: Checkpoint
    ) -> tuple[SolvedGame, str, str]:
        """Solve the game, and check the result; see ``SolveJob``.

        Raises:
            RulesError: the rules break the contract.
        """
        compiled_before = compile_seconds()
        if checkpoint.has(_KEEPS_TURN):
            self.compiled = self.compiled.keeping_players()
        try:
            result = self._run(workers, checkpoint)
        except TurnKeptError:
            checkpoint.drop(*checkpoint.names())
            checkpoint.put(_KEEPS_TURN)
            self.resources.report = Reporter(self.resources.report.listener)
            self.compiled = self.compiled.keeping_players()
            result = self._run(workers, checkpoint)
        compiled, table = self.compiled, result.table
        check_solved(compiled, table, self.checked_sample, follows=method_of(self.method).follows)
        self.compile_seconds = compile_seconds() - compiled_before
        choice = (
            result.choice
            + describe_folding(compiled.rules, compiled.elements, folded=compiled.is_folded)
            + describe_misere(table.kind, table.tally, misere=compiled.rules.misere)
        )
        return solved_game(compiled, table), result.method or self.method, choice

    def read(self, reader: Reader) -> SolvedGame:
        """Return the solved game of a file that this job has written."""
        compiled = self.compiled
        if len(compiled.elements) != reader.header["symmetries"]:
            compiled = compiled.keeping_players()
        return solved_game(compiled, open_table(reader, compiled))

    def _run(self, workers: WorkerPool | None, checkpoint: Checkpoint) -> Result:
        """Run the method."""
        options, resources = self.options, self.resources
        task = Task(
            self.compiled,
            resources.ledger,
            resources.threads,
            resources.report,
            horizon=options.horizon,
            remoteness=options.value != OUTCOME_ALONE.name,
            asked=options.method is not None,
            checkpoint=checkpoint,
            workers=workers,
            precision=options.precision,
        )
        return method_of(self.method).run(task)
