"""Records, which positions and their parts may be: named tuples and frozen dataclasses."""

from __future__ import annotations

from dataclasses import MISSING, fields
from functools import lru_cache
from typing import Any


def names_of(kind: Any) -> tuple[str, ...]:
    """Return the names of a record class's fields; () for any other class."""
    return _names_of_class(kind) if isinstance(kind, type) else ()


@lru_cache(maxsize=256)
def _names_of_class(kind: type) -> tuple[str, ...]:
    if issubclass(kind, tuple):
        return tuple(getattr(kind, "_fields", ()))
    given = kind.__dict__.get("__dataclass_params__") or getattr(kind, "__dataclass_params__", None)
    if given is None or not given.frozen:
        return ()
    return tuple(each.name for each in fields(kind))  # type: ignore[arg-type]  # just asked


def defaults_of(kind: Any) -> dict[str, Any]:
    """Return the defaults of a record class's fields."""
    if issubclass(kind, tuple):
        return dict(getattr(kind, "_field_defaults", {}))
    return {each.name: each.default for each in fields(kind) if each.default is not MISSING}


def parts_of(value: Any) -> tuple[Any, ...] | None:
    """Return the items of a tuple or a record, in order; None for anything else."""
    if isinstance(value, tuple):
        return value
    names = names_of(type(value))
    return tuple(getattr(value, name) for name in names) if names else None


def fault_of(kind: type) -> str | None:
    """Return why a dataclass is not a record, or None."""
    params = getattr(kind, "__dataclass_params__", None)
    if params is None:
        return None
    if not params.frozen or not params.eq:
        return "can change; write @dataclass(frozen=True)"
    if hasattr(kind, "__post_init__"):
        return "has __post_init__(), which compiled rules cannot run; leave it out"
    strange = [each.name for each in fields(kind) if not (each.init and each.compare)]
    if strange:
        what = f"has the field {strange[0]}, which is not given or not compared"
        return f"{what}; make it an ordinary one"
    return None
