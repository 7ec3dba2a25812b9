"""One name for one thing: the parameters and attributes of public functions and classes.

A name that is new here is either that of a thing which has one already, or one for the glossary.
"""

from __future__ import annotations

import dataclasses
import inspect
from functools import cached_property
from importlib import import_module

import pytest

import zermelo

#: Public modules; those of ``drawing`` have words of their own, as they know no games.
MODULES = (
    *("adapters", "adapters.chess", "adapters.uci", "agents", "agents.plots", "agents.report"),
    *("analysis", "analysis.plots", "analysis.report", "graph", "heaps", "heaps.plots"),
    *("limits", "pursuits", "symmetry", "web"),
)
#: The public members that only the package itself calls, as in ``test_documented``.
INTERNAL = {
    "Strategy": {"places", "place", "child_after", "step", "bounds_of", "value_bounds"},
    "Disjoint": {"allowed", "bounds", "ways", "size", "allows", "misfit"},
    "Subsets": {"allowed", "bounds", "ways", "size", "allows", "misfit"},
    "Squares": {"bounds", "size", "allows", "misfit"},
    "Permutation": {"bounds", "size", "allows", "misfit"},
}

PATH = "str | os.PathLike[str]"
#: The parameters of public functions: their type without ``| None``, and what they are.
GLOSSARY = {
    "action_of": ("Callable[[Any], int]", "returns the action of another library for a move"),
    "adjacency": ("Sequence[Sequence[int]]", "the neighbours of each node"),
    "advance": ("Callable[[int], None]", "called with what is done so far"),
    "agent": ("Agent", "a function from positions to moves or probabilities"),
    "ambient": ("Fraction | int", "the temperature of the rest of a sum"),
    "analyse": ("Callable[[Item], Analysis]", "analyses one game of a sweep"),
    "analyses": ("Sequence[Analysis]", "analyses of several games"),
    "analysis": ("Analysis", "what a game is like to play"),
    "answered": ("int", "the component in which the opponent has moved"),
    "ask": ("str", 'what to prove: "value", "win" or "draw"'),
    "best_moves": ("bool", "whether best moves are written"),
    "blunders": ("Sequence[int]", "percentages of random moves"),
    "board": ("Any", "a position of a placement game"),
    "board_shape": ("tuple[int, int]", "the rows and columns of a board"),
    "by_period": ("bool", "whether a proved period gives later nimbers"),
    "chance": ("random.Random", "a random generator"),
    "checkpoint": (PATH, "the folder of a search"),
    "cluster": ("str", "where workers run, such as local:4"),
    "coalition": ("int | Iterable[int]", "the players of a model who act as the first player"),
    "colours": ("Sequence[Any]", "what symmetries of a graph keep"),
    "column": ("int", "the column of a cell"),
    "components": ("Sequence[CombinatorialValue]", "the values of the components of a sum"),
    "cops": ("int", "the number of cops"),
    "count": ("int", "the number of cells"),
    "counts": ("Counts", "the number of positions of each value"),
    "default": ("Any", "what is returned where an index raises"),
    "depth": ("int", "the plies of a tree"),
    "document": ("dict[str, Any]", "the result of to_json"),
    "endless": ("int", "the player who wins endless play, or NOBODY"),
    "env": ("Any", "an environment of another library"),
    "evader_graph": ("Any", "the graph of the evader"),
    "evaluations": ("Sequence[Evaluation]", "evaluations of agents on one game"),
    "exact_up_to": ("int", "the most positions that are not sampled"),
    "failures": ("Mapping[str, str]", "games without an analysis, and why"),
    "faults": ("Iterable[CompileError]", "several errors"),
    "figure": ("Figure", "a plot"),
    "folded": ("bool", "whether equivalent positions count once"),
    "folder": (PATH, "a folder"),
    "forbidden": ("Iterable[int]", "nodes that no pursuer may enter"),
    "format": ("str", "the format of a file, by its ending"),
    "fresh": ("bool", "whether to solve what is cached again"),
    "game": ("Game", "a game"),
    "games": ("Iterable[Item]", "the games of a sweep"),
    "graph": ("Any", "a graph of any kind"),
    "graphs": (f"{PATH} | IO[bytes] | Iterable[str | bytes]", "a list of graphs"),
    "heap": ("int", "the tokens of a heap"),
    "heaps": ("int | Iterable[int]", "the tokens of a heap, or of each of several"),
    "heat": ("CombinatorialValue | int | Fraction", "what each move gains"),
    "height": ("int", "the rows of a board"),
    "horizon": ("int", "the most plies of a game"),
    "host": ("str", "the name of a machine"),
    "i": ("int", "an index"),
    "ignore_rules": ("bool", "whether to open a table whose rules have changed"),
    "indices": ("npt.ArrayLike", "the targets of edges"),
    "indptr": ("npt.ArrayLike", "the first edge of each vertex"),
    "key": ("object", "what a random choice depends on"),
    "kind": ("str", "which symmetries of a grid"),
    "label": ("str", "what a picture shows"),
    "labels": (PATH, "the file of a model's labels"),
    "largest": ("int", "the tokens of the largest heap"),
    "least": ("int", "a threshold"),
    "left": ("Iterable[CombinatorialValue | int | Fraction]", "the values of Left's options"),
    "legal_moves_of": ("Callable[[Any], Iterable[int]]", "returns legal actions"),
    "length": ("int", "the cells of a line"),
    "limits": ("Limits", "thresholds of the process"),
    "line": ("str", "a line of text"),
    "lines": ("Iterable[Iterable[int]]", "the cells of each line"),
    "longest": ("int", "the most moves of a line"),
    "match": ("Match", "a game in progress"),
    "matrix": ("Any", "an adjacency matrix"),
    "max_elements": ("int", "a limit of elements of a quotient"),
    "max_positions": ("int", "a limit of positions"),
    "max_sums": ("int", "a limit of sums of heaps"),
    "may_stay": ("bool | Literal['evader', 'pursuers']", "who may stay on a node"),
    "memory": ("int | str", "the most memory to use"),
    "memory_before": ("Any", "what a strategy remembers"),
    "method": ("str", "a method of solving"),
    "mirror": ("bool", "whether reflections are symmetries"),
    "misere": ("bool", "whether a player who cannot move wins"),
    "most": ("int", "a limit"),
    "move": ("Any", "a move"),
    "move_values": ("bool", "whether each move has its value"),
    "moves": ("Sequence[Any]", "the moves of a dataset"),
    "name": ("str", "a name"),
    "names": ("bool", "whether names in a file are used"),
    "needed": ("int", "bytes"),
    "no_moves": ("int", "the outcome of a vertex without edges"),
    "node": ("Any", "a node of a graph"),
    "nodes": ("int", "a limit of positions that a search visits"),
    "number": ("int | Fraction", "a number"),
    "numbers": ("Iterable[int]", "numbers"),
    "opening": ("Sequence[int]", "the actions before a game begins"),
    "opponent": ("str", "a way of playing, random or perfect"),
    "options": ("Iterable[Genus]", "the genera of the successors"),
    "other": ("CombinatorialValue | int | Fraction", "a value to compare with"),
    "outcome": ("npt.ArrayLike", "the outcome of each vertex that the rules end"),
    "overwrite": ("bool", "whether an existing file may be replaced"),
    "owner": ("npt.ArrayLike", "the player to move at each vertex"),
    "p": ("int", "a position of an imported game"),
    "parity": ("Convention", "the convention of priorities"),
    "path": (PATH, "a file"),
    "player": ("str | int", "a player, by name or number"),
    "portable": ("bool", "whether readers in C and JavaScript read it"),
    "position": ("Any", "a position"),
    "position_of": ("Callable[[Any], Any]", "returns the position of a state of another library"),
    "positions": ("Any", "several positions"),
    "precision": ("float", "the greatest distance of the bounds of a value"),
    "priorities": ("npt.ArrayLike", "the priority of each node"),
    "progress": ("Listener", "called with events"),
    "pursuer_graph": ("Any", "the graph of the pursuers"),
    "pursuers": ("int | Sequence[Any]", "the number of pursuers, or a graph for each"),
    "record": ("Any", "the result of Match.to_json"),
    "remoteness": ("bool", "whether to find the distance to the end"),
    "reward": ("str", "whose rewards an environment returns"),
    "right": ("Iterable[CombinatorialValue | int | Fraction]", "the values of Right's options"),
    "row": ("int", "the row of a cell"),
    "safe": ("Iterable[int]", "nodes where the evader wins"),
    "samples": ("int", "the number of random games or positions"),
    "scale": ("float", "pixels per unit of a picture"),
    "search": ("str", "a way of searching"),
    "seconds": ("float", "the time that a picture of a film is shown"),
    "seed": ("int", "the seed of random choices"),
    "share": ("float", "a part of all rows"),
    "show_values": ("bool", "whether moves are marked with their values"),
    "shuffle": ("int", "the seed of a random order"),
    "side": ("str", '"mover" or "other"'),
    "size": ("int", "the number of entries"),
    "skill": ("int", "how often an opponent plays a best move, in percent"),
    "solution": ("Solution", "a solution"),
    "sources": ("npt.ArrayLike", "where edges begin"),
    "start": ("Any", "the first position"),
    "state": ("Any", "a state of another library"),
    "states": (PATH, "the file of a model's states"),
    "stones": ("int", "the marks of a player"),
    "stuck": ("Literal['stay', 'lose']", "what happens to a player who cannot move"),
    "symmetries": ("Any", "equivalences that stay on one side of a split"),
    "symmetry": ("bool", "whether equivalent positions are solved once"),
    "table": (PATH, "the file of a solution"),
    "tables": (f"Iterable[Solution | {PATH}]", "solutions, or their files"),
    "taken": ("int", "the tokens that a move takes"),
    "target": ("Iterable[Any] | npt.ArrayLike", "nodes to reach"),
    "target_sets": ("Any", "several sets of nodes to reach, with or without names"),
    "targets": ("npt.ArrayLike", "where edges end"),
    "tax": ("Fraction | int", "what each move costs"),
    "temperature": ("Fraction | int", "a temperature, at least -1"),
    "text": ("str", "a text"),
    "threads": ("int", "the number of threads"),
    "time": ("float", "a limit of seconds"),
    "together": ("bool", "whether pursuers move at the same time"),
    "transitions": (PATH, "the file of a model's transitions"),
    "turn": ("int", "whose turn it is"),
    "turn_of": ("Callable[[Any], int]", "returns whose turn it is"),
    "twos": ("int", "the number of heaps of two tokens"),
    "unit": ("CombinatorialValue | int | Fraction", "the game that replaces 1"),
    "unsafe_sets": ("Any", "several sets of nodes, one of which is to be avoided"),
    "unsafe": ("Iterable[Any] | npt.ArrayLike", "nodes to avoid"),
    "value": ("str", "the kind of value to solve for"),
    "values": ("Iterable[Value]", "values"),
    "vertex_names": ("Sequence[Hashable]", "the name of each vertex"),
    "vertex": ("Any", "a vertex, by its name or number"),
    "vertices": ("int", "the number of vertices"),
    "weights": ("str | npt.ArrayLike", "the weight of each edge"),
    "width": ("int", "the columns of a board"),
}
#: Functions in which a parameter has another type, each with the reason.
SPECIAL = {
    **dict.fromkeys(
        ["adapters.chess.ending_of.board", "adapters.chess.from_board.board"],
        "a board of python-chess",
    ),
    "Analysis.play.blunders": "one of the percentages of Solution.analyse",
    **dict.fromkeys(
        [
            *(f"adapters.{name}.game" for name in ("gymnasium", "openspiel", "pettingzoo", "pgx")),
            "adapters.python_chess.game",
        ],
        "a game of another library, or its name",
    ),
    "check.game": "also a class, as games need no parameters to be checked",
    "check_facts.game": "a class, as facts have parameters",
    "open.game": "also a class, which is given the parameters in the file",
    "genus.game": "also a solution",
    **dict.fromkeys(
        ["heaps.genus.game", "heaps.misere_quotient.game", "heaps.plots.save.game"],
        "a heap game",
    ),
    "heaps.plots.sequence.game": "a heap game",
    **dict.fromkeys(
        ["adapters.chess.from_board.game", "adapters.chess.to_board.game"], "an ending of chess"
    ),
    "MarkingGame.play.move": "a cell",
    "MarkingGame.name.move": "a cell",
    "PlacementGame.play.move": "a cell",
    "PlacementGame.name.move": "a cell",
    "adapters.ImportedGame.play.move": "a move of an imported game",
    "adapters.ImportedGame.name.move": "a move of an imported game",
    "adapters.chess.from_move.move": "a move of python-chess",
    "adapters.chess.to_move.move": "a move of an ending",
    "graph.solve_networkx.outcome": "a node attribute of networkx, or a mapping",
    "graph.solve_networkx.owner": "a node attribute of networkx, or a mapping",
    "graph.solve_parity.priorities": "an attribute, a mapping, or an array",
    "graph.winning_region.outcome": "a node attribute of networkx, or a mapping",
    "graph.winning_region.owner": "a node attribute of networkx, or a mapping",
    **dict.fromkeys(
        [
            f"graph.{name}.owner"
            for name in (
                *("attractor", "safe_strategy", "solve_buchi", "solve_co_buchi", "solve_energy"),
                *("solve_generalised_buchi", "solve_generalised_reachability"),
                *("solve_generalised_safety", "solve_mean_payoff", "solve_parity"),
            )
        ],
        "an attribute, a mapping, or an array",
    ),
    **dict.fromkeys(
        [
            f"graph.{name}.solution"
            for name in (
                *(
                    "draw",
                    "node_attributes",
                    "write_dot",
                    "write_graphml",
                    "write_pgsolver_solution",
                ),
            )
        ],
        "also the solution of a parity game",
    ),
    "graph.read_prism.target": "a label of a model",
    "graph.read_umb.target": "a label of a model",
    "graph.read_pgsolver.path": "also an open file",
    **dict.fromkeys(
        [
            *("MarkingGame.has_line_of.player", "MarkingGame.line_winner.player"),
            "adapters.gymnasium_opponent.player",
            *(f"graph.{name}.player" for name in ("attractor", "safe_strategy", "winning_region")),
            *(f"graph.{name}.player" for name in ("solve_buchi", "solve_co_buchi")),
            *(
                f"graph.solve_generalised_{name}.player"
                for name in ("buchi", "reachability", "safety")
            ),
            *(
                f"graph.{name}Solution.{method}.player"
                for name, method in (
                    *(("Parity", "region"), ("Parity", "strategy"), ("Energy", "region")),
                    *(("Energy", "strategy"), ("MeanPayoff", "strategy")),
                    ("Generalised", "strategy"),
                )
            ),
        ],
        "a number only, as players have no names there, or rules are compiled",
    ),
    "adapters.chess.to_board.position": "a position of an ending",
    "adapters.ImportedGame.state.position": "a number",
    **dict.fromkeys(
        [
            f"heaps.{game}.{name}.position"
            for game in ("ChompBar", "EuclidsGame", "FibonaccisNim", "MooresNim", "WythoffsGame")
            for name in ("best", "loses", "moves")
        ],
        "a sequence of numbers",
    ),
    "agents.BatchAgent.batch.positions": "an array",
    "Solution.get.default": "a value",
    "put.row": "a tuple of numbers",
    "put.value": "a number",
    "Fact.differences.value": "the value of a solution",
    "Match.from_json.solution": "also what answers as a solution does",
    "board.solution": "also the solution of a proof",
    "adapters.openspiel.start": "the text of a state",
    "adapters.python_chess.start": "a FEN",
}


def public_functions():
    """Yield the public functions and methods by name, each once."""
    given = [(name, getattr(zermelo, name)) for name in zermelo.__all__]
    for module in MODULES:
        public = import_module(f"zermelo.{module}")
        given += [(f"{module}.{name}", getattr(public, name)) for name in public.__all__]
    seen = set()
    for name, each in given:
        if id(each) in seen:
            continue
        seen.add(id(each))
        if inspect.isfunction(each):
            yield name, each
        elif inspect.isclass(each):
            for member, found in _members(each).items():
                function = getattr(found, "__func__", found)
                hidden = member.startswith("_") or member in INTERNAL.get(each.__name__, ())
                if inspect.isfunction(function) and not hidden and id(function) not in seen:
                    seen.add(id(function))
                    yield f"{name}.{member}", function


def _members(kind):
    """Return the members of a class and of the classes of the package that it derives from."""
    bases = [base for base in reversed(kind.__mro__) if base.__module__.startswith("zermelo")]
    return {name: each for base in bases for name, each in vars(base).items()}


def parameters(function):
    """Yield the parameters of a function or a method that have a name of their own."""
    for name, each in inspect.signature(function).parameters.items():
        if name not in ("self", "cls") and each.kind not in (each.VAR_KEYWORD, each.VAR_POSITIONAL):
            yield name, each


FUNCTIONS = dict(public_functions())


def test_a_parameter_has_one_type():
    """That of the glossary, with or without None; functions with another one are listed."""
    wrong = []
    for function, each in FUNCTIONS.items():
        for name, parameter in parameters(each):
            kind = str(parameter.annotation).removesuffix(" | None")
            listed = GLOSSARY.get(name, ("", ""))[0]
            if kind != listed and f"{function}.{name}" not in SPECIAL:
                wrong.append(f"{function}({name}: {kind}), in the glossary {listed or 'not'}")
    assert not wrong, "\n".join(wrong)


def test_the_glossary_has_no_other_names():
    """A name that no function uses is gone from it."""
    used = {name for each in FUNCTIONS.values() for name, _ in parameters(each)}
    assert set(GLOSSARY) == used


@pytest.mark.parametrize("name", ["progress", "memory", "threads", "overwrite", "cluster", "table"])
def test_options_are_given_by_name(name):
    """So their order does not matter; progress is the last of a signature."""
    for function, each in FUNCTIONS.items():
        given = dict(parameters(each))
        if name in given and function != "check_cluster":  # whose subject is the cluster
            assert given[name].kind is inspect.Parameter.KEYWORD_ONLY, function
            assert name != "progress" or list(given)[-1] == name, function


#: Attributes that are pronouns or participles, each with the noun to write instead.
EMPTY = {
    "told": "text",
    "said": "text",
    "shown": "text",
    "done": "is_complete; an amount of work may be done",
    "scored": "kind",
    "given": "the noun",
    "over": "is_over",
    "how": "options",
}
#: Classes in which such a name is a noun.
NOUNS = {("Event", "done")}


def test_attributes_are_nouns():
    """No public attribute or method has the name of nothing."""
    found = set()
    for module in ("", *(f".{name}" for name in MODULES)):
        public = import_module(f"zermelo{module}")
        for kind in filter(inspect.isclass, (getattr(public, name) for name in public.__all__)):
            names = {name for name, each in vars(kind).items() if _is_member(each)}
            names |= {each.name for each in dataclasses.fields(kind)} if _is_data(kind) else set()
            found |= {(kind.__name__, name) for name in names & set(EMPTY)}
    assert found == NOUNS


def _is_data(kind):
    return dataclasses.is_dataclass(kind)


def _is_member(each):
    return inspect.isfunction(each) or isinstance(each, (property, cached_property))
