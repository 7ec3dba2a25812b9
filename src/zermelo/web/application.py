"""The addresses of the explorer, and their answers."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any

import fastapi
from fastapi import APIRouter, FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from zermelo.errors import MoveError, PositionError
from zermelo.web import models
from zermelo.web.error_page import not_found
from zermelo.web.guard import PRIVATE, AccessRules, RequestGuard
from zermelo.web.position_codes import LONGEST, PATTERN
from zermelo.web.session import ExplorerSession, NotReadyError

#: The most moves of a match in an address, and characters of a move and of a position as text.
MOST_PLIES, LONGEST_KEY, LONGEST_TEXT = 1000, 500, 4000

_STATIC = Path(__file__).with_name("static")
_DESCRIPTION = """
What a solved game answers. Values are for the player to move, and those of a move for the player
who makes it; remoteness counts plies to the end, the winner hurrying and the loser delaying.

Where chance decides, its results are listed in place of moves, with their odds, and their values
are for the player whose turn it is. Values are then expectations, each between two bounds.

A position is written as its code: its numbers in their order, with commas between them. `/api/read`
turns text into a position, and so into a code.
"""
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    403: {
        "model": models.ProblemDocument,
        "description": "The request is for, or from, another site",
    },
    404: {
        "model": models.ProblemDocument,
        "description": "There is no such position, or no such move",
    },
    405: {"model": models.ProblemDocument, "description": "The method is not GET"},
    413: {"model": models.ProblemDocument, "description": "The request has a body"},
    414: {"model": models.ProblemDocument, "description": "The address is too long"},
    422: {"model": models.ProblemDocument, "description": "The request is not as described here"},
    500: {"model": models.ProblemDocument, "description": "The rules of the game failed"},
    503: {"model": models.ProblemDocument, "description": "The game is not solved yet"},
}

Code = Annotated[
    str,
    fastapi.Path(pattern=PATTERN, max_length=LONGEST, description="The position's code."),
]
Seed = Annotated[int, Query(ge=0, lt=1 << 53, description="Other seeds make other choices.")]
Key = Annotated[str, fastapi.Query(max_length=LONGEST_KEY)]


def make_app(room: ExplorerSession, host: str, door: AccessRules = PRIVATE) -> FastAPI:
    """Return the application that explores the game of a room.

    Args:
        room: the room.
        host: the host where it is served; requests sent to another host are refused.
        door: the further hosts, paths and methods that are accepted.
    """
    app = unguarded_app(room)
    app.add_middleware(RequestGuard, host=host, door=door)
    return app


def unguarded_app(room: ExplorerSession) -> FastAPI:
    """Return the same application without its guard, for use in an application that has one."""
    app = FastAPI(
        title=f"Zermelo: {room.title or room.name}",
        description=_DESCRIPTION,
        version="1",
        openapi_url="/api/openapi.json",
        docs_url=None,  # those pages are loaded from elsewhere
        redoc_url=None,
        redirect_slashes=False,
    )
    _add_pages(app)
    _add_questions(app, room)
    _add_problems(app)
    return app


def _add_pages(app: FastAPI) -> None:
    @app.get("/", include_in_schema=False)
    def page() -> FileResponse:
        return FileResponse(_STATIC / "index.html", media_type="text/html")

    app.mount("/static", StaticFiles(directory=_STATIC))


def _add_questions(app: FastAPI, room: ExplorerSession) -> None:
    api = APIRouter(prefix="/api", responses=_PROBLEMS)

    @api.get("/status")
    def status() -> models.StatusDocument:
        """Return whether questions about the game can be answered yet."""
        return room.status()

    @api.get("/game")
    def game() -> models.GameDocument:
        """Return a description of the game, with the value of its start."""
        return room.game()

    @api.get("/statistics")
    def statistics() -> models.StatisticsDocument:
        """Count the positions of each value, which may take long in a large game."""
        return room.statistics()

    @api.get("/position/{position}/settled")
    def settled(position: Code) -> models.PositionDocument:
        """Return a position after a search of some seconds, if a proof does not give its value."""
        return room.settle(position)

    _add_positions(api, room)
    _add_choices(api, room)

    @api.get("/{path:path}", include_in_schema=False)
    def unknown_path(path: str) -> None:
        raise HTTPException(404, f"there is no /api/{path[:60]}; see /api/openapi.json")

    app.include_router(api)


def _add_positions(api: APIRouter, room: ExplorerSession) -> None:
    @api.get("/read")
    def read(
        text: Annotated[str, Query(max_length=LONGEST_TEXT, description="The position.")],
    ) -> models.PositionDocument:
        """Return the position of a text, in the game's notation, in numbers or as JSON."""
        return room.read(text)

    @api.get("/position/{position}")
    def position(position: Code) -> models.PositionDocument:
        """Return a position with its value and every move, best first, or result of chance."""
        return room.position(position)

    @api.get("/position/{position}/tree")
    def tree(position: Code) -> models.TreeDocument:
        """Return the moves in a position, each with the replies to it."""
        return room.tree(position)

    @api.get("/position/{position}/line")
    def line(position: Code) -> models.LineDocument:
        """Return a line of perfect play from a position."""
        return room.line(position)

    @api.get("/position/{position}/explanation")
    def explanation(position: Code) -> models.ExplanationDocument:
        """Return sentences that explain the value of a position."""
        return room.explain(position)

    @api.get("/random")
    def random_position(seed: Seed = 0) -> models.PlaceDocument:
        """Return a random position that is not terminal."""
        return room.random(seed)

    @api.get("/puzzle")
    def puzzle(seed: Seed = 0) -> models.PuzzleDocument | None:
        """Return a position with only one right move; null if none is found in a second."""
        return room.puzzle(seed)

    @api.get("/match")
    def match(
        start: Annotated[
            str | None,
            Query(alias="from", pattern=PATTERN, max_length=LONGEST, description="A code."),
        ] = None,
        move: Annotated[
            list[Key] | None, Query(max_length=MOST_PLIES, description="The moves, by their keys.")
        ] = None,
        mover: Annotated[
            int | None,
            Query(
                ge=0,
                le=1,
                description="The player who begins, if positions do not show it; by default the "
                "one that follows from the position, or else the first player.",
            ),
        ] = None,
    ) -> models.MatchDocument:
        """Return a match: who was ahead after each move, and what each mistake lost."""
        return room.match(start, move or [], mover)


def _add_choices(api: APIRouter, room: ExplorerSession) -> None:
    @api.get("/position/{position}/answer")
    def answer(
        position: Code,
        skill: Annotated[
            int,
            Query(ge=0, le=100, description="How many of 100 moves are best; others are random."),
        ] = 100,
        seed: Seed = 0,
    ) -> models.MoveDocument | None:
        """Return the move of an opponent of some skill; null if the game is over.

        It is null, too, if chance decides.
        """
        return room.answer(position, skill, seed)

    @api.get("/position/{position}/roll")
    def roll(position: Code, seed: Seed = 0) -> models.MoveDocument | None:
        """Return a result of chance at random; null if chance does not decide."""
        return room.roll(position, seed)


def _add_problems(app: FastAPI) -> None:
    def problem(status: int, sentence: str, **headers: str) -> JSONResponse:
        return JSONResponse({"detail": sentence}, status, headers=headers)

    @app.exception_handler(PositionError)
    @app.exception_handler(MoveError)
    def unknown_position(_: object, error: Exception) -> JSONResponse:
        return problem(404, str(error))

    @app.exception_handler(NotReadyError)
    def solve_pending(_: object, error: Exception) -> JSONResponse:
        return problem(503, str(error), **{"retry-after": "1"})

    @app.exception_handler(RequestValidationError)
    def invalid_request(_: object, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        parameter = ".".join(str(part) for part in first["loc"][1:])
        reason = first["msg"].lower()
        return problem(422, f"{parameter} cannot be used: {reason}; see /api/openapi.json")

    @app.exception_handler(HTTPException)
    def http_error(request: Request, error: HTTPException) -> Response:
        if error.status_code == HTTPStatus.NOT_FOUND:
            return not_found(request.scope, str(error.detail))
        return problem(error.status_code, str(error.detail), **dict(error.headers or {}))

    @app.exception_handler(Exception)
    def internal_error(_: object, error: Exception) -> JSONResponse:
        return problem(500, f"the rules of the game raised {type(error).__name__}: {error}")
