"""Structured arrays, and arrays that are mapped from files: sorted as records, within a given memory."""

import numpy as np
import pytest

import sortie

PEOPLE = np.dtype([("name", "S5"), ("age", "<i4"), ("height", ">f8"), ("id", "<u2"), ("here", "?")], align=False)


def people(count, seed=3):
    generator = np.random.default_rng(seed)
    table = np.zeros(count, PEOPLE)
    table["name"] = generator.integers(0, 50, count).astype("S5")
    table["age"] = generator.integers(-5, 5, count)
    table["height"] = generator.standard_normal(count).round(1)
    table["id"] = np.arange(count) % 60_000
    table["here"] = generator.integers(0, 2, count)
    return table


def stable_order(table, keys):
    """numpy.lexsort takes the first key last; a falling one is counted down."""
    return np.lexsort([-table[name].astype("f8") if falls else table[name] for name, falls in reversed(keys)])


@pytest.mark.parametrize("order, keys", [
    ("age", [("age", False)]),
    (["age", "height"], [("age", False), ("height", False)]),
    ([("age", "descending"), "name"], [("age", True), ("name", False)]),
    ([("height", "descending"), ("here", "ascending")], [("height", True), ("here", False)]),
    (("age", "descending"), [("age", True)]),
    (("age", "height"), [("age", False), ("height", False)]),
])
@pytest.mark.parametrize("count", [0, 1, 2, 20_000])
def test_structured_arrays_are_sorted_by_their_fields(count, order, keys):
    table = people(count)
    table["height"] += 0.0  # no -0.0, which comes before 0.0 here
    expected = table[stable_order(table, keys)]
    np.testing.assert_array_equal(sortie.sort(table, order=order), expected)
    assert sortie.sort(table, order=order, out=table) is table
    np.testing.assert_array_equal(table, expected)


def test_without_an_order_all_fields_count():
    table = people(1000)[["age", "here"]].copy()
    np.testing.assert_array_equal(sortie.sort(table), np.sort(table))


def test_descending_reverses_the_order_of_records():
    table = people(1000)
    falling = sortie.sort(table, order=["age", "id"], descending=True)
    np.testing.assert_array_equal(falling, sortie.sort(table, order=[("age", "descending"), ("id", "descending")]))


def test_padding_and_times_are_no_obstacle():
    table = np.zeros(100, np.dtype([("flag", "u1"), ("when", "datetime64[s]"), ("took", "timedelta64[ms]")],
                                   align=True))
    table["when"] = np.random.default_rng(1).integers(0, 1000, 100)
    np.testing.assert_array_equal(sortie.sort(table, order="when")["when"], np.sort(table["when"]))


def test_orders_that_do_not_suit_are_refused():
    table = people(10)
    with pytest.raises(ValueError, match="no field 'agE'; it has name, age"):
        sortie.sort(table, order="agE")
    with pytest.raises(ValueError, match="'ascending' or 'descending', not 'down'"):
        sortie.sort(table, order=[("age", "down")])
    for order in ([5], 5, [("age",)], [("age", "descending", "at_end")], [b"age"]):
        with pytest.raises(TypeError, match="order is made of names and of pairs such as"):
            sortie.sort(table, order=order)
    with pytest.raises(ValueError, match="33 fields, and 32 at most make up a key"):
        sortie.sort(np.zeros(3, [(f"f{i}", "i4") for i in range(33)]))
    for kind in ("U3", "c8", "2i4"):
        with pytest.raises(TypeError, match="field 'x' is of .* cannot be ordered"):
            sortie.sort(np.zeros(3, [("x", kind)]), order="x")
    with pytest.raises(TypeError, match="Python objects"):
        sortie.sort(np.zeros(3, [("x", "O"), ("y", "i4")]), order="y")
    with pytest.raises(TypeError, match="order is for structured arrays"):
        sortie.argsort(np.zeros(3), order="age")


@pytest.fixture
def mapped(tmp_path):
    """Makes a file of numbers with some bytes in front, and maps it."""
    def make(numbers, offset=0, mode="r+", name="numbers"):
        path = tmp_path / name
        path.write_bytes(b"#" * offset + numbers.tobytes())
        return np.memmap(path, numbers.dtype, mode, offset, len(numbers))
    return make


NUMBERS = np.random.default_rng(5).integers(-2**63, 2**63 - 1, 3_000_000)


@pytest.mark.parametrize("mode", ["r+", "c"])
@pytest.mark.parametrize("offset", [0, 8, 4096 * 3 + 16])
def test_a_mapped_array_is_sorted_in_place_within_its_memory(mapped, tmp_path, no_leftovers, mode, offset):
    array = mapped(NUMBERS, offset, mode)
    assert sortie.sort(array, out=array, memory="2MB", scratch=no_leftovers) is array
    np.testing.assert_array_equal(array, np.sort(NUMBERS))
    array.flush()
    in_file = (tmp_path / "numbers").read_bytes()
    assert in_file[:offset] == b"#" * offset
    expected = np.sort(NUMBERS) if mode == "r+" else NUMBERS
    assert in_file[offset:] == expected.tobytes()


def test_part_of_a_mapped_array_leaves_the_rest_alone(mapped):
    array = mapped(NUMBERS)
    part = array[1000:-1001]
    sortie.sort(part, out=part, memory="2MB", descending=True)
    np.testing.assert_array_equal(array[1000:-1001], np.sort(NUMBERS[1000:-1001])[::-1])
    np.testing.assert_array_equal(array[:1000], NUMBERS[:1000])
    np.testing.assert_array_equal(array[-1001:], NUMBERS[-1001:])


def test_a_mapped_array_is_sorted_into_another_or_into_memory(mapped):
    array = mapped(NUMBERS, mode="r")
    other = mapped(np.zeros_like(NUMBERS), 16, name="other")
    sortie.sort(array, out=other, memory="2MB")
    np.testing.assert_array_equal(other, np.sort(NUMBERS))
    np.testing.assert_array_equal(sortie.sort(array), np.sort(NUMBERS))
    np.testing.assert_array_equal(array, NUMBERS)


def test_a_file_takes_the_result(mapped, tmp_path):
    result = sortie.sort(mapped(NUMBERS, mode="r"), out=tmp_path / "sorted", memory="2MB")
    assert isinstance(result, np.memmap)
    np.testing.assert_array_equal(result, np.sort(NUMBERS))
    np.testing.assert_array_equal(np.fromfile(tmp_path / "sorted", "int64"), np.sort(NUMBERS))
    assert len(sortie.sort(np.empty(0), out=tmp_path / "empty")) == 0


def test_a_mapped_array_of_records_is_sorted_in_place(mapped):
    table = people(50_000)
    array = mapped(table, 32)
    sortie.sort(array, order=["age", "name"], out=array, memory="1MB")
    np.testing.assert_array_equal(array, table[stable_order(table, [("age", False), ("name", False)])])


def test_a_mapped_array_cannot_be_written_where_it_is_read_only(mapped):
    array = mapped(NUMBERS[:10], mode="r")
    with pytest.raises(ValueError, match="read-only"):
        sortie.sort(array, out=array)


def test_a_sort_within_memory_tells_its_progress(mapped):
    told = []
    sortie.sort(mapped(NUMBERS), memory="2MB", progress=lambda *news: told.append(news[0]), engine="cpu")
    assert "forming runs" in told and "merging" in told


def test_a_field_may_be_called_like_a_direction():
    table = np.zeros(3, [("x", "i4"), ("descending", "i4")])
    table["x"] = [2, 3, 1]
    assert sortie.sort(table)["x"].tolist() == [1, 2, 3]


def test_holes_of_a_mapped_array_on_a_full_disk_are_an_error(small_disk):
    """Writing to a hole would end the process by SIGBUS."""
    told = small_disk.run("""
import sys, numpy as np, sortie
numbers = np.arange(1_000_000)[::-1].copy()
out = np.memmap(sys.argv[1], "int64", "w+", 24, (1_000_000,))
for target, options in ((out, {}), (out, {"memory": "1MB"})):
    try:
        sortie.sort(numbers, out=target, **options)
    except sortie.Error as error:
        print(error)
part = out[10_000:20_000]
sortie.sort(numbers[:10_000], out=part)
assert (part == np.sort(numbers[:10_000])).all()
""", small_disk.path / "out")
    assert told.returncode == 0, told.stderr
    message = f"cannot write '{small_disk.path / 'out'}': No space left on device; free space, or name another out\n"
    assert told.stdout == message * 2


def test_a_warning_names_the_line_that_called(mapped, tmp_path, monkeypatch):
    from sortie import _native

    def warning_sort(array, target, arguments, on_progress, on_warning, *rest):
        on_warning("little space")
    monkeypatch.setattr(_native, "sort_buffer", warning_sort)
    with pytest.warns(sortie.SortWarning, match="little space") as warned:
        sortie.sort(NUMBERS[:10], memory="1MB")
    assert warned[0].filename == __file__


def test_resident_memory_stays_within_what_was_given(tmp_path, run_python):
    """A file of 200 MB in 20 MB: the pages of the file are given back."""
    numbers = np.random.default_rng(6).integers(0, 2**63, 25_000_000)
    numbers.tofile(tmp_path / "numbers")
    program = """
import resource, sys
import numpy as np, sortie
array = np.memmap(sys.argv[1], "int64", "r+")
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
sortie.sort(array, out=array, memory="20MB", scratch=sys.argv[2], threads=2)
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""
    told = run_python(program, tmp_path / "numbers", tmp_path)
    assert told.returncode == 0, told.stderr
    assert int(told.stdout) < 20 + 64
    np.testing.assert_array_equal(np.fromfile(tmp_path / "numbers", "int64"), np.sort(numbers))


def test_an_out_with_the_name_of_a_packed_file_holds_bare_numbers(tmp_path):
    numbers = np.array([3, 1, 2])
    np.testing.assert_array_equal(sortie.sort(numbers, out=tmp_path / "x.gz"), [1, 2, 3])
    with pytest.raises(ValueError, match="name a file"):
        sortie.sort(numbers, out="-")
