"""Notebooks in a real browser: one that was run, and made a page.

It needs ``chromium`` and ``chromedriver``, as the tests of the explorer do. Set
``ZERMELO_SCREENSHOTS`` to a folder to look at what they see.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from selenium import webdriver
from selenium.webdriver.common.by import By

pytestmark = pytest.mark.slow

FLAGS = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage")

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
    "zermelo.check(game)",
    "solution.tree(position, depth=3, for_player='X')",
    "solution.options(position).to_pandas()",
    "plots.plays(solution.analyse())",
    "solution.analyse()",
]


@pytest.fixture(scope="module")
def browser():
    """A browser, with what it writes on its console."""
    options = webdriver.ChromeOptions()
    for flag in (*FLAGS, "--window-size=1000,1200"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    assert chromium, "apt-get install chromium"
    assert driver, "apt-get install chromium-driver"
    options.binary_location = chromium
    made = webdriver.Chrome(options, webdriver.ChromeService(driver))
    yield made
    made.quit()


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
    forms = browser.find_elements(By.CSS_SELECTOR, ".zermelo")
    assert len(forms) == 9
    assert all(form.is_displayed() and form.size["height"] > 15 for form in forms)
    assert len(browser.find_elements(By.CSS_SELECTOR, ".zermelo-strip svg")) == 6
    assert len(browser.find_elements(By.CSS_SELECTOR, ".zermelo-report svg")) == 4
    lead = browser.find_element(By.CSS_SELECTOR, ".zermelo-lead")
    red = int(lead.value_of_css_property("color").partition("(")[2].split(",")[0])
    assert red < 100 if theme == "light" else red > 150
    assert wide(browser) <= 0
    seen(browser, f"notebook-{theme}")
