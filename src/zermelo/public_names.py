"""Public names of a package, each imported from its module when it is first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def importer(
    package: str, module_of: Mapping[str, str], name_in_module: Mapping[str, str] | None = None
) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package.

    Args:
        package: the package's ``__name__``.
        module_of: the module of each public name.
        name_in_module: names that a module gives another name than the package does.
    """
    others = name_in_module or {}

    def import_name(name: str) -> Any:
        """Import a public name when it is first used."""
        if name not in module_of:
            message = f"module {package!r} has no attribute {name!r}"
            # With the module, Python suggests a near name.
            raise AttributeError(message, name=name, obj=sys.modules[package])
        value = getattr(import_module(module_of[name]), others.get(name, name))
        setattr(sys.modules[package], name, value)
        return value

    return import_name
