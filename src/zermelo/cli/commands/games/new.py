"""``zermelo new``: writes a template for a game and its test."""

from __future__ import annotations

import importlib.util
import keyword
import re
import shlex
from pathlib import Path
from string import Template

import click

from zermelo.cli.errors import Stop
from zermelo.cli.group import Example
from zermelo.cli.options import output_options
from zermelo.cli.output import Output
from zermelo.cli.template import GAME, TEST


@click.command(cls=Example, examples=["zermelo new nim", "zermelo new nim --directory games"])
@click.argument("name")
@click.option(
    "--directory",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    help="The folder to write to, created if necessary; by default the current one.",
)
@output_options("Write the files and print nothing.")
def new(*, name: str, directory: Path, output: Output) -> None:
    """Create a small game to turn into your own, and a test of it.

    The game is a class in NAME.py, and the test is test_NAME.py. Both work as they are, and
    comments say what to change.
    """
    _check_name(name)
    class_name = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
    files = {directory / f"{name}.py": GAME, directory / f"test_{name}.py": TEST}
    for path in files:
        if path.exists() or path.is_symlink():
            message = f"{path} already exists; give another name, or move it away"
            raise Stop(message)
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for path, text in files.items():
            with path.open("x", encoding="utf-8") as file:
                file.write(Template(text).substitute(name=name, kind=class_name))
    except OSError as error:
        message = f"cannot write to {str(directory)!r}: {error.strerror}"
        raise Stop(message) from None
    written_paths = [str(path) for path in files]
    game, test = map(shlex.quote, written_paths)
    commands = [f"zermelo check {game}", f"zermelo solve {game}", f"pytest {test}"]
    text = "\n  ".join([f"wrote {' and '.join(written_paths)}; now try", *commands])
    output.write(
        {"game": f"{written_paths[0]}:{class_name}", "files": written_paths, "next": commands}, text
    )


def _check_name(name: str) -> None:
    if not name.isidentifier() or keyword.iskeyword(name) or not name.strip("_"):
        better = re.sub(r"\W+", "_", name).strip("_")
        usable = better.isidentifier() and not keyword.iskeyword(better)
        hint = f"; try {better}" if usable and better != name else "; use letters, digits and _"
        message = f"{name!r} cannot be the name of a Python module{hint}"
        raise Stop(message)
    if importlib.util.find_spec(name) is not None and not Path(f"{name}.py").exists():
        message = f"there is a Python module {name!r} already; try my_{name}"
        raise Stop(message)
