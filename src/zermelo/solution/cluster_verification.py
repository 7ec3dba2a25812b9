"""The certificate, shared among the workers of a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo._cluster import connect
from zermelo.errors import ClusterError, ParameterError
from zermelo.solution.certificate import verify_solved

if TYPE_CHECKING:
    from zermelo.progress import Reporter
    from zermelo.solution.solved_base import Solved
    from zermelo.values.results import Verification


def verify_on_cluster(
    solved: Solved, cluster: str, memory: int | None, threads: int, report: Reporter
) -> Verification:
    """Check the certificate with the help of workers; see ``Solution.verify``.

    Args:
        solved: rules and values.
        cluster: the workers.
        memory: the most bytes to use on each machine; by default most of the free memory.
        threads: threads to use on each machine.
        report: receives the number of positions checked.
    """
    connect.check(cluster)
    if not solved.has_cluster_check:
        message = (
            f"cluster={cluster!r} cannot verify this solution, only a table in a file, of a graph "
            "or of the methods 'placement', 'dense', 'levels', 'retrograde' and 'pursuit'; leave "
            "cluster out"
        )
        raise ParameterError(message)
    if connect.is_worker(cluster):
        result: Verification | None = connect.result(cluster)
        if result is None:
            message = "the driver ended without a result; see its output"
            raise ClusterError(message)
        return result
    with connect.connect(cluster, memory, threads) as workers:
        workers.report_to(report)
        verification = verify_solved(solved, threads, memory, report, workers)
        workers.share(verification)
    return verification
