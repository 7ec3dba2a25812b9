"""The addresses of the gallery: its page, the forms, and the explorer of each game solved there."""

from __future__ import annotations

import re
from collections.abc import Callable
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from zermelo.errors import ZermeloError
from zermelo.games import zoo
from zermelo.web.error_page import not_found
from zermelo.web.gallery.cards import cards, thumbnail
from zermelo.web.guard import AccessRules, RequestGuard

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

    from zermelo.web.gallery.forms import Forms
    from zermelo.web.gallery.session_pool import SessionPool
    from zermelo.web.session import ExplorerSession

_STATIC = Path(__file__).parents[1] / "static"
#: The paths that change something: they start or stop a solve.
POSTS = (re.compile(r"/api/games/[\w-]+/solve"), re.compile(r"/play/[\w-]+/stop"))


def make_gallery(forms: Forms, hall: SessionPool, host: str, door: AccessRules) -> Starlette:
    """Return the gallery as an ASGI application.

    Args:
        forms: the forms of games.
        hall: the solver of games.
        host: the host where it is served.
        door: the further hosts that are accepted.
    """
    return Starlette(
        routes=[
            Route("/", _page),
            Route("/api/games", _games),
            Route("/api/games/{name}", _AnswerEndpoint(forms.form)),
            Route(
                "/api/games/{name}/picture", _AnswerEndpoint(lambda name: {"svg": thumbnail(name)})
            ),
            Route("/api/games/{name}/look", _preview_endpoint(forms)),
            Route("/api/games/{name}/solve", _solve_endpoint(forms, hall), methods=["POST"]),
            Route("/play/{room}/stop", _stop_endpoint(hall), methods=["POST"]),
            Mount("/play/{room}", _RoomDispatcher(hall)),
            Mount("/static", StaticFiles(directory=_STATIC)),
        ],
        middleware=[
            Middleware(
                RequestGuard, host=host, door=AccessRules(door.hosts, door.root_path, POSTS)
            ),
        ],
        exception_handlers={HTTPException: _problem, ZermeloError: _refused},
    )


def _page(_: Request) -> FileResponse:
    return FileResponse(_STATIC / "gallery" / "gallery.html", media_type="text/html")


def _games(_: Request) -> JSONResponse:
    return JSONResponse(cards())


def _game_name(request: Request) -> str:
    name = request.path_params["name"]
    if name not in zoo():
        raise HTTPException(404, f"there is no game {name[:60]!r}; see api/games")
    return str(name)


class _AnswerEndpoint:
    """Answers a question about a game."""

    def __init__(self, answer: Callable[[str], object]) -> None:
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        from starlette.requests import Request

        name = _game_name(Request(scope))
        response = JSONResponse(await run_in_threadpool(self._answer, name))
        await response(scope, receive, send)


def _preview_endpoint(forms: Forms) -> Callable[[Request], JSONResponse]:
    def preview(request: Request) -> JSONResponse:
        return JSONResponse(forms.preview(_game_name(request), dict(request.query_params)))

    return preview


def _solve_endpoint(forms: Forms, hall: SessionPool) -> Callable[[Request], JSONResponse]:
    def solve(request: Request) -> JSONResponse:
        name = _game_name(request)
        filled = forms.make(name, dict(request.query_params))
        if filled.game is None:
            return JSONResponse({"problems": filled.problems}, 422)
        try:
            room = hall.open(name, filled.game)
        except ZermeloError as error:
            return JSONResponse({"problems": {"": str(error)}}, 422)
        return JSONResponse({"address": f"play/{room}/"})

    return solve


def _stop_endpoint(hall: SessionPool) -> Callable[[Request], JSONResponse]:
    def stop(request: Request) -> JSONResponse:
        hall.stop(request.path_params["room"])
        return JSONResponse({})

    return stop


class _RoomDispatcher:
    """The explorers of the rooms, each created at the first request."""

    def __init__(self, hall: SessionPool) -> None:
        self._hall = hall
        self._apps: dict[int, tuple[ExplorerSession, ASGIApp]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = scope["path_params"]["room"]
        room = self._hall.room(name)
        path = scope["path"].removeprefix(scope["root_path"])
        if room is None:
            # After a restart, a bookmark leads to the form of its game.
            if path not in ("", "/"):
                response: Any = not_found(scope, f"{name} is not solved here any more")
            else:
                game = name.rpartition("-")[0]
                response = RedirectResponse(f"../../?game={game}" if game in zoo() else "../../")
        elif path == "":
            response = RedirectResponse(f"{name}/")
        elif path == "/":
            response = HTMLResponse(_explorer())
        else:
            response = self._app(room)
        await response(scope, receive, send)

    def _app(self, room: ExplorerSession) -> ASGIApp:
        from zermelo.web.application import unguarded_app

        if id(room) not in self._apps:
            self._apps = {key: pair for key, pair in self._apps.items() if self._alive(pair[0])}
            self._apps[id(room)] = (room, unguarded_app(room))
        return self._apps[id(room)][1]

    def _alive(self, room: ExplorerSession) -> bool:
        return any(other_room is room for other_room in self._hall.rooms())


def _explorer() -> str:
    """Return the page of the explorer, with a way back to the gallery."""
    text = (_STATIC / "index.html").read_text(encoding="utf-8")
    back_link = (
        '<link rel="stylesheet" href="../../static/gallery/back.css">\n'
        '  <script type="module" src="../../static/gallery/back.js"></script>\n</head>'
    )
    return text.replace("</head>", back_link, 1)


async def _problem(request: Request, error: Any) -> Response:
    if error.status_code == HTTPStatus.NOT_FOUND:
        return not_found(request.scope, error.detail)
    return JSONResponse({"detail": error.detail}, error.status_code)


async def _refused(_: Request, error: object) -> JSONResponse:
    return JSONResponse({"detail": str(error)}, 422)
