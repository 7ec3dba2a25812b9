"""Loading of table files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.errors import StaleTableError
from zermelo.game.placement import PlacementGame
from zermelo.values.outcomes import Value
from zermelo.values.registry import KINDS

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.file.reader import Reader
    from zermelo._engine.table import Table


def open_table(reader: Reader, compiled: CompiledRules) -> Table:
    """Return the table in a file.

    Args:
        reader: the file, whose header has been checked.
        compiled: the rules that made it.

    Raises:
        StaleTableError: the game now numbers its positions differently.
    """
    rules = compiled.rules
    said = reader.header["table"]
    kind = said["kind"]
    try:
        valued = KINDS[said["value_kind"]]
        right = valued.has(Value.from_json(reader.header["value"]))
        right &= (said["words"], valued.gains) == (compiled.words, rules.kind.gains)
        right &= valued.favours == rules.kind.favours
    except (KeyError, TypeError, AttributeError):
        right = False
    if not right:
        raise reader.part_error("header")
    # Imported on demand: most processes open one kind of table, or none.
    from zermelo._engine.column.file_column import FileColumn
    from zermelo._engine.column.palette_writer import starts_of
    from zermelo._engine.file.table_arrays import TableArrays
    from zermelo._engine.table import Table

    pages = TableArrays(reader)
    if kind == "listed":
        from zermelo._store.listed_index import BLOCK, ListedIndex

        column = FileColumn(pages, BLOCK)
        index = ListedIndex(pages, compiled.words, column.count)
        return Table(index, column, *starts_of(pages, column.count, compiled.words), pages)
    if kind == "slots" and rules.has("space"):
        from zermelo._methods.dense.file import PER_BLOCK, SlotIndex
        from zermelo._methods.dense.ranking import ranking_of

        column = FileColumn(pages, PER_BLOCK)
        slots = SlotIndex(pages, ranking_of(rules, compiled.elements), column.count)
        return Table(slots, column, *starts_of(pages, column.count, slots.words), pages)
    if kind == "tiers" and isinstance(rules.game, PlacementGame):
        from zermelo._methods.placement.file.column import TierColumn
        from zermelo._methods.placement.file.index import TierIndex
        from zermelo._methods.placement.method import board_of, fields_of

        placed, bits = board_of(rules.game)
        tiers = TierIndex(pages, placed, fields_of(rules, bits))
        column = TierColumn(pages, tiers.begins)
        return Table(tiers, column, *starts_of(pages, column.count, tiers.words), pages)
    if kind == "pursuit" and rules.has("pursuit"):
        from zermelo._methods.pursuit.file import FileMarks
        from zermelo._methods.pursuit.index import EveryStart, PursuitIndex
        from zermelo._methods.pursuit.method import board_of as pursuit_of

        described, board = pursuit_of(rules)
        pairs = PursuitIndex.of_game(rules, described.fields, board)
        starts: Any = EveryStart(rules, pairs)
        own, evidence = starts_of(pages, pairs.span, pairs.words)
        if own.tolist() != [starts.number]:
            raise reader.part_error("header")
        return Table(pairs, FileMarks(pages, pairs), starts, evidence, pages)
    where, name = str(reader.path), rules.name
    message = f"{name} no longer numbers positions as {where!r} does; solve it again"
    raise StaleTableError(message)
