"""Arguments of sort() and argsort() beside the array: they are checked whatever is sorted, and used or told of."""

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
