"""``zermelo games``: lists the built-in games, finds one, and shows its published facts."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import click

from zermelo.cli.arguments.parameters import first_sentence, option_name, parameters_of
from zermelo.cli.errors import Stop, did_you_mean
from zermelo.cli.group import Example
from zermelo.cli.options import output_options
from zermelo.cli.output import Output, write
from zermelo.cli.text.facts import fact_document, write_published
from zermelo.game.parameters import as_json
from zermelo.games.aliases import ALIASES, find_games, other_names, similar_names

if TYPE_CHECKING:
    from zermelo.game.contract import Game
    from zermelo.games import Zoo


@click.command(
    cls=Example,
    examples=["zermelo games", "zermelo games leetcode", "zermelo games tic-tac-toe --facts"],
)
@click.argument("words", metavar="[WORD]...", nargs=-1)
@click.option("--facts", is_flag=True, help="Show what others have published about each game.")
@output_options("Write only the names, one per line.")
def games(*, words: tuple[str, ...], facts: bool, output: Output) -> None:
    """List the built-in games with their parameters, by kind.

    WORD is the name of a game, or words to look for in the names, kinds and descriptions. Other
    names and LeetCode's numbers are names, too.
    """
    from zermelo.games import zoo

    catalogue, query = zoo(), " ".join(words)
    exact_name = ALIASES.get(query, query).partition(" ")[0]
    names = [exact_name] if exact_name in catalogue else find_games(query)
    if not names:
        hint = did_you_mean(similar_names(query)) or "; zermelo games lists all"
        message = f"no game has {query!r} in its name, kind or description{hint}"
        raise Stop(message)
    names.sort(key=lambda name: (catalogue.kind(name), name))
    document = [
        game_document(name, catalogue[name], catalogue.kind(name), facts=facts) for name in names
    ]
    text = _write_facts if facts else _write_games
    output.write(document, lambda: text(catalogue, names), "\n".join(names))


def game_document(name: str, game: type[Game], kind: str, *, facts: bool) -> dict[str, Any]:
    """Return the facts of a game as a JSON document."""
    parameters = [
        {
            "name": parameter.name,
            "option": option_name(parameter.name),
            "type": "boolean" if parameter.sort == "flag" else parameter.sort,
            "required": parameter.required,
            "default": None if parameter.required else as_json(parameter.default),
            "help": parameter.says,
        }
        for parameter in parameters_of(game)
    ]
    document: dict[str, Any] = {"name": name, "kind": kind, "description": first_sentence(game)}
    document["other_names"] = other_names(name)
    document["parameters"] = parameters
    if facts:
        document["facts"] = [fact_document(fact) for fact in game.facts]
    return document


def _write_games(zoo: Zoo, names: list[str]) -> None:
    from rich.table import Table
    from rich.text import Text

    longest = max(map(len, names))
    for kind, members in groupby(names, zoo.kind):
        table = Table(box=None, pad_edge=False, padding=(0, 2, 1, 0), show_header=False)
        table.add_column(no_wrap=True, width=longest)
        table.add_column()
        for name in members:
            text = Text(first_sentence(zoo[name]))
            if aliases := other_names(name):
                text.append(f"\nalso {', '.join(aliases)}", "dim")
            for parameter in parameters_of(zoo[name]):
                words = filter(
                    None, [option_name(parameter.name), parameter.metavar, parameter.default_text]
                )
                text.append("\n" + " ".join(words), "dim")
            table.add_row(Text(name, "bold"), text)
        write(Text(f"{kind}\n", style="bold underline"), table, Text(""))
    write(Text("Defaults are in […]. See zermelo solve GAME --help for more."))


def _write_facts(zoo: Zoo, names: list[str]) -> None:
    from rich.text import Text

    for place, name in enumerate(names):
        title = Text(("\n" if place else "") + name, style="bold")
        write(title)
        if zoo[name].facts:
            write_published([(fact, "") for fact in zoo[name].facts])
        else:
            write(Text("nothing published that we know of"))
