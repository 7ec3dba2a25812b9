"""Cat and Mouse: beside the textbook's dictionaries, and two methods beside each other."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks import inputs
from benchmarks.measure import Session, work
from benchmarks.report import Row, agree


def cat_and_mouse(session: Session) -> Iterator[Row]:
    """Solve dense random graphs, every placement of them."""
    for nodes in session.pick((50, 100, 200), (20,)):
        edges = _moves(nodes)
        jobs = {
            "ours": work("pursuit.solve", graph="dense_graph", nodes=nodes, touch=20 * edges),
            "textbook": work(
                "pursuit.by_textbook", rehearse="no", graph="dense_graph", nodes=nodes
            ),
        }
        samples = session.race(jobs)
        ours = samples["ours"]
        agree(ours, samples["textbook"], "positions", "tally")
        positions = ours.answer["positions"]
        work_done = f"n = {nodes}: {positions:,} positions, {edges:,} moves"
        row = Row.of("cat-and-mouse", work_done, ours, positions)
        row.beside("textbook dictionaries", samples["textbook"].cpu / ours.cpu)
        yield row


def horizon(session: Session) -> Iterator[Row]:
    """Solve by the bounded-turn programme beside retrograde analysis: exploring is left out."""
    for graph in ("dense_graph", "path"):
        for nodes in session.pick((50, 200), (20,)):
            touch = 20 * _moves(nodes)
            jobs = {
                method: work("pursuit.solve", graph=graph, nodes=nodes, method=method, touch=touch)
                for method in ("horizon", "retrograde")
            }
            samples = session.race(jobs)
            ours, rival = samples["horizon"], samples["retrograde"]
            agree(ours, rival, "positions", "tally")
            plies = max(
                int(key.split(":")[1]) for key in ours.answer["tally"] if not key.endswith("None")
            )
            kind = "dense" if graph == "dense_graph" else "path"
            work_done = f"horizon, {kind} n = {nodes}: up to {plies} plies"
            row = Row.of("horizon", work_done, ours, ours.answer["positions"])
            ratio = rival.extra["method seconds"] / ours.extra["method seconds"]
            row.beside("retrograde, exploring left out", ratio)
            yield row


def _moves(nodes: int) -> int:
    """Return about how many moves there are on a dense graph: two for each edge and bystander."""
    return 2 * (nodes - 1) * sum(len(row) for row in inputs.dense_graph(nodes))
