"""The memory plan of a check: the table in memory, or its file read block by block."""

from __future__ import annotations

from typing import Any

from zermelo._engine.certificate.table_check import Batches, overhead_bytes
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.expand.expander import Expand
from zermelo._engine.file.cache_limits import LEAST_CACHE, PARTS
from zermelo._engine.index.index import PAGE
from zermelo._engine.table import Table
from zermelo.progress import Reporter

#: Bytes of a start in a list of all, without its words.
_START = 64


def plan_memory(
    expand: Expand, table: Table, threads: int, ledger: Ledger, report: Reporter
) -> tuple[Any, Batches, int]:
    """Load a table, or limit its block cache, as the memory allows.

    Args:
        expand: the compiled rules.
        table: positions and values.
        threads: threads to use.
        ledger: the memory budget.
        report: receives the phase ``load``.

    Returns:
        The table to use, the size of batches, and the number of threads that may use it.

    Raises:
        BudgetError: the memory is too small for any plan.
    """
    allowed, activity = ledger.allowed, f"verifying {len(table):,} positions"
    available = allowed - overhead_bytes(threads)
    loads = table.file is not None
    # If all positions are starts, their list takes more memory than the table.
    available -= len(table.starts) * (_START + 16 * expand.words)
    size = table.loaded_bytes + len(table) if loads else table.span
    batches = Batches.fit(expand, threads, PAGE, available - size)
    if not loads or size + batches.bytes <= available:
        ledger.reserve(allowed - available + size + batches.bytes, activity)
        if loads:
            with report.phase("load"):
                table = table.loaded()
        return table, batches, min(threads, batches.count)
    available -= table.span
    least = Batches.fit(expand, 1, len(table), 0).bytes
    ledger.reserve(allowed - available + least + LEAST_CACHE, activity)
    cache_limit, decompressed = available - least, table.decompressed_bytes
    cached = max(
        decompressed if decompressed <= cache_limit // 2 else cache_limit // PARTS, LEAST_CACHE
    )
    batches = Batches.fit(expand, 1, len(table), available - cached)
    ledger.fits(allowed - available + batches.bytes + cached)
    if decompressed <= cached:
        with report.phase("load"):
            table.decompressed()
    else:
        table.limit_cache(cached)
    return table, batches, 1
