"""``check_cluster``, and ``zermelo cluster check``."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import zermelo

pytestmark = pytest.mark.timing


def test_what_workers_have(tmp_path):
    """Each has its part of the machine, and leaves nothing behind."""
    report = zermelo.check_cluster("local[2]", folder=tmp_path, memory="300MB", threads=4)
    assert (report.cluster, report.folder) == ("local[2]", str(tmp_path))
    assert [(each.threads, each.memory) for each in report.workers] == [(2, 100_000_000)] * 2
    for each in report.workers:
        assert 0 < each.message < 10
        assert min(each.write, each.read) > 0
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_on_the_command_line(tmp_path):
    """As text, as a number, and as JSON."""
    command = [sys.executable, "-m", "zermelo", "cluster", "check", "local[1]"]
    command += ["--folder", str(tmp_path), "--memory", "300MB"]

    def said(*more):
        return subprocess.run([*command, *more], check=True, capture_output=True, text=True).stdout

    assert "150 MB\n  answers in " in said()
    assert said("--quiet") == "1\n"
    assert json.loads(said("--json"))["workers"][0]["memory"] == 150_000_000


def test_mistakes(tmp_path):
    """A folder that is not there, and workers that nobody knows."""
    with pytest.raises(zermelo.TableWriteError, match=r"nothing can be written to .*give another"):
        zermelo.check_cluster("local[1]", folder=tmp_path / "nowhere")
    with pytest.raises(zermelo.ParameterError, match="cluster='locale' is not known"):
        zermelo.check_cluster("locale", folder=tmp_path)
