"""The workers that ``cluster=`` names."""

from __future__ import annotations

import re
from typing import Any

from zermelo._cluster.workers import Workers
from zermelo.errors import ParameterError

_LOCAL = re.compile(r"local\[([1-9]\d{0,3})\]")


def check(cluster: Any) -> None:
    """See that a word says which workers there are.

    Raises:
        ParameterError: it does not.
    """
    if not isinstance(cluster, str) or not _LOCAL.fullmatch(cluster):
        message = (
            f"cluster={cluster!r} is not known; use 'local[2]' for two processes of this machine, "
            "or another number, or leave it out"
        )
        raise ParameterError(message)


def connect(cluster: str, memory: int | None, threads: int | None) -> Workers:
    """Return the workers that a word names, started.

    Args:
        cluster: ``local[2]``, or another number of processes of this machine.
        memory: bytes that each machine may use; None for most of what it has left.
        threads: threads that each machine may use; None for as many as it has cores.

    Raises:
        ParameterError: there are no such workers.
    """
    check(cluster)
    match = _LOCAL.fullmatch(cluster)
    assert match is not None  # noqa: S101  # checked
    from zermelo._cluster.local import LocalTransport

    return Workers(LocalTransport(int(match[1])), memory, threads)
