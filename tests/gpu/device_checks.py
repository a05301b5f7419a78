"""What each library's arrays must give on a GPU: results of sortie.cuda against NumPy's, for tests/gpu/python_cuda."""

import itertools

import numpy

import sortie.cuda
from device_stand_in import (FIRST_BY_VALUE, KEY_TYPES, MOST_ITEMS_OF_SHORT_ROW, SET_OPERATIONS, kept_of, names_of,
                             order_of, order_of_bare_keys, string_order)

TYPES = [name for name in KEY_TYPES[:FIRST_BY_VALUE] if name]
FLOAT_TYPES = [name for name in TYPES if name.startswith("float")]
TOTAL = {"float_order": "total"}  # of floats with any bits, as order_of() has them
# Around the tiles of the kernels, and where one kind of sort takes over from another.
COUNTS = (0, 1, 2, 3, 255, 1023, 1024, 1025, 4097, 65_537, 1_000_003)
FEW_COUNTS = (0, 1, 1000, 300_007)


def expect(what, got, wanted):
    wanted = numpy.ascontiguousarray(wanted)
    if got.dtype != wanted.dtype or got.shape != wanted.shape:
        raise AssertionError(f"{what}: {got.dtype}{got.shape} in place of {wanted.dtype}{wanted.shape}")
    if got.tobytes() != wanted.tobytes():
        rows = [array.reshape(len(wanted), -1).view("uint8").reshape(len(wanted), -1) for array in (got, wanted)]
        first = int(numpy.flatnonzero((rows[0] != rows[1]).any(1))[0])
        raise AssertionError(f"{what}: item {first} of {len(wanted)} is {got[first]} in place of {wanted[first]}")


def numbers(dtype, count, seed=1):
    """Any bits, NaNs and both zeros among them, or in every other seed few values."""
    random = numpy.random.default_rng(seed)
    if seed % 2:
        return random.integers(0, 256, count * numpy.dtype(dtype).itemsize, "uint8").view(dtype)
    return random.integers(0, 50, count).astype(dtype)


class Side:
    """How a library takes arrays of NumPy and gives them back."""

    def __init__(self, to_device, to_host, wait):
        self.to_device, self.to_host, self.wait = to_device, to_host, wait

    def get(self, array):
        self.wait()
        return self.to_host(array)


def check_all(side, types, kinds):
    """Every function, for arrays of a library that has these types of keys, and these of values."""
    floats_of_side = [name for name in types if name in FLOAT_TYPES]
    few, wide = types[::3], [name for name in types if numpy.dtype(name).itemsize > 2][:2]
    check_sorts(side, types, FEW_COUNTS)
    check_pairs(side, few, FEW_COUNTS, kinds)
    check_columns(side, wide[:1], (0, 1, 30_007))
    check_row_sorts(side, few, ((0, 5), (1000, 3), (50, 1024), (7, 5000)))
    check_merges(side, few)
    check_selections(side, few, FEW_COUNTS)
    check_segments(side, few, FEW_COUNTS)
    check_sets(side, few[:2])
    check_rows(side, (wide, types[:3]), FEW_COUNTS)
    check_strings(side, ("int32", "int64"), FEW_COUNTS)
    check_float_orders(side, floats_of_side, (0, 1, 1000, 50_007))


def check_sorts(side, types, counts):
    for dtype, count, descending in itertools.product(types, counts, (False, True)):
        values = numbers(dtype, count, count + descending)
        order, what = order_of(values, descending), f"{dtype} x {count}, {'descending' if descending else 'ascending'}"
        x = side.to_device(values)
        expect(f"sort of {what}", side.get(sortie.cuda.sort(x, descending=descending, **TOTAL)), values[order])
        expect(f"argsort of {what}", side.get(sortie.cuda.argsort(x, descending=descending, **TOTAL)), order)
        in_order, indices = sortie.cuda.sort_with_indices(x, descending=descending, **TOTAL)
        expect(f"values of {what}", side.get(in_order), values[order])
        expect(f"indices of {what}", side.get(indices), order)
        expect(f"x after {what}", side.get(x), values)


def floats(dtype, count, seed):
    """Few values, with both zeros, infinities, and NaNs of either sign with other bits."""
    random = numpy.random.default_rng(seed)
    values = random.integers(-300, 300, count).astype(dtype)
    values[random.random(count) < 0.1] = 0
    values[random.random(count) < 0.1] = numpy.inf
    values[random.random(count) < 0.1] = numpy.nan
    bits = values.view(f"u{values.itemsize}")
    bits |= (random.integers(0, 2, count) << (8 * values.itemsize - 1)).astype(bits.dtype)
    bits[numpy.isnan(values)] |= random.integers(0, 4, int(numpy.isnan(values).sum())).astype(bits.dtype)
    return values


def check_float_orders(side, types, counts):
    """By value, in all functions that know this order."""
    for dtype, count, descending in itertools.product(types, counts, (False, True)):
        values, what = floats(dtype, count, count), f"{dtype} x {count} by value, {'descending' if descending else ''}"
        order, options = order_of(values, descending, True), {"descending": descending}
        x, positions = side.to_device(values), numpy.arange(count, dtype="int32")
        bare = values[order_of_bare_keys(values, descending, True)]
        expect(f"sort of {what}", side.get(sortie.cuda.sort(x, **options)), bare)
        expect(f"argsort of {what}", side.get(sortie.cuda.argsort(x, **options)), order)
        both = sortie.cuda.sort_with_indices(x, **options)
        expect(f"values of {what}", side.get(both.values), values[order])
        expect(f"indices of {what}", side.get(both.indices), order)
        pairs = sortie.cuda.sort_pairs(x, side.to_device(positions), **options)
        expect(f"keys of {what}", side.get(pairs.keys), values[order])
        expect(f"pairs of {what}", side.get(pairs.values), positions[order])
        expect(f"rows of {what}", side.get(sortie.cuda.lexsort([x], **options)), order)
        top = sortie.cuda.top_k(x, count // 7, largest=descending)
        expect(f"top of {what}", side.get(top.values), values[order[:count // 7]])
        expect(f"positions of top of {what}", side.get(top.indices), order[:count // 7])
        cut = count // 3
        halves = [half[order_of(half, descending, True)] for half in (values[:cut], values[cut:])]
        joined = numpy.concatenate(halves)
        offsets = side.to_device(numpy.array([0, cut, count]))
        expect(f"segments of {what}", side.get(sortie.cuda.segmented_sort(x, offsets, **options)), joined)
        wanted = (order_of_bare_keys if dtype == "float16" else order_of)(joined, descending, True)
        merged = sortie.cuda.merge([side.to_device(half) for half in halves], **options)
        expect(f"merge of {what}", side.get(merged), joined[wanted])
        check_floats_once(side, values, halves, what, descending)
        expect(f"x after {what}", side.get(x), values)


def check_floats_once(side, values, halves, what, descending):
    """halves: sorted by value."""
    if not descending:
        order = order_of_bare_keys(values, False, True)
        expect(f"unique of {what}", side.get(sortie.cuda.unique(side.to_device(values))), firsts(values[order]))
        rows = numpy.arange(len(values), dtype="int16")
        both, order = sortie.cuda.unique(side.to_device(values), side.to_device(rows)), order_of(values, False, True)
        expect(f"values of unique of {what}", side.get(both.values), rows[order][is_first(values[order])])
    if len(values) > 100_000:
        return  # kept_of() takes its time
    for name in SET_OPERATIONS:
        kept = kept_of(name, *halves, descending, True)
        result = getattr(sortie.cuda, name)(*map(side.to_device, halves), descending=descending)
        expect(f"{name} of {what}", side.get(result), numpy.concatenate(halves)[kept])


def is_first(in_order):
    names = names_of(in_order, True)
    return numpy.concatenate([[True], names[1:] != names[:-1]])[:len(names)]


def firsts(in_order):
    return in_order[is_first(in_order)]


def check_row_sorts(side, types, shapes):
    for dtype, shape, descending in itertools.product(types, shapes, (False, True)):
        values, what = numbers(dtype, shape[0] * shape[1], 2).reshape(shape), f"{dtype} x {shape}"
        order = numpy.empty(shape, "int64")
        for row in range(shape[0]):
            order[row] = order_of(values[row], descending)
        x, wanted = side.to_device(values), numpy.take_along_axis(values, order, 1)
        expect(f"rows of {what}", side.get(sortie.cuda.sort(x, descending=descending)), wanted)
        expect(f"argsort of rows of {what}", side.get(sortie.cuda.argsort(x, descending=descending)), order)
        both = sortie.cuda.sort_with_indices(x, descending=descending)
        expect(f"values of rows of {what}", side.get(both.values), wanted)
        expect(f"indices of rows of {what}", side.get(both.indices), order)


def check_float_rows(side, types, shapes):
    """By value. Without indices short rows are as sort() of one dimension has them."""
    for dtype, shape, descending in itertools.product(types, shapes, (False, True)):
        values, what = floats(dtype, shape[0] * shape[1], 5).reshape(shape), f"{dtype} x {shape} by value"
        bare_order = order_of_bare_keys if shape[1] <= MOST_ITEMS_OF_SHORT_ROW else order_of
        order = numpy.array([order_of(row, descending, True) for row in values])
        bare = numpy.array([bare_order(row, descending, True) for row in values])
        x = side.to_device(values)
        expect(f"rows of {what}", side.get(sortie.cuda.sort(x, descending=descending)),
               numpy.take_along_axis(values, bare, 1))
        expect(f"argsort of rows of {what}", side.get(sortie.cuda.argsort(x, descending=descending)), order)
        both = sortie.cuda.sort_with_indices(x, descending=descending)
        expect(f"values of rows of {what}", side.get(both.values), numpy.take_along_axis(values, order, 1))
        expect(f"indices of rows of {what}", side.get(both.indices), order)


def check_columns(side, types, counts):
    for dtype, count in itertools.product(types, counts):
        keys = numbers(dtype, count, 2)
        columns = {kind: numpy.arange(3 * count).astype(kind).reshape(count, 3) for kind in ("uint8", "int16")}
        columns |= {kind: numpy.arange(count).astype(kind) for kind in ("float32", "int64", "complex128")}
        order, what = order_of(keys, True), f"{dtype} x {count}"
        result = sortie.cuda.sort_pairs(side.to_device(keys), {kind: side.to_device(each)
                                                               for kind, each in columns.items()}, descending=True)
        expect(f"keys of columns of {what}", side.get(result.keys), keys[order])
        for kind, column in columns.items():
            expect(f"column {kind} of {what}", side.get(result.values[kind]), column[order])


def check_pairs(side, types, counts, kinds):
    for dtype, count, kind in itertools.product(types, counts, kinds):
        keys, values = numbers(dtype, count, 2), numpy.arange(count * 3, dtype="int64").astype(kind)
        values = values.reshape(count, 3) if kind == "int16" else values[:count]
        order = order_of(keys, True)
        result = sortie.cuda.sort_pairs(side.to_device(keys), side.to_device(values), descending=True, **TOTAL)
        expect(f"keys {dtype} with {kind}", side.get(result.keys), keys[order])
        expect(f"values {kind} of {dtype}", side.get(result.values), values[order])


def check_merges(side, types):
    for dtype, lengths, descending in itertools.product(
            types, ((1000,), (3000, 5000), (0, 7, 0, 70_000, 1), tuple(range(100, 117)), (31,) * 300), (False, True)):
        lists = [numbers(dtype, length, 2 * i) for i, length in enumerate(lengths)]
        lists = [keys[order_of(keys, descending)] for keys in lists]
        values = [numpy.arange(len(keys), dtype="int64") + 1_000_000 * i for i, keys in enumerate(lists)]
        all_keys, all_values = numpy.concatenate(lists), numpy.concatenate(values)
        order, arrays = order_of(all_keys, descending), [side.to_device(keys) for keys in lists]
        what = f"{len(lists)} lists of {dtype}"
        expect(f"merge of {what}", side.get(sortie.cuda.merge(arrays, descending=descending, **TOTAL)), all_keys[order])
        columns = [side.to_device(each) for each in values]
        merged = sortie.cuda.merge(arrays, columns, descending=descending, **TOTAL)
        expect(f"keys of {what}", side.get(merged.keys), all_keys[order])
        expect(f"values of {what}", side.get(merged.values), all_values[order])
        rows = [numpy.stack([each, each, -each], 1) for each in values]
        columns = [side.to_device(each) for each in rows]
        merged = sortie.cuda.merge(arrays, columns, descending=descending, **TOTAL)
        expect(f"rows of {what}", side.get(merged.values), numpy.concatenate(rows)[order])


def check_segments(side, types, counts):
    for dtype, count, descending in itertools.product(types, counts, (False, True)):
        keys, values = numbers(dtype, count, count + descending), numpy.arange(count, dtype="int64")
        cuts = numpy.random.default_rng(3).integers(0, count + 1, count // 50)
        for bounds in ([], cuts, numpy.concatenate([cuts[:5], cuts[:5]])):
            offsets = numpy.concatenate([[0], numpy.sort(bounds), [count]]).astype("int64")
            order = order_of(keys, descending)
            segments = numpy.searchsorted(offsets, order, "right")
            order = order[numpy.argsort(segments, kind="stable")]
            what = f"{len(offsets) - 1} segments of {dtype} x {count}"
            x, at = side.to_device(keys), side.to_device(offsets)
            expect(what, side.get(sortie.cuda.segmented_sort(x, at, descending=descending, **TOTAL)), keys[order])
            both = sortie.cuda.segmented_sort(x, at, side.to_device(values), descending=descending, **TOTAL)
            expect(f"keys of {what}", side.get(both.keys), keys[order])
            expect(f"values of {what}", side.get(both.values), values[order])


def check_sets(side, types):
    all_lengths = ((0, 0), (0, 9), (2047, 2049), (50_001, 300))
    for dtype, lengths, descending in itertools.product(types, all_lengths, (False, True)):
        a, b = (numbers(dtype, length, 2 * i) for i, length in enumerate(lengths, 1))
        a, b = a[order_of(a, descending)], b[order_of(b, descending)]
        rows = [numpy.arange(3 * len(keys), dtype="int16").reshape(-1, 3) for keys in (a, b)]
        arrays, values = [side.to_device(keys) for keys in (a, b)], [side.to_device(each) for each in rows]
        for name in SET_OPERATIONS:
            kept, combine = kept_of(name, a, b, descending), getattr(sortie.cuda, name)
            what = f"{name} of {dtype} x {lengths}, {'descending' if descending else 'ascending'}"
            expect(what, side.get(combine(*arrays, descending=descending)), numpy.concatenate([a, b])[kept])
            both = combine(*arrays, values, descending=descending)
            expect(f"keys of {what}", side.get(both.keys), numpy.concatenate([a, b])[kept])
            expect(f"values of {what}", side.get(both.values), numpy.concatenate(rows)[kept])


def check_rows(side, tables, counts):
    """tables: the types of each one's columns."""
    for dtypes, count in itertools.product(tables, counts):
        columns = [numbers(dtype, count, 2 * i) for i, dtype in enumerate(dtypes)]
        arrays = [side.to_device(column) for column in columns]
        falls = [i % 2 == 1 for i in range(len(columns))]
        order = numpy.arange(count)
        for column, descending in zip(columns, falls):  # the last decides
            order = order[order_of(column[order], descending)]
        rows = sortie.cuda.lexsort(arrays, descending=falls, **TOTAL)
        expect(f"lexsort of {dtypes} x {count}", side.get(rows), order)
        expect(f"rising lexsort of {dtypes} x {count}", side.get(sortie.cuda.lexsort(arrays)), numpy.lexsort(columns))


def check_strings(side, offset_types, counts):
    for offset_type, count, descending in itertools.product(offset_types, counts, (False, True)):
        random = numpy.random.default_rng(count)
        lengths = random.integers(0, 20, count)
        data = random.integers(0, 4, int(lengths.sum()) + 5, "uint8") * 85
        offsets = (numpy.concatenate([[0], numpy.cumsum(lengths)]) + 5).astype(offset_type)
        held = data.tobytes()
        order = string_order([held[a:b] for a, b in itertools.pairwise(offsets.tolist())], descending)
        positions = sortie.cuda.argsort_strings(side.to_device(data), side.to_device(offsets), descending=descending)
        expect(f"{count} strings with {offset_type}", side.get(positions), numpy.array(order, "int64"))


def check_selections(side, types, counts):
    for dtype, count in itertools.product(types, counts):
        values = numbers(dtype, count, count)
        x = side.to_device(values)
        bits = values[order_of(values, False)].view(f"u{values.itemsize}")
        kept = bits[numpy.concatenate([[True], bits[1:] != bits[:-1]])] if count else bits
        expect(f"unique of {dtype} x {count}", side.get(sortie.cuda.unique(x, **TOTAL)), kept.view(dtype))
        rows = numpy.arange(3 * count, dtype="int32").reshape(-1, 3)
        last = order_of(values, False)[numpy.concatenate([bits[1:] != bits[:-1], [True]]) if count else []]
        both = sortie.cuda.unique(x, side.to_device(rows), keep="last", **TOTAL)
        expect(f"unique keys of {dtype} x {count}", side.get(both.keys), kept.view(dtype))
        expect(f"their last values of {dtype} x {count}", side.get(both.values), rows[last])
        for k, largest in itertools.product({0, min(1, count), min(100, count), count}, (False, True)):
            order = order_of(values, largest)[:k]
            top = sortie.cuda.top_k(x, k, largest=largest, **TOTAL)
            expect(f"top {k} of {dtype} x {count}", side.get(top.values), values[order])
            expect(f"positions of top {k} of {dtype} x {count}", side.get(top.indices), order)
