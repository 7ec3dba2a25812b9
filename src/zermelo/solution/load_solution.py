"""Opening the table of a known game, with its header and its rules."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from zermelo._store.table_forms import FORMS, open_table
from zermelo.errors import CorruptTableError, ParameterError, StaleTableError
from zermelo.game.contract import Game
from zermelo.game.parameters import as_json

if TYPE_CHECKING:
    from zermelo._compile.rules import CompiledRules
    from zermelo._engine.file.reader import Reader
    from zermelo.solution.solution import Solution

#: The kind of a file that contains a proof, and no table.
PROOF = "proof"
#: The most characters of a parameter that a message shows.
_LONGEST = 60
#: The keys of a header, with their types.
_HEADER: dict[str, type | tuple[type, ...]] = {
    "game": str,
    "module": str,
    "parameters": dict,
    "misere": bool,
    "rules": str,
    "zermelo": str,
    "method": str,
    "choice": str,
    "folded": bool,
    "symmetries": int,
    "fields": list,
    "table": dict,
}


def read_header(reader: Reader) -> dict[str, Any]:
    """Return the header of a file.

    Raises:
        CorruptTableError: it is not the header of a table or a proof of a game.
    """
    header = {"misere": False, **reader.header}
    for key, kind in _HEADER.items():
        if not isinstance(header.get(key), kind):
            why = f"it has no {key}"
            raise reader.file_error(why)
    if header["table"].get("kind") not in (*FORMS, PROOF):  # a forged one may be a list
        kind = header["table"].get("kind")
        message = f"{str(reader.path)!r} is a table of the kind {kind!r}; install a newer Zermelo"
        raise CorruptTableError(message)
    return header


def game_of_file(reader: Reader, header: dict[str, Any], game: Game | type[Game]) -> Game:
    """Return the game of a file.

    Args:
        reader: the file.
        header: its header.
        game: the game, or its class, which is then instantiated with the file's parameters.

    Raises:
        ParameterError: the file is of another game.
    """
    name, path = header["game"], str(reader.path)
    kind = game if isinstance(game, type) else type(game)
    if not issubclass(kind, Game):
        message = f"game={game!r} is not a game; give a Game, or its class"
        raise ParameterError(message)
    if kind.__name__ != name:
        message = f"{path!r} is a table of {name}, not of {kind.__name__}; give that game"
        raise ParameterError(message)
    if isinstance(game, type):
        try:
            game = game(**header["parameters"])
        except TypeError as error:
            message = f"{path!r} has other parameters than {name}: {error}; give a game"
            raise ParameterError(message) from None
    ours = {key: as_json(getattr(game, key, None)) for key in header["parameters"]}
    if ours != header["parameters"]:
        key = next(key for key in ours if ours[key] != header["parameters"][key])
        message = (
            f"{path!r} is of {name} with {key} = {_short(header['parameters'][key])}, not "
            f"{_short(ours[key])}; give the same game"
        )
        raise ParameterError(message)
    return game


def opened_solution(
    reader: Reader, game: Game, header: dict[str, Any], threads: int, *, ignore: bool = False
) -> Solution:
    """Return a solution that answers from the table of a game.

    Args:
        reader: the file.
        game: its game.
        header: its header.
        threads: the threads that answers may use.
        ignore: whether changed rules are accepted.

    Raises:
        StaleTableError: the rules have changed since it was made.
    """
    from zermelo._compile.rules import compile_rules
    from zermelo.solution.solution import Solution
    from zermelo.solution.split import solved_game

    try:
        folding = header["folded"] or game.folded_tables
        compiled = compile_rules(game, misere=header["misere"], folding=folding)
    except ParameterError as error:  # the rules no longer are those of normal play
        made_by = f"since {str(reader.path)!r} was made"
        message = f"the rules of {header['game']} have changed {made_by}: {error}"
        raise StaleTableError(message) from None
    if header["folded"]:
        compiled = _fold_as_saved(compiled, header)
    check_rules_match(reader, header, compiled, ignore=ignore)
    return Solution(
        solved_game(compiled, open_table(reader, compiled)),
        method=header["method"],
        choice=header["choice"],
        threads=threads,
    )


def _fold_as_saved(compiled: CompiledRules, header: dict[str, Any]) -> CompiledRules:
    """Return the rules folded as in the file: by all symmetries, or by those that keep the turn."""
    rules = compiled.rules
    if not rules.foldable:
        return compiled
    folded = compiled.with_symmetries()
    if len(folded.elements) != header["symmetries"]:
        folded = compiled.with_symmetries(e for e in folded.elements if not rules.turns_over(e))
    return folded


def check_rules_match(
    reader: Reader, header: dict[str, Any], compiled: CompiledRules, *, ignore: bool
) -> None:
    """Check that the rules are those that made the table.

    Raises:
        StaleTableError: they are not, or even the layout of positions has changed.
    """
    from zermelo._compile.read.rules_digest import digest

    path, name = str(reader.path), header["game"]
    symmetries = len(compiled.elements)
    if compiled.rules.layout.to_header() != header["fields"] or symmetries != header["symmetries"]:
        message = f"the positions of {name} have changed since {path!r} was made; solve it again"
        raise StaleTableError(message)
    if ignore:
        return
    current = digest(compiled.rules)
    if current != header["rules"] or not current:
        is_known = current and header["rules"]
        reason = (
            f"have changed since {path!r} was made"
            if is_known
            else (f"cannot be compared with those of {path!r}, as their source is not known")
        )
        message = (
            f"the rules of {name} {reason}; solve it again, or look inside with ignore_rules=True"
        )
        raise StaleTableError(message)


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
