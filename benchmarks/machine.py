"""What the numbers were measured on: enough to compare, and nothing that says whose it is."""

from __future__ import annotations

import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psutil


def describe() -> dict[str, Any]:
    """Return the processor, its cores, the memory and the versions of what matters."""
    return {
        "cpu": _cpu(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1,
        "memory_gib": round(psutil.virtual_memory().total / (1 << 30), 1),
        "system": platform.system(),
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "numba": version("numba"),
        "zermelo": version("zermelo"),
    }


def in_a_sentence(machine: dict[str, Any]) -> str:
    """Return what ``describe`` returned as a page says it."""
    versions = ", ".join(
        f"{name} {machine[key]}"
        for name, key in (("Python", "python"), ("NumPy", "numpy"), ("Numba", "numba"))
    )
    return (
        f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_gib']:g} GiB of memory, "
        f"{machine['system']}, {versions}"
    )


def _cpu() -> str:
    """Return what the processor calls itself."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    facts = dict(line.split(":", 1) for line in reversed(lines) if ":" in line)
    facts = {key.strip(): value.strip() for key, value in facts.items()}
    name = facts.get("model name", platform.machine())
    if "cpu family" in facts:
        name += f" (family {facts['cpu family']}, model {facts.get('model', '?')})"
    return name
