"""What sortie.cuda refuses of arrays of PyTorch and JAX, and what it tells PyTorch: checks for python_cuda."""

import sortie
import sortie.cuda

FUNCTIONS = (sortie.cuda.sort, sortie.cuda.argsort, sortie.cuda.sort_with_indices, sortie.cuda.unique,
             lambda x: sortie.cuda.top_k(x, 2), lambda x: sortie.cuda.merge([x, x]),
             lambda x: sortie.cuda.sort(x, dim=0))


def expect_refused(call, told):
    try:
        call()
    except (sortie.ArgumentError, sortie.ArgumentTypeError) as error:
        assert told in str(error), error
        return
    raise AssertionError(f"nothing was refused: {told}")


def check_captures(torch, values):
    """What waits is refused in a capture, which goes on."""
    x = torch.from_numpy(values).to("cuda")
    sortie.cuda.unique(x), sortie.cuda.sort(x)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for call in (lambda: sortie.cuda.unique(x[:100]), lambda: sortie.cuda.unique(x),
                     lambda: sortie.cuda.union(x, x)):
            expect_refused(call, "captured into a graph")
        captured = sortie.cuda.sort(x)
    graph.replay()
    torch.cuda.synchronize()
    assert torch.equal(captured, torch.sort(x).values)


def check_other_forms(torch):
    """Tensors that are sparse, nested, without memory, or whose memory holds other numbers."""
    x = torch.arange(6., device="cuda")
    lists = [x, x[1:]]
    for function in FUNCTIONS:
        for given, told in ((torch._neg_view(x), "resolve_neg()"), (x.to_sparse(), "to_dense()"),
                            (torch.nested.nested_tensor(lists), "is nested"),
                            (torch.nested.nested_tensor(lists, layout=torch.jagged), "is nested")):
            expect_refused(lambda: function(given), told)
        expect_refused(lambda: torch.vmap(function)(x.view(2, 3)), "has no memory of its own")
    expect_refused(lambda: sortie.cuda.sort(x.view(2, 3).to_sparse_csr()), "to_dense()")
    expect_refused(lambda: sortie.cuda.sort_pairs(x, x.to(torch.complex64).conj()), "resolve_conj()")


def check_written(torch):
    """A gradient of numbers that were changed since they were saved is an error of PyTorch's."""
    factor = torch.randn(5, device="cuda", requires_grad=True)
    saved = factor * 1
    total = (saved * saved).sum()
    sortie.cuda.sort(saved.detach(), out=saved.detach())
    try:
        total.backward()
    except RuntimeError as error:
        assert "modified by an inplace operation" in str(error), error
        return
    raise AssertionError("a gradient was made of other numbers")


def check_numberless(jax):
    for told, x in (("jax.random.key_data()", jax.random.key(0)),
                    ("no DLPack equivalent", jax.numpy.arange(8).astype(jax.numpy.int4))):
        for function in (sortie.cuda.sort, sortie.cuda.unique):
            expect_refused(lambda: function(x), told)
    gone = jax.numpy.arange(8) + 1
    gone.delete()
    expect_refused(lambda: sortie.cuda.sort(gone), "was deleted")
