"""The forms of table files of games, by their names in headers; and opening a file by its form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo._engine.file.table_arrays import TableArrays
from zermelo._methods.dense.table_form import SlotForm
from zermelo._methods.placement.table_form import TierForm
from zermelo._methods.pursuit.table_form import PursuitForm
from zermelo._store.listed_form import ListedForm
from zermelo.errors import StaleTableError
from zermelo.values.outcomes import Value
from zermelo.values.registry import KINDS

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.file.reader import Reader
    from zermelo._engine.table import Table
    from zermelo._methods.table_form import TableForm

#: The forms by name. A method whose tables have a form of their own adds it here.
FORMS: dict[str, TableForm] = {
    form.name: form for form in (ListedForm(), SlotForm(), TierForm(), PursuitForm())
}


def open_table(reader: Reader, compiled: CompiledRules) -> Table:
    """Return the table in a file.

    Args:
        reader: the file, whose header has been checked.
        compiled: the rules that made it.

    Raises:
        StaleTableError: the game now numbers its positions differently.
    """
    rules = compiled.rules
    table_header = reader.header["table"]
    try:
        valued = KINDS[table_header["value_kind"]]
        right = valued.has(Value.from_json(reader.header["value"]))
        right &= (table_header["words"], valued.gains) == (compiled.words, rules.kind.gains)
        right &= valued.favours == rules.kind.favours
    except (KeyError, TypeError, ValueError, AttributeError):
        right = False
    if not right:
        raise reader.part_error("header")
    form = FORMS[table_header["kind"]]
    if form.suits(rules):
        return form.open(TableArrays(reader), compiled)
    path, name = str(reader.path), rules.name
    message = f"{name} no longer numbers positions as {path!r} does; solve it again"
    raise StaleTableError(message)
