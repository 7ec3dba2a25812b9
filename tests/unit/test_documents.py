"""That the documents are really run: what is wrong in a page fails, what is right passes."""

from __future__ import annotations

import os
import sys
from types import ModuleType

import click
import pytest
from sybil.example import SybilFailure

from support.documents import MARKDOWN, Page, matches


@pytest.fixture
def run(tmp_path):
    """Give a function that runs a page's text to the end and returns the page."""

    def run_page(text):
        path = tmp_path / "page.md"
        path.write_text(text)
        page = Page.parse(str(path), *MARKDOWN["parsers"])
        page.enter()
        try:
            for example in page.examples():
                example.evaluate()
        finally:
            page.leave()
        return page

    return run_page


@pytest.fixture
def command_line(monkeypatch):
    """Replace Zermelo's command line by a small one."""

    @click.group()
    def main():
        pass

    @main.command()
    @click.argument("words", nargs=-1)
    def say(words):
        click.echo(" ".join(words))

    @main.command()
    def refuse():
        click.echo("no such thing", err=True)
        raise SystemExit(2)

    @main.command()
    def crash():
        raise RuntimeError("a fault of ours")

    module = ModuleType("zermelo.cli")
    module.main = main
    monkeypatch.setitem(sys.modules, "zermelo.cli", module)


def test_python_blocks_share_a_namespace(run):
    """A later block sees the names of an earlier one."""
    page = run("```python\none = 1\n```\n\ntext\n\n```python\ntwo = one + 1\n```\n")
    assert page.namespace["two"] == 2


def test_a_python_block_that_raises_fails(run):
    """An exception in a block is the page's failure, at the line it has in the page."""
    with pytest.raises(ZeroDivisionError) as failure:
        run("# Title\n\n```python\n\n1 / 0\n```\n")
    assert failure.traceback[-1].lineno + 1 == 5


def test_a_class_in_a_page_has_its_source(run):
    """A class and its methods can be found by inspect, as in a file the reader saved."""
    page = run(
        "Text with ```odd``` ticks.\n\n```python\nimport inspect\n```\n\nMore.\n\n"
        "```python\nclass Nim:\n    def start(self):\n        return 5\n\n"
        "source = inspect.getsource(Nim)\nmethod = inspect.getsource(Nim.start)\n```\n"
    )
    assert page.namespace["source"] == "class Nim:\n    def start(self):\n        return 5\n"
    assert page.namespace["method"] == "    def start(self):\n        return 5\n"


def test_sessions_are_compared(run):
    """A session passes where its output is as shown, an ellipsis included."""
    run("```pycon\n>>> 6 * 7\n42\n>>> print('a long line')\na ... line\n```\n")
    with pytest.raises(SybilFailure, match=r"Expected:\s+43\s+Got:\s+42"):
        run("```pycon\n>>> 6 * 7\n43\n```\n")


def test_a_python_block_may_be_a_session(run):
    """A block labelled python that begins with a prompt is compared as well."""
    with pytest.raises(SybilFailure):
        run("```python\n>>> 6 * 7\n43\n```\n")


@pytest.mark.usefixtures("command_line")
def test_commands_are_compared(run):
    """Each command of a console block is run and its output compared."""
    run("```console\n$ zermelo say a b\na b\n$ zermelo say 'c  d' \\\n>     e\nc  ...e\n```\n")
    with pytest.raises(SybilFailure, match=r"\$ zermelo say b\nExpected:\n    c\nGot:\n    b"):
        run("```console\n$ zermelo say a\na\n$ zermelo say b\nc\n```\n")


@pytest.mark.usefixtures("command_line")
def test_a_failing_command_shows_its_exit_code(run):
    """A command that fails passes only where the page shows its exit code."""
    run("```console\n$ zermelo refuse\nno such thing\n$ echo $?\n2\n```\n")
    with pytest.raises(SybilFailure, match="failed with 2"):
        run("```console\n$ zermelo refuse\nno such thing\n```\n")
    with pytest.raises(SybilFailure, match=r"Expected:\n    1\nGot:\n    2"):
        run("```console\n$ zermelo refuse\n...\n$ echo $?\n1\n```\n")


@pytest.mark.usefixtures("command_line")
def test_a_traceback_never_passes(run):
    """An exception that escapes a command fails whatever ellipsis the page has."""
    with pytest.raises(SybilFailure, match="a fault of ours"):
        run("```console\n$ zermelo crash\n...\n```\n")


def test_other_programs(run):
    """A page may run python on a file it has written."""
    run(
        "<!-- file: hello.py -->\n```python\nprint('hello')\n```\n\n"
        "```console\n$ python hello.py\nhello\n$ ls\nhello.py\n```\n"
    )


@pytest.mark.parametrize("line", ["zermelo games | head", "curl example", "'' > out"])
def test_what_cannot_be_run_is_refused(run, line):
    """A command outside the few a page may run fails rather than being passed over."""
    with pytest.raises(SybilFailure, match="leave it out with a reason"):
        run(f"```console\n$ {line}\n...\n```\n")


def test_a_console_block_needs_a_command(run):
    """Mere output under the label console fails."""
    with pytest.raises(SybilFailure, match="needs a command"):
        run("```console\njust output\n```\n")


def test_files_are_written(run):
    """Blocks of any language can be files, and a Python one can be imported."""
    page = run(
        '<!-- file: graph.json -->\n```json\n{"0": [1]}\n```\n\n'
        "<!-- file: rules.py -->\n```python\nLIMIT = 3\n```\n\n"
        "```python\nimport rules\nfrom pathlib import Path\n"
        "text = Path('graph.json').read_text()\n```\n"
    )
    assert page.namespace["text"] == '{"0": [1]}\n'
    assert page.namespace["rules"].LIMIT == 3
    assert "rules" not in sys.modules


def test_a_skip_needs_a_reason(run):
    """A block is left out with a reason, which is reported, and never without one."""
    with pytest.raises(BaseException, match="needs a network") as skipped:
        run('<!-- skip: next "needs a network" -->\n```python\n1 / 0\n```\n')
    assert type(skipped.value).__name__ == "SkipTest"
    with pytest.raises(ValueError, match="say why"):
        run("<!-- skip: next -->\n```python\n1 / 0\n```\n")


def test_a_page_leaves_nothing_behind(run):
    """After a page, the working directory, the path and the modules are as before."""
    before = (os.getcwd(), list(sys.path), set(sys.modules))  # noqa: PTH109  # the very string
    run("<!-- file: left.py -->\n```python\nx = 1\n```\n\n```python\nimport left\n```\n")
    assert (os.getcwd(), list(sys.path), set(sys.modules)) == before  # noqa: PTH109


def test_matching():
    """Spaces at the ends of lines do not matter, those within them do."""
    assert matches("a  b\nc\n", "a  b   \nc\n\n")
    assert matches("a ... d", "a b c d\n")
    assert not matches("a b", "a  b")
    assert not matches("", "something")
