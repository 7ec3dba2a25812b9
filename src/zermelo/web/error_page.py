"""The answer for an address that does not exist: a page for readers, JSON for programs."""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse, JSONResponse

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import Scope

_PAGE = Path(__file__).with_name("static") / "missing.html"
_LONGEST = 80


def not_found(scope: Scope, sentence: str) -> Response:
    """Return the answer of status 404.

    Args:
        scope: the request. A path with ``/api/`` in it comes from a program.
        sentence: the message for a program.
    """
    outer = scope.get("app_root_path", scope.get("root_path", ""))
    path = scope["path"].removeprefix(outer) or "/"
    if "/api/" in f"{path}/":
        return JSONResponse({"detail": sentence}, 404)
    # Relative, as a proxy may show the server below a path that the server does not know.
    root = "../" * (path.count("/") - 1) or "./"
    short_path = path if len(path) <= _LONGEST else f"{path[: _LONGEST - 1]}…"
    text = _PAGE.read_text(encoding="utf-8").replace("{root}", root)
    return HTMLResponse(text.replace("{path}", escape(short_path)), 404)
