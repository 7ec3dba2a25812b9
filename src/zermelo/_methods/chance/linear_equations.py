"""Linear equations in whole numbers, solved exactly.

The solution is found by its digits in the base of a prime number (J. D. Dixon, "Exact solution of
linear equations using p-adic expansions", Numerische Mathematik 40, 1982). The matrix is inverted
once, modulo the prime, in floating-point products that are exact as the prime is small. Each digit
of all unknowns then takes two products of a matrix and a vector. Fractions are recovered from the
digits, and put into the equations: if they satisfy these, there are enough digits.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Matrix: TypeAlias = npt.NDArray[np.float64]

#: The most unknowns, and a number above the prime. A sum of 2,048 products of two numbers below the
#: prime is less than 2 ** 53, and so it is exact in floating point.
MOST_UNKNOWNS, _ABOVE_PRIMES = 1 << 11, 1 << 21
#: Residues that are less can be 64-bit integers.
_SMALL = 1 << 60
#: Bits by which the digits must exceed those of a numerator and a denominator together.
_SPARE_BITS = 40


def solve_equations(
    rows: Sequence[Mapping[int, int]], constants: Sequence[int], most_bits: int
) -> list[Fraction] | None:
    """Return the solution of linear equations, or None if it has too many digits.

    All principal minors of the matrix must differ from 0. They do if in no row the other entries
    together are greater than that on the diagonal, and each row leads, by entries that are not 0,
    to one where they are less. The time is cubic in the number of rows, and quadratic in the bits.

    Args:
        rows: the coefficients of each equation by the number of the unknown, without zeros; the sum
            of their absolute values is less than 2 ** 32. There are at most ``MOST_UNKNOWNS`` rows.
        constants: the right side of each equation.
        most_bits: the most bits of a numerator and the common denominator together.
    """
    if len(rows) <= 1:
        return [Fraction(constants[number], row[number]) for number, row in enumerate(rows)]
    matrix = np.zeros((len(rows), len(rows)))
    for number, row in enumerate(rows):
        matrix[number, list(row)] = list(row.values())
    prime, inverse = _inverse_by_prime(matrix)
    residues = np.array(constants, object)
    are_small = False
    digits: list[Any] = []
    # The solution is about as great as the constants.
    scale = max(map(abs, constants)) | 1
    most = (most_bits + 2 * _SPARE_BITS) // prime.bit_length() + 1
    enough = scale.bit_length() // prime.bit_length() + 8
    while len(digits) < most:
        while len(digits) < min(enough, most):
            if not are_small and max(map(abs, residues)) < _SMALL:
                residues, are_small = residues.astype(np.int64), True
            digit = inverse @ (residues % prime).astype(np.float64) % prime
            digits.append(digit.astype(np.int64))
            residues = (residues - (matrix @ digit).astype(np.int64)) // prime
        enough += enough // 2
        solution = _fractions(*_joined(digits, prime), scale)
        if solution is not None and _satisfies(*solution, rows, constants):
            numerators, denominator = solution
            return [Fraction(numerator, denominator) for numerator in numerators]
    return None


def _inverse_by_prime(matrix: Matrix) -> tuple[int, Matrix]:
    """Return a prime number, and the inverse of a matrix modulo it."""
    for prime in _primes():
        try:
            return prime, _inverse(matrix % prime, prime)
        except ValueError:  # a minor is a multiple of the prime
            continue
    message = "the matrix of linear equations has no inverse"
    raise ArithmeticError(message)


def _primes() -> Iterator[int]:
    """Yield prime numbers, the greatest first."""
    for number in range(_ABOVE_PRIMES - 1, 2, -2):
        if all(number % divisor for divisor in range(3, isqrt(number) + 1, 2)):
            yield number


def _inverse(matrix: Matrix, prime: int) -> Matrix:
    """Return the inverse of a matrix modulo a prime, by that of its quarters.

    Raises:
        ValueError: a principal minor is a multiple of the prime.
    """
    size = len(matrix)
    if size == 1:
        return np.array([[pow(int(matrix[0, 0]), -1, prime)]], np.float64)
    half = size // 2
    upper, right = matrix[:half, :half], matrix[:half, half:]
    left, lower = matrix[half:, :half], matrix[half:, half:]
    inverse = np.empty_like(matrix)
    upper_inverse = _inverse(upper, prime)
    left_part = left @ upper_inverse % prime
    right_part = upper_inverse @ right % prime
    complement = _inverse((lower - left_part @ right % prime) % prime, prime)
    lower_left = complement @ left_part % prime
    inverse[:half, :half] = (upper_inverse + right_part @ lower_left % prime) % prime
    inverse[:half, half:] = -(right_part @ complement) % prime
    inverse[half:, :half] = -lower_left % prime
    inverse[half:, half:] = complement
    return inverse


def _joined(digits: Sequence[Any], base: int) -> tuple[list[int], int]:
    """Return numbers by their digits, the least first, and the power of the base above them."""
    parts = [each.astype(object) for each in digits]
    powers = [base] * len(parts)
    while len(parts) > 1:
        pairs = range(0, len(parts) - 1, 2)
        rest, last = parts[len(parts) & ~1 :], powers[len(parts) & ~1 :]
        parts = [parts[i] + parts[i + 1] * powers[i] for i in pairs] + rest
        powers = [powers[i] * powers[i + 1] for i in pairs] + last
    return parts[0].tolist(), powers[0]


def _fractions(numbers: Sequence[int], modulus: int, scale: int) -> tuple[list[int], int] | None:
    """Return numerators and a common denominator of fractions that are known by a modulus, if any.

    Args:
        numbers: what each fraction is modulo the modulus.
        modulus: a power of a prime number that divides no denominator.
        scale: about how great the fractions are.
    """
    most_bits = modulus.bit_length() - _SPARE_BITS
    denominator, numerators = 1, []
    for number in numbers:
        numerator = number * denominator % modulus
        numerator -= modulus if 2 * numerator > modulus else 0
        if abs(numerator).bit_length() + denominator.bit_length() > most_bits:
            numerator, factor = _fraction(numerator % modulus, modulus, scale)
            denominator *= factor
            if abs(numerator).bit_length() + denominator.bit_length() > most_bits:
                return None
        numerators.append((numerator, denominator))
    return [numerator * (denominator // own) for numerator, own in numerators], denominator


def _fraction(number: int, modulus: int, scale: int) -> tuple[int, int]:
    """Return a numerator and a denominator of a number by a modulus.

    The numerator is at most about ``scale`` times as great as the denominator.
    """
    remainder, next_remainder, factor, next_factor = modulus, number, 0, 1
    limit = isqrt(modulus * scale)
    while next_remainder > limit:
        quotient = remainder // next_remainder
        remainder, next_remainder = next_remainder, remainder - quotient * next_remainder
        factor, next_factor = next_factor, factor - quotient * next_factor
    return (next_remainder, next_factor) if next_factor > 0 else (-next_remainder, -next_factor)


def _satisfies(
    numerators: Sequence[int],
    denominator: int,
    rows: Sequence[Mapping[int, int]],
    constants: Sequence[int],
) -> bool:
    """Return whether fractions with a common denominator are the solution of the equations."""
    return all(
        sum(factor * numerators[unknown] for unknown, factor in row.items())
        == constant * denominator
        for row, constant in zip(rows, constants, strict=True)
    )
