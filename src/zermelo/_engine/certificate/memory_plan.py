"""How a table is held while it is checked: in memory, or read block by block."""

from __future__ import annotations

from typing import Any

from zermelo._engine.certificate.table_check import Batches, overhead
from zermelo._engine.core.ledger import Ledger
from zermelo._engine.expand.expander import Expand
from zermelo._engine.file.cache_limits import LEAST_CACHE, PARTS
from zermelo._engine.index.index import PAGE
from zermelo.progress import Reporter

#: Bytes that a start takes while all are listed, beside those of its words.
_START = 64


def plan_memory(
    expand: Expand, table: Any, threads: int, ledger: Ledger, report: Reporter
) -> tuple[Any, Batches, int]:
    """Hold a table as well as some memory allows.

    Args:
        expand: the compiled rules.
        table: positions and values.
        threads: threads to use.
        ledger: what may be taken.
        report: is told that the table is loaded.

    Returns:
        The table to look into, how large batches are, and how many threads may do that.

    Raises:
        BudgetError: there is too little memory for it.
    """
    allowed, doing = ledger.allowed, f"verifying {len(table):,} positions"
    left = allowed - overhead(threads)
    loads = table.file is not None
    # In a game in which all positions are starts, these take more than the table.
    left -= len(table.starts) * (_START + 16 * expand.words)
    size = table.loaded_bytes + len(table) if loads else table.span
    batches = Batches.within(expand, threads, PAGE, left - size)
    if not loads or size + batches.bytes <= left:
        ledger.take(allowed - left + size + batches.bytes, doing)
        if loads:
            with report.phase("load"):
                table = table.loaded()
        return table, batches, min(threads, batches.count)
    left -= table.span
    least = Batches.within(expand, 1, len(table), 0).bytes
    ledger.take(allowed - left + least + LEAST_CACHE, doing)
    spare, decompressed = left - least, table.decompressed_bytes
    cached = max(decompressed if decompressed <= spare // 2 else spare // PARTS, LEAST_CACHE)
    batches = Batches.within(expand, 1, len(table), left - cached)
    ledger.fits(allowed - left + batches.bytes + cached)
    if decompressed <= cached:
        with report.phase("load"):
            table.decompressed()
    else:
        table.cache_within(cached)
    return table, batches, 1
