"""That nothing public is undocumented: names of public modules, commands, options and errors."""

from __future__ import annotations

import inspect
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import zermelo
from zermelo import errors
from zermelo.cli import main

DOCS = Path(__file__).parents[2] / "docs"

#: The public modules that declare what is public in them; the zoo has a page for each game.
MODULES = [
    name
    for name in dir(zermelo)
    if name not in (*zermelo.__all__, "__version__", "games")
    and hasattr(import_module(f"zermelo.{name}"), "__all__")
]
ERRORS = [
    name
    for name, kind in vars(errors).items()
    if inspect.isclass(kind) and kind.__module__ == errors.__name__
]


@cache
def pages(*folders):
    """Return the text of all pages in some folders of the documentation."""
    found = [page for folder in folders for page in sorted((DOCS / folder).rglob("*.md"))]
    return "\n".join(page.read_text(encoding="utf-8") for page in found)


@pytest.mark.parametrize("module", MODULES)
def test_the_names_of_public_modules_are_documented(module):
    """Each is on a page of the reference or of a how-to, and has a docstring of its own."""
    public = import_module(f"zermelo.{module}")
    text = pages("reference", "how-to")
    for name in public.__all__:
        told = rf"zermelo\.{module}\.{name}\b|`{name}`"  # constants have no entry of their own
        assert re.search(told, text) or name in zermelo.__all__, f"zermelo.{module}.{name}"
        given = getattr(public, name)
        if inspect.isclass(given) or inspect.isfunction(given):
            assert inspect.getdoc(given), name


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_documented(name):
    """Each can be imported from ``zermelo``, is on the page of errors, and says what it means."""
    assert getattr(zermelo, name) is getattr(errors, name)
    assert f".. autoexception:: zermelo.{name}\n" in pages("reference")
    assert inspect.getdoc(getattr(errors, name))


@pytest.mark.parametrize("name", sorted(main.commands))
def test_commands_are_documented(name):
    """The page of the command lists all of them, with their options, and another page uses each."""
    reference = (DOCS / "reference" / "cli.md").read_text(encoding="utf-8")
    assert ".. click:: zermelo.cli:main\n   :prog: zermelo\n   :nested: full" in reference
    elsewhere = pages("how-to", "tutorials", "explanation", "games", "reference")
    assert re.search(rf"zermelo {name}\b", elsewhere)
