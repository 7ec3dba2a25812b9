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
    options = kind.__dict__.get("__dataclass_params__") or getattr(
        kind, "__dataclass_params__", None
    )
    if options is None or not options.frozen:
        return ()
    return tuple(field.name for field in fields(kind))  # type: ignore[arg-type]  # just checked


def defaults_of(kind: Any) -> dict[str, Any]:
    """Return the defaults of a record class's fields."""
    if issubclass(kind, tuple):
        return dict(getattr(kind, "_field_defaults", {}))
    return {field.name: field.default for field in fields(kind) if field.default is not MISSING}


def parts_of(value: Any) -> tuple[Any, ...] | None:
    """Return the items of a tuple or a record, in order; None for anything else."""
    if isinstance(value, tuple):
        return value
    names = names_of(type(value))
    return tuple(getattr(value, name) for name in names) if names else None


def fault_of(kind: type) -> str | None:
    """Return why a dataclass is not a record, or None."""
    options = getattr(kind, "__dataclass_params__", None)
    if options is None:
        return None
    if not options.frozen or not options.eq:
        return "can change; write @dataclass(frozen=True)"
    if hasattr(kind, "__post_init__"):
        return "has __post_init__(), which compiled rules cannot run; leave it out"
    unusual = [field.name for field in fields(kind) if not (field.init and field.compare)]
    if unusual:
        fault = f"has the field {unusual[0]}, which is not given or not compared"
        return f"{fault}; make it an ordinary one"
    return None
