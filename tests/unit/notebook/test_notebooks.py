"""Notebooks in a real browser: one that was run and made a page, and the board that is played on.

It needs ``chromium`` and ``chromedriver``, as the tests of the explorer do. Set
``ZERMELO_SCREENSHOTS`` to a folder to look at what they see.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

import zermelo
from support.browsers import explorer
from support.games.dice_games import Snails
from zermelo.games import TicTacToe

pytestmark = [pytest.mark.slow, pytest.mark.timing]


SETUP = """
import zermelo
from zermelo.games import TicTacToe
from zermelo.analysis import plots
game = TicTacToe()
solution = zermelo.solve(game)
position = game.parse("X../O../...")
"""
CELLS = [
    SETUP.strip(),
    "solution",
    "solution[position]",
    "solution.options(position)",
    "solution.line(position)",
    "solution.explain(position)",
    "solution.counts()",
    "solution.verify()",
    "zermelo.check(game, max_positions=200)",
    "solution.tree(position, depth=3, player='X')",
    "solution.options(position).to_pandas()",
    "plots.plays(solution.analyse())",
    "solution.analyse()",
]

#: A model of anywidget, as far as the board uses it: what it sets is gathered in ``window.sent``.
MODEL = """
const [text, style, state, done] = arguments;
document.body.innerHTML = "<style></style><div id='cell'></div>";
document.querySelector("style").textContent = style;
const heard = new Map();
window.state = state;
window.sent = [];
window.model = {
  get: (name) => window.state[name],
  set: (name, value) => { window.state[name] = value; window.sent.push([name, value]); },
  save_changes: () => {},
  on: (name, act) => heard.set(name, act),
  off: (name) => heard.delete(name),
};
window.tell = (name, value) => { window.state[name] = value; heard.get(`change:${name}`)?.(); };
import(URL.createObjectURL(new Blob([text], { type: "text/javascript" }))).then(
  ({ default: widget }) => {
    widget.render({ model, el: document.querySelector("#cell") });
    done("");
  },
  (error) => done(String(error)),
);
"""


@pytest.fixture(scope="module")
def browser():
    """A browser, with what it writes on its console."""
    with explorer.browser() as opened:
        yield opened


def seen(browser, name):
    """Keep a screenshot, where somebody wants to look at it."""
    if folder := os.environ.get("ZERMELO_SCREENSHOTS"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        browser.save_screenshot(str(Path(folder) / f"{name}.png"))


def wide(browser):
    """Return how many pixels the page is wider than the window."""
    return browser.execute_script(
        "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """A notebook that was run, as a page."""
    # Imported here, as each process that collects tests imports this module.
    import nbformat
    from nbclient import NotebookClient
    from nbconvert import HTMLExporter

    notebook = nbformat.v4.new_notebook()
    notebook.cells = [nbformat.v4.new_code_cell(cell) for cell in CELLS]
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    page, _ = HTMLExporter(theme="light").from_notebook_node(notebook)
    dark, _ = HTMLExporter(theme="dark").from_notebook_node(notebook)
    folder = tmp_path_factory.mktemp("notebook")
    (folder / "light.html").write_text(page, encoding="utf-8")
    (folder / "dark.html").write_text(dark, encoding="utf-8")
    return folder, notebook


def test_every_cell_shows_a_form(executed):
    """HTML in each output, and text beside it for where there is none."""
    _, notebook = executed
    for cell in notebook.cells[1:]:
        (output,) = cell.outputs
        assert output.output_type == "execute_result"
        assert "text/html" in output.data
        assert len(output.data["text/plain"]) < 2000


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_notebook_that_was_run_is_a_page(browser, executed, theme):
    """Boards, bars and plots are there, nothing is too wide, and letters can be read."""
    folder, _ = executed
    browser.set_window_size(1000, 6000)
    browser.get((folder / f"{theme}.html").as_uri())
    browser.implicitly_wait(5)
    browser.wait(lambda: len(browser.find_elements(By.CSS_SELECTOR, ".zermelo")) == 9)
    forms = browser.find_elements(By.CSS_SELECTOR, ".zermelo")
    assert all(form.is_displayed() and form.size["height"] > 15 for form in forms)
    assert len(browser.find_elements(By.CSS_SELECTOR, ".zermelo-strip svg")) == 6
    assert len(browser.find_elements(By.CSS_SELECTOR, ".zermelo-report svg")) == 4 + 1 + 8
    lead = browser.find_element(By.CSS_SELECTOR, ".zermelo-lead")
    red = int(lead.value_of_css_property("color").partition("(")[2].split(",")[0])
    assert red < 100 if theme == "light" else red > 150
    assert wide(browser) <= 0
    seen(browser, f"notebook-{theme}")


class Playing:
    """A board in the browser and its Python side, with the test between them as Jupyter is."""

    def __init__(self, browser, board):
        self.browser, self.board = browser, board
        names = ("_start", "_answers", "_rolls", "_document", "_problem")
        names += ("skill", "show_values", "moves")
        state = {name: getattr(board, name) for name in names}
        browser.set_window_size(1000, 800)
        browser.get("data:text/html,<!doctype html><title>board</title><body>")
        browser.get_log("browser")  # of pages before this one
        assert browser.execute_async_script(MODEL, board._esm, board._css, state) == ""

    def all(self, css):
        return self.browser.find_elements(By.CSS_SELECTOR, css)

    def exchange(self):
        """Give Python what the board has set, and the board what that made of it."""
        for name, value in self.browser.execute_script("return window.sent.splice(0)"):
            setattr(self.board, name, value)
        for name in ("moves", "show_values", "_problem", "_document"):
            value = getattr(self.board, name)
            self.browser.execute_script("window.tell(...arguments)", name, value)

    def click(self, css, number=0):
        self.browser.wait(lambda: len(self.all(css)) > number)
        self.all(css)[number].click()
        self.exchange()

    def state(self):
        return " ".join(self.all(".state")[0].text.split())

    def history(self):
        return [each.text.split("\n")[-1] for each in self.all(".history button")]


def test_a_match_on_the_board(browser):
    """Moves by click and by the list, steps back and forth, a mistake, and an opponent."""
    solution = zermelo.solve(TicTacToe())
    playing = Playing(browser, zermelo.board(solution))
    assert "X" in playing.all(".state")[0].text
    assert len(playing.all(".moves li")) == 9
    playing.click('[data-move="b2"]')
    assert playing.board.moves == ["b2"]
    playing.click('.moves [data-key="b3"]')
    assert playing.board.moves == ["b2", "b3"]
    assert playing.history()[0] == "b2"
    assert playing.all(".mistake")
    seen(browser, "board")
    playing.click('[aria-label="Back"]')
    assert playing.board.moves == ["b2"]
    assert len(playing.history()) == 2
    playing.click('[aria-label="To the end"]')
    assert playing.board.moves == ["b2", "b3"]
    playing.board.play("a1")
    playing.exchange()
    assert len(playing.all(".history li")) == 3
    playing.click(".check input")
    assert playing.board.show_values is False
    assert not any(mark.is_displayed() for mark in playing.all(".overlay .mark"))
    playing.click('[aria-label="To the beginning"]')
    assert playing.board.moves == []
    console = [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    assert console == []


def test_an_opponent_on_a_phone(browser):
    """It answers, a step back takes both moves, and nothing is clipped at 360 pixels."""
    playing = Playing(browser, zermelo.board(zermelo.solve(TicTacToe()), skill=100))
    browser.set_window_size(500, 900)  # as narrow as a window gets
    browser.execute_script("document.querySelector('#cell').style.width = '340px'")
    playing.click('[data-move="b2"]')
    assert len(playing.board.moves) == 2
    board = playing.all(".zermelo-board")[0]
    assert board.size["width"] <= 340
    assert browser.execute_script("return arguments[0].scrollWidth", board) <= 340
    seen(browser, "board-phone")
    playing.click('[aria-label="Back"]')
    assert playing.board.moves == []


def test_dice_on_the_board(browser):
    """They are rolled by a button, or a result is chosen; and steps go through rolls."""
    playing = Playing(browser, zermelo.board(zermelo.solve(Snails(5))))
    assert "first to roll" in playing.state()
    assert [tile.text.split("\n") for tile in playing.all(".tile")] == [
        ["1", "2/4"],
        ["2", "1/4"],
        ["3", "1/4"],
    ]
    playing.click(".tile", 2)
    assert playing.board.moves == ["3 (1/4)"]
    assert playing.state().startswith("first rolled 3 (1/4).")
    assert not playing.all(".chance")[0].is_displayed()
    playing.click('.moves [data-key="crawl"]')
    playing.click('[aria-label="Roll"]')
    assert len(playing.board.moves) == 3
    assert len(playing.all(".history .die")) == 2
    seen(browser, "board-dice")
    playing.click('[aria-label="Back"]')
    playing.click('[aria-label="Forward"]')
    assert len(playing.board.moves) == 3
    console = [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    assert console == []


def test_an_opponent_with_dice(browser):
    """It rolls for itself, and what it did is told."""
    playing = Playing(browser, zermelo.board(zermelo.solve(Snails(8)), skill=100))
    playing.click('[aria-label="Roll"]')
    assert len(playing.board.moves) == 1
    playing.click(".moves li button")
    assert len(playing.board.moves) == 4
    assert "second rolled" in playing.state()
    assert "first to roll" in playing.state()
    playing.click('[aria-label="Back"]')
    assert len(playing.board.moves) == 1
