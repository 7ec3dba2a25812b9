"""Tables: solved games on disk, and opening them again."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.adapters.names import IMPORTED, named
from zermelo.errors import ParameterError, StaleTableError
from zermelo.resources import thread_count
from zermelo.solution.load_solution import PROOF, game_of_file, opened_solution, read_header

if TYPE_CHECKING:
    import os

    from zermelo._engine.file.reader import Reader
    from zermelo.game.contract import Game
    from zermelo.proving.proof import Proof
    from zermelo.solution.solution import Solution

#: The prefix of the zoo's modules; no other module that a table names is imported.
_ZOO = "zermelo.games."
#: The classes that read tables without a game, by kind: a module, and its class.
GAMELESS = {
    "graph": ("zermelo.graph.solved_graph", "SolvedGraph"),
    "pursuit": ("zermelo.pursuits.solved_pursuit", "SolvedPursuit"),
}


def open_table(
    path: str | os.PathLike[str],
    game: Game | type[Game] | None = None,
    *,
    ignore_rules: bool = False,
    threads: int | None = None,
) -> Solution:
    """Open a table, which answers as the solution did that was saved.

    Nothing is solved, and nothing in the file is run. A small table is read whole; blocks of a
    larger one are read as they are needed. Each block is compared with its checksum. Of a proof it
    is ``proof.solution``.

    Args:
        path: the file.
        game: the game, or its class, which is then made with the table's parameters; by default
            it is found in the zoo. The table of a graph or of a pursuit holds all of it, and needs
            none.
        ignore_rules: whether to open a table whose rules have changed since it was made, to look
            inside. Its values are those of the rules that made it.
        threads: threads that answers may use; by default as many as there are cores.

    Returns:
        The solution.

    Raises:
        MissingTableError: there is no file.
        CorruptTableError: it is not a table, damaged, truncated, or of a newer format.
        ParameterError: it is of another game, or of one that is not in the zoo and was not given;
            or it is of a graph or a pursuit, and a game was given, or ``ignore_rules``.
        StaleTableError: the game's rules have changed since it was made.
    """
    from zermelo.solution.solution import Solution

    opened: Solution | Proof = open_file(path, game, ignore_rules=ignore_rules, threads=threads)
    return opened if isinstance(opened, Solution) else opened.solution


def open_file(
    path: str | os.PathLike[str],
    game: Game | type[Game] | None = None,
    *,
    ignore_rules: bool = False,
    threads: int | None = None,
) -> Any:  # of one type or the other, which the caller knows
    """Open a table, which answers as the solution did that was saved, or a saved proof.

    Nothing is solved, and nothing in the file is run. A small table is read whole; blocks of a
    larger one are read as they are needed. Each block is compared with its checksum.

    Args:
        path: the file.
        game: the game, or its class, which is then made with the table's parameters; by default
            it is found in the zoo. The table of a graph or of a pursuit holds all of it, and needs
            none.
        ignore_rules: whether to open a file whose rules have changed since it was made, to look
            inside. Its values are those of the rules that made it.
        threads: threads that answers may use; by default as many as there are cores.

    Returns:
        The ``Solution``, or the ``Proof``, which ``verify`` checks.

    Raises:
        MissingTableError: there is no file.
        CorruptTableError: it is not a table, damaged, truncated, or of a newer format.
        ParameterError: it is of another game, or of one that is not in the zoo and was not given;
            or it is of a graph or a pursuit, and a game was given, or ``ignore_rules``.
        StaleTableError: the game's rules have changed since it was made.
    """
    from zermelo._engine.file.reader import Reader

    count = thread_count(threads)
    reader = Reader(Path(path))
    try:
        return _answers_of(reader, game, count, ignore=ignore_rules)
    except BaseException:
        reader.close()
        raise


def _answers_of(
    reader: Reader, game: Game | type[Game] | None, threads: int, *, ignore: bool
) -> Solution | Proof:
    """Return the solution or the proof in an open file; see ``open_file``."""
    if "holds" in reader.header:
        return _read(reader, threads, has_game_arguments=game is not None or ignore)
    header = read_header(reader)
    chosen_game = _game(reader, header, game)
    if header["table"]["kind"] == PROOF:
        from zermelo.proving.load_proof import proof_from_file

        with reader:
            return proof_from_file(reader, chosen_game, header, ignore=ignore)
    from zermelo.plain.file_game import small_table

    small = small_table(reader, chosen_game, header, threads, ignore=ignore)
    if small is not None:
        return small
    return opened_solution(reader, chosen_game, header, threads, ignore=ignore)


def _read(reader: Reader, threads: int, *, has_game_arguments: bool) -> Solution:
    """Return the solution in a table of a kind that needs no game.

    Raises:
        ParameterError: something was asked that is about games.
    """
    from zermelo._store import graph_tables
    from zermelo.solution.solution import Solution

    header = graph_tables.check_header(reader, GAMELESS)
    if has_game_arguments:
        message = f"{str(reader.path)!r} holds {header['holds']}; leave out game= and ignore_rules="
        raise ParameterError(message)
    module, name = GAMELESS[header["table"]["kind"]]
    return Solution(
        getattr(importlib.import_module(module), name).read(reader),
        method=header["method"],
        choice=header["choice"],
        threads=threads,
    )


def describe_table(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the description in a table, without its game.

    Args:
        path: the file.

    Returns:
        The header, with the game, its parameters, the value of its start, counts and sizes; of a
        graph, its description instead of a game and a start.

    Raises:
        MissingTableError: there is no file.
        CorruptTableError: it is not a table, damaged, truncated, or of a newer format.
    """
    from zermelo._engine.file.reader import Reader
    from zermelo._store import graph_tables

    with Reader(Path(path)) as reader:
        has_game = "holds" not in reader.header
        header = read_header(reader) if has_game else graph_tables.check_header(reader, GAMELESS)
        return {**header, "bytes": Path(path).stat().st_size}


def zoo_game(path: str | os.PathLike[str], header: dict[str, Any]) -> Game:
    """Return the game of the zoo that a table is of.

    Args:
        path: the file, for the message.
        header: the result of ``describe_table``.

    Raises:
        ParameterError: it is of no game of the zoo, or of parameters that it does not have.
    """
    kind = _zoo_instance(str(path), header["game"], header["module"])
    try:
        return kind(**header["parameters"])
    except TypeError as error:
        message = f"{str(path)!r} has other parameters than {kind.__name__}: {error}; give a game"
        raise ParameterError(message) from None


def _game(reader: Reader, header: dict[str, Any], game: Game | type[Game] | None) -> Game:
    return game_of_file(reader, header, _game_of_header(reader, header) if game is None else game)


def _zoo_instance(path: str, name: str, module: str) -> type[Game]:
    if module.startswith(_ZOO):
        from zermelo.games import hyphenated, zoo

        kind = zoo().get(hyphenated(name))
        if kind is not None:
            return kind
    message = f"{path!r} is of {name}, which is not in the zoo; give the game, or its class"
    raise ParameterError(message)


def _game_of_header(reader: Reader, header: dict[str, Any]) -> Game | type[Game]:
    """Return the game that a header names, or its class.

    Raises:
        ParameterError: it is not of the zoo, nor of another library.
        StaleTableError: it is a game of another library, which has changed since.
    """
    path, module = str(reader.path), header["module"]
    source = header["parameters"].get("source")
    if not (module.startswith(IMPORTED) and isinstance(source, str)):
        return _zoo_instance(path, header["game"], module)
    game = named(source)
    if game.checksum != header["parameters"].get("checksum"):
        message = (
            f"the rules of {source} have changed since {path!r} was made; solve the game again"
        )
        raise StaleTableError(message)
    return game
