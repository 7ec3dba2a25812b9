"""Datasets for PyTorch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy.typing as npt
import torch
from torch.utils.data import IterableDataset, get_worker_info

#: Returns the batches of one pass, by the names of columns; its argument ``shuffle`` is a seed.
Batches = Callable[..., Iterator[dict[str, npt.NDArray[Any]]]]


class TensorBatches(IterableDataset):  # type: ignore[misc]  # not typed, see pyproject
    """The batches of a dataset as tensors; see ``Dataset.torch``.

    If a ``DataLoader`` has several workers, batches are shared among them.
    """

    def __init__(self, batches: Batches, shuffle: int | None) -> None:
        """Store the batches, and a seed or None."""
        super().__init__()
        self._batches, self._shuffle = batches, shuffle
        self._passes = 0

    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        """Iterate over the batches once."""
        shuffle = None if self._shuffle is None else self._shuffle + self._passes
        self._passes += 1
        info = get_worker_info()
        for n, batch in enumerate(self._batches(shuffle=shuffle)):
            if info is None or n % info.num_workers == info.id:
                yield {name: torch.from_numpy(array) for name, array in batch.items()}
