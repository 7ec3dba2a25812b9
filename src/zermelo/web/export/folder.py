"""Export of a game's explorer to a folder, whose page is replaced atomically."""

from __future__ import annotations

import gzip
import hashlib
import os
import re
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from zermelo.atomic_write import check_file, write_error, write_text
from zermelo.errors import BudgetError, ParameterError, TableExistsError, TableWriteError
from zermelo.progress import Event, Listener, Reporter
from zermelo.solution.cached_moves import CachedMovesSolution
from zermelo.web.export.collector import MOST_POSITIONS, collect_positions, too_many
from zermelo.web.export.packing import pack_positions
from zermelo.web.session import ExplorerSession

if TYPE_CHECKING:
    from collections.abc import Iterator

    from zermelo.solution.solution import Solution
    from zermelo.web.export.collector import CollectedPositions

#: The most bytes of positions, which a browser loads in one file.
MOST_BYTES = 16_000_000
#: The most positions whose explanations are written, as these take long to compute.
MOST_EXPLAINED = 20_000

_STATIC = Path(__file__).parents[1] / "static"
_GALLERY = _STATIC / "gallery"
#: The suffixes of the page's files: modules, styles, the icon.
_SUFFIXES = (".js", ".css", ".svg")
_MARK = '<meta name="generator" content="Zermelo">'
_VERSIONED = re.compile(r"files-[0-9a-f]{12}(\.part)?")
#: The page of a folder loads nothing from elsewhere.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'"
)
#: Shown if the browser does not load the page's modules.
_UNSERVED = (
    '<p id="unserved">This page has to come from a web server: run '
    "<code>python -m http.server</code> in its folder, and open http://localhost:8000.</p>"
)
_BETWEEN = "\x1e"
#: The phases of a solve that count positions as they are found.
_FINDING = ("explore", "climb")


@dataclass(frozen=True)
class ExportSummary:
    """A folder that was written.

    Attributes:
        folder: the folder.
        positions: the number of its positions.
        table: the bytes of those positions, in compressed form.
        size: the bytes of all files.
    """

    folder: Path
    positions: int
    table: int
    size: int


def write_site(
    room: ExplorerSession, folder: Path, *, force: bool = False, progress: Listener | None = None
) -> ExportSummary:
    """Write the explorer of a solved game to a folder that any web host can serve.

    The page's files appear under a new name, and ``index.html``, which names them, last. So a
    reader gets either the old page or the new one.

    Args:
        room: the game.
        folder: the folder, which is created if it is missing.
        force: whether to write to a folder with other contents, which stay there, except for
            ``index.html``.
        progress: receives the progress.

    Raises:
        BudgetError: there are too many positions for a page without a server.
        ParameterError: it is a proof.
        TableExistsError: the folder has other contents.
        TableWriteError: it cannot be written.
    """
    check_folder(folder, force=force)
    if room.solution.kind.partial:
        message = (
            f"{room.name} is a proof of one position, so it has no page of every position; serve "
            "it with zermelo explore, or solve the game"
        )
        raise ParameterError(message)
    report = Reporter(progress)
    files = {
        file.relative_to(_STATIC).as_posix(): file.read_bytes()
        for file in sorted(_STATIC.rglob("*"))
        if file.suffix in _SUFFIXES and _GALLERY not in file.parents
    }
    session = ExplorerSession(room.name, room.title)
    session.show(CachedMovesSolution(room.solution))
    collected, table = _table(session, report)
    files["positions.bin"] = table
    if len(collected) <= MOST_EXPLAINED:
        files["reasons.bin"] = _reasons(session, collected, report)
    digest = hashlib.sha256()
    for name, content in sorted(files.items()):
        digest.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
    version = f"files-{digest.hexdigest()[:12]}"
    page = _page(version, reasons="reasons.bin" in files)
    try:
        _write(folder, version, files)
    except OSError as error:
        raise write_error(folder, error) from None
    write_text(folder / "index.html", page)
    for version_folder in _versions(folder):
        if version_folder.name != version:
            shutil.rmtree(version_folder, ignore_errors=True)
    size = sum(map(len, files.values())) + len(page.encode())
    return ExportSummary(folder, len(collected), len(table), size)


def check_folder(folder: Path, *, force: bool) -> None:
    """Check that a page can be written to a folder, before any work for it.

    Raises:
        TableExistsError: it has other contents, or is a file.
        TableWriteError: it is not writable.
    """
    if folder.exists() and not folder.is_dir():
        message = f"{str(folder)!r} is a file; give the path of a folder"
        raise TableExistsError(message)
    place = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    if not os.access(place, os.W_OK | os.X_OK):
        message = f"{str(folder)!r} cannot be written: {str(place)!r} is read-only; give another"
        raise TableWriteError(message)
    check_file(folder / "index.html", overwrite=True)
    if force or not folder.exists() or not any(folder.iterdir()) or _is_ours(folder):
        return
    message = (
        f"{str(folder)!r} is not empty, and not an earlier export; give another folder, or use "
        "--force to write to it, which replaces only its index.html"
    )
    raise TableExistsError(message)


def check_size(solution: Solution, name: str) -> None:
    """Check that a game does not have too many positions (BudgetError), before their collection."""
    count = len(solution)
    if count <= MOST_POSITIONS:  # each may stand for several
        count = solution.counts().positions
    if count > MOST_POSITIONS:
        raise too_many(name, MOST_POSITIONS, count)


def limit_size(name: str, listener: Listener | None) -> Listener:
    """Return a listener that interrupts a solve that has found too many positions for a page.

    Args:
        name: the name of the game in the error.
        listener: receives all reports of the solve, or None.

    Raises:
        BudgetError: by the listener, in the phases that count positions as they are found.
    """

    def listen(event: Event) -> None:
        if listener is not None:
            listener(event)
        if event.phase in _FINDING and event.done > MOST_POSITIONS:
            raise too_many(name, MOST_POSITIONS)

    return listen


def _is_ours(folder: Path) -> bool:
    """Return whether a folder has an earlier export, or parts of an interrupted one."""
    try:
        return _MARK in (folder / "index.html").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return all(_VERSIONED.fullmatch(entry.name) for entry in folder.iterdir())


def _table(room: ExplorerSession, report: Reporter) -> tuple[CollectedPositions, bytes]:
    check_size(room.solution, room.name)
    collected = collect_positions(room, report)
    table = pack_positions(room, collected)
    if len(table) > MOST_BYTES:
        message = (
            f"the {len(collected):,} positions of {room.name} take {len(table):,} bytes, and a "
            f"page loads at most {MOST_BYTES:,}; choose smaller parameters, or serve it with "
            "zermelo explore"
        )
        raise BudgetError(message, len(table), MOST_BYTES)
    return collected, table


def _reasons(room: ExplorerSession, collected: CollectedPositions, report: Reporter) -> bytes:
    codes = collected.codes.things
    explanations = []
    with report.phase("explain", len(codes)):
        for code in codes:
            explanations.append("\n".join(room.explain(code).sentences))
            report.advance(len(explanations))
    return gzip.compress(_BETWEEN.join(explanations).encode(), 9, mtime=0)


def _page(version: str, *, reasons: bool) -> str:
    """Return ``index.html`` for a folder, with the links of a server replaced."""
    text = (_STATIC / "index.html").read_text(encoding="utf-8")
    attributes = f'data-table="{version}/positions.bin"'
    if reasons:
        attributes += f' data-reasons="{version}/reasons.bin"'
    policy = f'<meta http-equiv="content-security-policy" content="{_POLICY}">'
    style = f'<link rel="stylesheet" href="{version}/export/framed.css">'
    changes = (
        ('<html lang="en"', f'<html lang="en" {attributes}'),
        ('<meta charset="utf-8">', f'<meta charset="utf-8">\n  {policy}\n  {_MARK}'),
        ("</head>", f"  {style}\n</head>"),
        ("<body>", f"<body>\n  {_UNSERVED}"),
        ('"static/app.js"', f'"{version}/export/framed.js"'),
        ('"static/', f'"{version}/'),
    )
    for old, new in changes:
        if old not in text:
            message = f"index.html has no {old!r}, which an export changes"
            raise ParameterError(message)
        text = text.replace(old, new)
    return text


def _write(folder: Path, version: str, files: dict[str, bytes]) -> None:
    """Write files to a folder of that name within another; it appears when it is complete."""
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / version
    if target.is_dir() and all((target / name).is_file() for name in files):
        return
    part = folder / f"{version}.part"
    shutil.rmtree(part, ignore_errors=True)
    shutil.rmtree(target, ignore_errors=True)
    part.mkdir()
    for name, content in files.items():
        (part / name).parent.mkdir(parents=True, exist_ok=True)
        (part / name).write_bytes(content)
    part.rename(target)


def _versions(folder: Path) -> Iterator[Path]:
    return (entry for entry in folder.iterdir() if _VERSIONED.fullmatch(entry.name))
