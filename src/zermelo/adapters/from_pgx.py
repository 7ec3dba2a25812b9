"""Games of pgx, explored many states at a time: steps are batched by ``vmap``, on the CPU."""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo.adapters.finding.states import Facts, refusal_text
from zermelo.adapters.imported_game import (
    check_legal,
    import_game,
    import_library,
    split_parameters,
)
from zermelo.errors import ParameterError, PositionError
from zermelo.forms.quantities import count_phrase

if TYPE_CHECKING:
    from zermelo.adapters.imported_game import ImportedGame
    from zermelo.progress import Listener

#: Sizes of the batches that are stepped: the first for few states, else the second.
_SMALL_BATCH, _LARGE_BATCH = 16, 1024
#: The number of random seeds whose starts are compared.
_SEEDS = 64
#: The longest key that is stored itself, in bytes; of a longer one, a digest of this size is
#: stored.
_LONGEST_KEY, _DIGEST = 64, 16
#: The size of the largest field of a state that is shown.
_MOST_SHOWN_SIZE = 400
_PLAYERS = 2
#: Fields that a key may leave out, by name.
_OBSERVATION, _STEPS = "observation", "_step_count"
_LIBRARY_FACTS = ("rewards", "legal_action_mask")

_Array = npt.NDArray[Any]


def pgx(
    game: Any,
    *,
    opening: Sequence[int] = (),
    max_positions: int = 5_000_000,
    progress: Listener | None = None,
) -> ImportedGame:
    """Return a game of pgx as a game that Zermelo solves.

    First all positions are found, by steps of pgx in batches. Two states are one position if they
    agree in the coarsest key that proves faithful; ``key`` of the game describes it. The first
    player is the one who begins.

    Args:
        game: a name with its parameters, such as ``"tic_tac_toe"`` or ``"hex(size=4)"``, or a
            ``pgx.Env``.
        opening: actions that are played before the game begins, by their numbers.
        max_positions: the largest number of positions to find.
        progress: called with an ``Event`` now and then, while positions are found.

    Returns:
        The game. If all rewards are 1, 0 or -1 it is won, drawn or lost; else it has scores.

    Raises:
        MissingExtraError: pgx is not installed.
        ParameterError: there is no such game; it has chance, hidden information, other than two
            players, or rewards that do not sum to zero; an action is not legal; or no key
            distinguishes its positions.
        BudgetError: the game has more positions than ``max_positions``.
    """
    return import_game(PgxSource(game, opening), max_positions, progress)


@dataclass(frozen=True)
class PgxStates:
    """A batch of states.

    Attributes:
        fields: an array for each field of the states except the observation, with a row per state.
        paid: the sum of each player's rewards so far, a row per state.
    """

    fields: list[_Array]
    paid: npt.NDArray[np.float64]

    def __len__(self) -> int:
        """Return the number of states."""
        return len(self.paid)


class PgxSource:
    """A game of pgx. See ``StateSource``."""

    longest: int | None = None
    complete_key: int | None = None
    keys: Sequence[str] = (
        "the state without its observation, rewards, legal actions and count of steps",
        "the state without its observation",
    )

    def __init__(self, game: Any, opening: Sequence[int] = (), /) -> None:
        """Load a game; the arguments are those of ``pgx``."""
        library = import_library("pgx", "pgx", "pgx")
        self._jax: Any = import_library("jax", "pgx", "pgx")
        if isinstance(game, str):
            self.name, self.game = f"pgx:{game}", _load_game(library, game)
        elif isinstance(game, library.Env):
            self.name, self.game = f"pgx:object of {type(game).__name__}", game
        else:
            message = f"{game!r} is neither a game of pgx nor its name; give one of them"
            raise ParameterError(message)
        if self.game.num_players != _PLAYERS:
            raise ParameterError(
                refusal_text(self.name, count_phrase(self.game.num_players, "players"))
            )
        with self._on_cpu():
            self._start_states = self._first_states()
        self._check_steps()
        self._pays_during_play = False
        states: PgxStates = self._start_states
        for move in opening:
            _, legal, _ = self.facts(states)[0]
            check_legal(self.name, move, opening, legal)
            states = self.next_states(states, [0], [int(move)])
        self._start_states = states
        if opening:
            self.name += f"@{','.join(map(str, opening))}"

    def _first_states(self) -> PgxStates:
        """Return the start as a batch, after checking that it does not depend on the seed.

        Raises:
            ParameterError: a game begins in several ways.
        """
        jax = self._jax
        seeds = jax.random.split(jax.random.PRNGKey(0), _SEEDS)
        try:
            states = jax.jit(jax.vmap(self.game.init))(seeds)
        except (TypeError, ValueError) as error:
            message = f"pgx cannot begin {self.name}: {error}; choose other parameters"
            raise ParameterError(message) from None
        leaves, self._shape = jax.tree_util.tree_flatten_with_path(states)
        self._kind = type(states)
        self._fields = [_field(path) for path, _ in leaves]
        self._observation_index = self._fields.index(_OBSERVATION)
        arrays = [np.asarray(array) for _, array in leaves]
        self._observation = arrays[self._observation_index][:1]
        del arrays[self._observation_index], self._fields[self._observation_index]
        players = arrays[self._field_index("current_player")]
        kinds = [np.flatnonzero(players == player) for player in (0, 1)]
        for rows in kinds:
            if any((array[rows] != array[rows[:1]]).any() for array in arrays):
                raise ParameterError(refusal_text(self.name, "chance"))
        # A seed only decides which player is called 0.
        (self._labels, *other_labels) = [
            [array[rows[0]] for array in arrays] for rows in kinds if len(rows)
        ]
        self._other_labels = other_labels[0] if other_labels else self._labels
        self._first = int(self._labels[self._field_index("current_player")])
        return PgxStates([array[None] for array in self._labels], np.zeros((1, _PLAYERS)))

    def _check_steps(self) -> None:
        """Check that no step depends on chance.

        Raises:
            ParameterError: a step depends on chance.
        """
        jax = self._jax
        key = jax.random.PRNGKey(0)
        program = jax.make_jaxpr(self.game.step)(self.to_library(self._start_states), 0, key).jaxpr
        random_variables = set(program.invars[-1:])
        for step in program.eqns:
            if any(
                variable in random_variables
                for variable in step.invars
                if not hasattr(variable, "val")
            ):
                random_variables.update(step.outvars)
        if any(
            variable in random_variables
            for variable in program.outvars
            if not hasattr(variable, "val")
        ):
            raise ParameterError(refusal_text(self.name, "chance"))

    # -- a source of states -----------------------------------------------------------------------

    def start(self) -> PgxStates:
        """Return the start; see ``StateSource``."""
        return self._start_states

    def facts(self, states: PgxStates) -> list[Facts]:
        """Return the facts of states; see ``StateSource``.

        Raises:
            ParameterError: the players' rewards do not sum to zero.
        """
        field_by_name = dict(zip(self._fields, states.fields, strict=True))
        is_over = field_by_name["terminated"] | field_by_name["truncated"]
        if np.abs(states.paid[is_over].sum(1)).max(initial=0) > 0:
            raise ParameterError(refusal_text(self.name, "rewards that do not sum to zero"))
        self._pays_during_play |= bool(states.paid[~is_over].any())
        players = (field_by_name["current_player"] != self._first).tolist()
        rows, actions = np.nonzero(field_by_name["legal_action_mask"])
        ends = np.searchsorted(rows, np.arange(len(states) + 1)).tolist()
        moves = actions.tolist()
        return [
            (-1, [], paid) if has_ended else (int(player), moves[ends[i] : ends[i + 1]], None)
            for i, (player, has_ended, paid) in enumerate(
                zip(players, is_over.tolist(), states.paid[:, self._first].tolist(), strict=True)
            )
        ]

    def next_states(self, states: PgxStates, indices: list[int], moves: list[int]) -> PgxStates:
        """Return the states after moves; see ``StateSource``."""
        rows, actions = np.array(indices, np.int64), np.array(moves, np.int32)
        size = _SMALL_BATCH if len(rows) <= _SMALL_BATCH else _LARGE_BATCH
        parts = []
        for begin in range(0, len(rows), size):
            # Steps are compiled for two sizes only, so the last batch is padded.
            batch = np.resize(rows[begin : begin + size], size)
            batch_actions = np.resize(actions[begin : begin + size], size)
            with self._on_cpu():
                children = self._step([field[batch] for field in states.fields], batch_actions)
            count = len(rows[begin : begin + size])
            parts.append([np.asarray(field)[:count] for field in children])
        if not parts:
            return self.select(states, [])
        fields = (
            parts[0] if len(parts) == 1 else list(map(np.concatenate, zip(*parts, strict=True)))
        )
        return PgxStates(fields, states.paid[rows] + fields[self._field_index("rewards")])

    def state_keys(self, states: PgxStates, key: int) -> list[Hashable]:
        """Return the keys of states; see ``StateSource``."""
        omitted = () if key else (*_LIBRARY_FACTS, _STEPS)
        if not len(states):
            return []
        key_fields = [
            field
            for name, field in zip(self._fields, states.fields, strict=True)
            if name not in omitted
        ]
        count = len(states)
        flat = [
            np.ascontiguousarray(f).reshape(count, -1) for f in (states.paid + 0.0, *key_fields)
        ]
        rows = np.hstack([f.view(np.uint8).reshape(count, -1) for f in flat])
        width = rows.shape[1]
        if width > _LONGEST_KEY:
            return [hashlib.blake2b(row, digest_size=_DIGEST).digest() for row in rows]
        # All keys have the same length, so the trailing zeros that NumPy strips do not matter.
        keys: list[Hashable] = np.ascontiguousarray(rows).view(f"S{width}").ravel().tolist()
        return keys

    def observations(self, states: PgxStates) -> list[Hashable] | None:
        """Return the observations of the players to move; see ``StateSource``."""
        size = _SMALL_BATCH if len(states) <= _SMALL_BATCH else _LARGE_BATCH
        keys: list[Hashable] = []
        for begin in range(0, len(states), size):
            end = min(begin + size, len(states))
            indices = np.resize(np.arange(begin, end), size)
            with self._on_cpu():
                observed = self._observe([field[indices] for field in states.fields])
            keys += [row.tobytes() for row in np.asarray(observed)[: end - begin]]
        return keys

    def select(self, states: PgxStates, indices: Sequence[int]) -> PgxStates:
        """Return some states; see ``StateSource``."""
        rows = np.array(indices, np.int64)
        return PgxStates([field[rows] for field in states.fields], states.paid[rows])

    def state_text(self, states: PgxStates) -> str:
        """Return the fields that only the game's own states have; see ``StateSource``.

        A field with a number for each cell of the observation's board is shown in rows.
        """
        own_fields = {
            name: field[0]
            for name, field in zip(self._fields, states.fields, strict=True)
            if name.startswith("_") and name != _STEPS and field[0].size <= _MOST_SHOWN_SIZE
        }
        board = self._observation.shape[1:3]
        lines = []
        for name, value in own_fields.items():
            rows = value.reshape(board) if value.size == np.prod(board) > 1 else value
            text = np.array2string(rows, separator=" ")
            label, gap = name.rpartition(".")[2].strip("_"), " " if rows.ndim <= 1 else "\n"
            lines.append(f"{label}:{gap}{text}")
        return "\n".join(lines)

    def move_text(self, state: Callable[[], PgxStates], move: int) -> str:  # noqa: ARG002
        """Return the number of an action, as actions have no names; see ``StateSource``."""
        return str(move)

    def to_library(self, states: PgxStates) -> Any:
        """Return a state of pgx; see ``StateSource``."""
        with self._on_cpu():
            numpy = self._jax.numpy
            fields = [numpy.asarray(field[0]) for field in states.fields]
            fields.insert(self._observation_index, numpy.asarray(self._observation[0]))
            state = self._jax.tree_util.tree_unflatten(self._shape, fields)
            return state.replace(observation=self.game.observe(state))

    def from_library(self, state: Any) -> PgxStates:
        """Return a batch of a state of pgx, with either player as player 0; see ``StateSource``."""
        fields = [np.asarray(field) for field in self._jax.tree_util.tree_leaves(state)]
        if not isinstance(state, self._kind) or len(fields) != len(self._fields) + 1:
            message = (
                f"{type(state).__name__!r} is not a state of {self.name}; give a state of this game"
            )
            raise PositionError(message)
        del fields[self._observation_index]
        if any(a.shape != b.shape for a, b in zip(fields, self._labels, strict=True)):
            message = (
                f"the fields of a state are not those of {self.name}; give a state of this game"
            )
            raise PositionError(message)
        if self._pays_during_play:
            message = f"a state of {self.name} keeps no earlier rewards; give the position's number"
            raise PositionError(message)
        exchanged = [
            np.where(field == label, other_label, np.where(field == other_label, label, field))
            if (label != other_label).any()
            else field
            for field, label, other_label in zip(
                fields, self._labels, self._other_labels, strict=True
            )
        ]
        fields_of_both = [np.stack(pair) for pair in zip(fields, exchanged, strict=True)]
        paid = fields_of_both[self._field_index("rewards")].astype(np.float64)
        paid[1] = paid[1, ::-1]
        return PgxStates(fields_of_both, paid)

    # -- calls of pgx -----------------------------------------------------------------------------

    def _field_index(self, name: str) -> int:
        return self._fields.index(name)

    def _on_cpu(self) -> Any:
        return self._jax.default_device(self._jax.local_devices(backend="cpu")[0])

    def _state(self, fields: list[Any]) -> Any:
        """Return arrays as a batch of states with blank observations, in a compiled function."""
        count, numpy = fields[0].shape[0], self._jax.numpy
        blank = numpy.zeros((count, *self._observation.shape[1:]), self._observation.dtype)
        all_fields = [*fields[: self._observation_index], blank, *fields[self._observation_index :]]
        return self._jax.tree_util.tree_unflatten(self._shape, all_fields)

    @cached_property
    def _step(self) -> Callable[[list[_Array], _Array], list[Any]]:
        """The compiled function that steps a batch."""
        jax = self._jax

        def step(fields: list[Any], actions: object) -> list[Any]:
            key = jax.random.PRNGKey(0)
            next_state = jax.vmap(lambda state, action: self.game.step(state, action, key))
            leaves = jax.tree_util.tree_leaves(next_state(self._state(fields), actions))
            return [*leaves[: self._observation_index], *leaves[self._observation_index + 1 :]]

        compiled_step: Callable[[list[_Array], _Array], list[Any]] = jax.jit(step)
        return compiled_step

    @cached_property
    def _observe(self) -> Callable[[list[_Array]], Any]:
        """The compiled function that returns the observations of a batch."""
        jax = self._jax
        observe = lambda fields: jax.vmap(self.game.observe)(self._state(fields))  # noqa: E731
        compiled_observe: Callable[[list[_Array]], Any] = jax.jit(observe)
        return compiled_observe


def _field(path: Sequence[object]) -> str:
    """Return the name of a field of a state, with dots before fields of fields."""
    return ".".join(str(getattr(part, "name", part)) for part in path)


def _load_game(library: Any, text: str) -> Any:
    """Return the game of a name.

    Raises:
        ParameterError: there is no such game, or it does not take the parameters.
    """
    short_name, parameters = split_parameters(text)
    # The names of Go include its size, and one class has all sizes.
    names = {"go": "go_9x9", **{name: name for name in library.available_envs()}}
    if short_name not in names:
        similar = difflib.get_close_matches(short_name, names, 1)
        hint = f"did you mean {similar[0]}?" if similar else "pgx.available_envs() lists them"
        message = f"pgx has no game {short_name!r}; {hint}"
        raise ParameterError(message)
    environment = library.make(names[short_name])
    if short_name == names[short_name] and not parameters:
        return environment
    try:
        return type(environment)(**parameters)
    except (TypeError, ValueError, AssertionError) as error:
        message = f"pgx cannot make {text!r}: {error}; change its parameters"
        raise ParameterError(message) from None
