"""How much of a test is run by default: the rest is marked slow, and CI runs that too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def counts(few: int | None, many: int | None, most: int | None = None) -> Any:
    """Parametrise a test of many random cases by their ``count``: few by default, most if huge.

    Many are slow, where a claim needs more of them than few: a rare case, or more kinds of games.
    A size that is None is left out.
    """
    sizes: list[Any] = [] if few is None else [few]
    marks = pytest.mark.slow, pytest.mark.huge
    for size, mark in zip((many, most), marks, strict=True):
        sizes += [] if size is None else [pytest.param(size, marks=mark)]
    return pytest.mark.parametrize("count", sizes)


def some(cases: Iterable[Any], each: int, slow: int = 1) -> list[Any]:
    """Return cases to parametrise by, of which all but one of ``each`` are not run by default.

    One of ``slow`` of these is slow, and the others are huge.
    """
    parameters = []
    for n, case in enumerate(cases):
        mark = pytest.mark.slow if n % slow == 0 else pytest.mark.huge
        options = {"id": getattr(case, "id", None)}
        parameter = pytest.param(*_arguments(case), marks=mark, **options)
        parameters.append(case if n % each == 0 else parameter)
    return parameters


def but(cases: Iterable[Any], *slow: Any) -> list[Any]:
    """Return cases to parametrise by, of which those named are slow."""
    return [pytest.param(case, marks=pytest.mark.slow) if case in slow else case for case in cases]


def _arguments(case: Any) -> tuple[Any, ...]:
    values = getattr(case, "values", None)  # of a pytest.param; a dict has a method of that name
    if callable(values):
        return (case,)
    return case if isinstance(case, tuple) and values is None else values or (case,)
