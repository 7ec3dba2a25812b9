"""Games solved from the gallery: one solve at a time, and a few solved games in memory."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from zermelo.errors import ZermeloError
from zermelo.game.contract import Game
from zermelo.game.parameters import hashable_parameter
from zermelo.game.titles import title_of
from zermelo.progress import Event, Listener

if TYPE_CHECKING:
    from zermelo.solution.solution import Solution
    from zermelo.web.session import ExplorerSession

#: The most solved games in memory; beyond, the least recently opened one is removed.
MOST_ROOMS = 8

#: Seconds to wait for a solve to begin before its own page shows it.
_PATIENCE = 5.0
_WAITING = "waiting"

Solver = Callable[[str, Game, Listener], "Solution"]


class StoppedError(ZermeloError):
    """The solve was stopped, or another one was started."""


class SessionPool:
    """Rooms by name, each with a game that is solved or being solved."""

    def __init__(self, solver: Solver) -> None:
        """Create an empty hall.

        Args:
            solver: solves a game of some name, and reports its progress to a listener.
        """
        self._solver = solver
        self._rooms: OrderedDict[str, ExplorerSession] = OrderedDict()
        self._solving: tuple[str, threading.Event] | None = None
        self._turn = threading.Lock()  # of solves
        self._lock = threading.Lock()

    def open(self, name: str, game: Game) -> str:
        """Solve a game, unless it is solved already; return the name of its room.

        A solve that is still running is stopped. An immediate error is raised here: this waits for
        the first progress.

        Raises:
            Exception: what the solver raised until then.
        """
        values = {field: getattr(game, field) for field in _fields(game)}
        text = repr([(each, hashable_parameter(value)) for each, value in values.items()])
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        room_name = f"{name}-{digest}"
        with self._lock:
            room = self._rooms.get(room_name)
            if room is not None and room.failure is None:
                self._rooms.move_to_end(room_name)
                return room_name
        with self._lock:
            started = self._begin(room_name, name, game)
            while len(self._rooms) > MOST_ROOMS:
                self._rooms.popitem(last=False)
        started.wait(_PATIENCE)
        room = self._rooms.get(room_name)
        if room is not None and isinstance(room.failure, ZermeloError):
            raise room.failure
        return room_name

    def room(self, name: str) -> ExplorerSession | None:
        """Return a room, or None without a room of this name."""
        return self._rooms.get(name)

    def rooms(self) -> list[ExplorerSession]:
        """Return all rooms."""
        return list(self._rooms.values())

    def stop(self, name: str | None = None) -> None:
        """Stop the running solve, if any, or if it is that of this room."""
        if self._solving is not None and name in (None, self._solving[0]):
            self._solving[1].set()

    def _begin(self, room_name: str, name: str, game: Game) -> threading.Event:
        """Start a solve of a game.

        Return an event that is set when it has made progress, or ended.
        """
        from zermelo.web.session import ExplorerSession

        self.stop()
        stopped, started = threading.Event(), threading.Event()
        room = self._rooms[room_name] = ExplorerSession(name, title_of(game))
        self._solving = (room_name, stopped)

        def work(listener: Listener) -> Solution:
            def listen(event: Event) -> None:
                if stopped.is_set():
                    message = "stopped; choose the game again to begin anew"
                    raise StoppedError(message)
                listener(event)
                if event.phase != _WAITING:
                    started.set()

            with self._turn:
                listen(Event(_WAITING, 0, None, 0.0))
                solution = self._solver(name, game, listen)
                started.set()
                return solution

        room.solve(work, started.set)
        return started


def _fields(game: Any) -> list[str]:
    return list(getattr(type(game), "__dataclass_fields__", {}))
