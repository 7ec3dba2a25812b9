"""``zermelo graph``: solves a game on a graph that stands in a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from zermelo._engine.file.destination import check_place
from zermelo.cli.arguments.game_class import check_language
from zermelo.cli.errors import NO, Stop, under_way
from zermelo.cli.group import Example
from zermelo.cli.options import (
    OptionValue,
    limit_options,
    output_options,
)
from zermelo.cli.output import Output, write_facts, write_line
from zermelo.forms.quantities import count_phrase
from zermelo.values.player_names import wins

if TYPE_CHECKING:
    from zermelo.graph.game import GraphGame
    from zermelo.graph.parity import ParityGame, ParitySolution
    from zermelo.progress import Listener
    from zermelo.solution.solution import Solution

_GM, _MODELS = ".gm", (".tra", ".umb")
#: The name of standard output, in place of a file's.
_STANDARD_OUTPUT = "-"
#: The conventions of priorities; see ``zermelo.graph.solve_parity``.
CONVENTIONS = ("max even", "max odd", "min even", "min odd")
#: The names of the players of a parity game.
_PLAYERS = ("first", "second")


def _parse_target(text: str) -> str | list[int]:
    """Return a label, or numbers of states between commas."""
    parts = text.split(",")
    return [int(part) for part in parts] if all(part.isdigit() for part in parts) else text


def _parse_players(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        message = f"{text!r} is not a list of players; write their numbers, such as 0,2"
        raise ValueError(message) from None


@dataclass(frozen=True)
class _Model:
    """The options about a game in a file."""

    names: bool
    parity: str | None
    target: str | list[int] | None
    coalition: list[int] | None
    states: str | None
    labels: str | None

    def check(self, suffix: str) -> None:
        """Stop if an option does not go with a file."""
        uses = {
            "--names": ((_GM,), self.names),
            "--parity": ((_GM,), self.parity is not None),
            "--target": (_MODELS, self.target is not None),
            "--coalition": (_MODELS, self.coalition is not None),
            "--states": ((".tra",), self.states is not None),
            "--labels": ((".tra",), self.labels is not None),
        }
        for option, (suffixes, is_used) in uses.items():
            if is_used and suffix not in suffixes:
                message = f"{option} is for {' and '.join(suffixes)} files; leave it out"
                raise Stop(message)
        if suffix in _MODELS and self.target is None:
            message = "which states are to be reached? give --target LABEL, or their numbers"
            raise Stop(message)

    def read(self, path: Path, progress: Listener | None) -> GraphGame | ParityGame:
        """Read a game."""
        from zermelo.graph import read_pgsolver, read_prism, read_umb

        if path.suffix == _GM:
            parity: Any = self.parity or "max even"
            return read_pgsolver(path, names=self.names, parity=parity, progress=progress)
        target: Any = self.target
        coalition = [0] if self.coalition is None else self.coalition
        if path.suffix == ".umb":
            return read_umb(path, target, coalition)
        return read_prism(path, target, coalition, states=self.states, labels=self.labels)


@click.command(
    cls=Example,
    examples=[
        "zermelo graph game.gm",
        "zermelo graph game.gm --table game.table --solution game.sol",
        "zermelo graph parity.gm --verify --solution -",
        "zermelo graph model.tra --target goal --coalition 0 --dot model.dot",
    ],
)
@click.argument("file", metavar="FILE")
@click.option("--names", is_flag=True, help="Use the vertex names of a .gm file.")
@click.option(
    "--parity",
    type=click.Choice(CONVENTIONS),
    help="Which priority of a .gm file decides, and its parity for player 0; by default max even.",
)
@click.option(
    "--target",
    type=OptionValue("label", _parse_target),
    help="The label of the states to be reached in a model, or their numbers: 3,5.",
)
@click.option(
    "--coalition",
    type=OptionValue("players", _parse_players),
    help="The players of a model who want to get there, by number: 0,2; by default 0.",
)
@click.option("--states", metavar="FILE", help="The .sta file: know states by their variables.")
@click.option("--labels", metavar="FILE", help="The .lab file; by default the one beside FILE.")
@click.option("--table", metavar="FILE", help="Save the solution to a file.")
@click.option("--dot", metavar="FILE", help="Write the solved graph for Graphviz.")
@click.option("--graphml", metavar="FILE", help="Write the solved graph as GraphML.")
@click.option(
    "--solution", metavar="FILE", help="Write winners and moves as PGSolver does; - prints them."
)
@click.option("--force", is_flag=True, help="Replace existing files.")
@click.option("--verify", is_flag=True, help="Check the certificate too; exit with 1 if it fails.")
@limit_options
@output_options("Write only the value of the start, or of how many vertices each player wins.")
@click.pass_context
def graph(
    context: click.Context,
    *,
    file: str,
    names: bool,
    parity: str | None,
    target: str | list[int] | None,
    coalition: list[int] | None,
    states: str | None,
    labels: str | None,
    table: str | None,
    dot: str | None,
    graphml: str | None,
    solution: str | None,
    force: bool,
    verify: bool,
    memory: int | None,
    threads: int | None,
    output: Output,
) -> None:
    """Solve a game on a graph that stands in a file.

    FILE is a game of PGSolver (.gm), transitions of PRISM-games (.tra), a model in UMB (.umb), or
    the table of a graph. Games of reachability without chance are solved, and parity games. A table
    can be asked with zermelo probe, play and explore.
    """
    check_language(file)
    path = Path(file)
    if not path.is_file():
        message = f"there is no file {file!r}; give a .gm, .tra or .umb file, or a table"
        raise Stop(message)
    model = _Model(names, parity, target, coalition, states, labels)
    model.check(path.suffix)
    prints_solution = solution == _STANDARD_OUTPUT
    files = {"dot": dot, "graphml": graphml, "solution": None if prints_solution else solution}
    outputs = {"table": table, **files}
    for name in filter(None, outputs.values()):  # before any work is done for it
        check_place(name, overwrite=force)
    under_way[:] = [] if table is None else [table]
    with output.watch() as watch:
        if path.suffix in (_GM, *_MODELS):
            solved = _solve(
                file,
                model.read(path, watch),
                memory=memory,
                threads=threads,
                table=table,
                overwrite=force,
                progress=watch,
            )
        else:
            solved = _open_graph_table(file, threads)
            if table is not None:
                solved.save(table, overwrite=force, memory=memory, progress=watch)
        verification = solved.verify(progress=watch) if verify else None
        document = _document(file, solved)
        if verification is not None:
            document["verified"] = verification.ok
        _write_files(solved, files, overwrite=force)
    document["files"] = {name: written for name, written in outputs.items() if written is not None}
    if prints_solution:
        from zermelo.graph.formats.solution_writers import pgsolver_solution

        write_line("\n".join(pgsolver_solution(solved)))
    else:
        output.write(document, lambda: _show(solved, document), _brief_document(document))
    if verification is not None and not verification.ok:
        click.echo(f"the certificate fails: {verification.problem}", err=True)
        context.exit(NO)


def _solve(
    file: str,
    game: GraphGame | ParityGame,
    *,
    memory: int | None,
    threads: int | None,
    table: str | None,
    overwrite: bool,
    progress: Listener | None,
) -> Solution | ParitySolution:
    """Solve a game, into a table if there is a path for one; a parity game has no table."""
    from zermelo.graph import ParityGame

    if isinstance(game, ParityGame):
        if table is not None:
            message = f"{file!r} is a parity game, which has no table; give --solution FILE instead"
            raise Stop(message)
        return game.solve(memory=memory, threads=threads, progress=progress)
    return game.solve(
        memory=memory,
        threads=threads,
        table=table,
        overwrite=overwrite,
        progress=progress,
    )


def _open_graph_table(file: str, threads: int | None) -> Solution:
    """Return the solution in the table of a graph."""
    from zermelo.graph.rules import GraphRules
    from zermelo.tables.open import open_table

    solved = open_table(file, threads=threads)
    if not isinstance(solved.rules, GraphRules):
        message = f"{file!r} is a table of {solved.rules.description}, not of a graph; "
        message += "use zermelo info, probe or play with it"
        raise Stop(message)
    return solved


def _write_files(
    solution: Solution | ParitySolution, files: dict[str, str | None], *, overwrite: bool
) -> None:
    """Write the files that were requested."""
    from zermelo.graph import write_dot, write_graphml, write_pgsolver_solution

    writers: dict[str, Any] = {
        "dot": write_dot,
        "graphml": write_graphml,
        "solution": write_pgsolver_solution,
    }
    for name, path in files.items():
        if path is not None:
            writers[name](solution, path, overwrite=overwrite)


def _document(file: str, solution: Solution | ParitySolution) -> dict[str, Any]:
    """Return the document that ``--json`` writes."""
    from zermelo.graph import ParitySolution

    if isinstance(solution, ParitySolution):
        return _parity_document(file, solution)
    rules, counts = solution.rules, solution.counts()
    document: dict[str, Any] = {"file": file, **rules.parameters, "start": None, "value": None}
    if solution.starts:
        document["start"] = str(solution.start)
        document["value"] = solution.value.to_json()
        document["winner"] = solution.winner
    document["counts"] = {"win": counts.win, "draw": counts.draw, "loss": counts.loss}
    if not rules.alternate:
        winner = solution.arrays.winner
        document["wins"] = {
            **{name: int((winner == i).sum()) for i, name in enumerate(rules.players)},
            "nobody": int((winner < 0).sum()),
        }
    return {**document, "choice": solution.choice, "seconds": round(solution.seconds, 3)}


def _parity_document(file: str, solution: ParitySolution) -> dict[str, Any]:
    """Return the document that ``--json`` writes about a parity game."""
    indptr, indices, priorities, _ = solution.graph
    document: dict[str, Any] = {
        "file": file,
        "vertices": len(indptr) - 1,
        "edges": len(indices),
        "priorities": len(set(priorities.tolist())),
        "start": None,
        "value": None,
    }
    if solution.start is not None:
        document["start"] = str(solution.start)
        document["winner"] = _PLAYERS[solution[solution.start]]
        document["explanation"] = solution.explain()
    document["wins"] = {
        name: int((solution.winner == player).sum()) for player, name in enumerate(_PLAYERS)
    }
    return {**document, "choice": "priority promotion", "seconds": round(solution.seconds, 3)}


def _brief_document(document: dict[str, Any]) -> str:
    if document["start"] is not None:
        return str(document["winner"] or "draw")
    counts = document["wins"] if "wins" in document else document["counts"]
    return " ".join(map(str, counts.values()))


def _show(solution: Solution | ParitySolution, document: dict[str, Any]) -> None:
    from zermelo.graph import ParitySolution

    vertices = count_phrase(document["vertices"], "vertices")
    rows = [("graph", f"{vertices} and {count_phrase(document['edges'], 'edges')}")]
    if isinstance(solution, ParitySolution):
        rows.append(("priorities", f"{document['priorities']:,}"))
        if solution.start is not None:
            rows += [("start", document["start"]), ("winner", document["explanation"])]
    elif solution.starts:
        winner = document["winner"]
        rows.append(("start", document["start"]))
        rows.append(("value", f"{solution.value}" + (f": {wins(winner)}" if winner else "")))
        best = [option.name for option in solution.options() if option.value == solution.value]
        if best:
            rows.append(("best", best[0]))
    rows += [
        (f"{name} wins", f"{many:,} of {vertices}")
        for name, many in document.get("wins", {}).items()
    ]
    if "wins" not in document:
        rows += [(name, f"{many:,} of {vertices}") for name, many in document["counts"].items()]
    rows.append(("method", document["choice"]))
    if "verified" in document:
        rows.append(("certificate", "holds" if document["verified"] else "fails"))
    rows += [(name, f"written to {path}") for name, path in document["files"].items()]
    write_facts(rows)
