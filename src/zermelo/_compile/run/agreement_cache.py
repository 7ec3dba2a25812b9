"""A cache on disk of rules whose compiled form agreed with Python.

An empty file stands for each: it exists or not, and is never half written. Its name is a hash of
all that could change the result: the compiled text, the Zermelo functions that it calls, the text
of the files with the rules, and the parameters of the comparison: their sizes for the comparison
with Python, and their values for symmetries.
"""

from __future__ import annotations

import hashlib
import linecache
from contextlib import suppress
from pathlib import Path
from types import FunctionType

import numba

from zermelo._compile.read import externals
from zermelo._compile.run.cache import Entry
from zermelo._compile.run.load import FOLDER
from zermelo._engine.core.compiling.dispatchers import cache_directory, cached_identity
from zermelo.game.contract import Game, parameter_names
from zermelo.game.parameters import hashable_parameter
from zermelo.rules.hooks import Rules


def has_saved_agreement(entry: Entry, rules: Rules, key: object) -> bool:
    """Return whether these rules agreed in some process, with such parameters.

    Args:
        entry: the rules, compiled.
        rules: the rules.
        key: the key of the parameters, with equal texts in all processes.
    """
    path = _path(entry, rules, key)
    try:
        return path is not None and path.is_file()
    except OSError:
        return False


def save_agreement(entry: Entry, rules: Rules, key: object) -> None:
    """Save that these rules agreed, if the disk accepts it."""
    path = _path(entry, rules, key)
    if path is not None:
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()


def _path(entry: Entry, rules: Rules, key: object) -> Path | None:
    """Return the path of the file; None for rules that are not cached on disk."""
    directory = cache_directory()
    kernel_identity = cached_identity(entry.loaded.expand)
    # Without Numba's compiler, Python was compared with Python.
    if directory is None or kernel_identity is None or numba.config.DISABLE_JIT:
        return None
    label = entry.loaded.__name__
    game = rules.game
    names = parameter_names(game) if rules.foldable else ()
    values = [hashable_parameter(getattr(game, name)) for name in names]
    digest = hashlib.sha256(repr((label, kernel_identity, key, values)).encode())
    for text in sorted("".join(linecache.getlines(name)) for name in _files(entry, rules)):
        digest.update(b"\0" + text.encode("utf-8", "replace"))  # independent of the file's path
    return directory / FOLDER / f"{label}-{digest.hexdigest()[:32]}.compared"


def _files(entry: Entry, rules: Rules) -> set[str]:
    """Return the files that define the checks: those of the rules, and of other hooks."""
    files = {source.filename for _, source in entry.module.functions}
    for kind in {*type(rules.game).__mro__, *getattr(rules.layout.kind, "__mro__", ())}:
        if kind is not Game:
            unwrapped = (externals.unwrap(value) for value in vars(kind).values())
            functions = (value for value in unwrapped if isinstance(value, FunctionType))
            author_functions = (
                function for function in functions if not externals.of_library(function)
            )
            files |= {function.__code__.co_filename for function in author_functions}
    return files
