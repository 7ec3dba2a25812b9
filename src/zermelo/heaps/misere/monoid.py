"""Names of the elements of a finite commutative monoid, and the relations that define it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from string import ascii_lowercase

import numpy as np
import numpy.typing as npt

#: A product of generators: how often each occurs.
Powers = tuple[int, ...]


@dataclass(frozen=True)
class Monoid:
    """A finite commutative monoid, its elements in order: fewer generators first, then by name.

    Attributes:
        products: the element that each two elements make; 0 is neutral.
        generators: the generators, as elements.
        names: the least product of generators that each element is, such as ``a^2b``.
        relations: equations between products, from which all others follow.
        order: of each element as it was given, its place here.
    """

    products: npt.NDArray[np.int64]
    generators: tuple[int, ...]
    names: tuple[str, ...]
    relations: tuple[tuple[str, str], ...]
    order: npt.NDArray[np.int64]


def named(products: npt.NDArray[np.int64], elements: Sequence[int]) -> Monoid:
    """Return a monoid with names.

    Args:
        products: the element that each two elements make; 0 is neutral.
        elements: some that generate it; those that the ones before them do not make get letters.
    """
    generators: list[int] = []
    made = {0}
    for element in elements:
        if element not in made:
            generators.append(element)
            waiting = list(made)
            while waiting:
                more = int(products[waiting.pop(), element])
                if more not in made:
                    made.add(more)
                    waiting.append(more)
    least = _least(products, generators)
    ranked = sorted(least, key=lambda element: _rank(least[element]))
    order = np.empty(len(products), np.int64)
    order[ranked] = np.arange(len(ranked))
    again = order[products[np.ix_(ranked, ranked)]]
    relations = _relations(products, generators, least)
    return Monoid(
        again,
        tuple(int(order[element]) for element in generators),
        tuple(written(least[element]) for element in ranked),
        tuple((written(left), written(right)) for left, right in relations),
        order,
    )


def letter(number: int) -> str:
    """Return what the generator of a number is called: a to z, then a', b' and so on."""
    return ascii_lowercase[number % 26] + "'" * (number // 26)


def written(powers: Powers) -> str:
    """Return a product of generators as text."""
    parts = (
        letter(n) if power == 1 else f"{letter(n)}^{power}"
        for n, power in enumerate(powers)
        if power
    )
    return "".join(parts) or "1"


def _rank(powers: Powers) -> tuple[int, ...]:
    """Return a key by which products are in order: by degree, then as in a dictionary."""
    return sum(powers), *(-power for power in powers)


def _least(products: npt.NDArray[np.int64], generators: Sequence[int]) -> dict[int, Powers]:
    """Return the first product of generators that each element is."""
    nothing = (0,) * len(generators)
    least = {0: nothing}
    newest = [0]
    while newest:
        found: dict[int, Powers] = {}
        for element, (n, generator) in product(newest, enumerate(generators)):
            end = int(products[element, generator])
            if end not in least:
                powers = _raised(least[element], n)
                found[end] = min(found.get(end, powers), powers, key=_rank)
        least |= found
        newest = list(found)
    return least


def _relations(
    products: npt.NDArray[np.int64], generators: Sequence[int], least: dict[int, Powers]
) -> list[tuple[Powers, Powers]]:
    """Return equations that make every product the least one of its element.

    Each has on its left a product that is not the least of its element, though all that divide it
    are. Any other such product is divided by one of these.
    """
    normal = set(least.values())
    found: dict[Powers, Powers] = {}
    for element, (n, generator) in product(least, enumerate(generators)):
        powers = _raised(least[element], n)
        parts = (_raised(powers, k, -1) for k in range(len(powers)) if powers[k])
        if powers not in normal and all(part in normal for part in parts):
            found[powers] = least[int(products[element, generator])]
    return sorted(found.items(), key=lambda pair: _rank(pair[0]))


def _raised(powers: Powers, n: int, by: int = 1) -> Powers:
    return (*powers[:n], powers[n] + by, *powers[n + 1 :])
