"""The lowest and the newest declared versions of the direct dependencies, with each Python."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from support import solve_games

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
#: As the classifiers name them, which ``test_install.py`` checks.
VERSIONS = ("3.11", "3.12", "3.13")
RESOLUTIONS = ("lowest", "newest")
#: Of the twelve games, one for each way to solve that shares least: a heap, levels and cycles.
FEW = ("Chomp", "ConnectFour", "Quixo")


def requirements(resolution: str) -> list[str]:
    """Return the direct dependencies: in the lowest versions, or as they are declared."""
    declared: list[str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "dependencies"
    ]
    if resolution == "newest":
        return declared
    return [line.partition(",")[0].replace(">=", "==") for line in declared]


def python_of(folder: Path, version: str, resolution: str) -> Path:
    """Return the Python of a new environment with Zermelo's dependencies, without Zermelo."""
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found = sorted((pyenv / "versions").glob(f"{version}.*/bin/python"))
    python = str(found[-1]) if found else shutil.which(f"python{version}")
    if python is None:
        pytest.skip(f"Python {version} is not on this machine")
    made = folder / "environment" / "bin" / "python"
    install = [made, "-m", "pip", "install", "-q", "--no-compile", "--only-binary", ":all:"]
    for command in (
        [python, "-m", "venv", folder / "environment"],
        [*install, *requirements(resolution)],
    ):
        done = subprocess.run(command, capture_output=True, check=False, text=True)
        assert done.returncode == 0, done.stderr
    return made


def solved(python: Path, folder: Path, names: Sequence[str]) -> tuple[dict[str, list[object]], int]:
    """Return the results of the rules in a folder, and how many functions were compiled."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    home = {"ZERMELO_HOME": str(folder / "home"), "ZERMELO_CACHE_DIR": str(folder / "cache")}
    bytecode = {"PYTHONPYCACHEPREFIX": str(folder / "bytecode")}  # none of it beside the sources
    done = subprocess.run(
        [python, solve_games.__file__, folder, *names],
        env={**kept, **home, "PYTHONPATH": str(ROOT / "src"), **bytecode},
        capture_output=True,
        check=False,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    return found["games"], found["compiled"]


@pytest.mark.parametrize(
    ("version", "resolution", "names"),
    [
        # All other tests run with the newest versions and 3.11, and test_install.py with 3.13.
        ("3.11", "lowest", FEW),
        *(
            pytest.param(v, r, (*solve_games.SAMPLES,), marks=pytest.mark.huge)
            for v in VERSIONS
            for r in RESOLUTIONS
        ),
    ],
    ids=lambda names: None if isinstance(names, str) else f"{len(names)} games",
)
def test_games_are_solved_cold_warm_and_after_an_edit(tmp_path, version, resolution, names):
    """The games have their values, and nothing is compiled twice."""
    python = python_of(tmp_path, version, resolution)
    samples = {name: solve_games.SAMPLES[name] for name in names}
    for name in names:
        solve_games.write(tmp_path, name)
    results = {name: sample.result for name, sample in samples.items()}
    cold, compiled = solved(python, tmp_path, names)
    assert (cold, compiled > 0) == (results, True)
    assert solved(python, tmp_path, names) == (results, 0)
    for name in names:
        solve_games.write(tmp_path, name, is_edited=True)
    edited = {name: sample.edited for name, sample in samples.items()}
    now, again = solved(python, tmp_path, names)
    assert (now, 0 < again < compiled) == (edited, True)
