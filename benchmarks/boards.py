"""One game with its board written in several ways, as people write boards."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.measure import Session, work
from benchmarks.report import Row, agree

_LABELS = {
    "bits": "two bit masks",
    "cells": "a tuple of cells, two of them put",
    "at-once": "a tuple of cells, made in one comprehension",
}


def boards(session: Session) -> Iterator[Row]:
    """Solve Dao, whose 1,768,108 positions go in cycles, with its board written in each way."""
    jobs = {kind: work("boards.dao", kind=kind, touch=1 << 29) for kind in _LABELS}
    samples = session.race(jobs)
    bits = samples["bits"]
    for kind, label in _LABELS.items():
        ours = samples[kind]
        row = Row.of("boards", f"Dao, {label}", ours, ours.answer["positions"])
        if kind != "bits":
            agree(ours, bits)
            row.beside("two bit masks", bits.cpu / ours.cpu)
            row.keep("times two bit masks", ours.cpu / bits.cpu, 2)
        yield row
