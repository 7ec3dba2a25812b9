"""That nothing public is undocumented: names of public modules, commands, options and errors."""

from __future__ import annotations

import dataclasses
import inspect
import re
from contextlib import suppress
from dataclasses import is_dataclass
from functools import cache, cached_property, reduce
from importlib import import_module
from pathlib import Path

import pytest

import zermelo
from zermelo import errors
from zermelo.cli import main
from zermelo.game.contract import HOOKS

DOCS = Path(__file__).parents[2] / "docs"


@cache
def pages(*folders):
    """Return the text of all pages in some folders of the documentation."""
    found = [page for folder in folders for page in sorted((DOCS / folder).rglob("*.md"))]
    return "\n".join(page.read_text(encoding="utf-8") for page in found)


REFERENCE = pages("reference")
#: Modules below these that a program may import from as well.
BELOW = (
    "adapters.chess",
    "adapters.uci",
    "agents.plots",
    "agents.report",
    "analysis.plots",
    "analysis.report",
    "drawing.dots",
    "drawing.hexes",
    "drawing.links",
    "drawing.pits",
    "drawing.points",
    "drawing.rows",
    "drawing.sketch",
    "heaps.plots",
    "symmetry",
)
#: The public modules; the zoo has a page for each game.
MODULES = [
    *(name for name in dir(zermelo) if name not in (*zermelo.__all__, "__version__", "games")),
    *BELOW,
]
#: What gives a name an entry.
DIRECTIVE = r"\.\. (?:autofunction|autoclass|autoexception|autodata|py:data):: "
#: Classes whose pages are in the reference, with the members that each lists.
CLASSES = re.compile(
    r"^\.\. auto(?:class|exception):: ([\w.]+)(?:\(\))?\n((?:   .+\n)*)", re.MULTILINE
)
#: What only the rest of the package calls: packed positions, and how a proof is put together.
INTERNAL = {
    "ImportedGame": {"first", "actions", "targets", "movers", "ends", "origin"},
    "Strategy": {
        "rows",
        "is_own",
        "places",
        "place",
        "child_after",
        "step",
        "bounds_of",
        "nimber_of",
        "value_bounds",
        "has_scores",
    },
}
ERRORS = [
    name
    for name, kind in vars(errors).items()
    if inspect.isclass(kind) and kind.__module__ == errors.__name__
]


def named(path):
    """Return what the reference calls by a dotted name."""
    parts = path.split(".")
    for length in range(len(parts), 0, -1):
        with suppress(ImportError):
            found = import_module(".".join(parts[:length]))
            return reduce(getattr, parts[length:], found)
    raise ImportError(path)


def public_members(kind):
    """Return the public methods and properties of a class, with the classes that define them."""
    found = {}
    for parent in kind.__mro__:
        for name, given in vars(parent).items():
            callable_ = inspect.isfunction(given) or isinstance(given, (classmethod, staticmethod))
            asked = isinstance(given, (property, cached_property))
            if parent.__module__.startswith("zermelo.") and (callable_ or asked):
                found.setdefault(name, parent)
    return {name: parent for name, parent in found.items() if not name.startswith("_")}


@cache
def entries():
    """Return the members that have an entry in the reference, by the classes that define them."""
    found = set()
    for path, options in CLASSES.findall(REFERENCE):
        kind, members = named(path), public_members(named(path))
        listed = re.search(r":members: +([\w, \n]+)", options)
        inherited = ":inherited-members:" in options
        for name, parent in members.items():
            if listed and name not in re.split(r"[,\s]+", listed[1]):
                continue
            if listed or inherited or parent is kind:
                found.add((parent, name))
    return found


@pytest.mark.parametrize("path", dict.fromkeys(path for path, _ in CLASSES.findall(REFERENCE)))
def test_every_method_of_a_documented_class_has_an_entry(path):
    """On the class's own page or on that of the class it comes from; so does every field."""
    kind = named(path)
    entered = entries()
    hooks = HOOKS if issubclass(kind, zermelo.Game) else ()  # on the page on writing a game
    missing = {
        name
        for name, parent in public_members(kind).items()
        if (parent, name) not in entered and name not in hooks
    }
    assert missing == INTERNAL.get(kind.__name__, set()), path
    for name in public_members(kind):
        assert inspect.getdoc(getattr(kind, name)) or name in hooks, f"{path}.{name}"
    fields = [each.name for each in dataclasses.fields(kind)] if is_dataclass(kind) else []
    fields += getattr(kind, "_fields", ())
    for name in fields:
        told = re.search(rf"^ +{name}(, \w+)*( \(.*\))?:", inspect.getdoc(kind), re.MULTILINE)
        assert name.startswith("_") or told, f"{path}.{name}"


def test_every_name_of_the_library_has_an_entry():
    """What ``import zermelo`` gives is in the reference; the three outcomes are in a sentence."""
    for name in zermelo.__all__:
        told = rf"{DIRECTIVE}zermelo\.{name}\b|`zermelo\.{name}`"
        assert re.search(told, REFERENCE), name


def test_a_module_that_pages_import_from_is_public():
    """So that what it has is looked at below."""
    imported = r"^(?:>>> |\.\.\. )? *from zermelo\.([\w.]+) import"
    text = pages("how-to", "tutorials", "explanation", "reference", "games")
    found = set(re.findall(imported, text, re.MULTILINE))
    assert {name for name in found if not name.startswith("games")} <= set(MODULES)
    assert "heaps" in found


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


def test_environment_variables_are_documented():
    """Each that the package reads is on the page of the installation or of the command."""
    source = Path(zermelo.__file__).parent
    read = {
        name
        for path in source.rglob("*.py")
        for name in re.findall(r'"(ZERMELO_[A-Z_]+)"', path.read_text(encoding="utf-8"))
    }
    assert "ZERMELO_HOME" in read
    text = (DOCS / "install.md").read_text(encoding="utf-8") + pages("reference")
    assert {name for name in read if f"`{name}`" not in text} == set()


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_documented(name):
    """Each can be imported from ``zermelo``, is on the page of errors, and says what it means."""
    assert getattr(zermelo, name) is getattr(errors, name)
    assert f".. autoexception:: zermelo.{name}\n" in pages("reference")
    assert inspect.getdoc(getattr(errors, name))


@pytest.mark.parametrize("name", sorted(main.catalogue))
def test_commands_are_documented(name):
    """The page of the command lists all of them, with their options, and another page uses each."""
    reference = (DOCS / "reference" / "cli.md").read_text(encoding="utf-8")
    assert ".. click:: zermelo.cli:main\n   :prog: zermelo\n   :nested: full" in reference
    elsewhere = pages("how-to", "tutorials", "explanation", "games", "reference")
    assert re.search(rf"zermelo {name}\b", elsewhere)
