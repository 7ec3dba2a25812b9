"""Reading lines that people type: with completion at a terminal, and from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click


class Lines:
    """Lines of standard input, one by one."""

    def __init__(self, words: Callable[[], list[str]]) -> None:
        """Read with completion where there is a terminal.

        Args:
            words: gives what a line may begin with at the moment.
        """
        self._words = words
        self._terminal = sys.stdin.isatty() and sys.stdout.isatty()
        if self._terminal:
            self._complete()

    def read(self, prompt: str, to_error: bool) -> str | None:  # noqa: FBT001  # one caller
        """Return the next line without the spaces around it, or None where there is no more.

        Args:
            prompt: stands before what is typed.
            to_error: whether the prompt goes to standard error.
        """
        if self._terminal and not to_error:
            try:
                return input(prompt).strip()
            except EOFError:
                click.echo()
                return None
        click.echo(prompt, nl=False, err=to_error)
        line = sys.stdin.readline()
        if not sys.stdin.isatty():
            click.echo(line.rstrip("\n"), err=to_error)  # what a terminal would show
        elif not line:
            click.echo(err=to_error)
        return line.strip() if line else None

    def _complete(self) -> None:
        try:
            import readline
        except ImportError:  # Windows has none
            return
        reading: Any = readline
        reading.set_completer_delims("\n")
        editline = "libedit" in (reading.__doc__ or "")
        reading.parse_and_bind("bind ^I rl_complete" if editline else "tab: complete")

        def complete(text: str, state: int) -> str | None:
            wanted = text.casefold()
            found = [word for word in self._words() if word.casefold().startswith(wanted)]
            return found[state] if state < len(found) else None

        reading.set_completer(complete)
