"""Datasets for PyTorch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import torch
from torch.utils.data import IterableDataset, get_worker_info

if TYPE_CHECKING:
    from zermelo.solution.dataset.dataset import Dataset


class TensorBatches(IterableDataset):  # type: ignore[misc]  # not typed, see pyproject
    """The batches of a dataset as tensors; see ``Dataset.torch``.

    If a ``DataLoader`` has several workers, batches are shared among them.
    """

    def __init__(self, data: Dataset, size: int, shuffle: int | None) -> None:
        """Store a dataset, the number of rows of a batch, and a seed or None."""
        super().__init__()
        self._data, self._size, self._shuffle = data, size, shuffle
        self._passes = 0

    def __iter__(self) -> Iterator[dict[str, torch.Tensor]]:
        """Iterate over the batches once."""
        shuffle = None if self._shuffle is None else self._shuffle + self._passes
        self._passes += 1
        info: Any = get_worker_info()
        for n, batch in enumerate(self._data.batches(self._size, shuffle=shuffle)):
            if info is None or n % info.num_workers == info.id:
                yield {name: torch.from_numpy(array) for name, array in batch.items()}
