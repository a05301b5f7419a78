"""Which tensors of PyTorch have numbers in a GPU's memory, as they show them."""

from __future__ import annotations

from typing import Any

from .._errors import ArgumentError, ArgumentTypeError
from .views import refuse_host


def refuse_other_tensors(tensor: Any, name: str, strided: Any) -> None:
    """strided: PyTorch's word for the layout of numbers in memory."""
    kind = tensor.device.type
    if kind == "cpu":
        refuse_host(name)
    if kind != "cuda":
        raise ArgumentError(f"{name} lies on {kind}: copy it to a GPU of CUDA first")
    if tensor.is_nested:
        raise ArgumentTypeError(f"{name} is nested: pass its values() and offsets() to segmented_sort()")
    if tensor.layout is not strided:
        raise ArgumentTypeError(f"{name} has the layout {tensor.layout}: pass {name}.to_dense()")
    if tensor.requires_grad:
        raise ArgumentError(f"{name} requires a gradient, and a sort here passes none on: pass {name}.detach()")
    if tensor.is_neg():
        raise ArgumentError(f"{name} shows its memory negated: pass {name}.resolve_neg()")
    if tensor.is_conj():
        raise ArgumentError(f"{name} shows its memory conjugated: pass {name}.resolve_conj()")


def address_of(tensor: Any, name: str) -> int:
    try:
        address = int(tensor.data_ptr())
    except RuntimeError as error:
        raise _without_memory(name) from error
    if not address and 0 not in tensor.shape:
        raise _without_memory(name)
    return address


def _without_memory(name: str) -> ArgumentTypeError:
    return ArgumentTypeError(f"{name} has no memory of its own, as what torch.vmap() or torch.compile() traces: "
                             "call this outside of them")
