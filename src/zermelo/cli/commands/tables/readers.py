"""``zermelo readers``: the readers of portable tables in other languages."""

from __future__ import annotations

from pathlib import Path

import click

from zermelo.cli.group import Example
from zermelo.cli.options import output_options
from zermelo.cli.output import Output
from zermelo.readers import write_readers


@click.command(cls=Example, examples=["zermelo readers", "zermelo readers --to site/scripts"])
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    help="The folder to write to, created if necessary; by default the current one.",
)
@click.option("--force", is_flag=True, help="Replace existing files.")
@output_options("Write the files and print nothing.")
def readers(*, folder: Path, force: bool, output: Output) -> None:
    """Write the readers of portable tables in C and JavaScript.

    Each is one file, to be copied into a program or a web page of yours. They look up positions in
    the tables that zermelo export --portable writes.
    """
    files = [str(path) for path in write_readers(folder, overwrite=force)]
    output.write({"files": files}, f"wrote {' and '.join(files)}")
