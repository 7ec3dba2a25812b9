"""The explorer: a solved game as a web page, and as JSON under documented addresses.

It needs the extra ``web`` (``pip install 'zermelo[web]'``). ``zermelo explore`` serves it; ``app``
makes an ASGI application of a solution, for a server of your own or for tests.
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import TYPE_CHECKING

from zermelo.errors import ParameterError

if TYPE_CHECKING:
    from fastapi import FastAPI

    from zermelo.solution.solution import Solution

__all__ = ["app", "missing"]

#: The packages of the extra, each imported when it is first needed.
_NEEDED = ("fastapi", "uvicorn")


def missing() -> str | None:
    """Return a sentence on the packages to install before anything can be served, or None."""
    absent = [name for name in _NEEDED if find_spec(name) is None]
    if not absent:
        return None
    return f"the explorer needs {' and '.join(absent)}; run pip install 'zermelo[web]'"


def app(solution: Solution, *, host: str = "127.0.0.1", name: str | None = None) -> FastAPI:
    """Return the explorer of a solved game as an ASGI application.

    Args:
        solution: the solved game.
        host: the host where it will be served. Requests sent to another host are refused, so that
            no page on the web can read what is served on this machine.
        name: the name of the game; by default as on the command line, such as ``connect-four``.

    Raises:
        ParameterError: the extra ``web`` is not installed.
    """
    sentence = missing()
    if sentence is not None:
        raise ParameterError(sentence)
    from zermelo.web.application import make_app
    from zermelo.web.session import ExplorerSession

    hyphenated = re.sub(r"(?<=.)(?=[A-Z])", "-", solution.rules.name).lower()
    room = ExplorerSession(name or hyphenated)
    room.show(solution)
    return make_app(room, host)
