"""Arguments of sort() and argsort() beside the array: they are checked whatever is sorted, and used or told of."""

import tracemalloc

import numpy as np
import pytest

import sortie

ARRAYS = [np.array(["NaT"], "M8[s]"), np.array([b"abcdefghij"]), np.array(["abcdefghij"]), np.array(["a"], object),
          np.array([[2, 1]]), np.zeros(0), np.zeros(2, [("a", "i4")]), np.zeros(2, "S0"), np.arange(3)]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: str(array.dtype))
@pytest.mark.parametrize("function", ["sort", "argsort"])
def test_arguments_are_checked_whatever_is_sorted(array, function):
    call = getattr(sortie, function)
    for argument in ({"descending": "yes"}, {"threads": "x"}, {"threads": -1}, {"threads": 0}, {"threads": 1.5}):
        with pytest.raises(sortie.Error, match=next(iter(argument))) as raised:
            call(array, **argument)
        assert isinstance(raised.value, (TypeError, ValueError))
    with pytest.raises(ValueError, match="engine"):
        call(array, engine="abacus")
    call(array, descending=np.True_, threads=np.int64(1))


def test_an_out_with_several_items_at_one_place_is_refused():
    tricks = np.lib.stride_tricks
    windows = tricks.sliding_window_view(np.zeros(6, "i8"), 3, writeable=True)
    for values, out in ((np.arange(4), tricks.as_strided(np.zeros(1, "i8"), (4,), (0,))),
                        (np.arange(12).reshape(4, 3), windows)):
        for function in (sortie.sort, sortie.argsort):
            with pytest.raises(ValueError, match="several items at one place"):
                function(values, out=out)
    values = np.random.default_rng(1).permutation(3 * 4 * 5)
    room = np.zeros((6, 8, 10), "i8")
    for out in (room[::-2, ::2, ::2].transpose(2, 0, 1), room[:3, :5, 2:6].swapaxes(1, 2)):
        given = values[:out.size].reshape(out.shape)
        np.testing.assert_array_equal(sortie.sort(given, out=out), np.sort(given))


def test_a_matrix_is_an_array_of_two_dimensions():
    values = [[2, 1], [4, 3]]
    matrix = np.asmatrix(values)
    for options in ({}, {"memory": "32MB"}):
        for axis in (-1, 0, None):
            np.testing.assert_array_equal(sortie.sort(matrix, axis, **options), np.sort(values, axis))
            np.testing.assert_array_equal(sortie.argsort(matrix, axis, **options), np.argsort(values, axis))
    sortie.sort(np.array(values), out=matrix)
    assert matrix.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize("function", ["sort", "argsort"])
def test_items_of_no_bytes_are_equal(function):
    call = getattr(sortie, function)
    for options in ({}, {"memory": "32MB"}):
        for dtype in ("V0", "S0", [("s", "S0")], [("s", "S0"), ("v", "V0")]):
            found = call(np.zeros(3, dtype), **options)
            assert found.tolist() == ([0, 1, 2] if function == "argsort" else np.zeros(3, dtype).tolist())
        records = np.array([(b"", 2), (b"", 1)], [("s", "V0"), ("a", "i4")])
        assert call(records, **options).tolist() == ([1, 0] if function == "argsort" else [(b"", 1), (b"", 2)])
        assert call(records, order="s", **options).tolist() == ([0, 1] if function == "argsort" else records.tolist())


def test_items_of_no_bytes_make_no_file(tmp_path):
    with pytest.raises(ValueError, match="nothing that a file could be sorted by"):
        sortie.sort(np.zeros(3, "V0"), out=tmp_path / "out")


def test_sorting_nat_within_memory_takes_no_array_of_them():
    values = np.full(1 << 20, "NaT", "M8[s]")
    values[::2] = np.arange(1 << 19)[::-1].astype("M8[s]")
    for falls in (False, True):
        out = np.zeros(1 << 20, "M8[s]")
        tracemalloc.start()
        sortie.sort(values, out=out, memory="32MB", descending=falls)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert most < 1 << 20
        expected = np.sort(values)
        np.testing.assert_array_equal(out, expected[::-1] if falls else expected)
        order = sortie.argsort(values, memory="32MB", descending=falls)
        np.testing.assert_array_equal(values[order], out)


@pytest.mark.parametrize("stride", [1, 2, -1])
def test_indexes_within_memory_take_no_array_of_them(stride):
    """Neither where they lie apart nor where most of the times are NaT, whose indexes are moved."""
    values = np.full(1 << 20, "NaT", "M8[s]")
    values[::8] = np.arange(1 << 17)[::-1].astype("M8[s]")
    for falls in (False, True):
        out = np.zeros(2 << 20 if stride == 2 else 1 << 20, "int64")[::stride]
        tracemalloc.start()
        sortie.argsort(values, out=out, memory="32MB", descending=falls)
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert most < 2 << 20
        nat, times = np.flatnonzero(np.isnat(values)), np.arange(0, 1 << 20, 8)
        np.testing.assert_array_equal(out, [*nat, *times] if falls else [*times[::-1], *nat])


def test_indexes_may_lie_between_the_values():
    both = np.arange(2000)[::-1].copy()
    values, out = both[::2], both[1::2]
    expected = np.argsort(values, kind="stable")
    sortie.argsort(values, out=out, memory="1MB")
    np.testing.assert_array_equal(out, expected)
