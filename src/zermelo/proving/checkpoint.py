"""Checkpoints of a search: its tables in a folder, from which a search that ended early resumes.

The folder has the format of a solve's stages, with a single stage: all tables and the bounds at
that time. It is written under another name first, so that a kill at any moment leaves the previous
one.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from zermelo import limits
from zermelo.errors import BudgetError, StaleTableError, TableWriteError
from zermelo.game.parameters import as_json
from zermelo.proving.search import Bounds
from zermelo.proving.ties import Tie

if TYPE_CHECKING:
    import os

    from zermelo._engine.checkpoint.folder import CheckpointFolder
    from zermelo.proving.proof_search import ProofSearch

#: The name of the stage.
_STAGE = "search"
#: The time that checkpoints of a search may take, as a share of that of a solve: they are written
#: again and again, and each is as large as the table.
_SHARE_OF_SOLVE = 0.4
#: The estimate of bytes written per second, before the first measurement.
_RATE = 2e8
#: The keys of a search's identity, with the phrase of an error message if one differs.
_IDENTITY_PHRASES = {
    "game": "a search of {}",
    "module": "a search of a game of {}",
    "parameters": "a search with the parameters {}",
    "position": "a search from {}",
    "ask": "a search that asks {!r}",
    "remoteness": "a search with remoteness={}",
    "search": "a search with search={!r}",
    "rules": "a search by rules that have changed since",
    "zermelo": "a search by Zermelo {}",
}


class SearchCheckpoint:
    """The folder of a search.

    Attributes:
        path: the folder.
        nodes: positions that the search had visited before, in other processes.
        seconds: seconds that it had taken.
    """

    def __init__(self, path: str | os.PathLike[str], search: ProofSearch) -> None:
        """Check that the folder belongs to this search; it is created when the search starts.

        Args:
            path: the folder.
            search: the search.

        Raises:
            TableWriteError: the path is something else, or its parent folder is missing.
            StaleTableError: it belongs to another search.
        """
        from zermelo._store.save_table import identity_of

        self.path, self.nodes, self.seconds = Path(path), 0, 0.0
        question = search.question
        identity = {
            **identity_of(search.compiled),
            "position": as_json(search.position),
            "ask": question.ask,
            "remoteness": question.remoteness,
            "search": question.search,
            "symmetries": len(search.compiled.elements),
        }
        self._identity: dict[str, Any] = json.loads(json.dumps(identity))
        self._search = search
        self._folder: CheckpointFolder | None = None
        self._is_resumed, self._begin_time = False, 0.0
        self._rate, self._last_save = _RATE, time.monotonic()
        self._check()

    def _check(self) -> None:
        """Check that an existing folder belongs to this search."""
        name = repr(str(self.path))
        if not self.path.parent.is_dir():
            reason = f"there is no folder {str(self.path.parent)!r}; create it first"
            message = f"{name} cannot be written: {reason}"
            raise TableWriteError(message)
        if not self.path.exists():
            return
        try:
            document = json.loads((self.path / "identity.json").read_bytes())
            saved = document["identity"]
            is_equal = all(saved.get(key) == value for key, value in self._identity.items())
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            if self.path.is_dir() and not set(self.path.iterdir()) - {self.path / "lock"}:
                return
            message = f"{name} is there, and is not the folder of a search; give another path"
            raise TableWriteError(message) from None
        if not is_equal:
            key = next(key for key, value in self._identity.items() if saved.get(key) != value)
            difference = _IDENTITY_PHRASES.get(key, "another search").format(saved.get(key))
            message = (
                f"{name} holds {difference}; repeat the original question, or give another path"
            )
            raise StaleTableError(message)

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Lock the folder during the block, resume from it, and save the search at the end.

        Raises:
            TableBusyError: another process has locked it.
            BudgetError: the saved tables exceed the memory budget.
        """
        from zermelo._engine.checkpoint.folder import CheckpointFolder

        self._check()
        with CheckpointFolder(self.path, {"search": "prove", **self._identity}) as folder:
            self._folder = folder
            try:
                if not self._is_resumed:
                    self._resume(folder)
                self._last_save = self._begin_time = time.monotonic()
                yield
            finally:
                self._save()
                self.seconds += time.monotonic() - self._begin_time
                self._folder = None

    def save_if_due(self) -> None:
        """Write a checkpoint if that takes little of the time since the last one."""
        if self._folder is None:
            return
        limit = limits.current()
        seconds_worked = time.monotonic() - self._last_save
        share = _SHARE_OF_SOLVE * limit.checkpoint_share[0]
        size = sum(array.nbytes for array in self._arrays().values())
        if (
            seconds_worked >= limit.checkpoint_seconds
            and size <= share * seconds_worked * self._rate
        ):
            self._save()

    def _save(self) -> None:
        """Write a checkpoint; if that fails, the last one stays."""
        if self._folder is None or not self._is_resumed:
            return
        begin_time, arrays = time.monotonic(), self._arrays()
        facts = {
            **self._facts(),
            "nodes": self.nodes + self._search.searcher.tally.visited,
            "seconds": self.seconds + begin_time - self._begin_time,
            "bytes": sum(array.nbytes for array in arrays.values()),
        }
        if self._folder.put(_STAGE, [facts], **arrays):
            self._rate = facts["bytes"] / max(time.monotonic() - begin_time, 1e-6)
        self._last_save = time.monotonic()

    def _resume(self, folder: CheckpointFolder) -> None:
        """Restore the state of the search from the folder."""
        note = folder.note(_STAGE)
        if note is not None:
            facts = note[0]
            arrays = self._allocate_arrays(facts)
            if arrays is None:
                needed = facts["bytes"]
                message = (
                    f"the search in {str(self.path)!r} has a table of {needed:,} bytes; allow more "
                    "memory, or give another path to begin again"
                )
                raise BudgetError(message, needed, self._search.searcher.memory)
            folder.read(_STAGE, **arrays)
            self._restore(facts)
            self.nodes, self.seconds = facts["nodes"], facts["seconds"]
            self._search.searcher.report.resume(f"{self.nodes:,} positions had been visited")
        self._is_resumed = True

    def _arrays(self) -> dict[str, npt.NDArray[Any]]:
        """Return the tables and move histories of all searchers, by name."""
        return {
            f"{name}_{array_name}": array
            for name, walk in self._search.arrays_by_name.items()
            for array_name, array in walk.resume_arrays.items()
        }

    def _facts(self) -> dict[str, Any]:
        """Return the other state of the search, as JSON values."""
        search = self._search
        walks = search.arrays_by_name.items()
        return {
            "bounds": [search.bounds.low, search.bounds.high],
            "far": None
            if search.distance_bounds is None
            else [search.distance_bounds.low, search.distance_bounds.high],
            "tie": None if search.tie is None else search.tie.to_json(),
            "best": None if search.best is None else search.best.tolist(),
            "tables": {name: [walk.table.buckets, walk.entries] for name, walk in walks},
        }

    def _allocate_arrays(self, facts: dict[str, Any]) -> dict[str, npt.NDArray[Any]] | None:
        """Return arrays of the saved sizes, or None if memory does not allow them.

        Args:
            facts: the result of ``_facts`` in the process that saved them.
        """
        self._search.create_searchers(facts["tables"])
        walks = self._search.arrays_by_name
        fits = [
            walks[name].enlarge_table(buckets) for name, (buckets, _) in facts["tables"].items()
        ]
        return self._arrays() if all(fits) else None

    def _restore(self, facts: dict[str, Any]) -> None:
        """Restore the state that ``_facts`` returned; the arrays have been read."""
        search = self._search
        for name, (_, entries) in facts["tables"].items():
            search.arrays_by_name[name].entries = entries
        search.bounds = Bounds(*facts["bounds"])
        search.distance_bounds = None if facts["far"] is None else Bounds(*facts["far"])
        if facts.get("tie") is not None:
            search.tie = Tie.from_json(facts["tie"], search.compiled.words)
        search.best = None if facts["best"] is None else np.array(facts["best"], np.uint64)
