"""``zermelo cluster check``: the workers that a solve would have, and how quick they are."""

from __future__ import annotations

from dataclasses import asdict

import click

from zermelo._engine.core.ledger import readable
from zermelo.cli.group import Example
from zermelo.cli.options import limit_options, output_options
from zermelo.cli.output import Output, write_line


@click.command(
    cls=Example,
    examples=[
        "zermelo cluster check 'local[2]'",
        "zermelo cluster check 'local[1]' --folder . --memory 2GB",
    ],
)
@click.argument("action", type=click.Choice(["check"]), metavar="check")
@click.argument("workers")
@click.option(
    "--folder",
    default=".",
    metavar="FOLDER",
    help="The folder for tables, which all workers have to share; by default this one.",
)
@limit_options
@output_options("Write only the number of workers.")
def cluster(
    *,
    action: str,  # noqa: ARG001  # there is one
    workers: str,
    folder: str,
    memory: int | None,
    threads: int | None,
    output: Output,
) -> None:
    """Check the workers of a cluster before a long solve.

    WORKERS are those of zermelo solve --cluster: local[2], ray, ray://head:10001 or mpi. Each is
    started, and shows its threads and memory, and how quickly it answers, writes to the shared
    folder and reads there.
    """
    from zermelo._cluster.diagnostics import check_cluster

    report = check_cluster(workers, folder=folder, memory=memory, threads=threads)
    if report is None:  # a worker of an MPI job
        return

    def show() -> None:
        for number, worker in enumerate(report.workers):
            threads = f"{worker.threads} thread{'s' * (worker.threads != 1)}"
            write_line(f"worker {number} on {worker.host}: {threads}, {readable(worker.memory)}")
            speeds = f"writes {readable(round(worker.write))}, reads {readable(round(worker.read))}"
            write_line(f"  answers in {1000 * worker.message:.2g} ms, {speeds} a second")

    output.write(asdict(report), show, str(len(report.workers)))
