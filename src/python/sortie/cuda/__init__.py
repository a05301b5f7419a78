"""Sorts, merges and selections of arrays that lie in the memory of a GPU.

    import torch
    import sortie.cuda

    x = torch.randn(1 << 24, device="cuda")
    values, indices = sortie.cuda.sort_with_indices(x, descending=True)

Arrays are those of PyTorch, CuPy, JAX and numba, and of whatever has `__cuda_array_interface__` or DLPack: of one
dimension, with items side by side; sort(), argsort() and sort_with_indices() take more, and sort along one of them.
Results are arrays of the same library on the same device; of a library that is not known, a DeviceArray, which has both
protocols. Nothing is copied through the host. All arrays of a call are of one library and on one device, which need not
be the current one; arrays without items, too, where their library tells it.

Keys are of all integer types, bool, float16, bfloat16, float32 and float64. Sorts and merges are stable, in either
direction, and take any number of items, beyond 2^32 too (rows and segments of 64-bit keys: fewer than 2^32).
float_order says how floats are ordered, and all come back bit for bit:

- "value", the default, as torch.sort() and numpy.sort() do: -inf, ..., -0.0 and 0.0, ..., inf, NaN. Zeros are equal,
  and so are NaNs of either sign: they keep their order, but in sort() of one dimension or of rows of up to 4096 items,
  and in merge() of 16-bit floats without values, where -0.0 come before 0.0, or behind them if descending.
- "total", the total order of IEEE 754: -NaN, -inf, ..., -0.0, +0.0, ..., +inf, +NaN. This is the order of sortie.sort()
  for arrays of the host. It spares a read of the keys where values go with them, and a copy in merge().

unique() and the functions of sets, as union(), keep one item of those that are equal: by value one zero, and one NaN.

Work is queued in the stream that is current in PyTorch or CuPy; for other arrays in `stream` (an int, a cudaStream_t,
or an object with `__cuda_stream__`), else in the stream that `__cuda_array_interface__` of the first array with items
names, else in the legacy default stream, as for JAX. It waits there for the streams that arrays name. A stream must
outlive the arrays that were made in it. Calls return at once, with these exceptions: unique() and the functions of
sets, as union(), wait for the number of their items; what comes by DLPack, as arrays of JAX, cannot be given back
before it has been read, so these calls wait for their work; and memory that a DeviceArray has shown to others is given
back when the device is idle.

Work can be captured into CUDA graphs once a call like it has run; unique() and the functions of sets refuse it. With
`import sortie.cuda.torch_operators`, PyTorch has sorts as operators that torch.compile() takes.

Positions are int64; JAX makes int32 of them unless jax_enable_x64 is set. Tensors that only show what lies in memory
in another way, as conj() does, are refused, and so are sparse and nested ones. What sort() writes to `out` is told to
PyTorch's autograd.

Scratch and results come from the library's own pool (PyTorch, CuPy), else from CUDA's. sort(), argsort() and
sort_with_indices() of up to 4096 items, or of rows of as many, are one launch and take no scratch. Beside the result a
longer sort takes as much memory again, and less than 40 MB; argsort() the keys twice and the positions once;
sort_pairs() with several arrays of values 8 bytes an item and the keys once; lexsort() 24 bytes a row;
argsort_strings() 32 bytes a string; unique() the items twice. What unique() and the functions of sets return is written
to an array with room for all that may be kept, and copied from there unless that is used to a quarter, or has less than
1 MiB. Floats by value take the keys once more in sort_pairs(), segmented_sort() and sorts of longer rows, and twice
more in merge().

Raises ArgumentTypeError, a TypeError, and ArgumentError, a ValueError, for arrays that are refused, OutOfMemoryError
for lack of the device's memory, and Error if there is no GPU engine, no driver or no GPU; no array is changed then.
What PyTorch or CuPy raise for lack of memory passes through. Failures of work that was queued show when the stream is
synchronised, as with all work in streams."""

from .device_array import DeviceArray
from .lists import difference, intersection, merge, symmetric_difference, union
from .pairs import Pairs, sort_pairs
from .rows import argsort_strings, lexsort
from .segments import segmented_sort
from .selections import top_k, unique
from .sorts import Sorted, argsort, sort, sort_with_indices

__all__ = ["DeviceArray", "Pairs", "Sorted", "argsort", "argsort_strings", "difference", "intersection", "lexsort",
           "merge", "segmented_sort", "sort", "sort_pairs", "sort_with_indices", "symmetric_difference", "top_k",
           "union", "unique"]
