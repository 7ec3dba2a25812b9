"""A table's file as what answers from it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from zermelo.errors import CorruptTableError, StaleTableError
from zermelo.game.placement import PlacementGame
from zermelo.values.scores import SCORES

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.file.reader import Reader
    from zermelo._engine.table import Table


def opened(reader: Reader, compiled: CompiledRules) -> Table:
    """Return what answers from a file.

    Args:
        reader: the file, of which the header has been read.
        compiled: the rules that made it.

    Raises:
        StaleTableError: the game does not number its positions any more as the table has them.
    """
    rules = compiled.rules
    said = reader.header["table"]
    kind = said["kind"]
    gains = said.get("value_kind") == SCORES.name
    if (said.get("words"), gains) != (compiled.words, rules.kind.gains):
        message = f"{str(reader.path)!r} cannot be used: its header is wrong; make it again"
        raise CorruptTableError(message)
    table: Any
    if kind == "listed":
        from zermelo._store.indexes.listed import ListedTable

        table = ListedTable(reader)
    elif kind == "slots" and rules.has("space"):
        from zermelo._methods.dense.method import ranking_of
        from zermelo._store.indexes.slots import SlotTable

        table = SlotTable(reader, ranking_of(rules, compiled.elements))
    elif kind == "tiers" and isinstance(rules.game, PlacementGame):
        from zermelo._methods.placement.method import board_of, fields_of
        from zermelo._store.indexes.tiers import TierTable

        board, bits = board_of(rules.game)
        table = TierTable(reader, board, fields_of(rules, bits))
    elif kind == "pursuit" and rules.has("pursuit"):
        from zermelo._methods.pursuit.method import board_of as pursuit_of
        from zermelo._store.indexes.pursuit import PursuitFile

        described, chase = pursuit_of(rules)
        table = PursuitFile(reader, rules, described.fields, chase)
    else:
        where, name = str(reader.path), rules.name
        message = f"{name} does not number positions as {where!r} does any more; solve it again"
        raise StaleTableError(message)
    return cast("Table", table)
