"""The transport for actors of a Ray cluster, one worker on each node.

Only small messages pass through Ray, one at a time for each worker. Levels are stored in the folder
that all nodes share.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import Any, cast

from zermelo._cluster.transport import LOST, Transport
from zermelo._cluster.worker import Server
from zermelo.errors import ClusterError, MissingExtraError


class RayTransport(Transport):
    """The worker actors of a Ray cluster.

    Attributes:
        actors: the actors.
    """

    def __init__(self, address: str | None, size: int | None) -> None:
        """Start an actor on each node.

        Args:
            address: the address of the cluster, such as ``ray://head:10001``; None for the cluster
                that the environment names or this process is connected to, and if there is none,
                for a new one on this machine.
            size: the number of actors, placed by Ray; by default one per node.

        Raises:
            ClusterError: no cluster answers at the address, or the cluster has no node.
            MissingExtraError: Ray is not installed.
        """
        try:
            import ray
        except ImportError:
            message = "cluster='ray' needs Ray; install it: pip install 'zermelo[cluster]'"
            raise MissingExtraError(message) from None
        self._ray = engine = cast("Any", ray)
        self._is_ours = not engine.is_initialized()
        if self._is_ours:
            self._connect(address, size)
        nodes = sorted(node["NodeID"] for node in engine.nodes() if node["Alive"])
        self.size = size or len(nodes)
        self.engine_name = "ray" if size is None else f"ray[{size}]"
        # No core is reserved: a worker has the threads that the solve was given.
        self._actor_class = self._ray.remote(num_cpus=0, max_restarts=0, max_concurrency=1)(Server)
        self._nodes = [None if size else node for node in nodes] or [None]
        self.actors: list[Any] = [self._start_actor(worker) for worker in range(self.size)]
        self._answers: dict[Any, int] = {}

    def send(self, worker: int, message: object) -> None:
        """Send a message; see ``Transport``."""
        self._answers[self.actors[worker].answer.remote(message)] = worker

    def receive(self, seconds: float) -> tuple[int, Any] | None:
        """Return the next message; see ``Transport``."""
        if not self._answers:
            return None
        ready, _ = self._ray.wait(list(self._answers), num_returns=1, timeout=seconds)
        for answer in ready:
            worker = self._answers.pop(answer)
            try:
                return worker, self._ray.get(answer)
            except self._ray.exceptions.RayActorError:
                self._answers = {a: w for a, w in self._answers.items() if w != worker}
                return worker, LOST
        return None

    def replace(self, worker: int) -> bool:
        """Start another actor, on the same node if it still exists; see ``Transport``."""
        self.actors[worker] = self._start_actor(worker)
        return True

    def close(self) -> None:
        """End all actors; see ``Transport``."""
        for actor in self.actors:
            with suppress(Exception):  # Ray's errors about an actor that has ended
                self._ray.kill(actor)
        if self._is_ours:
            self._ray.shutdown()

    def _connect(self, address: str | None, size: int | None) -> None:
        ray = self._ray
        options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
        if address is None and size is not None:
            options["include_dashboard"] = False
        connection_errors = (
            ConnectionError,
            OSError,
            RuntimeError,
            ValueError,
            ray.exceptions.RayError,
        )
        try:
            ray.init(address=address, **options)
        except connection_errors as error:
            reason = str(error).strip().splitlines()[0] if str(error).strip() else repr(error)
            address_phrase = "where the environment says" if address is None else f"at {address!r}"
            message = f"no Ray cluster answers {address_phrase}: {reason}; "
            if "token" in reason.lower():
                message += (
                    "set RAY_AUTH_MODE=token, and have the cluster's token in ~/.ray/auth_token "
                    "on each machine"
                )
            else:
                message += (
                    "give the address of its head and, if it has one, its token, or "
                    "cluster='local[2]' for processes of this machine"
                )
            raise ClusterError(message) from None

    def _start_actor(self, worker: int) -> Any:
        node = self._nodes[worker % len(self._nodes)]
        if node is None:
            return self._actor_class.remote()
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        strategy = NodeAffinitySchedulingStrategy(node, soft=True)
        return self._actor_class.options(scheduling_strategy=strategy).remote()
