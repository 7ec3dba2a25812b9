"""``zermelo evaluate``."""

from __future__ import annotations

import json

import pytest

AGENT = '''
def first(heap):
    """Take one."""
    return 1


def wrong(heap):
    return 9


def lost(heap):
    return {}[heap]


class First:
    def __call__(self, heap):
        return 1


number = 5
'''


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with agents."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "takers.py").write_text(AGENT)
    return tmp_path


def test_an_agent_in_a_file(run, here):
    """What is measured is written in a table, after a sentence."""
    result = run("evaluate", "takers.py:first", "take-away", "--stones", 9, "--limit", 2)
    assert (result.exit_code, result.stderr) == (0, "")
    assert "first makes a best move in " in result.stdout
    assert "against perfect play, as " in result.stdout
    assert "worst moves of first" in result.stdout
    table = run("solve", "take-away", "--stones", 9, "--limit", 2, "--table", "x.table")
    assert table.exit_code == 0
    again = run("evaluate", "takers.py:first", "x.table")
    assert again.stdout == result.stdout


def test_json_and_quiet(run, here):
    """One document for one agent, a list for several; or a sentence each."""
    game = ("take-away", "--stones", 9, "--beside", "perfect")
    document = json.loads(run("evaluate", "takers.py:first", *game, "--json").stdout)
    first, perfect = document["evaluations"]
    assert (first["agent"], first["perfect"]) == ("first", False)
    assert (perfect["agent"], perfect["perfect"]) == ("perfect", True)
    alone = json.loads(run("evaluate", "random", "take-away", "--stones", 9, "--json").stdout)
    assert alone["everywhere"]["exact"]
    brief = run("evaluate", "takers.py:first", *game, "--quiet").stdout.splitlines()
    assert brief[1] == "perfect makes a best move in every position."
    some = ("--exact-up-to", 2, "--samples", 50, "--seed", 3)
    text = run("evaluate", "takers.py:first", "take-away", "--stones", 9, *some).stdout
    assert "sampled, 50 each (seed 3)" in text


@pytest.mark.slow
def test_a_page(run, here):
    """The page stands on its own."""
    result = run("evaluate", "takers.py:first", "take-away", "--html", "page.html", "--quiet")
    assert result.exit_code == 0
    assert "<title>first on " in (here / "page.html").read_text()


@pytest.mark.parametrize(
    ("agent", "says"),
    [
        ("takers.py:frst", "takers.py has no agent 'frst'; did you mean first or First?"),
        ("takers.py:First", "First in takers.py is a class; write a line agent = First()"),
        ("takers.py:number", "number in takers.py is not an agent but 5"),
        ("takers.py:wrong", "the agent wrong plays 9 at "),
        ("takers.py:lost", "takers.py:12: KeyError: "),
        ("takers.py", "there is no agent 'takers.py'; write path.py:name"),
        ("none.py:x", "cannot read 'none.py'"),
        ("nowhere:x", "there is no module 'nowhere'"),
    ],
)
def test_what_is_not_an_agent(run, here, agent, says):
    """It is refused with a sentence."""
    result = run("evaluate", agent, "take-away", "--stones", 9)
    assert result.exit_code == 2
    assert says in result.stderr
