"""Constant dicts and sets in compiled rules: keys in order, with a hash table.

Dicts and sets in rules are the author's constants, so no key is ever added. A slot of the hash
table contains the index of a key plus one, or 0 if it is empty. The search for a key begins at the
slot of its hash and ends at the first empty slot.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from numba.core import types
from numba.core.errors import TypingError
from numba.extending import (
    intrinsic,
    make_attribute_wrapper,
    models,
    overload,
    overload_method,
    register_jitable,
    register_model,
)

from zermelo._compile.support.nested_tuples import FACTOR, SHIFT
from zermelo._compile.support.numba_types import (
    Builder,
    Context,
    Intrinsic,
    ModelManager,
    Target,
    Type,
    Value,
)
from zermelo._compile.support.records import make_records
from zermelo._compile.support.sequences import (
    Series,
    count_of,
    field_of,
    item_kind,
    item_of,
    struct_of,
)
from zermelo._compile.support.strings import CharacterType, _code
from zermelo._compile.support.type_names import MARK, named


class LookupType(Series):
    """The Numba type of a dict, or of a set, which has no values."""

    is_indexed = False

    def __init__(self, slots: Any, keys: Any, values: Any) -> None:
        """Create the type from the types of slots, keys and values."""
        self.slots = slots
        self.keys = keys
        self.values = values
        super().__init__(name=f"Lookup({slots}, {keys}, {values})")

    @property
    def item(self) -> Type:
        """The type of a key."""
        return item_kind(self.keys)

    def count(self, context: Target, builder: Builder, value: Value) -> Value:
        """Return the number of keys."""
        return count_of(context, builder, self.keys, self._keys(context, builder, value))

    def item_at(self, context: Target, builder: Builder, value: Value, place: Value) -> Value:
        """Return a key by its index."""
        return item_of(context, builder, self.keys, self._keys(context, builder, value), place)

    def _keys(self, context: Target, builder: Builder, value: Value) -> Value:
        return field_of(context, builder, self, value, "keys")


@register_model(LookupType)
class _LookupModel(models.StructModel):  # type: ignore[misc]  # Numba has no type hints
    def __init__(self, manager: ModelManager, kind: LookupType) -> None:
        members = [("slots", kind.slots), ("keys", kind.keys), ("values", kind.values)]
        super().__init__(manager, kind, members)


make_attribute_wrapper(LookupType, "slots", "_slots")
make_attribute_wrapper(LookupType, "keys", "_keys")
make_attribute_wrapper(LookupType, "values", "_values")


@intrinsic
def make_lookup(
    context: Context, slots: Type, keys: Type, values: Type
) -> Intrinsic:  # Numba's signature
    """Return a dict with these keys and values, or a set if ``values`` is None."""
    return LookupType(slots, keys, values)(slots, keys, values), struct_of(
        "slots", "keys", "values"
    )


@register_jitable
def _mix_number(value: Any, number: Any) -> Any:
    product = (value ^ np.uint64(number)) * np.uint64(FACTOR)
    return product ^ (product >> np.uint64(SHIFT))


def _hash(key: Any) -> Any:
    """Return the hash of a key; ``slots_of`` computes the same function."""


@overload(_hash)
def _hash_of(key):
    if isinstance(key, CharacterType):
        return lambda key: _mix_number(np.uint64(0), np.int64(_code(key)))
    if isinstance(key, types.Integer | types.Boolean):
        return lambda key: _mix_number(np.uint64(0), np.int64(key))
    terms = "np.uint64(0)"
    for part in _parts(key, "key"):
        terms = f"_mix_number({terms}, np.int64({part}))"
    space: dict[str, Any] = {"_mix_number": _mix_number, "np": np}
    exec(f"def hash_of(key): return {terms}", space)  # noqa: S102  # places in a tuple
    return space["hash_of"]


def _parts(kind: Type, text: str) -> Any:
    """Yield an expression for each number of a key; an invalid key has no numbers."""
    if isinstance(kind, types.BaseTuple):
        for i, item in enumerate(kind):
            yield from _parts(item, f"{text}[{i}]")
    elif isinstance(kind, types.Integer | types.Boolean):
        yield text


@register_jitable
def _key_index(table: Any, key: Any) -> Any:
    """Return the index of a key, or -1."""
    slots, keys = table._slots, table._keys  # noqa: SLF001  # one of ours
    mask = len(slots) - 1
    slot = np.int64(_hash(key)) & mask
    while slots[slot]:
        if keys[slots[slot] - 1] == key:
            return slots[slot] - 1
        slot = slot + 1 & mask
    return -1


def _check_key(table: Any, key: Any) -> None:
    expected, actual = named(table.item), named(key)
    if isinstance(key, types.BaseTuple) and isinstance(table.item, types.BaseTuple):
        if len(list(_parts(key, ""))) == len(list(_parts(table.item, ""))):
            return
    elif expected == actual or {expected, actual} == {"a whole number", "True or False"}:
        return
    message = f"{MARK}looks up {actual} where keys are like {expected}; look up a key of that kind"
    raise TypingError(message)


@overload(operator.contains)
def _holds(table, key):
    if not isinstance(table, LookupType):
        return None
    _check_key(table, key)
    return lambda table, key: _key_index(table, key) >= 0


@overload(operator.getitem)
def _value(table, key):
    if not isinstance(table, LookupType):
        return None
    if isinstance(table.values, types.NoneType):
        message = f"{MARK}looks up a place in a set; go through it with a for loop"
        raise TypingError(message)
    _check_key(table, key)

    def value_of_key(table, key):
        place = _key_index(table, key)
        if place < 0:
            raise KeyError("no such key")  # noqa: EM101, TRY003  # compiled: a constant
        return table._values[place]  # noqa: SLF001  # one of ours

    return value_of_key


@overload_method(LookupType, "get")
def _get(table, key, default=None):
    _check_key(table, key)

    def value_of_key(table, key, default=None):
        place = _key_index(table, key)
        if place < 0:
            return default
        return table._values[place]  # noqa: SLF001  # one of ours

    return value_of_key


@overload_method(LookupType, "keys")
def _all_keys(table):
    return lambda table: table._keys  # noqa: SLF001  # one of ours


@overload_method(LookupType, "values")
def _all_values(table):
    return lambda table: table._values  # noqa: SLF001  # one of ours


@overload_method(LookupType, "items")
def _items(table):
    return lambda table: make_records(None, (table._keys, table._values))  # noqa: SLF001  # ours
