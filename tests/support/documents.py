"""How README.md and the pages of docs/ are run as tests.

Each page is run from top to bottom in a folder of its own, its blocks sharing one namespace:

``python``
    is executed. A block that begins with ``>>>`` is a session.
``pycon``
    is a Python session, its output compared.
``console``
    holds commands after ``$`` and their output, compared line by line. ``zermelo`` runs in this
    process; ``python``, ``pytest``, ``cat`` and ``ls`` run in one of their own. A command that
    fails must be followed by ``$ echo $?``, so that the page shows its exit code.

In an output, ``...`` stands for anything. A block under ``<!-- file: nim.py -->`` is written to
that file first, whatever its language. A block is left out only under
``<!-- skip: next "reason" -->``, and the reason shows in the test report.
"""

from __future__ import annotations

import contextlib
import doctest
import os
import re
import shlex
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypedDict

from click.testing import CliRunner
from sybil import Document, Example, Region
from sybil.parsers.myst import CodeBlockParser, SkipParser

from zermelo import limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

#: What a page's commands see of the terminal: as wide as a block of code, and without colours.
TERMINAL = {
    "COLUMNS": "80",
    "NO_COLOR": "1",
    "CLICOLOR_FORCE": None,
    "FORCE_COLOR": None,
    "PYTEST_ADDOPTS": None,
}

#: The commands a page may show besides ``zermelo``.
PROGRAMS = {
    "cat": ["cat"],
    "ls": ["ls"],
    "pytest": [sys.executable, "-m", "pytest", "-p", "no:cacheprovider"],
    "python": [sys.executable],
}

OPTIONS = doctest.ELLIPSIS | doctest.DONT_ACCEPT_BLANKLINE
SECONDS = 300

_FILE_ABOVE = re.compile(r"<!--\s*file:\s*(\S+)\s*-->\s*\Z")
_FILE = re.compile(
    r"^<!--\s*file:\s*(?P<name>\S+)\s*-->\n+```(?!(?:python|pycon|console)$)\w*\n"
    r"(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_PROMPT = "$ "


def _plain_seconds(page: Path) -> float:
    """Return the seconds in which a page's games are solved in plain Python.

    As a reader's, small games are, however slow the machine. Pages of games are many, and those of
    larger games would explore in vain for as long; and the games that prove.md searches take a
    second, however fast the machine.
    """
    if page.name == "prove.md":
        return 0.5
    return 1.0 if page.parents[1].name == "games" else 2.0


class Page(Document):
    """A Markdown page whose Python blocks make up one module.

    The module has a file, with the blocks at the lines they have in the page, so that the source
    of a class is found as it would be had the reader saved it, and tracebacks name the line.
    """

    def __init__(self, text: str, path: str) -> None:
        """Make an empty module for the page; nothing is run yet."""
        super().__init__(text, path)
        stem = re.sub(r"\W", "_", Path(path).stem).lower()
        self.module = ModuleType(f"page_{stem}")
        self.namespace = self.module.__dict__
        self.namespace["__page__"] = self
        self.exit_code = 0
        self._leave = contextlib.ExitStack()

    def enter(self) -> None:
        """Go to a folder of the page's own, from which it can import what it writes there."""
        folder = self._leave.enter_context(tempfile.TemporaryDirectory())
        source = self._leave.enter_context(tempfile.TemporaryDirectory())
        self.module.__file__ = str(Path(source, f"{self.module.__name__}.py"))
        Path(self.module.__file__).write_text(self._python(), encoding="utf-8")
        self._leave.enter_context(contextlib.chdir(folder))
        self._leave.enter_context(limits.using(plain_seconds=_plain_seconds(Path(self.path))))
        self._leave.callback(_forget, folder)
        self._leave.callback(_forget, source)
        sys.path.insert(0, folder)
        sys.modules[self.module.__name__] = self.module

    def leave(self) -> None:
        """Undo ``enter``."""
        self._leave.close()

    def _python(self) -> str:
        """Return the page's Python blocks, each line of them where it is in the page."""
        lines = [""] * (self.text.count("\n") + 1)
        for example in self.examples():
            if example.region.evaluator is execute:
                block = example.parsed.splitlines()
                first = example.line + example.parsed.line_offset
                lines[first : first + len(block)] = block
        return "\n".join(lines)


class ReasonedSkipParser(SkipParser):
    """Understands ``<!-- skip: next "reason" -->``, and insists on the reason."""

    def __call__(self, document: Document) -> Iterable[Region]:
        """Find each such comment.

        Raises:
            ValueError: one gives no reason.
        """
        for region in super().__call__(document):
            action, reason = region.parsed
            if action != "end" and not reason:
                location = f"{document.path}, {document.line_column(region.start)}"
                message = f'{location}: say why in <!-- skip: {action} "reason" -->'
                raise ValueError(message)
            yield region


def execute(example: Example) -> str | None:
    """Run a block of Python, or a session that is labelled as one."""
    if example.parsed.startswith(">>>"):
        return converse(example)
    _write_named(example)
    page = example.document
    blank = "\n" * (example.line + example.parsed.line_offset)
    code = compile(blank + example.parsed, page.module.__file__, "exec", dont_inherit=True)
    exec(code, page.namespace)  # noqa: S102  # the documents are ours
    return None


def converse(example: Example) -> str:
    """Run a Python session, and return what it said otherwise than the page says."""
    test = doctest.DocTestParser().get_doctest(
        str(example.parsed), {}, Path(example.path).name, example.path, example.line
    )
    test.globs = example.namespace
    output: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    runner.run(test, out=output.append, clear_globs=False)
    return "".join(output)


def command(example: Example) -> str | None:
    """Run the commands of a console block, and return where they differ from the page."""
    page = example.document
    commands = list(_commands(example.parsed))
    if not commands:
        return "a console block needs a command, after '$ '; label mere output as text"
    for place, (line, expected) in enumerate(commands):
        if line == "echo $?":
            output = f"{page.exit_code}\n"
        else:
            output, page.exit_code = _run(line)
            shows_exit_code = place + 1 < len(commands) and commands[place + 1][0] == "echo $?"
            if page.exit_code and not shows_exit_code:
                return f"$ {line}\n{output}\nfailed with {page.exit_code}; show it with $ echo $?"
        if not matches(expected, output):
            return f"$ {line}\nExpected:\n{_indented(expected)}\nGot:\n{_indented(output)}"
    return None


def matches(expected: str, output: str) -> bool:
    """Whether an output is as the page has it, up to ``...`` and spaces at the ends of lines."""
    return doctest.OutputChecker().check_output(_trimmed(expected), _trimmed(output), OPTIONS)


def written(document: Document) -> Iterator[Region]:
    """Find the blocks to write to a file that are in no language that is run."""
    for match in _FILE.finditer(document.text):
        yield Region(match.start(), match.end(), match.groupdict(), _write)


def _write(example: Example) -> None:
    Path(example.parsed["name"]).write_text(example.parsed["text"], encoding="utf-8")


def _write_named(example: Example) -> None:
    match = _FILE_ABOVE.search(example.document.text[: example.start])
    if match:
        Path(match[1]).write_text(example.parsed, encoding="utf-8")


def _commands(block: str) -> Iterator[tuple[str, str]]:
    """Split a console block into commands, each with the output shown under it."""
    line: str | None = None
    output: list[str] = []
    lines = iter(block.splitlines())
    for text in lines:
        if not text.startswith(_PROMPT):
            output.append(text)
            continue
        if line is not None:
            yield line, "\n".join(output)
        line, output = text.removeprefix(_PROMPT), []
        while line.endswith("\\"):
            line = line.removesuffix("\\") + next(lines).removeprefix("> ").lstrip()
    if line is not None:
        yield line, "\n".join(output)


def _run(line: str) -> tuple[str, int]:
    """Run one command; return what it printed, both streams as they came, and its exit code."""
    words = shlex.split(line, comments=True)
    if not words or {">", "|", "&&", ";"} & set(words):
        return f"{line!r} is more than one plain command; leave it out with a reason\n", 127
    if words[0] == "zermelo":
        return _run_zermelo(words[1:])
    if words[0] not in PROGRAMS:
        return f"{words[0]!r} is not run from a page; leave it out with a reason\n", 127
    environment = {**os.environ, **TERMINAL}
    process = subprocess.run(
        [*PROGRAMS[words[0]], *words[1:]],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={name: value for name, value in environment.items() if value is not None},
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )
    return process.stdout, process.returncode


def _run_zermelo(words: list[str]) -> tuple[str, int]:
    from zermelo.cli import main  # pages without a command need none

    result = CliRunner().invoke(main, words, prog_name="zermelo", env=TERMINAL)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        return "".join(traceback.format_exception(result.exception)), 70
    return result.output, result.exit_code


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip("\n").splitlines()) + "\n"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def _forget(folder: str) -> None:
    """Make as if nothing had been imported from a folder."""
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file is not None and os.path.dirname(file) == folder:  # noqa: PTH120  # of all modules
            del sys.modules[name]
    if folder in sys.path:
        sys.path.remove(folder)


def _enter(namespace: dict[str, Any]) -> None:
    namespace["__page__"].enter()


def _leave(namespace: dict[str, Any]) -> None:
    namespace["__page__"].leave()


class _Markdown(TypedDict):
    parsers: list[Any]
    document_types: dict[str | None, type[Document]]
    setup: Callable[[dict[str, Any]], None]
    teardown: Callable[[dict[str, Any]], None]


#: What Sybil needs to know of such pages.
MARKDOWN: _Markdown = {
    "parsers": [
        CodeBlockParser("python", execute),
        CodeBlockParser("pycon", converse),
        CodeBlockParser("console", command),
        written,
        ReasonedSkipParser(),
    ],
    "document_types": {".md": Page},
    "setup": _enter,
    "teardown": _leave,
}
