"""Loading of table files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo._engine.file.table_arrays import TableArrays
from zermelo._store.table_forms import FORMS
from zermelo.errors import StaleTableError
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
    try:
        valued = KINDS[said["value_kind"]]
        right = valued.has(Value.from_json(reader.header["value"]))
        right &= (said["words"], valued.gains) == (compiled.words, rules.kind.gains)
        right &= valued.favours == rules.kind.favours
    except (KeyError, TypeError, AttributeError):
        right = False
    if not right:
        raise reader.part_error("header")
    form = FORMS[said["kind"]]
    if form.suits(rules):
        return form.open(TableArrays(reader), compiled)
    where, name = str(reader.path), rules.name
    message = f"{name} no longer numbers positions as {where!r} does; solve it again"
    raise StaleTableError(message)
