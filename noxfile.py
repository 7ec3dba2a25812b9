"""The commands of a developer: ``nox`` runs the checks, ``nox -s tests`` the tests, and so on."""

from __future__ import annotations

import nox

nox.options.sessions = ["style", "types", "layers", "documentation"]
nox.options.reuse_existing_virtualenvs = True


@nox.session
def tests(session: nox.Session) -> None:
    """Run the default tests, or those named behind ``--``."""
    session.install("-e", ".[test]")
    session.run("pytest", *session.posargs)


@nox.session
def slow(session: nox.Session) -> None:
    """Run the slow tests, or those of the paths named behind ``--``."""
    session.install("-e", ".[test]")
    session.run("pytest", "-m", "slow and not huge", "--dist", "worksteal", *session.posargs)


@nox.session
def style(session: nox.Session) -> None:
    """Check style and format."""
    session.install("-e", ".[lint]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Check types."""
    session.install("-e", ".[test,lint]")
    session.run("mypy")


@nox.session
def layers(session: nox.Session) -> None:
    """Check that imports point down."""
    session.install("-e", ".[lint]")
    session.run("lint-imports")


@nox.session
def documentation(session: nox.Session) -> None:
    """Build the documentation into ``docs/_build``; a warning is an error."""
    session.install("-e", ".[test,docs]")
    session.run("sphinx-build", "-n", "-W", "--keep-going", "-q", "docs", "docs/_build/html")


@nox.session
def benchmarks(session: nox.Session) -> None:
    """Run the benchmarks; ``-- --only NAME`` runs one."""
    session.install("-e", ".[test]")
    session.run("python", "-m", "benchmarks", *session.posargs)
