"""The contract between Zermelo and a game: the base class ``Game`` and the names of its hooks.

A game is a frozen dataclass. Its fields are the parameters, its methods are the rules, and a
position is a plain ``int`` or a ``NamedTuple`` of integers (or of fixed-length tuples of
integers). ``start``, ``moves`` and ``play`` are required; every other hook is found by name.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable
from dataclasses import fields
from inspect import CO_VARARGS, get_annotations
from operator import index
from types import FunctionType
from typing import Any, ClassVar, TypeVar
from weakref import WeakKeyDictionary

from zermelo.errors import RulesError
from zermelo.game.facts import Fact
from zermelo.game.parameters import hashable_parameter, normalise
from zermelo.values.outcomes import LOSS, NOBODY, Outcome

#: The hooks an author may write as methods, with the arguments each takes after ``self``.
HOOKS: dict[str, tuple[str, ...]] = {
    "start": (),
    "starts": (),
    "moves": ("position",),
    "play": ("position", "move"),
    "chance": ("position",),
    "kept": ("position",),
    "outcome": ("position",),
    "winner": ("position",),
    "turn": ("position",),
    "gain": ("position", "move"),
    "promise": ("position", "move"),
    "bounds": ("position",),
    "enough": ("position",),
    "score": ("position",),
    "endless": ("position",),
    "space": (),
    "legal": ("position",),
    "level": ("position",),
    "canonical": ("position",),
    "symmetries": (),
    "split": ("position",),
    "pass_turn": ("position",),
    "pursuit": (),
    "show": ("position",),
    "sketch": ("position",),
    "svg": ("position",),
    "name": ("move",),
    "parse": ("text",),
}

#: The package of the classes whose attributes an author's class may override by accident.
_OURS = "zermelo."

Row = TypeVar("Row", bound=tuple[int, ...])


class GameMeta(type):
    """Normalises the parameters of a game after its creation."""

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Create the game, then convert its parameters to their immutable forms."""
        if "__dataclass_fields__" not in cls.__dict__:
            parameters = [name for name in get_annotations(cls) if _is_field(cls, name)]
            if parameters:
                message = (
                    f"{cls.__name__} declares the parameter {parameters[0]!r} but is not a "
                    "dataclass; write @dataclass(frozen=True) above the class"
                )
                raise RulesError(message)
        if cls not in _PARAMETERS:
            _check_overrides(cls)
        game = super().__call__(*args, **kwargs)
        if cls not in _PARAMETERS:
            _check_names(cls, parameter_names(game))
        for name in parameter_names(game):
            object.__setattr__(game, name, normalise(name, getattr(game, name)))
        game.validate()
        return game


class Game(metaclass=GameMeta):
    """A two-player game of perfect information.

    Subclass it with ``@dataclass(frozen=True)`` and write ``start``, ``moves`` and ``play``; see
    the page "Hooks" of the reference for every other hook.

    Attributes:
        players: the names of the players, that of the first player first. It may be a parameter or
            a property, as may ``no_moves`` and ``endless``.
        no_moves: outcome, for the player to move, of a position without moves that the rules give
            no other outcome: LOSS is normal play, WIN misère, DRAW stalemate.
        endless: the value of endless play. In a game of winning and losing, the player, 0 or 1, for
            whom it is a win, in a game with ``turn``; NOBODY if it is a draw. In a score game, the
            points that the first player makes by it, in a game with ``turn``; 0 by default. There
            it may also be a method of a position that returns the points that the player to move
            makes by it.
        plies_per_move: how many plies the players count as one move: 2 in chess, where a win in 23
            plies is described as one in 12 moves. Values always count plies.
        folded_tables: whether tables store one of the positions that ``symmetries`` or
            ``canonical`` make equivalent, if the method can. Proofs always do.
    """

    players: ClassVar[tuple[str, str]] = ("first", "second")
    no_moves: ClassVar[Outcome] = LOSS
    endless: ClassVar[Any] = NOBODY
    plies_per_move: ClassVar[int] = 1
    folded_tables: ClassVar[bool] = True
    facts: ClassVar[tuple[Fact, ...]] = ()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Give the class an ``__eq__`` that can compare arrays; dataclass does not replace it."""
        super().__init_subclass__(**kwargs)
        for name in ("__eq__", "__hash__"):
            if name not in cls.__dict__:
                setattr(cls, name, Game.__dict__[name])

    def start(self) -> Any:
        """Return the start; by default the first of ``starts``."""
        starts = tuple(declared_starts(self)) if hasattr(self, "starts") else ()
        if not starts:
            raise NotImplementedError(self._missing("start", "returns the first position"))
        return starts[0]

    def moves(self, position: Any) -> Iterable[Any]:
        """Yield each move of the player to move."""
        raise NotImplementedError(self._missing("moves", "yields the moves in a position"))

    def play(self, position: Any, move: Any) -> Any:
        """Return the position after a move."""
        raise NotImplementedError(self._missing("play", "returns the position after a move"))

    def validate(self) -> None:
        """Raise ParameterError if the parameters are invalid; called after they are normalised."""

    def __eq__(self, other: object) -> bool:
        """Return whether both games are of one class and have equal parameters."""
        if type(self) is not type(other):
            return NotImplemented
        return _identities(self) == _identities(other)

    def __hash__(self) -> int:
        """Return the hash of the class and the parameters, arrays by their contents."""
        return hash((type(self), _identities(self)))

    def __repr__(self) -> str:
        """Return the Python expression of the game; a dataclass has its own repr."""
        return f"{type(self).__name__}()"

    def _missing(self, hook: str, does: str) -> str:
        return f"{type(self).__name__} has no {hook}(); write a method that {does}"


def declared_starts(game: Any) -> Iterable[Any]:
    """Return the result of a game's ``starts``.

    Raises:
        RulesError: it is not iterable.
    """
    starts = game.starts()
    if not isinstance(starts, Iterable):
        message = (
            f"{type(game).__name__}.starts() returned {starts!r}; yield each position, or return a "
            "list of them"
        )
        raise RulesError(message)
    return starts


#: The parameters of each class, once they have been used.
_PARAMETERS: WeakKeyDictionary[type[Game], tuple[str, ...]] = WeakKeyDictionary()


def parameter_names(game: Game) -> tuple[str, ...]:
    """Return the names of the game's parameters, in the order of their declaration."""
    kind = type(game)
    names = _PARAMETERS.get(kind)
    if names is None:
        fields_of_kind = fields(kind) if hasattr(kind, "__dataclass_fields__") else ()  # type: ignore[arg-type]  # just checked
        names = _PARAMETERS[kind] = tuple(field.name for field in fields_of_kind)
    return names


def _check_names(kind: type, names: Iterable[str]) -> None:
    """Check that no parameter has the name of a method that Zermelo calls.

    Raises:
        RulesError: one has such a name.
    """
    for name in names:
        if (name in HOOKS and name != "endless") or any(
            isinstance(vars(c).get(name), FunctionType) for c in kind.__mro__
        ):
            message = (
                f"{kind.__name__} has a parameter {name!r}, which is the name of a method; call "
                "the parameter something else"
            )
            raise RulesError(message)


def _check_overrides(kind: type) -> None:
    """Check that an author's attributes, except hooks, can replace those of Zermelo's classes.

    Raises:
        RulesError: a helper has by accident the name of an attribute that Zermelo's class uses.
    """
    classes = kind.__mro__
    parameters = getattr(kind, "__dataclass_fields__", {})  # _check_names checks those
    for depth, owner in enumerate(classes):
        if owner.__module__.startswith(_OURS):
            continue
        for name, value in vars(owner).items():
            if name in HOOKS or name in parameters or name.startswith("__") or value is None:
                continue
            bases = [b for b in classes[depth + 1 :] if name in vars(b)]
            base = next((b for b in bases if b.__module__.startswith(_OURS)), None)
            fault = None if base is None else _fault_of_override(name, value, base)
            if fault is not None:
                message = f"{owner.__name__}.{name}{fault}, or call yours something else"
                raise RulesError(message)


def _fault_of_override(name: str, value: object, base: type) -> str | None:
    """Return how an attribute differs from the one of a base, or None if it can replace it."""
    base_value, base_name = vars(base)[name], f"{base.__name__}.{name}"
    if not isinstance(base_value, FunctionType):
        if isinstance(value, FunctionType | staticmethod | classmethod):
            return (
                f"() is a method, and {base_name} an attribute that rules read; make it a property"
            )
        return None
    if not isinstance(value, FunctionType):
        is_method = isinstance(value, staticmethod | classmethod)
        return (
            None
            if is_method
            else f" is not a method, and {base_name}() is called; make it a method"
        )
    code, argument_count = value.__code__, base_value.__code__.co_argcount
    fewest_arguments = code.co_argcount - len(value.__defaults__ or ())
    is_variadic = (code.co_flags | base_value.__code__.co_flags) & CO_VARARGS
    if is_variadic or fewest_arguments <= argument_count <= code.co_argcount:
        return None
    actual, expected = (
        ", ".join(c.co_varnames[: c.co_argcount]) for c in (code, base_value.__code__)
    )
    return f"({actual}) is called as {base_name}({expected}); take these arguments"


def brief_expression(game: Game) -> str:
    """Return the Python expression of a game, with long parameters abbreviated."""
    arguments = (f"{name}={reprlib.repr(getattr(game, name))}" for name in parameter_names(game))
    return f"{type(game).__name__}({', '.join(arguments)})"


def put(row: Row, i: int, value: int) -> Row:
    """Return ``row`` with the number at index ``i`` replaced, in Python and in compiled rules.

    Args:
        row: a tuple of integers, such as a row of pits.
        i: the index, from 0 to ``len(row) - 1``.
        value: the new number.

    Raises:
        IndexError: ``i`` is out of range; negative indices are not allowed.
    """
    i = index(i)
    if not 0 <= i < len(row):
        message = f"put() got place {i!r} of a row of {len(row)}; use 0 to {len(row) - 1}"
        raise IndexError(message)
    changed: Any = (*row[:i], value, *row[i + 1 :])
    return changed  # type: ignore[no-any-return]  # a row as long as the one it came from


def bag(numbers: Iterable[int], size: int) -> tuple[int, ...]:
    """Return numbers in a fixed order, so that a row of heaps stands for a set of heaps.

    The greatest comes first, and zeros fill the row up to ``size``; a heap of 0 does not count. It
    gives the same result in Python and in compiled rules.

    Args:
        numbers: integers of 0 or more.
        size: the length of the row.

    Raises:
        ValueError: more than ``size`` are not 0, or one is negative.
    """
    heaps = sorted((number for number in numbers if number), reverse=True)
    if len(heaps) > size or (heaps and heaps[-1] < 0):
        message = (
            f"bag() got the heaps {heaps!r} for a row of {size}; give {size} from 1 on, or fewer"
        )
        raise ValueError(message)
    return (*heaps, *[0] * (size - len(heaps)))


def _identities(game: Game) -> tuple[Any, ...]:
    return tuple(hashable_parameter(getattr(game, name)) for name in parameter_names(game))


def _is_field(cls: type, name: str) -> bool:
    annotation = str(get_annotations(cls)[name])
    return "ClassVar" not in annotation and name not in (
        "players",
        "no_moves",
        "endless",
        "plies_per_move",
    )
