"""What only the processor can do, as instructions of LLVM; ``bits`` and ``memory`` say what."""

from __future__ import annotations

import sys
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import TypingError
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic
from numba.np.arrayobj import populate_array

from zermelo._engine.core.compiling.dispatchers import array_types, inlined, shared_signature
from zermelo._engine.core.portable import gather_portably, has_instructions, scatter_portably


def _instruction(name: str) -> Any:
    """Return an intrinsic for an LLVM function of two 64-bit words."""

    @intrinsic
    def call(context: Any, word: Any, mask: Any) -> Any:  # noqa: ARG001  # Numba's signature
        def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001  # the same
            wide = ir.IntType(64)
            shape = ir.FunctionType(wide, [wide] * len(arguments))
            function = cgutils.get_or_insert_function(builder.module, shape, name)
            return builder.call(function, arguments)

        return types.uint64(types.uint64, types.uint64), generate

    return call


@intrinsic
def population(context: Any, word: Any) -> Any:  # noqa: ARG001  # Numba's signature
    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001  # the same
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@intrinsic
def trailing(context: Any, word: Any) -> Any:  # noqa: ARG001  # Numba's signature
    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001  # the same
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), generate


@intrinsic
def leading(context: Any, word: Any) -> Any:  # noqa: ARG001  # Numba's signature
    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001  # the same
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.uint64(types.uint64), generate


if has_instructions():
    gather = _instruction("llvm.x86.bmi.pext.64")
    scatter = _instruction("llvm.x86.bmi.pdep.64")
else:
    gather = inlined(gather_portably)
    scatter = inlined(scatter_portably)


@intrinsic
def prefetch(context: Any, array: Any, place: Any) -> Any:  # noqa: ARG001  # Numba's signature
    """Prefetch ``array[place]`` into the processor's cache."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = target.make_array(signature.args[0])(target, builder, arguments[0]).data
        at = target.cast(builder, arguments[1], signature.args[1], types.intp)
        pointer = builder.bitcast(builder.gep(data, [at]), ir.IntType(8).as_pointer())
        word = ir.IntType(32)
        shape = ir.FunctionType(ir.VoidType(), [pointer.type, word, word, word])
        function = cgutils.get_or_insert_function(builder.module, shape, "llvm.prefetch.p0")
        for_writing, near, data_cache = (ir.Constant(word, n) for n in (1, 3, 1))
        builder.call(function, [pointer, for_writing, near, data_cache])
        return target.get_dummy_value()

    return types.void(array, place), generate


@intrinsic
def peek(context: Any, array: Any, place: Any) -> Any:  # noqa: ARG001  # Numba's signature
    """Return ``array[place]`` by an atomic read; another thread may write it."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, size = _pointer(target, builder, signature, arguments)
        return builder.load_atomic(pointer, "acquire", size)

    return array.dtype(array, place), generate


@intrinsic
def eight_bytes(context: Any, array: Any, place: Any) -> Any:  # noqa: ARG001  # Numba's signature
    """Return the eight bytes at ``array[place]`` as one little-endian number.

    The array is one of bytes and must contain all eight.
    """

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, _ = _pointer(target, builder, signature, arguments)
        wide = builder.bitcast(pointer, ir.IntType(64).as_pointer())
        word = builder.load(wide, align=1)
        if sys.byteorder == "big":
            word = builder.bswap(word)
        return word

    return types.uint64(array, place), generate


@intrinsic
def put_eight_bytes(context: Any, array: Any, place: Any, word: Any) -> Any:  # noqa: ARG001  # the same
    """Write a 64-bit number, little-endian, to the eight bytes at ``array[place]``.

    The array is one of bytes and must contain all eight.
    """

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, _ = _pointer(target, builder, signature, arguments)
        wide = builder.bitcast(pointer, ir.IntType(64).as_pointer())
        number = arguments[2]
        if sys.byteorder == "big":
            number = builder.bswap(number)
        builder.store(number, wide, align=1)
        return target.get_dummy_value()

    return types.void(array, place, types.uint64), generate


@intrinsic
def exchange(context: Any, array: Any, place: Any, old: Any, new: Any) -> Any:  # noqa: ARG001
    """Compare and swap: store ``new`` in ``array[place]`` if it holds ``old``.

    Return the old value.

    A thread that reads ``new`` also sees what this thread wrote before.
    """

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, _ = _pointer(target, builder, signature, arguments)
        kind = signature.args[0].dtype
        before, after = (
            target.cast(builder, arguments[n], signature.args[n], kind) for n in (2, 3)
        )
        pair = builder.cmpxchg(pointer, before, after, "acq_rel", "acquire")
        return builder.extract_value(pair, 0)

    return array.dtype(array, place, old, new), generate


@intrinsic
def on_stack(context: Any, count: Any, dtype: Any) -> Any:  # noqa: ARG001  # Numba's signature
    """Return an uninitialised array of a few numbers on the stack of the running kernel.

    It need not be allocated, counted or freed; a kernel must not return it. Its length is a
    constant. In a loop, each iteration gets the first iteration's array.
    """
    if not isinstance(count, types.IntegerLiteral):
        return None  # Numba asks with the constant too
    array = types.Array(dtype.instance_type, 1, "C")

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        kind = target.get_data_type(array.dtype)
        length, size = (
            target.get_constant(types.intp, n)
            for n in (count.literal_value, target.get_abi_sizeof(kind))
        )
        made = target.make_array(array)(target, builder)
        data = cgutils.alloca_once(builder, kind, size=length)
        populate_array(made, data, shape=[length], strides=[size], itemsize=size, meminfo=None)
        return made._getvalue()  # noqa: SLF001  # Numba's own call

    return array(count, dtype), generate


@intrinsic
def add_masked(
    context: Any,  # noqa: ARG001  # Numba's signature
    sets: Any,
    begin: Any,
    added: Any,
    masks: Any,
    masks_begin: Any,
    lanes: Any,
    bits: Any,
) -> Any:
    """Add a set to lanes where their masks have its bits; see ``lanes.add_masked``."""
    if not isinstance(lanes, types.IntegerLiteral) or not isinstance(bits, types.IntegerLiteral):
        return None  # Numba asks with the constants too
    kind = ir.VectorType(ir.IntType(bits.literal_value), lanes.literal_value)

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        changed = _vector(target, builder, signature, arguments, 0, kind)
        masks = _vector(target, builder, signature, arguments, 3, kind)
        value = _splat(target, builder, signature, arguments, 2, kind)
        align = kind.element.width // 8
        masked = builder.and_(builder.load(masks, align=align), value)
        builder.store(builder.or_(builder.load(changed, align=align), masked), changed, align=align)
        return target.get_dummy_value()

    return types.void(sets, begin, added, masks, masks_begin, lanes, bits), generate


@intrinsic
def add_where_covered(
    context: Any,  # noqa: ARG001  # Numba's signature
    sets: Any,
    begin: Any,
    added: Any,
    covering: Any,
    covering_begin: Any,
    covered: Any,
    lanes: Any,
    bits: Any,
) -> Any:
    """Add a set to lanes where others contain a set; see ``lanes.add_where_covered``."""
    if not isinstance(lanes, types.IntegerLiteral) or not isinstance(bits, types.IntegerLiteral):
        return None  # Numba asks with the constants too
    kind = ir.VectorType(ir.IntType(bits.literal_value), lanes.literal_value)

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        changed = _vector(target, builder, signature, arguments, 0, kind)
        covering = _vector(target, builder, signature, arguments, 3, kind)
        value = _splat(target, builder, signature, arguments, 2, kind)
        needed = _splat(target, builder, signature, arguments, 5, kind)
        align = kind.element.width // 8
        there = builder.and_(builder.load(covering, align=align), needed)
        is_covered = builder.icmp_unsigned("==", there, needed)
        chosen = builder.select(is_covered, value, ir.Constant(kind, None))
        builder.store(builder.or_(builder.load(changed, align=align), chosen), changed, align=align)
        return target.get_dummy_value()

    given = sets, begin, added, covering, covering_begin, covered, lanes, bits
    return types.void(*given), generate


@intrinsic
def lane(context: Any, words: Any, index: Any, bits: Any) -> Any:  # noqa: ARG001  # likewise
    """Return one of the small sets in words; see ``lanes.lane``."""
    if not isinstance(bits, types.IntegerLiteral):
        return None  # Numba asks with the constant too
    kind = ir.IntType(bits.literal_value)

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = target.make_array(words)(target, builder, arguments[0]).data
        at = target.cast(builder, arguments[1], signature.args[1], types.intp)
        lanes = builder.bitcast(data, kind.as_pointer())
        return builder.zext(builder.load(builder.gep(lanes, [at])), ir.IntType(64))

    return types.uint64(words, index, bits), generate


@intrinsic
def transpose_bytes(context: Any, source: Any, target: Any) -> Any:  # noqa: ARG001  # likewise
    """Transpose eight words of eight bytes; see ``lanes.transpose_bytes``."""
    kind = ir.VectorType(ir.IntType(8), 64)
    order = [8 * (lane % 8) + lane // 8 for lane in range(64)]

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        read, written = (
            builder.bitcast(
                context.make_array(array)(context, builder, value).data, kind.as_pointer()
            )
            for array, value in zip(signature.args, arguments, strict=True)
        )
        indices = ir.Constant(ir.VectorType(ir.IntType(32), 64), order)
        rows = builder.load(read, align=8)
        builder.store(builder.shuffle_vector(rows, rows, indices), written, align=8)
        return context.get_dummy_value()

    return types.void(source, target), generate


@intrinsic
def call_shared(context: Any, shared: Any, address: Any, numbers: Any) -> Any:  # noqa: ARG001  # likewise
    """Call a function by its address; see ``shared_code.call_shared``."""
    callee = shared_signature(shared.dispatcher)

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001  # likewise
        _, place, packed = arguments
        values = [
            target.cast(builder, value, kind, wanted)
            for value, kind, wanted in zip(
                cgutils.unpack_tuple(builder, packed), numbers.types, callee.args, strict=True
            )
        ]
        convention = target.call_conv
        kind = convention.get_function_type(callee.return_type, callee.args)
        function = builder.inttoptr(place, kind.as_pointer())
        status, result = convention.call_function(
            builder, function, callee.return_type, callee.args, values
        )
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return result

    return callee.return_type(shared, address, numbers), generate


@intrinsic
def pack_arrays(context: Any, function: Any, arrays: Any) -> Any:  # noqa: ARG001  # likewise
    """Write arrays to the stack; see ``shared_code.pack_arrays``."""
    if arrays != array_types(function.dispatcher):
        message = f"{function.dispatcher.__name__} takes other arrays than {arrays}"
        raise TypingError(message)

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001  # likewise
        place = cgutils.alloca_once(builder, arguments[1].type)
        builder.store(arguments[1], place)
        return builder.ptrtoint(place, ir.IntType(64))

    return types.int64(function, arrays), generate


@intrinsic
def unpack_arrays(context: Any, function: Any, address: Any) -> Any:  # noqa: ARG001  # likewise
    """Return the arrays at an address; see ``shared_code.unpack_arrays``."""
    kind = array_types(function.dispatcher)

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001  # likewise
        place = builder.inttoptr(arguments[1], target.get_value_type(kind).as_pointer())
        return impl_ret_borrowed(target, builder, kind, builder.load(place))

    return kind(function, address), generate


def _vector(
    target: Any, builder: Any, signature: Any, arguments: Any, which: int, kind: Any
) -> Any:
    """Return the address of a vector in an array, which is an argument, as is its first index."""
    data = target.make_array(signature.args[which])(target, builder, arguments[which]).data
    at = target.cast(builder, arguments[which + 1], signature.args[which + 1], types.intp)
    return builder.bitcast(builder.gep(data, [at]), kind.as_pointer())


def _splat(target: Any, builder: Any, signature: Any, arguments: Any, which: int, kind: Any) -> Any:
    """Return a vector with the number that is an argument in all lanes."""
    word = target.cast(builder, arguments[which], signature.args[which], types.uint64)
    number = word if kind.element.width == 64 else builder.trunc(word, kind.element)
    lone = builder.insert_element(ir.Constant(kind, ir.Undefined), number, ir.IntType(32)(0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), kind.count), None)
    return builder.shuffle_vector(lone, lone, zeros)


def _pointer(target: Any, builder: Any, signature: Any, arguments: Any) -> tuple[Any, int]:
    """Return the address of ``array[place]`` and the bytes of an element."""
    data = target.make_array(signature.args[0])(target, builder, arguments[0]).data
    at = target.cast(builder, arguments[1], signature.args[1], types.intp)
    return builder.gep(data, [at]), signature.args[0].dtype.bitwidth // 8
