"""The end of a command: one sentence on standard error and an exit code, also after Ctrl-C."""

from __future__ import annotations

import errno
import os
import re
import shlex
import signal
import sys
import sysconfig
import threading
import time
import traceback
import warnings
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from zermelo._engine.file.destination import resume_hint
from zermelo.cli.shell_terms import in_shell_terms
from zermelo.errors import BudgetError, RulesWarning, ZermeloError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NO, MISTAKE, TOO_BIG, INTERRUPTED = 1, 2, 3, 130

#: The keys of the context for the game that GAME names, and for the author's file, which is stored
#: before the game, as importing the file may fail.
CHOSEN = "zermelo.cli.chosen"
AUTHORS_FILE = "zermelo.cli.authors_file"

#: The prefix of a position that begins with - while click reads the command line.
SHIELD = "\0"

#: The key of the context for the options that stand for the parameters of that game.
OPTIONS = "zermelo.cli.options"

#: The least similarity of two names of options for a suggestion; and the most options of a game
#: that are listed if none is similar.
_MIN_SIMILARITY, _MAX_LISTED_OPTIONS = 0.7, 6

#: Set as soon as Ctrl-C is pressed, even if the exception that Python raises is lost.
pressed = threading.Event()

#: Seconds in which the watching thread sets ``pressed``.
_NOTICED = 0.2

#: Set once the message of an interrupt is written; the lock is held while it is being written.
told_interrupted = threading.Event()
_telling = threading.RLock()

#: The errors of the system if a file cannot be written or opened.
_REFUSALS = {
    errno.EACCES,
    errno.EDQUOT,
    errno.EFBIG,
    errno.EIO,
    errno.EMFILE,
    errno.ENAMETOOLONG,
    errno.ENFILE,
    errno.ENOSPC,
    errno.EPERM,
    errno.EROFS,
}

#: The messages of the loader if there is no memory for a library.
_NO_PAGES = re.compile("failed to map segment|cannot allocate memory", re.IGNORECASE)

#: The library's sentence on a solution without a start; and commands that have a position.
_NO_START = "there is no start; give a position"
_POSITION_OF = {"play": "with --from", "probe": "after the table"}

_PACKAGE = Path(__file__).parents[1]


class Stop(click.ClickException):
    """Ends the command.

    Attributes:
        exit_code: one of MISTAKE, TOO_BIG and INTERRUPTED.
    """

    def __init__(self, sentence: str, exit_code: int = MISTAKE) -> None:
        """Store the sentence, joined to one line."""
        super().__init__(" ".join(line.strip() for line in sentence.splitlines()))
        self.exit_code = exit_code  # type: ignore[misc]  # click declares it for the class

    def show(self, file: IO[Any] | None = None) -> None:
        """Write the sentence to standard error."""
        if self.exit_code == INTERRUPTED:
            with _telling:
                click.echo(self.message, file=file, err=file is None)
                told_interrupted.set()
        else:
            label = click.style("error: ", fg="red", bold=True)
            click.echo(label + self.message, file=file, err=file is None)


#: Set while a command may write a partial result after Ctrl-C, which may take some seconds.
patient = threading.Event()

#: The path of the table that is being written, as on the command line.
under_way: list[str] = []

#: Functions that save the partial result of an interrupted command, and return a sentence on it.
rescues: list[Callable[[], str | None]] = []


def interruption() -> Stop:
    """Return the end of a command after Ctrl-C, with sentences on the saved table or match."""
    sentences = [sentence for table in under_way if (sentence := resume_hint(table))]
    while rescues:
        sentences += filter(None, [rescues.pop()()])
    return Stop("; ".join(["interrupted", *sentences]), INTERRUPTED)


def stop_for(error: BaseException, context: click.Context) -> Stop | None:
    """Return the ``Stop`` for an exception, or None for a fault of Zermelo's own."""
    if pressed.is_set():
        return interruption()
    if isinstance(error, Stop):
        return error
    if isinstance(error, click.UsageError):
        return Stop(_usage_text(error))
    if isinstance(error, click.ClickException):
        return Stop(_lower_first(error.format_message()), error.exit_code)
    if isinstance(error, click.Abort) or _is_from_interrupt(error):
        return interruption()
    if isinstance(error, ZermeloError):
        sentence = in_shell_terms(str(error))
        if sentence == _NO_START:
            sentence = _start_hint(context.invoked_subcommand)
        return Stop(sentence, TOO_BIG if isinstance(error, BudgetError) else MISTAKE)
    place = author_line(error, context.meta.get(AUTHORS_FILE))
    if place is not None:
        return Stop(f"{place}: {error_text(error)}")
    return _system_refusal(error) or (interruption() if pressed.wait(_NOTICED) else None)


@contextmanager
def warnings_as_sentences() -> Iterator[None]:
    """Write warnings about rules to standard error, each sentence once."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", RulesWarning)
        show_default = warnings.showwarning
        shown_texts: set[str] = set()

        def show(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
            if not issubclass(category, RulesWarning):
                show_default(message, category, *where, **more)
            elif str(message) not in shown_texts:
                shown_texts.add(str(message))
                label = click.style("warning: ", fg="yellow", bold=True)
                click.echo(f"{label}{message}", err=True)

        warnings.showwarning = show
        yield


def _start_hint(command: str | None) -> str:
    """Return the advice for a command that needs a start, which graphs and pursuits lack."""
    if command in _POSITION_OF:
        return f"{_NO_START} {_POSITION_OF[command]}"
    return f"there is no start, which zermelo {command} needs; look at positions with zermelo probe"


def _system_refusal(error: BaseException) -> Stop | None:
    """Return the ``Stop`` if the system refused memory, threads or a file, else None."""
    if _is_out_of_memory(error):
        return out_of_memory()
    if isinstance(error, RuntimeError) and "start new thread" in str(error):
        return Stop("the system starts no more threads; set --threads 1", TOO_BIG)
    if not isinstance(error, OSError) or error.errno not in _REFUSALS:
        return None
    subject = "what this command writes" if error.filename is None else repr(error.filename)
    return Stop(f"the system refuses {subject}: {error.strerror}; fix that and try again")


def out_of_memory() -> Stop:
    """Return the end of a command that the system gives no more memory."""
    sentence = "the system has no memory left; allow this process more, or set a lower --memory"
    return Stop(sentence, TOO_BIG)


def _is_out_of_memory(error: BaseException) -> bool:
    """Return whether an exception, or one in its context, means that there is no memory left.

    If a library cannot be loaded, for example while NumPy or Numba is imported, only the message
    shows the reason.
    """
    link: BaseException | None = error
    while link is not None:
        if isinstance(link, MemoryError) or getattr(link, "errno", None) == errno.ENOMEM:
            return True
        if isinstance(link, (ImportError, OSError)) and _NO_PAGES.search(str(link)):
            return True
        link = link.__context__
    return False


def _is_from_interrupt(error: BaseException) -> bool:
    """Return whether an exception is an interrupt, or was raised while one was handled.

    An interrupt can leave any work unfinished, also Numba's own, so that its cleanup fails. Such an
    error is not a fault of Zermelo. (In a callback of LLVM the interrupt itself is lost, and only
    the error that follows is raised: see ``pressed``.)
    """
    link: BaseException | None = error
    while link is not None and not isinstance(link, KeyboardInterrupt):
        link = link.__context__
    return link is not None


def author_line(error: BaseException, authors: str | None = None) -> str | None:
    """Return ``file:line`` of the author's line that an exception comes from, or None.

    Args:
        error: the exception, as it was caught.
        authors: the file of the author's class, which counts even if it is installed; any other
            file counts only if it is not installed.
    """
    if isinstance(error, SyntaxError) and error.filename and error.lineno:
        return f"{short_path(error.filename)}:{error.lineno}"
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename == authors or _written_by_user(frame.filename):
            return f"{short_path(frame.filename)}:{frame.lineno}"
    return None


def error_text(error: BaseException) -> str:
    """Return the type and the message of an exception."""
    if isinstance(error, SyntaxError):
        return f"{type(error).__name__}: {error.msg}"
    message = str(error)
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def short_path(filename: str) -> str:
    """Return a path as seen from the current folder, if it lies in it."""
    path = Path(filename)
    try:
        return str(path.relative_to(Path.cwd()))
    except (OSError, ValueError):
        return filename


def _written_by_user(filename: str) -> bool:
    if filename.startswith("<"):
        return False
    path = Path(filename)
    folders = [sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    installed = any(path.is_relative_to(folder) for folder in folders if folder)
    return not installed and not path.is_relative_to(_PACKAGE)


def _usage_text(error: click.UsageError) -> str:
    """Return the fault of the command line, and the command that shows its help."""
    if isinstance(error, click.NoSuchOption):
        sentence = f"there is no option {error.option_name}{_option_hint(error)}"
    elif isinstance(error, click.BadParameter) and (limits := _limits_text(error)):
        sentence = limits
    else:
        sentence = _lower_first(error.format_message())
        if sentence.startswith("got unexpected extra"):
            sentence = sentence.removeprefix("got ") + _extra_words_hint(error.ctx, error.message)
    if isinstance(error, click.BadParameter) and not isinstance(error, click.MissingParameter):
        return sentence
    path = error.ctx.command_path if error.ctx is not None else Path(sys.argv[0]).name
    chosen = error.ctx.meta.get(CHOSEN) if error.ctx is not None else None
    command = path if chosen is None else f"{path} {chosen.name}"
    return sentence if sentence.endswith("?") else f"{sentence}; see {command} --help"


def _extra_words_hint(context: click.Context | None, message: str) -> str:
    """Return the advice on extra words: quote a position, or name the parameters."""
    position = context.params.get("position") if context is not None else None
    if isinstance(position, str):
        words = f"{position} {message.partition('(')[2].rpartition(')')[0]}"
        return f"; write a position as one word, {shlex.quote(words.replace(SHIELD, ''))}"
    return _option_list(context) if context is not None else ""


def _option_list(context: click.Context) -> str:
    """Return the options of a game that has few, as the end of a sentence."""
    names = [option.opts[0] for option in context.meta.get(OPTIONS, [])]
    if not 0 < len(names) <= _MAX_LISTED_OPTIONS:
        return ""
    first, last = names[:-1], names[-1]
    return f"; {context.meta[CHOSEN].name} has {', '.join(first)}{' and ' if first else ''}{last}"


def _limits_text(error: click.BadParameter) -> str:
    """Return the limits of a number that is too large or too small; "" for other faults."""
    value, _, range_text = error.message.partition(" is not in the range ")
    if not range_text or error.param is None or not isinstance(error.param.type, click.IntRange):
        return ""
    least, greatest = error.param.type.min, error.param.type.max
    if least is not None and greatest is not None:
        limits = f"from {least} to {greatest}"
    else:
        limits = f"at most {greatest}" if least is None else f"at least {least}"
    return f"{error.param.opts[0]} must be {limits}, not {value}"


def _option_hint(error: click.NoSuchOption) -> str:
    """Return the options that an unknown option may have meant."""
    context = error.ctx
    if context is not None and isinstance(group := context.command, click.Group):
        commands = [group.get_command(context, name) for name in group.list_commands(context)]
        inner = [param for command in commands if command is not None for param in command.params]
        if any(error.option_name in param.opts for param in inner):
            return " before the command; write it after the command"
    word = error.option_name.lstrip("-")
    arguments = [] if context is None else context.command.params
    if any(
        isinstance(argument, click.Argument) and argument.name == word for argument in arguments
    ):
        return f"; write the {word} alone, without {error.option_name}"
    words = [name.lstrip("-") for name in error.possibilities or []]
    suggestions = get_close_matches(word, words, 2, _MIN_SIMILARITY)
    if suggestions or context is None:
        return did_you_mean([f"--{name}" for name in suggestions])
    return _option_list(context)


def did_you_mean(names: list[str]) -> str:
    """Return ``; did you mean a or b?``, or "" without suggestions."""
    return f"; did you mean {' or '.join(names)}?" if names else ""


def _lower_first(sentence: str) -> str:
    sentence = sentence.strip().removesuffix(".")
    return sentence[:1].lower() + sentence[1:]


# -- standard streams that are closed, or go away --------------------------------------------------


class ReaderGoneError(Exception):
    """The reader of a command's output, such as ``head``, has closed it."""

    #: The exit code of a shell for a process that a broken pipe ended: 128 and SIGPIPE.
    exit_code = 141

    def __init__(self) -> None:
        """Discard the buffer of standard output."""
        super().__init__()
        discard_output()


def discard_output() -> None:
    """Discard the buffer of standard output, as writing it would fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def replace_closed_streams() -> None:
    """Replace streams that the caller has closed by streams without content.

    Libraries use the streams without a check, and a table's file must not get the descriptor of
    standard error.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            stream = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115  # stays open
            setattr(sys, name, stream)


# -- Ctrl-C, also while compiled code runs ------------------------------------------------------

#: Seconds that Python gets to exit after Ctrl-C, and to finish its message.
_GRACE, _SAYING = 1.0, 1.0
_SHOW_CURSOR = "\x1b[?25h"


@contextmanager
def ensure_interruptible() -> Iterator[None]:
    """Make sure that Ctrl-C ends this process.

    Python raises KeyboardInterrupt between two of its own instructions, and so never during an
    endless loop in compiled rules. The signal is also written to a pipe; a thread that reads the
    pipe ends the process if the process does not end by itself or, while ``patient`` is set, at a
    second Ctrl-C. An exception in a callback of LLVM is only reported as ignored; this report is
    suppressed.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_DFL:  # see ``early_interrupt``
        signal.signal(signal.SIGINT, signal.default_int_handler)
    hook = sys.unraisablehook

    def lost(unraisable: Any) -> None:
        if issubclass(unraisable.exc_type, KeyboardInterrupt):
            pressed.set()
        else:
            hook(unraisable)

    sys.unraisablehook = lost
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    threading.Thread(target=_watch, args=(reading,), daemon=True).start()
    previous_fd = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    try:
        yield
    finally:
        sys.unraisablehook = hook
        signal.set_wakeup_fd(previous_fd)
        os.close(writing)


@contextmanager
def finish_after_interrupt() -> Iterator[None]:
    """Finish the block after Ctrl-C; a second Ctrl-C ends it at once."""
    patient.set()
    try:
        yield
    finally:
        patient.clear()


def _watch(reading: int) -> None:
    if not _wait_for_interrupt(reading):
        return
    pressed.set()
    time.sleep(_GRACE)
    if patient.is_set():
        click.echo("preparing a partial answer; press Ctrl-C again to quit now", err=True)
        if not _wait_for_interrupt(reading):
            return
    if _telling.acquire(timeout=_SAYING):  # no other thread writes the message after this
        if sys.stderr.isatty():  # a bar had hidden it, or a prompt waits at the end of its line
            click.echo(_SHOW_CURSOR, nl=not told_interrupted.is_set(), err=True)
        if not told_interrupted.is_set():
            interruption().show()
        sys.stderr.flush()
    os._exit(INTERRUPTED)


def _wait_for_interrupt(reading: int) -> bool:
    """Wait for Ctrl-C; return False if the command has ended instead."""
    while signals := os.read(reading, 1):
        if signal.SIGINT in signals:
            return True
    os.close(reading)
    return False
