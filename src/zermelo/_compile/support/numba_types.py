"""Names for Numba's and llvmlite's classes, which have no type hints: each name is an ``Any``."""

from __future__ import annotations

from typing import Any, TypeAlias

#: The type that Numba has found for a variable (``numba.core.types.Type``).
Type: TypeAlias = Any
#: The types of arguments and of the result of a call (``numba.core.typing.Signature``).
Signature: TypeAlias = Any
#: The context in which Numba finds types (``numba.core.typing.Context``).
Context: TypeAlias = Any
#: The context in which Numba generates code (``numba.core.base.BaseContext``).
Target: TypeAlias = Any
#: The writer of instructions of one function (``llvmlite.ir.IRBuilder``).
Builder: TypeAlias = Any
#: A value in generated code, of which no more is known than its type (``llvmlite.ir.Value``).
Value: TypeAlias = Any
#: Numba's list of data models (``numba.core.datamodel.DataModelManager``).
ModelManager: TypeAlias = Any
#: The result of an intrinsic function: a signature, and a function that generates code.
Intrinsic: TypeAlias = Any
