"""Rows of results: what each says, and how they are shown and saved."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from benchmarks.measure import FailedError, Sample

#: Columns of the table where it is not shown in a terminal.
_WIDTH = 190
#: Memory by position says something only where there are at least so many.
_MANY = 100_000


@dataclass
class Against:
    """One baseline of a row.

    Attributes:
        name: what it is.
        ratio: the baseline's cost over ours, each by unit of work: above 1, ours is cheaper.
        least: what the ratio is meant to be at least, or None.
    """

    name: str
    ratio: float
    least: float | None = None


@dataclass
class Target:
    """One number that is meant to keep a limit: at most ``limit``, or at least where so said."""

    name: str
    value: float
    limit: float
    at_least: bool = False

    @property
    def met(self) -> bool:
        """Whether the limit is kept."""
        return self.value >= self.limit if self.at_least else self.value <= self.limit


@dataclass
class Row:
    """One measurement of ours with all it is compared with.

    Attributes:
        name: the benchmark.
        work: what was done.
        cpu: CPU seconds.
        system: how many of them were spent in the system.
        wall: seconds by the clock.
        peak: bytes of memory at most, beyond what the process had before.
        peak_each: the same for each unit.
        each_second: units for each CPU second.
        unit: what is counted: positions, edges, games, probes.
        against: the baselines.
        targets: what it is meant to keep to.
        note: something to know about it.
    """

    name: str
    work: str
    cpu: float
    system: float
    wall: float
    peak: int | None = None
    peak_each: float | None = None
    each_second: float | None = None
    unit: str = "positions"
    against: list[Against] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    note: str = ""

    @classmethod
    def of(
        cls,
        name: str,
        work: str,
        sample: Sample,
        units: int | None = None,
        unit: str = "positions",
    ) -> Row:
        """Make a row of a sample that handled so many units of work."""
        row = cls(name, work, sample.cpu, sample.system, sample.wall, sample.peak, unit=unit)
        if units is not None:
            row.each_second = units / max(sample.cpu, 1e-9)
            row.peak_each = None if sample.peak is None else sample.peak / units
        return row

    def without_peak(self) -> Row:
        """Leave memory out, where the work itself hardly takes any."""
        self.peak = self.peak_each = None
        return self

    @property
    def many(self) -> bool:
        """Whether there is so much of it that memory for each unit says something."""
        return (self.each_second or 0) * self.cpu >= _MANY

    def beside(self, name: str, ratio: float, least: float | None = None) -> None:
        """Compare with a baseline."""
        self.against.append(Against(name, ratio, least))

    def keep(self, name: str, value: float, limit: float, *, at_least: bool = False) -> None:
        """Set a target."""
        self.targets.append(Target(name, value, limit, at_least))


def _verdict(met: bool) -> str:  # noqa: FBT001  # the one thing it is asked
    return "[green]met[/]" if met else "[red]missed[/]"


def agree(ours: Sample, rival: Sample, *keys: str) -> None:
    """Raise FailedError unless both gave the same answer (where ``keys``, the same to these).

    Raises:
        FailedError: they did not.
    """
    one, other = ours.answer, rival.answer
    if keys:
        one, other = ({key: answer[key] for key in keys} for answer in (one, other))
    if one != other:
        message = f"the answers differ: ours {_short(one)}, the baseline's {_short(other)}"
        raise FailedError(message)


def _short(answer: Any) -> str:
    text = repr(answer)
    return text if len(text) <= 300 else text[:300] + "…"


def show(rows: list[Row], failures: dict[str, str], machine: dict[str, Any]) -> None:
    """Print the table, what failed, and the machine."""
    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=_WIDTH)
    table = Table(box=SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    table.add_column("benchmark", no_wrap=True)
    table.add_column("work", min_width=44)
    headings = ("CPU s", "in system", "wall s", "peak MB", "bytes each", "each core-s", "ratio")
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("beside what, and what is asked for", no_wrap=True)
    for row in rows:
        ratios = [(f"{other.ratio:,.3g}", _beside(other)) for other in row.against]
        ratios += [("", _asked(target)) for target in row.targets]
        table.add_row(
            row.name,
            escape("\n".join(text for text in (row.work, row.note) if text)),
            f"{row.cpu:.3g}",
            f"{row.system:.2g}",
            f"{row.wall:.3g}",
            "" if row.peak is None else f"{row.peak / 1e6:,.0f}",
            f"{row.peak_each:.1f}" if row.peak_each is not None and row.many else "",
            "" if row.each_second is None else f"{row.each_second:,.0f}",
            "\n".join(ratio for ratio, _ in ratios),
            "\n".join(text for _, text in ratios),
        )
    console.print(table)
    for name, message in failures.items():
        console.print(f"[red]failed[/] {name}: {escape(message)}")
    console.print(escape(", ".join(f"{key} {value}" for key, value in machine.items())))


def _beside(other: Against) -> str:
    if other.least is None:
        return escape(other.name)
    verdict = _verdict(other.ratio >= other.least)
    return f"{escape(other.name)} (>= {other.least:g}: {verdict})"


def _asked(target: Target) -> str:
    sign = ">=" if target.at_least else "<="
    return f"{target.name} {sign} {target.limit:g}: {_verdict(target.met)}"


def minutes(seconds: float) -> str:
    """Return how long something took, in words."""
    return f"{seconds / 60:.0f} minutes" if seconds >= 90 else f"{seconds:.0f} seconds"


def plain(row: Row) -> dict[str, Any]:
    """Return a row as it is saved."""
    made = asdict(row)
    for target, saved in zip(row.targets, made["targets"], strict=True):
        saved["met"] = target.met
    return made


@dataclass
class Results:
    """What is saved.

    Attributes:
        quick: whether it is of a quick run.
        machine: what it ran on.
        remark: a sentence to save with it.
        rows: the saved rows of each benchmark.
        failures: what went wrong, by benchmark.
        seconds: how long each benchmark took by the clock, with all that is not measured of it.
    """

    quick: bool
    machine: dict[str, Any]
    remark: str
    rows: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def keep(self, before: dict[str, Any], names: set[str]) -> None:
        """Keep what was saved before of some benchmarks.

        Raises:
            ValueError: it is of another machine or of another kind of run.
        """
        if before["machine"] != self.machine or before["quick"] != self.quick:
            message = "it has results of another machine, or of another kind of run"
            raise ValueError(message)
        self.remark = self.remark or before["remark"]
        for row in before["rows"]:
            name = row["benchmark"]
            if name in names:
                self.rows.setdefault(name, []).append(row)
        self.failures |= {name: said for name, said in before["failures"].items() if name in names}
        kept = before.get("seconds", {})
        self.seconds |= {name: seconds for name, seconds in kept.items() if name in names}

    def document(self, order: list[str]) -> dict[str, Any]:
        """Return everything as one JSON document, the benchmarks in the order of their names."""
        rows = [{**row, "benchmark": name} for name in order for row in self.rows.get(name, [])]
        return {
            "quick": self.quick,
            "machine": self.machine,
            "remark": self.remark,
            "rows": rows,
            "failures": self.failures,
            "seconds": {name: self.seconds[name] for name in order if name in self.seconds},
        }
