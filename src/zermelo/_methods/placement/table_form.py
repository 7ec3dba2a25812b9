"""The form of tables of placement games: bits for the patterns of tiers, and values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo._engine.file.format import Header
from zermelo._methods.table_form import BitwiseForm
from zermelo.game.placement import PlacementGame

if TYPE_CHECKING:
    from collections.abc import Sequence

    from zermelo._cluster.pool import WorkerPool
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.certificate.kernels import Finding
    from zermelo._engine.core.ledger import Ledger
    from zermelo._engine.file.table_arrays import TableArrays
    from zermelo._engine.file.writer import Writer
    from zermelo._engine.table import Table
    from zermelo.progress import Reporter
    from zermelo.rules.hooks import Rules


class TierForm(BitwiseForm):
    """The form of tables of placement games; see ``file``."""

    name = "tiers"

    def suits(self, rules: Rules) -> bool:
        """Return whether the game is a placement game."""
        return isinstance(rules.game, PlacementGame)

    def write(
        self,
        compiled: CompiledRules,  # noqa: ARG002  # the index knows the board
        table: Table,
        writer: Writer,
        header: Header,
        palette: Sequence[int],
    ) -> None:
        """Write the patterns and the values of each tier; see ``TableForm``."""
        from zermelo._methods.placement.file.writer import write_tiers

        write_tiers(writer, table, header, palette)

    def open(self, arrays: TableArrays, compiled: CompiledRules) -> Table:
        """Return the table in a file; see ``TableForm``."""
        from zermelo._methods.placement.file.table import open_tiers
        from zermelo._methods.placement.method import board_of, fields_of

        game: Any = compiled.rules.game
        board, bits = board_of(game)
        return open_tiers(arrays, board, fields_of(compiled.rules, bits))

    def check_bitwise(
        self,
        compiled: CompiledRules,
        table: Table,
        threads: int,
        ledger: Ledger,
        report: Reporter,
        workers: WorkerPool | None,
    ) -> Finding | None:
        """Check the values level by level, 64 positions at a time; see ``BitwiseForm``."""
        from zermelo._methods.placement.certificate.level_check import check_table

        return check_table(compiled, table, threads, ledger, report, workers)
