"""The forms of table files of games, by their names in headers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo._methods.dense.table_form import SlotForm
from zermelo._methods.placement.table_form import TierForm
from zermelo._methods.pursuit.table_form import PursuitForm
from zermelo._store.listed_form import ListedForm

if TYPE_CHECKING:
    from zermelo._methods.table_form import TableForm

#: The forms by name. A method whose tables have a form of their own adds it here.
FORMS: dict[str, TableForm] = {
    form.name: form for form in (ListedForm(), SlotForm(), TierForm(), PursuitForm())
}
