"""Do one work: ``python -m benchmarks.works MODULE.FUNCTION ORDERS``, which ``measure`` runs."""

from __future__ import annotations

import gc
import json
import mmap
import resource
import sys
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any


def _memory(field: str) -> int:
    """Return bytes resident now (``VmRSS``) or at most so far (``VmHWM``)."""
    try:
        lines = Path("/proc/self/status").read_text().splitlines()
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def _touch(count: int) -> None:
    """Have the system find so much memory, and forget that it did.

    A virtual machine may hand free memory back to its host, and finding it again costs up to two
    seconds a gigabyte, which would fall on whoever happens to come first.
    """
    if count:
        with mmap.mmap(-1, count, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS) as block:
            if hasattr(mmap, "MADV_HUGEPAGE"):
                block.madvise(mmap.MADV_HUGEPAGE)
            for at in range(0, count, 4096):
                block[at] = 1
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")  # the peak so far, too


def main(name: str, orders: dict[str, Any]) -> None:
    """Do one work and print what it took and what it found, as JSON."""
    module, _, function = name.rpartition(".")
    prepare = getattr(import_module(f"benchmarks.works.{module}"), function)
    run, tell = prepare(**orders["arguments"])
    if "rehearse" in orders:
        if orders["rehearse"] == "run":
            run()
        return
    gc.collect()
    _touch(orders["touch"])
    footprint = _memory("VmRSS")
    system = resource.getrusage(resource.RUSAGE_SELF).ru_stime
    cpu, wall = time.process_time(), time.perf_counter()
    result = run()
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    sample: dict[str, Any] = {
        "cpu": cpu,
        "system": resource.getrusage(resource.RUSAGE_SELF).ru_stime - system,
        "wall": wall,
        "peak": max(0, _memory("VmHWM") - footprint),
    }
    answer = tell(result)
    sample["extra"] = answer.pop("extra", {})
    sample["answer"] = answer
    print(json.dumps(sample))


if __name__ == "__main__":
    main(sys.argv[1], json.loads(sys.argv[2]))
