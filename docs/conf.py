"""How Sphinx builds these pages: ``sphinx-build -n -W docs docs/_build/html``."""

from __future__ import annotations

import sys
from importlib.metadata import version as version_of
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

project = "Zermelo"
author = "The Zermelo developers"
project_copyright = "2026, The Zermelo developers"
release = version_of("zermelo")
version = release

# A session ends with an empty line, which its test needs and a reader does not.
highlight_options = {"pycon": {"stripnl": True}}

# Quotes and ellipses, but no dashes: --width is an option.
smartquotes_action = "qe"

extensions = [
    "board",
    "gallery",
    "myst_parser",
    "picture",
    "shown",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_click",
    "sphinx_design",
]
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = f"Zermelo {release}"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_favicon = "../src/zermelo/web/static/icon.svg"

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_default_options = {"members": True, "member-order": "bysource", "show-inheritance": True}
autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
napoleon_use_ivar = True  # an attribute is described once, where the class is

# A type variable says that what comes in is what goes out, and Listener is short for a callable:
# neither is a name to look up.
nitpick_ignore = [
    ("py:class", "Convention"),  # the four texts of ``parity=``
    ("py:class", "zermelo.game.contract.Row"),
    ("py:class", "Figure"),  # matplotlib's
    ("py:class", "fractions.Fraction"),  # Python's
    ("py:class", "Listener"),
    ("py:class", "ChessEnding"),  # with Men, of a page of its own among the games
    ("py:class", "Men"),
    ("py:class", "EndingMove"),
    ("py:class", "FastAPI"),
    ("py:class", "Path"),
    ("py:class", "zermelo.heaps.periods.Coded"),
    ("py:class", "zermelo.analysis.notebook.Item"),  # a game, or a number for a parameter
    ("py:class", "zermelo.solution.display.SolutionDisplay"),  # the forms that a Solution has
    ("py:class", "Answering"),  # a Solution, as those below it know it
    ("py:class", "zermelo.values.kind.Kind"),
    ("py:class", "zermelo.values.proof_values.Proved"),
    ("py:class", "zermelo.adapters.imported_game._ExploredGame"),  # the graph of an imported game
    ("py:class", "zermelo.adapters.finding.states.StateSource"),  # the library, as Zermelo asks it
    ("py:class", "CompiledRules"),  # the rules, as the engine has them
    ("py:class", "zermelo.game.spaces.Descriptor"),  # what the descriptors have in common
    ("py:class", "zermelo.agents.temperature_agents._TemperatureAgent"),  # likewise of both agents
]

# The strict build reaches no other project's pages, so it cannot link to what they define.
nitpick_ignore_regex = [
    (r"py:.*", r"(abc|chess|click|collections|dataclasses|enum|networkx|random)\..*"),
    (r"py:.*", r"(np|npt|numpy|os|pathlib|typing)\..*"),
]
