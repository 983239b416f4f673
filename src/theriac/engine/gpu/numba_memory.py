"""`memory.Memory` for Numba: a compile-time constant. Its functions can be called in kernels, and
its sizes are literals, as `cuda.shared.array` demands.
"""

from __future__ import annotations

from typing import Any

from numba.cuda import types
from numba.cuda.cudadecl import registry as typing
from numba.cuda.cudaimpl import registry as lowering
from numba.cuda.extending import core_models, register_model, typeof_impl
from numba.cuda.typing.templates import AttributeTemplate

from theriac.engine.gpu.memory import Memory


class MemoryType(types.Type):
    """The type of one instance, which it keeps alive: so no other has its id."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        super().__init__(name=f"Memory({id(memory)})")


register_model(MemoryType)(core_models.OpaqueModel)


@typeof_impl.register(Memory)
def _type_of_memory(memory: Memory, _: Any) -> MemoryType:
    return MemoryType(memory)


@typing.register_attr
class _MemoryAttribute(AttributeTemplate):
    key = MemoryType

    def generic_resolve(self, kind: MemoryType, name: str) -> Any:
        value = getattr(kind.memory, name)
        return (
            types.literal(value)
            if isinstance(value, int)
            else self.context.resolve_value_type(value)
        )


@lowering.lower_constant(MemoryType)
def _memory_constant(context: Any, builder: Any, kind: MemoryType, memory: Memory) -> Any:
    return context.get_dummy_value()


@lowering.lower_getattr_generic(MemoryType)
def _get_member(context: Any, builder: Any, kind: MemoryType, value: Any, name: str) -> Any:
    member = getattr(kind.memory, name)
    if isinstance(member, int):
        return context.get_constant(types.intp, member)
    return context.get_dummy_value()
