"""Cop numbers and capture times of all connected graphs of some sizes."""

from __future__ import annotations

import shutil
import subprocess

import pytest

import zermelo
from support.oracles.graphs import all_graphs, connected, graph6
from support.results import numbers

TIMES = {row[:3]: row[3] for row in numbers("capture-times.txt")}


def expected(nodes):
    """Return the numbers of graphs that the file has for a number of nodes."""
    return {key: count for key, count in TIMES.items() if key[0] == nodes}


@pytest.mark.slow
def test_capture_times_of_small_graphs():
    """All connected graphs with up to six nodes are counted as in the file."""
    for nodes in range(1, 7):
        found = zermelo.cop_numbers(graph6(g) for g in all_graphs(nodes) if connected(g))
        assert found.times() == expected(nodes)


@pytest.mark.huge
@pytest.mark.parametrize("nodes", range(7, 11))
def test_capture_times_of_all_graphs(nodes):
    """All connected graphs with so many nodes, as nauty's geng writes them."""
    generator = shutil.which("geng") or shutil.which("nauty-geng")
    if generator is None:
        pytest.skip("nauty's geng is not installed")
    with subprocess.Popen([generator, "-cq", str(nodes)], stdout=subprocess.PIPE) as process:
        assert zermelo.cop_numbers(process.stdout).times() == expected(nodes)
