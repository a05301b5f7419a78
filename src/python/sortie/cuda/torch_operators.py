"""Operators of PyTorch that torch.compile() takes, where functions of sortie.cuda would break the graph:

    import sortie.cuda.torch_operators

    @torch.compile
    def ranked(scores):
        values, indices = torch.ops.sortie.sort_with_indices(scores, descending=True)
        return values.cumsum(0), indices

torch.ops.sortie has sort, argsort, sort_with_indices, sort_pairs, segmented_sort and top_k, with the arguments of
sortie.cuda's functions but for `stream` and `out`, and one tensor of values: they work in the current stream. Tensors
need not be contiguous. Values of sort_with_indices and top_k pass gradients on, as those of torch.sort() do; the others
have none. torch.func.jvp() sees zeros of all of them. What they refuse they refuse when they run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._needed_modules import import_torch
from .pairs import sort_pairs
from .segments import segmented_sort
from .selections import top_k
from .sorts import argsort, sort, sort_with_indices

torch = import_torch("sortie.cuda.torch_operators")


def _define(name: str, schema: str, run: Callable[..., Any], fake: Callable[..., Any]) -> Any:
    """fake: gives tensors of the shapes and types of the results."""
    operator = torch.library.custom_op(f"sortie::{name}", run, mutates_args=(), device_types="cuda", schema=schema)
    operator.register_fake(fake)
    return operator


def _plain(tensor: Any) -> Any:
    """What sortie.cuda takes; gradients are the operator's."""
    return tensor.detach().contiguous()


def _like(tensor: Any) -> Any:
    return torch.empty_like(tensor, memory_format=torch.contiguous_format, requires_grad=False)


def _indices_like(tensor: Any) -> Any:
    return torch.empty_like(tensor, dtype=torch.int64, memory_format=torch.contiguous_format, requires_grad=False)


_OPTIONS = "bool descending=False, str float_order='value'"

_define("sort", f"(Tensor x, *, int dim=-1, {_OPTIONS}) -> Tensor",
        lambda x, **options: sort(_plain(x), **options).contiguous(),
        lambda x, **options: _like(x))

_define("argsort", f"(Tensor x, *, int dim=-1, {_OPTIONS}) -> Tensor",
        lambda x, **options: argsort(_plain(x), **options).contiguous(),
        lambda x, **options: _indices_like(x))

_sort_with_indices = _define("sort_with_indices", f"(Tensor x, *, int dim=-1, {_OPTIONS}) -> (Tensor, Tensor)",
                             lambda x, **options: tuple(result.contiguous() for result in
                                                        sort_with_indices(_plain(x), **options)),
                             lambda x, **options: (_like(x), _indices_like(x)))

_define("sort_pairs", f"(Tensor keys, Tensor values, *, {_OPTIONS}) -> (Tensor, Tensor)",
        lambda keys, values, **options: tuple(sort_pairs(_plain(keys), _plain(values), **options)),
        lambda keys, values, **options: (_like(keys), _like(values)))

_define("segmented_sort", f"(Tensor keys, Tensor offsets, *, {_OPTIONS}) -> Tensor",
        lambda keys, offsets, **options: segmented_sort(_plain(keys), _plain(offsets), **options),
        lambda keys, offsets, **options: _like(keys))

_top_k = _define("top_k", "(Tensor x, SymInt k, *, bool largest=True, str float_order='value') -> (Tensor, Tensor)",
                 lambda x, k, **options: tuple(top_k(_plain(x), k, **options)),
                 lambda x, k, **options: (x.new_empty((k,)), x.new_empty((k,), dtype=torch.int64)))


def _keep_indices(ctx: Any, inputs: Any, keyword_only_inputs: Any, output: Any) -> None:
    ctx.shape = inputs[0].shape
    ctx.dim = keyword_only_inputs.get("dim", -1)
    ctx.save_for_backward(output[1])


def _to_where_they_were(ctx: Any, gradients: Any, _: Any) -> Any:
    """The gradient of items that were moved: each goes to where the item was."""
    indices, = ctx.saved_tensors
    return gradients.new_zeros(ctx.shape).scatter(ctx.dim, indices, gradients)


_sort_with_indices.register_autograd(_to_where_they_were, setup_context=_keep_indices)
_top_k.register_autograd(lambda ctx, gradients, _: (_to_where_they_were(ctx, gradients, _), None),
                         setup_context=_keep_indices)
