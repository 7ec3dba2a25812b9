"""A progress bar on standard error, for long solves and checks."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self

from zermelo.progress import Event, WorkerProgress

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

#: Seconds after the first event before the bar is shown: most games are solved sooner.
_PATIENCE = 0.4
#: Seconds from the beginning before the bar is shown if no event has come, as rules compile.
_COMPILING = 1.0
#: The description then, and the phase in which rules are compiled.
_COMPILE = "compile"
_ONCE = "compiling the rules, once for this game"
#: The description while a phase waits for kernels of Zermelo's own.
_KERNELS = "compiling Zermelo's kernels, once on this machine"
_INTERVAL = 0.1
#: The fields of the bar besides the description.
_FIELDS = ("done", "rate", "left", "detail")
#: Without a terminal: seconds before the first line, and between lines.
_FIRST_LINE, _NEXT_LINE = 5.0, 10.0
#: The environment variable that limits the display of progress, and its values.
VARIABLE = "ZERMELO_PROGRESS"
_ON_TERMINALS, _NEVER = "terminal", "never"


class ProgressBar:
    """The progress of a solve or a check, shown for the length of a ``with`` block.

    Calling the bar with an event only stores the event. A thread draws, so that the solve does not
    wait, and rich is not imported for short solves. On a terminal the bar disappears at the end of
    the block. In a file, progress is a line every ten seconds.

    Attributes:
        about: the name of the current one of several games; it precedes the phase.
    """

    def __init__(self, *, quiet: bool, console: Console | None = None) -> None:
        """Create a bar on ``console``, or on standard error; with ``quiet`` it stays hidden."""
        setting = os.environ.get(VARIABLE, "")
        self.on_terminal = console is not None or sys.stderr.isatty()
        self.is_shown = (
            not quiet and setting != _NEVER and (self.on_terminal or setting != _ON_TERMINALS)
        )
        self.console = console
        self.about = ""
        self.latest: Event | None = None
        self._start_time = 0.0
        self._first_event_time: float | None = None
        self._closed = threading.Event()
        draw = self._draw if self.on_terminal else self._write_lines
        self._thread = threading.Thread(target=draw, daemon=True)

    def __call__(self, event: Event) -> None:
        """Store the latest event."""
        if self._first_event_time is None:
            self._first_event_time = time.monotonic()
        self.latest = event

    def __enter__(self) -> Self:
        """Start to show progress."""
        self._start_time = time.monotonic()
        if self.is_shown:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Stop drawing, and clear the line."""
        self._closed.set()
        if self.is_shown:
            self._thread.join()

    def _draw(self) -> None:
        while not self._should_show():
            if self._closed.wait(_INTERVAL):
                return
        with _bar(self.console) as bar:
            empty: dict[str, Any] = dict.fromkeys(_FIELDS, "")
            task = bar.add_task(_ONCE, total=None, memory="", **empty)
            while True:
                if self.latest is not None:
                    bar.update(task, **self._event_text(self.latest))
                bar.update(task, memory=process_memory())
                bar.refresh()
                if self._closed.wait(_INTERVAL):
                    return

    def _write_lines(self) -> None:
        stream = sys.stderr  # the stream of now: tests replace it before the last line
        wait = _FIRST_LINE
        while not self._closed.wait(wait):
            texts: dict[str, Any] = dict.fromkeys(_FIELDS, "") | {"description": _ONCE}
            if self.latest is not None:
                texts = self._event_text(self.latest)
            parts = [
                texts["done"],
                texts["rate"],
                texts["left"],
                f"{process_memory()} of memory",
                texts["detail"],
            ]
            line = ", ".join(part for part in parts if part)
            try:
                print(f"{texts['description']}: {line}", file=stream, flush=True)
            except (OSError, ValueError):  # the stream is closed
                return
            wait = _NEXT_LINE

    def _event_text(self, event: Event) -> dict[str, Any]:
        texts = event_text(event)
        if self.about:
            texts["description"] = f"{self.about}: {texts['description']}"
        return texts

    def _should_show(self) -> bool:
        now = time.monotonic()
        if self._first_event_time is not None and now - self._first_event_time >= _PATIENCE:
            return True
        return now - self._start_time >= _COMPILING


def process_memory() -> str:
    """Return the memory that this process holds, as text."""
    import psutil
    from rich.filesize import decimal

    return decimal(psutil.Process().memory_info().rss)


def event_text(event: Event) -> dict[str, Any]:
    """Return the texts of the bar for an event."""
    if event.compiling and event.phase != _COMPILE:
        empty = dict.fromkeys(_FIELDS, "")
        return {"description": _KERNELS, "completed": 0, "total": None, **empty}
    rate = event.rate
    done = f"{event.done:,}" if event.total is None else f"{event.done:,} of {event.total:,}"
    left = f"{duration_text(event.left)} left" if event.left else ""
    if event.least_left is not None:
        done = f"{event.done:,} of at least {event.least:,}"
        left = f"at least {duration_text(event.least_left)} left"
    description = _ONCE if event.phase == _COMPILE else event.phase
    return {
        "description": description + "".join(f", {text}" for text in workers_text(event.workers)),
        "completed": event.done,
        "total": event.total,
        "done": done if event.done else "",
        "rate": f"{compact_number(rate)}/s" if rate else "",
        "left": left,
        "detail": "" if event.finished else event.detail,
    }


def workers_text(workers: Sequence[WorkerProgress]) -> Iterator[str]:
    """Yield phrases on the workers of a cluster: their level, their exchange, and late workers."""
    from rich.filesize import decimal

    if not workers:
        return
    levels = sorted({progress.level for progress in workers if progress.level is not None})
    if levels:
        yield f"level {levels[0]}" if len(levels) == 1 else f"levels {levels[0]} to {levels[-1]}"
    at_work = sum(progress.busy is not None for progress in workers)
    yield f"{at_work} of {len(workers)} workers busy"
    exchanged, seconds = sum(w.exchanged for w in workers), sum(w.seconds for w in workers)
    if exchanged:
        rate = decimal(round(exchanged / seconds)) if seconds else "0 bytes"
        yield f"{decimal(exchanged)} exchanged at {rate}/s each"
    for progress in workers:
        if progress.late and progress.busy is not None:
            worker = f"worker {progress.number} on {progress.host!r}"
            yield f"{worker} has been busy for {duration_text(progress.busy)}, longer than expected"


def duration_text(seconds: float) -> str:
    """Return a duration in words: ``3 ms``, ``2.5 s``, ``4 min 10 s``, ``2 h 5 min``."""
    if seconds < 0.9995:  # noqa: PLR2004  # rounds to 1,000 ms
        return f"{seconds * 1000:.3g} ms" if seconds >= 0.0005 else "<1 ms"  # noqa: PLR2004  # to 1 ms
    if seconds < 99.95:  # noqa: PLR2004  # rounds to 100.0 s
        return f"{seconds:.1f} s"
    minutes, remaining_seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {remaining_seconds} s"


def compact_number(number: float) -> str:
    """Return a number in three digits: ``950``, ``12.3k``, ``4.56M``."""
    for unit in ("", "k", "M"):
        if number < 999.5:  # noqa: PLR2004  # rounds to 1,000
            return f"{number:.3g}{unit}"
        number /= 1000
    return f"{number:.3g}G"


def _bar(console: Console | None) -> Progress:
    from rich.console import Console, RenderableType
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
    from rich.text import Text

    class Detailed(Progress):
        """A bar with the detail of the event on a second line, cut at the width of the terminal."""

        def get_renderables(self) -> Iterator[RenderableType]:
            yield from super().get_renderables()
            for task in self.tasks:
                if task.fields["detail"]:
                    yield Text(f"  {task.fields['detail']}", no_wrap=True, overflow="ellipsis")

    return Detailed(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        TextColumn("{task.fields[done]}"),
        TextColumn("{task.fields[rate]}"),
        TextColumn("{task.fields[left]}"),
        TextColumn("{task.fields[memory]}"),
        TimeElapsedColumn(),
        console=console or Console(stderr=True),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
