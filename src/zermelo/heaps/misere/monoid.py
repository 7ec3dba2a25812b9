"""Names of the elements of a finite commutative monoid, and the relations that define it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from string import ascii_lowercase

import numpy as np
import numpy.typing as npt

#: A product of generators, given by their exponents.
Powers = tuple[int, ...]


@dataclass(frozen=True)
class Monoid:
    """A finite commutative monoid with ordered elements: fewer generators first, then by name.

    Attributes:
        products: the product of each two elements; 0 is neutral.
        generators: the generators, as elements.
        names: the least product of generators that equals each element, such as ``a^2b``.
        relations: equations between products, from which all others follow.
        order: the index here of each original element.
    """

    products: npt.NDArray[np.int64]
    generators: tuple[int, ...]
    names: tuple[str, ...]
    relations: tuple[tuple[str, str], ...]
    order: npt.NDArray[np.int64]


def name_elements(products: npt.NDArray[np.int64], elements: Sequence[int]) -> Monoid:
    """Return a monoid with names.

    Args:
        products: the product of each two elements; 0 is neutral.
        elements: elements that generate it; each that is not a product of earlier ones gets a
            letter.
    """
    generators: list[int] = []
    elements_made = {0}
    for element in elements:
        if element not in elements_made:
            generators.append(element)
            queue = list(elements_made)
            while queue:
                element_product = int(products[queue.pop(), element])
                if element_product not in elements_made:
                    elements_made.add(element_product)
                    queue.append(element_product)
    least_powers = _least(products, generators)
    order_of_elements = sorted(least_powers, key=lambda element: _rank(least_powers[element]))
    order = np.empty(len(products), np.int64)
    order[order_of_elements] = np.arange(len(order_of_elements))
    ordered_products = order[products[np.ix_(order_of_elements, order_of_elements)]]
    relations = _relations(products, generators, least_powers)
    return Monoid(
        ordered_products,
        tuple(int(order[element]) for element in generators),
        tuple(product_text(least_powers[element]) for element in order_of_elements),
        tuple(
            (product_text(left_side), product_text(right_side))
            for left_side, right_side in relations
        ),
        order,
    )


def generator_name(number: int) -> str:
    """Return the name of a generator: a to z, then a', b' and so on."""
    return ascii_lowercase[number % 26] + "'" * (number // 26)


def product_text(powers: Powers) -> str:
    """Return a product of generators as text."""
    parts = (
        generator_name(n) if power == 1 else f"{generator_name(n)}^{power}"
        for n, power in enumerate(powers)
        if power
    )
    return "".join(parts) or "1"


def _rank(powers: Powers) -> tuple[int, ...]:
    """Return a sort key of products: by degree, then in alphabetical order."""
    return sum(powers), *(-power for power in powers)


def _least(products: npt.NDArray[np.int64], generators: Sequence[int]) -> dict[int, Powers]:
    """Return the first product of generators that equals each element."""
    neutral = (0,) * len(generators)
    powers_of = {0: neutral}
    newest = [0]
    while newest:
        next_powers: dict[int, Powers] = {}
        for element, (n, generator) in product(newest, enumerate(generators)):
            end = int(products[element, generator])
            if end not in powers_of:
                powers = _raise_power(powers_of[element], n)
                next_powers[end] = min(next_powers.get(end, powers), powers, key=_rank)
        powers_of |= next_powers
        newest = list(next_powers)
    return powers_of


def _relations(
    products: npt.NDArray[np.int64], generators: Sequence[int], powers_of: dict[int, Powers]
) -> list[tuple[Powers, Powers]]:
    """Return equations that reduce every product to the least one of its element.

    The left side of each is a product that is not the least of its element, though all its divisors
    are. Any other such product is a multiple of one of these.
    """
    normal = set(powers_of.values())
    relations: dict[Powers, Powers] = {}
    for element, (n, generator) in product(powers_of, enumerate(generators)):
        powers = _raise_power(powers_of[element], n)
        parts = (_raise_power(powers, k, -1) for k in range(len(powers)) if powers[k])
        if powers not in normal and all(part in normal for part in parts):
            relations[powers] = powers_of[int(products[element, generator])]
    return sorted(relations.items(), key=lambda pair: _rank(pair[0]))


def _raise_power(powers: Powers, n: int, amount: int = 1) -> Powers:
    return (*powers[:n], powers[n] + amount, *powers[n + 1 :])
