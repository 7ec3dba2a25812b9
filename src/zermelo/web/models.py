"""The JSON of the explorer: what each document holds. The OpenAPI description is made of this."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field


class ProblemDocument(BaseModel):
    """What is wrong with a request."""

    detail: str = Field(description="One sentence.")


class ValueDocument(BaseModel):
    """A value for the player to move, or of a move for the player who makes it."""

    outcome: Literal["win", "draw", "loss"] | None = Field(
        description="Null only along a proof, where it is not known."
    )
    remoteness: int | None = Field(description="Plies to the end; null where there is none.")
    score: int | None = Field(description="In a score game, the margin from here on.")
    nimber: int | None = Field(description="Where nimbers were asked for, the nimber.")
    infinity: list[int] | None = Field(
        default=None,
        description="Where nimbers were asked for and a position is worth none, as play need not "
        "end: the nimbers that its moves lead to.",
    )
    text: str = Field(description="The same in words, such as `win in 7`.")


class MoveDocument(BaseModel):
    """A move with what it is worth to the player who makes it."""

    name: str = Field(description="What the game calls it.")
    key: str = Field(description="What to write for it in an address: its name, if that is enough.")
    move: Any = Field(description="The move as the game has it.")
    position: str = Field(description="The code of the position after it.")
    value: ValueDocument = Field(description="Remoteness is counted from before the move.")


class PositionDocument(BaseModel):
    """A position with its value and every move in it."""

    position: str = Field(description="Its code: its numbers in their order.")
    fields: Any = Field(description="The position as the game has it.")
    mover: Literal[0, 1] | None = Field(
        description="Whose turn it is; null where the position does not say."
    )
    text: str = Field(description="As the game shows it.")
    svg: str = Field(description="A picture; `data-move` says where moves are made.")
    over: bool = Field(description="Whether no move is left.")
    value: ValueDocument
    moves: list[MoveDocument] = Field(description="Best first.")
    more: int = Field(description="Moves left out, as there are too many.")


class BranchDocument(MoveDocument):
    """A move with the replies to it."""

    again: bool = Field(description="Whether the player who makes it moves again.")
    replies: list[MoveDocument] = Field(description="Best first, for the player who replies.")
    more: int = Field(description="Replies left out, as there are too many.")


class TreeDocument(BaseModel):
    """What there is to do in a position, two plies deep."""

    position: str
    moves: list[BranchDocument]
    more: int = Field(description="Moves left out, as there are too many.")


class LineDocument(BaseModel):
    """A line of perfect play."""

    position: str
    moves: list[str] = Field(description="Their names.")
    keys: list[str] = Field(description="What to write for them in an address.")
    positions: list[str] = Field(description="The code of the position after each move.")
    ends: Literal["terminal", "repeats", "cut", "unknown"]


class ExplanationDocument(BaseModel):
    """Why a position is worth what it is."""

    position: str
    sentences: list[str]


class StandingDocument(BaseModel):
    """Who is ahead after some number of plies."""

    ply: int
    position: str
    favours: Literal[0, 1] | None = Field(description="The player who wins, or null for a draw.")
    remoteness: int | None
    margin: int | None = Field(
        description="In a score game, by how much player 0 comes out ahead in the end, with the "
        "points of this match so far."
    )
    text: str


class PlayedDocument(BaseModel):
    """One move of a match."""

    ply: int
    player: Literal[0, 1]
    name: str
    key: str
    position: str = Field(description="The code of the position it was made in.")
    lost: Literal["outcome", "points", "plies"] | None
    mistake: str = Field(
        description="What the move did, such as `turned a win in 5 into a draw`; empty for a best "
        "one."
    )
    best: list[str] = Field(description="The names of the best moves.")


class MatchDocument(BaseModel):
    """A match: a position to begin in and the moves made from there."""

    start: str
    mover: Literal[0, 1] = Field(description="Whose turn it is at the beginning.")
    mover_known: bool = Field(
        description="Whether that follows from the position or was said; if not, it was assumed."
    )
    players: tuple[str, str]
    plies: list[PlayedDocument]
    course: list[StandingDocument] = Field(description="One more than moves.")
    player: Literal[0, 1] = Field(description="Whose turn it is.")
    points: tuple[int, int] | None = Field(
        description="In a score game, the points of each player in this match so far."
    )
    over: bool
    winner: str | None
    prospects: str = Field(description="What perfect play leads to from here.")
    position: PositionDocument


class PlaceDocument(BaseModel):
    """A position to go to."""

    position: str = Field(description="Its code.")
    mover: Literal[0, 1] = Field(description="Whose turn it is there.")


class PuzzleDocument(PlaceDocument):
    """A position in which one move only is right."""

    goal: Literal["win", "draw", "points"] = Field(description="What that move keeps.")


class GameDocument(BaseModel):
    """The game that was solved."""

    game: str
    title: str = Field(description="What it is called, with its size: `Connect Four 5×4`.")
    about: str
    instructions: list[str] = Field(description="The rules in words, a paragraph each.")
    parameters: dict[str, Any]
    players: tuple[str, str]
    called: tuple[str, str] = Field(
        description="The players as a sentence has them, such as `the mouse`."
    )
    words: dict[str, str] = Field(description="What positions of an outcome are called.")
    by: str = Field(description="What a number beside an outcome counts: plies, or points.")
    alternate: bool = Field(description="Whether positions do not say whose turn it is.")
    start: str = Field(description="The code of the start.")
    value: ValueDocument
    winner: str | None
    positions: int = Field(description="As many as are stored; equivalent ones may count as one.")
    method: str
    choice: str
    seconds: float


class NumberDocument(BaseModel):
    """How many positions have a value."""

    outcome: Literal["win", "draw", "loss"]
    at: int | None = Field(description="Where it stands on a chart; null where it has no place.")
    positions: int


class StatisticsDocument(BaseModel):
    """How many positions there are of each value."""

    positions: int
    win: int
    draw: int
    loss: int
    tie: int
    endless: int
    title: str = Field(description="What a chart of the values is called.")
    by_value: list[NumberDocument] = Field(description="Best first.")
    more: int = Field(description="Values left out, as there are too many.")


class StatusDocument(BaseModel):
    """Whether the game can be asked about yet."""

    state: Literal["solving", "ready", "failed"]
    game: str
    title: str
    phase: str | None = Field(description="What is being done.")
    done: int
    total: int | None
    seconds: float = Field(description="Since the phase began.")
    problem: str | None = Field(description="Why it failed.")
