"""From the word GAME on the command line to the class of a game."""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import inspect
import re
import shlex
import sys
from collections.abc import Callable
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from zermelo import adapters
from zermelo.adapters.languages import fault_of_language
from zermelo.adapters.names import LIBRARIES
from zermelo.cli.errors import Stop, author_line, did_you_mean, error_text
from zermelo.game.contract import Game

if TYPE_CHECKING:
    from collections.abc import Iterator

    from zermelo.progress import Listener

_NEAR = 0.6
#: The most games that are suggested if no game has the name.
_MOST_SUGGESTED = 2
#: The prefix of a file's module if another module has the name of the file.
OF_FILE = "_zermelo_file_"
#: The command for a file of graphs, by how its name ends.
_COMMANDS = {".gm": "graph", ".tra": "graph", ".umb": "graph", ".g6": "cops"}


@dataclass(frozen=True)
class GameClass:
    """The class of a game, found by its text on the command line.

    Attributes:
        name: how the class is written there in full, such as ``connect-four`` or
            ``mygame.py:MyGame``.
        kind: the class.
        authors: whether it is the user's own class, not a built-in game.
        make: makes the game of another library, whose class is found by exploring it.
    """

    name: str
    kind: type[Game]
    authors: bool = True
    make: Callable[[Listener], Game] | None = None


def find_game(text: str, tell_file: Callable[[str], None]) -> GameClass:
    """Return the class that GAME names.

    Args:
        text: a built-in game's name, ``path.py:Class``, ``path.py``, ``package.module:Class``, or
            a game of another library, such as ``openspiel:tic_tac_toe``.
        tell_file: called with the author's file before it is run.

    Raises:
        Stop: there is no such game, or its file cannot be run.
    """
    if text.partition(":")[0] in LIBRARIES and ":" in text:

        def make(tell: Listener) -> Game:
            return adapters.named(text, progress=tell)

        return GameClass(text, adapters.ImportedGame, authors=False, make=make)
    path, colon, name = text.rpartition(":")
    if text.endswith(".py") or not colon:
        path, name = text, ""
    if path.endswith(".py"):
        tell_file(str(Path(path).resolve()))
        return _in_module(path, run_file(path), name)
    if colon and name and re.fullmatch(r"\w+(\.\w+)*", path):
        return _in_module(path, import_local_module(path, text, tell_file), name)
    check_language(text)
    from zermelo.games import zoo
    from zermelo.games.aliases import ALIASES

    name = ALIASES.get(text, text)
    if name in zoo():
        return GameClass(name, zoo()[name], authors=False)
    raise Stop(_unknown_game_sentence(text))


def check_language(text: str) -> None:
    """Stop if a word names a file in the language of another program."""
    fault = fault_of_language(text)
    if fault is not None:
        raise Stop(fault)


def _unknown_game_sentence(text: str) -> str:
    from zermelo.games.aliases import ALIASES, find_games, hyphens, similar_names

    if " + " in text:
        return f"{text!r} is a sum of games; use zermelo probe, play, explore or verify"
    if file := near_file(text):
        return f"there is no game {text!r}; did you mean {shlex.quote(file)}?"
    if Path(text).is_file():
        if command := _COMMANDS.get(Path(text).suffix):
            return f"{text!r} is a file of graphs; use zermelo {command} {shlex.quote(text)}"
        return f"{text!r} is a file, not a game; if it is a table, zermelo info names its game"
    if words := ALIASES.get(hyphens(text)):
        return f"{text!r} is the game {words}; write that"
    if hyphens(text).isdecimal():
        return f"there is no game {text!r}; zermelo games leetcode lists those of LeetCode"
    suggestions = similar_names(text) or find_games(text)[:_MOST_SUGGESTED]
    hint = (
        did_you_mean(suggestions)
        or "; zermelo games lists them, and a class of your own is path.py:Class"
    )
    return f"there is no game {text!r}{hint}"


def near_file(text: str) -> str:
    """Return the file of this folder that a word names without its ending, or ""."""
    from zermelo.games.aliases import hyphens

    names = [str(file) for file in sorted(Path().glob("*.py"))]
    like = [name for name in names if hyphens(name.removesuffix(".py")) == hyphens(text)]
    return f"{text}.py" if f"{text}.py" in names else next(iter(like), "")


def run_file(path: str) -> ModuleType:
    """Run a file as a module of its own.

    Its source is always read again: a cached form may be that of a file edited within the second.
    """
    source = Path(path)
    try:
        text = source.read_bytes()
    except OSError as error:
        advice = did_you_mean(_near_names(source)) or "; check its name"
        message = f"cannot read {path!r}: {error.strerror}{advice}"
        raise Stop(message) from None
    resolved = str(source.resolve())
    name = f"{OF_FILE}{source.stem}" if _is_taken(source.stem) else source.stem
    loader = SourceFileLoader(name, resolved)
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None  # noqa: S101  # there is a loader
    module = importlib.util.module_from_spec(spec)
    # At the end, so that nothing beside the file hides a library; dataclasses look themselves
    # up in sys.modules.
    if str(source.resolve().parent) not in sys.path:
        sys.path.append(str(source.resolve().parent))
    sys.modules[name] = module
    with _stop_at_faults(path):
        exec(loader.source_to_code(text, resolved), vars(module))  # noqa: S102  # what was asked for
    return module


def _near_names(source: Path) -> list[str]:
    """Return the files and games that a file that cannot be read was meant to be."""
    from zermelo.games import zoo
    from zermelo.games.aliases import hyphens

    files = {file.name: file for file in source.parent.glob("*.py") if file.is_file()}
    near_files = [
        str(files[name]) for name in difflib.get_close_matches(source.name, files, 1, _NEAR)
    ]
    return [
        *map(shlex.quote, near_files),
        *(name for name in zoo() if name == hyphens(source.stem)),
    ]


def _is_taken(name: str) -> bool:
    """Return whether a module of this name is another's, which some library may yet import."""
    if name in sys.modules or name in sys.stdlib_module_names or not name.isidentifier():
        return True
    return importlib.util.find_spec(name) is not None


def import_local_module(name: str, text: str, tell_file: Callable[[str], None]) -> ModuleType:
    """Import a module, also one in the current folder.

    Args:
        name: the module, with dots.
        text: the text on the command line.
        tell_file: called with the module's file before it is run.

    Raises:
        Stop: there is no such module, or it cannot be run.
    """
    if str(Path.cwd()) not in sys.path:
        sys.path.append(str(Path.cwd()))
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        file = f"{name.replace('.', '/')}.py"
        hint = f"; did you mean {file}:{text.rpartition(':')[2]}?" if Path(file).is_file() else ""
        message = f"there is no module {name!r}{hint or '; a file is written path.py:Class'}"
        raise Stop(message)
    if spec.origin is not None:
        tell_file(spec.origin)
    with _stop_at_faults(name):
        return importlib.import_module(name)


@contextmanager
def _stop_at_faults(source: str) -> Iterator[None]:
    """Turn an exception of an author's file into one sentence with the line of the file."""
    try:
        yield
    except SystemExit as error:
        message = (
            f"{author_line(error) or source}: importing this ends the program; move it to __main__"
        )
        raise Stop(message) from None
    except Exception as error:  # noqa: BLE001  # anything may go wrong in a file that is run
        message = f"{author_line(error) or source}: {error_text(error)}"
        raise Stop(message) from None


def _in_module(path: str, module: ModuleType, name: str) -> GameClass:
    games = {
        key: value
        for key, value in vars(module).items()
        if inspect.isclass(value) and issubclass(value, Game) and value is not Game
        if value.__module__ == module.__name__
    }
    if not name:
        if len(games) != 1:
            has = f"has the games {', '.join(games)}" if games else "has no class derived from Game"
            hint = (
                f"; write {shlex.quote(f'{path}:{next(iter(games))}')}, for example"
                if games
                else ""
            )
            message = f"{path} {has}{hint}"
            raise Stop(message)
        name = next(iter(games))
    if not hasattr(module, name):
        suggestions = difflib.get_close_matches(name, games, 2, _NEAR) or list(games)[:2]
        message = f"{path} has no class {name!r}{did_you_mean(suggestions)}"
        raise Stop(message)
    chosen = getattr(module, name)
    if not inspect.isclass(chosen):
        description = _article(type(chosen).__name__)
        message = f"{name} in {path} is {description}; a game is a class derived from zermelo.Game"
        raise Stop(message)
    if not issubclass(chosen, Game) or chosen is Game:
        description = "Game itself" if chosen is Game else "not a game"
        message = (
            f"{name} in {path} is {description}; write class {name}(Game), with the rules in it"
        )
        raise Stop(message)
    return GameClass(f"{path}:{name}", chosen)


def _article(noun: str) -> str:
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"
